"""The longest pieces of work between two looks at the clock, and what was done in them."""

from __future__ import annotations

import heapq
import os
import signal
import threading
from collections import Counter
from collections.abc import Callable
from types import FrameType

import ooa

#: Where the library is; frames of other code are not told of.
_HOME = os.path.dirname(ooa.__file__) + os.sep
#: Seconds of the processor between two looks at what is being done.
_EVERY = 0.005


class Pieces:
    """What the main thread did between two looks at the clock, the longest pieces kept.

    Parameters
    ----------
    used : the seconds of the processor so far
    most : pieces that are kept, one for each place
    depth : calls that are told of a place
    """

    def __init__(self, used: Callable[[], float], most: int = 5, depth: int = 4) -> None:
        self._used, self._most, self._depth = used, most, depth
        self._longest: dict[str, float] = {}
        self._seen: list[str] = []
        self._since = used()
        signal.signal(signal.SIGPROF, lambda number, frame: self._seen.append(self._place(frame)))
        signal.setitimer(signal.ITIMER_PROF, _EVERY, _EVERY)

    def look(self) -> float:
        """A look at the clock, which is what the processor has done."""
        now = self._used()
        if threading.current_thread() is threading.main_thread():
            if self._seen:
                self._note(now - self._since)
            self._since = self._used()
        return now

    def stop(self) -> list[tuple[float, str]]:
        """No more is looked at: seconds, and what was seen most in them, the longest first."""
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, signal.SIG_IGN)
        return sorted(((seconds, place) for place, seconds in self._longest.items()), reverse=True)

    def _note(self, seconds: float) -> None:
        seen, self._seen = self._seen, []
        place = Counter(seen).most_common(1)[0][0]
        self._longest[place] = max(seconds, self._longest.get(place, 0.0))
        self._longest = dict(heapq.nlargest(self._most, self._longest.items(), key=lambda one: one[1]))

    def _place(self, frame: FrameType | None) -> str:
        calls: list[str] = []
        while frame is not None and len(calls) < self._depth:
            name = frame.f_code.co_filename
            if name.startswith(_HOME) and not name.endswith("clock.py"):
                calls.append(f"{name[len(_HOME) :]}:{frame.f_lineno} {frame.f_code.co_name}")
            frame = frame.f_back
        return " < ".join(calls)
