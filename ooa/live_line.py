"""A live line for long work: shown on a terminal after a second, silent elsewhere."""

from __future__ import annotations

import math
import sys
from types import TracebackType
from typing import TextIO

from .clock import CLOCK, Clock

#: Work shorter than this shows nothing.
PATIENCE = 1.0
_EVERY = 0.1


class LiveLine:
    """One line that is rewritten in place; use it as a context manager.

    Parameters
    ----------
    show : True always, False never, None only if the stream is a terminal
    stream : standard error by default
    clock : what time it is
    """

    def __init__(self, show: bool | None = None, stream: TextIO | None = None, clock: Clock = CLOCK) -> None:
        self._stream = stream if stream is not None else sys.stderr
        self._show = self._stream.isatty() if show is None else show
        self._clock = clock
        self._began = clock.now()
        self._last = -math.inf
        self._width = 0

    def __enter__(self) -> LiveLine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._width:
            self._stream.write("\r" + " " * self._width + "\r")
            self._stream.flush()

    def update(self, text: str) -> None:
        """Show a text, at most ten times a second."""
        now = self._clock.now()
        if not self._show or now - self._began < PATIENCE or now - self._last < _EVERY:
            return
        self._last = now
        line = f"{now - self._began:6.1f} s  {text}"
        self._stream.write("\r" + line.ljust(self._width))
        self._stream.flush()
        self._width = len(line)
