"""Whether constraints can be met at all, by search: a rule set that does, or the proof that there is none.

One of the sums that constraints are read as is what is to be made small, and the others are the limits of
the exact search within limits. If no set within them has less of it than its own limit, none meets them all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ooa.candidates.candidates import Candidates
from ooa.clock import Deadline
from ooa.errors import OptionError
from ooa.formulations.base import ConstraintLike
from ooa.formulations.counted import Counted, read
from ooa.kernels.availability import compiled
from ooa.rules.ruleset import RuleSet
from ooa.search.constrained import ConstrainedSearch, Valued
from ooa.search.limited import LimitedSets
from ooa.search.local_search import Choice
from ooa.search.reachable import out_of_reach
from ooa.solving.prepare import FEASIBILITY

from .state import Fit
from .valuation import penalise

if TYPE_CHECKING:
    from ooa.constraints.base import Constraint

__all__ = ["beyond_reach", "can_be_met", "nearest"]


class _Problem(NamedTuple):
    """Candidates that constraints allow, and what is left of the constraints as sums."""

    candidates: Candidates
    counted: Counted
    most: int


def beyond_reach(fit: Fit, candidates: Candidates) -> bool:
    """Whether counting alone says that no set of candidates meets the constraints of a fit."""
    counted = read(candidates, fit.problem, FEASIBILITY)
    return out_of_reach(counted, fit.problem.max_patterns or len(candidates))


def can_be_met(
    fit: Fit, candidates: Candidates, constraints: Sequence[ConstraintLike], deadline: Deadline
) -> bool | None:
    """Whether a set of candidates meets constraints; None if that could not be found out.

    A rule set that does is offered to the fit.

    Parameters
    ----------
    fit : the fit in progress
    candidates : patterns to choose from
    constraints : some of the fit's, or all
    deadline : when to give up
    """
    return _met(fit, candidates, constraints, deadline)[0]


def _met(
    fit: Fit, candidates: Candidates, constraints: Sequence[ConstraintLike], deadline: Deadline
) -> tuple[bool | None, RuleSet]:
    """Whether a set of candidates meets constraints, and if so one that does."""
    nothing, problem = RuleSet([]), _read(fit, candidates, constraints)
    if problem is None:
        return None, nothing
    counted = problem.counted
    if not len(counted.limit):
        return (True if counted.complete else None), nothing  # the empty set
    if not deadline.passed() and out_of_reach(counted, problem.most):
        return False, nothing
    m = _what_to_make_small(counted)
    if m is None:
        return None, nothing
    search = _Least(fit, problem, m, deadline)
    found = search.run(stop_at=int(counted.limit[m]))
    if found is not None:
        rules = RuleSet([problem.candidates.pattern(k) for k in found])
        fit.best.offer(rules)
        met = replace(fit.problem, constraints=tuple(constraints))
        return (True if met.meets(rules) else None), rules
    return (False if search.exhausted else None), nothing


def nearest(
    fit: Fit,
    candidates: Candidates,
    constraints: Sequence[ConstraintLike],
    one: ConstraintLike,
    deadline: Deadline,
) -> tuple[RuleSet, bool] | None:
    """The rule set found that comes nearest to meeting one constraint, of those that meet the others.

    With it comes whether it is proved that none comes nearer. None if nothing is known. Where the limit is
    not on one sum alone, it is found by halving, to four decimals.

    Parameters
    ----------
    fit, candidates, deadline : as for `can_be_met`
    constraints : all that conflict
    one : one of them
    """
    from ooa.constraints.base import Constraint

    alone = _read(fit, candidates, [one], whole=one)
    others = tuple(other for other in constraints if other is not one)
    if isinstance(one, Constraint) and (
        one.limit_is_factor or (alone is not None and len(alone.counted.limit) > 1)
    ):
        return _halved(fit, candidates, others, one, deadline)
    weighed = _weighed(one)
    problem = _read(fit, candidates, [*others, weighed], whole=weighed)
    if problem is None or alone is None or len(alone.counted.limit) != 1 or not problem.counted.complete:
        return None
    m = len(problem.counted.limit) - 1
    if m < 0:  # there is not even a candidate
        return None
    if (problem.counted.on_patterns[m] < 0).any():
        return None
    search = _Least(fit, problem, m, deadline)
    found = search.run(stop_at=None)
    if found is None:
        return None
    rules = RuleSet([problem.candidates.pattern(k) for k in found])
    return (rules, search.exhausted) if replace(fit.problem, constraints=others).meets(rules) else None


def _weighed(one: ConstraintLike) -> ConstraintLike:
    """A constraint with a limit a little looser: where it leaves nothing, its row counts weights alike."""
    from ooa.constraints.base import Constraint

    if not isinstance(one, Constraint) or one.limit is None:
        return one
    try:
        return one.at(float(one.number(one.limit) - one.tighter * Fraction(1, 10**9)))
    except OptionError:  # it counts things, which all weigh the same
        return one


def _halved(
    fit: Fit, candidates: Candidates, others: Sequence[ConstraintLike], one: Constraint, deadline: Deadline
) -> tuple[RuleSet, bool] | None:
    """The nearest limit of a constraint between the one asked for, which cannot be met, and one that can."""
    told, rules = _met(fit, candidates, others, deadline)
    within = one.just_met(fit.problem.table, rules) if told else None
    if one.limit is None or within is None:
        return None
    step, best = one.tighter * Fraction(1, 10_000), within.number(one.limit)
    refused = one.number(one.limit)
    while one.tighter * (refused - best) > abs(step):
        middle = best + max(1, (refused - best) / step // 2) * step
        told, closer = _met(fit, candidates, [*others, one.at(float(middle))], deadline)
        if told is None:
            return rules, False
        if told:
            within = one.just_met(fit.problem.table, closer)
            assert within is not None
            rules, best = closer, within.number(one.limit)
        else:
            refused = middle
    return rules, True


def _read(
    fit: Fit,
    candidates: Candidates,
    constraints: Sequence[ConstraintLike],
    whole: ConstraintLike | None = None,
) -> _Problem | None:
    """What the constraints say; `whole` is one of them that excludes no patterns by themselves."""
    problem, most = fit.problem, fit.problem.max_patterns
    if most is None or not compiled():
        return None
    counted = read(candidates, replace(problem, constraints=tuple(constraints)), FEASIBILITY, whole)
    allowed = np.flatnonzero(counted.allowed)
    return _Problem(candidates.take(allowed), counted.take(allowed), most)


def _what_to_make_small(counted: Counted) -> int | None:
    """The sum that is made small: one that the empty set exceeds, if possible, and no pattern reduces."""
    some = np.flatnonzero((counted.on_patterns >= 0).all(axis=1))
    if not len(some):
        return None
    return int(min(some, key=lambda m: (counted.limit[m] >= 0, m)))


class _Least:
    """The search for the set with the least of one sum, within the limits of the others.

    Attributes
    ----------
    exhausted : whether it is proved that there is no set with less than what was found, or was asked for
    """

    def __init__(self, fit: Fit, problem: _Problem, m: int, deadline: Deadline) -> None:
        self._fit, self._most, self._deadline = fit, problem.most, deadline
        counted = problem.counted
        self._valued = Valued(-counted.on_rows[m], counted.on_patterns[m])
        self._others = counted.without(m)
        self.exhausted = False

    def run(self, stop_at: int | None) -> Choice | None:
        """The best set found, or one with as little as `stop_at`; None if there is none."""
        fit, policy = self._fit, self._fit.policy
        search = ConstrainedSearch(self._others, self._valued, self._most, fit.threads)
        until = self._deadline.share_of_rest(policy.prices_share)
        enough = None if stop_at is None else -stop_at
        search.run(
            [()], rounds=policy.first_price_rounds, seed=fit.params.seed, deadline=until, enough=enough
        )
        if stop_at is not None and search.best is not None and -search.best <= stop_at:
            return search.choice
        gain = -(stop_at + 1) if stop_at is not None else search.best
        if gain is None:  # nothing is known that meets the others: whatever does is better
            gain = -int(np.abs(self._valued.value).sum() + self._most * self._valued.price.max(initial=0)) - 1
        found = self._exactly(search, gain)
        return found if found is not None or stop_at is not None else search.choice

    def _exactly(self, search: ConstrainedSearch, gain: int) -> Choice | None:
        """The best set that gains more than this, if all sets could be gone through."""
        penalised = penalise(self._valued, self._others, search.penalty, self._most)
        if penalised is None or not LimitedSets.possible(self._others, penalised.value):
            return None
        sets = LimitedSets(self._others, penalised, self._most)
        self.exhausted = sets.run(gain, self._go_on)
        return sets.choice or None

    def _go_on(self, share: float) -> bool:
        self._fit.log.line.update(f"can the constraints be met: {100 * share:.0f} %")
        return not self._deadline.passed()
