"""How often an engine reads all rows: counted, never once a column nor once a fold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from support.counted_rows import ROW, counted
from support.engines import installed, lazily

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


@pytest.mark.parametrize("engine", installed())
def test_three_scans(engine: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Rows count themselves where they come from, so that no plan of an engine need be believed."""
    lazy, seen = counted(engine, table().append_column(ROW, pa.array(range(6000))))
    original, spent = compressing.rows_of, [0.0]

    def rows_of(frame: Any) -> int:
        spent[0] -= seen()
        found = original(frame)
        spent[0] += seen()
        return found

    monkeypatch.setattr(compressing, "rows_of", rows_of)
    model = ooa.fit(ooa.Source(lazy, sample_rows=2000), target="y", sample_weight="w", max_length=1)
    assert model.rules_.attributes[0] in ("few0", "x")
    assert spent[0] <= 1  # to know how many there are, which most tables know without being read
    assert 1 < seen() - spent[0] <= 3
    before = seen()
    model.path([0.1])
    assert seen() == before
    model.score(lazy, "y", "w")
    assert seen() == before + 1
    model.report(tmp_path / "report.html", lazy, "y", sample_weight="w")
    assert seen() == before + 2


def test_three_scans_of_a_wide_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """DuckDB counts more than a hundred columns another way, in one scan as well."""
    random = np.random.default_rng(1)
    columns = {f"few{j}": random.integers(0, 5, 3000) for j in range(values._MANY + 1)}
    rows = pa.table(columns | {"y": columns["few0"] >= 2, ROW: range(3000)})
    frame, seen = counted("duckdb", rows)
    original, asked = values._by_unnesting, [0]

    def unnesting(*given: Any) -> Any:
        asked[0] += 1
        return original(*given)

    monkeypatch.setattr(values, "_by_unnesting", unnesting)
    found = compressing.compress(ooa.Source(frame, sample_rows=1000), compressing.ReadAs("y"))
    assert asked == [1]
    assert 1 < seen() <= 4  # one of them to know how many rows there are, as this view does not
    assert found.n_rows == 3000


def test_two_where_all_rows_are_looked_at(scans: list[str]) -> None:
    ooa.fit(lazily("duckdb", table()), target="y", max_length=2, C1=0.01, C2=0.01)
    there = [one for one in scans if one != "count the values of columns"]  # counted here
    assert there == ["hand over the rows", "merge equal rows"]


def test_no_scan_a_fold_nor_a_price(scans: list[str], tmp_path: Path) -> None:
    source = ooa.Source(lazily("duckdb", table()), sample_rows=2000)
    model = ooa.fit(source, target="y", C="cv", cv=4, C_grid=[0.1, 0.01], max_length=2)
    assert len(scans) == 3
    model.path([0.1, 0.02], cv=3)
    model.operating_curve([1, 2], cv=3, time_limit=20)
    assert len(scans) == 3
    model.report(tmp_path / "report.html", lazily("duckdb", table()), "y")
    assert len(scans) == 4
    model = ooa.fit(source, target="y", C="cv", cv="few1", C_grid=[0.1, 0.01], max_length=2)
    assert len(scans) == 7


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
