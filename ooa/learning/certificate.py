"""The certificate: what a rule set is worth, what is proved about it, and about which patterns.

Everything is counted from the rules alone, in exact arithmetic, on the rows as they were given; the
solver contributes nothing but a bound, and that is first relaxed by its tolerance.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from fractions import Fraction
from typing import Any

import numpy as np

from ooa.data.rows import WeightedRows
from ooa.objective import Objective, exact_sum
from ooa.rules.ruleset import RuleSet
from ooa.solving.solution import Termination

#: Solvers prove bounds up to a tolerance; this much of the bound (at least of 1) is given back.
TOLERANCE = 1e-6


class Scope(str, Enum):
    """Among which patterns the rule set is proved best.

    A pattern has at most one literal per attribute: a range of a number, or one category (several
    where sets of categories are allowed). A literal that holds for every row of weight says nothing
    about the training data (the paper calls it not substantive) and is in no scope.
    """

    ALL = "all patterns"
    LENGTH = "all patterns up to a length over these literals"
    SCREENED = "the screened candidates"


@dataclass(frozen=True)
class Count:
    """What a rule set costs on some rows, counted exactly."""

    errors: Fraction
    total: Fraction
    literals: int
    patterns: int
    objective: Fraction


def count(rules: RuleSet, rows: WeightedRows, objective: Objective) -> Count:
    """Count errors, literals and patterns of a rule set and its value L, from its own predictions.

    Examples
    --------
    >>> from ooa.data.table import Table
    >>> table = Table.from_any({"x": [1, 2, 3, 4]}, [0, 1, 0, 1])
    >>> count(RuleSet.parse("x >= 2"), table, Objective.of(0.1, 0)).objective
    Fraction(7, 20)
    """
    fires = rules.covers(rows.as_frame()).any(axis=1)
    errors = exact_sum(np.where(fires, rows.negative, rows.positive))
    total = exact_sum(rows.positive) + exact_sum(rows.negative)
    value = objective.value(errors, total, rules.n_literals, len(rules))
    return Count(errors, total, rules.n_literals, len(rules), value)


def trivial_bound(rows: WeightedRows, objective: Objective) -> Fraction:
    """A bound that needs no solver, over all patterns there are.

    Distinct rows that stand for positives and negatives cost the lighter class whatever is predicted
    for them. A rule set is empty, and then errs on every positive, or pays for a pattern at least.
    `rows` should be distinct for the bound to be of use; it holds for any.
    """
    total = exact_sum(rows.positive) + exact_sum(rows.negative)
    unavoidable = exact_sum(np.minimum(rows.positive, rows.negative)) / total
    return min(exact_sum(rows.positive) / total, unavoidable + objective.cost(1))


def safe_bound(bound: float, grid: Fraction) -> Fraction:
    """A solver's bound made safe: relaxed by its tolerance, then lifted to the next possible value.

    Parameters
    ----------
    bound : lower bound on `total * L`, as the solver states it
    grid : step that every value of `total * L` is a multiple of (0 if there is none)

    Examples
    --------
    >>> safe_bound(6.9999999, Fraction(1))
    Fraction(7, 1)
    """
    relaxed = Fraction(bound - TOLERANCE * max(1.0, abs(bound)))
    return relaxed if grid == 0 else math.ceil(relaxed / grid) * grid


@dataclass(frozen=True)
class Certificate:
    """What is known, and proved, about a fitted rule set on its training data.

    Attributes
    ----------
    errors, total : weight of the misclassified rows, and of all
    literals, patterns : size of the rule set
    objective : L, exactly
    bound : no rule set within the scope has a smaller L
    scope, statement : among which patterns that is proved, as a category and in words
    proof : what the bound comes from: "selection" (the ILP over candidates), "search" (of all sets of
        candidates), "decomposition" (one of these over all patterns there are), "formation" (the MIP that
        forms patterns), "concavity" (of L in its prices, along a path) or "counting" (no solver)
    termination : why the search ended
    counts : how many patterns were there after each stage
    seconds : wall time of each stage
    backend, version : the solver behind the bound
    message : anything odd that happened
    feasible : whether the rule set meets the constraints
    """

    errors: Fraction
    total: Fraction
    literals: int
    patterns: int
    objective: Fraction
    bound: Fraction
    scope: Scope
    statement: str
    termination: Termination
    counts: Mapping[str, int] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    backend: str = ""
    version: str = ""
    message: str = ""
    feasible: bool = True
    proof: str = ""

    @classmethod
    def of(cls, counted: Count, **facts: Any) -> Certificate:
        """The certificate of a rule set that was counted, and whatever else is known."""
        return cls(**{one.name: getattr(counted, one.name) for one in fields(counted)}, **facts)

    @property
    def gap(self) -> float:
        """Relative distance between objective and bound; 0 when the rule set is proved optimal.

        Infinite if the rule set does not meet the constraints.
        """
        if not self.feasible:
            return math.inf
        return 0.0 if self.proved else float((self.objective - self.bound) / self.objective)

    @property
    def proved(self) -> bool:
        """Whether the rule set is proved optimal within the scope."""
        return self.feasible and self.bound >= self.objective

    @property
    def settled(self) -> bool:
        """Whether objective and bound differ by no more than the solver's tolerance.

        Weights that are no whole numbers leave no grid to lift a bound to; this is then all that a
        solver can prove.
        """
        close = 3 * TOLERANCE * max(float(self.objective), 1 / float(self.total))
        return self.feasible and float(self.objective - self.bound) <= close

    @property
    def accuracy(self) -> float:
        """Share of the training weight classified correctly."""
        return float(1 - self.errors / self.total)

    def __str__(self) -> str:
        made = f"{float(self.errors):g} errors of {float(self.total):g} (accuracy {self.accuracy:.4f})"
        size = f"{_number(self.patterns, 'pattern')}, {_number(self.literals, 'literal')}"
        lines = [f"{made}, {size}", f"objective L = {float(self.objective):.6g}"]
        if self.proved:
            lines.append(f"proved optimal among {self.statement}")
        elif self.settled:
            lines.append(f"proved optimal, up to the solver's tolerance, among {self.statement}")
        else:
            known = f"no rule set among {self.statement} can be below {float(self.bound):.6g}"
            lines.append(f"{known} (gap {100 * self.gap:.1f} %)")
        spent = sum(self.seconds.values())
        by = f" with {self.backend} {self.version}".rstrip() if self.backend else ""
        lines.append(f"{self.termination.words} after {spent:.2f} s{by}")
        if self.message:
            lines.append(self.message)
        return "\n".join(lines)


def _number(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"
