"""Problems for the exact search, and what brute force and linear programs say of them."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from ooa.candidates.row_weights import RowWeights
from ooa.data.bitsets import pack
from ooa.data.table import Table
from ooa.kernels.sets import PricedPatterns, RowMultipliers, SetSearch


def always(share: float) -> bool:
    assert 0 <= share <= 1
    return True


def problem(rng: np.random.Generator):
    """Random patterns, rows of several weights, prices (often none), and a size limit."""
    n, rows = int(rng.integers(1, 13)), int(rng.integers(1, 90))
    covers = rng.random((n, rows)) < rng.uniform(0.1, 0.7)
    label = rng.random(rows) < 0.5
    weight = rng.integers(1, int(rng.choice([2, 4, 40])), rows).astype(float)
    price = rng.integers(0, int(rng.choice([1, 4, 30])), n)
    return covers, np.where(label, weight, 0), np.where(label, 0, weight), price, int(rng.integers(1, 6))


def nearly_alike(rng: np.random.Generator):
    """Few heavy rows, which several patterns share, and light ones, by which these differ a little.

    All in all they weigh enough for subtrees to be searched with a margin, and sets differ by less than it.
    """
    n, heavy, light = int(rng.integers(16, 34)), int(rng.integers(8, 20)), int(rng.integers(6, 20))
    base = rng.random((int(rng.integers(3, 8)), heavy)) < 0.35
    covers = np.hstack([base[rng.integers(len(base), size=n)], rng.random((n, light)) < 0.4])
    label = rng.random(heavy + light) < 0.65
    weight = np.concatenate([rng.integers(60, 200, heavy), rng.integers(1, 6, light)]).astype(float)
    price = rng.integers(0, int(rng.choice([3, 12, 60])), n)
    return covers, weight * label, weight * ~label, price


def gain(covers, positive, negative, price, chosen) -> int:
    fires = covers[list(chosen)].any(axis=0)
    return int(positive[fires].sum() - negative[fires].sum() - price[list(chosen)].sum())


def best_gain(covers, positive, negative, price, max_patterns) -> int:
    sets = (s for size in range(max_patterns + 1) for s in combinations(range(len(price)), size))
    return max(gain(covers, positive, negative, price, chosen) for chosen in sets)


def noisy(rng: np.random.Generator, rows: int) -> Table:
    frame = {
        "a": rng.integers(0, 6, rows),
        "b": rng.integers(0, 5, rows),
        "c": rng.choice(list("uvw"), rows),
        "d": rng.choice(["no", "yes"], rows),
    }
    label = ((frame["a"] >= 3) & (frame["c"] == "u")) | (frame["b"] <= 1)
    label ^= rng.random(rows) < 0.2
    label[:2] = False, True
    weight = rng.integers(1, 4, rows) if rng.random() < 0.5 else None
    return Table.from_any(frame, label, sample_weight=weight)


def boxes(seed: int, n: int, rows: int):
    """Rows of noisy labels in the unit square, and boxes as patterns: coverage, labels and prices."""
    rng = np.random.default_rng(seed)
    centre, points = rng.random((n, 2)), rng.random((rows, 2))
    covers = (np.abs(points[None] - centre[:, None]) < rng.uniform(0.1, 0.4, (n, 1, 2))).all(axis=2)
    label = (points[:, 0] > 0.5) ^ (rng.random(rows) < 0.25)
    return covers, label, rng.integers(1, 9, n)


def multipliers_bound(covers, label, price, max_patterns, needed, weight=None):
    """Which patterns the multipliers leave, and their bound, with nothing chosen yet."""
    return bound_alone(covers, label, price, max_patterns, needed, by_multipliers=True, weight=weight)


def bound_alone(covers, label, price, max_patterns, needed, *, by_multipliers, weight=None):
    """Which patterns one of the two bounds leaves, and what it says no set gains more than."""
    search = search_for(covers, label, price, max_patterns, needed, weight)
    names, bound = search.bound_alone(needed, by_multipliers)
    return set(names.tolist()), bound


def filtered(covers, label, price, max_patterns, needed, by: RowMultipliers, weight=None):
    """Which patterns these multipliers leave, and what they say no set gains more than."""
    names, bound = search_for(covers, label, price, max_patterns, needed, weight).filter(by)
    return set(names.tolist()), bound


def search_for(covers, label, price, max_patterns, target, weight=None) -> SetSearch:
    weight = np.ones(len(label), dtype=np.int64) if weight is None else weight
    right, wrong = (RowWeights((weight * rows).astype(float), pack(covers)) for rows in (label, ~label))
    patterns = PricedPatterns(
        right.rows,
        right.word_factors.astype(np.int64),
        wrong.rows,
        wrong.word_factors.astype(np.int64),
        price.astype(np.int64),
        covers[:, label] @ weight[label],
        covers[:, ~label] @ weight[~label],
    )
    return SetSearch(patterns, most=max_patterns, target=target, known=0, goal=0)


def relaxed(covers, label, price, max_patterns) -> float:
    """The bound with the best multipliers there are: for each worst member, the relaxation of the rest."""
    from scipy.optimize import linprog

    negatives, best = covers[:, ~label].sum(axis=1), 0.0
    for most in np.unique(negatives):
        such = negatives <= most
        rows = covers[such][:, label].T.astype(float)
        shares = np.hstack([np.eye(len(rows)), -rows])  # a positive counts as far as patterns cover it
        number = np.concatenate([np.zeros(len(rows)), np.ones(such.sum())])
        cost = np.concatenate([-np.ones(len(rows)), price[such]])
        limits = np.concatenate([np.zeros(len(rows)), [max_patterns]])
        found = linprog(cost, A_ub=np.vstack([shares, number]), b_ub=limits, bounds=(0, 1))
        best = max(best, -found.fun - most)
    return best
