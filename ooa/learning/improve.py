"""Good rule sets within a fit: a greedy start, local search, and with constraints whatever meets them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ooa.candidates.candidates import Candidates, prices
from ooa.candidates.screening import InformationGain
from ooa.clock import Deadline
from ooa.data.bitsets import n_words
from ooa.data.rows import DistinctRows
from ooa.formulations.base import required_patterns
from ooa.rules.ruleset import RuleSet
from ooa.search.local_search import Choice, LocalSearch

from .constrained import search_constrained
from .state import Fit

__all__ = [
    "greedy_start",
    "local_search",
    "promising",
    "search_the_rest",
    "start_if_too_large",
    "too_late",
    "width_in_time",
]


def local_search(
    fit: Fit,
    candidates: Candidates,
    deadline: Deadline,
    starts: Iterable[RuleSet] = (),
    price_rounds: int | None = None,
) -> None:
    """Improve the best rule set of a fit by local search; the very first search runs in any case.

    Parameters
    ----------
    fit : the fit in progress
    candidates : patterns to choose from
    deadline : when it ends
    starts : rule sets that are good without constraints, to begin with where there are some
    price_rounds : how many prices for constraints are tried; by default as many as the policy has
    """
    policy, lengths = fit.policy, np.unique(candidates.length)
    constrained, found = bool(fit.problem.constraints), list(starts)
    brief = constrained and price_rounds is not None
    if brief and found:  # what is best without them is known
        lengths = lengths[-1:]
    free = deadline.share_of_rest(policy.ignoring_share) if constrained else deadline
    for i, length in enumerate(lengths):
        # Short ones first: among few candidates it finds what it would miss among many.
        chosen = np.flatnonzero(candidates.length <= length)
        left = len(lengths) - i
        rounds = policy.most_rounds if left == 1 and not brief else policy.fewer_rounds
        width = policy.search_width
        part, seconds = free.share_of_rest(1 / left), free.left()
        if seconds is not None:  # about what it can look at
            width = int(min(max(seconds / left * width, policy.least_search_width), width))
            width = width_in_time(fit, width, seconds / left)
            if seconds == 0.0 and len(fit.best.rules):
                break
        found.append(
            _search(fit, candidates, promising(candidates, chosen, fit.problem.rows, width), part, rounds)
        )
    if constrained and not fit.over:
        search_constrained(fit, candidates, found, deadline, price_rounds or policy.price_rounds)


def search_the_rest(fit: Fit, candidates: Candidates) -> None:
    """Local search among the best of what screening has left, where that is more than it looks at.

    It takes a few tenths of a second, and only where the proof will take longer than that.
    """
    policy, everything = fit.policy, np.arange(len(candidates))
    until = fit.timing.deadline.share_of_rest(policy.search_share)
    for width in policy.left_widths:
        if len(candidates) > policy.search_width and not until.passed():
            chosen = promising(candidates, everything, fit.problem.rows, width_in_time(fit, width))
            _search(fit, candidates, chosen, until, policy.most_rounds)
    fit.timing.book("incumbent")


def greedy_start(fit: Fit, candidates: Candidates, rounds: int = 0) -> None:
    """A first rule set in next to no time, from the most promising candidates by greedy growth.

    With `rounds`, it is kicked until so many kicks in a row have failed.
    """
    everything = np.arange(len(candidates))
    width = width_in_time(fit, fit.policy.greedy_width)
    chosen = promising(candidates, everything, fit.problem.rows, width)
    _search(fit, candidates, chosen, fit.timing.deadline, rounds)


def start_if_too_large(fit: Fit, candidates: Candidates) -> None:
    """A greedy start where, for all that is known, rule sets may have too many patterns to be searched."""
    most = fit.problem.most_patterns(fit.best.upper)
    too_large = most is None or most > fit.policy.most_searched_patterns
    if too_large and not fit.problem.constraints and not fit.over:
        greedy_start(fit, candidates)


def width_in_time(fit: Fit, width: int, seconds: float | None = None) -> int:
    """As many candidates as are asked for, or as the rows allow that can be gone through in time.

    Parameters
    ----------
    fit : the fit in progress
    width : how many are asked for
    seconds : what there is; by default what is left of the fit's time
    """
    left = fit.timing.deadline.left() if seconds is None else seconds
    if left is None:
        return width
    in_time = int(left * fit.policy.pattern_words_per_second / n_words(fit.problem.rows.n_rows))
    return max(min(width, in_time), min(width, fit.policy.least_looked_at))


def _search(
    fit: Fit, candidates: Candidates, chosen: NDArray[np.intp], deadline: Deadline, rounds: int
) -> RuleSet:
    """One search over the chosen candidates; what is returned need not meet the constraints."""
    if fit.log.interrupted or not len(chosen):
        return RuleSet([])
    problem = fit.problem
    required = required_patterns(problem.constraints)
    kept = [*fit.best.rules, *required]
    among = candidates.take(chosen).joined(Candidates.of_patterns(problem.rows, kept))
    fit.log.line.update(f"local search over {len(among):,} pattern{'s' if len(among) != 1 else ''}")
    price = prices(among, problem.objective, problem.total)
    local = LocalSearch(
        among.holds,
        problem.rows.positive,
        problem.rows.negative,
        price,
        problem.max_patterns,
        items=among.items,
        threads=fit.threads,
    )
    known = tuple(k for pattern in fit.best.rules if (k := among.find(pattern)) is not None)

    def offer(found: Choice) -> None:
        fit.best.offer(RuleSet([among.pattern(k) for k in found]))

    best = local.run(
        known,
        seed=fit.params.seed,
        rounds=min(rounds, 3 + len(among) // 100),
        work=fit.policy.search_work,
        deadline=deadline,
        improved=offer,
    )
    fit.log.interrupted |= local.interrupted
    if problem.constraints and not fit.log.interrupted:
        origin = tuple(k for p in required if (k := among.find(p)) is not None)
        _search_feasible(fit, local, among, origin, deadline)
    return RuleSet([among.pattern(k) for k in best])


def _search_feasible(
    fit: Fit, local: LocalSearch, among: Candidates, origin: Choice, deadline: Deadline
) -> None:
    """Offer everything that greedy growth passes through, from sensitive to specific.

    If none of it meets the constraints, growth starts once more from the best pattern on each
    attribute, for the sake of constraints that require one.
    """
    tried: set[Choice] = set()

    def grow_from(first: Choice) -> None:
        for harshness in fit.policy.harshness:
            if deadline.passed():
                return
            grown = local.grow(first, harshness)
            for size in range(len(grown), len(first) - 1, -1):
                part = tuple(sorted(grown[:size]))
                if deadline.passed():
                    return
                if part not in tried:
                    tried.add(part)
                    fit.best.offer(RuleSet([among.pattern(k) for k in part]))

    grow_from(origin)
    if fit.best.upper is None:
        merit = among.positive - among.negative
        on = np.array([literal.attribute for literal in among.literals] + [""])[among.items]
        for name in [attribute.name for attribute in fit.problem.table.attributes]:
            if deadline.passed():
                return
            such = np.flatnonzero((on == name).any(axis=1))
            if len(such):
                grow_from((*origin, int(such[np.argmax(merit[such])])))


def promising(
    candidates: Candidates, chosen: NDArray[np.intp], rows: DistinctRows, width: int
) -> NDArray[np.intp]:
    """If too many are chosen, the best of them by information gain, by net gain, and the broadest pure."""
    if len(chosen) <= width:
        return chosen
    positive, negative = candidates.positive[chosen], candidates.negative[chosen]
    gain = InformationGain(rows.positive.sum(), rows.negative.sum())
    merits = (
        gain(positive, negative, candidates.length[chosen]),
        positive - negative,
        positive - 1e6 * negative,
    )
    third = width // 3
    best = np.unique(np.concatenate([np.argpartition(-merit, third)[:third] for merit in merits]))
    few: NDArray[np.intp] = chosen[best]
    return few


def too_late(fit: Fit, candidates: Candidates) -> bool:
    """Whether time is over, and going through all candidates once more takes longer than a moment."""
    moment = fit.policy.moment * fit.policy.pattern_words_per_second
    return candidates.words > moment and fit.over
