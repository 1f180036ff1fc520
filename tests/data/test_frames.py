"""Frames of every library give the same columns."""

from __future__ import annotations

import datetime as dt
import decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.decoding import TIMES, decoded

from ooa.data.columns import Column
from ooa.data.frames import open_frame
from ooa.errors import DataError


def same(a: Column, b: Column) -> None:
    assert (a.name, a.kind, a.categories, a.time) == (b.name, b.kind, b.categories, b.time)
    assert [type(c) for c in a.categories] == [type(c) for c in b.categories]
    assert a.values.dtype == b.values.dtype
    np.testing.assert_array_equal(a.values, b.values)


#: What stands for "never" in many tables, and the moment before it.
LAST = [dt.datetime.max, dt.datetime.max - dt.timedelta(microseconds=1)]
texts = st.text(st.characters(codec="utf-8"), max_size=4) | st.sampled_from(["1", "a\0b", "a\0c", "nan", ""])
columns = st.one_of(
    st.lists(st.none() | texts, min_size=3, max_size=8),
    st.lists(st.none() | st.booleans(), min_size=3, max_size=8),
    st.lists(st.none() | st.integers(-(2**53), 2**53), min_size=3, max_size=8),
    st.lists(st.none() | st.floats(allow_nan=False), min_size=3, max_size=8),
    st.lists(st.none() | st.datetimes() | st.sampled_from(LAST), min_size=3, max_size=8),
)


@settings(deadline=None)
@given(columns)
def test_every_library_gives_the_same_column(values: list[Any]) -> None:
    as_objects = np.empty((len(values), 1), dtype=object)
    as_objects[:, 0] = values
    arrow = pa.table({"x0": values})
    frames = [
        [{"x0": value} for value in values],
        {"x0": values},
        as_objects,
        pd.DataFrame({"x0": pd.Series(values, dtype=object)}),
        pl.DataFrame({"x0": values}, strict=False),
        arrow,
        arrow.to_pandas(types_mapper=pd.ArrowDtype),
    ]
    first, *others = [open_frame(frame).column("x0") for frame in frames]
    for other in others:
        if any(value is not None for value in values):
            same(first, other)
        else:
            assert other.missing.all()
    kind = "numeric" if all(isinstance(v, (int, float)) for v in values if v is not None) else "categorical"
    if not first.time:
        for frame in frames:
            column = open_frame(frame).column("x0", kind)
            assert column.kind == kind
            assert decoded(column) == values


def test_pandas_types() -> None:
    frame = open_frame(
        pd.DataFrame(
            {
                "nullable": pd.array([1, None, 3], dtype="Int64"),
                "float": [1.5, np.nan, -0.0],
                "bool": [True, False, True],
                "boolean": pd.array([True, None, False], dtype="boolean"),
                "string": pd.array(["x", None, "a"], dtype="string"),
                "category": pd.Categorical(["u", None, "v"], categories=["z", "v", "u"]),
                "codes": pd.Categorical([3, None, 1]),
                "wholes": pd.Categorical([3.0, None, 1.5]),
                "flags": pd.Categorical([True, None, False]),
                "objects": pd.Series([1, None, 2.5], dtype=object),
                "digits": ["1", "2", None],
                "dates": pd.Series([dt.date(2020, 1, 1), None, dt.date(1970, 1, 1)], dtype=object),
                "times": pd.to_datetime(TIMES),
                "zoned": pd.Series(pd.to_datetime(TIMES)).dt.tz_localize("Europe/Paris"),
                "decimals": [decimal.Decimal("1.5"), None, decimal.Decimal("NaN")],
                "sparse": pd.arrays.SparseArray([0.0, 1.0, np.nan]),
            }
        )
    )
    assert {name: decoded(frame.column(name)) for name in frame.names} == {
        "nullable": [1, None, 3],
        "float": [1.5, None, 0],
        "bool": [True, False, True],
        "boolean": [True, None, False],
        "string": ["x", None, "a"],
        "category": ["u", None, "v"],
        "codes": [3, None, 1],
        "wholes": [3, None, 1.5],
        "flags": [True, None, False],
        "objects": [1, None, 2.5],
        "digits": ["1", "2", None],
        "dates": [1577836800e6, None, 0],
        "times": [1577836800e6, None, -1],
        "zoned": [1577833200e6, None, -3600000001],
        "decimals": [1.5, None, None],
        "sparse": [0, 1, None],
    }
    assert frame.column("category").categories == ("u", "v")
    assert frame.column("bool").categories == frame.column("boolean").categories == (False, True)
    assert {n for n in frame.names if frame.column(n).time} == {"dates", "times", "zoned"}
    assert not np.signbit(frame.column("float").values[2])


def test_polars_and_pyarrow_types() -> None:
    data = pl.DataFrame(
        {
            "float": [1.5, None, float("nan")],
            "category": pl.Series(["x", None, "a"], dtype=pl.Categorical),
            "enum": pl.Series(["x", None, "a"], dtype=pl.Enum(["x", "a", "q"])),
            "zoned": pl.Series(TIMES).dt.replace_time_zone("Europe/Paris"),
            "date": [dt.date(2020, 1, 1), None, dt.date(1970, 1, 1)],
            "decimal": [decimal.Decimal("1.5"), None, decimal.Decimal("2")],
            "large": [2**60, None, 1],
            "small": pl.Series([1, None, 255], dtype=pl.UInt8),
            "nothing": pl.Series([None, None, None], dtype=pl.String),
        }
    )
    for native in (data, data.to_arrow()):
        frame = open_frame(native)
        assert {name: decoded(frame.column(name)) for name in frame.names} == {
            "float": [1.5, None, None],
            "category": ["x", None, "a"],
            "enum": ["x", None, "a"],
            "zoned": [1577833200e6, None, -3600000001],
            "date": [1577836800e6, None, 0],
            "decimal": [1.5, None, 2],
            "large": [2.0**60, None, 1],
            "small": [1, None, 255],
            "nothing": [None, None, None],
        }
        assert frame.column("enum").categories == ("a", "x")
        assert frame.column("nothing").kind == "categorical"


def test_numpy_arrays() -> None:
    assert open_frame(np.array([[1, 2]])).column("x1").values.tolist() == [2.0]
    assert open_frame(np.array([[True], [False]])).column("x0").categories == (False, True)
    mixed = open_frame(np.array([[1, "a", None], [2, "b", True]], dtype=object))
    assert [decoded(mixed.column(n)) for n in mixed.names] == [[1, 2], ["a", "b"], [None, True]]
    records = open_frame(np.array([(1, "a"), (2, "b")], dtype=[("q", int), ("w", "U3")]))
    assert [decoded(records.column(n)) for n in records.names] == [[1, 2], ["a", "b"]]
    masked = open_frame(np.ma.array([[1, 2], [3, 4]], mask=[[0, 1], [0, 0]]))
    assert decoded(masked.column("x1")) == [None, 4]
    times = open_frame(np.array([["2020-01-01"], ["NaT"]], dtype="datetime64[s]")).column("x0")
    assert times.time
    assert decoded(times) == [1577836800e6, None]


def test_rows_and_dicts() -> None:
    frame = open_frame([{"a": 1, "b": "x"}, {"a": 2.5}, {"b": "y", "a": None}])
    assert [decoded(frame.column(n)) for n in frame.names] == [[1, 2.5, None], ["x", None, "y"]]
    assert decoded(open_frame([[1, "a"], (2, None)]).column("x1")) == ["a", None]
    columns = open_frame({"a": (1, 2), "b": pd.Series(["u", "v"]), 3: pl.Series([True, None])})
    assert [decoded(columns.column(n)) for n in ("a", "b", "3")] == [[1, 2], ["u", "v"], [True, None]]
    assert decoded(open_frame({"a": pd.Categorical(["u", "v"])}).column("a")) == ["u", "v"]
    assert open_frame(pd.DataFrame([[1, 2]], columns=[0, 1])).column("1").values.tolist() == [2.0]


def test_slices_are_views_that_count_rows_from_the_start() -> None:
    frame = open_frame({"x": [1, 2, 3, "a"]})
    assert frame.slice(0, 3).column("x").values.tolist() == [1, 2, 3]
    assert frame.slice(1, 9).slice(1, 2).column("x").values.tolist() == [3]
    assert frame.slice(3, 1).n_rows == 0
    with pytest.raises(
        DataError, match=r"Column 'x' mixes numbers and text: the first to differ is row 3 \('a'\)"
    ):
        frame.slice(1, 4).column("x")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (pl.LazyFrame({"a": [1]}), "collect"),
        (np.zeros(3), "two dimensions, rows and columns"),
        (pd.Series([1]), "two dimensions"),
        (5, "A int is not a table"),
        ("text", "A str is not a table"),
        ([], "An empty list"),
        ([1, 2], "Row 0 of the list"),
        ([[1, 2], [3]], "Row 1 of the list"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "'a'"),
        (pa.table([[1], [2]], names=["a", "a"]), "'a'"),
        (pd.DataFrame([[1, 2]], columns=[1, "1"]), "Two columns are called '1'"),
        ({"a": [1], "b": [1, 2]}, "'a' 1, 'b' 2"),
        ({"a": 3}, "Column 'a' is not a sequence"),
        ({"a": "abc"}, "Column 'a' is not a sequence"),
        ({"a": np.zeros((2, 2))}, "Column 'a' is not a sequence"),
    ],
)
def test_unusable_data(data: object, message: str) -> None:
    with pytest.raises(DataError, match=message):
        open_frame(data)


def test_unknown_column() -> None:
    with pytest.raises(DataError, match="no column 'z'; the columns are 'a', 'b'"):
        open_frame({"a": [1], "b": [2]}).column("z")
