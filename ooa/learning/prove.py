"""The exact search within a fit: bounds that tighten step by step, up to the proof."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ooa.candidates.candidates import Candidates
from ooa.clock import Deadline
from ooa.rules.ruleset import RuleSet
from ooa.search.branch_and_bound import Branching, PairMultipliers

from .policy import POLICY, Policy
from .state import Fit
from .valuation import Valuation, free_valuation

__all__ = ["Improvement", "Proof", "ProofByGaps", "next_gap", "search_exactly"]


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
    policy = fit.policy
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
            if search.near(policy.attempt_gap):
                search.attempt(policy.attempt_seconds)
            search.close_gap()
    fit.timing.book("searching")
    every = np.concatenate([search.sets.names, search.sets.settled])
    return Proof(search.proved, np.sort(every), search.sets.pair_multipliers)


class ProofByGaps(ABC):
    """A proof in steps: nothing is better than the best known by a gap, then by a smaller one, and so on.

    Parameters
    ----------
    fit : the fit in progress
    candidates : patterns to choose from
    everything : what the empty set costs, in steps of the objective's grid

    Attributes
    ----------
    step : the unit
    bound : nothing is below this value, in units, if something is known
    final : whether nothing is left to be done
    """

    def __init__(self, fit: Fit, candidates: Candidates, everything: int) -> None:
        self._fit, self._candidates, self._everything = fit, candidates, everything
        self._highest: int | None = None  # what is of interest costs no more, in any case
        self._deadline = fit.timing.deadline.within(None)
        self._wanted, self.step = fit.params.relative_gap, fit.problem.step
        self._taken: list[tuple[float, float]] = []  # gaps proved, and what they took
        self.bound: int | None = None
        self.final = False

    @abstractmethod
    def _run(self, most: int, go_on: Callable[[float], bool]) -> bool:
        """Look for sets that cost less; return whether all were gone through."""

    @abstractmethod
    def _found(self) -> tuple[int, Sequence[int]]:
        """What no set costs less than, once all were gone through, and the best set met on the way."""

    def _left_open(self) -> int | None:
        """What no set costs less than although not all were gone through, if that is known."""
        return None

    def _keep_done(self) -> None:
        """Spare the next attempts what one has done that was cut short, if that can be."""
        return

    def near(self, gap: float) -> bool:
        """Whether the gap that is left is no larger than this."""
        return self.bound is not None and self.bound >= self._target(gap)

    @property
    def proved(self) -> Fraction | None:
        """No set of candidates has a smaller L, if anything is known."""
        return None if self.bound is None else self.bound * self.step / self._fit.problem.total

    def attempt(self, most_seconds: float) -> None:
        """The whole proof, in a short time."""
        if not self.final and not self._deadline.passed():
            share = self._fit.policy.attempt_share
            self._exclude(self._wanted, self._deadline.share_of_rest(share, most_seconds))
            self._fit.timing.book("searching")

    def close_gap(self, most_seconds: float = math.inf) -> None:
        """One gap after the other, up to the proof, or as far as these seconds reach."""
        policy, clock, end = self._fit.policy, self._deadline.clock, self._deadline
        if most_seconds != math.inf:
            end = self._deadline.share_of_rest(policy.attempt_share, most_seconds)
        gap, spent = math.inf, 0.0
        while not self.final and not end.passed():
            began = clock.now()
            gap = next_gap(gap, spent, self._wanted, end.left(), policy, self._steepness())
            # The last one is searched for in any case: only that says whether it is final.
            needed = gap == self._wanted or self._target(gap) > (self.bound or 0)
            if needed and not self._exclude(gap, end):
                break
            spent = clock.now() - began
            if needed and spent >= policy.timed_seconds:
                self._taken.append((gap, spent))

    def _steepness(self) -> float:
        """How fast the time grows as gaps get smaller: as between the last two that took a while."""
        policy = self._fit.policy
        if len(self._taken) < 2:
            return policy.steepness
        (wide, before), (narrow, after) = self._taken[-2:]
        if wide <= narrow:
            return policy.steepness
        growth = math.log(after / before) / (wide - narrow)
        return min(max(growth, policy.least_steepness), policy.most_steepness)

    def _target(self, gap: float) -> int:
        """The value of what is better by this gap than the best known."""
        upper = self._fit.best.upper
        assert upper is not None
        known = int(upper * self._fit.problem.total / self.step)
        if self._highest is not None:
            known = min(known, self._highest)
        return known - math.floor(Fraction(gap) * known)

    def _prove(self, value: int) -> None:
        """Note that nothing is below a value."""
        self.bound = max(value, self.bound or 0)
        self._fit.timing.watch(self.bound, self._target(0))
        self.final = self.final or self.bound >= self._target(self._wanted)
        problem = self._fit.problem
        self._fit.log.note_bound(problem.grid.below(self.bound * self.step / problem.total))

    def _exclude(self, gap: float, until: Deadline) -> bool:
        """Look for what is better by more than the gap; return whether time was long enough."""
        most, aim = self._target(gap), f"for gap {100 * gap:.3g} %" if gap else "for the proof"
        timing = self._fit.timing
        began = timing.elapsed()

        def go_on(share: float) -> bool:
            if gap == self._wanted:
                timing.pace(timing.elapsed() - began, share)
            return self._go_on(share, until, aim)

        try:
            done = self._run(most, go_on)
        finally:  # whatever ends it
            value, choice = self._found()
            if choice:
                self._fit.best.offer(RuleSet([self._candidates.pattern(k) for k in choice]))
        if done:
            value = min(most, value)
            self.final = self.final or value < most  # what was found beyond the target is the optimum
            self._prove(value)
            return True
        if (so_far := self._left_open()) is not None:
            self._prove(so_far)
        if not self.final:
            self._keep_done()
        return False

    def _go_on(self, share: float, until: Deadline, aim: str) -> bool:
        total = self._fit.problem.total
        known = (
            ""
            if self.bound is None
            else f", bound over these patterns {float(self.bound * self.step / total):.5f}"
        )
        best = float(self._fit.best.upper or 0)
        self._fit.log.line.update(f"exact search {aim}: {100 * share:.0f} %, best {best:.5f}{known}")
        return not until.passed()


class _Search(ProofByGaps):
    """The search through the sets of candidates.

    Attributes
    ----------
    sets : the sets of candidates, see there
    """

    def __init__(self, fit: Fit, candidates: Candidates, valued: Valuation, *, multipliers: bool) -> None:
        super().__init__(fit, candidates, valued.everything)
        self._valued, self._multipliers = valued, multipliers
        if valued.free:
            self._highest = valued.everything  # the empty set counts, also where constraints exclude it
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
        self.sets.free = not fit.deterministic

    def drop_dominated(self) -> None:
        """Drop what a cheaper one can stand in for."""
        until = self._deadline.share_of_rest(self._fit.policy.dominance_share)
        self.sets.drop_dominated(lambda share: self._go_on(share, until, "drops dominated patterns"))
        self._fit.timing.book("dominance")

    def look_first(self, improve: Improvement | None, *, separate: bool) -> None:
        """Attempts at the whole proof, and coarse gaps, before a linear program; on the way, `improve`."""
        policy, soon = self._fit.policy, improve is not None and not improve.long
        self.sets.quick = separate  # there are pairs soon, so none are looked for
        if improve is not None:
            self.attempt(policy.brief_attempt_seconds if soon else policy.first_attempt_seconds)
            if improve.long:  # there is a start as it is
                self.close_gap(policy.rough_seconds)
            if not self.final:
                improve.run()
        if improve is None or soon:
            self.attempt(policy.early_attempt_seconds)
        self.close_gap(policy.rough_seconds)
        self.sets.quick = False

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
        known = max(0, self._valued.aim(self._target(0)))
        until = self._deadline.share_of_rest(fit.policy.separation_share)
        self._prove(self._valued.cost(self.sets.add_pair_cuts(known, fit.solver, params, until)))
        self._taken.clear()  # what gaps took without it tells nothing of the next
        fit.timing.book("linear program")

    def _run(self, most: int, go_on: Callable[[float], bool]) -> bool:
        valued, sets, left = self._valued, self.sets, self._deadline.left()
        if valued.aim(most) < 0:  # the empty set seems to be worth more, as constraints count here
            return False
        # They are not stopped on the way.
        in_time = left is None or sets.words <= left * self._fit.policy.multiplied_words_per_second
        sets.multipliers = self._multipliers and in_time
        return sets.run(valued.aim(most), valued.aim(self._target(0)), go_on)

    def _found(self) -> tuple[int, Sequence[int]]:
        return self._valued.cost(self.sets.best), self.sets.choice

    def _left_open(self) -> int | None:
        return self._valued.cost(self.sets.bound)

    def _keep_done(self) -> None:
        self.sets.drop_settled(self._valued.aim(self._target(self._wanted)))


def next_gap(
    now: float,
    spent: float,
    wanted: float,
    left: float | None,
    policy: Policy = POLICY,
    steepness: float = POLICY.steepness,
) -> float:
    """The gap to be proved next: one from the list, or one that takes a few times as long as the last.

    Parameters
    ----------
    now : the gap that was proved last, infinite at first
    spent : seconds that it took
    wanted : the gap that ends it all
    left : seconds left, or None
    policy : how much of the time may be risked
    steepness : how the time grows from gap to gap: by exp(steepness) per unit

    Examples
    --------
    >>> next_gap(math.inf, 0.0, 0.0, 60.0)
    0.6
    >>> round(next_gap(0.1, 1.0, 0.0, 60.0), 3)  # this will take 4 s
    0.057
    >>> next_gap(0.04, 9.0, 0.0, 50.0)  # the proof will take 32 s
    0.0
    >>> round(next_gap(0.15, 10.0, 0.0, 40.0), 3)  # 24 s, where the usual step would take all that is left
    0.123
    """
    if left is None or spent < policy.telling_seconds:
        return next((rung for rung in policy.rungs if wanted < rung < now), wanted)
    growth = max(policy.least_growth, min(policy.most_growth, policy.next_share * left / spent))
    if math.exp(steepness * (now - wanted)) <= min(policy.last_growth, policy.last_share * left / spent):
        return wanted
    return max(wanted, now - math.log(growth) / steepness)
