"""Proofs by gaps: nothing is better than the best known by so much, then by less, up to the proof."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from fractions import Fraction

from ooa.candidates.candidates import Candidates
from ooa.clock import Deadline
from ooa.rules.ruleset import RuleSet

from .policy import POLICY, Policy
from .state import Fit

__all__ = ["ProofByGaps", "next_gap"]


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

    def close_gap(self, most_seconds: float = math.inf, enough: float = 0.0) -> None:
        """One gap after the other, up to the proof or what is enough, or as far as these seconds reach."""
        policy, clock, end = self._fit.policy, self._deadline.clock, self._deadline
        if most_seconds != math.inf:
            end = self._deadline.share_of_rest(policy.attempt_share, most_seconds)
        gap, spent = math.inf, 0.0
        while not self.final and not end.passed() and not (enough and self.near(enough)):
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
        problem = self._fit.problem  # what holds for all rule sets goes on to hold
        least = max(self.bound * self.step / problem.total, problem.trivial)
        self._fit.log.note_bound(problem.grid.below(least))

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
            else f", bound {float(self.bound * self.step / total):.5f} over these patterns"
        )
        best = float(self._fit.best.upper or 0)
        self._fit.log.line.update(f"exact search {aim}: {100 * share:.0f} %, best {best:.5f}{known}")
        return not until.passed()


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
