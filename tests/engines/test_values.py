"""Values of columns with the labels at them, counted in one query, whichever way."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa
import pytest
from support.engines import as_arrow, lazily, mixed_rows

from ooa.engines import values
from ooa.errors import DataError


def told(frame: Any) -> list[str]:
    """The rows in an order of their own, NaN and zeros of either sign as what they are."""
    return sorted(map(repr, frame.rows()))


def rows_of(seed: int) -> pa.Table:
    """Every type there is, some twice, with a column of weights, some of which are missing."""
    rows, random = as_arrow(mixed_rows(seed, 200)), np.random.default_rng(seed)
    rows = rows.append_column("other number", pa.array(random.choice([0.0, -0.0, np.nan, 1.5], 200)))
    rows = rows.append_column('od"d', pa.array([None] * 200, pa.string()))
    rows = rows.append_column("price2", rows["price"].cast(pa.decimal128(12, 3)))
    return rows.append_column("w", pa.array([None, *random.integers(1, 4, 199).astype(float)]))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("weighed", [False, True])
def test_unnesting_gives_what_grouping_sets_give(
    seed: int, weighed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = rows_of(seed)
    frame = nw.from_native(lazily("duckdb", rows))
    names = [name for name in rows.column_names if name not in ("label", "w")]
    sums = {"n": "count"} | ({"s": "sum:w", "least": "min:w", "known": "count:w"} if weighed else {})
    expected = values.counted_values(frame, "label", names, sums)
    monkeypatch.setattr(values, "_MANY", 1)
    found = values.counted_values(frame, "label", names, sums)
    assert list(found) == list(expected) == ["", *names]
    for name in found:
        assert found[name].columns == expected[name].columns
        assert told(found[name]) == told(expected[name]), name


def test_too_many_values_to_come_back_unnested(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(values, "_MANY", 1)
    rows = pa.table({"few": [1, 2] * 50, "many": range(100), "t": ["a", "b"] * 50, "y": [0, 1] * 50})
    frame = nw.from_native(lazily("duckdb", rows))
    names = ["few", "many", "t"]
    assert len(values.counted_values(frame, "y", names, {"n": "count"}, most=14)["many"]) == 100
    with pytest.raises(DataError, match="few values in a sample, and too many in all rows"):
        values.counted_values(frame, "y", names, {"n": "count"}, most=12)
