"""Numbers that a float keeps, and those that it does not: another number would count as equal."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ooa.errors import DataError, InexactError

__all__ = ["EXACT", "beyond", "check_exact", "check_not_merged"]

#: Up to here a float keeps every whole number.
EXACT = 2**53


def beyond(least: Any, most: Any) -> bool:
    """Whether whole numbers go beyond those that floats tell apart."""
    return isinstance(most, numbers.Integral) and (int(most) > EXACT or int(least) < -EXACT)


def check_exact(
    name: str, values: Iterable[Any], floats: NDArray[np.float64], rows: NDArray[np.int64]
) -> None:
    """Raise at the first number beyond 2**53 that a float does not keep."""
    for value, number, row in zip(values, floats.tolist(), rows.tolist()):
        if abs(number) >= EXACT and number != value:
            raise InexactError(
                f"Column {name!r}, row {row}: {value!s:.60} is beyond 2**53, where numbers are not told "
                "apart exactly; if it is a code, take the column as categorical, otherwise divide it"
            )


def check_not_merged(name: str, values: Sequence[Any], made: Sequence[Any], rows: NDArray[np.int64]) -> None:
    """Raise at the first value that was made the same as a different one.

    Examples
    --------
    >>> from decimal import Decimal
    >>> values = [Decimal("0.1"), Decimal("0.10000000000000000001")]
    >>> check_not_merged("x", values, list(map(float, values)), np.arange(2))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    ooa.errors.DataError: Column 'x', row 1: 0.10000000000000000001 is nearer to 0.1 than ...
    """
    first: dict[Any, Any] = {}
    for value, number, row in zip(values, made, rows.tolist()):
        other = first.setdefault(number, value)
        if other != value:
            raise DataError(
                f"Column {name!r}, row {row}: {value!s:.60} is nearer to {other!s:.60} than numbers are told "
                "apart; if it is a code, convert the column to text"
            )
