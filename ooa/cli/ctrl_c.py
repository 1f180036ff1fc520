"""Ctrl-C in a process that is the command: one sentence at most, code 130, and no import that is cut in two.

A module that is interrupted while it is imported may be of no use any more in this process (what is compiled
cannot be loaded twice), and Python shows a traceback where the interrupt comes while it tidies up after an
import. Nothing is known before the command begins its work: the process ends at once then. From then on a
Ctrl-C waits for the import in which it comes.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from threading import Timer, main_thread
from types import FrameType

__all__ = ["begin", "end_at_once", "end_in_silence"]

#: Seconds between two looks whether an import has ended.
LOOKING = 0.01


def end_at_once() -> None:
    """From now on, Ctrl-C ends the process: for as long as there is nothing to be kept."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


def begin() -> None:
    """From now on, Ctrl-C is an exception, but not in the midst of an import."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, _Patient())


def end_in_silence() -> None:
    """All is said: who presses Ctrl-C while Python shuts down is out, without a word."""
    handler = signal.getsignal(signal.SIGINT)
    if handler is _end or isinstance(handler, _Patient):
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def _end(number: int, frame: FrameType | None) -> None:
    with suppress(OSError):  # nobody has to listen
        os.write(2, b"ooa: interrupted\n")
    os._exit(130)


class _Patient:
    """A handler that waits for the import in which it is called; to press once more is not to wait."""

    def __init__(self) -> None:
        self._waiting = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        if self._waiting or not _importing(frame):
            raise KeyboardInterrupt
        self._waiting = True
        timer = Timer(LOOKING, self._again)
        timer.daemon = True
        timer.start()

    def _again(self) -> None:
        self._waiting = False
        if hasattr(signal, "pthread_kill"):  # the main thread may be waiting for something by now
            signal.pthread_kill(main_thread().ident or 0, signal.SIGINT)
        else:
            signal.raise_signal(signal.SIGINT)


def _importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False
