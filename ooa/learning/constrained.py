"""Constraints within a fit: what they exclude, good rule sets that meet them, and bounds that count them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

import numpy as np

from ooa.candidates.candidates import Candidates
from ooa.clock import Deadline
from ooa.formulations.base import describe
from ooa.formulations.counted import Counted, read
from ooa.logs import logger
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet
from ooa.search.constrained import ConstrainedSearch, Valued
from ooa.search.local_search import Choice
from ooa.solving.prepare import FEASIBILITY

from .prove import Proof, search_exactly
from .state import Fit
from .valuation import free_valuation, net_values, penalised_valuation

__all__ = ["bound_with_prices", "only_allowed", "search_constrained"]


def only_allowed(fit: Fit, candidates: Candidates) -> tuple[Fit, Candidates]:
    """The candidates that no constraint excludes by itself, and the fit with the constraints that are left.

    Any set of what is left meets the constraints that are left out, so that these cost nothing any more. The
    best rule set known is tested against all of them as before.
    """
    problem = fit.problem
    if not problem.constraints or not len(candidates):
        return fit, candidates
    allowed, rest = np.ones(len(candidates), dtype=bool), []
    for constraint in problem.constraints:
        counted = read(candidates, replace(problem, constraints=(constraint,)), FEASIBILITY)
        allowed &= counted.allowed
        if len(counted.limit) or counted.left:
            rest.append(constraint)
        else:
            logger.info("%s: a filter of patterns", describe(constraint))
    if not allowed.all():
        candidates = candidates.take(np.flatnonzero(allowed))
    return replace(fit, problem=replace(problem, constraints=tuple(rest))), candidates


def search_constrained(
    fit: Fit, candidates: Candidates, starts: Iterable[RuleSet], deadline: Deadline, rounds: int
) -> ConstrainedSearch | None:
    """Improve the best rule set of a fit that meets the constraints; None if nothing of them can be counted.

    Parameters
    ----------
    fit : the fit in progress
    candidates : patterns to choose from
    starts : rule sets to begin with, whether or not they meet the constraints
    deadline, rounds : see `ConstrainedSearch.run`
    """
    problem = fit.problem
    counted = read(candidates, problem, FEASIBILITY)
    if not len(counted.limit) or deadline.passed():
        return None
    fit.log.line.update(f"local search with constraints over {len(candidates):,} patterns")
    search = _search(fit, candidates, counted)

    def offer(found: Choice) -> None:
        fit.best.offer(RuleSet([candidates.pattern(k) for k in found]))

    begin = [_positions(candidates, rules) for rules in starts]
    with fit.log.interruptible():
        search.run(begin, rounds=rounds, seed=fit.params.seed, deadline=deadline, found=offer)
    return search


def bound_with_prices(fit: Fit, candidates: Candidates, without: Collection[str] = ()) -> Proof:
    """A bound on what meets the constraints, by an exact search that has them as prices.

    The prices come from a local search, which may find better rule sets as well; whatever they are, the bound
    holds (docs/formulation.md).
    """
    none = Proof(None, np.arange(len(candidates)))
    problem, deadline = fit.problem, fit.timing.deadline.share_of_rest(fit.policy.prices_share)
    search = search_constrained(fit, candidates, [fit.best.rules], deadline, fit.policy.price_rounds)
    fit.timing.book("incumbent")
    if search is None or fit.over or not search.penalty.any():
        return none
    most = problem.most_patterns(fit.best.upper) or 1
    counted = read(candidates, problem, FEASIBILITY)
    valued = penalised_valuation(problem, candidates, counted, search.penalty, most)
    if valued is None:
        return none
    logger.info("constraints as prices: %s", np.round(search.penalty, 3).tolist())
    return search_exactly(fit, candidates, None, without, valued)


def _search(fit: Fit, candidates: Candidates, counted: Counted) -> ConstrainedSearch:
    problem = fit.problem
    free = free_valuation(problem, candidates)
    valued = Valued(net_values(problem, counted.on_rows.shape[1]), free.price)
    return ConstrainedSearch(counted, valued, problem.max_patterns, fit.threads)


def _positions(candidates: Candidates, rules: Iterable[Pattern]) -> Choice:
    found = (candidates.find(pattern) for pattern in rules)
    return tuple(k for k in found if k is not None)
