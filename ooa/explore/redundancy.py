"""Redundant patterns: those that change no prediction on the training rows beside others of a rule set."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ooa.candidates.candidates import Candidates
from ooa.search.local_search import Choice

__all__ = ["Beside", "Redundancy", "cover_of"]


def cover_of(candidates: Candidates, choice: Choice) -> NDArray[np.uint64]:
    """The rows that some candidates cover together, packed."""
    bits = candidates.bits[list(choice)]
    covered: NDArray[np.uint64] = np.bitwise_or.reduce(bits, axis=0, initial=np.uint64(0))
    return covered


class Beside(NamedTuple):
    """Candidates that are redundant beside all of some patterns, in whatever rule set."""

    patterns: Choice
    others: NDArray[np.intp]


class Redundancy:
    """Who covers nothing that others do not, among given candidates.

    Examples
    --------
    >>> from ooa import Pattern
    >>> from ooa.data.table import Table
    >>> table = Table.from_any({"x": [1, 2, 3, 4]}, [1, 0, 1, 1])
    >>> texts = ("x >= 3", "x <= 3", "x <= 1", "x >= 4")
    >>> among = Redundancy(Candidates.of_patterns(table, map(Pattern.parse, texts)))
    >>> among.of((0, 2)), among.of((0, 1, 2)), among.made_by_adding((0,)).tolist()
    ((), (2,), [True, False, False, True])
    >>> [(patterns, others.tolist()) for patterns, others in among.beside((0, 1))]
    [((0,), [3]), ((1,), [2])]
    """

    def __init__(self, candidates: Candidates) -> None:
        self._candidates, self._bits = candidates, candidates.bits

    def of(self, choice: Choice) -> Choice:
        """The patterns of a selection that cover nothing that all of its others do not."""
        return tuple(
            k for k in choice if not (self._bits[k] & ~cover_of(self._candidates, _without(choice, k))).any()
        )

    def made_by_adding(self, base: Choice) -> NDArray[np.bool_]:
        """For every candidate, whether it is redundant beside a selection, or makes one pattern of it so."""
        redundant = self._within(cover_of(self._candidates, base))
        for k in base:
            alone = self._bits[k] & ~cover_of(self._candidates, _without(base, k))
            redundant |= ~(alone & ~self._bits).any(axis=1)
        return redundant

    def beside(self, choice: Choice) -> Iterator[Beside]:
        """What is redundant beside the patterns of a selection, each beside as few of them as may be."""
        within = self._within(cover_of(self._candidates, choice))
        within[list(choice)] = False
        for part in self._parts(choice, within):
            others = self._within(cover_of(self._candidates, part))
            others[list(part)] = False
            yield Beside(part, np.flatnonzero(others))

    def _parts(self, choice: Choice, within: NDArray[np.bool_]) -> list[Choice]:
        """Parts of a selection that cover each of some candidates; single patterns where one is enough."""
        parts: dict[Choice, None] = {}
        left = within.copy()
        for k in choice:
            covered = left & self._within(self._bits[k])
            if covered.any():
                parts[(k,)] = None
                left &= ~covered
        for other in np.flatnonzero(left).tolist():
            if left[other]:
                part = self.needed(choice, other)
                parts[part] = None
                left &= ~self._within(cover_of(self._candidates, part))
        return list(parts)

    def needed(self, choice: Choice, other: int) -> Choice:
        """A part of a selection that still covers all of another candidate, and none of which can go."""
        part = _without(choice, other)
        for k in part:
            if not (self._bits[other] & ~cover_of(self._candidates, _without(part, k))).any():
                part = _without(part, k)
        return part

    def _within(self, cover: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """For every candidate, whether it covers nothing beyond some rows."""
        nothing: NDArray[np.bool_] = ((self._bits & ~cover) == 0).all(axis=1)
        return nothing


def _without(choice: Choice, k: int) -> Choice:
    return tuple(other for other in choice if other != k)
