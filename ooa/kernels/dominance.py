"""Weighted dominance: which patterns a cheaper one can stand in for, compiled by numba."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .compiling import compiled_once
from .popcount import popcount

#: Classes by the weight of the negatives, so that only those are compared that have few enough.
CLASSES = 256


@compiled_once
def keep_undominated(
    right: NDArray[Any],
    right_factor: NDArray[Any],
    wrong: NDArray[Any],
    wrong_factor: NDArray[Any],
    positive: NDArray[Any],
    negative: NDArray[Any],
    price: NDArray[Any],
    first: int,
    last: int,
    kept: NDArray[Any],
    begin: NDArray[Any],
    end: NDArray[Any],
) -> None:
    """Go through the patterns from `first` to `last`, and keep those that no kept one dominates.

    z' dominates z if the positives that z covers and z' does not, plus the negatives that z'
    covers and z does not, weigh no more than z costs above z': then no rule set gets worse by putting
    z' in the place of z. The patterns must be sorted so that what dominates always precedes: by price, then
    by positives (most first), then by negatives. Those kept so far are kept[begin[c] : end[c]] for each
    class c; `classes` has where these begin.
    """
    largest = max(1, negative.max())
    for i in range(first, last):
        spare = True
        most = min(negative[i] + price[i] - price[0], largest)  # the first is the cheapest
        for c in range(_class_of(most, largest), -1, -1):
            for k in range(end[c] - 1, begin[c] - 1, -1):
                j = kept[k]
                excess = price[i] - price[j]
                if positive[i] - positive[j] > excess or negative[j] - negative[i] > excess:
                    continue
                for w in range(len(right_factor)):
                    if excess < 0:
                        break
                    excess -= right_factor[w] * popcount(right[i, w] & ~right[j, w])
                for w in range(len(wrong_factor)):
                    if excess < 0:
                        break
                    excess -= wrong_factor[w] * popcount(wrong[j, w] & ~wrong[i, w])
                if excess >= 0:
                    spare = False
                    break
            if not spare:
                break
        if spare:
            c = _class_of(negative[i], largest)
            kept[end[c]] = i
            end[c] += 1


@compiled_once
def _class_of(amount, largest):
    return amount * (CLASSES - 1) // largest


@compiled_once
def classes(negative: NDArray[Any]) -> NDArray[Any]:
    """Where the patterns of each class begin if there is room for all of them."""
    largest = max(1, negative.max())
    begin = np.zeros(CLASSES + 1, np.int64)
    for amount in negative:
        begin[_class_of(amount, largest) + 1] += 1
    return np.cumsum(begin)[:-1]
