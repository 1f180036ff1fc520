"""Patterns as values."""

from __future__ import annotations

import pytest

from ooa.errors import RuleError
from ooa.rules.literal import Equal, Range
from ooa.rules.pattern import Pattern


class TestPatterns:
    def test_canonical(self) -> None:
        pattern = Pattern([Range("b", 1), Equal("a", 2)])
        assert pattern == Pattern(iter([Equal("a", 2.0), Range("b", 1.0)]))
        assert pattern.attributes == ("a", "b")
        assert len(pattern) == 2
        assert hash(pattern) == hash(Pattern([Equal("a", 2.0), Range("b", 1.0)]))

    def test_nonsense_is_refused(self) -> None:
        with pytest.raises(RuleError, match="at least one literal"):
            Pattern([])
        with pytest.raises(RuleError, match="'x ≥ 1' and 'x = 2' are both on 'x'"):
            Pattern([Range("x", 1), Equal("x", 2)])
        with pytest.raises(RuleError, match=r"write Pattern\(\[Range"):
            Pattern(Range("x", 1))  # type: ignore[arg-type]
        with pytest.raises(RuleError, match="made of literals, not of 'x'"):
            Pattern(["x"])  # type: ignore[list-item]
