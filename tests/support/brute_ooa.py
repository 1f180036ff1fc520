"""The best rule set of a tiny table by trying every pattern; independent of rank space and of solvers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import TypeAlias

import numpy as np

from ooa.data.columns import Column
from ooa.data.rows import WeightedRows
from ooa.objective import Objective
from ooa.rules.literal import Equal, IsMissing, Literal, OneOf, Range
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet

#: For every attribute, its literals with the rows they cover, as the bits of a number.
Literals: TypeAlias = list[list[tuple[Literal, int]]]


def all_literals(rows: WeightedRows, *, single_category: bool = True, missing: bool = False) -> Literals:
    """The substantive literals, one for every set of rows that one of them covers."""
    found = []
    for attribute, column in zip(rows.attributes, rows.columns):
        with_missing = missing or attribute.missing_category
        own = {}
        for literal in _literals(column, single_category, with_missing):
            mask = literal.mask(column)
            if mask.any() and not mask.all():
                own.setdefault(as_bits(mask), literal)
        found.append([(literal, bits) for bits, literal in own.items()])
    return found


def _literals(column: Column, single_category: bool, missing: bool) -> Iterator[Literal]:
    if column.kind == "numeric":
        values = np.unique(column.values[~column.missing]).tolist()
        for i, low in enumerate(values):
            yield from (Range(column.name, low=low, high=high) for high in values[i:])
    else:
        values = [column.categories[code] for code in np.unique(column.values[column.values >= 0])]
        yield from (Equal(column.name, value) for value in values)
        if not single_category:
            for size in range(2, len(values) + 1):
                yield from (OneOf(column.name, some) for some in combinations(values, size))
    if missing:
        yield IsMissing(column.name)


def as_bits(mask: np.ndarray) -> int:
    """A set of rows as the bits of a number."""
    return int(mask @ (1 << np.arange(len(mask), dtype=np.int64)))


def all_patterns(n_rows: int, literals: Literals) -> Iterator[tuple[int, int]]:
    """Every pattern's length, and the rows it covers."""
    everything = (1 << n_rows) - 1
    for parts in product(*([(None, everything), *own] for own in literals)):
        length = sum(literal is not None for literal, _ in parts)
        if length:
            covered = everything
            for _, bits in parts:
                covered &= bits
            yield length, covered


def best_value(
    rows: WeightedRows, objective: Objective, K: int, *, literals: Literals | None = None, **options: bool
) -> Fraction:
    """The least `total * L` over all rule sets of at most K patterns, exactly."""
    literals = all_literals(rows, **options) if literals is None else literals
    # In units in which everything is a whole number
    total = sum(map(Fraction, (rows.positive + rows.negative).tolist()), Fraction(0))
    prices = (total * objective.C1, total * objective.C2)
    weights = [[Fraction(w) for w in part.tolist()] for part in (rows.positive, rows.negative)]
    unit = math.lcm(*(f.denominator for f in (*prices, *weights[0], *weights[1])))
    assert total * unit * (1 + K * (objective.C1 * len(literals) + objective.C2)) < 2**60
    C1, C2 = (int(price * unit) for price in prices)
    positive, negative = (np.array([int(w * unit) for w in part], dtype=np.int64) for part in weights)
    # The cheapest pattern, then the cheapest rule set of 2, 3, ... patterns, for every set of rows
    sets = 1 << rows.n_rows
    far = np.int64(2**60)
    pattern = np.full(sets, far)
    for length, covered in all_patterns(rows.n_rows, literals):
        pattern[covered] = min(pattern[covered], C1 * length + C2)
    one = np.flatnonzero(pattern < far)
    cost = np.full(sets, far)
    cost[0] = 0
    for _ in range(K):
        known = np.flatnonzero(cost < far)
        joined = (known[:, None] | one).ravel()
        np.minimum.at(cost, joined, (cost[known][:, None] + pattern[one]).ravel())
    fires = (np.arange(sets)[:, None] >> np.arange(rows.n_rows)) & 1
    errors = fires @ negative + (1 - fires) @ positive
    return Fraction(int((cost + errors).min()), unit)


def random_rules(rows: WeightedRows, K: int, rng: np.random.Generator, **options: bool) -> RuleSet:
    """At most K patterns of substantive literals."""
    literals = [own for own in all_literals(rows, **options) if own]
    patterns = []
    for _ in range(int(rng.integers(0, K + 1)) if literals else 0):
        chosen = rng.permutation(len(literals))[: rng.integers(1, len(literals) + 1)]
        patterns.append(Pattern(literals[j][rng.integers(len(literals[j]))][0] for j in chosen))
    return RuleSet(patterns)
