"""A live line for long work: shown on a terminal after a second, silent elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TextIO

#: Work shorter than this shows nothing.
PATIENCE = 1.0
_EVERY = 0.1


class LiveLine:
    """One line that is rewritten in place; use it as a context manager.

    Parameters
    ----------
    show : True always, False never, None only if the stream is a terminal
    stream : standard error by default
    """

    def __init__(self, show: bool | None = None, stream: TextIO | None = None) -> None:
        self._stream = stream if stream is not None else sys.stderr
        self._show = self._stream.isatty() if show is None else show
        self._began = time.monotonic()
        self._last = 0.0
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
        now = time.monotonic()
        if not self._show or now - self._began < PATIENCE or now - self._last < _EVERY:
            return
        self._last = now
        line = f"{now - self._began:6.1f} s  {text}"
        self._stream.write("\r" + line.ljust(self._width))
        self._stream.flush()
        self._width = len(line)
