"""Clocks for the tests, and a terminal to look at."""

from __future__ import annotations

import io
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


class Terminal(io.StringIO):
    """What a terminal is given, and the lines that it has shown one after the other."""

    def isatty(self) -> bool:
        return True

    @property
    def shown(self) -> list[str]:
        return [part.strip() for part in self.getvalue().split("\r") if part.strip()]
