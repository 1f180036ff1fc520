"""Frequent patterns over literals, in batches; see core/mining.h."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .library import Handle

__all__ = ["ClassRows", "FrequentPatterns", "Miner"]

Floats = NDArray[np.float64]


class ClassRows(NamedTuple):
    """The rows of one class: those of each literal in sections, where each ends, and what its rows weigh."""

    rows: NDArray[np.uint64]
    section_end: NDArray[np.int64]
    factor: Floats

    def arguments(self) -> tuple[object, ...]:
        """As the library takes them."""
        rows = np.ascontiguousarray(self.rows)
        return rows, rows.shape[1], self.section_end, self.factor, len(self.factor)


class FrequentPatterns(NamedTuple):
    """A batch of patterns of one length, with what they weigh in each class."""

    items: NDArray[np.int32]  #: literals, ascending, shape (n, length)
    positive: Floats
    negative: Floats
    tested: int  #: how many were looked at
    below: int  #: how many more there are, which were below the floor
    done: float  #: the share of the work before this batch, about


class Miner:
    """All patterns of two literals and more whose positive weight reaches the threshold of their length.

    Parameters
    ----------
    positive, negative : rows of the literals, by class
    attribute : of each literal; those of the same one are never joined
    first : the literals that are frequent enough to be joined, in the order in which they are
    wanted : least positive weight by length; entry 0 is unused
    threads : how many work on it; nothing depends on it
    """

    def __init__(
        self,
        positive: ClassRows,
        negative: ClassRows,
        attribute: NDArray[np.int32],
        first: NDArray[np.int32],
        wanted: Floats,
        threads: int = 1,
    ) -> None:
        self._handle = Handle(
            "ooa_mining", *positive.arguments(), *negative.arguments(), attribute, first, len(first),
            wanted, len(wanted) - 1, threads,
        )  # fmt: skip

    def rate(self, positive: float, negative: float, gamma: float, whole: bool) -> None:
        """Leave out patterns whose information gain, less gamma per literal, is below the floor.

        The first two are what all rows weigh; `whole` says whether all weights are whole numbers.
        """
        self._handle("merit", float(positive), float(negative), float(gamma), whole)

    def advance(self, floor: float = -math.inf) -> FrequentPatterns | None:
        """The next batch, or None if that was all; what is left out is less than the floor, surely."""
        about, done = np.zeros(4, dtype=np.int64), np.zeros(1)
        if not self._handle("advance", float(floor), about, done):
            return None
        length, size, below, tested = about.tolist()
        items = np.empty((size, length), dtype=np.int32)
        positive, negative = np.empty(size), np.empty(size)
        self._handle("take", items, positive, negative)
        return FrequentPatterns(items, positive, negative, tested, below, float(done[0]))
