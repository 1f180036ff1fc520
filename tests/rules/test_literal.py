"""Literals as values: identity, order, and what they say of a column."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from ooa.data.columns import Kind
from ooa.data.frames import open_frame
from ooa.errors import DataError, RuleError
from ooa.rules.literal import Equal, IsMissing, Literal, NotEqual, OneOf, Range
from ooa.rules.pattern import Pattern


class TestLiterals:
    def test_values_keep_their_type(self) -> None:
        ones: list[Any] = [1, 1.0, np.int8(1), np.float64(1)]
        assert {Equal("x", one) for one in ones} == {Equal("x", 1)}
        assert len({Equal("x", 1), Equal("x", True), Equal("x", "1"), Equal("x", 1.0)}) == 3
        yes: Any = np.bool_(True)
        assert Equal("x", yes).value is True
        assert type(Equal("x", np.str_("a")).value) is str
        assert OneOf("x", [True, 1, 1.0, "1"]).values == (True, 1, "1")
        assert OneOf("x", [True, 1, 1.0, "1"]) != OneOf("x", [1, "1"])

    def test_ranges_are_canonical(self) -> None:
        assert Range("x", -math.inf, 3, False) == Range("x", None, 3) == Range("x", high=np.float64(3))
        assert Range("x", 3, math.inf, high_closed=False) == Range("x", 3)
        assert Range("x", -0.0) == Range("x", 0)
        assert str(Range("x", -0.0)) == "x ≥ 0"
        assert Range("x", 1, 2) != Range("x", 1, 2, time=True)

    @pytest.mark.parametrize(
        ("literal", "empty"),
        [
            (Range("x", 2, 1), True),
            (Range("x", 1, 1), False),
            (Range("x", 1, 1, high_closed=False), True),
            (Range("x", 1, 2, False, False), False),
            (Range("x", 1), False),
            (OneOf("x", []), True),
            (IsMissing("x"), False),
        ],
    )
    def test_emptiness(self, literal: Literal, empty: bool) -> None:
        assert literal.is_empty is empty

    @pytest.mark.parametrize(
        ("make", "message"),
        [
            (lambda: Range("x"), "'x' has neither"),
            (lambda: Range("x", -math.inf, math.inf), "'x' has neither"),
            (lambda: Range("x", math.nan), "low bound of 'x': nan is not a finite number"),
            (lambda: Range("x", math.inf), "low bound of 'x': inf is not a finite number"),
            (lambda: Range("x", 10**400), "low bound of 'x': 1000000"),
            (lambda: Range("x", high="3"), "high bound of 'x' must be a number, not '3'"),  # type: ignore[arg-type]
            (lambda: Range("x", high=True), "high bound of 'x' must be a number"),
            (lambda: Range("x", 0.5, time=True), "whole microseconds"),
            (lambda: Range("x", 1e18, time=True), "years 1 to 9999"),
            (lambda: Equal("x", None), "literal on 'x': None cannot be a category"),  # type: ignore[arg-type]
            (lambda: Equal("x", math.nan), "literal on 'x': nan"),
            (lambda: Equal("x", math.inf), "literal on 'x': inf is not a finite number"),
            (lambda: OneOf("x", "abc"), "must be a collection, not the text 'abc'"),
            (lambda: OneOf("x", [(1, 2)]), r"literal on 'x': \(1, 2\)"),  # type: ignore[list-item]
            (lambda: IsMissing(3), "name of an attribute must be text, not 3"),  # type: ignore[arg-type]
            (lambda: Equal("x", "\ud800"), "lone surrogate"),
            (lambda: IsMissing("\udfff"), "lone surrogate"),
        ],
    )
    def test_nonsense_is_refused(self, make: Any, message: str) -> None:
        with pytest.raises(RuleError, match=message):
            make()

    def test_immutable(self) -> None:
        for thing, field in [
            (Range("x", 1), "low"),
            (OneOf("x", [1]), "values"),
            (Pattern([IsMissing("x")]), "literals"),
        ]:
            with pytest.raises(AttributeError):
                setattr(thing, field, None)
            with pytest.raises((AttributeError, TypeError)):
                thing.extra = 1  # type: ignore[attr-defined]

    def test_order_is_total_over_all_kinds(self) -> None:
        literals: list[Literal] = [
            IsMissing("a"),
            NotEqual("a", 1),
            Equal("a", "1"),
            Equal("a", 1),
            Equal("a", True),
            OneOf("a", [1, "x"]),
            Range("a", 2),
            Range("a", None, 2),
            Range("a", 2, None, False),
            Range("a", 2, time=True),
            Equal("A", "z"),
        ]
        ordered = sorted(literals)
        literals.reverse()
        assert ordered == sorted(literals)
        assert all(one < other for one, other in pairwise(ordered))
        assert ordered[0] == Equal("A", "z")
        with pytest.raises(TypeError):
            assert Range("x", 1) < Pattern([Range("x", 1)])
        assert Range("x", 1) != Pattern([Range("x", 1)])
        assert Range("x", 1) != "x ≥ 1"

    def test_masks_on_columns_of_either_kind(self) -> None:
        frame = open_frame({"x": [1, 2, None, 3]})
        kinds: list[Kind] = ["numeric", "categorical"]
        for kind in kinds:
            column = frame.column("x", kind)
            assert Range("x", 2).mask(column).tolist() == [False, True, False, True]
            assert Equal("x", 2.0).mask(column).tolist() == [False, True, False, False]
            assert NotEqual("x", 2).mask(column).tolist() == [True, False, False, True]
            assert OneOf("x", [1, 3, "a"]).mask(column).tolist() == [True, False, False, True]
            assert IsMissing("x").mask(column).tolist() == [False, False, True, False]
        with pytest.raises(DataError, match="Column 'x' holds text, where 'x ≥ 2' needs numbers"):
            Range("x", 2).mask(open_frame({"x": ["a"]}).column("x"))
