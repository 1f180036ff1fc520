"""SIGTERM while something has to be cleaned up."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from ooa.endings import TERMINATED, clean_end

pytestmark = pytest.mark.skipif(os.name != "posix", reason="there is no SIGTERM to send")


def test_sigterm_is_an_exit_with_clean_up() -> None:
    cleaned = []

    @contextmanager
    def cleaning() -> Iterator[None]:
        try:
            yield
        finally:
            signal.raise_signal(signal.SIGTERM)  # a second one does not cut the clean-up short
            cleaned.append(True)

    with pytest.raises(SystemExit) as ended, clean_end(), cleaning():
        signal.raise_signal(signal.SIGTERM)
    assert ended.value.code == TERMINATED
    assert cleaned == [True]
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_a_handler_of_the_users_own_stays() -> None:
    heard = []
    before = signal.signal(signal.SIGTERM, lambda number, frame: heard.append(number))
    try:
        with clean_end():
            signal.raise_signal(signal.SIGTERM)
        assert heard == [signal.SIGTERM]
    finally:
        signal.signal(signal.SIGTERM, before)


def test_blocks_within_blocks_and_other_threads_are_fine() -> None:
    def elsewhere() -> None:
        with clean_end():
            reached.append(signal.getsignal(signal.SIGTERM))

    reached: list[object] = []
    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert reached == [signal.SIG_DFL]
    with pytest.raises(SystemExit), clean_end(), clean_end():
        signal.raise_signal(signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
