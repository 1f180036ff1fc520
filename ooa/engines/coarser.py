"""Where too many different rows would come back: how many there are, and which cuts say least."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ooa.candidates.cutpoints import Cut
from ooa.candidates.gaps import disorder
from ooa.data.columns import Column
from ooa.data.row_order import equal_rows

from .profile import Profile
from .zones import Zones

__all__ = ["coarser", "estimated_rows", "least_telling_first"]

Cuts = Mapping[str, Sequence[Cut]]


def estimated_rows(sample: Sequence[Column], cuts: Cuts, whole: bool) -> float:
    """How many distinct rows there are between cuts, by Chao's estimate from a sample, which is rather low.

    Parameters
    ----------
    sample : the columns of the sample
    cuts : of its numeric columns
    whole : whether the sample is all rows; then the number is exact

    Examples
    --------
    >>> column = Column("x", "numeric", np.array([1.0, 1.0, 2.0, 3.0, 3.0]))
    >>> estimated_rows([column], {"x": [Cut(1, 2), Cut(2, 3)]}, whole=False)
    3.25
    """
    keys = [_zoned(column, cuts.get(column.name)) for column in sample]
    found = equal_rows(keys, len(sample[0]))
    times = np.ones(len(sample[0])) if found is None else np.bincount(found[1])
    if whole:
        return float(len(times))
    once, twice = float(np.sum(times == 1)), float(np.sum(times == 2))
    return len(times) + once * once / (2 * max(twice, 1.0))


def coarser(
    profiles: Sequence[Profile],
    cuts: Cuts,
    sample: Sequence[Column],
    whole: bool,
    most: float,
    least: int = 0,
) -> dict[str, list[Cut]]:
    """Leave out the cuts that say least about the labels until the distinct rows are few enough.

    Parameters
    ----------
    profiles : of the columns
    cuts : of the numeric ones
    sample, whole : see `estimated_rows`
    most : what the estimate may be; if it is more without any cut, none is left
    least : how many cuts are left out at least
    """
    order = least_telling_first(profiles, cuts)
    low, high = least, len(order)  # so many are left out
    while low < high:
        middle = (low + high) // 2
        if estimated_rows(sample, _without(cuts, order[:middle]), whole) <= most:
            high = middle
        else:
            low = middle + 1
    return _without(cuts, order[:high])


def least_telling_first(profiles: Sequence[Profile], cuts: Cuts) -> list[tuple[str, Cut]]:
    """All cuts in the order in which they are given up: each time the one that loses least information.

    What is lost without a cut is the information about the label that its two sides have and both together
    do not, per unit of weight.
    """
    waiting: list[tuple[float, str, int, int, int]] = []
    counts: dict[str, NDArray[np.float64]] = {}
    linked: dict[str, list[list[int]]] = {}

    def push(name: str, cut: int) -> None:
        before, after = linked[name][0][cut], linked[name][1][cut]
        parts = counts[name][before + 1 : cut + 1].sum(axis=0), counts[name][cut + 1 : after + 1].sum(axis=0)
        both = np.stack([*parts, parts[0] + parts[1]], axis=1)
        left, right, whole = disorder(both).tolist()
        heapq.heappush(waiting, ((whole - left - right) / counts[name].sum(), name, cut, before, after))

    for one in profiles:
        name = one.column.name
        if not cuts.get(name):
            continue
        counts[name] = _by_side(one, cuts[name])
        number = len(cuts[name])
        linked[name] = [list(range(-1, number - 1)), list(range(1, number + 1))]
        for cut in range(number):
            push(name, cut)
    order = []
    gone: set[tuple[str, int]] = set()
    while waiting:
        _, name, cut, before, after = heapq.heappop(waiting)
        if (name, cut) in gone or (before, after) != (linked[name][0][cut], linked[name][1][cut]):
            continue
        gone.add((name, cut))
        order.append((name, cuts[name][cut]))
        if before >= 0:
            linked[name][1][before] = after
            push(name, before)
        if after < len(cuts[name]):
            linked[name][0][after] = before
            push(name, after)
    return order


def _by_side(one: Profile, cuts: Sequence[Cut]) -> NDArray[np.float64]:
    """The weight of the positives and negatives before the first cut, between two, and after the last."""
    present = ~one.column.missing
    place = np.zeros(int(present.sum()), dtype=np.int64)
    for cut in cuts:
        place += one.column.values[present] >= cut.above
    weights = one.positive[present], one.negative[present]
    return np.stack([np.bincount(place, weight, len(cuts) + 1) for weight in weights], axis=1)


def _without(cuts: Cuts, gone: Sequence[tuple[str, Cut]]) -> dict[str, list[Cut]]:
    left = {name: list(some) for name, some in cuts.items()}
    for name, cut in gone:
        left[name].remove(cut)
    return left


def _zoned(column: Column, cuts: Sequence[Cut] | None) -> NDArray[np.int64]:
    """A number for each row that is the same for rows of one zone, or of one category."""
    if column.kind == "categorical" or column.levels or cuts is None:
        return column.codes.astype(np.int64)
    present = ~column.missing
    zones = Zones.of(cuts, np.unique(column.values[present]), time=column.time)
    number = np.full(len(column), -1, dtype=np.int64)
    number[present] = zones.of_values(column.values[present])
    return number
