"""The same rows in every engine that is installed, and a random table of every type there is."""

from __future__ import annotations

import datetime
import decimal
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

#: Each with the packages that it takes.
NAMES = {
    "duckdb": ["duckdb"],
    "polars": ["polars"],
    "ibis": ["ibis", "duckdb"],
    "sqlite": ["ibis"],
    "dask": ["dask.dataframe"],
    "daft": ["daft", "narwhals_daft"],
    "pyspark": ["pyspark"],
}


def mixed_rows(seed: int, n_rows: int = 120) -> pd.DataFrame:
    """Numbers, whole numbers, decimals, dates, times, true/false and any text, with values missing."""
    random = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "number": random.normal(size=n_rows).round(1),
            "whole": random.integers(-20, 20, n_rows),
            "text": random.choice(["it's", 'say "é"', "a\\b", "", " x", "NULL"], n_rows),
            "flag": random.random(n_rows) < 0.5,
            "when": pd.Timestamp("2020-01-01") + pd.to_timedelta(random.integers(0, 900, n_rows), "h"),
            "price": [decimal.Decimal(int(k)) / 4 for k in random.integers(-9, 9, n_rows)],
            "stamp": pd.Timestamp("2022-03-27", tz="Europe/Berlin")
            + pd.to_timedelta(random.integers(0, 300, n_rows), "min"),
            "day": [
                datetime.date(2021, 1, 1) + datetime.timedelta(int(d)) for d in random.integers(0, 60, n_rows)
            ],
        }
    )
    hot = (table["number"] > 0.3) & table["flag"] | (table["text"] == "it's") & (table["whole"] > 3)
    table["label"] = np.where(hot ^ (random.random(n_rows) < 0.1), "yes", "no")
    for name in ("number", "text", "flag", "when", "price", "stamp"):
        table[name] = table[name].astype(object).where(random.random(n_rows) > 0.08, None)
    return table


def as_arrow(table: pd.DataFrame) -> pa.Table:
    """The table with the types that engines have; rows of a column that are None or NaT are missing."""
    kinds = {
        "number": pa.float64(),
        "whole": pa.int32(),
        "text": pa.string(),
        "flag": pa.bool_(),
        "when": pa.timestamp("us"),
        "day": pa.date32(),
        "price": pa.decimal128(9, 2),
        "stamp": pa.timestamp("us", "Europe/Berlin"),
        "label": pa.string(),
    }
    return pa.table(
        {
            name: pa.array([None if v is pd.NaT else v for v in table[name].tolist()], kinds[name])
            for name in table
        }
    )


def for_engine(engine: str, rows: pa.Table) -> pa.Table:
    """The rows without the columns of types that an engine does not have."""
    lacking = {"sqlite": ["price", "stamp"], "daft": ["stamp", "price"]}
    return rows.drop_columns([name for name in lacking.get(engine, []) if name in rows.column_names])


def lazily(engine: str, rows: pa.Table) -> Any:
    """The rows in an engine, as the engine's own lazy frame."""
    return _ENGINES[engine](rows)


def called(engine: str) -> str:
    """What a message calls an engine."""
    return "ibis" if engine == "sqlite" else engine


def installed() -> list[str]:
    """The engines that can be imported here."""
    return [name for name, packages in NAMES.items() if all(map(_is_there, packages))]


def _is_there(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:  # of what it lies in
        return False


def _duckdb(rows: pa.Table) -> Any:
    import duckdb

    connection = duckdb.connect()
    connection.register("given", rows)
    return connection.sql("select * from given")


def _polars(rows: pa.Table) -> Any:
    import polars

    return polars.from_arrow(rows).lazy()  # type: ignore[union-attr]


def _ibis(rows: pa.Table) -> Any:
    import ibis

    connection = ibis.duckdb.connect()
    connection.con.register("given", rows)
    return connection.table("given")


def _sqlite(rows: pa.Table) -> Any:
    import ibis

    connection = ibis.sqlite.connect()
    connection.create_table("given", schema=ibis.schema(rows.schema))
    marks = ", ".join("?" * rows.num_columns)
    values = [tuple(row.values()) for row in rows.to_pylist()]
    connection.con.executemany(f"insert into given values ({marks})", values)
    return connection.table("given")


def _dask(rows: pa.Table) -> Any:
    import dask.dataframe as dd

    def kept(kind: pa.DataType) -> pd.ArrowDtype | None:
        return None if pa.types.is_dictionary(kind) else pd.ArrowDtype(kind)  # what pandas calls a category

    return dd.from_pandas(rows.to_pandas(types_mapper=kept), npartitions=3)


def _daft(rows: pa.Table) -> Any:
    import daft

    return daft.from_arrow(rows)


def _pyspark(rows: pa.Table) -> Any:
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local[1]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.session.timeZone", "UTC")
        .getOrCreate()
    )
    return session.createDataFrame(rows)


_ENGINES: dict[str, Callable[[pa.Table], Any]] = {
    "duckdb": _duckdb,
    "polars": _polars,
    "ibis": _ibis,
    "sqlite": _sqlite,
    "dask": _dask,
    "daft": _daft,
    "pyspark": _pyspark,
}
