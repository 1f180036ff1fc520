"""Probabilities of a rule set: how often training rows on which the same patterns hold were positive."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["FiringRates"]

#: A probability stays at least this far on the predicted side of one half.
MARGIN = 1e-6


@dataclass(frozen=True, eq=False)
class FiringRates:
    """The weight of positives and of all training rows, by the set of patterns that hold.

    Attributes
    ----------
    holds : ndarray of bool, shape (groups, patterns)
        The different sets of patterns that hold together on some training row.
    positive, total : ndarray of float64, shape (groups,)
        The weight of the positive rows, and of all rows, on which exactly that set holds.

    Examples
    --------
    >>> holds = np.array([[True, False], [True, False], [True, True], [False, False], [False, False]])
    >>> rates = FiringRates.count(holds, np.array([1, 1, 1, 0, 1.0]), np.array([0, 0, 0, 2, 0.0]))
    >>> rates.probability(np.array([[True, False], [False, False], [False, True]])).round(3).tolist()
    [1.0, 0.333, 1.0]
    """

    holds: NDArray[np.bool_]
    positive: NDArray[np.float64]
    total: NDArray[np.float64]

    @classmethod
    def count(
        cls, holds: NDArray[np.bool_], positive: NDArray[np.float64], negative: NDArray[np.float64]
    ) -> FiringRates:
        """Count the training rows: which patterns hold on each, and what it weighs."""
        groups, group = _distinct(holds)
        summed = [
            np.bincount(group, weight, len(groups)).astype(np.float64)
            for weight in (positive, positive + negative)
        ]
        return cls(groups, *summed)

    def probability(self, holds: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return for each row the probability that it is positive.

        It is the share of positives, by weight, among the training rows on which exactly the same
        patterns hold; if there are none, among those on which any of these patterns holds; if there are
        none either, among all. It is then kept on the side of one half that the rule set predicts: above
        it where a pattern holds, below it where none does.
        """
        groups, group = _distinct(holds)
        rates = np.array([self._rate(which) for which in groups])
        fires = groups.any(axis=1)
        kept = np.where(fires, np.maximum(rates, 0.5 + MARGIN), np.minimum(rates, 0.5 - MARGIN))
        probability: NDArray[np.float64] = kept[group]
        return probability

    def _rate(self, which: NDArray[np.bool_]) -> float:
        same, any_of = (self.holds == which).all(axis=1), (self.holds & which).any(axis=1)
        for alike in (same, any_of, np.ones_like(same)):
            total = self.total[alike].sum()
            if total > 0:
                return float(self.positive[alike].sum() / total)
        return 0.5


def _distinct(holds: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
    """Return the distinct rows, and for each row the number of its distinct one."""
    if not holds.shape[1]:  # numpy finds no distinct rows among rows without columns
        return holds[:1], np.zeros(len(holds), dtype=np.intp)
    packed = np.packbits(holds, axis=1)
    _, first, group = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    return holds[first], group.reshape(-1)
