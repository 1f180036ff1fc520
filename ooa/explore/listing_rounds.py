"""Rule sets listed up to one value after the other, so that it is known up to where nothing is missing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import chain

from ooa.kernels.availability import compiled
from ooa.learning.mine import longest_of
from ooa.learning.ooax import run_ooax
from ooa.learning.state import Fit
from ooa.learning.verdict import Verdict
from ooa.search.branch_and_bound import MOST_UNITS

from .listing import Listing
from .pool import Pool, near_optimal_pool
from .wanted import Wanted

__all__ = ["bound_of", "list_in_rounds", "searchable"]


def searchable(fit: Fit, wanted: Wanted) -> bool:
    """Whether the exact search can list what is wanted."""
    problem, policy = fit.problem, fit.policy
    endless = wanted.within is None and problem.max_patterns is None
    if fit.best.upper is None or endless or wanted.settings.selection == "ilp" or not _sifted(fit, wanted):
        return False
    most = problem.most_patterns(fit.best.upper + _widest(fit, wanted))
    if most is None or most > policy.most_searched_patterns or not compiled():
        return False
    longest = longest_of(wanted.settings, problem.rows)
    highest = fit.best.upper + _widest(fit, wanted) + problem.objective.cost(longest)
    if highest * problem.total / problem.step > MOST_UNITS:  # more than can be counted
        return False
    everywhere = (problem.rows.positive + problem.rows.negative > 0).all()
    return bool(everywhere and problem.total / problem.step * problem.rows.n_rows * most <= MOST_UNITS)


def _sifted(fit: Fit, wanted: Wanted) -> bool:
    """Whether what is wanted beside constraints is what meets them among all that is wanted without them.

    Of those without redundant patterns that holds where such a pattern can always go, and where one rule set
    stands for all that predict the same, where all of these meet the constraints or none does.
    """
    if wanted.distinct:
        return fit.problem.of_predictions
    return not wanted.lean or fit.problem.allows_lean


def _widest(fit: Fit, wanted: Wanted) -> Fraction:
    """How far above the best a rule set can be that is wanted, on the grid."""
    assert fit.best.upper is not None
    assert fit.best.value is not None
    if wanted.within is None:  # whatever it is
        problem = fit.problem
        longest = longest_of(wanted.settings, problem.rows)
        return 1 + (problem.max_patterns or 0) * problem.objective.cost(longest)
    return fit.problem.grid.above(fit.best.value + wanted.within) - fit.best.upper


def list_in_rounds(fit: Fit, verdict: Verdict, wanted: Wanted) -> tuple[Pool, Listing] | None:
    """List up to one limit after the other, so that it is known up to where nothing is missing.

    Where the optimum took no time to speak of, all are tried at once first, for a moment. Beside constraints
    all are listed that would be wanted without them, up to the same value, and those that meet them are kept.

    None if patterns had to be left out, for what solvers can do with the others, or if beside constraints not
    even the first round came to its end.
    """
    told = wanted.settings
    if isinstance(told.max_candidates, str):
        told = replace(told, max_candidates=None)
    last: tuple[Pool, Listing] | None = None
    brief = wanted.within is not None and fit.timing.deadline.spent() < fit.policy.attempt_seconds
    floor = _floor(fit, wanted) if fit.problem.constraints else bound_of(fit, verdict)
    for slack in chain([_widest(fit, wanted)] if brief else [], _rounds(fit, wanted)):
        assert fit.best.upper is not None
        bound, upper = bound_of(fit, verdict), fit.best.upper + slack
        with fit.timing.within(fit.timing.deadline.left()):  # shares of it count from now
            pool = near_optimal_pool(fit, told, slack=upper - bound, upper=upper, collapse=wanted.distinct)
        if pool.reach.pool is not None and not brief:
            return last
        fit.timing.book("mining")
        found, done = Listing(fit, pool, wanted, bound, floor), False
        with fit.log.interruptible():
            done = pool.reach.pool is None and found.run(brief=brief)
        if not done and brief and not fit.over:  # then step by step
            brief = False
            continue
        if not done and last is not None:
            found.keep(last[1])
        elif not done and fit.problem.constraints and not fit.over:
            return None
        last = pool, found
        if not done:
            break
        last_round = slack == _widest(fit, wanted)
        found.counted = last_round and fit.problem.grid.exact and found.best == fit.best.value
        found.complete = found.enough or (last_round and found.all_listed)
        if last_round or (found.enough and not wanted.sample):
            break
    return last


def _floor(fit: Fit, wanted: Wanted) -> Fraction:
    """What no rule set is below on the grid, those included that do not meet the constraints."""
    free = replace(wanted.settings, constraints=(), start=None)
    left = fit.timing.deadline.left()
    share = None if left is None else free.policy.optimum_share * left
    alone = Fit.of(fit.problem.table, free.within(share))
    return bound_of(alone, run_ooax(alone, free))


def _rounds(fit: Fit, wanted: Wanted) -> Iterator[Fraction]:
    """How far above the best to go, step by step.

    Steps are larger where the last one took not much longer than what came before it (the optimum, at first):
    most of what they take then is what any proof takes.
    """
    widest, policy, spent = _widest(fit, wanted), fit.policy, fit.timing.deadline.spent
    slack, before = Fraction(policy.least_distance), spent()
    if wanted.within is not None:
        slack = Fraction(policy.first_distance) * widest
    while 0 < slack < widest:
        began = spent()
        yield slack
        took = spent() - began
        soon = wanted.within is not None and took <= policy.distance_growth * before
        slack *= policy.distance_growth ** (2 if soon else 1)
        before = took
    yield widest


def bound_of(fit: Fit, verdict: Verdict) -> Fraction:
    """A bound on the optimum on the grid, over all patterns that can be candidates."""
    trivial = fit.problem.trivial
    if verdict.bound is None:
        return trivial
    return max(trivial, verdict.bound)
