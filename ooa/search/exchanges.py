"""What is near a set of patterns: the sets above a target that are reached by exchanging one at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from ooa.candidates.row_weights import RowWeights, intersections
from ooa.kernels.bits import gains

from .local_search import Choice

__all__ = ["Exchanges"]


class Exchanges:
    """Sets that differ in one pattern.

    A set gains the weight of the positives it covers, less that of the negatives it covers, less its prices.

    Parameters
    ----------
    bits : coverage of the patterns, packed; of the literals, if there are `items`
    positive, negative : weight of each row in its class, whole numbers
    price : of each pattern
    items : the literals of each pattern, filled up with -1
    threads : how many count

    Examples
    --------
    >>> from ooa.data.bitsets import pack
    >>> bits = pack([[1, 1, 0, 0], [0, 1, 1, 0], [1, 1, 1, 0]])
    >>> weights = np.array([1.0, 1, 1, 0]), np.array([0.0, 0, 0, 1])
    >>> some = Exchanges(bits, *weights, np.array([0, 0, 2]))
    >>> sorted(some.reached([(0,)], target=0))
    [((0,), 2), ((1,), 2), ((2,), 1)]
    """

    def __init__(
        self,
        bits: NDArray[np.uint64],
        positive: NDArray[np.float64],
        negative: NDArray[np.float64],
        price: NDArray[np.int64],
        *,
        items: NDArray[np.int32] | None = None,
        threads: int = 1,
    ) -> None:
        right, wrong = (RowWeights(some, bits, threads=threads) for some in (positive, negative))
        lines = np.arange(len(bits), dtype=np.int32)[:, None] if items is None else items
        self._right, self._wrong = (
            intersections(side.rows, lines, threads=threads) for side in (right, wrong)
        )
        self._right_factor, self._wrong_factor = right.word_factors, wrong.word_factors
        self._price, self._threads = price.astype(np.float64), threads

    def reached(self, known: Iterable[Choice], target: int) -> Iterator[tuple[Choice, int]]:
        """Known sets and all above the target that are reached from them by exchanges, with their gains."""
        waiting = [tuple(sorted(choice)) for choice in known]
        seen = set(waiting)
        while waiting:
            choice = waiting.pop()
            yield choice, self._gain(choice)
            for after in self._exchanged(choice, target):
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)

    def _exchanged(self, choice: Choice, target: int) -> Iterator[Choice]:
        for out in choice:
            others = tuple(k for k in choice if k != out)
            covered, hit = self._union(self._right, others), self._union(self._wrong, others)
            more = gains(
                self._right, self._right_factor, self._wrong, self._wrong_factor, covered, hit,
                self._price, 1.0, self._threads,
            )  # fmt: skip
            for k in np.flatnonzero(more > target - self._gain(others)).tolist():
                if k not in others:
                    yield tuple(sorted((*others, k)))

    def _gain(self, choice: Choice) -> int:
        covered, hit = self._union(self._right, choice), self._union(self._wrong, choice)
        right = np.bitwise_count(covered) @ self._right_factor
        wrong = np.bitwise_count(hit) @ self._wrong_factor
        return int(right - wrong - self._price[list(choice)].sum())

    @staticmethod
    def _union(rows: NDArray[np.uint64], choice: Choice) -> NDArray[np.uint64]:
        union: NDArray[np.uint64] = np.bitwise_or.reduce(rows[list(choice)], axis=0, initial=np.uint64(0))
        return union
