"""Random tiny mixed tables with everything that is awkward: ties, constants, missing values, weights."""

from __future__ import annotations

import numpy as np

from ooa.data.table import Table
from ooa.objective import Objective

PRICES = [(0, 0), (0, "1/20"), ("1/20", 0), ("1/50", "1/50"), ("1/10", "1/25"), ("1/7", "1/9"), ("1/100", 0)]


def tiny_table(rng: np.random.Generator, *, most_rows: int = 7) -> Table:
    """A table of one to three attributes, numeric or categorical, and up to `most_rows` rows."""
    n = int(rng.integers(2, most_rows + 1))
    lacks = rng.random() < 0.4
    columns: dict[str, list[object]] = {}
    for j in range(int(rng.integers(1, 4))):
        distinct = int(rng.integers(1, 6))
        if rng.random() < 0.5:
            scale = rng.choice([1e-9, 1.0, 1e6])
            pool: list[object] = (
                np.sort(rng.choice(40, distinct, replace=False)) * scale - 5 * scale
            ).tolist()
        else:
            pool = list("abcde"[: min(distinct, 4)])
        values = [pool[i] for i in rng.integers(0, len(pool), n)]
        if lacks:
            values = [None if rng.random() < 0.25 else value for value in values]
        if all(value is None for value in values):
            values[0] = pool[0]
        columns[f"x{j}"] = values
    y = rng.random(n) < rng.choice([0.3, 0.5, 0.85])  # mostly positive: a box without literals would pay
    y[0], y[1] = False, True
    weight = rng.choice([0.0, 0.5, 1.0, 2.0, 3.0], n) if rng.random() < 0.3 else np.ones(n)
    weight[:2] = 1.0
    missing = "category" if rng.random() < 0.5 else "false"
    return Table.from_any(columns, y, sample_weight=weight, missing=missing)


def tiny_objective(rng: np.random.Generator) -> Objective:
    """Prices from none to prohibitive."""
    return Objective.of(*PRICES[int(rng.integers(len(PRICES)))])
