"""Rows of many weights as the exact search has them: one copy per binary digit, all covered alike.

A linear program needs every row but once. What it says of rows, the search is told of their copies.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Copies", "spread_pairs"]

#: Copies that weigh less than this share of their row are left out of its pairs: there are many, for little.
_SMALL = 1 / 16


class Copies(NamedTuple):
    """The copies of rows.

    Attributes
    ----------
    row : for every copy, its row; -1 for places that are filled up
    weight : for every copy, what it weighs
    """

    row: NDArray[np.intp]
    weight: NDArray[np.float64]

    def of_rows(self, n_rows: int) -> tuple[list[NDArray[np.intp]], NDArray[np.float64]]:
        """For every row its copies, the heaviest first, and what they weigh together."""
        total = np.bincount(self.row[self.row >= 0], self.weight[self.row >= 0], n_rows)
        order = np.lexsort((-self.weight, self.row))
        first = np.searchsorted(self.row[order], np.arange(n_rows + 1))
        return [order[i:j] for i, j in pairwise(first.tolist())], total.astype(np.float64)


def spread_pairs(
    pairs: NDArray[np.int64], share: NDArray[np.float64], right: Copies, wrong: Copies, n_rows: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Pairs of a positive and a negative row as pairs of their copies.

    The share of a positive that a pair takes is taken of each of its copies, and set off against copies of
    the negative as long as something of these is left. So shares still sum up to at most 1 for every
    copy of a positive, and to at most its weight for every copy of a negative.

    Parameters
    ----------
    pairs, share : of a positive and a negative, and how much of the positive is set off; rows are numbered
        as in the copies
    right, wrong : the copies of the positives and of the negatives
    n_rows : how many rows there are

    Examples
    --------
    A positive of weight 3 and a negative of weight 5, in binary digits:

    >>> right = Copies(row=np.array([0, 0]), weight=np.array([1.0, 2.0]))
    >>> wrong = Copies(row=np.array([1, 1]), weight=np.array([1.0, 4.0]))
    >>> pairs, share = spread_pairs(np.array([[0, 1]]), np.array([1.0]), right, wrong, 2)
    >>> pairs.tolist(), share.tolist()
    ([[1, 1], [0, 1]], [1.0, 1.0])
    """
    positives, weight = right.of_rows(n_rows)
    negatives, _ = wrong.of_rows(n_rows)
    left, found = wrong.weight.copy(), []
    for (p, r), part in zip(pairs.tolist(), share.tolist()):
        places = iter(negatives[r].tolist())
        place = next(places, None)
        for copy in positives[p].tolist():
            amount = right.weight[copy]
            if amount < _SMALL * weight[p]:
                break
            needed = part * amount
            while place is not None and needed > 0:
                taken = min(needed, left[place])
                if taken > 0:
                    found.append((copy, place, taken / amount))
                left[place] -= taken
                needed -= taken
                if needed > 0:
                    place = next(places, None)
    copied = np.array([one[:2] for one in found], dtype=np.int64).reshape(-1, 2)
    return copied, np.array([one[2] for one in found])
