"""Times are whole numbers: in every container, and throughout a fit."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import ooa
from ooa.data.frames import open_frame
from ooa.data.times import EARLIEST, LATEST, NO_TIME, instants_of
from ooa.errors import DataError
from ooa.export import export
from ooa.rules.ruleset import RuleSet

LAST = dt.datetime.max  # 9999-12-31 23:59:59.999999
BEFORE = LAST - dt.timedelta(microseconds=1)
MOMENTS = [LAST, None, BEFORE, dt.datetime.min]
EAST = dt.timezone(dt.timedelta(hours=5))
NAIVE: dict[str, Callable[[list[Any]], Any]] = {
    "rows": lambda cells: [{"t": cell} for cell in cells],
    "dict": lambda cells: {"t": cells},
    "numpy": lambda cells: {"t": np.array(cells, dtype="datetime64[us]")},
    "pandas": lambda cells: pd.DataFrame({"t": pd.Series(cells, dtype="datetime64[us]")}),
    "pandas objects": lambda cells: pd.DataFrame({"t": pd.Series(cells, dtype=object)}),
    "pandas arrow": lambda cells: pd.DataFrame(
        {"t": pd.Series(cells, dtype=pd.ArrowDtype(pa.timestamp("us")))}
    ),
    "polars": lambda cells: pl.DataFrame({"t": cells}),
    "arrow": lambda cells: pa.table({"t": cells}),
}
ZONED: dict[str, Callable[[list[Any]], Any]] = {
    "dict": lambda cells: {"t": cells},
    "pandas": lambda cells: pd.DataFrame({"t": pd.Series(cells, dtype=object).astype("M8[us, UTC+05:00]")}),
    "polars": lambda cells: pl.DataFrame({"t": pl.Series(cells, dtype=pl.Datetime("us", "Asia/Karachi"))}),
    "arrow": lambda cells: pa.table({"t": pa.array(cells, pa.timestamp("us", "+05:00"))}),
}


@pytest.mark.parametrize("container", NAIVE)
def test_every_container_keeps_every_microsecond(container: str) -> None:
    column = open_frame(NAIVE[container](MOMENTS)).column("t")
    assert column.time
    assert column.values.tolist() == [LATEST, NO_TIME, LATEST - 1, EARLIEST]
    assert column.missing.tolist() == [False, True, False, False]


@pytest.mark.parametrize("container", ZONED)
def test_zones_are_taken_off(container: str) -> None:
    cells = [LAST.replace(tzinfo=EAST), None, dt.datetime(1970, 1, 1, 5, tzinfo=EAST)]
    column = open_frame(ZONED[container](cells)).column("t")
    assert column.values.tolist() == [LATEST - 5 * 3_600_000_000, NO_TIME, 0]


@pytest.mark.parametrize(
    "cells",
    [
        [LAST.replace(tzinfo=dt.timezone(dt.timedelta(hours=-1)))],
        np.array(["10000-01-01"], dtype="datetime64[D]"),
        np.array([2**60], dtype="datetime64[D]"),
        np.array([-(2**60)], dtype="datetime64[s]"),
        np.array(["0000-12-31"], dtype="datetime64[D]"),
        [np.datetime64(2**60, "h")],
    ],
)
def test_times_that_cannot_be_written_are_refused(cells: Any) -> None:
    with pytest.raises(DataError, match="Column 't', row 0: the time is not within the years 1 to 9999"):
        open_frame({"t": cells}).column("t")


@pytest.mark.parametrize("kind", [ooa.OOAxClassifier, ooa.OOAClassifier])
@pytest.mark.parametrize("container", ["dict", "pandas", "polars", "arrow"])
def test_a_fit_tells_two_microseconds_apart(kind: Any, container: str) -> None:
    X, y = NAIVE[container]([LAST, BEFORE, None] * 8), [1, 0, 0] * 8
    model = kind(time_limit=20).fit(X, y)
    assert model.certificate_.proved
    assert model.predict(X).tolist() == model.rules_.predict(X).tolist() == y
    for again in (RuleSet.parse(str(model.rules_)), RuleSet.from_json(model.rules_.to_json())):
        assert again == model.rules_
        assert again.predict(X).tolist() == y
    literal = json.loads(model.rules_.to_json())["patterns"][0]["literals"][0]
    assert literal["low"] == LATEST
    assert str(model.rules_.explain({"t": BEFORE})).count("1 µs too early") == 1


def test_thresholds_by_hand_of_times_are_whole() -> None:
    X, y = NAIVE["pandas"]([LAST, BEFORE] * 8), [1, 0] * 8
    for cut in (LAST, "9999-12-31T23:59:59.999999", LATEST, pd.Timestamp(LAST)):
        model = ooa.OOAxClassifier(thresholds={"t": [cut]}, time_limit=20).fit(X, y)
        assert model.score(X, y) == 1, cut
    with pytest.raises(ooa.errors.OptionError, match=r"0.5 of 't' is not a whole number of microseconds"):
        ooa.OOAxClassifier(thresholds={"t": [0.5]}).fit(X, y)


def test_a_missing_time_meets_no_range() -> None:
    for text in ("t <= 9999-12-31", "t >= 0001-01-01", "0001-01-01 <= t <= 9999-12-31", "t < 2000-01-01"):
        for container, made in NAIVE.items():
            assert not RuleSet.parse(text).covers(made([None, None])).any(), (text, container)
            assert RuleSet.parse(text).covers(made([None, dt.datetime(1999, 1, 1)])).tolist() == [
                [False],
                [True],
            ]


def test_the_first_moments_that_nanoseconds_reach_are_not_the_last() -> None:
    """numpy takes them to the year 2262 when it makes microseconds of them."""
    first = [pd.Timestamp.min.value, pd.Timestamp.min.value + 300, pd.Timestamp.min.value + 2000, -1, 0]
    array = np.array([*first, "NaT"], dtype="datetime64[ns]")
    assert instants_of(array).tolist() == [*(value // 1000 for value in first), NO_TIME]
    late = RuleSet.parse("t >= 2000-01-01")
    frame = pd.DataFrame({"t": array})
    assert late.predict(frame).tolist() == [0] * 6
    assert late.predict(frame.astype(pd.ArrowDtype(pa.timestamp("ns")))).tolist() == [0] * 6
    space: dict[str, Any] = {}
    exec(export(late, "python"), space)
    assert [space["predict"]({"t": cell}) for cell in array] == [0] * 6
