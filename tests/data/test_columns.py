"""One column: its kind, its values, and what cannot be one."""

from __future__ import annotations

import datetime as dt
import enum

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from support.decoding import TIMES, decoded

from ooa.data.columns import canonical_value
from ooa.data.frames import open_frame
from ooa.errors import DataError
from ooa.rules.ruleset import RuleSet


def test_forced_kinds() -> None:
    frame = open_frame({"i": [3, 1, None], "b": [True, False, None], "c": pd.Categorical([10, 2, None])})
    assert frame.column("i", "categorical").categories == (1, 3)
    assert decoded(frame.column("b", "numeric")) == [1.0, 0.0, None]
    assert decoded(frame.column("c", "numeric")) == [10.0, 2.0, None]
    large = open_frame({"id": np.array([2**60, 2**60 + 1])}).column("id", "categorical")
    assert large.categories == (2**60, 2**60 + 1)
    with pytest.raises(DataError, match="Column 't' holds dates"):
        open_frame({"t": TIMES}).column("t", "categorical")
    with pytest.raises(DataError, match=r"Column 's' holds text, not numbers \(row 1: '1'\)"):
        open_frame({"s": [None, "1"]}).column("s", "numeric")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([None, 1, "a"], r"Column 'x' mixes numbers and text: the first to differ is row 2 \('a'\)"),
        ([True, 1], "mixes true/false values and numbers"),
        ([1, [2]], "Column 'x', row 1: a value of type list"),
        ([b"a"], "row 0: a value of type bytes"),
        ([dt.time(1)], "row 0: a value of type time"),
        (pd.to_timedelta([1], unit="s").to_numpy(), "has type timedelta64"),
        (np.array([1j]), "has type complex128"),
        (pl.Series([[1], [2]]), "Column 'x' holds nested values"),
        (pl.Series([{"a": 1}]), "Column 'x' holds nested values"),
        (pd.Series(pd.cut([1, 2], 2)), "row 0: a value of type Interval"),
        (pd.Categorical(pd.to_datetime(TIMES)), "Column 'x' holds dates, which are numeric"),
        ([10**400], "Column 'x' holds a number too large"),
    ],
)
def test_unusable_columns(values: object, message: str) -> None:
    with pytest.raises(DataError, match=message):
        open_frame({"x": values}).column("x")


def test_canonical_values() -> None:
    class Colour(str, enum.Enum):
        RED = "red"

    for value, expected in [(np.int8(3), 3), (2.0, 2), (0.5, 0.5), (np.True_, True), (Colour.RED, "red")]:
        result = canonical_value(value)
        assert result == expected
        assert type(result) is type(expected)
    for bad in (None, float("nan"), b"a", [1], dt.date(2020, 1, 1)):
        with pytest.raises(DataError, match="cannot be a category"):
            canonical_value(bad)


BIG = 2**53 + 1


@pytest.mark.parametrize(
    "data",
    [
        np.array([[1], [BIG]]),
        np.array([[1], [2**64 - 1]], dtype=np.uint64),
        np.array([[1], [-BIG]]),
        pd.DataFrame({"x0": [1, BIG]}),
        pd.DataFrame({"x0": pd.array([None, BIG], dtype="Int64")}),
        pd.DataFrame({"x0": pd.Series([None, BIG], dtype=object)}),
        pl.DataFrame({"x0": [1, BIG]}),
        pl.DataFrame({"x0": [None, BIG]}),
        pa.table({"x0": [None, BIG]}),
        [{"x0": None}, {"x0": BIG}],
    ],
    ids=lambda data: type(data).__module__.partition(".")[0],
)
def test_integers_that_floats_cannot_tell_apart_are_refused(data):
    frame = open_frame(data)
    with pytest.raises(DataError, match=r"Column 'x0', row 1: -?\d+ is beyond 2\*\*53"):
        frame.column("x0")
    with pytest.raises(DataError, match=r"row 1: .* take the column as categorical"):
        frame.slice(1, 2).column("x0", kind="numeric")


@pytest.mark.parametrize("value", [2**53, -(2**53), 2**60, 2**63])
def test_large_integers_that_floats_keep_are_numbers(value):
    for data in ({"x": [1, value]}, pd.DataFrame({"x": pd.Series([1, value], dtype=object)})):
        assert open_frame(data).column("x").values.tolist() == [1.0, float(value)]


def test_large_integers_can_be_categories():
    for data in (
        pd.DataFrame({"x": [BIG, BIG - 1]}),
        {"x": [BIG, BIG - 1]},
        pl.DataFrame({"x": [BIG, BIG - 1]}),
    ):
        column = open_frame(data).column("x", kind="categorical")
        assert column.categories == (BIG - 1, BIG)
    for data in (pl.DataFrame({"x": [None, BIG]}), pd.DataFrame({"x": pd.array([None, BIG], dtype="Int64")})):
        assert open_frame(data).column("x", kind="categorical").categories == (BIG,)


def test_late_times_and_large_floats_are_no_integers():
    late = open_frame(pd.DataFrame({"t": np.array(["9999-12-31"], "datetime64[us]")})).column("t")
    assert late.time
    assert open_frame({"x": [1e300, None]}).column("x").values[0] == 1e300


@pytest.mark.parametrize("text", ["n/a", "inf", "nan"])
def test_the_text_that_is_no_number_is_quoted(text):
    rules = RuleSet.parse("age >= 30")
    with pytest.raises(DataError, match=rf"'age' holds text, not numbers \('{text}'\)"):
        rules.predict(pd.DataFrame({"age": ["29", text, "31"]}))
