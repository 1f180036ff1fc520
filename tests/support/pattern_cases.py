"""Literals over few rows, and what brute force says of single patterns and of rule sets over them."""

from __future__ import annotations

from itertools import combinations
from types import SimpleNamespace

import numpy as np

from ooa.data.bitsets import pack


def random_literals(rng: np.random.Generator, n_rows: int, attributes: int):
    """Thresholds, ranges, categories and what differs from one, on attributes with missing values."""
    holds, attribute = [], []
    for j in range(attributes):
        values = rng.integers(0, int(rng.integers(2, 7)), n_rows)
        known = rng.random(n_rows) < rng.choice([1.0, 0.8])
        cuts = rng.permutation(np.unique(values))[: int(rng.integers(1, 4))]
        if rng.random() < 0.6:
            own = [values >= cut for cut in cuts] + [values < cut for cut in cuts]
            own += [(values >= low) & (values < high) for low, high in combinations(sorted(cuts), 2)]
        else:
            own = [values == v for v in cuts] + [values != v for v in cuts[:1]]
        own = [rows & known for rows in own]
        rng.shuffle(own)
        holds += own
        attribute += [j] * len(own)
    bits = pack(np.array(holds))
    return SimpleNamespace(attribute=np.array(attribute, dtype=np.int32), bits=bits, n_rows=n_rows), holds


def random_problem(rng: np.random.Generator, attributes: int = 4):
    """Literals, the rows each holds for, weights by class, prices by length."""
    n_rows = int(rng.choice([1, 20, 63, 64, 65, 130]))
    literals, holds = random_literals(rng, n_rows, int(rng.integers(1, attributes + 1)))
    label = rng.random(n_rows) < 0.5
    if rng.random() < 0.7:  # something to be found
        label = holds[int(rng.integers(len(holds)))] ^ (rng.random(n_rows) < 0.2)
    weight = rng.integers(0, int(rng.choice([2, 4, 60])), n_rows)
    both = rng.integers(0, 3, n_rows) * (rng.random(n_rows) < 0.1)  # rows of both classes
    positive, negative = np.where(label, weight, both), np.where(label, both, weight)
    longest = int(rng.integers(1, 5))
    price = int(rng.integers(0, 4)) + int(rng.choice([0, 1, 3])) * np.arange(longest + 1)
    return literals, np.array(holds), positive, negative, price


def all_patterns(literals, holds, longest: int):
    """Every pattern with at most one literal per attribute, and the rows it covers."""
    for length in range(1, longest + 1):
        for items in combinations(range(len(holds)), length):
            if len(set(literals.attribute[list(items)].tolist())) == length:
                yield items, holds[list(items)].all(axis=0)


def pattern_gain(rows, positive, negative, price) -> int:
    return int(positive[rows].sum() - negative[rows].sum() - price)
