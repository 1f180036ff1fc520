"""How much more patterns can add, at most: the bounds of the exact search, compiled by numba.

All amounts are whole numbers, in units of the objective's grid. A *choice* of at most `max_patterns` further
patterns gains (positives it covers) - (negatives it covers) - (its prices), counted on the rows that no
pattern chosen so far covers. Row sets are words of 64 bits; all rows of a word weigh the same.

A choice covers at least the negatives of its worst member. Its positives are counted once per pattern
that covers them here, less coarsely in `ooa.kernels.multipliers`.
"""

from __future__ import annotations

import numpy as np

from .compiling import compiled_once
from .popcount import popcount

BUCKETS = 64  # classes of the worst member's negatives
_EXACT = 6  # so many further patterns are counted one by one, the rest as often as the last of these


@compiled_once
def left_over(rows, factor, cover):
    """Weight of the rows of a set that are not covered."""
    total = 0
    for w in range(len(factor)):
        total += factor[w] * popcount(rows[w] & ~cover[w])
    return total


@compiled_once
def bucket_of(amount, largest):
    """The bucket that an amount falls into when the largest is in the last."""
    return amount * (BUCKETS - 1) // largest


@compiled_once
def largest_of(amounts, size):
    """The largest of the first so many amounts, at least 1."""
    result = 1
    for i in range(size):
        result = max(result, amounts[i])
    return result


@compiled_once
def least_in(bucket, largest):
    """The least amount that falls into a bucket."""
    return (bucket * largest + BUCKETS - 2) // (BUCKETS - 1)


@compiled_once
def cumulate(top):
    """Make the largest values of each bucket, largest first, those of this bucket and all below."""
    ranks = top.shape[1]
    here = top[0].copy()
    for b in range(1, BUCKETS):
        here[:] = top[b]
        i = j = 0
        for k in range(ranks):  # the two are sorted: the larger of their heads comes next
            if here[i] >= top[b - 1, j]:
                top[b, k] = here[i]
                i += 1
            else:
                top[b, k] = top[b - 1, j]
                j += 1


@compiled_once
def _suffix_best(top, ranks, others, largest, best):
    """From the largest values per bucket: best[b, k] = max over b' >= b of the sum of the k + 1 largest in
    buckets up to b', less the least negatives of bucket b'. The last k stands for all `others`."""
    cumulate(top)
    for b in range(BUCKETS - 1, -1, -1):
        total = 0
        for k in range(ranks):
            total += top[b, k] * (others - ranks + 1 if k == ranks - 1 else 1)
            best[b, k] = total - least_in(b, largest)
            if b < BUCKETS - 1 and best[b + 1, k] > best[b, k]:
                best[b, k] = best[b + 1, k]


@compiled_once
def keep_by_counting(name, positive, negative, price, size, max_patterns, needed, free):
    """Keep the patterns that can be part of a choice that gains more than `needed`, by counting alone.

    They are moved to the front; the return value is their number. `free` is the weight of all positives
    that are left.
    """
    ranks = min(max_patterns - 1, _EXACT)
    top = np.zeros((BUCKETS, max(ranks, 1)), np.int64)
    best = np.zeros((BUCKETS, max(ranks, 1)), np.int64)
    cheap = np.zeros(max(ranks, 1), np.int64)
    while size > 0:
        largest = largest_of(negative, size)
        top[:] = 0
        cheap[:] = 1 << 60
        for i in range(size):
            b = bucket_of(negative[i], largest)
            value, cost = positive[i] - price[i], price[i]
            for k in range(ranks):
                if value > top[b, k]:
                    value, top[b, k] = top[b, k], value
                if cost < cheap[k]:
                    cost, cheap[k] = cheap[k], cost
        _suffix_best(top, ranks, max_patterns - 1, largest, best)
        kept = 0
        for i in range(size):
            saved = positive[i] - price[i]
            hope = saved - negative[i] > needed
            b, cost = bucket_of(negative[i], largest), price[i]
            for k in range(ranks):
                if hope or cheap[k] > free:
                    break
                cost += cheap[k]
                hope = min(saved + best[b, k], free - cost - negative[i]) > needed
            if hope and positive[i] > price[i]:
                name[kept], price[kept] = name[i], price[i]
                positive[kept], negative[kept] = positive[i], negative[i]
                kept += 1
        done = kept > 0.95 * size
        size = kept
        if done:
            break
    return size
