"""What each candidate would add to a selection, compiled by numba."""

from __future__ import annotations

from ._compiling import compiled_once
from ._popcount import popcount


@compiled_once
def gains(right, right_factor, wrong, wrong_factor, covered, hit, price, harshness, result):
    """result[z] = weight of the positives z adds, less `harshness` times its negatives, less its price.

    `covered` and `hit` are the positives and the negatives that the selection covers already.
    """
    for z in range(len(price)):
        saved = harm = 0.0
        for w in range(len(right_factor)):
            saved += right_factor[w] * popcount(right[z, w] & ~covered[w])
        for w in range(len(wrong_factor)):
            harm += wrong_factor[w] * popcount(wrong[z, w] & ~hit[w])
        result[z] = saved - harshness * harm - price[z]
