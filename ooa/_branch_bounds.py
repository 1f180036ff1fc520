"""How much more patterns can add, at most: the bounds of the exact search, compiled by numba.

All amounts are whole numbers, in units of the objective's grid. A *choice* of at most `slots` further
patterns gains (positives it covers) - (negatives it covers) - (its prices), counted on the rows that no
pattern chosen so far covers. Row sets are words of 64 bits; all rows of a word weigh the same.

Two facts bound the gain of a choice B. It covers at least the negatives of its worst member. And for
any 0 <= y <= w the positives that it covers weigh at most sum(w - y) + sum over z in B of y(z): a
covered row counts w - y once and y at least once. With y = w a row counts once per pattern that covers
it, with y = 0 it is given away; the best y lie between and are approached by subgradient steps.
"""

from __future__ import annotations

import numpy as np

from ._compiling import compiled_once
from ._popcount import popcount

_BUCKETS = 64  # classes of the worst member's negatives
_EXACT = 6  # so many further patterns are counted one by one, the rest as often as the last of these
_STEPS = 24  # subgradient steps per node at most
_ROUND = 8  # after so many steps the excess over what is needed must have shrunk to _STALLED of what it was
_STALLED = 0.8
_FRONT = 32  # patterns whose mixture gives the direction of a step
_MEMORY = 0.3  # share of the former direction in the next
_PACE = 0.2  # share of the step that would end at the goal, were the bound linear


@compiled_once
def left_over(rows, factor, cover):
    """Weight of the rows of a set that are not covered."""
    total = 0
    for w in range(len(factor)):
        total += factor[w] * popcount(rows[w] & ~cover[w])
    return total


@compiled_once
def _bucket(amount, largest):
    return amount * (_BUCKETS - 1) // largest


@compiled_once
def _largest(amounts, size):
    result = 1
    for i in range(size):
        result = max(result, amounts[i])
    return result


@compiled_once
def _suffix_best(top, ranks, others, largest, best):
    """From the largest values per bucket: best[b, k] = max over b' >= b of the sum of the k + 1 largest in
    buckets up to b', less the least negatives of bucket b'. The last k stands for all `others`."""
    for b in range(1, _BUCKETS):
        for k in range(ranks):
            value = top[b - 1, k]
            for j in range(ranks):
                if value > top[b, j]:
                    value, top[b, j] = top[b, j], value
    for b in range(_BUCKETS - 1, -1, -1):
        least = (b * largest + _BUCKETS - 2) // (_BUCKETS - 1)
        total = 0
        for k in range(ranks):
            total += top[b, k] * (others - ranks + 1 if k == ranks - 1 else 1)
            best[b, k] = total - least
            if b < _BUCKETS - 1 and best[b + 1, k] > best[b, k]:
                best[b, k] = best[b + 1, k]


@compiled_once
def hopeful(name, positive, negative, price, size, slots, needed, free):
    """Keep the patterns that can be part of a choice that gains more than `needed`, by counting alone.

    They are moved to the front; the return value is their number. `free` is the weight of all positives
    that are left.
    """
    ranks = min(slots - 1, _EXACT)
    top = np.zeros((_BUCKETS, max(ranks, 1)), np.int64)
    best = np.zeros((_BUCKETS, max(ranks, 1)), np.int64)
    cheap = np.zeros(max(ranks, 1), np.int64)
    while size > 0:
        largest = _largest(negative, size)
        top[:] = 0
        cheap[:] = 1 << 60
        for i in range(size):
            b = _bucket(negative[i], largest)
            value, cost = positive[i] - price[i], price[i]
            for k in range(ranks):
                if value > top[b, k]:
                    value, top[b, k] = top[b, k], value
                if cost < cheap[k]:
                    cost, cheap[k] = cheap[k], cost
        _suffix_best(top, ranks, slots - 1, largest, best)
        kept = 0
        for i in range(size):
            saved = positive[i] - price[i]
            hope = saved - negative[i] > needed
            b, cost = _bucket(negative[i], largest), price[i]
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


@compiled_once
def _evaluate(rows, price, bucket, size, y, table, value, top, inside):
    """value = y(z) - price of every pattern; the largest per bucket (and below, in `top`)."""
    for byte in range(len(table)):  # table[byte, x]: the sum of the y of the rows of that byte that x has
        for bit in range(8):
            for x in range(1 << bit):
                table[byte, x + (1 << bit)] = table[byte, x] + y[8 * byte + bit]
    slots = top.shape[1]
    top[:] = 0
    inside[:] = -np.inf
    for i in range(size):
        total = -float(price[i])
        for w in range(rows.shape[1]):
            word = rows[i, w]
            for k in range(8):
                total += table[8 * w + k, (word >> np.uint64(8 * k)) & np.uint64(255)]
        value[i] = total
        b = bucket[i]
        inside[b] = max(inside[b], total)
        if total > top[b, slots - 1]:
            for k in range(slots):
                if total > top[b, k]:
                    total, top[b, k] = top[b, k], total
    for b in range(1, _BUCKETS):
        for k in range(slots):
            total = top[b - 1, k]
            for j in range(slots):
                if total > top[b, j]:
                    total, top[b, j] = top[b, j], total


@compiled_once
def multiplied(name, positive, negative, price, size, slots, needed, right, factor, cover, y, table):
    """Keep the patterns that can be part of a choice that gains more than `needed`, by multipliers.

    `y` has one multiplier per bit of a row set; it is improved in place, for the next node to start from.
    Returns the number of patterns kept and what no choice gains more than (`needed` at least).
    """
    top, inside = np.zeros((_BUCKETS, slots)), np.zeros(_BUCKETS)
    alive = np.ones(_BUCKETS, np.bool_)  # whether the worst member of a choice can be in the bucket
    best, value = np.zeros(_BUCKETS), np.zeros(size)
    rows, bucket = np.zeros((size, len(factor)), np.uint64), np.zeros(size, np.int64)
    load, fresh = np.zeros(len(y)), np.zeros(len(y))
    front, merit = np.zeros(_FRONT, np.int64), np.zeros(_FRONT)
    largest = _largest(negative, size)
    for i in range(size):
        bucket[i] = _bucket(negative[i], largest)
        for w in range(len(factor)):
            rows[i, w] = right[name[i], w] & ~cover[w]
    bound = before = np.inf
    for step in range(_STEPS):
        given = 0.0
        for r in range(len(y)):
            if not (cover[r // 64] >> np.uint64(r % 64)) & np.uint64(1):
                given += factor[r // 64] - y[r]
        _evaluate(rows, price, bucket, size, y, table, value, top, inside)
        most, where, later = -np.inf, 0, -np.inf
        for b in range(_BUCKETS - 1, -1, -1):
            # The worst member is in this bucket. `same`: the others of a choice beside a member from it,
            # `two`: beside a member from a lower bucket, `full`: the whole choice.
            same = two = given - (b * largest + _BUCKETS - 2) // (_BUCKETS - 1)
            for k in range(slots - 1):
                same += top[b, k]
                two += top[b, k] if k < slots - 2 else min(inside[b], top[b, k])
            full = same + min(inside[b], top[b, slots - 1])
            # An improvement is at least 1; half of it covers rounding.
            alive[b] = alive[b] and full > needed + 0.5
            best[b] = max(later, same) if alive[b] else later
            if alive[b]:
                later = max(later, two)
                if full > most:
                    most, where = full, b
        bound = min(bound, most)
        merit[:] = 0
        kept = some = 0
        for i in range(size):
            if value[i] + best[bucket[i]] <= needed + 0.5:
                continue
            name[kept], price[kept], value[kept], bucket[kept] = name[i], price[i], value[i], bucket[i]
            positive[kept], negative[kept] = positive[i], negative[i]
            for w in range(len(factor)):
                rows[kept, w] = rows[i, w]
            if bucket[i] <= where and value[i] > merit[_FRONT - 1]:
                worth, place = value[i], kept
                some = min(some + 1, _FRONT)
                for k in range(some):
                    if worth > merit[k]:
                        worth, merit[k] = merit[k], worth
                        place, front[k] = front[k], place
            kept += 1
        size = kept
        if size == 0:
            return 0, needed
        if some == 0 or (step % _ROUND == _ROUND - 1 and most - needed > _STALLED * before):
            break
        if step % _ROUND == _ROUND - 1:
            before = most - needed
        fresh[:] = 0
        for k in range(some):
            for w in range(len(factor)):
                word = rows[front[k], w]
                while word:
                    lowest = word & (~word + np.uint64(1))
                    fresh[64 * w + popcount(lowest - np.uint64(1))] += slots / some
                    word ^= lowest
        norm = 1.0
        for r in range(len(y)):
            load[r] = _MEMORY * load[r] + (1 - _MEMORY) * fresh[r] if step else fresh[r]
            if (cover[r // 64] >> np.uint64(r % 64)) & np.uint64(1):
                load[r] = 1
            if y[r] > 0 if load[r] > 1 else y[r] < factor[r // 64]:
                norm += (load[r] - 1) ** 2
        pace = _PACE * (most - needed) / norm
        for r in range(len(y)):
            y[r] = min(max(y[r] - pace * (load[r] - 1), 0.0), float(factor[r // 64]))
    return size, max(needed, np.int64(np.floor(bound + 0.5)))
