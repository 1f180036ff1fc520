"""Rows of many weights as the exact search has them: one copy per binary digit, all covered alike.

A linear program needs every row but once. What it says of rows, the search is told of their copies.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Alike", "Copies", "of_rows", "spread_pairs"]

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
    pairs: NDArray[np.int64],
    share: NDArray[np.float64],
    right: Copies,
    wrong: Copies,
    n_rows: int,
    small: float = _SMALL,
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
    small : copies that weigh less than this share of their row are left out

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
            if amount < small * weight[p]:
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


class Alike(NamedTuple):
    """Rows of a class, those that every pattern covers or none of them as one row.

    Attributes
    ----------
    rows : of the table
    copies : which of them are one, and what each weighs
    covers, weight : of each that is left: which patterns cover it, and what it weighs
    """

    rows: NDArray[np.int64]
    copies: Copies
    covers: NDArray[np.bool_]
    weight: NDArray[np.float64]

    @classmethod
    def of(cls, covers: NDArray[np.bool_], some: NDArray[np.bool_], weight: NDArray[np.float64]) -> Alike:
        """Those of some rows of a table, that patterns cover as said, and that weigh so much."""
        rows = np.flatnonzero(some)
        here = covers[:, rows]
        packed = np.packbits(here, axis=0).T
        _, first, one = np.unique(packed, axis=0, return_index=True, return_inverse=True)
        copies = Copies(one.reshape(-1).astype(np.intp), weight[rows])
        total = np.bincount(copies.row, copies.weight, len(first)).astype(np.float64)
        return cls(rows, copies, np.ascontiguousarray(here[:, first]), total)


def of_rows(
    own: NDArray[np.float64],
    pairs: NDArray[np.int64],
    amount: NDArray[np.float64],
    right: Alike,
    wrong: Alike,
    n_rows: int,
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]:
    """Multipliers of rows that are one, and of pairs of them, as those of all rows of a table.

    Each row has its share by weight, so that a bound by these multipliers is what it was.

    Parameters
    ----------
    own, pairs, amount : of positives, and of pairs of one with a negative, as `right` and `wrong` have them
    right, wrong : which rows they are
    n_rows : how many rows there are
    """
    of_all = np.zeros(n_rows)
    of_all[right.rows] = (own / right.weight)[right.copies.row] * right.copies.weight
    most = max(len(right.weight), len(wrong.weight))
    share = amount / right.weight[pairs[:, 0]]
    found, parts = spread_pairs(pairs, share, right.copies, wrong.copies, most, small=0.0)
    rows = np.column_stack([right.rows[found[:, 0]], wrong.rows[found[:, 1]]])
    return of_all, rows, parts * right.copies.weight[found[:, 0]]
