"""Which patterns a cheaper one can stand in for, compiled by numba."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from ._compiling import compiled_once
from ._popcount import popcount


@compiled_once
def outdone(
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
    size: int,
) -> int:
    """Go through the patterns from `first` to `last`, and add those that no kept one can stand in for.

    z' can stand in for z if the positives that z covers and z' does not, plus the negatives that z'
    covers and z does not, weigh no more than z costs above z': then no rule set gets worse by putting
    z' in the place of z. The patterns must be sorted so that a stand-in always precedes: by price, then
    by positives (most first), then by negatives. `kept` holds the numbers of those kept so far, `size`
    of them; the new size is returned.
    """
    for i in range(first, last):
        spare = True
        for k in range(size):
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
        if spare:
            kept[size] = i
            size += 1
    return size
