"""Round numbers to cut a numeric column at: the ones a person would choose, whatever the labels.

Amounts that run over orders of magnitude are cut at 1, 2, 5, 10, 20, 50, ...; where too few of these part
the rows, columns are cut like an axis, at the multiples of 1, 2 or 5 times a power of ten. Few cuts that are
the same in every sample of the rows vary less than many that follow the sample.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

__all__ = ["round_numbers"]

_Floats = NDArray[np.float64]
#: The coarsest numbers are taken that are so many and have at most this share of the weight between two.
ENOUGH, MOST_BETWEEN = 3, 0.5
#: The least share of the weight between two cuts, below the first and above the last.
LEAST_BETWEEN = 0.01
_POWERS = 20  # of ten, between the range of a column and the finest step tried


def round_numbers(values: _Floats, weight: _Floats, limit: int) -> list[float]:
    """Return round numbers that part the values, in ascending order.

    Parameters
    ----------
    values : ndarray of float64
        The distinct values, finite and ascending.
    weight : ndarray of float64
        The weight of the rows that have each of them.
    limit : int
        The most numbers to return.

    Examples
    --------
    >>> ages, ones = np.arange(18.0, 91.0), np.ones(73)
    >>> round_numbers(ages, ones, 9)
    [20.0, 40.0, 60.0, 80.0]
    >>> round_numbers(np.geomspace(3, 4000, 73), ones, 9)
    [5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0]
    """
    below = np.append(0.0, np.cumsum(weight))
    best: list[float] = []
    for numbers in _gradings(values):
        found = _apart(numbers, values, below, LEAST_BETWEEN)
        if len(found) > len(best):
            best = found
        enough = len(best) >= ENOUGH and _most_between(best, values, below) <= MOST_BETWEEN
        if enough or len(best) >= limit:
            break
    least = LEAST_BETWEEN
    while len(best) > limit:
        least *= 1.2
        best = _apart(best, values, below, least)
    return best


def _gradings(values: _Floats) -> Iterator[list[float]]:
    """Yield ascending round numbers within the range of some values, from coarse to fine."""
    low, high = float(values[0]), float(values[-1])
    if low >= 0 < high:
        least = float(values[np.searchsorted(values, 0.0, side="right")])
        powers = range(math.floor(math.log10(least)), math.floor(math.log10(high)) + 1)
        yield [float(f"{digit}e{power}") for power in powers for digit in (1, 2, 5)]
    span = high / 2 - low / 2  # the whole could overflow
    if span < sys.float_info.min:
        return
    first = math.floor(math.log10(span))
    for power in range(first, max(first - _POWERS, sys.float_info.min_10_exp), -1):
        for digit in (5, 2, 1):
            # The last multiple that a value reaches and the one before does not: others part the same rows.
            place = np.floor(values / float(f"{digit}e{power}"))
            reached = place[1:][place[1:] > place[:-1]]
            yield [float(f"{int(p) * digit}e{power}") for p in reached.tolist()]


def _apart(numbers: list[float], values: _Floats, below: _Floats, share: float) -> list[float]:
    """Those of ascending numbers that leave at least a share of the weight between each other and outside."""
    least, total = share * below[-1], below[-1]
    kept: list[float] = []
    last = 0.0  # the weight below the last number kept
    for number, under in zip(numbers, below[np.searchsorted(values, numbers)].tolist()):
        if total - under < least or under >= total:
            break
        if kept and under == last:
            kept[-1] = number  # of several that part the same rows, the last, nearest to what was observed
        elif under - last >= least and under > last:
            kept.append(number)
            last = under
    return kept


def _most_between(numbers: list[float], values: _Floats, below: _Floats) -> float:
    """The largest share of the weight between neighbouring numbers, single values aside."""
    ends = np.concatenate(([0], np.searchsorted(values, numbers), [len(values)]))
    several = np.diff(ends) > 1
    return float((np.diff(below[ends])[several] / below[-1]).max(initial=0.0)) if below[-1] else 0.0
