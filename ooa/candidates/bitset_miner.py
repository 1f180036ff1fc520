"""Frequent patterns by intersecting packed row sets, depth first, many siblings at a time.

This is the miner in numpy; `core_miner` has its inner loop compiled.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .row_weights import RowWeights

_CHUNK_WORDS = 1 << 17  # 1 MB per operand: stays in cache
_PIECE_WORDS = 1 << 19  # words gone through between two batches, which may be empty


class Batch(NamedTuple):
    """Patterns of one length, with weights (of each class) that are upper bounds where `exact` is False."""

    items: NDArray[np.int32]  # literal indices, shape (n, length)
    positive: NDArray[np.float64]
    negative: NDArray[np.float64]
    tested: int  # how many patterns were looked at to find these
    done: float  # the share of the work that is finished, roughly
    below: int = 0  # how many more there are, left out as they are among the best by no means


class _Block(NamedTuple):
    """Frequent patterns of one length; those with the same parent (all but the last literal) are adjacent."""

    items: NDArray[np.int32]
    family_end: NDArray[np.intp]  # per pattern, where its parent's children end
    positive: NDArray[np.uint64]  # rows of each class, in the layout of its RowWeights
    negative: NDArray[np.uint64]


class BitsetMiner:
    """All patterns up to a length whose positive weight reaches a threshold that depends on the length.

    Two patterns with the same parent are joined into one that is longer by a literal: its rows are the
    intersection of theirs. A block of patterns is joined at once; its children are explored before the next
    block, so that memory stays within a few blocks per length.

    Parameters
    ----------
    attribute : ndarray of int32, shape (L,)
        Literals of the same attribute are never joined.
    positive, negative : RowWeights
        Rows of the literals and their weights, for each class.
    min_positive : ndarray of float64, shape (max_length + 1,)
        Least positive weight of a pattern, by length; entry 0 is unused.
    """

    def __init__(
        self,
        attribute: NDArray[np.int32],
        positive: RowWeights,
        negative: RowWeights,
        min_positive: NDArray[np.float64],
    ) -> None:
        self._attribute = attribute
        self._weights = positive, negative
        self._wanted = min_positive
        # A pattern too rare for its own length may have descendants that are not, where thresholds fall.
        self._alive = np.minimum.accumulate(min_positive[::-1])[::-1]
        self._max_length = len(min_positive) - 1

    def batches(self) -> Iterator[Batch]:
        """Yield the patterns, in no particular order; literals within a pattern neither.

        A batch is empty where there has been a piece of work, and nothing is found yet.
        """
        positive, negative = self._weights
        weight = yield from self._weighed(positive, np.arange(len(positive.rows)))
        alive = np.flatnonzero(weight >= self._alive[1])
        # Rare literals first: their patterns have the fewest siblings left to be joined with.
        order = alive[np.argsort(weight[alive], kind="stable")]
        wanted = order[weight[order] >= self._wanted[1]]
        against = yield from self._weighed(negative, wanted)
        yield Batch(wanted.astype(np.int32)[:, None], weight[wanted], against, len(weight), 0.0)
        if self._max_length > 1 and len(order) > 1:
            yield from self._longer(order.astype(np.int32))

    def _weighed(
        self, weights: RowWeights, literals: NDArray[np.intp]
    ) -> Generator[Batch, None, NDArray[np.float64]]:
        """The weights of some literals, in pieces."""
        step = max(1, _PIECE_WORDS // max(1, weights.rows.shape[1]))
        found = [np.zeros(0)]
        for start in range(0, len(literals), step):
            if start:
                yield _nothing(1, 0.0)
            found.append(weights.weigh(weights.rows[literals[start : start + step]]))
        return np.concatenate(found)

    def _longer(self, order: NDArray[np.int32]) -> Iterator[Batch]:
        """Yield the patterns of two literals and more, made of these."""
        positive, negative = self._weights
        size = max(_CHUNK_WORDS, positive.rows.size, negative.rows.size)
        self._buffers = np.empty(size, np.uint64), np.empty(size, np.uint64)
        ends = np.full(len(order), len(order))
        yield from self._children(
            _Block(order[:, None], ends, positive.rows[order], negative.rows[order]), 0.0, 1.0
        )

    def _children(self, block: _Block, done: float, share: float) -> Iterator[Batch]:
        """Join the siblings of a block and go on with the frequent results."""
        siblings = block.family_end - np.arange(len(block.items)) - 1
        work = np.concatenate(([0], np.cumsum(siblings)))
        step = _CHUNK_WORDS // max(1, block.positive.shape[1], block.negative.shape[1])
        start = 0
        while start < len(siblings) and work[start] < work[-1]:
            # As many patterns as fit the chunk, and at least one.
            stop = max(start + 1, int(np.searchsorted(work, work[start] + step, side="right")) - 1)
            before = done + share * work[start] / work[-1]
            batch, children = yield from self._join(block, start, siblings[start:stop], before)
            start = stop
            yield batch._replace(done=before)
            if children is not None:
                yield from self._children(children, before, done + share * work[stop] / work[-1] - before)

    def _join(
        self, block: _Block, start: int, siblings: NDArray[np.intp], done: float
    ) -> Generator[Batch, None, tuple[Batch, _Block | None]]:
        """Join patterns ``start, start + 1, ...`` with each of their later siblings, in pieces."""
        length = block.items.shape[1] + 1
        first = np.repeat(np.arange(start, start + len(siblings)), siblings)
        offsets = np.cumsum(siblings) - siblings
        second = first + 1 + np.arange(len(first)) - np.repeat(offsets, siblings)
        last = self._attribute[block.items[:, -1]]
        differ = last[first] != last[second]
        first, second = first[differ], second[differ]

        positive, negative = self._weights
        rows, weight = yield from self._intersect(block.positive, first, second, positive, length, done)
        is_leaf = length == self._max_length
        kept = np.flatnonzero(weight >= (self._wanted if is_leaf else self._alive)[length])
        child_rows = None if is_leaf else rows[kept]
        tested, weight, first, second = len(first), weight[kept], first[kept], second[kept]
        items = np.column_stack((block.items[first], block.items[second, -1]))
        joined = self._intersect(block.negative, first, second, negative, length, done)
        negative_rows, against = yield from joined
        wanted = weight >= self._wanted[length]
        batch = Batch(items[wanted], weight[wanted], against[wanted], tested, 0.0)
        if child_rows is None or len(items) < 2:
            return batch, None
        families = np.searchsorted(first, first, side="right")
        return batch, _Block(items, families, child_rows, negative_rows.copy())

    def _intersect(
        self,
        rows: NDArray[np.uint64],
        first: NDArray[np.intp],
        second: NDArray[np.intp],
        weights: RowWeights,
        length: int,
        done: float,
    ) -> Generator[Batch, None, tuple[NDArray[np.uint64], NDArray[np.float64]]]:
        """Rows of pairs of patterns, and their weights; the rows live in a buffer until the next call."""
        shape = len(first), rows.shape[1]
        left, right = (buffer[: shape[0] * shape[1]].reshape(shape) for buffer in self._buffers)
        step, weight = max(1, _PIECE_WORDS // max(1, shape[1])), np.zeros(len(first))
        for start in range(0, len(first), step):
            if start:
                yield _nothing(length, done)
            some = slice(start, start + step)
            np.take(rows, first[some], axis=0, out=left[some], mode="clip")
            np.take(rows, second[some], axis=0, out=right[some], mode="clip")
            np.bitwise_and(left[some], right[some], out=left[some])
            weight[some] = weights.weigh(left[some])
        return left, weight


def _nothing(length: int, done: float) -> Batch:
    """A batch without patterns: a piece of the work is done, and somebody may look at the clock."""
    return Batch(np.zeros((0, length), dtype=np.int32), np.zeros(0), np.zeros(0), 0, done)
