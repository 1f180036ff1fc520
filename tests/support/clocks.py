"""Clocks for the tests."""

from __future__ import annotations

from ooa.clock import Clock


class HandClock(Clock):
    """A clock that stands still until somebody moves its hand."""

    def __init__(self) -> None:
        self.time = 0.0

    def now(self) -> float:
        return self.time

    def move(self, seconds: float = 1000.0) -> None:
        self.time += seconds
