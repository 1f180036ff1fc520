"""Work on many row sets at once, compiled by numba."""

from __future__ import annotations

import numpy as np

from .compiling import compiled_once
from .popcount import popcount


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


@compiled_once
def reorder(sets, sources, absent, result):
    """result[z]: the row set z with row sources[i] at place i; `absent` stands for a row in no set."""
    for z in range(len(sets)):
        for w in range(len(sources) // 64):
            word = np.uint64(0)
            for bit in range(64):
                row = sources[64 * w + bit]
                if row != absent:
                    word |= ((sets[z, row // 64] >> np.uint64(row % 64)) & np.uint64(1)) << np.uint64(bit)
            result[z, w] = word
