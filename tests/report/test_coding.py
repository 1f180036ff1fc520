"""Codes of rows against the conditions themselves: what is said of codes is what is said of rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from ooa.data.table import Table
from ooa.errors import DataError
from ooa.report.coding import NAMES, coded_rows, coding_of
from ooa.rules.levels import LevelRange
from ooa.rules.literal import Equal, IsMissing, NotEqual, OneOf, Range
from ooa.rules.pattern import Pattern

GRADES = ("low", "medium", "high")


def rows(seed: int, n: int = 60) -> Table:
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "age": np.where(rng.random(n) < 0.1, np.nan, rng.integers(20, 30, n)),
            "sex": pd.Series(rng.choice(["f", "m", None], n), dtype=object),
            "grade": pd.Categorical(rng.choice(GRADES, n), GRADES, ordered=True),
            "day": pd.to_datetime("2024-01-01") + pd.to_timedelta(rng.integers(0, 9, n), unit="D"),
        }
    )
    return Table.from_any(X, rng.integers(0, 2, n), sample_weight=rng.integers(1, 4, n))


LITERALS = [
    *(Range("age", low, high) for low, high in ((24, None), (None, 24), (22, 27))),
    *(Range("age", 22.5, 27, low_closed=False, high_closed=False), Range("age", high=25, high_closed=False)),
    *(Equal("sex", "f"), NotEqual("sex", "m"), OneOf("sex", ["f", "m"]), IsMissing("sex"), IsMissing("age")),
    *(LevelRange("grade", GRADES, low="medium"), LevelRange("grade", GRADES, "low", "medium")),
    Equal("grade", "high"),
    Range("day", low=1_704_326_400_000_000, time=True),
]


def holds(literal: list, codes: np.ndarray, names: int) -> np.ndarray:
    """What the page's script says of codes, once more."""
    kind, _, *rest = literal
    match kind:
        case "missing":
            return codes == 0
        case "range":
            low, high = rest
            return (codes >= (1 if low < 0 else low + 2)) & (codes <= (np.inf if high < 0 else high + 1))
        case "levels":
            low, high = rest
            return (codes > 0) & (codes - 1 >= low) & (codes - 1 <= (names - 1 if high < 0 else high))
        case "not":
            return (codes > 0) & (codes - 1 != rest[0])
    return (codes > 0) & np.isin(codes - 1, rest)


@pytest.mark.parametrize("seed", range(3))
def test_codes_say_what_rows_say(seed):
    table, other = rows(seed), rows(seed + 100)
    coding = coding_of(table, [Pattern([literal]) for literal in LITERALS])
    place = {one.attribute.name: k for k, one in enumerate(coding)}
    for some in (table, other):
        columns = {column.name: column for column in some.columns}
        for literal in LITERALS:
            one = coding[place[literal.attribute]]
            codes = one.codes(columns[literal.attribute]).astype(np.int64)
            said = holds(one.literal(literal, place[literal.attribute]), codes, len(one.names))
            assert said.tolist() == literal.mask(columns[literal.attribute]).tolist(), literal


def test_equal_codes_are_one_row_and_weights_stay():
    table = rows(7, n=300)
    coded = coded_rows(table, coding_of(table, []))
    assert coded.positive.sum() == table.positive.sum()
    assert coded.negative.sum() == table.negative.sum()
    assert len({tuple(row) for row in coded.codes.T.tolist()}) == len(coded.positive) < 300
    assert np.bincount(coded.row, weights=table.positive).tolist() == coded.positive.tolist()


def test_a_column_of_many_values_keeps_only_those_that_rules_name():
    town = [f"town {k}" for k in range(NAMES + 5)]
    table = Table.from_any({"town": town, "x": list(range(NAMES + 5))}, [0, 1] * (NAMES // 2 + 2) + [1])
    coding = coding_of(table, [Pattern([Equal("town", "town 7") & Range("x", low=3)][0])])
    assert coding[0].names == ("town 7",)
    codes = coding[0].codes(table.columns[0])
    assert sorted({*codes.tolist()}) == [1, 2]
    assert int((codes == 1).sum()) == 1


def test_what_was_never_seen_is_another_value():
    table = Table.from_any({"c": ["a", "b", "a", "b"]}, [0, 1, 0, 1])
    other = Table.from_any({"c": ["z", "a"]}, [0, 1])
    (one,) = coding_of(table, [])
    assert one.codes(other.columns[0]).tolist() == [3, 1]


def test_rows_that_lack_a_column():
    table = Table.from_any({"a": [1, 2], "b": [1, 2]}, [0, 1])
    with pytest.raises(DataError, match="The test rows lack the column"):
        coded_rows(table.only(["a"]), coding_of(table, []))
