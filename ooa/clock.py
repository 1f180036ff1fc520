"""Time: one clock that a fit, a solve and the search look at, and deadlines on it.

Whatever has a limit is handed a `Deadline` and asks it. Which clock that deadline is on is nobody's
business but the caller's: a test hands in a `WorkClock`, on which every look takes a second, and what
happens at a limit no longer depends on how busy the machine is.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

__all__ = ["CLOCK", "NEVER", "Clock", "Deadline", "WorkClock"]


class Clock:
    """The machine's clock, in seconds from some moment on; it never goes back."""

    def now(self) -> float:
        """The present instant."""
        return time.monotonic()


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


#: The clock that is looked at if nobody hands in another.
CLOCK = Clock()


@dataclass(frozen=True)
class Deadline:
    """An instant after which nothing new is begun, and the instant from which the time up to it counts.

    Attributes
    ----------
    clock : what time it is
    began : the instant from which shares of the time are counted
    end : the instant itself, infinite if there is no limit

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

    @classmethod
    def after(cls, seconds: float | None, clock: Clock = CLOCK) -> Deadline:
        """The deadline so many seconds from now, or none."""
        now = clock.now()
        return cls(clock, now, math.inf if seconds is None else now + seconds)

    @property
    def limited(self) -> bool:
        """Whether there is a limit at all."""
        return self.end != math.inf

    def passed(self) -> bool:
        """Whether the time is over."""
        return self.limited and self.clock.now() >= self.end

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
        return Deadline(self.clock, self.began, self.began + share * (self.end - self.began))

    def share_of_rest(self, share: float, most: float = math.inf) -> Deadline:
        """The deadline at which so much of the time left, or so many seconds, will be used up."""
        left = self.left()
        seconds = most if left is None else min(most, share * left)
        return Deadline.after(None if seconds == math.inf else seconds, self.clock)

    def within(self, seconds: float | None) -> Deadline:
        """The deadline so many seconds from now, or this one if that is sooner; its time counts from now."""
        left = self.left()
        limits = [limit for limit in (seconds, left) if limit is not None]
        return Deadline.after(min(limits, default=None), self.clock)


#: No limit at all, on the machine's clock.
NEVER = Deadline(CLOCK, 0.0, math.inf)
