"""Hypothesis strategies for names, values, literals, patterns, rule sets and small tables to try them on."""

from __future__ import annotations

import datetime
import math
from dataclasses import dataclass
from typing import Any

import hypothesis.strategies as st

from ooa.rules.levels import LevelRange
from ooa.rules.literal import Equal, IsMissing, Literal, NotEqual, OneOf, Range
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet

# A busy machine must not fail a test that is right.

ODD_TEXT = [
    *("", " ", "a", "B", "x = 1", "a AND b", " OR ", "IF", "and", "true", "False", "null", "NaN", "inf"),
    *("1", "-2.5", "it's", 'say "hi"', "back\\slash", "\\n", "line\nbreak", "\r\n", "tab\t", "naïve", "名前"),
    *("😀", "a\u0301", "\u200b", "\u2028", "\x00", "2020-01-01", "petal-width", "petal.length", "a-", "_"),
    *(
        "a,b",
        "{a}",
        "(a)",
        "→",
        "≥",
        "<b>&amp;</b>",
        "'",
        '"',
        "'; DROP TABLE x; --",
        "predict",
        "IS MISSING",
    ),
]
EPOCH = datetime.datetime(1970, 1, 1)
MICROSECOND = datetime.timedelta(microseconds=1)

texts = st.sampled_from(ODD_TEXT) | st.text(max_size=6)
grid = st.integers(-2, 8).map(lambda k: k / 2)  # few numbers, so that bounds and values meet
floats = grid | st.floats(allow_nan=False, allow_infinity=False)
integers = st.integers(-3, 6) | st.integers(-(2**70), 2**70)
categories = texts | st.booleans() | integers | floats
times = st.integers(-3, 3).map(lambda k: k * 86_400_000_000) | st.integers(-(2**53), 2**53)


@st.composite
def ranges(
    draw: st.DrawFn, attribute: str, bounds: st.SearchStrategy[Any] = floats, time: bool = False
) -> Range:
    """Draw a range: either side absent, open or closed; empty at times."""
    low, high = draw(st.tuples(bounds, bounds) | st.tuples(bounds, st.none()) | st.tuples(st.none(), bounds))
    return Range(attribute, low, high, draw(st.booleans()), draw(st.booleans()), time)


#: Levels in an order of their own; an attribute has the same ones wherever it is drawn.
SCALES: list[list[Any]] = [
    ["low", "middle", "high"],
    ["b", "a", "x = 1", "with"],
    [2, True, "2", 0.5, "it's"],
]


def scale_of(attribute: str) -> list[Any]:
    return SCALES[len(attribute) % len(SCALES)]


@st.composite
def level_ranges(draw: st.DrawFn, attribute: str) -> LevelRange:
    """Draw a range of levels: either side absent; empty at times."""
    level = st.sampled_from(scale_of(attribute))
    low, high = draw(st.tuples(level, level) | st.tuples(level, st.none()) | st.tuples(st.none(), level))
    return LevelRange(attribute, scale_of(attribute), low, high)


def literals_on(
    attribute: str,
    values: st.SearchStrategy[Any] = categories,
    numeric: bool = True,
    time: bool = True,
    levels: bool = False,
) -> st.SearchStrategy[Literal]:
    """Draw literals on one attribute; with ranges if it is numeric, a time or has levels."""
    kinds: list[st.SearchStrategy[Literal]] = [
        values.map(lambda value: Equal(attribute, value)),
        values.map(lambda value: NotEqual(attribute, value)),
        st.lists(values, max_size=3).map(lambda several: OneOf(attribute, several)),
        st.just(IsMissing(attribute)),
    ]
    if levels:
        kinds.append(level_ranges(attribute))
    if numeric:
        kinds += [ranges(attribute), ranges(attribute, grid)]
    if time:
        kinds.append(ranges(attribute, times, True))
    return st.one_of(kinds)


@st.composite
def patterns(draw: st.DrawFn) -> Pattern:
    """Draw any pattern at all."""
    names = draw(st.lists(texts, min_size=1, max_size=4, unique=True))
    of_levels = {name: len(name) % 4 == 1 for name in names}  # an attribute has one order wherever it is
    return Pattern(
        [
            draw(literals_on(name, numeric=not some, time=not some, levels=some))
            for name, some in of_levels.items()
        ]
    )


@st.composite
def rule_sets(draw: st.DrawFn) -> RuleSet:
    """Draw any rule set at all."""
    labels = draw(st.tuples(categories, categories).filter(lambda pair: pair[0] != pair[1]))
    return RuleSet(draw(st.lists(patterns(), max_size=4)), draw(texts), *labels)


@dataclass(frozen=True)
class SmallTable:
    """Named columns of plain Python values, None where missing; kinds: float, int, bool, text or time."""

    kinds: dict[str, str]
    columns: dict[str, list[Any]]
    n_rows: int

    def rows(self) -> list[dict[str, Any]]:
        return [{name: column[i] for name, column in self.columns.items()} for i in range(self.n_rows)]


_VALUES: dict[str, st.SearchStrategy[Any]] = {
    "float": grid | st.floats(allow_nan=False, allow_infinity=False, width=32),
    "int": st.integers(-2, 4),
    "bool": st.booleans(),
    "text": st.sampled_from(["a", "b", "1", "true", "x = 1", "line\nbreak", "naïve", ""]),
    "time": st.integers(-3, 3).map(lambda k: EPOCH + k * datetime.timedelta(days=1))
    | st.datetimes(datetime.datetime(1800, 1, 1), datetime.datetime(2200, 1, 1)),
}


@st.composite
def tables(draw: st.DrawFn, names: st.SearchStrategy[str] = texts) -> SmallTable:
    """Draw a table of up to four columns and six rows, with missing values."""
    kinds = {
        name: draw(st.sampled_from(sorted(_VALUES)))
        for name in draw(st.lists(names, min_size=1, max_size=4, unique=True))
    }
    n_rows = draw(st.integers(0, 6))
    columns = {
        name: draw(st.lists(st.none() | _VALUES[kind], min_size=n_rows, max_size=n_rows))
        for name, kind in kinds.items()
    }
    return SmallTable(kinds, columns, n_rows)


@st.composite
def rules_for(draw: st.DrawFn, table: SmallTable) -> RuleSet:
    """Draw a rule set that can be evaluated on a table, with values that occur in it and others."""
    any_value = grid | st.integers(-2, 4) | st.booleans() | _VALUES["text"]

    def pattern() -> Pattern:
        names = draw(st.lists(st.sampled_from(sorted(table.kinds)), min_size=1, max_size=3, unique=True))
        return Pattern(
            draw(
                literals_on(
                    name,
                    any_value,
                    table.kinds[name] not in ("text", "time"),
                    table.kinds[name] == "time",
                    table.kinds[name] == "text",
                )
            )
            for name in names
        )

    return RuleSet(pattern() for _ in range(draw(st.integers(0, 4))))


def holds(literal: Literal, value: Any) -> bool:
    """Say whether a literal holds on one plain value, None if missing, in the most literal-minded way."""
    if isinstance(literal, IsMissing):
        return value is None
    if value is None:
        return False
    if isinstance(literal, Range):
        number = (value - EPOCH) / MICROSECOND if isinstance(value, datetime.datetime) else float(value)
        low = -math.inf if literal.low is None else literal.low
        high = math.inf if literal.high is None else literal.high
        above = number >= low if literal.low_closed else number > low
        below = number <= high if literal.high_closed else number < high
        return above and below
    several = isinstance(literal, (OneOf, LevelRange))
    listed = literal.values if several else (literal.value,)  # type: ignore[attr-defined]
    found = any(isinstance(v, bool) == isinstance(value, bool) and v == value for v in listed)
    return not found if isinstance(literal, NotEqual) else found


def covered(rules: RuleSet, row: dict[str, Any]) -> list[bool]:
    """Say which patterns hold on a row of plain values."""
    return [all(holds(literal, row[literal.attribute]) for literal in pattern) for pattern in rules]
