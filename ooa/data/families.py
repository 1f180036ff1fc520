"""Python objects in a column: which of them are missing, and of which family the others are, all of one."""

from __future__ import annotations

import datetime
import decimal
import numbers
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ooa.errors import DataError

__all__ = ["family_of", "missing_of"]

#: Types of which a value is missing exactly if it is not itself, as NaN is not.
_PLAIN = {str, bool, int, float, np.str_, np.bool_, np.int64, np.float64, datetime.date, datetime.datetime}
_FAMILIES: tuple[tuple[str, tuple[type, ...]], ...] = (
    ("true/false values", (bool, np.bool_)),  # before numbers: bool is an int in Python
    ("numbers", (numbers.Real, decimal.Decimal)),
    ("text", (str,)),
    ("dates", (datetime.date, np.datetime64)),
)


def missing_of(array: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which objects mean that there is no value: None, NaN, and what pandas takes for such.

    pandas takes longer to import than most tables take to be read, and is left alone where all are plain.

    Examples
    --------
    >>> missing_of(np.array(["a", None, float("nan"), 1], dtype=object)).tolist()
    [False, True, True, False]
    """
    if set(map(type, array)) <= {*_PLAIN, type(None)}:
        return np.fromiter((value is None or value != value for value in array), np.bool_, len(array))
    import pandas as pd

    return np.asarray(pd.isna(array), dtype=bool)


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
