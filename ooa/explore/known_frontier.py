"""What is known along the limits of a constraint: rule sets, proofs at some, and what follows for the others.

A rule set that meets a constraint at one limit may meet it at another, which is tested. And where whatever
meets it at one limit meets it at another one, the looser, nothing at the first has a smaller L than the best
at the second: bounds are handed on from looser limits to tighter ones, and so is that nothing meets them.
The problem without the constraint is looser than all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from ooa.data.table import Table
from ooa.formulations.base import ConstraintLike
from ooa.learning.certificate import Certificate, count
from ooa.learning.problem import FitProblem
from ooa.learning.settings import FitSettings
from ooa.learning.verdict import Learned, by_counting
from ooa.objective import Objective
from ooa.rules.ruleset import RuleSet
from ooa.solving.solution import Termination

__all__ = ["FREE", "Answer", "KnownFrontier"]

#: The place of the problem without the constraint.
FREE = None


class Answer(NamedTuple):
    """The best rule set known at a limit, its certificate, and why there is none where that is proved."""

    rules: RuleSet | None
    certificate: Certificate
    reason: str = ""


class KnownFrontier:
    """Rule sets that meet a constraint at some limits, and certificates of those that were solved.

    Parameters
    ----------
    table : the training data
    settings : what every fit is told
    made : by limit, the constraint as one or several; nothing for `FREE`
    """

    def __init__(
        self, table: Table, settings: FitSettings, made: Mapping[Any, tuple[ConstraintLike, ...]]
    ) -> None:
        self._made = made
        objective = Objective.of(settings.C1, settings.C2)
        plain = FitProblem.of(table, objective, settings.max_patterns)
        self._problem = {
            limit: replace(plain, constraints=(*settings.constraints, *some)) for limit, some in made.items()
        }
        self._solved: dict[Any, Certificate] = {}
        self._refused: dict[Any, str] = {}
        self._known: dict[RuleSet, Fraction] = {}

    def offer(self, rules: RuleSet) -> None:
        """Take up a rule set, for the limits at which it meets the constraint."""
        if rules not in self._known:
            self._known[rules] = self._problem[FREE].value(rules)

    def add(self, limit: Any, learned: Learned) -> None:
        """Take up what was learned at a limit."""
        self._solved[limit] = learned.certificate
        if learned.certificate.feasible:
            self.offer(learned.rules)

    def refuse(self, limit: Any, reason: str) -> None:
        """Take up that no rule set meets the constraint at a limit."""
        self._refused[limit] = reason

    def tighter(self, limit: Any, other: Any) -> bool:
        """Whether whatever meets the constraint at a limit is known to meet it at another one."""
        if limit == other or other is FREE:
            return True
        return all(
            any(one is wanted or _implies(one, wanted) for one in self._made[limit] if limit is not FREE)
            for wanted in self._made[other]
        )

    def ordered(self, limits: Sequence[Any]) -> list[Any]:
        """Some limits from the loosest to the tightest, if that is known of all of them; else as they are."""
        try:
            ascending = sorted(limits)
        except TypeError:  # a number and a text, say
            return list(limits)
        for order in (ascending, ascending[::-1]):
            if all(self.tighter(after, before) for before, after in pairwise(order)):
                return order
        return list(limits)

    def best(self, limit: Any) -> RuleSet | None:
        """The best rule set known that meets the constraint at a limit."""
        problem = self._problem[limit]
        for rules in sorted(self._known, key=lambda rules: (self._known[rules], rules)):
            if not problem.violated(rules):
                return rules
        return None

    def settled(self, limit: Any) -> bool:
        """Whether nothing is left to be found out at a limit."""
        return limit in self._solved or bool(self._reason(limit)) or self.answer(limit).certificate.proved

    def answer(self, limit: Any) -> Answer:
        """The best rule set known at a limit, with the best bound known there."""
        problem, rules, reason = self._problem[limit], self.best(limit), self._reason(limit)
        certificate = self._certificate(limit, rules)
        for other in self._solved:
            if self.tighter(limit, other) and self._solved[other].bound > certificate.bound:
                certificate = self._looser(limit, certificate, self._solved[other])
        if rules is None:
            return Answer(None, replace(certificate, feasible=False), reason)
        known = count(rules, problem.table, problem.grid.given)
        return Answer(rules, certificate.of_rule_set(known))

    def _certificate(self, limit: Any, rules: RuleSet | None) -> Certificate:
        """What was found out at a limit itself, or by counting."""
        problem, own = self._problem[limit], self._solved.get(limit)
        if own is None:
            return by_counting(problem, rules or problem.empty(), Termination.INTERRUPTED)
        if rules is None or own.objective == problem.value(rules):
            return own
        # What was found there is beaten by another's rule set.
        return replace(own, pool=None, limits=(), claimed_by="")

    def _looser(self, limit: Any, certificate: Certificate, looser: Certificate) -> Certificate:
        """A certificate with the bound of a looser limit, which is better."""
        better = certificate.bounded_by(looser, looser.bound, "looser limit")
        # Where nothing was solved, what ended the other fit is why no more is known.
        return better if limit in self._solved else replace(better, termination=looser.termination)

    def _reason(self, limit: Any) -> str:
        """Why no rule set meets the constraint at a limit, if that is known."""
        return next((why for other, why in self._refused.items() if self.tighter(limit, other)), "")


def _implies(one: ConstraintLike, other: ConstraintLike) -> bool:
    implies = getattr(one, "implies", None)
    return implies is not None and bool(implies(other))
