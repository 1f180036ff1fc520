"""Pairs of a positive and a negative in the bounds by multipliers, compiled by numba.

A pair sets a share f_pr of a positive p off against a negative r: a pattern that covers both gets f_pr less
of the multiplier of p. For shares with sum_r f_pr <= 1 and sum_p f_pr w_p <= b_r <= w_r the bound of
`ooa.kernels.multipliers` holds, with w_r - b_r in the place of w_r in the charge of the worst member: what
several patterns lose by pairs is, once, b_r, and beyond that what p was counted too often.
`ooa.search.pair_bound` finds the pairs.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .compiling import compiled_loosely, compiled_once


class Pairs(NamedTuple):
    """The pairs, and which of them each pattern covers both rows of."""

    right: Any  #: the positive of each pair, and its negative
    wrong: Any
    share: Any  #: how much of the positive is lost to a pattern that covers both
    spent: Any  #: weight of each negative that is used up by its pairs
    first: Any  #: the pairs of pattern z: which[first[z] : first[z + 1]]
    which: Any


@compiled_once
def has(words, place):
    """Whether a row set has a row."""
    return (words[place // 64] >> np.uint64(place % 64)) & np.uint64(1)


@compiled_once
def pairs_of(right, wrong, right_of, wrong_of):
    """The pairs both rows of which a pattern covers: the last two fields of `Pairs`."""
    first = np.zeros(len(right) + 1, np.int64)
    which = np.empty(len(right_of) + 1, np.int32)
    many = 0
    for z in range(len(right)):
        if len(which) < many + len(right_of):
            which = np.concatenate((which, np.empty(len(which), np.int32)))
        for k in range(len(right_of)):
            if has(right[z], right_of[k]) and has(wrong[z], wrong_of[k]):
                which[many] = k
                many += 1
        first[z + 1] = many
    return first, which[:many].copy()


@compiled_once
def open_pairs(name, size, cover, bad, pairs, begin, end):
    """The pairs both rows of which a pattern covers and no pattern chosen so far does."""
    first, which = pairs.first, pairs.which
    is_open, many = np.zeros(len(pairs.right), np.int64), 0
    for k in range(len(is_open)):
        is_open[k] = not (has(cover, pairs.right[k]) or has(bad, pairs.wrong[k]))
    for i in range(size):
        many += first[name[i] + 1] - first[name[i]]
    kept, many = np.empty(many + 1, np.int32), 0
    for i in range(size):
        begin[i] = many
        for k in range(first[name[i]], first[name[i] + 1]):
            kept[many] = which[k]
            many += is_open[which[k]]
        end[i] = many
    return kept


@compiled_loosely
def tabulate(amounts, bytes_, table):
    """table[k, x]: the sum of the amounts of the rows of the k-th byte that x has."""
    for k in range(len(bytes_)):
        for bit in range(8):
            for x in range(1 << bit):
                table[k, x + (1 << bit)] = table[k, x] + amounts[8 * bytes_[k] + bit]


@compiled_once
def charges(name, negative, size, wrong, bad, pairs):
    """The negatives of each pattern, less what its pairs use up of them."""
    charge, spent = negative[:size].copy(), pairs.spent
    if len(pairs.right):
        left, table = spent.astype(np.float64), np.zeros((len(spent) // 8, 256))
        for r in range(len(spent)):
            if has(bad, r):
                left[r] = 0.0
        tabulate(left, np.arange(len(table)), table)
        for i in range(size):
            total = 0.0
            for byte in range(len(table)):
                word = wrong[name[i], byte // 8]
                total += table[byte, (word >> np.uint64(8 * (byte % 8))) & np.uint64(255)]
            charge[i] -= np.int64(total)
    return charge
