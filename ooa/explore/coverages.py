"""Candidates by what they cover: a set of coverages stands for all rule sets with one candidate for each."""

from __future__ import annotations

import heapq
import math
import random
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ooa.candidates.candidates import Candidates
from ooa.candidates.screening import leaders
from ooa.search.local_search import Choice

__all__ = ["Coverages", "PricedChoice"]

Integers = NDArray[np.int64]

#: Choices that may take more bits than this are not counted in 64 of them.
MOST_BITS = 62


class PricedChoice(NamedTuple):
    """What a rule set costs, and the positions of its candidates."""

    cost: int
    choice: Choice


class Coverages:
    """Candidates in groups, those of one group covering the same rows.

    Parameters
    ----------
    candidates : to be grouped
    price : of each, not lower for a longer one
    alike : whether they are grouped; otherwise every candidate is a group

    Attributes
    ----------
    first : the cheapest candidate of each group

    Examples
    --------
    >>> from ooa import Pattern
    >>> from ooa.data.table import Table
    >>> table = Table.from_any({"x": [1, 2, 3, 4]}, [1, 0, 1, 1])
    >>> texts = ("x >= 3", "x > 2 AND x <= 9", "x <= 1")
    >>> some = Candidates.of_patterns(table, map(Pattern.parse, texts))
    >>> groups = Coverages(some, np.array([3, 5, 3]))
    >>> groups.first.tolist(), groups.count(np.array([[0, 1]]), np.array([2])).tolist()
    ([0, 2], [2])
    >>> list(groups.choices([0, 1], cost=10, most=12))
    [PricedChoice(cost=10, choice=(0, 2)), PricedChoice(cost=12, choice=(1, 2))]
    """

    def __init__(self, candidates: Candidates, price: Integers, alike: bool = True) -> None:
        leader = leaders(candidates) if alike else np.arange(len(candidates))
        self.first = np.flatnonzero(leader == np.arange(len(candidates)))
        self._price = price
        self._order = np.lexsort((price, leader))
        ends = np.searchsorted(leader[self._order], self.first, side="right")
        self._from = np.searchsorted(leader[self._order], self.first).tolist()
        self._to = ends.tolist()
        self._group = np.searchsorted(self.first, leader)

    def choices(self, groups: list[int], cost: int, most: int) -> Iterator[PricedChoice]:
        """One candidate of each group, in order of cost, from that of the cheapest up to the most."""
        members = [self._order[self._from[g] : self._to[g]].tolist() for g in groups]
        waiting = [(cost, (0,) * len(groups))]
        while waiting:
            here, at = heapq.heappop(waiting)
            if here > most:
                return
            yield PricedChoice(here, tuple(sorted(group[i] for group, i in zip(members, at))))
            # Every choice is reached once: from where its last step that is not the first was not taken yet.
            last = max((k for k, i in enumerate(at) if i), default=0)
            for k in range(last, len(members)):
                if at[k] + 1 < len(members[k]):
                    before, after = members[k][at[k]], members[k][at[k] + 1]
                    dearer = here + int(self._price[after] - self._price[before])
                    heapq.heappush(waiting, (dearer, (*at[:k], at[k] + 1, *at[k + 1 :])))

    def expanded(self, sets: Integers, cost: Integers, most: int, many: int) -> list[PricedChoice]:
        """The cheapest choices, so many at most, for sets of groups (filled up with -1), up to a cost."""
        best: list[PricedChoice] = []
        for k in np.argsort(cost, kind="stable").tolist():
            if len(best) >= 2 * many:  # not for every one of many that tie
                best = heapq.nsmallest(many, best)
                most = min(most, best[-1].cost - 1)  # others of the last one's cost are no better
            if cost[k] > most:
                break
            groups = [g for g in sets[k].tolist() if g >= 0]
            best += islice(self.choices(groups, int(cost[k]), most), many)
        return heapq.nsmallest(many, best)

    def drawn(self, groups: list[int], spare: int, rng: random.Random) -> Choice:
        """One candidate of each group: any choice as likely that costs at most so much above the least."""
        members = [self._order[self._from[g] : self._to[g]].tolist() for g in groups]
        extra = [[int(self._price[k] - self._price[some[0]]) for k in some] for some in members]

        @cache
        def ways(at: int, left: int) -> int:
            """How many choices there are of the groups from this one on."""
            if at == len(extra):
                return 1
            return sum(ways(at + 1, left - one) for one in extra[at] if one <= left)

        choice = []
        for at, some in enumerate(members):
            weights = [ways(at + 1, spare - one) if one <= spare else 0 for one in extra[at]]
            (place,) = rng.choices(range(len(some)), weights)
            choice.append(some[place])
            spare -= extra[at][place]
        return tuple(sorted(choice))

    def count(self, sets: Integers, spare: Integers) -> Integers:
        """How many choices there are for sets of groups, with so much to spare above the cheapest."""
        extra = self._price - self._price[self.first][self._group]
        unit = max(1, int(np.gcd.reduce(extra, initial=0)))
        dearest = int(extra.max(initial=0)) // unit * sets.shape[1]
        spare = np.minimum(spare // unit, dearest)
        width = int(spare.max(initial=0)) + 1
        ways = np.zeros((len(self.first) + 1, width), dtype=np.int64)
        within = extra // unit < width
        np.add.at(ways, (self._group[within], extra[within] // unit), 1)
        ways[-1, 0] = 1  # of what is not there
        if sets.shape[1] * math.log2(ways.sum(axis=1).max()) >= MOST_BITS:  # as Python counts, without an end
            ways = ways.astype(object)
        total = np.zeros((len(sets), width), dtype=ways.dtype)
        total[:, 0] = 1
        for group in sets.T:
            own, before = ways[group], total.copy()
            total = before * own[:, :1]
            for j in range(1, width):
                total[:, j:] += before[:, : width - j] * own[:, j : j + 1]
        upto: Integers = np.cumsum(total, axis=1)[np.arange(len(sets)), spare]
        return upto
