"""The inner loops of the exact search, compiled by numba.

All amounts are whole numbers, in units of the objective's grid. A *choice* of at most `slots` further
patterns gains (positives it covers) - (negatives it covers) - (its prices), counted on the rows that no
pattern chosen so far covers. Row sets are words of 64 bits; all rows of a word weigh the same.

Two facts bound the gain of a choice B. It covers at least the negatives of its worst member. And for
any 0 <= y <= w the positives that it covers weigh at most sum(w - y) + sum over z in B of y(z): a
covered row counts w - y once and y at least once. With y = w a row counts once per pattern that covers
it, with y = 0 it is given away; the best y lie between and are approached by subgradient steps.
"""

from __future__ import annotations

import numba
import numpy as np

_BUCKETS = 64  # classes of the worst member's negatives
_EXACT = 6  # so many further patterns are counted one by one, the rest as often as the last of these
_STEPS = 12  # subgradient steps per node
_FRONT = 16  # patterns whose mixture gives the direction of a step
_MANY = 48  # below this many patterns the steps cost more than they save

# Positions in the vector `state` that the search keeps between calls
LEVEL, FRESH, BEST, TARGET, WORK, FOUND = range(6)


@numba.njit(cache=True, inline="always")
def _count(x):
    x = x - ((x >> np.uint64(1)) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56))


@numba.njit(cache=True)
def left_over(rows, factor, cover):
    """Weight of the rows of a set that are not covered."""
    total = 0
    for w in range(len(factor)):
        total += factor[w] * _count(rows[w] & ~cover[w])
    return total


@numba.njit(cache=True)
def _bucket(amount, largest):
    return amount * (_BUCKETS - 1) // largest


@numba.njit(cache=True)
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
        total = top[b, 0] * 0
        for k in range(ranks):
            total += top[b, k] * (others - ranks + 1 if k == ranks - 1 else 1)
            best[b, k] = total - least
            if b < _BUCKETS - 1 and best[b + 1, k] > best[b, k]:
                best[b, k] = best[b + 1, k]


@numba.njit(cache=True)
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
        largest = max(1, negative[:size].max())
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


@numba.njit(cache=True)
def multiplied(name, positive, negative, price, size, slots, needed, right, factor, cover, y):
    """Keep the patterns that can be part of a choice that gains more than `needed`, by multipliers.

    `y` has one multiplier per bit of a row set; it is improved in place, for the next node to start from.
    """
    ranks = min(slots - 1, _EXACT)
    top = np.zeros((_BUCKETS, max(ranks, 1)))
    best = np.zeros((_BUCKETS, max(ranks, 1)))
    limit = np.full(size, np.inf)
    value = np.zeros(size)
    load = np.zeros(len(y))
    front = np.zeros(_FRONT, np.int64)
    merit = np.zeros(_FRONT)
    before = size
    for step in range(_STEPS):
        given = 0.0
        for w in range(len(factor)):
            for bit in range(64):
                if not (cover[w] >> np.uint64(bit)) & np.uint64(1):
                    given += factor[w] - y[64 * w + bit]
        largest = max(1, negative[:size].max())
        top[:] = 0
        for i in range(size):
            total = -float(price[i])
            rows = right[name[i]]
            for w in range(len(factor)):
                word = rows[w] & ~cover[w]
                while word:
                    lowest = word & (~word + np.uint64(1))
                    total += y[64 * w + _count(lowest - np.uint64(1))]
                    word ^= lowest
            value[i] = total
            b = _bucket(negative[i], largest)
            for k in range(ranks):
                if total > top[b, k]:
                    total, top[b, k] = top[b, k], total
        _suffix_best(top, ranks, slots - 1, largest, best)
        merit[:] = -np.inf
        kept = 0
        for i in range(size):
            rest = -float(negative[i])
            if ranks:
                rest = max(rest, best[_bucket(negative[i], largest), ranks - 1])
            limit[i] = min(limit[i], given + value[i] + rest)
            if limit[i] <= needed + 0.5:  # an improvement is at least 1; half of it covers rounding
                continue
            name[kept], price[kept], limit[kept] = name[i], price[i], limit[i]
            positive[kept], negative[kept] = positive[i], negative[i]
            worth, place = value[i] - negative[i] / slots, kept
            for k in range(_FRONT):
                if worth > merit[k]:
                    worth, merit[k] = merit[k], worth
                    place, front[k] = front[k], place
            kept += 1
        size = kept
        if size < 2 or (step % 4 == 3 and size > 0.9 * before):
            break
        if step % 4 == 3:
            before = size
        load[:] = 0
        some = min(_FRONT, size)
        for k in range(some):
            rows = right[name[front[k]]]
            for w in range(len(factor)):
                word = rows[w] & ~cover[w]
                while word:
                    lowest = word & (~word + np.uint64(1))
                    load[64 * w + _count(lowest - np.uint64(1))] += slots / some
                    word ^= lowest
        pace = 0.5 / (1 + 0.3 * step)
        for b in range(len(y)):
            weight = factor[b // 64]
            y[b] = min(max(y[b] - pace * weight * (load[b] - 1), 0.0), float(weight))
    return size


@numba.njit(cache=True)
def _redundant(chosen, depth, right, factor, price):
    """Whether a pattern chosen earlier no longer covers enough positives of its own to pay its price."""
    for a in range(depth):
        own = 0
        for w in range(len(factor)):
            others = np.uint64(0)
            for b in range(depth + 1):
                if b != a:
                    others |= right[chosen[b], w]
            own += factor[w] * _count(right[chosen[a], w] & ~others)
        if own <= price[chosen[a]]:
            return True
    return False


@numba.njit(cache=True)
def advance(
    state,
    found,
    right,
    right_factor,
    wrong,
    wrong_factor,
    price,
    name,
    positive,
    negative,
    cost,
    size,
    place,
    gain,
    free,
    good,
    bad,
    chosen,
    y,
    nodes,
    work,
):
    """Go on with the depth-first search until it ends (level -1) or has done so much work.

    Level d holds the patterns that may follow the d chosen so far, with what they add, sorted by
    positives less price; place[d] is the next to try. A pattern is followed only by later ones.
    """
    slots = len(place)
    level = state[LEVEL]
    while level >= 0 and work > 0:
        here, left = size[level], slots - level
        if state[FRESH] or (place[level] and place[level] % 512 == 0):
            i = place[level]
            needed = state[TARGET] - gain[level]
            here = i + hopeful(
                name[level, i:], positive[level, i:], negative[level, i:], cost[level, i:], here - i, left,
                needed, free[level],
            )  # fmt: skip
            if state[FRESH] and here >= _MANY and level > 0:
                here = multiplied(
                    name[level], positive[level], negative[level], cost[level], here, left, needed, right,
                    right_factor, good[level], y,
                )  # fmt: skip
                work -= here
            if state[FRESH]:
                order = np.argsort(cost[level, :here] - positive[level, :here], kind="mergesort")
                name[level, :here] = name[level, :here][order]
                positive[level, :here] = positive[level, :here][order]
                negative[level, :here] = negative[level, :here][order]
                cost[level, :here] = cost[level, :here][order]
            size[level] = here
            state[FRESH] = 0
            nodes[level] += 1
        i = place[level]
        if i >= here:
            level -= 1
            continue
        place[level] = i + 1
        z = name[level, i]
        value = gain[level] + positive[level, i] - cost[level, i] - negative[level, i]
        chosen[level] = z
        if value > state[BEST]:
            state[BEST] = value
            state[TARGET] = max(state[TARGET], value)
            state[FOUND] = level + 1
            found[: level + 1] = chosen[: level + 1]
        if left == 1:
            continue
        needed = state[TARGET] - value
        rest = free[level] - positive[level, i]
        if rest <= needed or _redundant(chosen, level, right, right_factor, price):
            continue
        for w in range(len(right_factor)):
            good[level + 1, w] = good[level, w] | right[z, w]
        for w in range(len(wrong_factor)):
            bad[level + 1, w] = bad[level, w] | wrong[z, w]
        kept = 0
        others = 0
        if left > 2 and i + 1 < here:
            others = (left - 2) * (positive[level, i + 1] - cost[level, i + 1])
        for j in range(i + 1, here):
            if positive[level, j] - cost[level, j] + others <= needed:
                break  # sorted: from here on, none saves enough even beside the best ones
            work -= 1
            other = name[level, j]
            saves = left_over(right[other], right_factor, good[level + 1])
            if saves <= cost[level, j] or (left == 2 and saves - cost[level, j] <= needed):
                continue
            harm = left_over(wrong[other], wrong_factor, bad[level + 1])
            most = saves if left == 2 else rest
            if most - cost[level, j] - harm <= needed:
                continue
            name[level + 1, kept], cost[level + 1, kept] = other, cost[level, j]
            positive[level + 1, kept], negative[level + 1, kept] = saves, harm
            kept += 1
        if kept:
            level += 1
            size[level], place[level] = kept, 0
            gain[level], free[level] = value, rest
            state[FRESH] = 1
    state[LEVEL] = level
    return work
