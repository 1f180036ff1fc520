"""All sets of patterns that gain enough, one after the other; see core/set_search.h and core/listed.h."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .library import Handle
from .sets import MANY, PricedPatterns, SetSearch

__all__ = ["Listed", "SetListing"]

Integers = NDArray[np.int64]


class Listed(NamedTuple):
    """Sets of patterns, by their names, filled up with -1, and what each gains."""

    choice: Integers
    gain: Integers


class SetListing(SetSearch):
    """A listing of the sets that gain more than a target.

    Parameters
    ----------
    patterns : to choose from
    most : patterns in a set
    target : sets that gain more are listed
    below : no set gains more than the target and this
    lean : whether only sets are listed in which every pattern covers a row that no other one does
    goal : margin by which multipliers try to exclude what follows a pattern, at first
    threads : how many work on it; neither the sets nor their order depend on it
    """

    def __init__(
        self,
        patterns: PricedPatterns,
        *,
        most: int,
        target: int,
        below: int,
        lean: bool,
        goal: int,
        threads: int = 1,
    ) -> None:
        self._most, self._count = most, len(patterns.price)
        self._handle = Handle("ooa_sets", *patterns.arguments(), most, MANY)
        self._handle("list", target, below, lean, threads, goal)

    def take(self) -> Listed:
        """What was listed since this was last asked."""
        total = np.zeros(1, dtype=np.int64)
        count = self._handle("waiting", total)
        size, names = np.zeros(count, dtype=np.int64), np.zeros(int(total[0]), dtype=np.int64)
        gain = np.zeros(count, dtype=np.int64)
        self._handle("take", size, names, gain)
        choice = np.full((count, self._most), -1, dtype=np.int64)
        choice[np.arange(self._most) < size[:, None]] = names
        return Listed(choice, gain)
