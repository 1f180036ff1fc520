"""What changes in the course of a fit: the time that is left, the best rule set known, and the log."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction

from ooa.clock import Clock, Deadline
from ooa.live_line import LiveLine
from ooa.logs import logger
from ooa.rules.ruleset import RuleSet
from ooa.solving.solution import Progress

from .problem import FitProblem

__all__ = ["BestKnown", "Log", "Timing"]


class Timing:
    """The time of a fit: how much is left, and what it was spent on.

    Attributes
    ----------
    deadline : when the present part of the fit has to end
    seconds : what each stage took
    """

    def __init__(self, limit: float | None, clock: Clock) -> None:
        self._clock = clock
        self._began = self._lap = clock.now()
        self.deadline = Deadline.after(limit, clock)
        self.seconds: dict[str, float] = {}

    def elapsed(self) -> float:
        """Seconds since the fit began."""
        return self._clock.now() - self._began

    def book(self, stage: str) -> None:
        """Book the time since the last booking under a stage."""
        now = self._clock.now()
        logger.info("%s: %.2f s", stage, now - self._lap)
        self.seconds[stage] = self.seconds.get(stage, 0.0) + now - self._lap
        self._lap = now

    @contextmanager
    def within(self, seconds: float | None) -> Iterator[None]:
        """For the time of the block, the deadline is this much from now, or as it was if that is sooner."""
        before = self.deadline
        self.deadline = before.within(seconds)
        try:
            yield
        finally:
            self.deadline = before


class Log:
    """The log of a fit's course: what became known when, what was odd, whether somebody interrupted it.

    Attributes
    ----------
    trace : when better rule sets and bounds became known, in seconds since the fit began and units of L
    notes : what the certificate's message will say
    interrupted : whether Ctrl-C was pressed
    line : where progress is shown
    """

    def __init__(self, timing: Timing, line: LiveLine) -> None:
        self._timing, self.line = timing, line
        self.trace: list[Progress] = []
        self.notes: list[str] = []
        self.interrupted = False

    def note_value(self, value: Fraction) -> None:
        """Note that a rule set of this value is known by now."""
        self.trace.append(Progress(self._timing.elapsed(), incumbent=float(value)))

    def note_bound(self, bound: Fraction) -> None:
        """Note that no rule set made of the patterns at hand has an L below this by now."""
        self.trace.append(Progress(self._timing.elapsed(), bound=float(bound)))

    def forget_bounds(self, trivial: Fraction) -> None:
        """Take back the bounds noted, but for the trivial one: they were about some of the patterns only."""
        least = float(trivial)
        self.trace = [
            replace(moment, bound=None) if moment.bound is not None and moment.bound > least else moment
            for moment in self.trace
        ]

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """Ctrl-C ends the block and no more: what is known by then is there to be certified."""
        try:
            yield
        except KeyboardInterrupt:
            self.interrupted = True


class BestKnown:
    """The best rule set known that meets the constraints.

    Attributes
    ----------
    rules : the rule set, or the empty one as long as none is known
    upper : its value, or None as long as none is known
    """

    def __init__(self, problem: FitProblem, log: Log) -> None:
        self._problem, self._log = problem, log
        self.rules = problem.empty()
        self.upper: Fraction | None = None
        self.offer(self.rules)

    def offer(self, rules: RuleSet) -> None:
        """Keep a rule set if it meets the constraints and is the best so far, by the exact count."""
        value = self._problem.value(rules)
        if (self.upper is None or value < self.upper) and not self._problem.violated(rules):
            like = self.rules
            self.rules = RuleSet(rules, target=like.target, positive=like.positive, negative=like.negative)
            self.upper = value
            self._log.note_value(value)
