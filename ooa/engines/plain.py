"""Values that mean the same in every engine: NaN is missing, there is one zero, and moments are of UTC."""

from __future__ import annotations

from typing import Any

from ooa.errors import DataError

from .source import engine_name

__all__ = ["check_comparable", "plain_value", "spells_moments", "written_otherwise"]

#: A day, and a moment to the second, as SQLite compares them.
_DAY, _SECOND = len("2020-01-01"), len("2020-01-01 00:00:00")


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

    check_comparable(frame, name, dtype)
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


def check_comparable(frame: Any, name: str, dtype: Any) -> None:
    """Raise if an engine would compare the values of a column by something else than what they are."""
    import narwhals as nw

    if isinstance(dtype, nw.Datetime) and dtype.time_zone is not None and _keeps_times_as_text(frame):
        raise DataError(
            f"Column {name!r} has times with a zone, which SQLite compares as text: store them in UTC, as "
            "'YYYY-MM-DD hh:mm:ss' in a column of type TIMESTAMP"
        )


def written_otherwise(frame: Any, name: str, dtype: Any) -> Any:
    """Whether SQLite's text of a time is in another form than it is compared in; None of other columns."""
    import narwhals as nw

    if not isinstance(dtype, (nw.Date, nw.Datetime)) or not _keeps_times_as_text(frame):
        return None
    text = nw.col(name).cast(nw.String)
    length = text.str.len_chars()
    if isinstance(dtype, nw.Date):
        return length != _DAY
    after = text.str.slice(_SECOND)
    strange = (length < _SECOND) | (text.str.slice(_DAY, 1) != " ")
    for mark in ("+", "-", "Z"):
        strange = strange | after.str.contains(mark, literal=True)
    return strange


def _keeps_times_as_text(frame: Any) -> bool:
    return bool(frame.implementation.is_ibis() and frame.to_native().get_backend().name == "sqlite")


def _has_nan(frame: Any) -> bool:
    """Whether a database has NaN beside NULL; SQLite and MySQL have none, and no word for it."""
    import ibis

    return bool(frame.to_native().get_backend().has_operation(ibis.expr.operations.IsNan))
