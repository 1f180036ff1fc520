"""Python objects in a column: of which family they are, all of one, and dates as numbers."""

from __future__ import annotations

import datetime
import decimal
import numbers
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ooa.errors import DataError

__all__ = ["family_of", "micro"]

_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
_FAMILIES: tuple[tuple[str, tuple[type, ...]], ...] = (
    ("true/false values", (bool, np.bool_)),  # before numbers: bool is an int in Python
    ("numbers", (numbers.Real, decimal.Decimal)),
    ("text", (str,)),
    ("dates", (datetime.date, np.datetime64)),
)


def micro(value: Any) -> int:
    """Return a date or timestamp as whole microseconds since 1970-01-01 UTC."""
    if isinstance(value, np.datetime64):
        return int(value.astype("datetime64[us]").astype(np.int64))
    if not isinstance(value, datetime.datetime):
        value = datetime.datetime(value.year, value.month, value.day)
    if value.tzinfo is None:
        value = value.replace(tzinfo=datetime.timezone.utc)
    return int((value - _EPOCH) // datetime.timedelta(microseconds=1))


def family_of(name: str, array: NDArray[Any], missing: NDArray[np.bool_], offset: int) -> str | None:
    """Return what the present values are, None if there are none; raise at the first that differs."""
    types = dict.fromkeys(map(type, array[~missing]))
    families = {t: next((f for f, bases in _FAMILIES if issubclass(t, bases)), None) for t in types}
    if None not in families.values() and len(set(families.values())) <= 1:
        return next(iter(families.values()), None)
    first = None
    for row in np.flatnonzero(~missing):
        value = array[row]
        family = families[type(value)]
        if family is None:
            raise DataError(
                f"Column {name!r}, row {row + offset}: a value of type {type(value).__name__} is neither "
                "a number, text, true/false nor a date; convert the column, for example to text"
            )
        first = first or family
        if family != first:
            raise DataError(
                f"Column {name!r} mixes {first} and {family}: "
                f"the first to differ is row {row + offset} ({value!r})"
            )
    raise AssertionError("unreachable")
