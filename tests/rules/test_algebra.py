"""Literals and patterns put together: intersections, unions, implications."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.small_literals import DOMAIN, small_literals
from support.strategies import grid, holds, patterns
from support.sweeps import sweep

from ooa.errors import RuleError
from ooa.rules.algebra import intersect, unite
from ooa.rules.literal import Equal, IsMissing, Literal, NotEqual, OneOf, Range
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet


def answers(literal: Literal) -> list[bool]:
    """What a literal says on every value of a small domain; a range is never asked about text."""
    return [
        not (isinstance(literal, Range) and isinstance(value, str)) and holds(literal, value)
        for value in DOMAIN
    ]


# Bounds that the probes of `answers` tell apart
grid_ranges = st.builds(Range, st.just("x"), grid, grid, st.booleans(), st.booleans())


class TestAlgebra:
    @settings(max_examples=sweep(300, of=600))
    @given(small_literals, small_literals)
    def test_literals(self, a: Literal, b: Literal) -> None:
        in_a, in_b = answers(a), answers(b)
        if a.implies(b):
            assert all(y or not x for x, y in zip(in_a, in_b))
        if a.is_empty:
            assert not any(in_a)
        try:
            both = intersect(a, b)
        except RuleError:
            assert isinstance(a, NotEqual) or isinstance(b, NotEqual)
        else:
            assert answers(both) == [x and y for x, y in zip(in_a, in_b)]
        union = unite(a, b)
        if union is not None:
            assert answers(union) == [x or y for x, y in zip(in_a, in_b)]

    @settings(max_examples=sweep(150, of=300))
    @given(grid_ranges, grid_ranges)
    def test_ranges_are_decided_completely(self, a: Range, b: Range) -> None:
        assert a.implies(b) == all(y or not x for x, y in zip(answers(a), answers(b)))

    @given(patterns())
    def test_everything_implies_itself(self, pattern: Pattern) -> None:
        assert pattern.implies(pattern)
        assert pattern & pattern == pattern
        assert all(pattern.implies(Pattern([literal])) for literal in pattern)
        assert RuleSet([pattern]).implies(RuleSet([pattern]))
        assert RuleSet().implies(RuleSet([pattern]))

    def test_different_attributes_do_not_meet(self) -> None:
        assert not Range("x", 3).implies(Range("y", 2))
        assert unite(Range("x", 3), Range("y", 2)) is None
        assert len(Range("x", 3) & Range("y", 2)) == 2

    def test_ranges_that_touch(self) -> None:
        assert unite(Range("x", 1, 2), Range("x", 2, 3, False)) == Range("x", 1, 3)
        assert unite(Range("x", 1, 2, True, False), Range("x", 2, 3, False)) is None
        assert unite(Range("x", None, 2), Range("x", 2)) is None  # would be "not missing"
        assert unite(Range("x", 1, 2, time=True), Range("x", 2, 3)) is None
        assert unite(OneOf("x", ["a", "b"]), Equal("x", "c")) == OneOf("x", ["a", "b", "c"])
        assert unite(Equal("x", "a"), Equal("x", "b")) is None

    def test_conjunction_in_any_order(self) -> None:
        parts = [NotEqual("x", "a"), NotEqual("x", "b"), OneOf("x", ["a", "b", "c"])]
        assert (
            Pattern.conjunction(*parts) == Pattern.conjunction(*reversed(parts)) == Pattern([Equal("x", "c")])
        )
        assert (IsMissing("x") & Equal("x", 1)).is_empty
        with pytest.raises(RuleError, match="'x ≠ a' and 'x ≠ b' at once"):
            NotEqual("x", "a") & NotEqual("x", "b")
