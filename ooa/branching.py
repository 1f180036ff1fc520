"""Exact search for the best few patterns among many: branch and bound on bitsets."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ._row_weights import RowWeights


class Branching:
    """Depth-first search over sets of candidates.

    Parameters
    ----------
    bits : coverage of the candidates, packed, shape (P, W)
    positive, negative : weight of each row in its class, whole numbers
    price : of each candidate, whole numbers
    slots : most patterns in the set
    """

    def __init__(self, bits, positive, negative, price, slots) -> None:
        right, wrong = RowWeights(positive, bits), RowWeights(negative, bits)
        self._right, self._right_factor = right.rows, right.word_factors.astype(np.int64)
        self._wrong, self._wrong_factor = wrong.rows, wrong.word_factors.astype(np.int64)
        self._price = price.astype(np.int64)
        self._positive = right.weigh(right.rows).astype(np.int64)
        self._negative = wrong.weigh(wrong.rows).astype(np.int64)
        self._all = int(positive.sum())
        self._slots = slots
        self.nodes = np.zeros(slots + 1, dtype=np.int64)
        self.choice = None
        self.best = 0

    def run(self, target: int, best: int, go_on: Callable[[float], bool]) -> bool:
        from . import _branch_kernel as kernel

        n, slots = len(self._price), self._slots
        name = np.empty((slots, n), dtype=np.int64)
        positive, negative, cost = np.empty_like(name), np.empty_like(name), np.empty_like(name)
        name[0], positive[0], negative[0], cost[0] = np.arange(n), self._positive, self._negative, self._price
        size, place = np.zeros(slots, dtype=np.int64), np.zeros(slots, dtype=np.int64)
        gain, free = np.zeros(slots, dtype=np.int64), np.zeros(slots, dtype=np.int64)
        size[0], free[0] = n, self._all
        good = np.zeros((slots, len(self._right_factor)), dtype=np.uint64)
        bad = np.zeros((slots, len(self._wrong_factor)), dtype=np.uint64)
        state = np.zeros(6, dtype=np.int64)
        state[[kernel.FRESH, kernel.BEST, kernel.TARGET]] = 1, best, max(target, best)
        found, chosen = np.zeros(slots, dtype=np.int64), np.zeros(slots, dtype=np.int64)
        y = 0.7 * np.repeat(self._right_factor.astype(float), 64)
        while state[kernel.LEVEL] >= 0:
            kernel.advance(state, found, self._right, self._right_factor, self._wrong, self._wrong_factor, self._price,
                name, positive, negative, cost, size, place, gain, free, good, bad, chosen, y, self.nodes, 1<<22)
            if state[kernel.FOUND]:
                self.best = int(state[kernel.BEST]); self.choice = tuple(found[: state[kernel.FOUND]].tolist())
            if not go_on(place[0] / max(1, size[0])):
                return False
        return True
