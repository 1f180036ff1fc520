"""Candidates to select from as OOAx sees them: what each costs, and groups of rows that they cover alike."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ooa.candidates.candidates import Candidates
from ooa.data.bitsets import unpack
from ooa.data.rows import WeightedRows
from ooa.model.expressions import BoolArray, FloatArray
from ooa.model.sparse import sp

__all__ = ["SelectionProblem", "groups_of"]


@dataclass(frozen=True, eq=False)
class SelectionProblem:
    """Candidates and rows, those rows that exactly the same candidates cover being one group.

    Attributes
    ----------
    candidates : patterns to select from
    price : of every candidate, in the model
    max_patterns : most patterns to select, or None
    W : sparse matrix, groups x candidates; 1 where the candidate covers the group
    group : for every row, the number of its group
    positive, negative : the weight of the positives, and of the negatives, of every group, in the model

    Examples
    --------
    >>> from ooa import Pattern
    >>> from ooa.data.table import Table
    >>> table = Table.from_any({"x": [1, 2, 3, 4]}, [0, 0, 1, 1])
    >>> own = Candidates.of_patterns(table, [Pattern.parse("x >= 3"), Pattern.parse("x <= 3")])
    >>> problem = SelectionProblem.of(own, table, price=np.array([0.5, 0.5]))
    >>> problem.W.toarray().tolist(), problem.group.tolist()
    ([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [0, 0, 2, 1])
    >>> problem.point([1]).tolist()  # x <= 3: group 1 is missed, group 2 is not, group 0 is wrong
    [0.0, 1.0, 1.0, 0.0, 1.0]
    """

    candidates: Candidates
    price: FloatArray
    max_patterns: int | None
    W: sp.csr_array
    group: NDArray[np.intp]
    positive: FloatArray
    negative: FloatArray

    @classmethod
    def of(
        cls,
        candidates: Candidates,
        rows: WeightedRows,
        price: FloatArray,
        max_patterns: int | None = None,
        unit: Fraction = Fraction(1),
    ) -> SelectionProblem:
        """Merge the rows that the same candidates cover; `unit` is the weight that counts as 1."""
        covers = unpack(candidates.bits, rows.n_rows).T  # rows x candidates
        first, group = groups_of(covers)
        positive, negative = (
            np.bincount(group, weights=weight / float(unit), minlength=len(first)).astype(np.float64)
            for weight in (rows.positive, rows.negative)
        )
        return cls(
            candidates,
            price,
            max_patterns,
            W=sp.csr_array(covers[first]).astype(np.float64),
            group=group,
            positive=positive,
            negative=negative,
        )

    @property
    def n_groups(self) -> int:
        """The number of groups."""
        return len(self.positive)

    @cached_property
    def covered(self) -> BoolArray:
        """For every group, whether any candidate covers it; the others are predicted negative for good."""
        return np.asarray(np.diff(self.W.indptr) > 0)

    @cached_property
    def missed(self) -> NDArray[np.intp]:
        """The groups whose positives may be missed, or not."""
        return np.flatnonzero(self.covered & (self.positive > 0))

    @cached_property
    def wrong(self) -> NDArray[np.intp]:
        """The groups whose negatives may be covered, or not."""
        return np.flatnonzero(self.covered & (self.negative > 0))

    @cached_property
    def weightless(self) -> NDArray[np.intp]:
        """The groups that may be covered without being counted."""
        return np.flatnonzero(self.covered & (self.positive == 0) & (self.negative == 0))

    def point(self, positions: Iterable[int]) -> FloatArray:
        """For some candidates, by position: which are selected, which groups are missed, which wrong."""
        used = np.zeros(len(self.candidates))
        used[list(positions)] = 1.0
        fires = np.asarray(self.W @ used) > 0
        return np.concatenate([used, 1.0 - fires[self.missed], fires[self.wrong]])


def groups_of(covers: BoolArray) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Groups of rows that the same candidates cover: the first row of each, and every row's group."""
    if not covers.shape[1]:
        return np.zeros(1, dtype=np.intp), np.zeros(len(covers), dtype=np.intp)
    _, first, group = np.unique(_keys(covers), return_index=True, return_inverse=True)
    return first, group.reshape(-1)


def _keys(covers: BoolArray) -> NDArray[Any]:
    """One key per row, in the order of what covers it: a number where that suffices, as that sorts fast."""
    packed = np.packbits(covers, axis=1)
    if packed.shape[1] <= 2:
        return packed @ np.array([256, 1], dtype=np.uint16)[2 - packed.shape[1] :]
    return np.ascontiguousarray(packed).view(np.dtype((np.void, packed.shape[1]))).ravel()
