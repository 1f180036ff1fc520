"""What changes in the course of a fit: the time that is left, the best rule set known, and the log."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from ooa.clock import Clock, Deadline, Patience
from ooa.live_line import LiveLine
from ooa.logs import logger
from ooa.rules.ruleset import RuleSet
from ooa.solving.solution import Progress

from .problem import FitProblem

__all__ = ["BestKnown", "Freely", "Log", "Timing"]


#: Stages after which there are new patterns to make rule sets of.
_PROMISING = ("mining", "replacement")


class Timing:
    """The time of a fit: how much is left, and what it was spent on.

    Parameters
    ----------
    limit : seconds, or None
    clock : what time it is
    patience : what ends the fit sooner, where the limit is not the user's own

    Attributes
    ----------
    deadline : when the present part of the fit has to end
    seconds : what each stage took
    """

    def __init__(self, limit: float | None, clock: Clock, patience: Patience | None = None) -> None:
        self._clock, self._patience = clock, patience
        self._began = self._lap = clock.now()
        self.deadline = replace(Deadline.after(limit, clock), patience=patience)
        self.seconds: dict[str, float] = {}
        self._mark: tuple[float, float] | None = None
        self._tried: set[str] = set()

    def stalled(self) -> bool:
        """Whether it has been too long since anything new, with time left."""
        over = self._patience is not None and self._patience.over(self._clock.now())
        return over and self.deadline.left() != 0.0

    def renew(self) -> None:
        """Note that a better rule set is known."""
        if self._patience is not None:
            self._patience.renew()
        self._mark = None

    def prolong(self) -> None:
        """Note that something is in sight: it is worth while to go on."""
        if self._patience is not None:
            self._patience.prolong()
        self._mark = None

    def persist(self) -> None:
        """Note that what follows is worth all the time there is: nothing but the limit ends it now."""
        self._patience, self.deadline = None, replace(self.deadline, patience=None)

    def begin_anew(self) -> None:
        """Note that all stages are to come once more, over other patterns."""
        self._tried.clear()
        self.prolong()

    def watch(self, bound: float, best: float | None) -> None:
        """Note a bound on the way: at the pace since the last news, is the proof in sight?"""
        if self._patience is None or best is None:
            return
        now = self._clock.now()
        if self._mark is None:
            self._mark = now, bound
            return
        pace = (bound - self._mark[1]) / max(now - self._mark[0], 1e-9)
        left = self.deadline.left()
        if pace > 0 and left is not None and (best - bound) / pace <= left:
            self._patience.prolong()

    def pace(self, spent: float, share: float) -> None:
        """Note how much of a piece of work is done: if it will be done in time, that is worth waiting for."""
        left = self.deadline.left()
        if self._patience is not None and left is not None and spent * (1 - share) <= left * share:
            self._patience.prolong()

    def elapsed(self) -> float:
        """Seconds since the fit began."""
        return self._clock.now() - self._began

    def book(self, stage: str) -> None:
        """Book the time since the last booking under a stage."""
        now = self._clock.now()
        logger.info("%s: %.2f s", stage, now - self._lap)
        if stage in _PROMISING and stage not in self._tried:
            self._tried.add(stage)
            self.prolong()  # what they brought has not been tried yet
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
    full : whether memory did not suffice for what was to be done
    line : where progress is shown
    """

    def __init__(self, timing: Timing, line: LiveLine) -> None:
        self._timing, self.line = timing, line
        self.trace: list[Progress] = []
        self.notes: list[str] = []
        self.interrupted = self.full = False

    def note_value(self, value: Fraction) -> None:
        """Note that a rule set of this value is known by now."""
        self._timing.renew()
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

    def heed(self) -> None:
        """End the block around as well, if an inner one was interrupted: nothing new is begun after that."""
        if self.interrupted:
            raise KeyboardInterrupt

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """Ctrl-C, or a lack of memory, ends the block and no more: what is known by then can be certified."""
        try:
            yield
        except KeyboardInterrupt:
            self.interrupted = True
        except MemoryError:
            if not self.full:
                self.notes.append("the fit ended early, as there was not enough memory for more")
            self.full = True


class Freely(NamedTuple):
    """The best rule set known without the constraints, its value on the grid, and whether it is proved."""

    rules: RuleSet
    value: Fraction
    proved: bool


class BestKnown:
    """The best rule set known that meets the constraints.

    Attributes
    ----------
    problem : what is to be learned, all constraints included
    rules : the rule set, or the empty one as long as none is known
    value : its value as it was given, or None as long as none is known
    upper : the least value on the grid of any that meets the constraints, or None
    freely : what is known without the constraints, if that was looked for
    between : rule sets that the last prices for constraints lie between, which need not be looked for again
    """

    def __init__(self, problem: FitProblem, log: Log) -> None:
        self.problem, self._log = problem, log
        self.rules = problem.empty()
        self.value: Fraction | None = None
        self.upper: Fraction | None = None
        self.freely: Freely | None = None
        self.between: tuple[RuleSet, ...] = ()
        self.offer(self.rules)

    def offer(self, rules: RuleSet) -> None:
        """Keep a rule set if it meets the constraints and is the best so far, by the exact count.

        More patterns than are allowed, as growth from required ones can have, are none to keep.
        """
        most = self.problem.max_patterns
        if most is not None and len(rules) > most:
            return
        value, on_grid = self.problem.values(rules)
        better = self.value is None or value < self.value
        lower = self.upper is None or on_grid < self.upper
        if not (better or lower) or not self.problem.meets(rules):
            return
        if better:
            like = self.rules
            self.rules = RuleSet(rules, target=like.target, positive=like.positive, negative=like.negative)
            self.value = value
            self._log.note_value(value)
        if lower:
            self.upper = on_grid
