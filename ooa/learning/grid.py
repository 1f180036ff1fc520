"""A grid for every fit: whole weights and prices in place of those that have no common step.

With whole weights and round prices, all values of N * L are multiples of one step, and that is what proofs
are made of: the exact search counts in steps, a solver's bound is lifted to the next one. Other weights
(balanced classes, thirds, propensities) have no step, or one too fine to count in. They are rounded down to
multiples of a unit u, and so are the prices N C1 and N C2; only what weighs less than a unit is rounded up
to one, since rows that weigh nothing are left out of much. Let r be what that adds. Every rule set A has a
value on the grid then,

    N L'(A) = u (errors in units + p1 * literals + p2 * patterns)  <=  N L(A) + r.

What no rule set is below on the grid, none is below as it was given, but for r. And the rule set that is
best on the grid is, as it was given, above the optimum by no more than its own L - L' + r / N.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ooa.clock import NEVER, Deadline
from ooa.data.rows import DistinctRows
from ooa.data.table import Table
from ooa.objective import Objective, distinct_values, exact_sum, round_down
from ooa.search.branch_and_bound import MOST_UNITS

__all__ = ["AIM", "Grid", "on_grid"]

#: All weights together shall be rounded by at most this share of them.
AIM = Fraction(1, 10**6)
#: As small a share of a weight comes from its last digits: it is not meant.
NOISE = 1e-12
#: Up to so many units are tried for the largest weight, and up to so many different weights are fitted.
PARTS, FEW = 1 << 16, 16
#: So many units per row there are, even if that is more than the exact search can count.
LEAST_UNITS = 1 << 10
#: Weights of equal rows are added up before they are rounded, in units that are finer by this power of two.
FINER = 20


@dataclass(frozen=True, eq=False)
class Grid:
    """What a proof is made with: distinct rows and prices, in place of those that were given.

    Attributes
    ----------
    table, given : the training data and the prices, as they were given
    distinct : the distinct rows of the table, with weights that were added up with rounding
    rows : the distinct rows, weighed in units
    objective : the prices; of the weight of all rows they are whole numbers of units
    unit : what a unit weighs
    raised : no errors weigh more on the grid than as they were given, but for this
    """

    table: Table
    given: Objective
    distinct: DistinctRows
    rows: DistinctRows
    objective: Objective
    unit: Fraction = Fraction(1)
    raised: Fraction = Fraction(0)

    @cached_property
    def total(self) -> Fraction:
        """The weight of all rows, as it was given."""
        return exact_sum(self.table.weight)

    @cached_property
    def units(self) -> Fraction:
        """The weight of all rows, in units."""
        return exact_sum(self.rows.positive) + exact_sum(self.rows.negative)

    @cached_property
    def exact(self) -> bool:
        """Whether nothing had to be rounded, so that values on the grid are values as they were given."""
        return self.objective == self.given and self.unit * self.units == self.total and not self.raised

    def below(self, bound: Fraction) -> Fraction:
        """What no rule set is below as it was given if none is below this bound on the grid."""
        return (self.unit * self.units * bound - self.raised) / self.total

    def above(self, value: Fraction) -> Fraction:
        """What no rule set is above on the grid that is up to this value as it was given."""
        return (self.total * value + self.raised) / (self.unit * self.units)

    def values(self, fires: NDArray[np.bool_], literals: int, patterns: int) -> tuple[Fraction, Fraction]:
        """L of a rule set that covers these distinct rows: as it was given, and on the grid."""
        errors = exact_sum(np.where(fires, self.rows.negative, self.rows.positive))
        on_grid = self.objective.value(errors, self.units, literals, patterns)
        if self.exact:
            return on_grid, on_grid
        # The weights of equal rows have been added up with rounding, so these are counted one by one.
        errors = exact_sum(np.where(fires[self.rows.row], self.table.negative, self.table.positive))
        return self.given.value(errors, self.total, literals, patterns), on_grid

    def support(self, least: float) -> float:
        """What patterns that cover so much weight of positives, as it was given, cover at least in units."""
        rounded = exact_sum(self.table.positive) - self.unit * exact_sum(self.rows.positive) + self.raised
        return round_down((Fraction(least) - rounded) / self.unit)


def on_grid(table: Table, objective: Objective, most_patterns: int = 1, deadline: Deadline = NEVER) -> Grid:
    """The distinct rows of a table, and the prices, on a grid; what is on one already stays as it is.

    Parameters
    ----------
    table : the training data
    objective : the prices
    most_patterns : of the rule sets that will be searched; the more, the fewer units can be counted
    deadline : after which equal rows are not merged

    Examples
    --------
    >>> table = Table.from_any({"x": [1, 2, 3, 4, 5]}, [0, 0, 0, 1, 1], class_weight="balanced")
    >>> table.weight.round(3).tolist()
    [0.833, 0.833, 0.833, 1.25, 1.25]
    >>> grid = on_grid(table, Objective.of("1/12", "1/4"))
    >>> grid.rows.negative.tolist(), grid.rows.positive.tolist()
    ([2.0, 2.0, 2.0, 0.0, 0.0], [0.0, 0.0, 0.0, 3.0, 3.0])
    >>> grid.objective.C1, round(float(grid.unit), 3)
    (Fraction(1, 12), 0.417)
    """
    rows, total = table.distinct(deadline), exact_sum(table.weight)
    limit = max(MOST_UNITS // (rows.n_rows * most_patterns), LEAST_UNITS * rows.n_rows)
    if _fits(table, rows, objective, limit):
        return Grid(table, objective, rows, rows, objective)
    found = _by_value(table, rows, limit)
    if found is None or found.off(total) > AIM * total:
        found = min(filter(None, (found, _by_row(table, rows, limit))), key=lambda one: one.off(total))
    # Finer units, in which the prices are whole numbers too, or nearly so.
    times = math.lcm(*((found.total * price).denominator for price in (objective.C1, objective.C2)))
    if times * found.total > limit:
        times = limit // found.total
    unit, units = found.unit / times, found.total * times
    C1, C2 = (Fraction(math.floor(total * price / unit), units) for price in (objective.C1, objective.C2))
    positive, negative = (times * found.units).astype(np.float64)
    weighed = replace(rows, positive=positive, negative=negative)
    return Grid(table, objective, rows, weighed, Objective(C1, C2), unit, found.raised)


def _fits(table: Table, rows: DistinctRows, objective: Objective, limit: int) -> bool:
    """Whether weights and prices are on a grid that is coarse enough as they are."""
    total = exact_sum(table.weight)
    digits = np.ldexp(table.weight, 53 - _power_above(total))
    if (digits != np.floor(digits)).any():
        return False  # and the weights of equal rows may have been added up with rounding
    weights = distinct_values(np.concatenate([rows.positive, rows.negative])).tolist()
    return total / objective.grid(total, weights) <= limit


@dataclass(frozen=True, eq=False)
class _Units:
    """What the positives and the negatives of distinct rows weigh in units, and what a unit weighs."""

    units: NDArray[np.int64]
    unit: Fraction
    raised: Fraction = Fraction(0)

    @property
    def total(self) -> int:
        """All units."""
        return int(self.units.sum())

    def off(self, total: Fraction) -> Fraction:
        """By how much weights are rounded altogether, at most."""
        return total - self.unit * self.total + 2 * self.raised


def _by_value(table: Table, rows: DistinctRows, limit: int) -> _Units | None:
    """Every different weight as so many units: up to noise, or, if they are few, as nearly as possible."""
    given = table.weight[table.weight > 0]
    values, count = np.unique(given, return_counts=True)
    share = values / values[-1]
    d = np.arange(1.0, min(PARTS, (limit - table.n_rows) // float(share @ count)) + 1)
    if len(values) <= FEW and len(d):
        k = np.rint(d[:, None] * share).clip(1)
        loss = 1 - (share / k).min(axis=1) * (k @ count) / (share @ count)
        good = np.flatnonzero(loss <= NOISE)
        d = d[good if len(good) else [np.argmin(loss)]]
    for one in share if len(values) > FEW else ():
        d = d[np.abs(np.rint(d * one) - d * one) <= NOISE * d * one]
    if not len(d):
        return None
    units = np.rint(d[0] * share).clip(1).astype(np.int64)
    unit = min(Fraction(value) / k for value, k in zip(values.tolist(), units.tolist()))
    of_row = np.zeros(table.n_rows, dtype=np.int64)
    of_row[table.weight > 0] = units[np.searchsorted(values, given)]
    return _Units(_merged(table, rows, of_row), unit)


def _by_row(table: Table, rows: DistinctRows, limit: int) -> _Units:
    """What every distinct row weighs, rounded to units that are a power of two."""
    total = exact_sum(table.weight)
    finest = _power_above(total / (limit - 2 * rows.n_rows))
    power = max(finest, _power_above(AIM * total / rows.n_rows))
    anything = _merged(table, rows, (table.weight > 0).astype(np.int64)) > 0
    while True:
        ticks = np.floor(np.ldexp(table.weight, FINER - power)).astype(np.int64)
        units, unit = _merged(table, rows, ticks) >> FINER, Fraction(2) ** power
        tiny = anything & (units == 0)
        found = _Units(np.where(tiny, 1, units), unit, unit * int(tiny.sum()))
        if power == finest or found.off(total) <= AIM * total:
            return found
        power -= 1


def _merged(table: Table, rows: DistinctRows, amounts: NDArray[np.int64]) -> NDArray[np.int64]:
    """The sums over the positives, and over the negatives, that each distinct row stands for."""
    merged = np.zeros((2, rows.n_rows), dtype=np.int64)
    np.add.at(merged, ((~table.y).astype(np.intp), rows.row), amounts)
    return merged


def _power_above(value: Fraction) -> int:
    """A power of two that is not below a value, nor far above it."""
    return value.numerator.bit_length() - value.denominator.bit_length() + 1
