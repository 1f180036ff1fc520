"""How families of boxes come to a proof: gap after gap, each by what those before it took."""

from __future__ import annotations

import math

from .policy import Policy

__all__ = ["Pace"]


class Pace:
    """Which gap comes next, by what those before it took.

    Examples
    --------
    >>> from ooa.learning.policy import POLICY
    >>> pace = Pace(POLICY)
    >>> pace.next_gap(0.0, 60.0)
    0.8
    >>> pace.took(0.3, 0.5)
    >>> pace.took(0.25, 1.0)  # twice as long per 0.05: the proof would take another 32 s, but who knows
    >>> pace.next_gap(0.0, 60.0)
    0.2
    >>> pace.next_gap(0.0, 600.0)  # that is worth the risk
    0.0
    >>> round(pace.next_gap(0.0, 2.0), 3)  # there is time for some of the way
    0.208
    """

    def __init__(self, policy: Policy) -> None:
        self._policy, self._gap, self._spent = policy, math.inf, 0.0
        self._timed = math.inf
        self._steepness = policy.box_steepness

    def next_gap(self, wanted: float, left: float | None) -> float:
        """The gap to be proved next: the last one if time seems to be there for it, or a step towards it."""
        policy = self._policy
        rungs = [rung for rung in policy.box_rungs if wanted < rung < self._gap]
        if self._spent >= policy.timed_seconds:
            if left is not None and self._expected(wanted) <= policy.box_risk * left:
                rungs = []
            steps = [rung for rung in rungs if self._expected(rung) <= policy.box_growth * self._spent]
            rungs = steps[-1:] or rungs
        self._gap = self._within(rungs[0] if rungs else wanted, left)
        return self._gap

    def _within(self, gap: float, left: float | None) -> float:
        """The gap, or as much of the way to it as there seems to be time for, if that is worth a try."""
        if left is None or self._spent < self._policy.timed_seconds or self._expected(gap) <= left:
            return gap
        times = max(1.0, self._policy.last_share * left / self._spent)
        nearer = self._timed - math.log(times) / self._steepness
        return nearer if nearer <= self._timed - self._policy.box_step else gap

    def took(self, gap: float, seconds: float) -> None:
        """Note what a gap took."""
        if min(self._spent, seconds) >= self._policy.timed_seconds and gap < self._timed:
            growth = math.log(seconds / self._spent) / (self._timed - gap)
            self._steepness = min(max(growth, self._policy.box_steepness / 2), 3 * self._policy.box_steepness)
        self._gap = self._timed = gap
        self._spent = seconds

    def in_time(self, left: float | None) -> bool:
        """Whether there seems to be time for one more step."""
        return left is None or self._policy.box_growth * self._spent <= left

    def _expected(self, gap: float) -> float:
        return self._spent * math.exp(self._steepness * (self._timed - gap))
