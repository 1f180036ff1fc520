"""Models that take a solver a moment: too much for a look, little enough for a test."""

from __future__ import annotations

import numpy as np

from ooa.model import Milp


def knapsack(n: int, rows: int, seed: int, room: float) -> Milp:
    """Random items of which some fit into every one of several knapsacks of the same room."""
    rng = np.random.default_rng(seed)
    weights = rng.integers(3, 30, (rows, n))
    cost = -rng.integers(5, 30, n)
    return Milp(cost, weights, [-np.inf] * rows, [room] * rows, [0.0] * n, [1.0] * n, np.ones(n, dtype=bool))
