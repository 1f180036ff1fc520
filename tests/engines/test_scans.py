"""How often an engine reads all rows: counted, never once a column nor once a fold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from support.engines import lazily

import ooa
from ooa.engines import compress as compressing
from ooa.engines import reading, sampling, values


@pytest.fixture
def scans(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What engines were asked for, one entry a query, but for the number of rows."""
    asked: list[str] = []
    original = reading.collected

    def counting(frame: Any, doing: str) -> Any:
        if doing != "count the rows":
            asked.append(doing)
        return original(frame, doing)

    for module in (reading, sampling, values):
        monkeypatch.setattr(module, "collected", counting)
    return asked


def table(n_rows: int = 6000) -> pa.Table:
    random = np.random.default_rng(0)
    columns: dict[str, Any] = {f"few{j}": random.integers(0, 5, n_rows) for j in range(5)}
    columns["text"] = random.choice(["a", "b", "c"], n_rows)
    columns["x"] = random.random(n_rows)
    columns["w"] = random.integers(1, 3, n_rows)
    columns["y"] = (columns["few0"] >= 2) & (columns["x"] > 0.3)
    return pa.table(columns)


@pytest.mark.parametrize("engine", ["duckdb", "polars"])
@pytest.mark.parametrize("weight", [None, "w"])
def test_three_scans(engine: str, weight: str | None, scans: list[str]) -> None:
    source = ooa.Source(lazily(engine, table()), sample_rows=2000)
    model = ooa.fit(source, target="y", sample_weight=weight, max_length=2, C1=0.01, C2=0.01)
    assert scans == ["draw a sample of rows", "count the values of columns", "merge equal rows"]
    assert model.rules_.attributes == ("few0", "x")


def test_two_where_all_rows_are_looked_at(scans: list[str]) -> None:
    ooa.fit(lazily("duckdb", table()), target="y", max_length=2, C1=0.01, C2=0.01)
    there = [one for one in scans if one != "count the values of columns"]  # counted here
    assert there == ["hand over the rows", "merge equal rows"]


def test_no_scan_a_fold_nor_a_price(scans: list[str]) -> None:
    source = ooa.Source(lazily("duckdb", table()), sample_rows=2000)
    model = ooa.fit(source, target="y", C="cv", cv=4, C_grid=[0.1, 0.01], max_length=2)
    assert len(scans) == 3
    model.path([0.1, 0.02])
    model.operating_curve([1, 2], cv=3, time_limit=20)
    assert len(scans) == 3


def test_one_scan_more_for_a_sample_and_one_for_a_score(scans: list[str]) -> None:
    rows = lazily("duckdb", table())
    source = ooa.Source(rows, sample_rows=2000, max_distinct=500, when_more="sample")
    model = ooa.fit(source, target="y", max_length=2, C1=0.01, C2=0.01)
    assert scans == [
        "draw a sample of rows",
        "count the values of columns",
        "draw a sample of rows",
        *["hand over the rows", "count the values of columns", "merge equal rows"],  # of the sample, here
        "merge equal rows",
    ]
    scans.clear()
    model.score(rows, "y")
    assert len(scans) == 1


def test_progress_is_told() -> None:
    told: list[str] = []
    source = ooa.Source(lazily("polars", table()), sample_rows=2000)
    compressing.compress(source, compressing.ReadAs("y"), told.append)
    assert [text.partition(":")[0] for text in told] == ["scan 1 of 3", "scan 2 of 3", "scan 3 of 3"]


def test_many_small_partitions() -> None:
    dask = pytest.importorskip("dask.dataframe")
    frame = table(600).select(["few0", "text", "y"]).to_pandas()
    rows = dask.from_pandas(frame, npartitions=60)
    source = ooa.Source(rows, sample_rows=20)  # of partitions with 10 rows, 3 % are less than half a row
    drawn = sampling.sample_of(source.open(), 600, 20)
    again = sampling.sample_of(source.open(), 600, 20)
    assert 5 < len(drawn) < 50
    assert drawn.to_native().equals(again.to_native())
    assert not sampling.sample_of(source.open(), 600, 20, seed=2).to_native().equals(drawn.to_native())
