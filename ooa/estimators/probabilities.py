"""Probabilities of rule sets: how often training rows on which the same patterns hold were of each class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["FiringRates", "lead_by", "rows_by_class"]

#: The predicted class is at least twice this far ahead of any other; of two, so far beyond one half.
MARGIN = 1e-6
#: Up to so many patterns, all sets of them are counted.
FEW = 16


@dataclass(frozen=True, eq=False)
class FiringRates:
    """The weight of the training rows of each class, by the set of patterns that hold.

    Attributes
    ----------
    holds : ndarray of bool, shape (groups, patterns)
        The different sets of patterns that hold together on some training row.
    weight : ndarray of float64, shape (groups, classes)
        The weight of the rows of each class on which exactly that set holds.

    Examples
    --------
    >>> holds = np.array([[True, False], [True, False], [True, True], [False, False], [False, False]])
    >>> rates = FiringRates.count(holds, np.array([[0, 1], [0, 1], [0, 1], [2, 0], [0, 1.0]]))
    >>> rates.shares(np.array([[True, False], [False, False], [False, True]])).round(3).tolist()
    [[0.0, 1.0], [0.667, 0.333], [0.0, 1.0]]
    """

    holds: NDArray[np.bool_]
    weight: NDArray[np.float64]

    @classmethod
    def count(cls, holds: NDArray[np.bool_], weight: NDArray[np.float64]) -> FiringRates:
        """Count the training rows: which patterns hold on each, and what it weighs in each class."""
        groups, group = _distinct(holds)
        summed = [np.bincount(group, of_class, len(groups)) for of_class in weight.T]
        return cls(groups, np.column_stack(summed).astype(np.float64))

    def shares(self, holds: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return for each row the share of each class among the training rows like it.

        These are the rows on which exactly the same patterns hold; if there are none, those on which any of
        these patterns holds; if there are none either, all.
        """
        groups, group = _distinct(holds)
        found: NDArray[np.float64] = np.array([self._shares(which) for which in groups])
        return found.reshape(len(groups), self.weight.shape[1])[group]

    def _shares(self, which: NDArray[np.bool_]) -> NDArray[np.float64]:
        same, any_of = (self.holds == which).all(axis=1), (self.holds & which).any(axis=1)
        for alike in (same, any_of, np.ones_like(same)):
            weight: NDArray[np.float64] = self.weight[alike].sum(axis=0)
            total = float(weight.sum())
            if total > 0:
                return weight / total
        return np.full(self.weight.shape[1], 1 / self.weight.shape[1])


def rows_by_class(of_class: NDArray[np.bool_], copies: NDArray[np.int64] | None) -> NDArray[np.float64]:
    """How many rows of each class each row stands for.

    Examples
    --------
    >>> rows_by_class(np.array([[True, False], [False, True]]), np.array([2, 5])).tolist()
    [[2.0, 0.0], [0.0, 5.0]]
    """
    return of_class.astype(np.float64) * (1 if copies is None else copies[:, None])


def lead_by(shares: NDArray[np.float64], predicted: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return shares in which the class predicted for each row leads; others give up as little as need be.

    Examples
    --------
    >>> lead_by(np.array([[0.7, 0.3], [0.7, 0.3]]), np.array([0, 1])).round(3).tolist()
    [[0.7, 0.3], [0.5, 0.5]]
    """
    rows = np.arange(len(shares))
    own = shares[rows, predicted]
    others = shares.copy()
    others[rows, predicted] = -np.inf
    lacking = np.maximum(0.0, others.max(axis=1) - own + 2 * MARGIN)
    part = (lacking / (1 + lacking - 2 * MARGIN))[:, None]
    led: NDArray[np.float64] = (1 - part) * shares
    led[rows, predicted] += part[:, 0]
    return led


def _distinct(holds: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
    """Return the distinct rows, and for each row the number of its distinct one."""
    if not holds.shape[1]:  # numpy finds no distinct rows among rows without columns
        return holds[:1], np.zeros(len(holds), dtype=np.intp)
    if holds.shape[1] <= FEW:  # so few sets there can be that they need no sorting
        code = np.zeros(len(holds), dtype=np.intp)
        for pattern in holds.T:
            code = 2 * code + pattern
        found = np.flatnonzero(np.bincount(code))
        number = np.zeros(2 ** holds.shape[1], dtype=np.intp)
        number[found] = np.arange(len(found))
        return (found[:, None] >> np.arange(holds.shape[1])[::-1] & 1).astype(bool), number[code]
    packed = np.packbits(holds, axis=1)
    _, first, group = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    return holds[first], group.reshape(-1)
