"""Constraints within a fit: what they exclude, good rule sets that meet them, and bounds that count them."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from ooa.candidates.candidates import Candidates
from ooa.clock import Deadline
from ooa.formulations.base import describe
from ooa.formulations.counted import Counted, read
from ooa.logs import logger
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet
from ooa.search.branch_and_bound import MOST_UNITS
from ooa.search.constrained import ConstrainedSearch, Valued
from ooa.search.limited import LimitedSets, Penalised, PricedSets, undominated
from ooa.search.local_search import Choice
from ooa.solving.prepare import FEASIBILITY

from .gaps import ProofByGaps
from .progress import BestKnown, Log
from .prove import Proof, search_exactly
from .state import Fit
from .valuation import free_valuation, net_values, penalise, penalised_valuation

__all__ = ["free_first", "only_allowed", "prove_constrained", "search_constrained", "without_constraints"]


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


def without_constraints(fit: Fit) -> Fit:
    """The fit without its constraints, with a best rule set of its own; the same one if there are none."""
    if not fit.best.problem.constraints:
        return fit
    problem = replace(fit.problem, constraints=())
    free = replace(fit, problem=problem, best=BestKnown(problem, Log(fit.timing, fit.log.line)))
    free.best.offer(fit.best.rules)
    return free


def free_first(fit: Fit, candidates: Candidates, without: Collection[str]) -> tuple[RuleSet, Proof]:
    """The best rule set without the constraints, and what is proved of it, in a short time.

    It is offered to the fit, and the answer if it meets the constraints. What is proved without them holds
    beside them all the more.
    """
    free = without_constraints(fit)
    policy, deadline = fit.policy, fit.timing.deadline
    with fit.timing.within(deadline.share_of_rest(policy.free_first_share, policy.free_first_seconds).left()):
        proof = search_exactly(free, candidates, without={*without, "separation"})
    fit.best.offer(free.best.rules)
    return free.best.rules, proof


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
    if problem.units(candidates.items.shape[1]) * problem.rows.n_rows > MOST_UNITS:
        return None  # prices beyond all reason
    counted = read(candidates, problem, FEASIBILITY)
    for constraint in counted.left:
        logger.info("%s: left to the solver", describe(constraint))
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


def prove_constrained(fit: Fit, candidates: Candidates, without: Collection[str] = ()) -> Fraction | None:
    """A bound on what meets the constraints, up to the proof, by exact searches that count them.

    First they are prices: any search without constraints does for that, with all it has. Then a search that
    keeps to their limits closes what is left. Prices come from a local search, which may find better rule
    sets as well; whatever they are, the bounds hold (docs/formulation.md). None if nothing can be said.
    """
    problem, policy = fit.problem, fit.policy
    deadline = fit.timing.deadline.share_of_rest(policy.prices_share)
    search = search_constrained(fit, candidates, [fit.best.rules], deadline, policy.fewer_rounds)
    fit.timing.book("incumbent")
    most = problem.most_patterns(fit.best.upper) or 1
    if search is None or fit.over:
        return None
    counted = search.counted
    penalised = penalise(search.valued, counted, search.penalty, most)
    if penalised is None:
        return None
    possible = LimitedSets.possible(counted, penalised.value)
    # What is not counted is left to a solver, which needs some of the time.
    share = None if counted.complete and possible else policy.relaxed_turn
    with fit.timing.within(fit.timing.deadline.share_of_rest(share).left() if share else None):
        return _prove_by_sums(fit, candidates, counted, penalised, possible, without)


def _prove_by_sums(
    fit: Fit,
    candidates: Candidates,
    counted: Counted,
    penalised: Penalised,
    possible: bool,
    without: Collection[str],
) -> Fraction | None:
    """A bound on what meets the sums, by prices on them and, if `possible`, within their limits."""
    problem = fit.problem
    valued = penalised_valuation(problem, counted, penalised)
    logger.info("constraints as prices: %s", np.round(penalised.penalty / penalised.scale, 3).tolist())
    # Where rows count both ways in a sum, no pattern can stand in for another within the limits: then prices,
    # beside which they can, prove more for their time.
    mixed = ((counted.on_rows > 0).any(axis=1) & (counted.on_rows < 0).any(axis=1)).any()
    part = fit.timing.deadline.share_of_rest(fit.policy.priced_share) if possible and mixed else None
    with fit.timing.within(None if part is None else part.left()):
        proof = search_exactly(fit, candidates, None, without, valued, briefly=possible and not mixed)
    upper, bound = fit.best.upper, proof.bound
    if not possible or fit.over or (bound is not None and upper is not None and problem.closes(bound, upper)):
        return bound
    limited = _WithinLimits(fit, candidates, counted, penalised, proof)
    with fit.log.interruptible():
        limited.close_gap()
    fit.timing.book("searching")
    return limited.proved


class _WithinLimits(ProofByGaps):
    """The search through the sets of candidates that keep to the limits."""

    def __init__(
        self,
        fit: Fit,
        candidates: Candidates,
        counted: Counted,
        penalised: Penalised,
        proof: Proof | None = None,
    ) -> None:
        free = free_valuation(fit.problem, candidates)
        super().__init__(fit, candidates, free.everything)
        until = self._deadline.share_of_rest(fit.policy.dominance_share)
        valued = Valued(net_values(fit.problem, counted.on_rows.shape[1]), free.price)
        aim = "drops patterns that others can stand in for"
        self._kept = undominated(counted, valued, lambda share: self._go_on(share, until, aim), fit.threads)
        most = fit.problem.most_patterns(fit.best.upper) or 1
        penalised = penalised._replace(price=penalised.price[self._kept])
        bound = None if proof is None else proof.bound
        least = None if bound is None else math.ceil(bound * fit.problem.total / self.step)
        priced = penalised_valuation(fit.problem, counted, penalised)
        self._sets = PricedSets(
            counted.take(self._kept),
            penalised,
            most,
            highest=None if least is None else max(0, priced.aim(least)),
            multipliers=None if proof is None else proof.multipliers,
            threads=fit.threads,
            free=not fit.deterministic,
        )
        if least is not None:
            self._prove(least)

    def _run(self, most: int, go_on: Callable[[float], bool]) -> bool:
        return self._sets.run(self._everything - most, go_on)

    def _found(self) -> tuple[int, Sequence[int]]:
        return self._everything - self._sets.best, self._kept[list(self._sets.choice)].tolist()


def _search(fit: Fit, candidates: Candidates, counted: Counted) -> ConstrainedSearch:
    problem = fit.problem
    free = free_valuation(problem, candidates)
    valued = Valued(net_values(problem, counted.on_rows.shape[1]), free.price)
    return ConstrainedSearch(counted, valued, problem.max_patterns, fit.threads)


def _positions(candidates: Candidates, rules: Iterable[Pattern]) -> Choice:
    found = (candidates.find(pattern) for pattern in rules)
    return tuple(k for k in found if k is not None)
