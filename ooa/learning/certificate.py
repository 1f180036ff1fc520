"""The certificate: what a rule set is worth, what is proved about it, and about which patterns.

Everything is counted from the rules alone, in exact arithmetic, on the rows as they were given; the
solver contributes nothing but a bound, and that is first relaxed by its tolerance.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from fractions import Fraction
from typing import Any

import numpy as np

from ooa.data.rows import WeightedRows
from ooa.objective import Objective, exact_sum
from ooa.rules.ruleset import RuleSet
from ooa.solving.solution import Termination

from .binding import BindingLimit
from .wording import PYTHON, Wording

#: Solvers prove bounds up to a tolerance; this much of the bound (at least of 1) is given back.
TOLERANCE = 1e-6


class Scope(str, Enum):
    """Among which patterns a bound holds: always a whole language, never what happened to be looked at.

    A pattern has at most one literal per attribute: a range of a number, or one category (several
    where sets of categories are allowed). A literal that holds for every row of weight says nothing
    about the training data (the paper calls it not substantive) and is in no scope.
    """

    ALL = "all patterns"
    LENGTH = "all patterns up to a length over these literals"


class Standing(str, Enum):
    """What is known about a rule set, from the best that can be to the worst."""

    PROVED = "proved"  #: no rule set of the language is better
    PROVED_WITHIN = "proved within rounding"  #: none is better by more than the rounding of weights
    CLAIMED = "claimed"  #: a solver says so, and nobody confirmed it
    POOL = "best of candidates"  #: the best over some of the patterns; others were left out
    OPEN = "open"  #: a gap is left
    INFEASIBLE = "infeasible"  #: it does not meet the constraints


@dataclass(frozen=True)
class Count:
    """What a rule set costs on some rows, counted exactly.

    `errors` and `total` are weights, `wrong_rows` and `rows` count rows; merged rows count once.
    """

    errors: Fraction
    total: Fraction
    literals: int
    patterns: int
    objective: Fraction
    wrong_rows: int
    rows: int


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
    lost = np.where(fires, rows.negative, rows.positive)
    errors = exact_sum(lost)
    total = exact_sum(rows.positive) + exact_sum(rows.negative)
    value = objective.value(errors, total, rules.n_literals, len(rules))
    each = rows.row_numbers
    wrong = int(each[lost > 0].sum())
    return Count(errors, total, rules.n_literals, len(rules), value, wrong, int(each.sum()))


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
    grid : step that every value of `total * L` is a multiple of

    Examples
    --------
    >>> safe_bound(6.9999999, Fraction(1))
    Fraction(7, 1)
    """
    relaxed = Fraction(bound - TOLERANCE * max(1.0, abs(bound)))
    return math.ceil(relaxed / grid) * grid


@dataclass(frozen=True)
class Certificate:
    """What is known, and proved, about a fitted rule set on its training data.

    Attributes
    ----------
    errors, total : weight of the misclassified rows, and of all
    literals, patterns : size of the rule set
    objective : L, exactly
    wrong_rows, rows : how many rows are misclassified, whatever their weight, of how many
    bound : no rule set within the scope has a smaller L
    scope, statement : among which rule sets that is proved, as a category of their patterns and in words
        that name their number and the conditions; always a whole language, so that less time never looks
        like more proof
    pool : where patterns had to be left out for lack of time or memory, or for `max_candidates`, and the rule
        set is the best over the others: how many those were; else None
    rounding : how far a proof may be off in units of L, where weights or solver had to round; 0 if nowhere
    proof : what the bound comes from: "selection" (the ILP over candidates), "search" (of all sets of
        candidates), "decomposition" (one of these over all patterns there are), "boxes" (search of families
        of patterns), "generation" (a linear program whose patterns are priced, not listed), "formation" (the
        MIP that forms patterns), "concavity" (of L in its prices, along a path), "looser limit" (of a
        constraint, in a trade-off) or "counting" (no solver)
    termination : why the search ended
    counts : how many patterns were there after each stage
    seconds : wall time of each stage
    backend, version : the solver behind the bound
    confirmed_by : what confirms the bound besides the solver: another solver, or "exact search", which needs
        no solver's word; empty if a solver that is not known to err was believed, or none was asked
    claimed_by : the solver that claims, wrongly or not, that the rule set is optimal, where nobody confirmed
        it; empty if there is no such claim. It proves nothing
    message : anything odd that happened
    feasible : whether the rule set meets the constraints
    limits : limits of the user's that bind, and what they cost at least
    """

    errors: Fraction
    total: Fraction
    literals: int
    patterns: int
    objective: Fraction
    wrong_rows: int
    rows: int
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
    pool: int | None = None
    rounding: Fraction = Fraction(0)
    limits: tuple[BindingLimit, ...] = ()
    confirmed_by: str = ""
    claimed_by: str = ""

    @classmethod
    def of(cls, counted: Count, **facts: Any) -> Certificate:
        """The certificate of a rule set that was counted, and whatever else is known.

        Parameters
        ----------
        counted : what was counted from the rule set's own predictions
        **facts : the other fields
        """
        return cls(**{one.name: getattr(counted, one.name) for one in fields(counted)}, **facts)

    def bounded_by(self, other: Certificate, bound: Fraction, proof: str) -> Certificate:
        """The same with a better bound, which follows from another certificate, and among what that holds.

        Parameters
        ----------
        other : what is known elsewhere
        bound : what follows from it here
        proof : why
        """
        return replace(
            self,
            bound=bound,
            scope=other.scope,
            statement=other.statement,
            rounding=max(self.rounding, other.rounding),
            proof=proof,
            confirmed_by=other.confirmed_by,
        )

    def of_rule_set(self, counted: Count) -> Certificate:
        """The same about another rule set, the best known by now, as it was counted."""
        facts = {one.name: getattr(counted, one.name) for one in fields(counted)}
        found = replace(self, **facts, bound=min(self.bound, counted.objective), feasible=True)
        if not found.proved:
            return found
        rounding = found.objective - found.bound
        return replace(found, rounding=rounding, termination=Termination.OPTIMAL)

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
        """Whether no rule set within the scope is better, by more than the rounding if there was any."""
        return self.feasible and self.bound + self.rounding >= self.objective

    @property
    def standing(self) -> Standing:
        """What is known about the rule set, in one word."""
        if not self.feasible:
            return Standing.INFEASIBLE
        if self.proved:
            return Standing.PROVED if self.bound >= self.objective else Standing.PROVED_WITHIN
        if self.claimed_by:
            return Standing.CLAIMED
        return Standing.OPEN if self.pool is None else Standing.POOL

    @property
    def headline(self) -> str:
        """The same in a few words, for whoever shows a certificate."""
        match self.standing:
            case Standing.PROVED:
                return "proved optimal"
            case Standing.PROVED_WITHIN:
                return f"proved optimal up to {float(self.rounding):.1g}"
            case Standing.CLAIMED:
                return f"claimed by {self.claimed_by}"
            case Standing.POOL:
                return f"best of {_number(self.pool or 0, 'candidate')}"
            case Standing.OPEN:
                return f"gap {100 * self.gap:.1f} %"
        return "constraints not met"

    @property
    def accuracy(self) -> float:
        """Share of the training weight classified correctly."""
        return float(1 - self.errors / self.total)

    @property
    def weighted(self) -> bool:
        """Whether weights make errors and total other than counts of rows."""
        return self.errors != self.wrong_rows or self.total != self.rows

    def __str__(self) -> str:
        return self.text()

    def text(self, wording: Wording = PYTHON) -> str:
        """What is known, line by line, with options called as an interface calls them."""
        size = f"{_number(self.patterns, 'pattern')}, {_number(self.literals, 'literal')}"
        share = 1 - self.wrong_rows / self.rows
        lines = [f"{_number(self.wrong_rows, 'error')} of {self.rows} (accuracy {share:.4f}), {size}"]
        if self.weighted:
            weights = f"{float(self.errors):g} of {float(self.total):g} (accuracy {self.accuracy:.4f})"
            lines.append(f"by weight: errors of {weights}")
        lines += [f"objective L = {float(self.objective):.6g}", *self._known()]
        spent = sum(self.seconds.values())
        by = f" with {self.backend} {self.version}".rstrip() if self.backend else ""
        by += f", confirmed by {self.confirmed_by}" if by and self.proved and self.confirmed_by else ""
        lines.append(f"{self.termination.words} after {spent:.2f} s{by}")
        lines += [limit.sentence(wording) for limit in self.limits]
        if self.message:
            lines.append(wording.note(self.message))
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        from .notebook import certificate_html

        return certificate_html(self)

    def _known(self) -> list[str]:
        """What is proved, and what is not."""
        if self.proved:
            return [f"{self.headline} among {self.statement}"]
        lines = []
        if self.standing is Standing.CLAIMED:
            lines.append(f"{self.headline} to be optimal, which nobody confirmed")
        if self.standing is Standing.POOL:
            lines.append(f"{self.headline}; other patterns were left out, so a better rule set is possible")
        below = f"among {self.statement}, L cannot be below {float(self.bound):.6g}"
        return [*lines, f"{below} (gap {100 * self.gap:.1f} %)"]


def _number(n: int, what: str) -> str:
    return f"{n:,} {what}" if n == 1 else f"{n:,} {what}s"
