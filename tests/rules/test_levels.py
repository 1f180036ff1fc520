"""Ranges of ordered levels: what they say, in every form and against brute force."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from ooa.data.columns import Column
from ooa.errors import DataError, FormatError, RuleError
from ooa.rules.algebra import intersect, unite
from ooa.rules.levels import LevelRange, range_on
from ooa.rules.literal import Equal, Literal, NotEqual, OneOf, Range
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet

GRADES = ("low", "medium", "high", "severe")
SIDES = [None, *GRADES]
RANGES = [LevelRange("g", GRADES, *sides) for sides in product(SIDES, SIDES) if sides != (None, None)]
OTHERS: list[Literal] = [
    *(Equal("g", grade) for grade in ("low", "high", "unheard of")),
    NotEqual("g", "high"),
    OneOf("g", ["severe", "low"]),
    OneOf("g", []),
]
#: Everything a value can be.
VALUES = [*GRADES, "unheard of", None]


def truth(literal: Literal) -> list[bool]:
    """On which values a literal holds, one by one."""
    return [bool(RuleSet([Pattern([literal])]).covers([{"g": value}])[0, 0]) for value in VALUES]


def test_a_range_holds_between_its_levels() -> None:
    for literal in RANGES:
        low = -1 if literal.low is None else GRADES.index(str(literal.low))
        high = 9 if literal.high is None else GRADES.index(str(literal.high))
        inside = [low <= GRADES.index(value) <= high if value in GRADES else False for value in VALUES]
        assert truth(literal) == inside
        assert literal.is_empty is not any(inside)


@pytest.mark.parametrize("wrap", [list, pd.Series, pl.Series, lambda v: pd.Series(pd.Categorical(v))])
def test_columns_of_every_origin(wrap: Any) -> None:
    rules = RuleSet.parse("g >= high WITH g: low < medium < high < severe")
    frame = {"g": wrap(["severe", "low", None, "high", "medium", "x"])}
    assert rules.predict(frame).tolist() == [1, 0, 0, 1, 0, 0]


def test_an_ordered_column_in_another_order_is_compared_by_name() -> None:
    rules = RuleSet.parse("g >= high WITH g: low < medium < high < severe")
    column = pd.Categorical(["severe", "low", "medium", None], ["severe", "medium", "low"], ordered=True)
    assert rules.predict(pd.DataFrame({"g": column})).tolist() == [1, 0, 0, 0]
    assert RuleSet.parse("g = medium").predict(pd.DataFrame({"g": column})).tolist() == [0, 0, 1, 0]
    assert RuleSet.parse("g IS MISSING").predict(pd.DataFrame({"g": column})).tolist() == [0, 0, 0, 1]


def test_columns_that_never_match_are_refused() -> None:
    rules = RuleSet.parse("g >= high WITH g: low < high")
    with pytest.raises(DataError, match="holds numbers, but the rules compare it with text"):
        rules.predict({"g": [1, 2]})
    ordered = pd.DataFrame({"g": pd.Categorical(["low"], ["low", "high"], ordered=True)})
    with pytest.raises(DataError, match="holds ordered categories, where 'g ≥ 3' needs numbers"):
        RuleSet.parse("g >= 3").predict(ordered)


def test_what_implies_what_agrees_with_brute_force() -> None:
    everything = [*RANGES, *OTHERS]
    table = {literal: truth(literal) for literal in everything}
    for one, other in product(everything, everything):
        implied = all(b for a, b in zip(table[one], table[other]) if a)
        if isinstance(one, NotEqual) or isinstance(other, NotEqual):
            assert not one.implies(other) or implied  # other values than these exist
        else:
            assert one.implies(other) == implied, (one, other)


def test_intersections_and_unions_agree_with_brute_force() -> None:
    for one, other in product(RANGES, [*RANGES, *OTHERS]):
        both = [a and b for a, b in zip(truth(one), truth(other))]
        either = [a or b for a, b in zip(truth(one), truth(other))]
        assert truth(intersect(one, other)) == both
        union = unite(one, other)
        assert union is None or truth(union) == either
    low, high = (LevelRange("g", GRADES, high="medium"), LevelRange("g", GRADES, "high", "severe"))
    assert unite(low, high) == LevelRange("g", GRADES, high="severe")
    rules = RuleSet([Pattern([low]), Pattern([LevelRange("g", GRADES, "medium", "high")])])
    assert str(rules.simplify()[0]) == "g ≤ high WITH g: low < medium < high < severe"


def test_the_order_stands_beside_the_rules_and_is_read_again() -> None:
    rules = RuleSet([Pattern([LevelRange("g", GRADES, "medium", "high"), Range("x", 3)])])
    assert str(rules) == (
        "IF   (medium ≤ g ≤ high AND x ≥ 3)\n"
        "THEN predict target = 1\n"
        "ELSE predict target = 0\n"
        "WITH g: low < medium < high < severe"
    )
    assert "<th" in rules._repr_html_()
    assert "low &lt; medium &lt; high &lt; severe" in rules._repr_html_()
    for again in (RuleSet.parse(str(rules)), RuleSet.from_json(rules.to_json()), eval(repr(rules))):
        assert again == rules


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("g > low", LevelRange("g", GRADES, low="medium")),
        ("g < severe", LevelRange("g", GRADES, high="high")),
        ("low < g <= high", LevelRange("g", GRADES, "medium", "high")),
        ("high >= g", LevelRange("g", GRADES, high="high")),
        ("g >= medium AND g <= high", LevelRange("g", GRADES, "medium", "high")),
        ("g > severe", OneOf("g", [])),
        ("g = high", Equal("g", "high")),
    ],
)
def test_what_a_person_would_write(text: str, literal: Literal) -> None:
    assert Pattern.parse(f"{text} WITH g: low < medium < high < severe") == Pattern([literal])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("g >= high", "levels need an order, as in: grade >= B WITH grade: A < B < C"),
        ("g >= huge WITH g: low < high", "'huge' is not among the levels of 'g'"),
        ("g >= low WITH g: low < low", "name one twice"),
        ("g >= low WITH g:", "expected a value"),
        ("g: low < high", "expected WITH and the name of an attribute before ':'"),
        ("low <= g > high WITH g: low < high", "do not point the same way"),
        ("g >= low WITH g: low < high x", "expected '<', ',' or the end"),
    ],
)
def test_what_cannot_be_read_is_said(text: str, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        RuleSet.parse(text)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: LevelRange("g", GRADES), "neither a lower nor an upper bound"),
        (lambda: LevelRange("g", GRADES, "none"), "'none' is not a level of 'g'"),
        (lambda: LevelRange("g", "abc", "a"), "must be a collection"),
        (lambda: LevelRange("g", ["a", "a"], "a"), "name one twice"),
        (
            lambda: RuleSet([Pattern([LevelRange("g", GRADES, "low")]), Pattern([Range("g", 1)])]),
            "'g' are in two different orders",
        ),
    ],
)
def test_ranges_that_make_no_sense(make: Any, words: str) -> None:
    with pytest.raises(RuleError, match=words):
        make()


def test_json_says_where_it_is_wrong() -> None:
    document = RuleSet([Pattern([LevelRange("g", GRADES, "low")])]).to_dict()
    document["patterns"][0]["literals"][0]["low"] = []
    with pytest.raises(FormatError, match=r"patterns\[0\].literals\[0\].low: expected a text"):
        RuleSet.from_dict(document)
    document["patterns"][0]["literals"][0]["low"] = "huge"
    with pytest.raises(FormatError, match="'huge' is not a level of 'g'"):
        RuleSet.from_dict(document)


def test_explanations_count_levels() -> None:
    rules = RuleSet.parse("g >= severe OR low <= g <= medium AND x > 1 WITH g: low < medium < high < severe")
    why = str(rules.explain({"g": "high", "x": 2}))
    assert "(g ≥ severe) fails: g is high, 1 level too low" in why
    assert "fails: g is high, 1 level too high" in why
    odd = str(rules.explain({"g": "odd", "x": 2}))
    assert "g is odd, which is not one of low < medium < high < severe" in odd


def test_bounds_on_ranks_are_bounds_on_levels() -> None:
    column = Column("g", "numeric", np.array([]), levels=GRADES)
    assert range_on(column, low=2) == LevelRange("g", GRADES, low="high")
    assert range_on(column, high=2, high_closed=False) == LevelRange("g", GRADES, high="medium")
    assert range_on(column, 1, 1) == Equal("g", "medium")
    assert range_on(column, high=0, high_closed=False).is_empty
