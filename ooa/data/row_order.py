"""The order of rows by their values, and which of them are equal: by as few sorts as that takes.

Both look at no more columns than it takes to tell all rows apart, and at the clock before each of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ooa.clock import NEVER, Deadline

__all__ = ["equal_rows", "lexicographic"]

Values = NDArray[Any]

#: A key that counts up to so many different whole numbers is packed together with others into one.
_SMALL = 1 << 20
#: Packed keys stay below this.
_MOST = 1 << 62
_ODD = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


def lexicographic(keys: Sequence[Values], deadline: Deadline = NEVER) -> NDArray[np.intp]:
    """Return the order of `numpy.lexsort`: by the last key, where that is equal by the one before, and so on.

    Parameters
    ----------
    keys : arrays of numbers, NaN after all others
    deadline : after which rows that the keys so far do not tell apart stay as they come

    Examples
    --------
    >>> lexicographic([np.array([1, 0, 5]), np.array([2.0, 2.0, 1.5])]).tolist()
    [2, 1, 0]
    """
    order: NDArray[np.intp] = np.arange(len(keys[0]))
    group = np.zeros(len(order), dtype=np.int64)
    tied: NDArray[np.intp] = np.arange(len(order))  # the places that are yet to be told apart
    packed, size = np.zeros(len(order), dtype=np.int64), 1
    for key in reversed(keys):
        if deadline.passed():
            break
        values = key[order[tied]]
        digit, base = _as_digit(values)
        if size > 1 and (digit is None or size * base >= _MOST):
            tied = _told_apart(order, group, tied, packed)
            packed, size, values = np.zeros(len(tied), dtype=np.int64), 1, key[order[tied]]
            digit = None if digit is None else _as_digit(values)[0]
        if not len(tied):
            return order
        if digit is None:
            tied = _told_apart(order, group, tied, values)
            packed = np.zeros(len(tied), dtype=np.int64)
        else:
            packed, size = packed * base + digit, size * base
    if size > 1:
        _told_apart(order, group, tied, packed)
    return order


def _as_digit(values: Values) -> tuple[NDArray[np.int64] | None, int]:
    """Values as whole numbers from 0 on in the same order, and how many there may be; None if too many."""
    if not len(values):
        return np.zeros(0, dtype=np.int64), 1
    gone = np.isnan(values) if values.dtype.kind == "f" else None
    if gone is not None and gone.any():
        values = np.where(gone, values[~gone][0] if not gone.all() else 0.0, values)
    least, most = values.min(), values.max()
    if values.dtype.kind == "f":
        few = np.isfinite(least) and np.isfinite(most) and most - least < _SMALL
        if not few or (values[:64] != np.floor(values[:64])).any() or (values != np.floor(values)).any():
            return None, _SMALL
    elif int(most) - int(least) >= _SMALL:
        return None, _SMALL
    digit = (values - least if values.dtype.kind == "f" else values.astype(np.int64) - int(least)).astype(
        np.int64
    )
    base = int(most) - int(least) + 1
    return (digit, base) if gone is None else (np.where(gone, base, digit), base + 1)


def _told_apart(
    order: NDArray[np.intp], group: NDArray[np.int64], tied: NDArray[np.intp], key: Values
) -> NDArray[np.intp]:
    """Order the tied places by a key within their groups, part the groups, and return what is still tied."""
    of = group[tied]
    sort = np.argsort(key, kind="stable") if of[0] == of[-1] else np.lexsort((key, of))
    order[tied], key = order[tied][sort], key[sort]
    differs = key[1:] != key[:-1]
    if key.dtype.kind == "f":
        differs &= ~(np.isnan(key[1:]) & np.isnan(key[:-1]))
    starts = np.concatenate(([True], differs | (of[1:] != of[:-1])))
    group[tied] = tied[np.maximum.accumulate(np.where(starts, np.arange(len(tied)), 0))]
    alone = starts & np.append(starts[1:], True)
    left: NDArray[np.intp] = tied[~alone]
    return left


def equal_rows(
    columns: Sequence[Values], n_rows: int, deadline: Deadline = NEVER
) -> tuple[NDArray[np.intp], NDArray[np.int64]] | None:
    """Return the first of each set of equal rows, in order of appearance, and the set that every row is in.

    None if no two rows are equal, as far as the deadline lets it look. NaN equals NaN, and -0.0 equals 0.0.

    Parameters
    ----------
    columns : arrays of numbers
    n_rows : their length
    deadline : after which all rows count as different

    Examples
    --------
    >>> first, which = equal_rows([np.array([3.0, -0.0, 3.0, 0.0, np.nan])], 5)
    >>> first.tolist(), which.tolist()
    ([0, 1, 4], [0, 1, 0, 1, 2])
    """
    code, looked = np.zeros(n_rows, dtype=np.uint64), 0
    for j, values in enumerate(columns):
        if deadline.passed():
            return None
        code = _mixed(code, values)
        if j + 1 == 2**looked or j + 1 == len(columns):  # a look after 1, 2, 4, 8, ... columns
            looked += 1
            if deadline.passed():  # sorting takes longer than what was done so far
                return None
            ascending = np.sort(code)
            if not (ascending[1:] == ascending[:-1]).any():
                return None
    if deadline.passed():
        return None
    _, first, which = np.unique(code, return_index=True, return_inverse=True)
    shared = np.flatnonzero(first[which] != np.arange(n_rows))  # equal codes are not yet equal rows
    if any(_differ(values, shared, first[which[shared]]).any() for values in columns):
        return _by_sorting(columns, n_rows)
    return _by_appearance(first, which)


def _mixed(code: NDArray[np.uint64], values: Values) -> NDArray[np.uint64]:
    """Codes of rows with one more value taken in; equal rows keep equal codes."""
    if values.dtype.kind == "f":
        bits = (values.astype(np.float64, copy=False) + 0.0).view(np.uint64)
        gone = np.isnan(values)
        if gone.any():
            bits[gone] = _ODD
    else:
        bits = values.astype(np.int64).view(np.uint64)
    code = (code ^ bits) * _ODD
    code ^= code >> _SHIFT
    return code


def _differ(values: Values, some: NDArray[np.intp], others: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Whether the values of some rows differ from those of others."""
    one, other = values[some], values[others]
    differ: NDArray[np.bool_] = (one != other) & ~((one != one) & (other != other))
    return differ


def _by_sorting(columns: Sequence[Values], n_rows: int) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
    """What `equal_rows` returns, where different rows have equal codes."""
    order = lexicographic(columns)
    starts = np.zeros(n_rows, dtype=bool)
    starts[0] = True
    for values in columns:
        starts[1:] |= _differ(values, order[1:], order[:-1])
    which = np.empty(n_rows, dtype=np.int64)
    which[order] = np.cumsum(starts) - 1
    return _by_appearance(order[starts], which)  # sorting is stable, so the first of equals comes first


def _by_appearance(
    first: NDArray[np.intp], which: NDArray[np.int64]
) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
    """Sets of rows renumbered in the order in which they first appear."""
    order = np.argsort(first)
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return first[order], rank[which]
