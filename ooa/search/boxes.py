"""Boxes: the exact best patterns over all ranges between values and all categories, of any length.

Nothing is listed: the search goes through families of boxes in rank space (kernels/core/boxes_search.h).
It finds the best single pattern beside others exactly (`BoxSearch.run`), and proves what sets of a given
number of them can gain at most (`BoxSearch.exclude`). docs/formulation.md has the proofs of its bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ooa.formulations.box_filters import NO_FILTERS, BoxFilters
from ooa.formulations.needed_cuts import NeededCuts
from ooa.formulations.rank_space import Box, RankSpace
from ooa.formulations.scales import NumericScale
from ooa.kernels.boxes import MISSING, NONE, RANKS, Boxes, BoxRows, FoundBoxes

from .best_pattern import SLOTS, FoundPattern, RowValues

__all__ = ["BoxPrices", "BoxSearch", "RankBox"]

Integers = NDArray[np.int64]
#: A box that can be compared and remembered: its attributes, ascending, each with the ends of a range, the
#: categories of a set, or nothing for "is missing".
RankBox = tuple[tuple[int, tuple[int, ...]], ...]

#: Work between two looks at the clock: a few milliseconds.
WORK = 1 << 22
_RANGES, _SINGLE, _SETS = 0, 1, 2


@dataclass(frozen=True)
class BoxPrices:
    """What a literal and a pattern cost, in whole units, and how many literals a pattern may have."""

    literal: int
    pattern: int
    longest: int | None = None


class BoxSearch:
    """Search for boxes that gain much.

    Boxes gain the weight of the positives they cover, less that of the negatives they cover, less prices.

    Parameters
    ----------
    space : rows in rank space; literals are ranges of ranks, categories, and "is missing" where it has that
    positive, negative : weight of each of its rows in its class, whole numbers
    prices : of literals and patterns
    single_category : whether a categorical literal is about one category; else about a set of them
    threads : how many may be used; the answer does not depend on it
    filters : what boxes have to keep to; `space` has all cuts where these may need them

    Attributes
    ----------
    caps : caps[k] is what at most k boxes gain at most, as far as `exclude` has found out

    Examples
    --------
    >>> from ooa.data.table import Table
    >>> table = Table.from_any({"x": [1, 2, 3, 4, 5, 6], "c": list("ababab")}, [0, 1, 0, 1, 1, 0])
    >>> space = RankSpace.of(table)
    >>> weights = (9 * side.astype(np.int64) for side in (space.positive, space.negative))
    >>> search = BoxSearch(space, *weights, BoxPrices(literal=2, pattern=1))
    >>> found = search.run(np.ones(6, dtype=bool))
    >>> found.value, str(space.pattern(search.box(found.items))), found.exact
    (15, '2 ≤ x ≤ 5', True)
    >>> done = [search.exclude(boxes, target=15)[0] for boxes in (1, 2)]
    >>> done, search.caps.tolist()  # what one box gains at most, and two
    ([True, True], [0, 15, 21])
    """

    def __init__(
        self,
        space: RankSpace,
        positive: Integers,
        negative: Integers,
        prices: BoxPrices,
        *,
        single_category: bool = True,
        threads: int = 1,
        filters: BoxFilters = NO_FILTERS,
    ) -> None:
        self.space, self._prices, self._threads, self._filters = space, prices, threads, filters
        self._positive, self._negative = positive.astype(np.int64), negative.astype(np.int64)
        categorical = _SINGLE if single_category else _SETS
        self._kind = np.array(
            [_RANGES if isinstance(scale, NumericScale) else categorical for scale in space.scales],
            dtype=np.int64,
        )
        self._size = np.array([scale.size for scale in space.scales], dtype=np.int64)
        self._lacks = np.array([scale.has_missing for scale in space.scales], dtype=np.int64)
        self._missing = np.array([scale.missing_literal for scale in space.scales], dtype=np.int64)
        self._longest = len(space.scales) if prices.longest is None else prices.longest
        self._everything = int(np.maximum(self._positive - self._negative, 0).sum())
        self._all: Boxes | None = None
        self.caps: Integers = np.zeros(1, dtype=np.int64)

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return self.space.n_rows

    # -- one box beside others ---------------------------------------------------------------------

    def run(
        self,
        left: NDArray[np.bool_],
        known: int = 0,
        harshness: int = 1,
        go_on: Callable[[], bool] = lambda: True,
    ) -> FoundPattern[RankBox]:
        """Return the best box for the rows that are left, if it gains more than what is known.

        Parameters
        ----------
        left : the rows that count: beside boxes that are there, those that none of them covers
        known : what the box has to gain more than, not below 0
        harshness : how many positives a negative counts as much as
        go_on : asked from time to time whether to go on
        """
        value = np.where(left, self._positive - harshness * self._negative, 0)
        keep = np.flatnonzero(value)
        if int(value[value > 0].sum()) <= known:
            return FoundPattern(known, (), (), True)
        rank, cuts = self._needed(keep, value[keep])
        return self._single(self._rows(rank, value[keep], cuts), cuts, known, go_on)

    def most_valuable(
        self, values: RowValues, known: int = 0, go_on: Callable[[], bool] = lambda: True
    ) -> FoundPattern[RankBox]:
        """Return the box that is worth most by rows and pairs of them, if that is more than what is known.

        Only rows of positive weight may be worth anything, and pairs have one of these first and one of
        negative weight second; a row is worth no less than all of its pairs take. With sets of categories,
        pairs whose categories differ are left out wherever a box has a literal on these: the value and the
        bound may then be too high, never too low.
        """
        charged = np.zeros(self.n_rows, dtype=np.int64)
        np.add.at(charged, values.pairs[:, 1], values.amount)
        net = values.own - charged
        keep = np.flatnonzero(net)
        if int(values.own.sum()) <= known:
            return FoundPattern(known, (), (), True, known)
        rank = np.full(self.space.rank.shape, -1, dtype=np.int32)
        rank[keep], cuts = self._needed(keep, net[keep])
        return self._single(self._rows_and_pairs(rank, values, cuts), cuts, known, go_on)

    def _rows_and_pairs(self, rank: NDArray[np.int32], values: RowValues, cuts: list[Integers]) -> BoxRows:
        """Rows by what they are worth, and pairs as negatives that span ranks."""
        here = np.flatnonzero(values.own > 0)
        some = np.flatnonzero((values.amount > 0) & (values.own[values.pairs[:, 0]] > 0))
        first, second = (rank[values.pairs[some, side]] for side in (0, 1))
        low, high = np.minimum(first, second), np.maximum(first, second)
        apart = (low < 0) & (high >= 0) | (low != high) & (self._kind != _RANGES)
        low[apart] = high[apart] = -2
        value = np.concatenate([values.own[here], -values.amount[some]])
        rows = self._rows(np.concatenate([rank[here], low]), value, cuts, values.scale)
        return rows._replace(high=np.concatenate([rank[here], high]))

    def _single(
        self, rows: BoxRows, cuts: list[Integers], known: int, go_on: Callable[[], bool]
    ) -> FoundPattern[RankBox]:
        """The best single box for such rows."""
        search = self._filtered(Boxes(rows, SLOTS))
        search.begin(1, known, np.zeros(2, dtype=np.int64), self._threads)
        done = search.advance(WORK)
        while not done and go_on():
            done = search.advance(WORK)
        best, bound = search.best(), search.bound
        good = sorted(((one.gain, self._read(one, cuts)[0]) for one in search.noted()), reverse=True)
        if best is None:
            return FoundPattern(known, (), tuple(good), done, bound)
        return FoundPattern(best.gain, self._read(best, cuts)[0], tuple(good), done, bound)

    def _needed(self, some: Integers, value: Integers) -> tuple[NDArray[np.int32], list[Integers]]:
        """Ranks of some rows with the needed cuts alone, and where each of these begins among the given."""
        rank, cuts = self.space.rank[some], []
        keep = self._filters.of_ends or bool(self._filters.supports)
        for j, scale in enumerate(self.space.scales):
            begins = np.arange(scale.size)
            if self._kind[j] == _RANGES and scale.size > 1 and not keep:
                needed = NeededCuts.of(rank[:, j], value.astype(np.float64), scale.size, scale.has_missing)
                begins = np.append(0, 1 + np.flatnonzero(needed.lower | needed.upper))
                inside = np.searchsorted(begins, rank[:, j], side="right") - 1
                rank[:, j] = np.where(rank[:, j] < 0, -1, inside)
            cuts.append(np.append(begins, scale.size))
        return rank, cuts

    def _rows(
        self, rank: NDArray[np.int32], value: Integers, cuts: list[Integers], scale: int = 1
    ) -> BoxRows:
        size = np.array([len(begins) - 1 for begins in cuts], dtype=np.int64)
        prices = scale * self._prices.literal, scale * self._prices.pattern, self._longest
        return BoxRows(rank, value, self._kind, size, self._lacks, self._missing, *prices)

    def _read(self, found: FoundBoxes, cuts: list[Integers]) -> tuple[RankBox, ...]:
        boxes = []
        for literals, categories in zip(found.literals, found.categories, strict=True):
            box: list[tuple[int, tuple[int, ...]]] = []
            for j in np.flatnonzero(literals[:, 0] != NONE).tolist():
                option, low, high = literals[j].tolist()
                if option == MISSING:
                    box.append((j, ()))
                elif self._kind[j] == _RANGES:
                    box.append((j, (int(cuts[j][low]), int(cuts[j][high + 1]) - 1)))
                else:
                    box.append((j, tuple(categories[j].tolist())))
            boxes.append(tuple(box))
        return tuple(boxes)

    # -- what boxes are ----------------------------------------------------------------------------

    def box(self, items: RankBox) -> Box:
        """The ranks that a box selects, by attribute."""
        result: Box = {}
        for j, ranks in items:
            selection = np.zeros(int(self._size[j]) + 1, dtype=bool)
            if not ranks:
                selection[-1] = True
            elif self._kind[j] == _RANGES:
                selection[ranks[0] : ranks[1] + 1] = True
            else:
                selection[list(ranks)] = True
            result[j] = selection
        return result

    def items(self, box: Box) -> RankBox:
        """The same the other way round."""
        items: list[tuple[int, tuple[int, ...]]] = []
        for j, selection in sorted(box.items()):
            ranks = np.flatnonzero(selection[:-1]).tolist()
            if selection[-1]:
                items.append((j, ()))
            elif self._kind[j] == _RANGES:
                items.append((j, (ranks[0], ranks[-1])))
            else:
                items.append((j, tuple(ranks)))
        return tuple(items)

    def covers(self, items: RankBox) -> NDArray[np.bool_]:
        """Which rows are in a box."""
        return self.space.covers(self.box(items))

    def price(self, items: RankBox) -> int:
        """What a box costs."""
        return self._prices.pattern + len(items) * self._prices.literal

    def gain(self, boxes: Iterable[RankBox]) -> int:
        """What boxes gain together."""
        chosen, covered = tuple(boxes), np.zeros(self.n_rows, dtype=bool)
        for items in chosen:
            covered |= self.covers(items)
        return int((self._positive - self._negative)[covered].sum()) - sum(map(self.price, chosen))

    # -- several boxes -----------------------------------------------------------------------------

    def allow(self, boxes: int) -> None:
        """Let caps be about so many boxes at least; of what nothing is known, all positives are the cap."""
        more = boxes + 1 - len(self.caps)
        self.caps = np.append(self.caps, np.full(max(0, more), self._everything))

    def exclude(
        self, boxes: int, target: int, go_on: Callable[[float], bool] = lambda share: True
    ) -> tuple[bool, tuple[RankBox, ...]]:
        """Search all sets of just so many boxes for what gains more than a target.

        Returns whether all was searched, and the best boxes found, none if no set is above the target. Caps
        are lowered by what is proved, also where it was told to stop.

        Parameters
        ----------
        boxes : how many
        target : what they have to gain more than, not below 0
        go_on : asked from time to time, with the share that is done, whether to go on
        """
        self.allow(boxes)
        search, cuts = self._several(), self._all_cuts()
        search.begin(boxes, target, self.caps[: boxes + 1], self._threads)
        done = search.advance(WORK)
        while not done and go_on(search.share):
            done = search.advance(WORK)
        self._lower(boxes, search.bound)
        best = search.best()
        return done, () if best is None else self._read(best, cuts)

    def reduce(self, values: RowValues, given: int, most: int) -> None:
        """Let `exclude` use multipliers: what boxes gain at most beside their worth, and one is worth."""
        rows = self._rows_and_pairs(self.space.rank, values, self._all_cuts())
        self._several().reduce(rows, given, values.scale, most)

    def _several(self) -> Boxes:
        if self._all is None:
            value = self._positive - self._negative
            keep = np.flatnonzero(value)
            rows = self._rows(self.space.rank[keep], value[keep], self._all_cuts())
            self._all = self._filtered(Boxes(rows))
            for one in self._filters.covers:  # single boxes beside others need not know
                self._all.cover(self.space.rank, one.on(self.space), one.limit)
        return self._all

    def _filtered(self, search: Boxes) -> Boxes:
        """A search whose boxes keep to the filters; cuts are all there where that matters."""
        for limit in self._filters.limits:
            search.limit(limit)
        for one in self._filters.supports:
            search.support(self.space.rank, one.on(self.space), one.limit)
        for box in self._filters.forbidden:
            literals = np.tile(np.array([NONE, 0, 0], dtype=np.int64), (len(self._kind), 1))
            categories: dict[int, Integers] = {}
            for j, ranks in self.items(box):
                literals[j] = (RANKS, ranks[0], ranks[-1]) if ranks else (MISSING, 0, 0)
                categories[j] = np.array(ranks, dtype=np.int64)
            search.forbid(literals, categories)
        return search

    def _all_cuts(self) -> list[Integers]:
        return [np.arange(size + 1) for size in self._size.tolist()]

    def _lower(self, boxes: int, bound: int) -> None:
        """Just so many boxes gain at most this: so do at most so many, where fewer gain no more."""
        self.at_most(boxes, max(bound, int(self.caps[boxes - 1])))

    def at_most(self, boxes: int, bound: int) -> None:
        """Note that at most so many boxes gain at most this."""
        self.caps[boxes] = min(self.caps[boxes], bound)
        for k in range(boxes - 1, 0, -1):
            self.caps[k] = min(self.caps[k], self.caps[k + 1])
