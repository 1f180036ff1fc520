"""The best single pattern over literals, up to a length; see core/best_pattern.h."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .library import Handle

__all__ = ["BestPattern", "PricedLiterals"]

Words = NDArray[np.uint64]
Integers = NDArray[np.int64]


class PricedLiterals(NamedTuple):
    """The literals in their order: rows by class in words of one weight each, attributes and chains."""

    right: Words
    right_factor: Integers
    wrong: Words
    wrong_factor: Integers
    support: Words  #: all positives that count for the least support
    support_factor: Integers
    least: int  #: of that support; 0 if none is asked for
    attribute: Integers
    chain: Integers
    price: Integers  #: of a pattern by its length; the last one is the longest allowed

    def arguments(self) -> tuple[object, ...]:
        """As the library takes them."""
        right, wrong, support = map(np.ascontiguousarray, (self.right, self.wrong, self.support))
        return (
            right, self.right_factor, right.shape[1], wrong, self.wrong_factor, wrong.shape[1],
            support, self.support_factor, support.shape[1], self.least,
            self.attribute, self.chain, len(self.attribute), self.price, len(self.price) - 1,
        )  # fmt: skip


class BestPattern:
    """A search for the pattern that gains most.

    Parameters
    ----------
    literals : what patterns are made of
    slots : for how many kinds of patterns, by their attributes, a good one is noted
    known : what the pattern has to gain more than
    negatives : what all negatives weigh
    """

    def __init__(self, literals: PricedLiterals, *, slots: int, known: int, negatives: int) -> None:
        self._slots, self._longest = slots, len(literals.price) - 1
        self._handle = Handle("ooa_pattern", *literals.arguments(), slots, known, negatives)

    def begin(self, longest: int) -> None:
        """Search patterns of at most so many literals from the beginning."""
        self._handle("begin", longest)

    def advance(self, work: int) -> bool:
        """Go on until the search ends (True), or so many words were looked at."""
        return bool(self._handle("advance", work))

    def begin_beam(self, width: int) -> None:
        """Beside the search, grow patterns from the empty one, so many at a time of each kind."""
        self._handle("begin_beam", width)

    def advance_beam(self, work: int) -> bool:
        """Grow on until no pattern can become a better one (True), or so many words were looked at."""
        return bool(self._handle("advance_beam", work))

    def bound(self, *, anew: bool) -> int:
        """No pattern gains more, as far as is known; `anew` if a search for longer ones is still to come."""
        return int(self._handle("bound", anew))

    def best(self) -> tuple[int, Integers]:
        """The value of the best pattern, and its literals: none if nothing is above what was known."""
        return self._read("best")

    def noted(self) -> list[tuple[int, Integers]]:
        """Good patterns on different attributes, with their values."""
        found = [self._read("noted", slot) for slot in range(self._slots)]
        return [one for one in found if len(one[1])]

    def _read(self, name: str, *arguments: int) -> tuple[int, Integers]:
        items, size = np.zeros(self._longest, dtype=np.int64), np.zeros(1, dtype=np.int64)
        value = self._handle(name, *arguments, items, size)
        return int(value), items[: size[0]]
