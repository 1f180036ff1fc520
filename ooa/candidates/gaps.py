"""Between which neighbouring values a numeric attribute is cut: everywhere, evenly, or where labels change.

A cut lies between two neighbouring distinct values, so a choice of cuts is a choice of *gaps*: gap ``g`` is
the one after the ``g``-th distinct value. A column is given by the weight of the positives and of the
negatives at each distinct value, in ascending order; weights act as counts.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "BY_GAPS",
    "disorder",
    "every_gap",
    "mdl_gaps",
    "mixed_gaps",
    "quantile_gaps",
    "telling_gaps",
    "tree_gaps",
]

Floats: TypeAlias = NDArray[np.float64]


def every_gap(positive: Floats, negative: Floats, limit: int) -> list[int]:
    """Take every gap, however many."""
    return list(range(len(positive) - 1))


def quantile_gaps(positive: Floats, negative: Floats, limit: int) -> list[int]:
    """Take the gaps nearest to the quantiles 1/(limit+1), 2/(limit+1), ... of the weight, blind to labels.

    Examples
    --------
    >>> weight = np.ones(10)
    >>> quantile_gaps(weight, 0 * weight, 4)
    [1, 3, 5, 7]
    """
    return _even_gaps(np.cumsum(positive + negative), -1, len(positive) - 1, limit)


def _even_gaps(below: Floats, start: int, stop: int, number: int) -> list[int]:
    """Take gaps strictly between two that divide the weight between these as evenly as they can.

    `below` is the weight up to each value; a start of -1 and a stop at the last value are the ends.
    """
    low = below[start] if start >= 0 else 0.0
    wanted = low + (below[stop] - low) * np.arange(1, number + 1) / (number + 1)
    after = np.clip(np.searchsorted(below, wanted), start + 1, stop)
    before = np.maximum(after - 1, start + 1)
    nearest = np.where(wanted - below[before] < below[after] - wanted, before, after)
    return [int(g) for g in np.unique(np.minimum(nearest, stop - 1)) if g > start]


def mixed_gaps(positive: Floats, negative: Floats, limit: int) -> list[int]:
    """Take every gap where there are few, or else those that the labels ask for, and quantiles between them.

    The labels come first: splits by description length, then what is telling; quantiles get what is left.

    Examples
    --------
    >>> change = np.arange(100) >= 42
    >>> mixed_gaps(1.0 * change, 1.0 * ~change, 4)
    [20, 41, 60, 80]
    """
    if len(positive) - 1 <= limit:
        return every_gap(positive, negative, limit)
    chosen = mdl_gaps(positive, negative, limit)
    for gap in telling_gaps(positive, negative, limit):
        if len(chosen) < limit and gap not in chosen:
            chosen.append(gap)
    below = np.cumsum(positive + negative)
    while len(chosen) < limit:  # one heavy value can be the nearest to several quantiles
        chosen += _between(below, sorted(chosen), limit - len(chosen))
    return sorted(chosen)


def _between(below: Floats, chosen: list[int], number: int) -> list[int]:
    """Take further gaps, as far from those chosen and from one another, by weight, as they can be."""
    parts = list(pairwise([-1, *chosen, len(below) - 1]))
    weight = [float(below[stop] - (below[start] if start >= 0 else 0.0)) for start, stop in parts]
    places = [0] * len(parts)

    def pieces(i: int) -> float:
        """How heavy the pieces of a part are; nothing where no gap is left."""
        start, stop = parts[i]
        return weight[i] / (places[i] + 1) if places[i] < stop - start - 1 else -1.0

    for _ in range(number):
        places[max(range(len(parts)), key=pieces)] += 1
    return [gap for part, n in zip(parts, places) for gap in _even_gaps(below, *part, n)]


def telling_gaps(positive: Floats, negative: Floats, limit: int) -> list[int]:
    """Take the gaps that are the best for one purpose or another, whether or not a split there pays.

    The one with the largest information gain; those below and above which there are more positives less
    negatives than anywhere else, and than without a cut; and the same two with both classes counted alike,
    however rare one of them is.

    Examples
    --------
    >>> positive, negative = np.array([9.0, 4, 5, 0, 6]), np.array([1.0, 2, 6, 9, 5])
    >>> telling_gaps(positive, negative, 9)
    [1, 3]
    """
    totals = _totals(positive, negative)
    gaps = [int(_gains(totals, 0, len(positive)).argmax())]
    for one, other in ((1.0, 1.0), (totals[1, -1], totals[0, -1])):
        net = one * totals[0] - other * totals[1]
        below, above = net[1:-1], net[-1] - net[1:-1]
        gaps += [int(some.argmax()) for some in (below, above) if some.max() > max(0.0, net[-1])]
    return list(dict.fromkeys(gaps))[:limit]


def mdl_gaps(positive: Floats, negative: Floats, limit: int) -> list[int]:
    """Split where it lowers the entropy of the labels by more than it costs to describe (Fayyad and Irani).

    The splits with the largest gains come first, so that a limit keeps the best.

    Examples
    --------
    >>> change = np.arange(100) >= 42
    >>> mdl_gaps(1.0 * change, 1.0 * ~change, 9)
    [41]
    """
    totals = _totals(positive, negative)
    splits: list[int] = []
    waiting: list[tuple[float, int, int, int]] = []

    def consider(start: int, stop: int) -> None:
        found = _best_split(totals, start, stop)
        if found is not None:
            gain, gap = found
            heapq.heappush(waiting, (-gain, gap, start, stop))

    consider(0, len(positive))
    while waiting and len(splits) < limit:
        _, gap, start, stop = heapq.heappop(waiting)
        splits.append(gap)
        consider(start, gap + 1)
        consider(gap + 1, stop)
    return sorted(splits)


def _totals(positive: Floats, negative: Floats) -> Floats:
    """Weight of the positives and of the negatives before each value, and of all."""
    return np.stack([np.append(0, np.cumsum(positive)), np.append(0, np.cumsum(negative))])


def _gains(totals: Floats, start: int, stop: int) -> Floats:
    """By how much each split of the values from `start` to `stop` lowers the disorder of the labels."""
    left = totals[:, start + 1 : stop] - totals[:, start, None]
    right = totals[:, stop, None] - totals[:, start + 1 : stop]
    gain: Floats = disorder(totals[:, stop] - totals[:, start]) - disorder(left) - disorder(right)
    return gain


def _best_split(totals: Floats, start: int, stop: int) -> tuple[float, int] | None:
    """Return total gain and gap of the best split of the values from `start` to `stop`, if it pays."""
    whole = totals[:, stop] - totals[:, start]
    weight = float(whole.sum())
    if stop - start < 2 or weight <= 1:
        return None
    gain = _gains(totals, start, stop)
    best = int(np.argmax(gain))
    middle = totals[:, start + 1 + best]
    parts = (whole, middle - totals[:, start], totals[:, stop] - middle)
    classes = [int(np.count_nonzero(part)) for part in parts]
    entropy = [float(disorder(part)) / max(float(part.sum()), 1e-300) for part in parts]
    surprise = classes[0] * entropy[0] - classes[1] * entropy[1] - classes[2] * entropy[2]
    price = np.log2(weight - 1) + np.log2(3.0 ** classes[0] - 2) - surprise
    return (float(gain[best]), start + best) if gain[best] > price else None


def disorder(counts: Floats) -> Any:
    """Return weight times entropy, in bits, of the class counts in each column."""
    weight = counts.sum(axis=0)
    share = np.divide(counts, weight, out=np.ones_like(counts), where=(counts > 0) & (weight > 0))
    return -(counts * np.log2(share)).sum(axis=0)


def tree_gaps(positive: Floats, negative: Floats, limit: int) -> list[int]:
    """Take the splits of a small decision tree on this attribute alone."""
    from sklearn.tree import DecisionTreeClassifier

    # The tree sees ranks, not values: it computes in single precision, which cannot tell close values apart.
    rank = np.tile(np.arange(len(positive)), 2)
    label = np.repeat([True, False], len(positive))
    weight = np.concatenate([positive, negative])
    seen = weight > 0
    if not seen.any():
        return []
    tree = DecisionTreeClassifier(criterion="entropy", max_leaf_nodes=limit + 1, random_state=0)
    tree.fit(rank[seen, None], label[seen], sample_weight=weight[seen])
    inner = tree.tree_.children_left >= 0
    return sorted({int(np.floor(t)) for t in tree.tree_.threshold[inner]})


#: The ways to choose gaps, by name.
BY_GAPS: dict[str, Callable[[Floats, Floats, int], list[int]]] = {
    "auto": mixed_gaps,
    "distinct": every_gap,
    "quantiles": quantile_gaps,
    "mdl": mdl_gaps,
    "tree": tree_gaps,
}
