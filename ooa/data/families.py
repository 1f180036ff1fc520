"""Python objects in a column: of which family they are, all of one."""

from __future__ import annotations

import datetime
import decimal
import numbers
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ooa.errors import DataError

__all__ = ["family_of"]

_FAMILIES: tuple[tuple[str, tuple[type, ...]], ...] = (
    ("true/false values", (bool, np.bool_)),  # before numbers: bool is an int in Python
    ("numbers", (numbers.Real, decimal.Decimal)),
    ("text", (str,)),
    ("dates", (datetime.date, np.datetime64)),
)


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
