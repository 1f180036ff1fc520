"""The best single pattern over literals, up to a length: depth-first search, compiled by numba.

All amounts are whole numbers, in units of the objective's grid. A pattern gains (positives it covers) -
(negatives it covers) - (its price by length). Row sets are words of 64 bits; all rows of a word weigh the
same. A pattern has at most one literal per attribute.

Literals come in an order: those of an attribute together, and among them in *chains*, each holding on
no row that the one before it in its chain does not. With P and N the positives and negatives that a pattern
z covers, and E(l) the negatives of z that literal l excludes, four facts spare nearly all of the work:

- what z and more literals cover, z covers, so they gain at most P less the price of one more literal;
- literals exclude no more from fewer rows, so z with l and l' covers at least N - E(l) - E(l') negatives, and
  no more positives than either of z with l and z with l';
- a literal that excludes no more of z's negatives than it costs excludes no more of any longer pattern's,
  which is no worse without it (prices must not grow by less from one length to the next);
- of two literals of a chain that leave the same negatives of z, the wider one can stand in for the other; of
  two that leave the same positives, the narrower one, unless a least support is asked for.

An optimal pattern of the fewest literals keeps all of these properties, and stays one when such a stand-in
takes a literal's place. As lists are only ever shortened on the way down, it, or one as good, is reached.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .compiling import compiled_once
from .popcount import popcount

# Positions in the vector `state` that the search keeps between calls
LEVEL, BEST, FOUND = range(3)


class PricedLiterals(NamedTuple):
    """The literals in their order: rows by class in words of one weight each, attributes and chains."""

    right: Any
    right_factor: Any
    wrong: Any
    wrong_factor: Any
    attribute: Any
    chain: Any
    price: Any  #: of a pattern by its length; the last one is the longest allowed
    support: Any  #: all positives that count for the least support; no words if none is asked for
    support_factor: Any
    least: Any  #: of that support


class Levels(NamedTuple):
    """Where the search is; the first index of each array is the number of literals chosen."""

    name: Any  #: literals that may follow, with what the pattern covers with each of them
    positive: Any
    negative: Any
    size: Any  #: how many these are
    place: Any  #: the next of them to try
    harm: Any  #: negatives that the pattern covers
    good: Any  #: positives and negatives covered, as rows
    bad: Any
    chosen: Any


class Notes(NamedTuple):
    """What was found: the best pattern, and good ones on different attributes."""

    best: Any  #: the literals of the best pattern
    value: Any  #: of one pattern for each slot, 0 as long as there is none
    items: Any  #: its literals, filled up with -1


@compiled_once
def _weight(rows, factor, cover):
    """Weight of the rows of a set that are covered."""
    total = 0
    for w in range(len(factor)):
        total += factor[w] * popcount(rows[w] & cover[w])
    return total


@compiled_once
def _supported(problem, chosen, length):
    """Whether a pattern has the least support."""
    if len(problem.support_factor) == 0:
        return True
    total = 0
    for w in range(len(problem.support_factor)):
        rows = ~np.uint64(0)
        for d in range(length):
            rows &= problem.support[chosen[d], w]
        total += problem.support_factor[w] * popcount(rows)
    return total >= problem.least


@compiled_once
def _note(problem, notes, state, chosen, length, value):
    """Note a pattern if it is the best so far, or the best in its slot, which its attributes decide."""
    attributes = 0
    for d in range(length):
        attributes += (problem.attribute[chosen[d]] + 1) * 2654435761 % 4294967291
    slot = attributes % len(notes.value)
    if value <= state[BEST] and value <= notes.value[slot]:
        return
    if not _supported(problem, chosen, length):
        return
    if value > state[BEST]:
        state[BEST] = value
        state[FOUND] = length
        notes.best[:length] = chosen[:length]
    if value > notes.value[slot]:
        notes.value[slot] = value
        notes.items[slot, :] = -1
        notes.items[slot, :length] = chosen[:length]


@compiled_once
def _most_excluded(problem, levels, level, first, top):
    """top[m]: the most negatives that m of the later literals of a level exclude, on different attributes."""
    name, negative, attribute = levels.name[level], levels.negative[level], problem.attribute
    top[:] = 0
    most = 0
    for j in range(first, levels.size[level]):
        most = max(most, levels.harm[level] - negative[j])
        if j + 1 == levels.size[level] or attribute[name[j + 1]] != attribute[name[j]]:
            for m in range(1, len(top)):
                if most > top[m]:
                    most, top[m] = top[m], most
            most = 0
    for m in range(1, len(top)):
        top[m] += top[m - 1]


@compiled_once
def _keep(levels, level, kept, literal, positive, negative, chained, narrower):
    """Put a literal into a level's list unless its chain's last there can stand in; return the length."""
    if chained and levels.negative[level, kept - 1] == negative:
        return kept
    if chained and narrower and levels.positive[level, kept - 1] == positive:
        kept -= 1
    levels.name[level, kept] = literal
    levels.positive[level, kept], levels.negative[level, kept] = positive, negative
    return kept + 1


@compiled_once
def _hopeful(problem, levels, level, i, best, top, found):
    """Put the later literals of a level that may lead above the best into `found`; return how many these are.

    By counting alone, so that most of them cost no look at any row: with literal j and m more, there are no
    more positives than with i or with j, and as many negatives as those m cannot exclude.
    """
    name, positive, negative = levels.name[level], levels.positive[level], levels.negative[level]
    length, first, count = level + 2, i + 1, 0
    more, size = len(problem.price) - length, levels.size[level]
    while first < size and problem.attribute[name[first]] == problem.attribute[name[i]]:
        first += 1
    _most_excluded(problem, levels, level, first, top[:more])
    most, lost = positive[i], negative[i] - levels.harm[level]
    if more == 1:
        needed = best + problem.price[length]
        for j in range(first, size):
            found[count] = j
            count += min(most, positive[j]) - max(0, lost + negative[j]) > needed
        return count
    for j in range(first, size):
        saves, harm, hope = min(most, positive[j]), lost + negative[j], False
        for m in range(more):
            hope |= saves - max(0, harm - top[m]) - problem.price[length + m] > best
        found[count] = j
        count += hope
    return count


@compiled_once
def _extend(problem, levels, notes, state, level, i, top, hopeful):
    """Note every pattern that has one literal more, and fill the next level with those worth going on with.

    Returns how many these are, and the words looked at.
    """
    chain, price, length = problem.chain, problem.price, level + 2
    good, bad = levels.good[level + 1], levels.bad[level + 1]
    fee, narrower = price[length] - price[length - 1], len(problem.support_factor) == 0
    kept, dead, work = 0, -1, 0
    for h in range(_hopeful(problem, levels, level, i, state[BEST], top, hopeful)):
        other = levels.name[level, hopeful[h]]
        if chain[other] == dead:
            continue
        work += len(good)
        saves = _weight(problem.right[other], problem.right_factor, good)
        if saves - price[length] <= state[BEST]:
            dead = chain[other]
            continue
        work += len(bad)
        harm = _weight(problem.wrong[other], problem.wrong_factor, bad)
        if levels.negative[level, i] - harm <= fee:
            continue
        value = saves - harm - price[length]
        if value > 0:
            levels.chosen[level + 1] = other
            _note(problem, notes, state, levels.chosen, length, value)
        if length + 1 < len(price) and saves - price[length + 1] > state[BEST]:
            chained = kept > 0 and chain[levels.name[level + 1, kept - 1]] == chain[other]
            kept = _keep(levels, level + 1, kept, other, saves, harm, chained, narrower)
    return kept, work


@compiled_once
def begin(problem, levels, notes, state):
    """Note every single literal, and fill the first level with those worth going on with.

    levels.harm[0] must be the weight of all negatives.
    """
    levels.good[0, :] = ~np.uint64(0)
    levels.bad[0, :] = ~np.uint64(0)
    price, kept, narrower = problem.price, 0, len(problem.support_factor) == 0
    for z in range(len(problem.attribute)):
        saves = _weight(problem.right[z], problem.right_factor, levels.good[0])
        harm = _weight(problem.wrong[z], problem.wrong_factor, levels.bad[0])
        value = saves - harm - price[1]
        levels.chosen[0] = z
        if value > 0:
            _note(problem, notes, state, levels.chosen, 1, value)
        if len(price) > 2 and saves - price[2] > state[BEST] and levels.harm[0] - harm > price[2] - price[1]:
            chained = kept > 0 and problem.chain[levels.name[0, kept - 1]] == problem.chain[z]
            kept = _keep(levels, 0, kept, z, saves, harm, chained, narrower)
    levels.size[0], levels.place[0] = kept, 0
    state[LEVEL] = 0


@compiled_once
def advance(state, problem, levels, notes, work):
    """Go on with the depth-first search until it ends (level -1) or has looked at so many words.

    state[BEST] is what has to be exceeded: the gain of the best pattern found, or what was known before.
    """
    level, price = state[LEVEL], problem.price
    top, hopeful = np.zeros(len(price) + 1, np.int64), np.empty(levels.name.shape[1], np.int64)
    while level >= 0 and work > 0:
        i = levels.place[level]
        if i >= levels.size[level]:
            level -= 1
            continue
        levels.place[level] = i + 1
        literal = levels.name[level, i]
        levels.chosen[level] = literal
        if levels.positive[level, i] - price[level + 2] <= state[BEST]:
            continue
        if not _supported(problem, levels.chosen, level + 1):
            continue
        for w in range(len(problem.right_factor)):
            levels.good[level + 1, w] = levels.good[level, w] & problem.right[literal, w]
        for w in range(len(problem.wrong_factor)):
            levels.bad[level + 1, w] = levels.bad[level, w] & problem.wrong[literal, w]
        kept, spent = _extend(problem, levels, notes, state, level, i, top, hopeful)
        work -= spent + levels.size[level] - i
        if kept:
            levels.harm[level + 1] = levels.negative[level, i]
            level += 1
            levels.size[level], levels.place[level] = kept, 0
    state[LEVEL] = level
    return work
