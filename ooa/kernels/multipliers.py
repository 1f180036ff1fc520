"""Bounds of the exact search by multipliers on the positives, compiled by numba.

For any 0 <= y <= w the positives that a choice B covers weigh at most sum(w - y) + sum over z in B of
y(z): a covered row counts w - y once and y at least once. With y = w a row counts once per pattern that
covers it, with y = 0 it is given away; the best y lie between. They differ with the negatives of the
choice's worst member, which are what it is charged with: patterns with few negatives cover few positives.
So the choices are put into classes (buckets) by this amount, and y is fitted to the class whose
bound is the largest until there is none above what is needed, or no progress.

Negatives are charged to more than the worst member by pairs: see `ooa.kernels.pairs`.

To fit y takes few patterns, those that are worth most: subgradient steps look at these alone, and
patterns join them as they become worth more. Every y gives valid bounds, so nothing rests on how well it
was fitted; only the bounds themselves take all patterns.
"""

from __future__ import annotations

import numpy as np

from .bounds import BUCKETS, bucket_of, cumulate, largest_of, least_in
from .compiling import compiled_loosely, compiled_once
from .pairs import charges, open_pairs, tabulate

_TURNS = 40  # times that all patterns are looked at
_INNER = 4  # times that the near ones are, in between
_NEAR = 256
_FRONT = 16  # patterns that join the active ones at a time
_ACTIVE = 96
_STEPS = 40  # subgradient steps on the active patterns
_MEMORY = 0.7  # share of the former direction in the next
_IDLE = 8  # steps without progress before they get shorter
_SHORTER = 0.6
_STALLED = 0.95  # what may be left, at most, of the excess after a turn on the same class
_HUGE = 3e38  # loose arithmetic knows no infinity
_CLOSE = 0.05  # share of the excess by which near and active patterns may differ


@compiled_loosely
def _weigh(rows, price, chosen, y, bytes_, table, value, begin, end, which, pairs, loss):
    """value[i] = y(z) - price of the patterns chosen, less what they lose to pairs of rows they cover."""
    tabulate(y, bytes_, table)
    for k in range(len(loss)):
        loss[k] = pairs.share[k] * y[pairs.right[k]]
    for i in chosen:
        total = -float(price[i])
        for k in range(len(bytes_)):
            total += table[k, (rows[i, bytes_[k] // 8] >> np.uint64(8 * (bytes_[k] % 8))) & np.uint64(255)]
        for k in range(begin[i], end[i]):
            total -= loss[which[k]]
        value[i] = total


@compiled_once
def _insert(worth, place, merit, front, used):
    """Put a value among the largest, with its place; return how many there are."""
    if worth <= merit[-1]:
        return used
    used = min(used + 1, len(merit))
    for k in range(used):
        if worth > merit[k]:
            worth, merit[k] = merit[k], worth
            place, front[k] = front[k], place
    return used


@compiled_loosely
def _descend(matrix, price, weight, max_patterns, target, y):
    """Fit y to a few patterns: subgradient steps until their bound is at the target, or all are used up.

    Row a of the matrix has 1 where pattern a covers a positive. Returns the lowest bound seen; y is where
    it was.
    """
    best, least = y.copy(), np.float32(_HUGE)
    top, who = np.zeros(max_patterns, np.float32), np.zeros(max_patterns, np.int64)
    load, direction = np.zeros(len(y), np.float32), np.zeros(len(y), np.float32)
    pace, idle = np.float32(1.0), 0
    for step in range(_STEPS):
        total = np.float32(0)
        for r in range(len(y)):
            total += weight[r] - y[r]
        used = 0
        top[:] = 0
        for a in range(len(matrix)):
            worth = -price[a]
            for r in range(len(y)):
                worth += matrix[a, r] * y[r]
            used = _insert(worth, a, top, who, used)
        for k in range(used):
            total += top[k]
        idle += 1
        if total < least:
            if total < least - np.float32(0.01) * (least - target) or step == 0:
                idle = 0
            least = total
            best[:] = y
        if least <= target:
            break
        if idle > _IDLE:
            pace *= np.float32(_SHORTER)
            idle = 0
        load[:] = -1
        for k in range(used):
            for r in range(len(y)):
                load[r] += matrix[who[k], r]
        norm = np.float32(1e-9)
        keep = np.float32(_MEMORY if step else 0.0)
        for r in range(len(y)):
            direction[r] = keep * direction[r] + (np.float32(1) - keep) * load[r]
            moves = y[r] > 0 if direction[r] > 0 else y[r] < weight[r]
            norm += direction[r] * direction[r] if moves else np.float32(0)
        length = pace * (total - target) / norm
        for r in range(len(y)):
            y[r] = min(max(y[r] - length * direction[r], np.float32(0)), weight[r])
    y[:] = best
    return least


@compiled_once
def _near(value, bucket, size, where, near):
    """The patterns up to a class that are worth most, or most of these; return how many."""
    low, high, many = np.inf, -np.inf, 0
    for i in range(size):
        if bucket[i] <= where:
            low, high = min(low, value[i]), max(high, value[i])
            many += 1
    cut = low
    if many > _NEAR:
        histogram, step = np.zeros(65, np.int64), (high - low) / 64 + 1e-9
        for i in range(size):
            if bucket[i] <= where:
                histogram[int((high - value[i]) / step)] += 1
        count = bins = 0
        while count + histogram[bins] <= _NEAR:
            count += histogram[bins]
            bins += 1
        cut = high - bins * step
    count = 0
    for i in range(size):
        if bucket[i] <= where and value[i] >= cut and count < _NEAR:
            near[count] = i
            count += 1
    return count


@compiled_once
def _fit(
    near, value, active, rows, price, weight, open_rows, max_patterns, target, y, bytes_, table, matrix, fees,
    begin, end, which, pairs, loss,
):  # fmt: skip
    """Fit y to the near patterns."""
    place = np.zeros(len(y), np.int64)
    place[open_rows] = np.arange(len(open_rows))
    merit, front = np.zeros(_FRONT), np.zeros(_FRONT, np.int64)
    short, most = np.empty(len(open_rows), np.float32), np.empty(len(open_rows), np.float32)
    for r in range(len(open_rows)):
        short[r], most[r] = y[open_rows[r]], weight[open_rows[r]]
    for _ in range(_INNER):
        merit[:] = 0
        used = 0
        for i in near:
            used = _insert(value[i], i, merit, front, used)
        for k in range(used):
            active[front[k]] = True
        few = 0
        for i in near:
            if active[i] and few < _ACTIVE:
                fees[few] = price[i]
                for r in range(len(open_rows)):
                    where = open_rows[r]
                    matrix[few, r] = (rows[i, where // 64] >> np.uint64(where % 64)) & np.uint64(1)
                for k in range(begin[i], end[i]):
                    matrix[few, place[pairs.right[which[k]]]] -= np.float32(pairs.share[which[k]])
                few += 1
        least = _descend(matrix[:few], fees, most, max_patterns, np.float32(target), short)
        total = 0.0
        for r in range(len(open_rows)):
            y[open_rows[r]] = min(float(short[r]), weight[open_rows[r]])
            total += most[r] - short[r]
        _weigh(rows, price, near, y, bytes_, table, value, begin, end, which, pairs, loss)
        merit[:] = 0
        used = 0
        for i in near:
            used = _insert(value[i], i, merit, front, used)
        for k in range(min(max_patterns, _FRONT)):
            total += merit[k]
        if total <= target or total - least < _CLOSE * (total - target):
            break


@compiled_once
def _weigh_open_rows(cover, factor, weight):
    """The weight of the positives that no pattern covers yet; the others keep their 0."""
    for r in range(len(weight)):
        if not (cover[r // 64] >> np.uint64(r % 64)) & np.uint64(1):
            weight[r] = factor[r // 64]


@compiled_once
def _most_valuable(value, bucket, size, max_patterns, top, inside):
    """The largest values among the patterns up to each bucket, in order, and the largest inside of it."""
    top[:] = 0
    inside[:] = -np.inf
    for i in range(size):
        total, b = value[i], bucket[i]
        inside[b] = max(inside[b], total)
        if total > top[b, max_patterns - 1]:
            for k in range(max_patterns):
                if total > top[b, k]:
                    total, top[b, k] = top[b, k], total
    cumulate(top)


@compiled_once
def _best_by_bucket(given, top, inside, largest, needed, least, best):
    """What a choice gains at most by the bucket of its worst member (`least`, which only falls).

    `best` becomes what the others of a choice add at most beside a pattern from each bucket. Returns the
    most of `least`, and the bucket it is in; -1 if no choice gains more than needed.
    """
    max_patterns = top.shape[1]
    later, most, where = -np.inf, -np.inf, -1
    for b in range(BUCKETS - 1, -1, -1):
        # The worst member is in this bucket. `same`: the others of a choice beside a member from it,
        # `two`: beside a member from a lower bucket.
        same = two = given - least_in(b, largest)
        for k in range(max_patterns - 1):
            same += top[b, k]
            two += top[b, k] if k < max_patterns - 2 else min(inside[b], top[b, k])
        least[b] = min(least[b], same + min(inside[b], top[b, max_patterns - 1]))
        # An improvement is at least 1; half of it covers rounding.
        if least[b] > needed + 0.5:
            best[b] = max(later, same)
            later = max(later, two)
            if least[b] > most:
                most, where = least[b], b
        else:
            best[b] = later
    return most, where


@compiled_once
def keep_by_multipliers(
    name, positive, negative, price, size, max_patterns, needed, right, factor, cover, wrong, bad, pairs, y,
    table,
):  # fmt: skip
    """Keep the patterns that can be part of a choice that gains more than `needed`, by multipliers.

    `y` has one multiplier per bit of a row set; it is improved in place, for the next node to start from.
    Returns the number of patterns kept and what no choice gains more than (`needed` at least).
    """
    top, inside = np.zeros((BUCKETS, max_patterns)), np.zeros(BUCKETS)
    # What a choice whose worst member is in the bucket gains at most, should it gain more than needed.
    least = np.full(BUCKETS, np.inf)
    best, value, weight = np.zeros(BUCKETS), np.zeros(size), np.zeros(len(y))
    rows, bucket = np.zeros((size, len(factor)), np.uint64), np.zeros(size, np.int64)
    active, near = np.zeros(size, np.bool_), np.zeros(_NEAR, np.int64)
    charge = charges(name, negative, size, wrong, bad, pairs)
    largest = largest_of(charge, size)
    _weigh_open_rows(cover, factor, weight)
    open_rows = np.flatnonzero(weight)
    bytes_ = np.unique(open_rows // 8)
    matrix, fees = np.zeros((_ACTIVE, len(open_rows)), np.float32), np.zeros(_ACTIVE, np.float32)
    for i in range(size):
        bucket[i] = bucket_of(charge[i], largest)
        for w in range(len(factor)):
            rows[i, w] = right[name[i], w] & ~cover[w]
    begin, end = np.zeros(size, np.int64), np.zeros(size, np.int64)
    which, loss = open_pairs(name, size, cover, bad, pairs, begin, end), np.zeros(len(pairs.right))
    before, formerly = np.inf, -1
    for turn in range(_TURNS):
        given = 0.0
        for r in range(len(y)):
            given += weight[r] - y[r] if weight[r] > 0 else 0.0
        _weigh(rows, price, range(size), y, bytes_, table, value, begin, end, which, pairs, loss)
        _most_valuable(value, bucket, size, max_patterns, top, inside)
        most, where = _best_by_bucket(given, top, inside, largest, needed, least, best)
        kept = 0
        for i in range(size):
            if value[i] + best[bucket[i]] > needed + 0.5:
                if kept == i:
                    kept += 1
                    continue
                name[kept], price[kept], value[kept], bucket[kept] = name[i], price[i], value[i], bucket[i]
                positive[kept], negative[kept], active[kept] = positive[i], negative[i], active[i]
                rows[kept], begin[kept], end[kept] = rows[i], begin[i], end[i]
                kept += 1
        size = kept
        if where < 0 or size == 0:
            return 0, needed
        if turn == _TURNS - 1 or (where == formerly and most - needed > _STALLED * before):
            break
        before, formerly = most - needed, where
        close = near[: _near(value, bucket, size, where, near)]
        target = needed + least_in(where, largest)
        _fit(
            close, value, active, rows, price, weight, open_rows, max_patterns, target, y, bytes_, table,
            matrix, fees, begin, end, which, pairs, loss,
        )  # fmt: skip
    return size, max(needed, np.int64(np.floor(most + 0.5)))
