"""What goes wrong with an engine is said in one sentence, and nothing is half written."""

from __future__ import annotations

import datetime
import os
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.counted_rows import ROW, breaking
from support.engines import called, installed, lazily

import ooa
from ooa.engines.source import engine_errors
from ooa.errors import DataError, OOAError

FIVE = {"x": [1, 2, 3, 4, 5] * 20, "y": [0, 0, 1, 1, 1] * 20}


def said(call: Any) -> str:
    """The sentence that a call ends with: one of ours, on one line."""
    with pytest.raises(OOAError) as caught:
        call()
    text = str(caught.value)
    assert "\n" not in text
    return text


def relation(table: dict[str, Any]) -> tuple[Any, Any]:
    connection = duckdb.connect()
    connection.register("given", pa.table(table))
    return connection, connection.sql("select * from given")


def test_a_lost_connection() -> None:
    connection, rows = relation(FIVE)
    model = ooa.fit(rows, target="y")
    connection.close()
    assert said(lambda: ooa.fit(rows, target="y")).startswith("duckdb could not")
    assert said(lambda: model.score(rows, "y")).startswith("duckdb could not")


@pytest.mark.parametrize(
    "error", [RuntimeError("Query interrupted"), duckdb.InterruptException("Interrupted!")]
)
def test_what_an_engine_says_of_ctrl_c_is_ctrl_c(error: Exception) -> None:
    with pytest.raises(KeyboardInterrupt), engine_errors("duckdb", "merge equal rows"):
        raise error


def test_an_engine_that_panics() -> None:
    """Engines in Rust have an exception for it that is none of Python's Exceptions."""
    panic = pl.exceptions.PanicException
    assert not issubclass(panic, Exception)
    words = "polars could not merge equal rows: index out of bounds"
    with pytest.raises(DataError, match=words), engine_errors("polars", "merge equal rows"):
        raise panic("index out of bounds")
    for other in (SystemExit, GeneratorExit):
        with pytest.raises(other), engine_errors("polars", "merge equal rows"):
            raise other


def test_a_connection_lost_in_the_middle(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from ooa.engines import compress as compressing

    connection, rows = relation(FIVE)
    original = compressing.sample_of

    def losing(*given: Any, **more: Any) -> Any:
        found = original(*given, **more)
        connection.close()
        return found

    monkeypatch.setattr(compressing, "sample_of", losing)
    estimator = ooa.OOAxClassifier()
    assert said(lambda: estimator.fit(rows, "y")).startswith("duckdb could not")
    assert not hasattr(estimator, "rules_")


def test_an_engine_that_fails_while_it_reads() -> None:
    _, rows = relation({"x": ["1", "2", "zwei"] * 20, "y": [0, 1, 0] * 20})
    broken = rows.project("x::int as x, y")
    assert "could not" in said(lambda: ooa.fit(broken, target="y"))
    lazy = pl.LazyFrame({"x": ["1", "zwei"] * 20, "y": [0, 1] * 20}).with_columns(pl.col("x").cast(pl.Int64))
    assert said(lambda: ooa.fit(lazy, target="y")).startswith("polars could not")


@pytest.mark.parametrize("engine", installed())
@pytest.mark.parametrize("after", [0.5, 1.5, 2.5])
def test_a_disk_that_is_gone_in_any_scan(engine: str, after: float, tmp_path: Path) -> None:
    if engine == "pyspark" and after > 1:
        after = 0.1  # its workers know of one scan only
    rows = pa.table({"x": [1, 2, 3, 4, 5, 6] * 500, "y": [False, True, True] * 1000, ROW: list(range(3000))})
    estimator = ooa.OOAxClassifier()
    source = ooa.Source(breaking(engine, rows, after), sample_rows=1000)
    assert said(lambda: estimator.fit(source, "y")).startswith(f"{called(engine)} could not")
    assert not hasattr(estimator, "rules_")
    model = ooa.fit(rows.drop_columns([ROW]), target="y")
    gone = breaking(engine, rows, 0.1)
    assert said(lambda: model.score(gone, "y")).startswith(f"{called(engine)} could not")
    assert said(lambda: model.report(tmp_path / "r.html", gone, "y")).startswith(
        f"{called(engine)} could not"
    )
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("engine", installed())
def test_columns_that_are_not_there(engine: str) -> None:
    rows, model = lazily(engine, pa.table(FIVE)), ooa.fit(pa.table(FIVE), target="y")
    lacking = lazily(engine, pa.table({"z": FIVE["x"], "y": FIVE["y"]}))
    assert "There is no column 'w'" in said(lambda: ooa.fit(rows, target="y", sample_weight="w"))
    for ask in (lambda: model.predict(lacking), lambda: model.score(lacking, "y")):
        assert "lack the column(s) 'x'" in said(ask)


def test_a_column_that_vanished(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    pl.DataFrame(FIVE).write_parquet(path)
    lazy, there = pl.scan_parquet(path), ooa.Source(path)
    model = ooa.fit(lazy, target="y")
    lazy.collect_schema()
    pl.DataFrame({"z": [1, 2], "y": [0, 1]}).write_parquet(path)
    assert said(lambda: ooa.fit(lazy, target="y")).startswith("polars could not")
    assert "lack the column(s) 'x'" in said(lambda: model.predict(there))
    assert "lack the column(s) 'x'" in said(lambda: model.score(there, "y"))


@pytest.mark.parametrize("engine", ["duckdb", "polars"])
@pytest.mark.parametrize(
    "values",
    [[[1], [2]], [{"a": 1}, {"a": 2}], [b"u", b"v"], [datetime.timedelta(1), datetime.timedelta(2)]],
    ids=["list", "struct", "binary", "duration"],
)
def test_a_type_without_a_literal(engine: str, values: list[Any]) -> None:
    rows = pa.table({"odd": values * 50, "y": [0, 1] * 50})
    for sample_rows in (1000, 20):
        source = ooa.Source(lazily(engine, rows), sample_rows=sample_rows)
        assert "'odd'" in said(lambda source=source: ooa.fit(source, target="y"))


@pytest.mark.parametrize("engine", installed())
def test_values_that_are_few_in_a_sample_and_many_in_all(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ooa.engines import reading, values

    original = values.counted_values
    monkeypatch.setattr(reading, "counted_values", lambda *given: original(*given, most=50))
    rows = pa.table({"x": list(range(2000)), "y": [False, True] * 1000})
    source = ooa.Source(lazily(engine, rows), sample_rows=500)
    words = "Column 'x' has few values in a sample, and too many in all rows"
    assert said(lambda: ooa.fit(source, target="y")).startswith(words)
    few = pa.table({"x": list(range(50)) * 40, "y": [False, True] * 1000})
    assert ooa.fit(ooa.Source(lazily(engine, few), sample_rows=500), target="y").certificate_.rows == 2000


def test_two_engines_mixed() -> None:
    _, rows = relation(FIVE)
    labels = pl.Series("y", FIVE["y"])
    assert "pass its name, not a Series" in said(lambda: ooa.OOAxClassifier().fit(rows, labels))
    assert "pass its name, not a LazyFrame" in said(
        lambda: ooa.OOAxClassifier().fit(rows, pl.LazyFrame({"y": FIVE["y"]}))
    )
    assert said(lambda: ooa.OOAxClassifier().fit(pl.DataFrame({"x": FIVE["x"]}), rows.project("y")))


def test_empty_tables_and_single_classes(tmp_path: Path) -> None:
    nothing = pl.LazyFrame({"x": [], "y": []}, schema={"x": pl.Int64, "y": pl.Int64})
    assert said(lambda: ooa.fit(nothing, target="y")) == "The table has no rows"
    assert "every label is 1" in said(lambda: ooa.fit(pl.LazyFrame({"x": [1, 2], "y": [1, 1]}), target="y"))
    model = ooa.fit(pl.LazyFrame(FIVE), target="y")
    assert model.score(pl.LazyFrame({"x": [1, 4, 5], "y": [1, 1, 1]}), "y") == pytest.approx(2 / 3)
    assert said(lambda: model.score(nothing, "y")) == "The table has no rows"
    assert "is 7 somewhere" in said(lambda: model.score(pl.LazyFrame({"x": [1], "y": [7]}), "y"))
    assert "missing in 1 row" in said(lambda: model.score(pl.LazyFrame({"x": [1, 2], "y": [1, None]}), "y"))
    weights = pl.LazyFrame({"x": [1, 2], "y": [0, 1], "w": [0, 0]})
    assert said(lambda: model.score(weights, "y", "w"))
    assert said(lambda: model.report(tmp_path / "r.html", nothing, "y"))
    assert not list(tmp_path.iterdir())


def test_files_that_are_no_tables(tmp_path: Path) -> None:
    pl.DataFrame(FIVE).write_parquet(tmp_path / "good.parquet")
    whole = (tmp_path / "good.parquet").read_bytes()
    (tmp_path / "torn.parquet").write_bytes(whole[:60] + whole[90:])
    assert said(lambda: ooa.fit(tmp_path / "torn.parquet", target="y")).startswith("duckdb could not")
    assert "There is no file" in said(lambda: ooa.fit(tmp_path / "*.csv", target="y"))
    (tmp_path / "empty").mkdir()
    assert "There is no file" in said(lambda: ooa.fit(tmp_path / "empty", target="y"))
    text = "x,y\n" + "1,0\n2,1\n" * 30_000 + "three,1\n"
    (tmp_path / "late.csv").write_text(text)  # DuckDB guesses types by the first 20,480 lines
    told = said(lambda: ooa.fit(tmp_path / "late.csv", target="y"))
    assert told.startswith("duckdb could not")
    assert "three" in told


def test_names_that_come_twice(tmp_path: Path) -> None:
    """DuckDB would call the second one otherwise, and does not tell names apart that differ by case."""
    (tmp_path / "twice.csv").write_text("x,x,y\n" + "1,2,0\n3,4,1\n" * 30)
    assert said(lambda: ooa.fit(tmp_path / "twice.csv", target="y")).startswith("Two columns are called 'x'")
    nested = [{"a": 1, "A": {"b": 2}}] * 2
    for names, words in (
        (("A", "z", "a"), "'A' and 'a' differ only by case"),
        (("a", "z", "b"), "'z' holds"),
    ):
        path = tmp_path / "rows.parquet"
        pq.write_table(pa.table({names[0]: [1, 2], names[1]: nested, names[2]: [3, 4], "y": [0, 1]}), path)
        assert words in said(lambda path=path: ooa.fit(path, target="y"))
    rows = duckdb.connect().sql("select 1 as x, 2 as x, 3 as y")
    assert said(lambda: ooa.fit(rows, target="y"))


def test_rows_of_merged_tables_have_no_names(tmp_path: Path) -> None:
    lazy = pl.LazyFrame(FIVE)
    model = ooa.fit(lazy, target="y")
    with pytest.raises(ooa.errors.OptionError, match="ids name rows"):
        model.report(tmp_path / "r.html", lazy, "y", ids="x")
    with pytest.raises(DataError, match="pass its name"):
        model.report(tmp_path / "r.html", lazy, FIVE["y"])


@pytest.mark.parametrize(
    "values", [[{"a": 1}, {"a": 2}], [[1], []], [b"u", b"v"]], ids=["map", "list", "binary"]
)
def test_a_type_without_a_literal_in_predictions(values: list[Any]) -> None:
    model = ooa.fit(pl.LazyFrame(FIVE), target="y")
    rows = pa.table({"x": values})
    for engine in ("duckdb", "polars"):
        assert "'x' holds values of type" in said(lambda engine=engine: model.predict(lazily(engine, rows)))


def test_learned_in_one_engine_and_tested_in_another() -> None:
    _, rows = relation(FIVE)
    model = ooa.fit(pl.LazyFrame(FIVE), target="y")
    assert model.score(rows, "y") == 1
    assert [row[-1] for row in model.predict(rows).fetchall()] == FIVE["y"]
    assert ooa.fit(rows, target="y").score(pl.LazyFrame(FIVE), "y") == 1


def test_a_file_that_changes_between_two_scans(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from ooa.engines import compress as compressing

    path = tmp_path / "rows.parquet"
    table = {"t": ["a", "b"] * 50, "x": list(range(100)), "y": [0, 1] * 50}
    pl.DataFrame(table).write_parquet(path)
    original = compressing.profiles_of

    def changing(*given: Any) -> Any:
        found = original(*given)
        pl.DataFrame(table | {"t": ["a", "new"] * 50}).write_parquet(path)
        return found

    monkeypatch.setattr(compressing, "profiles_of", changing)
    estimator = ooa.OOAxClassifier()
    words = said(lambda: estimator.fit(ooa.Source(path, sample_rows=20), "y"))
    assert words == "The table changed while it was read: column 't' has new values"
    assert not hasattr(estimator, "rules_")


def test_all_rows_missing_and_no_permission(tmp_path: Path) -> None:
    gone = pl.LazyFrame({"x": [None] * 4, "y": [0, 1, 0, 1]}, schema={"x": pl.Float64, "y": pl.Int64})
    assert (
        said(lambda: ooa.fit(gone, target="y")) == "Every value is missing in column(s) 'x': leave them out"
    )
    path = tmp_path / "rows.parquet"
    pl.DataFrame(FIVE).write_parquet(path)
    path.chmod(0)
    if not os.access(path, os.R_OK):  # as root everything may be read
        assert "could not open" in said(lambda: ooa.fit(path, target="y"))
