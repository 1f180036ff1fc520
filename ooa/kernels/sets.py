"""The exact search for the best set of patterns; see core/set_search.h."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .library import Handle

__all__ = ["MANY", "PricedPatterns", "RowMultipliers", "SetSearch"]

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

#: Below this many patterns multipliers cost more than they save.
MANY = 8


class PricedPatterns(NamedTuple):
    """The patterns: their rows by class in words of one weight each, what these weigh, and their prices."""

    right: NDArray[np.uint64]
    right_factor: Integers
    wrong: NDArray[np.uint64]
    wrong_factor: Integers
    price: Integers
    positive: Integers
    negative: Integers

    def arguments(self) -> tuple[object, ...]:
        """As the library takes them."""
        right, wrong = self.right, self.wrong
        return (
            np.ascontiguousarray(right), self.right_factor, right.shape[1],
            np.ascontiguousarray(wrong), self.wrong_factor, wrong.shape[1],
            self.price, self.positive, self.negative, len(self.price),
        )  # fmt: skip


class RowMultipliers(NamedTuple):
    """Multipliers of positives, one for each place, and of pairs of a positive and a negative, by places."""

    own: Floats
    right: Integers
    wrong: Integers
    amount: Floats


class SetSearch:
    """A search for sets that gain more than a target.

    Parameters
    ----------
    patterns : to choose from
    most : patterns in a set
    target : what is to be excluded
    known : gain of the best set known
    goal : margin by which multipliers try to exclude what follows a pattern, at first
    many : lists shorter than this do without multipliers
    threads : how many work on it; the answer does not depend on it
    free : let threads share what they find at once: among several best sets, it may be any that is found
    quick : do without pairs of rows that multipliers would have to look for: weaker bounds in half the time
    first : only the sets that have one of the first so many patterns; by default all
    """

    def __init__(
        self,
        patterns: PricedPatterns,
        *,
        most: int,
        target: int,
        known: int,
        goal: int,
        many: int = MANY,
        threads: int = 1,
        free: bool = False,
        quick: bool = False,
        first: int | None = None,
    ) -> None:
        self._most, self._count = most, len(patterns.price)
        self._handle = Handle("ooa_sets", *patterns.arguments(), most, many)
        self._handle("begin", target, known, threads, goal, free, quick)
        if first is not None:
            self._handle("first", first)

    def advance(self, work: int) -> bool:
        """Go on until all is searched (True), or every thread has looked at about so many patterns."""
        return bool(self._handle("advance", work))

    def best(self) -> tuple[int, Integers]:
        """The gain of the best set, and its patterns: none if nothing is above what was known."""
        choice, size = np.zeros(self._most, dtype=np.int64), np.zeros(1, dtype=np.int64)
        value = self._handle("best", choice, size)
        return int(value), choice[: size[0]]

    def filter(self, by: RowMultipliers) -> tuple[Integers, int]:
        """Start from these multipliers, and leave out what they show to be in no set above the target.

        Before the search. Returns the patterns left, and what no set gains more than (the target at least).
        """
        names, size = np.zeros(self._count, dtype=np.int64), np.zeros(1, dtype=np.int64)
        own, right, wrong, amount = by
        bound = self._handle("filter", own, len(own), right, wrong, amount, len(right), names, size)
        return names[: size[0]], int(bound)

    def bound_alone(self, needed: int, by_multipliers: bool) -> tuple[Integers, int]:
        """What one bound alone leaves of the patterns, and what it says no set gains more than.

        Before the search; by multipliers, or by counting, which gives no bound of its own.
        """
        names, size = np.zeros(self._count, dtype=np.int64), np.zeros(1, dtype=np.int64)
        bound = self._handle("bound", needed, by_multipliers, names, size)
        return names[: size[0]], int(bound)

    def left(self) -> Integers:
        """If it was cut short: the patterns that sets consist of which gain more than the target."""
        names = np.zeros(self._count, dtype=np.int64)
        return names[: self._handle("left", names)]

    @property
    def bound(self) -> int:
        """No set gains more, however far the search has got; 2^60 if nothing is known."""
        return int(self._handle("excluded"))

    @property
    def share(self) -> float:
        """The share of the first patterns that is done."""
        return float(self._handle("share"))

    @property
    def nodes(self) -> Integers:
        """How many sets of 0, 1, 2, ... patterns were looked into."""
        return np.array([self._handle("nodes", depth) for depth in range(self._most)], dtype=np.int64)
