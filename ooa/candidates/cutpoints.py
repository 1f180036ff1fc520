"""Readable cut points: the shortest bounds that separate two neighbouring values.

Between two neighbouring observed values ``lower < upper``, "x ≤ bound" may use any bound in
``[lower, upper)`` and "x ≥ bound" any in ``(lower, upper]``. The one rule here takes the decimal with the
fewest digits, a multiple of the largest power of ten, and among equally short ones the nearest to the
midpoint; but between whole numbers the observed one, if it is as short. So ages 29 and 30 are parted by
"≤ 29" and "≥ 30", and 20.31 and 27.84 by "≤ 24" and "≥ 24". For times it takes the start of the longest
calendar unit that fits, and among several the one nearest to the observed time.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ooa.rules.levels import HasOrder

__all__ = ["Cut", "column_cut", "cut_between", "user_cut"]

_UNITS = ("Y", "M", "D", "h", "m", "s", "ms")
_DIGITS = 20  # powers of ten tried; a float never needs more than 17 digits


@dataclass(frozen=True)
class Cut:
    """A place where a numeric attribute is split in two.

    Attributes
    ----------
    below : float
        Values under the cut are at most this (less than this, unless `below_closed`); of times, an int.
    above : float
        Values over the cut are at least this.
    below_closed : bool
    """

    below: float
    above: float
    below_closed: bool = True


def cut_between(lower: float, upper: float, *, time: bool = False) -> Cut:
    """Return the shortest bounds that part two neighbouring values.

    Parameters
    ----------
    lower, upper : float
        ``lower < upper``, both finite.
    time : bool
        Whether they are whole microseconds since 1970-01-01 UTC.

    Examples
    --------
    >>> cut_between(29, 30)
    Cut(below=29.0, above=30.0, below_closed=True)
    >>> cut_between(20.31, 27.84)
    Cut(below=24.0, above=24.0, below_closed=True)
    >>> cut_between(0.1, 0.2)
    Cut(below=0.1, above=0.2, below_closed=True)
    """
    if time:
        return Cut(_instant_below(int(lower), int(upper)), _instant_above(int(lower), int(upper)))
    lower, upper = float(lower), float(upper)
    return Cut(_shortest(lower, upper, lower), _shortest(lower, upper, upper))


def column_cut(column: HasOrder, lower: float, upper: float) -> Cut:
    """Return the bounds that part two neighbouring values of a column: of levels, these themselves."""
    return Cut(lower, upper) if column.levels else cut_between(lower, upper, time=column.time)


def user_cut(cut: float) -> Cut:
    """Return a cut at exactly the number a user chose: less than it, or at least it."""
    return Cut(cut, cut, below_closed=False)


def _shortest(lower: float, upper: float, observed: float) -> float:
    """Return the shortest decimal between two values; of the two, only `observed` itself is allowed."""
    if lower < 0 < upper:
        return 0.0
    banned = upper if observed == lower else lower
    middle = lower / 2 + upper / 2  # the sum could overflow
    choices = (observed, middle) if lower.is_integer() and upper.is_integer() else (middle, observed)
    power = math.floor(math.log10(upper - lower)) + 1  # at most one multiple of such a power lies between
    for digits in range(-power, _DIGITS - power):
        for choice in choices:
            bound = _rounded(choice, digits)
            if lower <= bound <= upper and bound != banned and (choice == middle or bound == observed):
                return bound
    return observed


def _rounded(number: float, digits: int) -> float:
    """Round to a number of decimals, to infinity where the result is too large for a float."""
    try:
        return round(number, digits) + 0.0
    except OverflowError:
        return math.inf


def _instant_below(lower: int, upper: int) -> int:
    """Return the first start of the longest calendar unit from `lower` on that comes before `upper`."""
    for unit in _UNITS:
        start = (np.datetime64(lower - 1, "us").astype(f"M8[{unit}]") + 1).astype("M8[us]").astype(np.int64)
        if lower <= int(start) < upper:
            return int(start)
    return lower


def _instant_above(lower: int, upper: int) -> int:
    """Return the last start of the longest calendar unit up to `upper` that comes after `lower`."""
    for unit in _UNITS:
        start = np.datetime64(upper, "us").astype(f"M8[{unit}]").astype("M8[us]").astype(np.int64)
        if lower < int(start) <= upper:
            return int(start)
    return upper
