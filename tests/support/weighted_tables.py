"""Tiny tables whose weights have no common step, and their optima by brute force, exactly."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from ooa.data.table import Table
from ooa.objective import Objective
from support.brute_ooa import all_literals, all_patterns
from support.tiny_tables import tiny_objective, tiny_table

#: Weights of every kind that people bring, and some that they hardly do.
KINDS = ("balanced", "thirds", "decimals", "propensities", "few", "mixed", "zeros", "classes", "huge")


def weights(kind: str, n: int, rng: np.random.Generator) -> np.ndarray:
    """Weights for so many rows; some of every kind but "zeros" are above 0."""
    return {
        "balanced": lambda: np.ones(n),
        "thirds": lambda: rng.integers(1, 7, n) / 3,
        "decimals": lambda: rng.integers(1, 300, n) / 100,
        "propensities": lambda: 1 / rng.uniform(0.05, 1, n),
        "few": lambda: rng.choice(rng.uniform(0.1, 3, 3), n),
        "mixed": lambda: 10.0 ** rng.integers(-12, 9, n) * rng.uniform(1, 9, n),
        "zeros": lambda: rng.choice([0.0, 0.1, 0.7, math.pi], n),
        "classes": lambda: rng.choice([0.3, 1.7, 2.3], n),
        "huge": lambda: rng.uniform(0.1, 3, n) * rng.choice([1e-280, 1e200]),
    }[kind]()


def weighted_table(kind: str, rng: np.random.Generator, most_rows: int = 7) -> Table:
    """A tiny table with weights of a kind; both classes have some."""
    plain = tiny_table(rng, most_rows=most_rows)
    weight = weights(kind, plain.n_rows, rng)
    weight[:2] = np.where(weight[:2] > 0, weight[:2], 0.1)
    columns = {
        column.name: [
            None if absent else column.categories[value] if column.kind == "categorical" else value
            for value, absent in zip(column.values.tolist(), column.missing.tolist())
        ]
        for column in plain.columns
    }
    balanced = "balanced" if kind in ("balanced", "classes") else None
    return Table.from_any(columns, plain.y, sample_weight=weight, class_weight=balanced)


def best_value(
    table: Table,
    objective: Objective,
    K: int,
    meets: Callable[[Fraction, Fraction], bool] = lambda missed, wrong: True,
    good: Callable[[Fraction], bool] = lambda support: True,
) -> Fraction | None:
    """The least L over all rule sets of at most K patterns, with the weights as they are, exactly.

    Only rule sets count that meet a constraint, by the weight of what they miss and of what they cover
    wrongly, and only patterns that are good, by the weight of the positives they cover; None if none do.
    """
    rows = table.distinct()
    weight = [[Fraction(0)] * rows.n_rows for _ in range(2)]
    for i, label, amount in zip(rows.row.tolist(), table.y.tolist(), table.weight.tolist()):
        weight[int(label)][i] += Fraction(amount)
    total, step = sum(weight[0] + weight[1]), math.lcm(objective.C1.denominator, objective.C2.denominator)
    C1, C2 = int(objective.C1 * step), int(objective.C2 * step)
    price = {}
    for length, covered in all_patterns(rows.n_rows, all_literals(rows)):
        if good(sum(w for i, w in enumerate(weight[1]) if covered >> i & 1)):
            price[covered] = min(C1 * length + C2, price.get(covered, C1 * length + C2))
    cheapest = {0: 0}
    for _ in range(K):
        longer = dict(cheapest)
        for known, cost in cheapest.items():
            for covered, more in price.items():
                longer[known | covered] = min(cost + more, longer.get(known | covered, cost + more))
        cheapest = longer
    values = []
    for covered, cost in cheapest.items():
        missed = sum(w for i, w in enumerate(weight[1]) if not covered >> i & 1)
        wrong = sum(w for i, w in enumerate(weight[0]) if covered >> i & 1)
        if meets(missed, wrong):
            values.append((missed + wrong) / total + Fraction(cost, step))
    return min(values, default=None)


def weighted_case(kind: str, seed: int) -> tuple[Table, Objective, int]:
    """A table, prices and the most patterns; some prices have no step to count in either."""
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    table, objective = weighted_table(kind, rng), tiny_objective(rng)
    if rng.random() < 0.2:
        objective = Objective.of("0.0314159265358979", "0.0271828182845905")
    return table, objective, int(rng.integers(1, 4))
