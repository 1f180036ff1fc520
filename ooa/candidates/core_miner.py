"""The bitset miner with its inner loop compiled: the same patterns, on several threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from ooa.kernels.mining import ClassRows, Miner

from .bitset_miner import Batch, BitsetMiner
from .row_weights import RowWeights
from .screening import InformationGain, Score

__all__ = ["CoreMiner"]


class CoreMiner(BitsetMiner):
    """All patterns up to a length whose positive weight reaches a threshold that depends on the length.

    Parameters
    ----------
    attribute, positive, negative, min_positive : as of `BitsetMiner`
    threads : how many work on it; the answer does not depend on it
    score, floor : what the score of a pattern must reach now; where the score is information gain, what is
        surely below is counted and left out
    """

    def __init__(
        self,
        attribute: NDArray[np.int32],
        positive: RowWeights,
        negative: RowWeights,
        min_positive: NDArray[np.float64],
        *,
        threads: int = 1,
        score: Score | None = None,
        floor: Callable[[], float] = lambda: -np.inf,
    ) -> None:
        super().__init__(attribute, positive, negative, min_positive)
        self._threads, self._score, self._floor = threads, score, floor

    def _longer(self, order: NDArray[np.int32]) -> Iterator[Batch]:
        """Yield the patterns of two literals and more, made of these."""
        positive, negative = (ClassRows(one.rows, one.section_ends, one.factors) for one in self._weights)
        miner = Miner(positive, negative, self._attribute, order, self._wanted, self._threads)
        score = self._score
        if isinstance(score, InformationGain) and self._can_be_rated(score):
            whole = all(float(some).is_integer() for some in (score.positive, score.negative))
            miner.rate(score.positive, score.negative, score.gamma, whole and self._are_whole())
        while (found := miner.advance(self._floor())) is not None:
            yield Batch(found.items, found.positive, found.negative, found.tested, found.done, found.below)

    def _can_be_rated(self, score: InformationGain) -> bool:
        """Whether what the core weighs is what the score is told, and no pattern has more than there is."""
        exact = all(one.exact for one in self._weights)
        return exact and all(
            one.total <= all_there_is
            for one, all_there_is in zip(self._weights, (score.positive, score.negative))
        )

    def _are_whole(self) -> bool:
        return all(bool((one.factors == np.floor(one.factors)).all()) for one in self._weights)
