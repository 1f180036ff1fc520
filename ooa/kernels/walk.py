"""The exact search's walk through the sets of patterns, compiled by numba.

`ooa.kernels.bounds` has the bounds. Beside them one more fact spares most of the work, for candidates
are alike. In any set, putting z' in the place of z adds at most the positives of z' that z lacks, the
negatives of z that z' lacks, and the difference of the prices. If no set with z comes nearer to the
target than by so much, z' need not be tried at all.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .bounds import keep_by_counting, left_over
from .compiling import compiled_once
from .multipliers import keep_by_multipliers
from .popcount import popcount

_MARGINS = 2  # levels whose subtrees are searched with a margin, so that similar patterns can be dropped
_MARGIN = 400  # the margin is the weight of all positives by this
_AGAIN = 64  # candidates tried before the others are looked at again
_NONE = 1 << 60
_DEAR = 20_000  # work that multipliers take in any case

#: Below this many patterns multipliers cost more than they save.
MANY = 8
# Positions in the vector `state` that the search keeps between calls
LEVEL, FRESH, BEST, TARGET, FOUND = range(5)


@compiled_once
def _redundant(chosen, depth, right, factor, price, slack):
    """Whether a pattern chosen earlier has fewer positives of its own than its price, less `slack`."""
    for a in range(depth):
        own = 0
        for w in range(len(factor)):
            others = np.uint64(0)
            for b in range(depth + 1):
                if b != a:
                    others |= right[chosen[b], w]
            own += factor[w] * popcount(right[chosen[a], w] & ~others)
        if own + slack < price[chosen[a]]:
            return True
    return False


@compiled_once
def _sort(name, positive, negative, price, size):
    """Order by positives less price, largest first (shell sort: numpy's takes seconds to compile)."""
    gap = 1
    while gap < size:
        gap = 3 * gap + 1
    while gap > 1:
        gap //= 3
        for i in range(gap, size):
            z, p, q, c = name[i], positive[i], negative[i], price[i]
            j = i
            while j >= gap and positive[j - gap] - price[j - gap] < p - c:
                name[j], price[j] = name[j - gap], price[j - gap]
                positive[j], negative[j] = positive[j - gap], negative[j - gap]
                j -= gap
            name[j], positive[j], negative[j], price[j] = z, p, q, c


class PricedPatterns(NamedTuple):
    """The patterns: their rows by class in words of one weight each, and their prices."""

    right: Any
    right_factor: Any
    wrong: Any
    wrong_factor: Any
    price: Any


class Levels(NamedTuple):
    """Where the search is; the first index of each array is the level."""

    name: Any  #: patterns that may follow, with what they add on the rows left, and their price
    positive: Any
    negative: Any
    cost: Any
    size: Any  #: how many these are
    place: Any  #: the next of them to try
    gain: Any  #: of the patterns chosen so far
    free: Any  #: weight of the positives that are left
    good: Any  #: positives and negatives covered
    bad: Any
    chosen: Any
    multipliers: Any
    goal: Any  #: margin by which multipliers try to exclude what follows a pattern
    nodes: Any  #: how many sets of so many patterns were looked into


@compiled_once
def _follow(problem, levels, ahead, level, i, left, needed, rest):
    """Fill the next level with what may follow the i-th pattern of this one; return how many these are.

    `ahead` becomes what each later pattern adds at most in the place of the i-th.
    """
    right, right_factor, wrong, wrong_factor, _ = problem
    name, positive, negative, cost = levels.name, levels.positive, levels.negative, levels.cost
    z, good, bad = name[level, i], levels.good, levels.bad
    for w in range(len(right_factor)):
        good[level + 1, w] = good[level, w] | right[z, w]
    for w in range(len(wrong_factor)):
        bad[level + 1, w] = bad[level, w] | wrong[z, w]
    kept = 0
    for j in range(i + 1, levels.size[level]):
        other, fee = name[level, j], cost[level, j]
        saves = left_over(right[other], right_factor, good[level + 1])
        harm = left_over(wrong[other], wrong_factor, bad[level + 1])
        lost = negative[level, i] - (negative[level, j] - harm)
        ahead[level, j] = saves + lost + cost[level, i] - fee
        if saves > fee and (saves if left == 2 else rest) - fee - harm > needed:
            name[level + 1, kept], cost[level + 1, kept] = other, fee
            positive[level + 1, kept], negative[level + 1, kept] = saves, harm
            kept += 1
    return kept


@compiled_once
def _drop_replaceable(levels, ahead, level, short):
    """Drop the patterns yet to be tried that add no more in the place of the last than it fell short by."""
    name, positive, negative, cost = levels.name, levels.positive, levels.negative, levels.cost
    kept = levels.place[level]
    for j in range(kept, levels.size[level]):
        if ahead[level, j] > short:
            name[level, kept], cost[level, kept] = name[level, j], cost[level, j]
            positive[level, kept], negative[level, kept] = positive[level, j], negative[level, j]
            kept += 1
    levels.size[level] = kept


@compiled_once
def _note(levels, state, found, seen, level, value):
    """Note the value of the patterns chosen up to a level, and the patterns if they are the best so far."""
    chosen = levels.chosen
    if value > state[BEST]:
        state[BEST] = value
        state[TARGET] = max(state[TARGET], value)
        state[FOUND] = level + 1
        found[: level + 1] = chosen[: level + 1]
    for d in range(1, level + 1):
        seen[d] = max(seen[d], value)


@compiled_once
def _adjust(goal, level, bound, aim, reach):
    """A larger margin for multipliers where they reach it, a smaller one where they fall far short of it."""
    if bound <= aim - reach:
        goal[level] = goal[level] * 5 // 4 + 1
    elif bound > aim - reach // 2:
        goal[level] = goal[level] * 4 // 5


@compiled_once
def _bounded(problem, levels, pairs, table, level, begin, count, left, needed):
    """Keep what multipliers let pass of the patterns of a level from one on: how many, and their bound."""
    right, right_factor, wrong, _, _ = problem
    return keep_by_multipliers(
        levels.name[level, begin:], levels.positive[level, begin:], levels.negative[level, begin:],
        levels.cost[level, begin:], count, left, needed, right, right_factor, levels.good[level],
        wrong, levels.bad[level], pairs, levels.multipliers[level], table,
    )  # fmt: skip


@compiled_once
def _narrow(problem, levels, pairs, table, level, count, needed, rest, many):
    """Keep what can gain more than needed of the first patterns of a level: how many, a bound, the work."""
    left, work = len(levels.place) - level, 0
    count = keep_by_counting(
        levels.name[level], levels.positive[level], levels.negative[level], levels.cost[level], count, left,
        needed, rest,
    )  # fmt: skip
    bound = needed if count == 0 else _NONE
    if count >= many:
        work = _DEAR + 10 * count
        count, bound = _bounded(problem, levels, pairs, table, level, 0, count, left, needed)
    return count, bound, work


@compiled_once
def _look_again(problem, levels, pairs, table, state, level, needed, many):
    """Keep what can be of use of the patterns of a level yet to be tried; return the work that took."""
    name, positive, negative, cost = levels.name, levels.positive, levels.negative, levels.cost
    i, left, work = levels.place[level], len(levels.place) - level, 0
    rest_of_list = name[level, i:], positive[level, i:], negative[level, i:], cost[level, i:]
    count = keep_by_counting(*rest_of_list, levels.size[level] - i, left, needed, levels.free[level])
    if count >= many and level == 0:
        work = _DEAR + 10 * count
        count, _ = _bounded(problem, levels, pairs, table, level, i, count, left, needed)
    if state[FRESH]:
        _sort(name[level], positive[level], negative[level], cost[level], count)
    levels.size[level] = i + count
    state[FRESH] = 0
    levels.nodes[level] += 1
    return work


@compiled_once
def advance(state, found, problem, levels, pairs, many, work):
    """Go on with the depth-first search until it ends (level -1) or has done so much work.

    Level d holds the patterns that may follow the d chosen so far, with what they add, sorted by
    positives less price; place[d] is the next to try. A pattern is followed only by later ones.

    The subtree below a pattern is searched for sets above target - slack, so that afterwards also the
    patterns are known to be in vain that add at most the slack when they replace it (`ahead`). Where the
    multipliers alone end a subtree, their bound gives a larger slack: they go for `goal`. Lists shorter
    than `many` do without multipliers.
    """
    right, right_factor, _, _, price = problem
    name, positive, negative, cost, size, place, gain, free, _, _, chosen, _, goal, _ = levels
    max_patterns, level = len(place), state[LEVEL]
    tools = problem, levels, pairs, np.zeros((8 * len(right_factor), 256))
    ahead = np.empty(name.shape, np.int64)
    # Whether the subtree of the last pattern tried has been searched, and the best value in it, which is
    # unknown if it was begun in an earlier call.
    searched, seen = np.zeros(max_patterns, np.bool_), np.full(max_patterns + 1, _NONE)
    slack = np.empty(max_patterns + 1, np.int64)
    for d in range(max_patterns + 1):
        slack[d] = min(d, _MARGINS) * (free[0] // _MARGIN)
    while level >= 0 and work > 0:
        left, i, here = max_patterns - level, place[level], size[level]
        if i >= here and not searched[level]:
            level -= 1
            continue
        if searched[level]:
            searched[level] = False
            bound = max(seen[level + 1], state[TARGET] - slack[level + 1])
        else:
            if state[FRESH] or i % _AGAIN == 0:
                needed = state[TARGET] - slack[level] - gain[level]
                work -= _look_again(*tools, state, level, needed, many)
                here = size[level]
                if here == i:
                    continue
            place[level] = i + 1
            value = gain[level] + positive[level, i] - cost[level, i] - negative[level, i]
            chosen[level] = name[level, i]
            _note(levels, state, found, seen, level, value)
            if left == 1:
                continue
            aim = state[TARGET] - slack[level]
            reach = max(goal[level], slack[level + 1] - slack[level])
            needed = aim - reach - value
            rest = free[level] - positive[level, i]
            kept = _follow(problem, levels, ahead, level, i, left, needed, rest)
            kept, bound, spent = _narrow(*tools, level + 1, kept, needed, rest, many)
            work -= here - i + spent
            bound = value + max(bound, 0)
            _adjust(goal, level, bound, aim, reach)
            if bound > aim:
                if not _redundant(chosen, level, right, right_factor, price, slack[level]):
                    needed = state[TARGET] - slack[level + 1] - value
                    kept, _, spent = _narrow(*tools, level + 1, kept, needed, rest, many)
                    work -= spent
                    searched[level] = True
                    seen[level + 1] = value
                    if kept:
                        level += 1
                        size[level], place[level], gain[level], free[level] = kept, 0, value, rest
                        state[FRESH] = 1
                    continue
                bound = aim  # what has the redundant pattern is worth less than without it
        aim = state[TARGET] - slack[level]
        if bound <= aim:
            _drop_replaceable(levels, ahead, level, aim - bound)
    state[LEVEL] = level
    return work
