"""Local search within a fit: short candidates first, and with constraints whatever meets them."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from ooa.candidates.candidates import Candidates, prices
from ooa.candidates.screening import information_gain
from ooa.clock import CLOCK, NEVER, Deadline
from ooa.constraints.structure import require_pattern
from ooa.data.rows import DistinctRows
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet
from ooa.search.local_search import Choice, LocalSearch

from .state import Fit

#: Local search looks at no more candidates than this, the best by information gain and by net gain.
SEARCH_WIDTH = 20_000
#: Words of coverage that one local search goes through: seconds, but the same on every machine.
SEARCH_WORK = 10**8
#: Kicks in a row that may fail, among all candidates and among the shorter ones; fewer where there are so
#: few that the proof takes less time.
MOST_ROUNDS, FEWER_ROUNDS = 30, 8
#: Candidates that a first glance takes in.
GLANCE_WIDTH = 1_000
#: How much a negative counts against a positive, from very sensitive to very specific rule sets.
_HARSHNESS = (1.0, 0.3, 3.0, 0.1, 10.0, 0.02, 1e6)


def search(fit: Fit, candidates: Candidates, end: float | None) -> None:
    """Improve the best rule set of a fit by local search.

    Parameters
    ----------
    fit : the fit in progress
    candidates : patterns to choose from
    end : instant of `time.monotonic()` at which to stop; the very first search runs in any case
    """
    lengths = np.unique(candidates.length)
    for i, length in enumerate(lengths):
        # Short ones first: among few candidates it finds what it would miss among many.
        chosen = np.flatnonzero(candidates.length <= length)
        left = len(lengths) - i
        _search(fit, candidates, chosen, end, 1 / left, MOST_ROUNDS if left == 1 else FEWER_ROUNDS)


def glance(fit: Fit, candidates: Candidates, rounds: int = 0) -> None:
    """A first rule set in next to no time, from the most promising candidates by greedy growth.

    With `rounds`, it is kicked until so many kicks in a row have failed.
    """
    chosen = np.arange(len(candidates))
    if len(chosen) > GLANCE_WIDTH:
        chosen = _promising(candidates, chosen, fit.rows, GLANCE_WIDTH)
    _search(fit, candidates, chosen, None, 1.0, rounds)


def _search(
    fit: Fit, candidates: Candidates, chosen: NDArray[np.intp], end: float | None, share: float, rounds: int
) -> None:
    """One search over the most promising of the chosen candidates, in a share of the time left."""
    now = time.monotonic()
    deadline, width = None, SEARCH_WIDTH
    if end is not None:
        left = max(0.0, end - now)
        deadline = now + share * left
        width = int(min(max(share * left * SEARCH_WIDTH, 1000), SEARCH_WIDTH))  # about what it can look at
    if fit.interrupted or not len(chosen) or (deadline == now and len(fit.best)):
        return
    if len(chosen) > width:
        chosen = chosen[_promising(candidates, chosen, fit.rows, width)]
    required = [c.pattern for c in fit.constraints if isinstance(c, require_pattern)]
    kept = [*fit.best, *(pattern for pattern in required if isinstance(pattern, Pattern))]
    among = candidates.take(chosen).joined(Candidates.of_patterns(fit.rows, kept))
    fit.line.update(f"local search over {len(among):,} patterns")
    price = prices(among, fit.objective, fit.total)
    local = LocalSearch(among, fit.rows, price, fit.max_patterns)
    known = tuple(k for pattern in fit.best if (k := among.find(pattern)) is not None)
    rounds = min(rounds, 3 + len(among) // 100)

    def offer(found: Choice) -> None:
        fit.offer(RuleSet([among.pattern(k) for k in found]))

    until = NEVER if deadline is None else Deadline(CLOCK, now, deadline)
    local.run(known, seed=fit.params.seed, rounds=rounds, work=SEARCH_WORK, deadline=until, improved=offer)
    fit.interrupted |= local.interrupted
    if fit.constraints and not fit.interrupted:
        origin = tuple(k for p in required if isinstance(p, Pattern) and (k := among.find(p)) is not None)
        _search_feasible(fit, local, among, origin, deadline)


def _search_feasible(
    fit: Fit, local: LocalSearch, among: Candidates, origin: Choice, deadline: float | None
) -> None:
    """Offer everything that greedy growth passes through, from sensitive to specific.

    If none of it meets the constraints, growth starts once more from the best pattern on each
    attribute, for the sake of constraints that require one.
    """
    tried: set[Choice] = set()

    def grow_from(first: Choice) -> None:
        for harshness in _HARSHNESS:
            grown = local.grow(first, harshness)
            for size in range(len(grown), len(first) - 1, -1):
                part = tuple(sorted(grown[:size]))
                if deadline is not None and time.monotonic() > deadline:
                    return
                if part not in tried:
                    tried.add(part)
                    fit.offer(RuleSet([among.pattern(k) for k in part]))

    grow_from(origin)
    if fit.upper is None:
        merit = among.positive - among.negative
        on = np.array([literal.attribute for literal in among.literals] + [""])[among.items]
        for name in [attribute.name for attribute in fit.table.attributes]:
            such = np.flatnonzero((on == name).any(axis=1))
            if len(such):
                grow_from((*origin, int(such[np.argmax(merit[such])])))


def _promising(
    candidates: Candidates, chosen: NDArray[np.intp], rows: DistinctRows, width: int
) -> NDArray[np.intp]:
    """Positions, among the chosen, of the best by information gain, by net gain, and of the broadest pure."""
    positive, negative = candidates.positive[chosen], candidates.negative[chosen]
    gain = information_gain(rows.positive.sum(), rows.negative.sum())
    merits = (
        gain(positive, negative, candidates.length[chosen]),
        positive - negative,
        positive - 1e6 * negative,
    )
    third = width // 3
    return np.unique(np.concatenate([np.argpartition(-merit, third)[:third] for merit in merits]))
