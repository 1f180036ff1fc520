"""Small problems with limits: candidates, values and sums, and the best set by going through all of them."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from ooa.data.bitsets import pack
from ooa.formulations.counted import Counted
from ooa.search.limited import Penalised


class Tiny:
    """Random candidates that are much alike, values of rows, and sums with limits that a set just meets."""

    def __init__(self, seed: int, least: int = 0, lifted: bool = False) -> None:
        rng = np.random.default_rng(seed)
        n, K, M = int(rng.integers(2, 14)), int(rng.integers(1, 11)), int(rng.integers(1, 4))
        self.most = int(rng.integers(1, 5))
        self.covers = rng.random((K, n)) < rng.choice([0.2, 0.5, 0.8])
        if rng.random() < 0.5:  # near copies
            base = self.covers[0]
            self.covers = base ^ (rng.random((K, n)) < 0.2)
        self.value = rng.integers(-3, 4, n)
        self.price = rng.integers(0, 4, K)
        kind = rng.choice(["down", "up", "mixed"], M)
        low = np.where(kind == "down", 0, -2)[:, None]
        high = np.where(kind == "up", 1, 3)[:, None]
        on_rows = rng.integers(low, high, (M, n)) * (rng.random((M, n)) < 0.7)
        if lifted:  # only what gains makes sums fall, as where a constraint asks for sensitivity
            on_rows = np.where(self.value > 0, on_rows, np.maximum(on_rows, 0))
        on_patterns = rng.integers(least, 3, (M, K)) * (rng.random((M, 1)) < 0.5)
        padded = np.zeros((M, 64), dtype=np.int64)
        padded[:, :n] = on_rows
        self.on_rows, self.on_patterns = on_rows, on_patterns
        sets = [c for k in range(self.most + 1) for c in combinations(range(K), k)]
        some = sets[int(rng.integers(len(sets)))]
        self.limit = self.amounts(some) + (rng.random(M) < 0.3)
        everything = np.ones(K, dtype=bool)
        self.counted = Counted(
            pack(self.covers), everything, padded, on_patterns, self.limit, exact=True, left=()
        )
        self.best = max(
            ((self.gain(c), c) for c in sets if (self.amounts(c) <= self.limit).all()), default=None
        )
        self.rng = rng

    def fires(self, chosen: tuple[int, ...]) -> np.ndarray:
        return self.covers[list(chosen)].any(axis=0)

    def gain(self, chosen: tuple[int, ...]) -> int:
        return int(self.value[self.fires(chosen)].sum() - self.price[list(chosen)].sum())

    def amounts(self, chosen: tuple[int, ...]) -> np.ndarray:
        rows = self.on_rows[:, self.fires(chosen)].sum(axis=1)
        return rows + self.on_patterns[:, list(chosen)].sum(axis=1)

    def penalised(self) -> Penalised:
        """Random prices on the sums: whatever they are, the answer is the same."""
        scale = int(self.rng.choice([1, 3, 16]))
        penalty = self.rng.integers(0, 3 * scale, len(self.limit)) * (self.rng.random(len(self.limit)) < 0.6)
        penalty *= (self.on_patterns >= 0).all(axis=1)  # no pattern has a price below 0
        value = np.zeros(64, dtype=np.int64)
        value[: len(self.value)] = self.value
        worth = scale * value - penalty @ self.counted.on_rows
        return Penalised(worth, scale * self.price + penalty @ self.on_patterns, penalty, scale)
