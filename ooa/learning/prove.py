"""The exact search within a fit: bounds that tighten step by step, up to the proof."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ooa.candidates.candidates import Candidates
from ooa.search.branch_and_bound import Branching, PairMultipliers
from ooa.search.parts import workers

from .gaps import ProofByGaps
from .state import Fit
from .valuation import Valuation, free_valuation

__all__ = ["Improvement", "Proof", "search_exactly"]


@dataclass(frozen=True, eq=False)
class Proof:
    """What the exact search found out.

    Attributes
    ----------
    bound : no set of candidates has a smaller L, if anything is known; the value of the best once proved
    left : the candidates that no other one can stand in for, as far as there was time to look
    multipliers : of rows and pairs of them, if a linear program was solved
    """

    bound: Fraction | None
    left: NDArray[np.int64]
    multipliers: PairMultipliers | None = None


class Improvement(NamedTuple):
    """A search for a good rule set that waits for an attempt at the proof, and whether it takes long."""

    run: Callable[[], None]
    long: bool


def search_exactly(
    fit: Fit,
    candidates: Candidates,
    improve: Improvement | None = None,
    without: Collection[str] = (),
    valuation: Valuation | None = None,
    briefly: bool = False,
    before: Proof | None = None,
) -> Proof:
    """Search all sets of candidates for the best.

    Better rule sets go to the fit as they are found. All values are whole multiples of the objective's grid,
    and bounds by multipliers, which are not, leave half a step for rounding. Constraints are ignored, but for
    what a valuation has of them: the bound is that of a problem without them, which holds beside them all the
    more.

    Parameters
    ----------
    fit : the fit in progress; its solver is for a linear program where the search alone is not enough
    candidates : patterns to choose from; `ooa.learning.plan.why_no_search` must be None
    improve : a search for a good rule set to be done if a first attempt is in vain
    without : "dominance", "multipliers", "separation", to see what they bring
    valuation : what sets are worth; by default, what they are worth without constraints
    briefly : whether it ends after the linear program, as somebody else goes on
    before : what an earlier search found out about these candidates: it goes on from there
    """
    valued = valuation or free_valuation(fit.problem, candidates)
    search = _Search(fit, candidates, valued, multipliers="multipliers" not in without)
    with fit.log.interruptible():
        if before is None:
            if "dominance" not in without:
                search.drop_dominated()
            search.look_first(improve, separate="separation" not in without)
        else:
            search.take_over(before)
        if "separation" not in without:
            search.separate()
        if not briefly:
            search.close_gap()
    fit.timing.book("searching")
    every = np.concatenate([search.sets.names, search.sets.settled])
    return Proof(search.proved, np.sort(every), search.sets.pair_multipliers)


class _Search(ProofByGaps):
    """The search through the sets of candidates.

    Attributes
    ----------
    sets : the sets of candidates, see there
    """

    def __init__(self, fit: Fit, candidates: Candidates, valued: Valuation, *, multipliers: bool) -> None:
        super().__init__(fit, candidates, valued.everything)
        self._valued, self._multipliers = valued, multipliers
        # Whatever is worth it counts, also what constraints exclude, as the empty set may be.
        self._highest = valued.cost(max(0, valued.most))
        self.sets = Branching(
            valued.bits,
            valued.positive,
            valued.negative,
            valued.price,
            fit.problem.most_patterns(fit.best.upper) or 1,
            items=valued.items,
            multipliers=multipliers,
            threads=fit.threads,
        )
        self.sets.free, self.sets.crew = not fit.deterministic, workers(fit.threads)

    def drop_dominated(self) -> None:
        """Drop what a cheaper one can stand in for."""
        until = self._deadline.share_of_rest(self._fit.policy.dominance_share)
        self.sets.drop_hopeless(self._valued.aim(self._target(0)))
        self.sets.drop_dominated(lambda share: self._go_on(share, until, "drops dominated patterns"))
        self._fit.timing.book("dominance")

    def look_first(self, improve: Improvement | None, *, separate: bool) -> None:
        """Attempts at the whole proof, and coarse gaps, before a linear program; on the way, `improve`."""
        policy, long = self._fit.policy, improve is not None and improve.long
        self.sets.quick = separate  # there are pairs soon, so none are looked for
        if improve is not None:
            self.attempt(policy.brief_attempt_seconds)
            if long:  # there is a start as it is
                self.close_gap(policy.rough_seconds, policy.attempt_gap)
                if self.near(policy.attempt_gap):
                    self.attempt(policy.first_attempt_seconds)
            if not self.final:
                improve.run()
        if not long and not (separate and self._soon_separated()):
            self.attempt(policy.early_attempt_seconds)
            self.close_gap(policy.rough_seconds)
        self.sets.quick = False

    def _soon_separated(self) -> bool:
        """Whether the linear program takes less time than an attempt without it."""
        (patterns, pairs), sets = self._fit.policy.few_separated, self.sets
        few = 0 < len(sets) <= patterns and sets.can_add_pair_cuts()
        return not self.final and few and sets.pairs_told_apart() <= pairs

    def take_over(self, before: Proof) -> None:
        """Go on from what an earlier search has found out."""
        if before.multipliers is not None:
            self.sets.start_from(before.multipliers)
        if before.bound is not None:
            self._prove(math.floor(before.bound * self._fit.problem.total / self.step))

    def separate(self) -> None:
        """A bound by a linear program over pairs of rows, which also sharpens the bounds of the search."""
        fit = self._fit
        if self.final or self.sets.pair_multipliers is not None:
            return
        if not self.sets.can_add_pair_cuts((1 - fit.policy.patterns_memory) * fit.memory):
            return
        left = self._deadline.left()
        if left is not None and self.sets.words > left * fit.policy.unpacked_words_per_second:
            return
        fit.log.line.update("exact search: a linear program with pair cuts")
        # What these programs say is checked by counting, so that nobody needs to confirm it.
        params = fit.params.changed(time_limit=None, log=None, progress=None, options={}, confirm=False)
        known = self._valued.aim(self._target(0))
        policy, until = fit.policy, self._deadline.share_of_rest(fit.policy.separation_share)
        if left is not None and policy.separation_share * left < policy.separation_seconds:
            until = self._deadline.share_of_rest(policy.short_share, policy.separation_seconds)
        self._prove(self._valued.cost(self.sets.add_pair_cuts(known, fit.solver, params, until)))
        self._taken.clear()  # what gaps took without it tells nothing of the next
        fit.timing.book("linear program")

    def _run(self, most: int, go_on: Callable[[float], bool]) -> bool:
        valued, sets, left = self._valued, self.sets, self._deadline.left()
        # They are not stopped on the way.
        in_time = left is None or sets.words <= left * self._fit.policy.multiplied_words_per_second
        sets.multipliers = self._multipliers and in_time
        return sets.run(valued.aim(most), valued.aim(self._target(0)), go_on)

    def _found(self) -> tuple[int, Sequence[int]]:
        found = self._valued.cost(self.sets.best)
        if self.sets.choice and self._highest is not None:
            self._highest = min(self._highest, found)
        return found, self.sets.choice

    def _left_open(self) -> int | None:
        return self._valued.cost(self.sets.bound)

    def _keep_done(self) -> None:
        self.sets.drop_settled(self._valued.aim(self._target(self._wanted)))
