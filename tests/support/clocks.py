"""Clocks for the tests."""

from __future__ import annotations

from collections.abc import Callable

from ooa.clock import Clock


class HandClock(Clock):
    """A clock that stands still until somebody moves its hand."""

    def __init__(self) -> None:
        self.time = 0.0
        self.beating: list[Callable[[], None]] = []

    def now(self) -> float:
        return self.time

    def every(self, seconds: float, act: Callable[[], None]) -> Callable[[], None]:
        self.beating.append(act)
        return lambda: self.beating.remove(act)

    def move(self, seconds: float = 1000.0) -> None:
        self.time += seconds
        for act in self.beating:
            act()
