"""Rows of every engine that count how often they are read, whatever it makes of a query, or that break."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa

from .engines import lazily

#: A column of whole numbers that all such rows have.
ROW = "row"


def counted(engine: str, rows: pa.Table) -> tuple[Any, Callable[[], float]]:
    """The rows in an engine, as its own lazy frame, and how often all of them were read so far."""
    frame, seen = _ENGINES[engine](rows, Reads())
    return frame, lambda: seen() / rows.num_rows


def breaking(engine: str, rows: pa.Table, after: float) -> Any:
    """The rows in an engine that cannot be read any more once all of them were read so often."""
    return _ENGINES[engine](rows, Reads(int(after * rows.num_rows)))[0]


class Reads:
    """How many rows were read, and how many can be."""

    def __init__(self, most: int | None = None) -> None:
        self.most, self.number = most, 0

    def add(self, number: int) -> bool:
        """Count rows that are read."""
        self.number += number
        if self.most is not None and self.number > self.most:
            raise OSError("the disk is gone")
        return True

    def one(self, row: int) -> bool:
        """Count one row; true of each."""
        return self.add(1)


_Counted = tuple[Any, Callable[[], int]]


def _polars(rows: pa.Table, reads: Reads) -> _Counted:
    import polars as pl
    from polars.io.plugins import register_io_source

    table: Any = pl.from_arrow(rows)

    def source(with_columns: Any, predicate: Any, n_rows: Any, batch_size: Any) -> Iterator[Any]:
        for part in table.iter_slices(1000):
            reads.add(len(part))
            chosen = part if with_columns is None else part.select(with_columns)
            yield chosen if predicate is None else chosen.filter(predicate)

    return register_io_source(source, schema=table.schema), lambda: reads.number


def _dask(rows: pa.Table, reads: Reads) -> _Counted:
    import dask.dataframe as dd

    table = rows.to_pandas()
    parts = [table[start : start + 1000] for start in range(0, len(table), 1000)]

    def source(part: Any) -> Any:
        reads.add(len(part))
        return part

    return dd.from_map(source, parts, meta=table[:0]), lambda: reads.number


def _daft(rows: pa.Table, reads: Reads) -> _Counted:
    import daft

    @daft.func
    def source(label: bool) -> bool:
        reads.add(1)
        return label

    frame = daft.from_arrow(rows)
    return frame.with_column("y", source(frame["y"])), lambda: reads.number


def _pyspark(rows: pa.Table, reads: Reads) -> _Counted:
    frame = lazily("pyspark", rows)
    number, most = frame.sparkSession.sparkContext.accumulator(0), reads.most

    def source(row: Any) -> Any:
        number.add(1)
        if most is not None and row[ROW] > most:  # workers do not know what others read
            raise OSError("the disk is gone")
        return row

    again = frame.sparkSession.createDataFrame(frame.rdd.map(source), frame.schema)
    return again, lambda: int(number.value)


def _duckdb(rows: pa.Table, reads: Reads) -> _Counted:
    import duckdb

    connection = duckdb.connect()
    _look_at_each(connection, rows, reads)
    return connection.sql("select * from counted"), lambda: reads.number


def _ibis(rows: pa.Table, reads: Reads) -> _Counted:
    import ibis

    connection = ibis.duckdb.connect()
    _look_at_each(connection.con, rows, reads)
    return connection.table("counted"), lambda: reads.number


def _look_at_each(connection: Any, rows: pa.Table, reads: Reads) -> None:
    """Make a view of rows in DuckDB that looks at each of them."""
    connection.register("given", rows)
    connection.create_function("source", reads.one, ["BIGINT"], "BOOLEAN", side_effects=True)
    connection.execute(f"create view counted as select * from given where source({ROW})")


def _sqlite(rows: pa.Table, reads: Reads) -> _Counted:
    connection = lazily("sqlite", rows).get_backend()
    connection.con.create_function("source", 1, reads.one)
    connection.con.execute(f"create view counted as select * from given where source({ROW})")
    return connection.table("counted"), lambda: reads.number


_ENGINES: dict[str, Callable[[pa.Table, Reads], _Counted]] = {
    "duckdb": _duckdb,
    "polars": _polars,
    "ibis": _ibis,
    "sqlite": _sqlite,
    "dask": _dask,
    "daft": _daft,
    "pyspark": _pyspark,
}
