"""Rows of every engine that count how often they are read, whatever the engine makes of a query."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa

#: A column of whole numbers that all such rows have.
ROW = "row"


def counted(engine: str, rows: pa.Table) -> tuple[Any, Callable[[], float]]:
    """The rows in an engine, as its own lazy frame, and how often all of them were read so far."""
    frame, seen = _ENGINES[engine](rows)
    return frame, lambda: seen() / rows.num_rows


def _polars(rows: pa.Table) -> tuple[Any, Callable[[], int]]:
    import polars as pl
    from polars.io.plugins import register_io_source

    table: Any = pl.from_arrow(rows)
    read: list[int] = []

    def source(with_columns: Any, predicate: Any, n_rows: Any, batch_size: Any) -> Iterator[Any]:
        for part in table.iter_slices(1000):
            read.append(len(part))
            part = part if with_columns is None else part.select(with_columns)
            yield part if predicate is None else part.filter(predicate)

    return register_io_source(source, schema=table.schema), lambda: sum(read)


def _dask(rows: pa.Table) -> tuple[Any, Callable[[], int]]:
    import dask.dataframe as dd

    table = rows.to_pandas()
    parts = [table[start : start + 1000] for start in range(0, len(table), 1000)]
    read: list[int] = []

    def source(part: Any) -> Any:
        read.append(len(part))
        return part

    return dd.from_map(source, parts, meta=table[:0]), lambda: sum(read)


def _daft(rows: pa.Table) -> tuple[Any, Callable[[], int]]:
    import daft

    read: list[int] = []

    @daft.func
    def source(label: bool) -> bool:
        read.append(1)
        return label

    frame = daft.from_arrow(rows)
    return frame.with_column("y", source(frame["y"])), lambda: len(read)


def _pyspark(rows: pa.Table) -> tuple[Any, Callable[[], int]]:
    from .engines import lazily

    frame = lazily("pyspark", rows)
    read = frame.sparkSession.sparkContext.accumulator(0)

    def source(row: Any) -> Any:
        read.add(1)
        return row

    again = frame.rdd.map(source)
    return frame.sparkSession.createDataFrame(again, frame.schema), lambda: int(read.value)


def _duckdb(rows: pa.Table) -> tuple[Any, Callable[[], int]]:
    import duckdb

    connection = duckdb.connect()
    seen = _viewed(connection, rows)
    return connection.sql("select * from counted"), seen


def _ibis(rows: pa.Table) -> tuple[Any, Callable[[], int]]:
    import ibis

    connection = ibis.duckdb.connect()
    seen = _viewed(connection.con, rows)
    return connection.table("counted"), seen


def _viewed(connection: Any, rows: pa.Table) -> Callable[[], int]:
    """Make a view of rows in DuckDB that looks at each of them."""
    read: list[int] = []

    def source(row: int) -> bool:
        read.append(row)
        return True

    connection.register("given", rows)
    connection.create_function("source", source, ["BIGINT"], "BOOLEAN", side_effects=True)
    connection.execute(f"create view counted as select * from given where source({ROW})")
    return lambda: len(read)


def _sqlite(rows: pa.Table) -> tuple[Any, Callable[[], int]]:
    from .engines import lazily

    connection = lazily("sqlite", rows).get_backend()
    read: list[int] = []

    def source(row: int) -> bool:
        read.append(row)
        return True

    connection.con.create_function("source", 1, source)
    connection.con.execute(f"create view counted as select * from given where source({ROW})")
    return connection.table("counted"), lambda: len(read)


_ENGINES: dict[str, Callable[[pa.Table], tuple[Any, Callable[[], int]]]] = {
    "duckdb": _duckdb,
    "polars": _polars,
    "ibis": _ibis,
    "sqlite": _sqlite,
    "dask": _dask,
    "daft": _daft,
    "pyspark": _pyspark,
}
