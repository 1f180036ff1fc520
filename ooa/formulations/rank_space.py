"""Rank space: a table whose values are replaced by their ranks, and patterns by the ranks they select.

In it every attribute has whole-number values 0, 1, 2, ... (-1 where missing), so that no scale, no tiny gap
and no huge value can trouble a solver. Ranges go back to readable bounds (`ooa.candidates.cutpoints`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ooa.candidates.thresholds import Thresholds, numeric_cuts
from ooa.data.rows import WeightedRows
from ooa.errors import RuleError
from ooa.rules.pattern import Pattern

from .needed_cuts import NeededCuts
from .scales import CategoryScale, NumericScale, RankSelection, category_scale, numeric_scale

__all__ = ["Box", "RankSpace"]

#: A pattern in rank space: the selection of every attribute that it restricts.
Box: TypeAlias = dict[int, RankSelection]


@dataclass(frozen=True, eq=False)
class RankSpace:
    """Weighted rows in rank space, equal ones merged.

    Attributes
    ----------
    scales : tuple of NumericScale or CategoryScale
        One per attribute.
    rank : ndarray of int32, shape (n, J)
        The rank of each row's value; -1 where missing.
    positive, negative : ndarray of float64, shape (n,)
        The weight of the positives, and of the negatives, that each row stands for.
    row : ndarray of int64
        For every row of the original, the number of its row here.

    Examples
    --------
    >>> from ooa.data.table import Table
    >>> table = Table.from_any({"age": [19, 25, 31, 64], "smoker": [True, False, None, True]}, [0, 0, 1, 1])
    >>> space = RankSpace.of(table)
    >>> space.rank.tolist()
    [[0, 1], [1, 0], [2, -1], [3, 1]]
    >>> box = space.box(Pattern.parse("age > 20 AND age < 40.5"))
    >>> box[0].tolist()  # ranks 1 and 2, and not where missing
    [False, True, True, False, False]
    >>> print(space.pattern(box))
    20 ≤ age ≤ 50
    >>> space.covers(box).tolist()
    [False, True, True, False]
    >>> [scale.size for scale in RankSpace.of(table, merge=True).scales]
    [3, 2]
    """

    scales: tuple[NumericScale | CategoryScale, ...]
    rank: NDArray[np.int32]
    positive: NDArray[np.float64]
    negative: NDArray[np.float64]
    row: NDArray[np.int64]

    @classmethod
    def of(
        cls,
        rows: WeightedRows,
        *,
        thresholds: Thresholds = "distinct",
        max_thresholds: int = 15,
        merge: bool = False,
        missing: bool = False,
        cut_by: WeightedRows | None = None,
    ) -> RankSpace:
        """Map rows into rank space.

        Parameters
        ----------
        rows : Table or DistinctRows
        thresholds, max_thresholds :
            Where numeric attributes may be cut, as in `ooa.candidate_literals`; by default between
            any two neighbouring values.
        merge : bool
            Leave out cuts that no optimal rule set needs (`ooa.formulations.needed_cuts`).
        missing : bool
            Whether "is missing" is a literal of every attribute with missing values, and not only of those
            whose missing values are a category.
        cut_by : WeightedRows, optional
            The same rows, with the weights by which cuts are chosen; by default those of `rows`.
        """
        plain = cls.row_by_row(
            rows, thresholds=thresholds, max_thresholds=max_thresholds, missing=missing, cut_by=cut_by
        )
        space = _merged_rows(plain.scales, plain.rank, rows.positive, rows.negative)
        return _merged_ranks(space) if merge else space

    @classmethod
    def row_by_row(
        cls,
        rows: WeightedRows,
        *,
        thresholds: Thresholds = "distinct",
        max_thresholds: int = 15,
        missing: bool = False,
        cut_by: WeightedRows | None = None,
    ) -> RankSpace:
        """Map rows into rank space, and merge none; the parameters are those of `of`."""
        weighed = rows if cut_by is None else cut_by
        cuts = numeric_cuts(weighed, thresholds, max_thresholds) if thresholds != "distinct" else None
        scales: list[NumericScale | CategoryScale] = []
        rank = np.empty((rows.n_rows, len(rows.columns)), dtype=np.int32)
        for j, (described, column) in enumerate(zip(rows.attributes, rows.columns)):
            absent = bool(column.missing.any())
            literal = absent and (missing or described.missing_category)
            scale: NumericScale | CategoryScale
            if column.kind == "numeric":
                chosen = None if cuts is None else cuts[column.name]
                scale, rank[:, j] = numeric_scale(column, chosen, absent, literal)
            else:
                scale, rank[:, j] = category_scale(column, absent, literal)
            scales.append(scale)
        return cls(tuple(scales), rank, rows.positive, rows.negative, np.arange(rows.n_rows, dtype=np.int64))

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.positive)

    @cached_property
    def _position(self) -> dict[str, int]:
        return {scale.name: j for j, scale in enumerate(self.scales)}

    def box(self, pattern: Pattern) -> Box | None:
        """Return a pattern's box, without the literals that hold for every row.

        None if one of its literals holds for no row.

        Raises
        ------
        RuleError
            If the pattern uses an unknown column, has a literal that no selection of ranks says, or holds
            for every row and so has no substantive literal.
        """
        box: Box = {}
        for literal in pattern:
            if literal.attribute not in self._position:
                raise RuleError(
                    f"'{literal}' is about {literal.attribute!r}, which is not a column of the table"
                )
            j = self._position[literal.attribute]
            selection = self.scales[j].select(literal)
            if not selection.any():
                return None
            if not self.scales[j].is_trivial(selection):
                box[j] = selection
        if not box:
            raise RuleError(
                f"pattern '{pattern}' holds for every row, so that none of its literals is substantive"
            )
        return box

    def pattern(self, box: Box) -> Pattern:
        """Return a box as a readable pattern."""
        return Pattern(self.scales[j].literal(selection) for j, selection in box.items())

    def covers(self, box: Box) -> NDArray[np.bool_]:
        """Return for each row whether it lies in a box."""
        inside = np.ones(self.n_rows, dtype=bool)
        for j, selection in box.items():
            inside &= selection[self.rank[:, j]]  # rank -1 picks the last, which is for missing values
        return inside


def _merged_rows(
    scales: tuple[NumericScale | CategoryScale, ...],
    rank: NDArray[np.int32],
    positive: NDArray[np.float64],
    negative: NDArray[np.float64],
) -> RankSpace:
    """Merge the rows that agree on every rank."""
    distinct, row = np.unique(rank, axis=0, return_inverse=True)
    row = row.reshape(-1).astype(np.int64)  # numpy 2.0 returns one column
    return RankSpace(
        scales=scales,
        rank=distinct,
        positive=np.bincount(row, weights=positive).astype(np.float64),
        negative=np.bincount(row, weights=negative).astype(np.float64),
        row=row,
    )


def _merged_ranks(space: RankSpace) -> RankSpace:
    """Leave out the cuts that no optimal rule set needs, then merge the rows that now agree."""
    net = space.positive - space.negative
    rank = space.rank.copy()
    scales: list[NumericScale | CategoryScale] = []
    for j, scale in enumerate(space.scales):
        if isinstance(scale, NumericScale):
            needed = NeededCuts.of(rank[:, j], net, scale.size, scale.has_missing)
            scale, new = scale.without_needless(needed)
            rank[:, j] = new[rank[:, j]]
        scales.append(scale)
    merged = _merged_rows(tuple(scales), rank, space.positive, space.negative)
    return replace(merged, row=merged.row[space.row])
