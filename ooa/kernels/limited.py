"""The exact search for the best set of patterns within limits; see core/limited.h."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .library import Handle
from .sets import MANY, PricedPatterns, SetSearch

__all__ = ["LimitedSearch", "Limits", "SearchWithin"]

Integers = NDArray[np.int64]


class Limits(NamedTuple):
    """Sums with limits: coefficients by sum and word, by sum and pattern, the limits, and prices for them.

    A pattern that adds no more positives than `pay` has for it can be taken out of any set.
    """

    right: Integers
    wrong: Integers
    own: Integers
    limit: Integers
    price: Integers
    pay: Integers


class LimitedSearch:
    """A search for the best set within limits.

    Parameters
    ----------
    patterns : to choose from
    limits : what a set has to keep to
    most : patterns in a set
    scale, constant : a set within the limits that is worth w gains at least w less the constant; what a set
        is worth is a multiple of the scale
    known : what a set has to be worth more than
    """

    def __init__(
        self,
        patterns: PricedPatterns,
        limits: Limits,
        *,
        most: int,
        scale: int,
        constant: int,
        known: int,
    ) -> None:
        self._most = most
        self._handle = Handle("ooa_limited", *patterns.arguments(), most, MANY)
        *sums, pay = (np.ascontiguousarray(part, dtype=np.int64) for part in limits)
        self._kept = pay  # it is looked at all the time
        self._handle("begin", *sums, len(limits.limit), pay, scale, constant, known)

    def advance(self, work: int) -> bool:
        """Go on until all is searched (True), or about so many patterns were looked at."""
        return bool(self._handle("advance", work))

    def best(self) -> tuple[int, Integers]:
        """What the best set is worth, and its patterns: none if nothing is above what was known."""
        return _asked(self._handle, "best", self._most)

    @property
    def share(self) -> float:
        """The share of the first patterns that is done."""
        return float(self._handle("share"))

    @property
    def nodes(self) -> int:
        """How many sets were looked into."""
        return int(self._handle("nodes"))


class SearchWithin(SetSearch):
    """A search for the best set within limits, through all sets that gain enough.

    Parameters
    ----------
    patterns : to choose from
    limits : what a set has to keep to
    most : patterns in a set
    scale, constant : a set within the limits that is worth w gains at least w less the constant; what a set
        is worth is a multiple of the scale
    known : what a set has to be worth more than
    highest : what no set gains more than
    goal, threads, free : see `SetSearch`
    """

    def __init__(
        self,
        patterns: PricedPatterns,
        limits: Limits,
        *,
        most: int,
        scale: int,
        constant: int,
        known: int,
        highest: int,
        goal: int,
        threads: int = 1,
        free: bool = False,
    ) -> None:
        self._most, self._count = most, len(patterns.price)
        self._handle = Handle("ooa_sets", *patterns.arguments(), most, MANY)
        sums = [np.ascontiguousarray(part, dtype=np.int64) for part in limits[:-1]]
        self._handle("within", *sums, len(limits.limit), scale, constant, highest, known, threads, goal, free)

    def best(self) -> tuple[int, Integers]:
        """What the best set is worth, and its patterns: none if nothing is above what was known."""
        return _asked(self._handle, "worth", self._most)


def _asked(handle: Handle, what: str, most: int) -> tuple[int, Integers]:
    """What the best set is worth, and its patterns, by the name that a search has for this."""
    worth, size = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    choice = np.zeros(most, dtype=np.int64)
    handle(what, worth, choice, size)
    return int(worth[0]), choice[: size[0]]
