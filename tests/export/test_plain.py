"""The types of columns, and what can hold of them."""

from __future__ import annotations

import pytest

from ooa.errors import RuleError
from ooa.export import export
from ooa.export.plain import plain_patterns
from ooa.rules.literal import Equal, NotEqual, Range
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet


def test_ranges_need_a_type_that_has_an_order() -> None:
    for types in ({"x": "text"}, {"x": "time"}):
        with pytest.raises(RuleError, match="'x' is of type"):
            plain_patterns(RuleSet.parse("x >= 3"), types)  # type: ignore[arg-type]
    with pytest.raises(RuleError, match="'x' is of type number"):
        plain_patterns(RuleSet([Pattern([Range("x", 0, time=True)])]), {"x": "number"})


def test_types_decide_what_can_hold() -> None:
    rules = RuleSet([Pattern([NotEqual("x", "a")]), Pattern([Equal("x", 1)]), Pattern([Range("x", 0.5)])])
    assert export(rules, "pandas", types={"x": "bool"}) == "(x == True) | x.notna()"
    assert export(rules, "pandas", types={"x": "number"}) == "(x >= 0.5) | (x == 1) | (x.notna() & (x == x))"
