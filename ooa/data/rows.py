"""Weighted rows of typed columns, and the merging of equal rows into one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .columns import Category, Column, Kind
from .frames import Frame

__all__ = ["Attribute", "DistinctRows", "WeightedRows", "merge_equal"]


@dataclass(frozen=True)
class Attribute:
    """What is known of a column besides its values.

    Attributes
    ----------
    name : str
    kind : {"numeric", "categorical"}
    categories : tuple
        Categorical only: the values seen, in ascending order.
    time : bool
        Numeric only: whether the values are microseconds since 1970-01-01 UTC.
    levels : tuple
        Numeric only: what ranks of ordered categories are called, least first.
    missing_category : bool
        Of categories, ordered or not: whether a missing value counts as a category of its own, which the
        literal "is missing" stands for. No other literal holds for a missing value, here as elsewhere.
    """

    name: str
    kind: Kind
    categories: tuple[Category, ...] = ()
    time: bool = False
    missing_category: bool = False
    levels: tuple[Category, ...] = ()


@dataclass(frozen=True, eq=False, repr=False)
class WeightedRows:
    """Weighted rows of typed columns; what `Table` and `DistinctRows` have in common.

    Attributes
    ----------
    attributes : tuple of Attribute
    columns : tuple of Column
        One per attribute, in the same order.
    positive, negative : ndarray of float64
        The weight of the positives, and of the negatives, that each row stands for.
    """

    attributes: tuple[Attribute, ...]
    columns: tuple[Column, ...]
    positive: NDArray[np.float64]
    negative: NDArray[np.float64]

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.positive)

    def as_frame(self) -> Frame:
        """Return the columns as a frame, so that rules can be evaluated on them."""
        columns = self.columns
        return Frame([c.name for c in columns], self.n_rows, lambda j, rows: columns[j].take(rows))

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}({self.n_rows} rows, {len(self.attributes)} attributes, "
            f"weight {self.positive.sum():g} positive, {self.negative.sum():g} negative)"
        )


@dataclass(frozen=True, eq=False, repr=False)
class DistinctRows(WeightedRows):
    """The distinct rows of a table, each with the weights of all rows equal to it.

    Attributes
    ----------
    row : ndarray of int64
        For every row of the table, the number of its distinct row.
    """

    row: NDArray[np.int64]


def merge_equal(rows: WeightedRows) -> DistinctRows:
    """Merge the rows that agree on every attribute, in order of first appearance.

    Missing equals missing, and -0.0 equals 0.0.
    """
    key = _row_keys(rows.columns, rows.n_rows)
    _, first, row = np.unique(key, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    row = rank[row]
    return DistinctRows(
        attributes=rows.attributes,
        columns=tuple(column.take(first[order]) for column in rows.columns),
        positive=_totals(row, rows.positive),
        negative=_totals(row, rows.negative),
        row=row,
    )


def _totals(row: NDArray[np.int64], weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """Add up the weights of equal rows."""
    return np.bincount(row, weights=weight).astype(np.float64)


def _row_keys(columns: tuple[Column, ...], n_rows: int) -> NDArray[np.int64]:
    """Return one integer per row, equal for equal rows: the columns' codes as digits of a mixed base."""
    key = np.zeros(n_rows, dtype=np.int64)
    size = 1  # keys are below this
    for column in columns:
        if column.kind == "numeric":
            distinct, code = np.unique(column.values, return_inverse=True)  # NaNs count as one
            base = len(distinct)
        else:
            code, base = column.values + 1, len(column.categories) + 1
        if size * base >= 2**62:
            packed, key = np.unique(key, return_inverse=True)
            size = len(packed)
        key = key * base + code
        size *= base
    return key
