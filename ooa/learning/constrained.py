"""Constraints within a fit: what they exclude, good rule sets that meet them, and bounds that count them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
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
from ooa.search.local_search import Choice
from ooa.solving.prepare import FEASIBILITY

from .progress import BestKnown, Freely, Log
from .prove import Proof, search_exactly
from .state import Fit
from .valuation import free_valuation, net_values, penalised_valuation
from .within_limits import KeepingToLimits, PricedLimits, WithinLimits

__all__ = [
    "all_counted",
    "free_first",
    "only_allowed",
    "prove_constrained",
    "search_constrained",
    "without_constraints",
]


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


def all_counted(fit: Fit, candidates: Candidates) -> bool:
    """Whether a search can count all that the constraints of a fit say."""
    return read(candidates, fit.problem, FEASIBILITY).complete


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
        quick = replace(free, policy=replace(policy, rough_seconds=0.0))
        proof = search_exactly(quick, candidates, without={*without, "separation"}, briefly=True)
        # What does not meet them is no answer, however well it is proved.
        if not _closed(free, proof.bound) and fit.best.problem.meets(free.best.rules):
            left = proof.left
            proof = search_exactly(
                free, candidates.take(left), without={*without, "separation"}, before=proof
            )
            proof = replace(proof, left=left[proof.left])
    _keep_free(fit, free, proof)
    return free.best.rules, proof


def _keep_free(fit: Fit, free: Fit, proof: Proof) -> None:
    """Note what was found out without the constraints."""
    fit.best.offer(free.best.rules)
    value = free.best.upper
    assert value is not None  # the empty set is one
    fit.best.freely = Freely(free.best.rules, value, _closed(free, proof.bound))


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
    _say_who_counts(fit, counted)
    if not len(counted.limit) or deadline.passed():
        return None
    fit.log.line.update(f"local search with constraints over {len(candidates):,} patterns")
    search = _search(fit, candidates, counted)

    def offer(found: Choice) -> None:
        fit.best.offer(RuleSet([candidates.pattern(k) for k in found]))

    begin = [_positions(candidates, rules) for rules in (*starts, *fit.best.between)]
    with fit.log.interruptible():
        search.run(begin, rounds=rounds, seed=fit.params.seed, deadline=deadline, found=offer)
        fit.best.between = tuple(RuleSet([candidates.pattern(k) for k in one]) for one in search.tight())
    return search


def _say_who_counts(fit: Fit, counted: Counted) -> None:
    """Which constraints the search counts, and which it leaves to a solver, as the certificate says, too."""
    for constraint in fit.problem.constraints:
        name = describe(constraint)
        if constraint not in counted.left:
            logger.info("%s: counted by the search", name)
            continue
        logger.info("%s: left to the solver", name)
        note = f"the search cannot count {name}: what it found was tested for it, its bound is one without it"
        if note not in fit.log.notes:
            fit.log.notes.append(note)


def prove_constrained(fit: Fit, candidates: Candidates, without: Collection[str] = ()) -> Fraction | None:
    """A bound on what meets the constraints, up to the proof, by exact searches that count them.

    First they are prices: any search without constraints does for that, with all it has. Then a search that
    keeps to their limits closes what is left. Prices come from a local search, which may find better rule
    sets as well; whatever they are, the bounds hold (docs/formulation.md). None if nothing can be said.
    """
    policy = fit.policy
    passes = [(policy.first_price_rounds, _attempt), (policy.price_rounds, _prove_by_sums)]
    many = len(candidates) > policy.quick
    if many or _asks_for_more(read(candidates, fit.problem, FEASIBILITY)):
        # An attempt would be in vain, and prices were tried before.
        passes = [(policy.fewer_rounds, _prove_by_sums)]
    bound = _prove_freely(fit, candidates, without)
    if fit.over or _closed(fit, bound):
        return bound
    for rounds, close in passes:
        deadline = fit.timing.deadline.share_of_rest(policy.prices_share)
        search = search_constrained(fit, candidates, [fit.best.rules], deadline, rounds)
        fit.timing.book("incumbent")
        priced = None if search is None or fit.over else PricedLimits.of(fit, candidates, search)
        if priced is None:
            break
        # What is not counted is left to a solver, which needs some of the time.
        share = None if priced.countable else policy.relaxed_turn
        with fit.timing.within(fit.timing.deadline.share_of_rest(share).left() if share else None):
            bound = _best((bound, close(fit, candidates, priced, without, bound)))
        if fit.over or _closed(fit, bound):
            break
    return bound


def _asks_for_more(counted: Counted) -> bool:
    """Whether constraints only ask for rows to be covered: without pairs no bound comes near then."""
    return bool(len(counted.limit) and (counted.on_rows <= 0).all() and (counted.on_patterns <= 0).all())


def _prove_freely(fit: Fit, candidates: Candidates, without: Collection[str]) -> Fraction | None:
    """A bound without the constraints, where that was not proved in a short time and promises something.

    It does if the best rule set without them meets them, and among many patterns, where nothing else would
    get as far; but limits on sums that only grow exclude more early.
    """
    known, policy = fit.best.freely, fit.policy
    if known is None or known.proved:
        return None
    if known.value != fit.best.upper:
        many = len(candidates) > policy.quick
        if not many or read(candidates, fit.problem, FEASIBILITY).closed_below:
            return None
    free = without_constraints(fit)
    free.best.offer(known.rules)
    with fit.timing.within(fit.timing.deadline.share_of_rest(policy.relaxed_turn).left()):
        proof = search_exactly(free, candidates, None, without)
    _keep_free(fit, free, proof)
    return proof.bound


def _best(bounds: Iterable[Fraction | None]) -> Fraction | None:
    """The best of some bounds, as far as they are known."""
    return max((bound for bound in bounds if bound is not None), default=None)


def _closed(fit: Fit, bound: Fraction | None) -> bool:
    upper = fit.best.upper
    return bound is not None and upper is not None and fit.problem.closes(bound, upper)


def _attempt(
    fit: Fit,
    candidates: Candidates,
    priced: PricedLimits,
    without: Collection[str],
    bound: Fraction | None,
) -> Fraction | None:
    """A bound in a short time, without a linear program: often that is the proof."""
    short, long = fit.policy.limited_attempt_seconds
    keeps = priced.possible and (priced.counted.closed_below or priced.mixed)
    if keeps:
        bound = _best((bound, _within(KeepingToLimits(fit, candidates, priced), short)))
    if fit.over or _closed(fit, bound):
        return bound
    quick = replace(fit, policy=replace(fit.policy, rough_seconds=0.0))
    valued = penalised_valuation(fit.problem, priced.counted, priced.penalised, priced.most)
    proof = search_exactly(quick, candidates, None, {*without, "separation"}, valued, briefly=True)
    bound = _best((bound, proof.bound))
    if not keeps or fit.over or _closed(fit, bound):
        return bound
    kind = WithinLimits if priced.mixed else KeepingToLimits
    return _best((bound, _within(kind(fit, candidates, priced, proof), long)))


def _within(limited: WithinLimits, seconds: float | None = None) -> Fraction | None:
    """What a search within the limits proves, in an attempt at the whole proof of so many seconds if any."""
    with limited.interruptible():
        if seconds is None:
            limited.close_gap()
        else:
            limited.attempt(seconds)
    return limited.proved


def _prove_by_sums(
    fit: Fit,
    candidates: Candidates,
    priced: PricedLimits,
    without: Collection[str],
    bound: Fraction | None,
) -> Fraction | None:
    """A bound on what meets the sums, by prices on them and, if possible, within their limits.

    `bound` is what is known by then.
    """
    valued = penalised_valuation(fit.problem, priced.counted, priced.penalised, priced.most)
    # Where no pattern can stand in for another, prices, beside which they can, prove more for their time.
    possible, mixed = priced.possible, priced.mixed
    part = fit.timing.deadline.share_of_rest(fit.policy.priced_share) if possible and mixed else None
    later = replace(fit, policy=replace(fit.policy, early_attempt_seconds=0.0))  # there was one
    with fit.timing.within(None if part is None else part.left()):
        proof = search_exactly(later, candidates, None, without, valued, briefly=possible and not mixed)
    proof = replace(proof, bound=_best((bound, proof.bound)))
    if not possible or fit.over or _closed(fit, proof.bound):
        return proof.bound
    kind = KeepingToLimits if priced.counted.closed_below else WithinLimits
    proved = _within(kind(fit, candidates, priced, proof))
    fit.timing.book("searching")
    return proved


def _search(fit: Fit, candidates: Candidates, counted: Counted) -> ConstrainedSearch:
    problem = fit.problem
    free = free_valuation(problem, candidates)
    valued = Valued(net_values(problem, counted.on_rows.shape[1]), free.price)
    return ConstrainedSearch(counted, valued, problem.max_patterns, fit.threads)


def _positions(candidates: Candidates, rules: Iterable[Pattern]) -> Choice:
    found = (candidates.find(pattern) for pattern in rules)
    return tuple(k for k in found if k is not None)
