"""The best boxes, a given number of them, over all ranges and categories; see core/boxes_search.h."""

from __future__ import annotations

from ctypes import c_void_p
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .library import Handle

__all__ = ["MISSING", "NONE", "RANKS", "Among", "BoxRows", "Boxes", "Flag", "FlagLimit", "FoundBoxes"]

Integers = NDArray[np.int64]

#: What a box has on an attribute: no literal, "is missing", or one on its ranks.
NONE, MISSING, RANKS = 1, 2, 4


class Flag(IntEnum):
    """What can be said of a box, with an attribute and a rank where that means something."""

    USED = 0  #: it is there
    LITERAL = 1  #: it has a literal on the attribute
    MISSING = 2  #: that is "is missing"
    BEGINS = 3  #: a range that begins at the rank or above
    ENDS = 4  #: a range that ends below the rank
    NAMED = 5  #: one that names the category of this rank


class Among(IntEnum):
    """Of what flags are added up: each box, all boxes together, or attributes that any has a literal on."""

    EACH = 0
    ALL = 1
    ANY = 2


class FlagLimit(NamedTuple):
    """A sum of flags, each with an attribute, a rank and an amount, that may be `most` at most.

    Of all boxes, or any, no amount is below 0, and of any there are literals alone.
    """

    among: Among
    most: int
    terms: tuple[tuple[Flag, int, int, int], ...]


class BoxRows(NamedTuple):
    """Rows in rank space, and what patterns may say about them at which price."""

    rank: NDArray[np.int32]  #: of each row one rank per attribute, -1 where missing
    value: Integers  #: what each row is worth covered; below 0 for negatives
    kind: Integers  #: of each attribute: 0 ranges, 1 single categories, 2 sets of them
    ranks: Integers  #: how many each attribute has
    lacks: Integers  #: whether rows of the table lack a value, so that "has a value" tells rows apart
    missing: Integers  #: whether "is missing" is a literal
    literal_price: int
    pattern_price: int
    longest: int  #: most literals in a pattern
    #: Where negatives stand for pairs of rows, from the lower of two ranks in `rank` to this; -1 in both
    #: where both rows lack a value, -2 where no literal holds for both. They are for searches for one box.
    high: NDArray[np.int32] | None = None


class FoundBoxes(NamedTuple):
    """Boxes, and what they gain; nothing if there are none."""

    gain: int
    literals: Integers  #: by box and attribute: NONE, MISSING or RANKS; the lower end; the upper end
    categories: list[dict[int, Integers]]  #: by box, for attributes with categories: those it has


class Boxes:
    """A search for the boxes that gain most.

    Parameters
    ----------
    rows : rows, literals and prices
    slots : for how many kinds of single boxes, by their attributes, a good one is noted
    """

    def __init__(self, rows: BoxRows, slots: int = 1) -> None:
        self._rows, self._slots, self._boxes = rows, slots, 1
        rank = np.ascontiguousarray(rows.rank, dtype=np.int32)
        high = c_void_p() if rows.high is None else np.ascontiguousarray(rows.high, dtype=np.int32)
        arrays = [np.ascontiguousarray(a, dtype=np.int64) for a in rows[1:6]]
        prices = rows.literal_price, rows.pattern_price, rows.longest
        value, kind, ranks, lacks, missing = arrays
        count = len(rows.kind)
        self._handle = Handle(
            "ooa_boxes", rank, high, value, len(value), kind, ranks, lacks, missing, count, *prices, slots
        )
        self._mask_words = int(self._handle("mask_words"))

    def reduce(self, rows: BoxRows, given: int, scale: int, most: int) -> None:
        """From now on, search boxes by what they are worth, too.

        Rows and pairs of rows in the same ranks: boxes gain at most `given`, and what each of them is worth,
        in `scale` parts of a unit; none is worth more than `most`, which is not below 0.
        """
        rank, high = (np.ascontiguousarray(side, dtype=np.int32) for side in (rows.rank, rows.high))
        value = np.ascontiguousarray(rows.value, dtype=np.int64)
        self._handle("reduce", rank, high, value, len(value), given, scale, most)

    def limit(self, limit: FlagLimit) -> None:
        """From now on, boxes keep to this."""
        terms = np.array(limit.terms, dtype=np.int64).reshape(-1, 4).T
        self._handle("limit", limit.among, limit.most, len(limit.terms), *map(np.ascontiguousarray, terms))

    def support(self, rank: NDArray[np.int32], weight: Integers, least: int) -> None:
        """From now on, every box covers rows, in the same ranks, of at least this weight."""
        weight = np.ascontiguousarray(weight, dtype=np.int64)
        self._handle("support", np.ascontiguousarray(rank, dtype=np.int32), weight, len(weight), least)

    def cover(self, rank: NDArray[np.int32], amount: Integers, most: int) -> None:
        """From now on, what rows in the same ranks count that boxes cover together is `most` at most.

        Amounts may have any sign. Where some are below 0, part of what keeps to it may not, so that `cap` has
        to be about boxes that need not.
        """
        amount = np.ascontiguousarray(amount, dtype=np.int64)
        self._handle("cover", np.ascontiguousarray(rank, dtype=np.int32), amount, len(amount), most)

    def forbid(self, literals: Integers, categories: dict[int, Integers]) -> None:
        """From now on, no box is this one: what `FoundBoxes` has of it by attribute, and its categories."""
        masks, start = np.zeros(max(1, self._mask_words), dtype=np.uint64), 0
        for j, (kind, ranks) in enumerate(zip(self._rows.kind.tolist(), self._rows.ranks.tolist())):
            if kind == 0:
                continue
            words = -(-ranks // 64)
            for rank in categories.get(j, np.zeros(0, dtype=np.int64)).tolist():
                masks[start + rank // 64] |= np.uint64(1 << (rank % 64))
            start += words * kind
        self._handle("forbid", np.ascontiguousarray(literals, dtype=np.int64), masks)

    def begin(self, boxes: int, target: int, cap: Integers, threads: int = 1) -> None:
        """Search so many boxes from the beginning, for what gains more than the target, which is not below 0.

        `cap[i]` is what at most i boxes gain at most, for i = 0, ..., `boxes`; the last is not looked at.
        """
        self._boxes = boxes
        self._handle("begin", boxes, target, np.ascontiguousarray(cap, dtype=np.int64), threads)

    def advance(self, work: int) -> bool:
        """Go on until all is searched (True), or about so much work was done."""
        return bool(self._handle("advance", work))

    @property
    def bound(self) -> int:
        """What so many boxes gain at most, as far as known, or the target if that is more."""
        return int(self._handle("bound"))

    @property
    def share(self) -> float:
        """About how much of the search is done."""
        return float(self._handle("share"))

    @property
    def nodes(self) -> int:
        """Families looked at, in all searches."""
        return int(self._handle("nodes"))

    def best(self) -> FoundBoxes | None:
        """The best boxes found since the search began, if any gain more than its target."""
        return self._read(self._boxes, "best")

    def noted(self) -> list[FoundBoxes]:
        """Good single boxes on different attributes, of all searches for one."""
        found = (self._read(1, "noted", slot) for slot in range(self._slots))
        return [one for one in found if one is not None]

    def _read(self, boxes: int, name: str, *arguments: int) -> FoundBoxes | None:
        count = len(self._rows.kind)
        literals = np.zeros((boxes, count, 3), dtype=np.int64)
        masks = np.zeros((boxes, max(1, self._mask_words)), dtype=np.uint64)
        gain = int(self._handle(name, *arguments, literals, masks))
        if gain <= 0:
            return None
        return FoundBoxes(gain, literals, [self._categories(one) for one in masks])

    def _categories(self, mask: NDArray[np.uint64]) -> dict[int, Integers]:
        found, start = {}, 0
        for j, (kind, ranks) in enumerate(zip(self._rows.kind.tolist(), self._rows.ranks.tolist())):
            if kind == 0:
                continue
            words = -(-ranks // 64)
            bits = np.unpackbits(mask[start : start + words].view(np.uint8), bitorder="little")
            found[j] = np.flatnonzero(bits)
            start += words * kind  # sets have a second mask, equal to the first once all is decided
        return found
