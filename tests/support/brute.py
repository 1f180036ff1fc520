"""Exact optima of tiny problems by brute force, and random problems to try them on.

Rows are at most about ten, so a set of rows is one integer and the weight of every such set fits a
table. Costs are whole numbers: everything is multiplied by one common denominator first.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from ooa.candidates.candidates import Candidates
from ooa.data.bitsets import pack
from ooa.data.rows import WeightedRows
from ooa.objective import Objective, exact_sum

#: Prices typed as decimals, as fractions, as nothing.
PRICES = (0, 0, 0.01, 0.05, 0.1, "1/8", "1/3", 0.25)


@dataclass(frozen=True)
class Tiny:
    """Candidates without names over a few rows: which rows each covers, how long it is, what rows weigh."""

    covers: np.ndarray  # bool, patterns x rows
    length: np.ndarray
    positive: np.ndarray
    negative: np.ndarray
    objective: Objective
    max_patterns: int | None = None

    @property
    def rows(self) -> WeightedRows:
        return WeightedRows((), (), self.positive, self.negative)

    @property
    def total(self) -> Fraction:
        return exact_sum(self.positive) + exact_sum(self.negative)

    @property
    def candidates(self) -> Candidates:
        """As the library holds them; the literals are missing, nothing asks for them."""
        return Candidates(
            literals=(),
            items=np.arange(len(self.length), dtype=np.int32)[:, None],
            length=self.length,
            positive=self.covers @ self.positive,
            negative=self.covers @ self.negative,
            holds=pack(self.covers),
        )

    def only(self, chosen: np.ndarray) -> Tiny:
        return replace(self, covers=self.covers[chosen], length=self.length[chosen])

    def value(self, chosen) -> Fraction:
        """L of a selection, by plain counting."""
        chosen = list(chosen)
        fires = self.covers[chosen].any(axis=0)
        errors = exact_sum(self.positive[~fires]) + exact_sum(self.negative[fires])
        return self.objective.value(errors, self.total, int(self.length[chosen].sum()), len(chosen))


def random_tiny(rng: np.random.Generator, *, n_patterns: int = 9, n_rows: int = 7, weights: str) -> Tiny:
    """A random problem with few rows, ties, constant and equal patterns; unit, whole or float weights."""
    rows, patterns = int(rng.integers(1, n_rows + 1)), int(rng.integers(0, n_patterns + 1))
    covers = rng.random((patterns, rows)) < rng.choice([0.2, 0.5, 0.8, 1.0], patterns)[:, None]
    weight = {
        "unit": lambda: np.ones(rows),
        "whole": lambda: rng.integers(0, 5, rows).astype(float),
        "float": lambda: rng.choice([0.1, 0.2, 0.3, 0.7, 1.1, 0.0], rows) * rng.choice([1.0, 1 / 3]),
    }[weights]()
    label = rng.random(rows) < rng.choice([0.3, 0.5, 0.8])
    positive, negative = np.where(label, weight, 0.0), np.where(label, 0.0, weight)
    if rng.random() < 0.4:  # merged rows may have both labels
        negative = rng.permutation(weight)
    if positive.sum() + negative.sum() == 0:
        positive[0] = 1.0
    return Tiny(
        covers=covers,
        length=rng.integers(1, 4, patterns),
        positive=positive,
        negative=negative,
        objective=Objective.of(*(PRICES[i] for i in rng.integers(0, len(PRICES), 2))),
        max_patterns=None if rng.random() < 0.5 else int(rng.integers(1, 4)),
    )


def optimum(tiny: Tiny, conflict: np.ndarray | None = None) -> Fraction:
    """The least L over all selections of candidates (without conflicting pairs, if given)."""
    masks = _masks(tiny.covers)
    scale, price, error = _whole(tiny)
    union = np.zeros(1, dtype=np.int64)
    cost = np.zeros(1, dtype=price.dtype)
    size = np.zeros(1, dtype=np.int64)
    subset = np.zeros(1, dtype=np.int64)
    for k, mask in enumerate(masks):
        fits = np.ones(len(union), dtype=bool)
        if conflict is not None:
            against = int((conflict[k] @ (1 << np.arange(len(masks)))).item())
            fits &= (subset & against) == 0
        if tiny.max_patterns is not None:
            fits &= size < tiny.max_patterns
        union = np.append(union, union[fits] | mask)
        cost = np.append(cost, cost[fits] + price[k])
        size = np.append(size, size[fits] + 1)
        subset = np.append(subset, subset[fits] | (1 << k))
    return Fraction((cost + error[union]).min().item()) / scale / tiny.total


def optimum_of_many(tiny: Tiny) -> Fraction:
    """The same for hundreds of candidates: the cheapest way to every set of covered rows, one by one."""
    scale, price, error = _whole(tiny)
    masks, group = np.unique(_masks(tiny.covers), return_inverse=True)
    cheapest = np.full(len(masks), np.inf if price.dtype == float else np.iinfo(np.int64).max // 4)
    cheapest = cheapest.astype(price.dtype)
    np.minimum.at(cheapest, group, price)
    worst = price.sum() + error.sum() + 1
    layers = len(masks) if tiny.max_patterns is None else tiny.max_patterns
    layers = min(layers, tiny.covers.shape[1])  # one pattern per row is as good as any number
    best = np.full((layers + 1, len(error)), worst, dtype=price.dtype)
    best[:, 0] = 0
    every = np.arange(len(error))
    for mask, cost in zip(masks, cheapest):
        for layer in range(layers, 0, -1):
            np.minimum.at(best[layer], every | mask, best[layer - 1] + cost)
    return Fraction((best[layers] + error).min().item()) / scale / tiny.total


def all_patterns(columns: list[np.ndarray], max_length: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Coverage and length of every pattern: every range of the numbers, every category of the texts.

    A literal that holds for every row says nothing and is none.
    """
    n_rows = len(columns[0])
    covers, length = np.ones((1, n_rows), dtype=bool), np.zeros(1, dtype=np.int64)
    for column in columns:
        values = np.unique(column)
        if column.dtype.kind in "US":
            holds = np.array([column == value for value in values])
        else:
            holds = np.array(
                [(column >= low) & (column <= high) for low in values for high in values if low <= high]
            )
        holds = holds[~holds.all(axis=1)]
        joined = (covers[:, None, :] & holds[None]).reshape(-1, n_rows)
        covers = np.concatenate([covers, joined])
        length = np.concatenate([length, np.repeat(length + 1, len(holds))])
    chosen = (length >= 1) & (length <= (max_length or len(columns)))
    return covers[chosen], length[chosen]


def _masks(covers: np.ndarray) -> np.ndarray:
    return (covers @ (1 << np.arange(covers.shape[1]))).astype(np.int64)


def _whole(tiny: Tiny) -> tuple[int, np.ndarray, np.ndarray]:
    """A factor that makes all costs whole; the patterns' prices, and the error of each set of rows.

    Weights with endless digits stay floats, with a factor of 1.
    """
    prices = [tiny.total * tiny.objective.cost(int(n)) for n in tiny.length]
    weights = [Fraction(w) for w in (*tiny.positive, *tiny.negative)]
    scale = math.lcm(*(f.denominator for f in (*prices, *weights)), 1)
    kind: type = np.int64
    if scale > 2**30:
        scale, kind = 1, float
    price = np.array([kind(p * scale) for p in prices], dtype=kind)
    positive, negative = (
        np.array([kind(Fraction(w) * scale) for w in side], dtype=kind)
        for side in (tiny.positive, tiny.negative)
    )
    inside = (np.arange(2 ** len(positive))[:, None] >> np.arange(len(positive))) & 1
    return scale, price, np.where(inside == 1, negative, positive).sum(axis=1)


WEIGHTS = ("unit", "whole", "float")
CASES = 200


def problems(weights, seed, count=CASES):
    rng = np.random.default_rng([seed, *map(ord, weights)])
    for _ in range(count):
        tiny = random_tiny(rng, weights=weights)
        # A known rule set, good or bad, and now and then the optimum itself.
        size = int(rng.integers(0, min(len(tiny.length), tiny.max_patterns or 9) + 1))
        known = tiny.value(rng.permutation(len(tiny.length))[:size])
        best = optimum(tiny)
        yield tiny, best, best if rng.random() < 0.3 else known


def same(a, b, weights):
    return a == b if weights != "float" else math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)
