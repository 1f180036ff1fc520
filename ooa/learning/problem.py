"""What a fit is to solve: the rows, the prices, the constraints, and what follows from them alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ooa.candidates.bounds import most_patterns
from ooa.candidates.candidates import Candidates
from ooa.candidates.row_weights import copies_per_row
from ooa.clock import NEVER, Deadline
from ooa.data.bitsets import weighted_count
from ooa.data.table import Table
from ooa.errors import OptionError, RuleError
from ooa.formulations.base import ConstraintLike, describe, unit_of
from ooa.formulations.checking import ConstraintCheck
from ooa.formulations.task import Task
from ooa.objective import Objective, distinct_values, exact_sum
from ooa.rules.ruleset import RuleSet
from ooa.solving.prepare import FEASIBILITY

from .certificate import TOLERANCE, Count, count, trivial_bound
from .grid import Grid, on_grid

__all__ = ["FitProblem"]

#: The exact search is made for rule sets of so many patterns at most.
MOST_SEARCHED = 200
#: What a pattern may cost beside constraints, which can ask for it whatever it costs.
DEAREST = 10**6


@dataclass(frozen=True, eq=False)
class FitProblem(Task):
    """A task, and what follows from it alone: values, a first bound, which reductions are valid.

    Everything is proved on a grid: `rows` and `objective`, and all values and bounds in terms of them, are
    those of `ooa.learning.grid`. If weights and prices have one, they are what was given. The table, the
    constraints and what is counted for people are always as they were given.

    Attributes
    ----------
    grid : what was given, and what it is rounded to

    Examples
    --------
    >>> table = Table.from_any({"x": [1, 2, 3, 3]}, [0, 0, 1, 1])
    >>> problem = FitProblem.of(table, Objective.of("1/8", "1/8"))
    >>> problem.value(RuleSet.parse("x >= 3")), problem.trivial, problem.total
    (Fraction(1, 4), Fraction(1, 4), Fraction(4, 1))

    The numbers that 0.1 and 0.3 stand for have no step to count in. On the grid they are 1 and 3:

    >>> weighted = Table.from_any({"x": [1, 2, 3]}, [0, 1, 1], sample_weight=[0.1, 0.1, 0.3])
    >>> problem = FitProblem.of(weighted, Objective.of("1/5", "1/5"))
    >>> given, on_grid = problem.values(RuleSet.parse("x >= 3"))
    >>> problem.total, on_grid, float(given - on_grid)
    (Fraction(5, 1), Fraction(3, 5), 1.1102230246251566e-17)
    """

    grid: Grid = field(kw_only=True)

    @classmethod
    def of(
        cls,
        table: Table,
        objective: Objective,
        max_patterns: int | None = None,
        constraints: Iterable[ConstraintLike] = (),
        deadline: Deadline = NEVER,
    ) -> FitProblem:
        """The problem of a table, on a grid; its equal rows are merged if there is time."""
        constraints = tuple(constraints)
        if constraints and objective.cost(1) > DEAREST:  # else no pattern pays, and nothing counts the prices
            raise OptionError(f"C1 and C2 must be at most {DEAREST:,} together beside constraints")
        empty = exact_sum(table.positive) / exact_sum(table.weight)
        limits = (max_patterns, most_patterns(objective, empty), MOST_SEARCHED)
        most = max(1, min(limit for limit in limits if limit is not None))
        grid = on_grid(table, objective, most, deadline)
        return cls(table, grid.rows, grid.objective, max_patterns, constraints, grid=grid)

    @cached_property
    def total(self) -> Fraction:
        """The weight of all rows, in units."""
        return exact_sum(self.rows.positive) + exact_sum(self.rows.negative)

    @cached_property
    def trivial(self) -> Fraction:
        """What no rule set is below, whatever its patterns."""
        return trivial_bound(self.rows, self.objective)

    @cached_property
    def step(self) -> Fraction:
        """The step that all weights and prices are multiples of."""
        weights = distinct_values(np.concatenate([self.rows.positive, self.rows.negative]))
        return self.objective.grid(self.total, weights.tolist())

    def closes(self, bound: Fraction, upper: Fraction) -> bool:
        """Whether a bound on the grid proves a value on it, as far as that can be told.

        Where the grid is finer than a solver's tolerance, no bound of a solver can be lifted to the value.
        """
        return upper - bound <= 3 * Fraction(TOLERANCE) * max(upper, unit_of(self.rows) / self.total)

    @cached_property
    def copies(self) -> float:
        """How many copies of each row it takes, on average, to count weights by bits."""
        return max(copies_per_row(weights) for weights in (self.rows.positive, self.rows.negative))

    def units(self, longest: int) -> Fraction:
        """How many steps all rows weigh, or a pattern of so many literals costs, if that is more."""
        return self.total / self.step * max(Fraction(1), self.objective.cost(longest))

    def in_steps(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Weights of the positives and of the negatives in each row, as whole multiples of the step."""
        positive, negative = (_multiples(w, self.step) for w in (self.rows.positive, self.rows.negative))
        return positive, negative

    def prices_in_steps(self, longest: int) -> NDArray[np.int64]:
        """Prices of patterns of 0, 1, 2, ... literals, as whole multiples of the step."""
        costs = (self.total * self.objective.cost(length) / self.step for length in range(longest + 1))
        return np.array([int(cost) for cost in costs], dtype=np.int64)

    @property
    def allows_removal(self) -> bool:
        """Whether every constraint still holds when a pattern is taken out; see `ooa.constraints`."""
        return all(getattr(c, "allows_removal", False) for c in self.constraints)

    @property
    def allows_dominance(self) -> bool:
        """Whether every constraint still holds when a pattern makes way for one that dominates it."""
        return all(getattr(c, "allows_dominance", False) for c in self.constraints)

    def as_given(self, candidates: Candidates) -> Candidates:
        """Candidates with the weights that they cover as these were given."""
        if self.grid.exact:
            return candidates
        rows, bits = self.grid.distinct, candidates.bits
        positive, negative = (weighted_count(bits, weight) for weight in (rows.positive, rows.negative))
        return replace(candidates, positive=positive, negative=negative)

    def empty(self) -> RuleSet:
        """The rule set without patterns, in the words of the table."""
        negative, positive = self.table.labels
        return RuleSet([], target=self.table.target, positive=positive, negative=negative)

    def count(self, rules: RuleSet) -> Count:
        """What a rule set costs, counted on the rows as they were given."""
        return count(rules, self.table, self.grid.given)

    def values(self, rules: RuleSet) -> tuple[Fraction, Fraction]:
        """L of a rule set, exactly: as it was given, and on the grid."""
        fires = np.asarray(rules.covers(self.rows.as_frame()).any(axis=1))
        return self.grid.values(fires, rules.n_literals, len(rules))

    def value(self, rules: RuleSet) -> Fraction:
        """L of a rule set, exactly, as it was given."""
        return self.values(rules)[0]

    def violated(self, rules: RuleSet) -> list[str]:
        """The constraints that a rule set does not meet, evaluated on its own predictions."""
        broken = (check for check in self._checks if check.violation(rules) > FEASIBILITY)
        return [describe(check.constraint) for check in broken]

    def meets(self, rules: RuleSet) -> bool:
        """Whether a rule set meets all constraints; what is soon told is asked first."""
        in_order = sorted(self._checks, key=lambda check: not check.of_predictions)
        return all(check.meets(rules, FEASIBILITY) for check in in_order)

    @property
    def of_predictions(self) -> bool:
        """Whether every constraint speaks of predictions alone: what predicts the same meets them alike."""
        return all(check.of_predictions for check in self._checks)

    @property
    def allows_lean(self) -> bool:
        """Whether every constraint still holds when a pattern is taken out that changes no prediction."""
        return all(
            getattr(check.constraint, "allows_removal", False) or check.of_predictions
            for check in self._checks
        )

    def most_patterns(self, upper: Fraction | None) -> int | None:
        """The most patterns that a rule set below a known value can have, if anything limits them.

        Whatever the rules, rows of both classes that agree in everything cost the lighter class.
        """
        limits = [self.max_patterns]
        if upper is not None:
            sure = exact_sum(np.minimum(self.rows.positive, self.rows.negative)) / self.total
            limits.append(most_patterns(self.objective, upper - sure))
        return min((limit for limit in limits if limit is not None), default=None)

    def check_start(self, start: RuleSet) -> None:
        """Refuse a start that cannot be one."""
        if not isinstance(start, RuleSet):
            raise OptionError(f"start must be a RuleSet (see RuleSet.parse), not {start!r}")
        known = {attribute.name for attribute in self.table.attributes}
        unknown = [name for name in start.attributes if name not in known]
        if unknown:
            raise RuleError(f"the start uses column {unknown[0]!r}, which the table does not have")
        if self.max_patterns is not None and len(start) > self.max_patterns:
            raise RuleError(
                f"the start has {len(start)} patterns where at most {self.max_patterns} are allowed"
            )

    @cached_property
    def _checks(self) -> tuple[ConstraintCheck, ...]:
        return tuple(ConstraintCheck(constraint, self) for constraint in self.constraints)


def _multiples(weights: NDArray[np.float64], step: Fraction) -> NDArray[np.float64]:
    """Weights as whole multiples of a step."""
    values, which = np.unique(weights, return_inverse=True)
    return np.array([float(Fraction(v) / step) for v in values.tolist()])[which]
