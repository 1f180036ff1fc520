"""Round numbers to cut a numeric column at: the ones a person would choose, whatever the labels.

Amounts, whose largest values are several times the usual ones, are cut at 1, 2, 5, 10, 20, 50, ...; all
else is cut like an axis, at the multiples of 1, 2 or 5 times a power of ten, and no finer than needed. Few
cuts that hardly depend on the sample of the rows vary less than many that follow it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

__all__ = ["round_numbers"]

_Floats = NDArray[np.float64]
#: The coarsest numbers are taken that are so many and have at most this share of the weight between two.
ENOUGH, MOST_BETWEEN = 3, 0.5
#: The least share of the weight between two cuts, below the first and above the last.
LEAST_BETWEEN = 0.01
#: Amounts: not negative, and of the positive ones the 95th percentile is at least so many times the median.
AMOUNTS = 2.5
_POWERS = 3  # of ten that steps are tried of: the finest axis has up to 200 of them
_ROUNDING = 1e-9  # shares may be off by so much because weights were added up


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
    values, weight = values[weight > 0], weight[weight > 0]
    wanted = min(ENOUGH, limit, len(values) - 1)
    if wanted < 1:
        return []
    below = np.append(0.0, np.cumsum(weight) / weight.sum())
    few = len(values) <= ENOUGH + 1  # then every value counts, however rare
    best: list[float] = []
    evenness = math.inf
    for numbers in _gradings(values, weight, few):
        found = _thinned(_apart(numbers, values, below, 0.0 if few else LEAST_BETWEEN), values, below, limit)
        between = _most_between(found, values, below)
        if (min(len(found), wanted), -between) > (min(len(best), wanted), -evenness):
            best, evenness = found, between
        if len(best) >= wanted and evenness <= MOST_BETWEEN + _ROUNDING:
            break
    return best


def _gradings(values: _Floats, weight: _Floats, few: bool) -> Iterator[list[float]]:
    """Yield ascending round numbers within the range of some values, from coarse to fine."""
    positive = values > 0
    if values[0] >= 0 and _are_amounts(values[positive], weight[positive]):
        powers = range(_power(values[positive][0]), _power(values[-1]) + 1)
        yield [_decimal(digit, power) for power in powers for digit in (1, 2, 5)]
    # Axes are drawn between the first and the last percentile: an outlier must not make them coarse.
    low, high = (
        (values[0], values[-1])
        if few
        else (_percentile(values, weight, LEAST_BETWEEN), _percentile(values, weight, 1 - LEAST_BETWEEN))
    )
    half = high / 2 - low / 2  # of the range, which could overflow
    if half < np.finfo(np.float64).tiny:
        return
    within = np.clip(values, low, high)
    first = _power(half) + 1
    for power in range(first, first - _POWERS, -1):
        for digit in (5, 2, 1):
            multiples = _largest_multiples(within, digit, power)
            reached = multiples[1:] > multiples[:-1]  # by a value, and not by the one before
            yield multiples[1:][reached].tolist()
            if reached.sum() == np.count_nonzero(np.diff(within)):
                return  # finer axes part the same rows


def _are_amounts(values: _Floats, weight: _Floats) -> bool:
    most, usual = _percentile(values, weight, 0.95), _percentile(values, weight, 0.5)
    return most >= AMOUNTS * (1 - _ROUNDING) * usual


def _percentile(values: _Floats, weight: _Floats, share: float) -> float:
    """The least value up to which there is this share of the weight."""
    up_to = np.cumsum(weight)
    place = np.searchsorted(up_to, (share - _ROUNDING) * up_to[-1])
    return float(values[min(int(place), len(values) - 1)])


def _largest_multiples(values: _Floats, digit: int, power: int) -> _Floats:
    """For each of ascending values the largest multiple of digit times ten to the power not above it."""
    nearest = np.round(values / _decimal(digit, power))
    first = np.append(True, nearest[1:] > nearest[:-1])
    place = np.cumsum(first) - 1
    times = [int(n) * digit for n in nearest[first].tolist()]
    # Compared as the decimals they are: 0.6 / 0.2 is below 3, but 0.6 is not below 3 times 0.2.
    multiples: _Floats = np.array([_decimal(n, power) for n in times])[place]
    before = np.array([_decimal(n - digit, power) for n in times])[place]
    multiples[multiples > values] = before[multiples > values]
    return multiples


def _decimal(digits: int, power: int) -> float:
    """Digits times ten to the power, rounded once."""
    return float(f"{digits}e{power}")


def _power(number: float) -> int:
    return math.floor(math.log10(number))


def _apart(numbers: list[float], values: _Floats, below: _Floats, least: float) -> list[float]:
    """Those of ascending numbers that leave at least a share of the weight between each other and outside."""
    kept: list[float] = []
    last = 0.0  # the share below the last number kept
    for number, under in zip(numbers, below[np.searchsorted(values, numbers)].tolist()):
        if 1 - under < least - _ROUNDING or under >= 1:
            break
        if kept and under == last:
            kept[-1] = number  # of several that part the same rows, the last, nearest to what was observed
        elif under - last >= least - _ROUNDING and under > last:
            kept.append(number)
            last = under
    return kept


def _most_between(numbers: list[float], values: _Floats, below: _Floats) -> float:
    """The largest share of the weight between neighbouring numbers, single values aside."""
    ends = np.concatenate(([0], np.searchsorted(values, numbers), [len(values)]))
    several = np.diff(ends) > 1
    return float(np.diff(below[ends])[several].max(initial=0.0))


def _thinned(numbers: list[float], values: _Floats, below: _Floats, limit: int) -> list[float]:
    """At most so many: of the two numbers with the least weight between them, the less round one goes."""
    while len(numbers) > limit:
        edges = np.concatenate(([0.0], below[np.searchsorted(values, numbers)], [1.0]))
        between = np.diff(edges)
        nearest = np.minimum(between[:-1], between[1:])
        closest = np.flatnonzero(nearest <= nearest.min() + _ROUNDING)
        gone = max(closest.tolist(), key=lambda i: (len(f"{numbers[i]:g}".strip("0.")), i))
        numbers = numbers[:gone] + numbers[gone + 1 :]
    return numbers
