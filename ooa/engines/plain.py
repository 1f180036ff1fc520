"""Values that mean the same in every engine: NaN is missing, there is one zero, and moments are of UTC."""

from __future__ import annotations

from typing import Any

from .source import engine_name

__all__ = ["plain_value", "spells_moments"]


def plain_value(frame: Any, name: str, dtype: Any) -> Any:
    """A column as an expression of narwhals: numbers as float64, missing where NaN; moments in UTC.

    Parameters
    ----------
    frame : lazy frame of narwhals that has the column
    name : of the column
    dtype : its type in the engine

    Examples
    --------
    >>> import narwhals as nw, polars as pl
    >>> frame = nw.from_native(pl.LazyFrame({"x": [1.0, float("nan"), None]}))
    >>> frame.select(plain_value(frame, "x", nw.Float64())).collect()["x"].to_list()
    [1.0, None, None]
    """
    import narwhals as nw

    column = nw.col(name)
    if not dtype.is_numeric():
        zoned = isinstance(dtype, nw.Datetime) and dtype.time_zone not in (None, "UTC")
        # Moments are compared with moments of UTC; polars does not do so with those of another zone.
        return column.dt.convert_time_zone("UTC") if zoned and frame.implementation.is_polars() else column
    value = column.cast(nw.Float64)
    if not dtype.is_float():
        return value
    if engine_name(frame) == "daft":  # NaN equals NaN there, and -0.0 is less than 0.0
        one_zero = nw.when((value >= -0.0) & (value <= 0.0)).then(nw.lit(0.0)).otherwise(value)
        return nw.when(value.cast(nw.String) != "NaN").then(one_zero)
    if frame.implementation.is_ibis() and not _has_nan(frame):
        return value
    # Of a Parquet file whose statistics leave NaN out, as others than DuckDB write them, DuckDB finds that no
    # value is NaN without looking, and so not of values behind a condition.
    looked_at = nw.when(~value.is_null()).then(value)
    return nw.when(~looked_at.is_nan()).then(value)


def spells_moments(frame: Any) -> bool:
    """Whether moments are handed over as text: of Python Spark moves them from one time zone to another."""
    return bool(frame.implementation.is_pyspark() or frame.implementation.is_pyspark_connect())


def _has_nan(frame: Any) -> bool:
    """Whether a database has NaN beside NULL; SQLite and MySQL have none, and no word for it."""
    import ibis

    return bool(frame.to_native().get_backend().has_operation(ibis.expr.operations.IsNan))
