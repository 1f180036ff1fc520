"""A process that is told to end (SIGTERM) ends after its clean-up: solvers stop, temporary folders go."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["TERMINATED", "clean_end"]

#: The exit code of a process that SIGTERM ended, as shells write it.
TERMINATED = 143


@contextmanager
def clean_end() -> Iterator[None]:
    """Within the block, SIGTERM is an exit: what has to be cleaned up is, and the process ends.

    Only where SIGTERM would end the process at once: who has a handler of his own keeps it, and threads other
    than the main one cannot have any.
    """
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return

    def end(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # one is enough; the clean-up is not to be cut short
        raise SystemExit(TERMINATED)

    signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
