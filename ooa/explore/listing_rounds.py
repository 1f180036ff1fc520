"""Rule sets listed up to one value after the other, so that it is known up to where nothing is missing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from ooa.kernels.availability import compiled
from ooa.learning.mine import longest_of
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
    if problem.constraints or fit.best.upper is None or endless or wanted.settings.selection == "ilp":
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

    None if patterns had to be left out, for what solvers can do with the others.
    """
    told = wanted.settings
    if isinstance(told.max_candidates, str):
        told = replace(told, max_candidates=None)
    last: tuple[Pool, Listing] | None = None
    for slack in _rounds(fit, wanted):
        assert fit.best.upper is not None
        bound, upper = bound_of(fit, verdict), fit.best.upper + slack
        pool = near_optimal_pool(fit, told, slack=upper - bound, upper=upper, collapse=wanted.distinct)
        if pool.reach.pool is not None:
            return last
        fit.timing.book("mining")
        found, done = Listing(fit, pool, wanted, bound), False
        with fit.log.interruptible():
            done = found.run()
        if not done and last is not None:
            found.rest = last[1].rest
        last = pool, found
        if not done:
            break
        last_round = slack == _widest(fit, wanted)
        enough = wanted.n is not None and len(found.wanted()) >= wanted.n
        found.counted = last_round and fit.problem.grid.exact and found.best == fit.best.value
        found.complete = enough or (last_round and found.count <= len(found.found))
        if enough:
            break
    return last


def _rounds(fit: Fit, wanted: Wanted) -> Iterator[Fraction]:
    """How far above the best to go, step by step."""
    widest, policy = _widest(fit, wanted), fit.policy
    slack = Fraction(policy.least_distance)
    if wanted.within is not None:
        slack = Fraction(policy.first_distance) * widest
    while 0 < slack < widest:
        yield slack
        slack *= policy.distance_growth
    yield widest


def bound_of(fit: Fit, verdict: Verdict) -> Fraction:
    """A bound on the optimum on the grid, over all patterns that can be candidates."""
    trivial = fit.problem.trivial
    if verdict.bound is None:
        return trivial
    return max(trivial, verdict.bound)
