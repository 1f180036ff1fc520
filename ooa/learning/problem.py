"""What a fit is to solve: the rows, the prices, the constraints, and what follows from them alone."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

import numpy as np

from ooa.candidates.bounds import most_patterns
from ooa.errors import OptionError, RuleError
from ooa.formulations.base import ConstraintLike, describe
from ooa.formulations.ooax import constraint_violation
from ooa.formulations.task import Task
from ooa.objective import exact_sum
from ooa.rules.ruleset import RuleSet
from ooa.solving.prepare import FEASIBILITY

from .certificate import Count, count, tolerance, trivial_bound

__all__ = ["FitProblem"]


class FitProblem(Task):
    """A task, and what follows from it alone: values, a first bound, which reductions are valid.

    Examples
    --------
    >>> from ooa.data.table import Table
    >>> from ooa.objective import Objective
    >>> table = Table.from_any({"x": [1, 2, 3, 3]}, [0, 0, 1, 1])
    >>> problem = FitProblem.of(table, Objective.of("1/8", "1/8"))
    >>> problem.value(RuleSet.parse("x >= 3")), problem.trivial, problem.total
    (Fraction(1, 4), Fraction(1, 4), Fraction(4, 1))
    """

    @cached_property
    def total(self) -> Fraction:
        """The weight of all rows."""
        return exact_sum(self.rows.positive) + exact_sum(self.rows.negative)

    @cached_property
    def trivial(self) -> Fraction:
        """What no rule set is below, whatever its patterns."""
        return trivial_bound(self.rows, self.objective)

    @cached_property
    def step(self) -> Fraction:
        """The step that all weights and prices are multiples of; 0 if there is none."""
        weights = np.unique(np.concatenate([self.rows.positive, self.rows.negative]))
        return self.objective.grid(self.total, weights.tolist())

    def rounding(self, value: Fraction) -> Fraction:
        """How far a solver's proof about this value of L may be off: where the grid is coarse, nothing."""
        off = tolerance(value, self.total)
        return off if self.step < off * self.total else Fraction(0)

    @property
    def allows_removal(self) -> bool:
        """Whether every constraint still holds when a pattern is taken out; see `ooa.constraints`."""
        return all(getattr(c, "allows_removal", False) for c in self.constraints)

    @property
    def allows_dominance(self) -> bool:
        """Whether every constraint still holds when a pattern makes way for one that dominates it."""
        return all(getattr(c, "allows_dominance", False) for c in self.constraints)

    def empty(self) -> RuleSet:
        """The rule set without patterns, in the words of the table."""
        negative, positive = self.table.labels
        return RuleSet([], target=self.table.target, positive=positive, negative=negative)

    def count(self, rules: RuleSet) -> Count:
        """What a rule set costs, counted on the rows as they were given."""
        return count(rules, self.table, self.objective)

    def value(self, rules: RuleSet) -> Fraction:
        """L of a rule set, exactly, counted on the distinct rows."""
        return count(rules, self.rows, self.objective).objective

    def violated(self, rules: RuleSet) -> list[str]:
        """The constraints that a rule set does not meet, evaluated on its own predictions."""
        return [describe(c) for c in self.constraints if not self._meets(rules, c)]

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

    def _meets(self, rules: RuleSet, constraint: ConstraintLike) -> bool:
        """Whether the constraint's rows hold at the point that selects just these patterns."""
        return constraint_violation(rules, constraint, self) <= FEASIBILITY
