"""Clocks for the tests, and a terminal to look at."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

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


class MeteredClock(Clock):
    """A clock that goes on by a step at every look, and knows how much work was done between two of them."""

    def __init__(self, step: float = 1.0) -> None:
        self.step = step
        self.looks, self.most = 0, 0
        self._since = 0

    def now(self) -> float:
        self.looks += 1
        self._since = 0
        return self.step * self.looks

    def every(self, seconds: float, act: Callable[[], None]) -> Callable[[], None]:
        return lambda: None

    def work(self) -> None:
        """Note a piece of work."""
        self._since += 1
        self.most = max(self.most, self._since)

    def metered(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function each of whose calls is a piece of work."""

        def called(*arguments: Any, **options: Any) -> Any:
            self.work()
            return function(*arguments, **options)

        return called
