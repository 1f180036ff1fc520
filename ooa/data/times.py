"""Moments as whole microseconds since 1970-01-01 UTC: a float does not keep those of distant years."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ooa.errors import DataError

__all__ = ["EARLIEST", "LATEST", "NO_TIME", "check_instants", "instants_of", "micro", "moments"]

#: What stands in a column of times where there is none; before all that are.
NO_TIME = int(np.iinfo(np.int64).min)
#: The years 1 to 9999, which can be written.
EARLIEST, LATEST = -62_135_596_800_000_000, 253_402_300_799_999_999

_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
_UNITS = {"D": 86_400_000_000, "h": 3_600_000_000, "m": 60_000_000, "s": 1_000_000, "ms": 1_000, "us": 1}


def micro(value: Any) -> int:
    """Return a date or timestamp as whole microseconds since 1970-01-01 UTC.

    Examples
    --------
    >>> micro(datetime.date(1970, 1, 2)), micro(np.datetime64("9999-12-31T23:59:59.999999"))
    (86400000000, 253402300799999999)
    """
    if isinstance(value, np.datetime64):
        return int(instants_of(np.asarray(value)))
    if not isinstance(value, datetime.datetime):
        value = datetime.datetime(value.year, value.month, value.day)
    if value.tzinfo is None:
        value = value.replace(tzinfo=datetime.timezone.utc)
    return int((value - _EPOCH) // datetime.timedelta(microseconds=1))


def moments(series: Any) -> NDArray[Any]:
    """Return a narwhals Series of dates or timestamps as numpy's moments in UTC, of whatever unit.

    Not by its own way to count them: with gaps some libraries count in floats.
    """
    if series.implementation.is_polars():
        return np.asarray(series.dt.timestamp("us").fill_null(NO_TIME).to_numpy()).view("datetime64[us]")
    native = series.to_native()
    if series.implementation.is_pandas_like():
        if native.dtype.kind == "M" and hasattr(native.dtype, "tz"):
            native = native.dt.tz_convert(None)
        if not hasattr(native.dtype, "pyarrow_dtype"):
            return np.asarray(native.to_numpy())
        native = series.to_arrow()
    return np.asarray(native)


def instants_of(array: NDArray[Any]) -> NDArray[np.int64]:
    """Return numpy's moments as microseconds, `NO_TIME` where there is none; too distant ones stay so.

    Examples
    --------
    >>> instants_of(np.array([1, "NaT"], dtype="datetime64[s]")).tolist() == [10**6, NO_TIME]
    True
    """
    unit, step = np.datetime_data(array.dtype)
    counted = array.astype(np.int64)
    if unit not in _UNITS:  # finer than microseconds, or months and years, whose lengths differ
        if unit in ("Y", "M", "W"):
            return instants_of(array.astype("datetime64[D]"))
        if unit == "ns" and step == 1:  # of the first of these numpy makes the last ones
            return np.asarray(np.where(np.isnat(array), NO_TIME, counted // 1000))
        return np.asarray(array.astype("datetime64[us]").astype(np.int64))
    factor = _UNITS[unit] * step
    most = np.iinfo(np.int64).max // factor
    # numpy would begin anew at the other end
    near = np.clip(counted, -most, most) * factor
    return np.asarray(np.where(np.isnat(array), NO_TIME, near))


def check_instants(name: str, instants: NDArray[np.int64], offset: int) -> None:
    """Raise at the first moment before the year 1 or after 9999; `offset` is the number of the first row."""
    wrong = (instants != NO_TIME) & ((instants < EARLIEST) | (instants > LATEST))
    if wrong.any():
        raise DataError(
            f"Column {name!r}, row {int(np.argmax(wrong)) + offset}: the time is not within the years 1 to "
            "9999 in UTC"
        )
