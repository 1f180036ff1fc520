"""A live line for long work: on a terminal or in a notebook if it takes a while, and nowhere else unasked."""

from __future__ import annotations

import math
import shutil
import sys
import threading
import uuid
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from types import TracebackType
from typing import Any, ClassVar, Protocol, TextIO

from .clock import CLOCK, Clock

#: Work shorter than this shows nothing: if nobody asked for a line, and if somebody did.
PATIENCE, PATIENCE_ASKED = 3.0, 1.0
#: Seconds between two lines at least; and after which the line is shown anew with nothing new to say.
_EVERY, _TICK = 0.1, 0.5


class Place(Protocol):
    """Where a line is shown."""

    def show(self, line: str) -> None:
        """Show a line in place of the last one."""

    def end(self, line: str) -> None:
        """Nothing more will be shown; this line is what remains, where one does."""


class LiveLine:
    """One line that is rewritten in place; use it as a context manager.

    Within the block of another one, a line is shown in the other's place and counts from the other's
    beginning, so that many short fits are one long piece of work.

    Parameters
    ----------
    show : True always, False never; None only on a terminal or in a notebook, and not by workers
    stream : standard error by default
    clock : what time it is
    """

    def __init__(self, show: bool | None = None, stream: TextIO | None = None, clock: Clock = CLOCK) -> None:
        self._place = None if show is False else _place(show, stream)
        self._patience = PATIENCE if show is None else PATIENCE_ASKED
        self._clock = clock
        self._began = clock.now()
        self._last = -math.inf
        self._text = ""
        self._around: LiveLine | None = None
        self._stop: Callable[[], None] = _nothing
        self._lock = threading.Lock()

    def __enter__(self) -> LiveLine:
        self._around = _AROUND.get()
        self._token = _AROUND.set(self)
        if self._place is not None and self._around is None:
            self._stop = self._clock.every(_TICK, self._again)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()
        _AROUND.reset(self._token)
        if self._place is not None and self._around is None:
            with suppress(OSError, ValueError):
                self._place.end(f"done after {self._clock.now() - self._began:.1f} s")

    def update(self, text: str) -> None:
        """Show a text, at most ten times a second."""
        if self._place is None:
            return
        if self._around is not None:
            self._around.update(text)
            return
        with self._lock:
            self._text = text
            self._show(_EVERY)

    def _again(self) -> None:
        """Show that time goes by, with nothing new to say."""
        with self._lock:
            self._show(_TICK)

    def _show(self, every: float) -> None:
        now = self._clock.now()
        if now - self._began >= self._patience and now - self._last >= every and self._place is not None:
            self._last = now
            with suppress(OSError, ValueError):  # where the stream has been closed meanwhile
                self._place.show(f"{now - self._began:6.1f} s  {self._text}")


#: The line within whose block this is.
_AROUND: ContextVar[LiveLine | None] = ContextVar("the live line around", default=None)


def _nothing() -> None:
    """Do nothing."""


def _place(show: bool | None, stream: TextIO | None) -> Place | None:
    """Where a line is shown, if anywhere.

    A worker (another process, or a thread that is not the main one) was started by somebody who has the
    screen to himself, so it shows nothing unless it is told to.
    """
    processes = sys.modules.get("multiprocessing.process")  # which every process of its kind has imported
    started = processes is not None and processes.parent_process() is not None
    worker = started or threading.current_thread() is not threading.main_thread()
    if worker and show is None:
        return None
    shell = _notebook() if stream is None else None
    if shell is not None:
        return Cell(shell)
    stream = sys.stderr if stream is None else stream
    return Stream(stream) if stream is not None and (show or stream.isatty()) else None


def _notebook() -> Any:
    """The shell of the notebook that this runs in, or None."""
    ipython = sys.modules.get("IPython")  # who has not imported it is not in a notebook
    shell = ipython.get_ipython() if ipython is not None else None
    return shell if hasattr(shell, "kernel") else None


def cut_to(line: str, width: int) -> str:
    """A line of at most so many characters, cut between two words if that leaves most of it.

    Examples
    --------
    >>> cut_to("best 0.12, bound 0.1 over these patterns", 30)
    'best 0.12, bound 0.1 over ...'
    >>> cut_to("best 0.12", 30)
    'best 0.12'
    """
    if len(line) <= width:
        return line
    kept = line[: max(width - 3, 0)].rpartition(" ")[0] + " ..."
    return kept if 2 * len(kept) > width >= len(kept) else line[:width]


class Stream:
    """A line on a terminal, or in whatever reads what a terminal would: it is wiped in the end."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._width = 0

    def show(self, line: str) -> None:
        """Write over the last line; one that is too long would be broken, and could not be written over."""
        if self._stream.isatty():
            line = cut_to(line, shutil.get_terminal_size().columns - 1)
        self._stream.write("\r" + line.ljust(self._width))
        self._stream.flush()
        self._width = len(line)

    def end(self, line: str) -> None:
        """Wipe the line."""
        if self._width:
            self._stream.write("\r" + " " * self._width + "\r")
            self._stream.flush()


class Cell:
    """A line below the cell of a notebook, which stays: one for all that the cell does."""

    _last: ClassVar[tuple[int, str]] = (-1, "")  # the cell that has a line, and what the line is called

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self._cell = int(shell.execution_count)

    def show(self, line: str) -> None:
        """Put a line in place of the last one."""
        there = Cell._last[0] == self._cell
        if not there:
            Cell._last = self._cell, uuid.uuid4().hex
        names = {"display_id": Cell._last[1]}
        self._shell.display_pub.publish(data={"text/plain": line.strip()}, transient=names, update=there)

    def end(self, line: str) -> None:
        """Leave a last line, if there was any."""
        if Cell._last[0] == self._cell:
            self.show(line)
