"""The best patterns of a stream, within a fixed number."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ooa.errors import OptionError

from .screening import InformationGain, Score

_BIG = np.iinfo(np.int32).max


class Keeper:
    """Takes patterns in batches and holds on to the `limit` best; ties go by length, then by literals.

    Parameters
    ----------
    limit : int
    score : callable
        ``score(positive, negative, length)``, vectorised; larger is better.
    """

    def __init__(self, limit: int, score: Score) -> None:
        self._limit = limit
        self._score = score
        nothing = np.zeros(0)
        self._parts = [(np.full((0, 1), _BIG, np.int32), nothing, nothing, nothing)]
        self._held = 0
        self.floor = -np.inf  #: nothing below this score can be among the best any more
        self.seen = 0

    def add(
        self, items: NDArray[np.int32], positive: NDArray[np.float64], negative: NDArray[np.float64]
    ) -> None:
        """Take in patterns of one length, with the weights they cover."""
        n, length = items.shape
        self.seen += n
        if self.floor == -np.inf and isinstance(self._score, InformationGain):
            score = np.zeros(0)  # which it gets where there are too many, and only there
        else:
            score = self._scored(positive, negative, np.full(n, length))
            good = score >= self.floor
            items, positive, negative, score = items[good], positive[good], negative[good], score[good]
        self._parts.append((np.sort(items, axis=1), positive, negative, score))
        self._held += len(items)
        if self._held > 2 * self._limit:
            self._shrink()

    def _scored(
        self, positive: NDArray[np.float64], negative: NDArray[np.float64], length: NDArray[np.intp]
    ) -> NDArray[np.float64]:
        score = np.asarray(self._score(positive, negative, length), dtype=np.float64)
        if score.shape != positive.shape or np.isnan(score).any():
            raise OptionError("score must return one number per pattern, and never NaN.")
        return score

    def leave_out(self, n: int) -> None:
        """Take note of so many patterns that are below the floor."""
        self.seen += n

    def best(self) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.float64]]:
        """Return literals (filled up with -1) and weights: shortest first, then in the order of literals.

        There are as many columns as the longest of them has literals, and at least one.
        """
        self._shrink()
        items, positive, negative, _ = self._parts[0]
        order = _canonical(items)
        longest = int((items != _BIG).sum(axis=1).max(initial=1))
        items = items[order, :longest]
        items[items == _BIG] = -1
        return items, positive[order], negative[order]

    def _shrink(self) -> None:
        """Merge the parts into one, and drop what is beyond the limit."""
        parts, *weights = zip(*self._parts)
        items = _stacked(parts)
        positive, negative, score = map(np.concatenate, weights)
        if len(items) > self._limit:
            if len(score) < len(items):
                score = self._scored(positive, negative, (items != _BIG).sum(axis=1))
            self.floor = float(np.partition(score, -self._limit)[-self._limit])
            better, tied = np.flatnonzero(score > self.floor), np.flatnonzero(score == self.floor)
            tied = tied[_canonical(items[tied])[: self._limit - len(better)]]
            kept = np.concatenate((better, tied))
            items, positive, negative, score = items[kept], positive[kept], negative[kept], score[kept]
        self._parts = [(items, positive, negative, score)]
        self._held = len(items)


def _stacked(parts: Sequence[NDArray[np.int32]]) -> NDArray[np.int32]:
    """Patterns of several lengths in one array, as wide as the longest of them.

    Until the end, an absent literal is a huge one: it sorts after the present ones.
    """
    longest = max((part.shape[1] for part in parts if len(part)), default=1)
    stacked = np.full((sum(map(len, parts)), longest), _BIG, np.int32)
    start = 0
    for part in filter(len, parts):
        stacked[start : start + len(part), : part.shape[1]] = part
        start += len(part)
    return stacked


def _canonical(items: NDArray[np.int32]) -> NDArray[np.intp]:
    """Return the order by length, then by literals."""
    length = (items != _BIG).sum(axis=1)
    first_absent = int(items.max(where=items != _BIG, initial=0)) + 1
    if (items.shape[1] + 1) * (first_absent + 1) ** items.shape[1] < 2**63:  # then one number tells it all
        key = length.astype(np.int64)
        for column in items.T:
            key = key * (first_absent + 1) + np.minimum(column, first_absent)
        return np.argsort(key, kind="stable")
    return np.lexsort((*items.T[::-1], length))
