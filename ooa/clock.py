"""Time: one clock that a fit, a solve and the search look at, and deadlines on it.

Whatever has a limit is handed a `Deadline` and asks it. Which clock that deadline is on is nobody's
business but the caller's: a test hands in a `WorkClock`, on which every look takes a second, and what
happens at a limit no longer depends on how busy the machine is.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

__all__ = ["CLOCK", "NEVER", "Clock", "Deadline", "Patience", "WorkClock"]


class Clock:
    """The machine's clock, in seconds from some moment on; it never goes back."""

    def now(self) -> float:
        """The present instant."""
        return time.monotonic()

    def every(self, seconds: float, act: Callable[[], None]) -> Callable[[], None]:
        """Do something again and again, beside all else, until the function that is returned is called."""
        over = threading.Event()

        def beat() -> None:
            while not over.wait(seconds):
                act()

        thread = threading.Thread(target=beat, name="ooa clock", daemon=True)
        thread.start()

        def stop() -> None:
            over.set()
            thread.join()

        return stop


class WorkClock(Clock):
    """A clock that counts work: it stands still but for a step at every look.

    Parameters
    ----------
    step : seconds that a look takes

    Examples
    --------
    >>> deadline = Deadline.after(2.0, WorkClock())
    >>> [deadline.passed() for look in range(4)]
    [False, True, True, True]
    """

    def __init__(self, step: float = 1.0) -> None:
        self.step = step
        self.instant = 0.0  #: of the last look

    def now(self) -> float:
        """The present instant, a step after the last."""
        self.instant += self.step
        return self.instant

    def every(self, seconds: float, act: Callable[[], None]) -> Callable[[], None]:
        """Do nothing: this clock goes on only when somebody looks at it."""
        return lambda: None


#: The clock that is looked at if nobody hands in another.
CLOCK = Clock()


class Patience:
    """How long to go on without anything new: so many seconds, or longer where things have taken longer.

    Parameters
    ----------
    seconds : to wait at least
    share : of the time that it took to get to the last news, to wait if that is longer
    clock : what time it is

    Examples
    --------
    >>> patience = Patience(2.0, 0.5, WorkClock())
    >>> patience.renew()
    >>> [patience.over(instant) for instant in (3.0, 4.0, 5.0)]
    [False, False, True]
    """

    def __init__(self, seconds: float, share: float, clock: Clock = CLOCK) -> None:
        self._seconds, self._share, self._clock = seconds, share, clock
        self._began = clock.now()
        self._last: float | None = None

    def renew(self) -> None:
        """Note that there is something new."""
        self._last = self._clock.now()

    def prolong(self) -> None:
        """Note that something is in sight; that begins nothing: until there is news, it is never over."""
        if self._last is not None:
            self.renew()

    def over(self, now: float) -> bool:
        """Whether it has been too long, at this instant; before the first news it never is."""
        if self._last is None:
            return False
        return now - self._last > max(self._seconds, self._share * (self._last - self._began))


@dataclass(frozen=True)
class Deadline:
    """An instant after which nothing new is begun, and the instant from which the time up to it counts.

    Attributes
    ----------
    clock : what time it is
    began : the instant from which shares of the time are counted
    end : the instant itself, infinite if there is no limit
    patience : what ends the time sooner, if anything does

    Examples
    --------
    >>> deadline = Deadline.after(10.0, WorkClock())
    >>> deadline.left()
    9.0
    >>> deadline.share(0.4).left()  # of the ten seconds, two of them gone
    2.0
    >>> deadline.share_of_rest(0.1).left()  # of seven seconds; the next two looks take longer
    0.0
    >>> print(Deadline.after(None).left())
    None
    """

    clock: Clock
    began: float
    end: float
    patience: Patience | None = None

    @classmethod
    def after(cls, seconds: float | None, clock: Clock = CLOCK) -> Deadline:
        """The deadline so many seconds from now, or none.

        Parameters
        ----------
        seconds : how many; None for no deadline
        clock : what time it is
        """
        now = clock.now()
        return cls(clock, now, math.inf if seconds is None else now + seconds)

    @property
    def limited(self) -> bool:
        """Whether there is a limit at all."""
        return self.end != math.inf

    def passed(self) -> bool:
        """Whether the time is over."""
        if not self.limited:
            return False
        now = self.clock.now()
        return now >= self.end or (self.patience is not None and self.patience.over(now))

    def spent(self) -> float:
        """Seconds since it began."""
        return self.clock.now() - self.began

    def left(self) -> float | None:
        """Seconds left, or None if there is no limit."""
        return max(0.0, self.end - self.clock.now()) if self.limited else None

    def share(self, share: float) -> Deadline:
        """The deadline at which so much of the whole time, counted from its beginning, is used up."""
        if not self.limited:
            return self
        return replace(self, end=self.began + share * (self.end - self.began))

    def share_of_rest(self, share: float, most: float = math.inf) -> Deadline:
        """The deadline at which so much of the time left, or so many seconds, will be used up.

        Parameters
        ----------
        share : of the time left, between 0 and 1
        most : seconds at most
        """
        left = self.left()
        seconds = most if left is None else min(most, share * left)
        return self._from_now(None if seconds == math.inf else seconds)

    def within(self, seconds: float | None) -> Deadline:
        """The deadline so many seconds from now, or this one if that is sooner; its time counts from now."""
        left = self.left()
        limits = [limit for limit in (seconds, left) if limit is not None]
        return self._from_now(min(limits, default=None))

    def pieces(self) -> Iterator[bool]:
        """For pieces of work that take about as long as one another: whether there is time for the next one.

        The first one needs time that is left, the others as much as the longest so far took.

        Examples
        --------
        >>> clock = WorkClock()
        >>> pieces = Deadline.after(6.5, clock).pieces()
        >>> next(pieces), clock.now(), next(pieces), clock.now(), next(pieces)
        (True, 3.0, True, 5.0, False)
        """
        longest, before = 0.0, None
        while True:
            if not self.limited:
                yield True
                continue
            now = self.clock.now()
            longest = longest if before is None else max(longest, now - before)
            before = now
            yield now + longest < self.end and not (self.patience is not None and self.patience.over(now))

    def _from_now(self, seconds: float | None) -> Deadline:
        return replace(Deadline.after(seconds, self.clock), patience=self.patience)


#: No limit at all, on the machine's clock.
NEVER = Deadline(CLOCK, 0.0, math.inf)
