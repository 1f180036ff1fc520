"""Weighted rows of typed columns, and the merging of equal rows into one."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ooa.clock import NEVER, Deadline

from .columns import Category, Column, Kind
from .frames import Frame
from .row_order import equal_rows

__all__ = ["Attribute", "DistinctRows", "WeightedRows", "merge_equal"]

AnyRows = TypeVar("AnyRows", bound="WeightedRows")


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
    copies : ndarray of int64, optional
        How many rows each of these stands for where an engine merged equal ones; one each if None.
    """

    attributes: tuple[Attribute, ...]
    columns: tuple[Column, ...]
    positive: NDArray[np.float64]
    negative: NDArray[np.float64]
    copies: NDArray[np.int64] | None = field(default=None, kw_only=True)

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.positive)

    @property
    def row_numbers(self) -> NDArray[np.int64]:
        """How many rows each row stands for."""
        return np.ones(self.n_rows, dtype=np.int64) if self.copies is None else self.copies

    def only(self: AnyRows, names: Collection[str]) -> AnyRows:
        """The same rows, with the columns of these names alone."""
        chosen = [j for j, column in enumerate(self.columns) if column.name in names]
        return replace(
            self,
            attributes=tuple(self.attributes[j] for j in chosen),
            columns=tuple(self.columns[j] for j in chosen),
        )

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


def merge_equal(rows: WeightedRows, deadline: Deadline = NEVER) -> DistinctRows:
    """Merge the rows that agree on every attribute, in order of first appearance.

    Missing equals missing, and -0.0 equals 0.0. Once the deadline has passed, every row stays by itself: its
    weights are as true there, and what is proved of them holds as well.
    """
    found = equal_rows([column.values for column in rows.columns], rows.n_rows, deadline)
    if found is None:
        alone = np.arange(rows.n_rows, dtype=np.int64)
        return DistinctRows(rows.attributes, rows.columns, rows.positive, rows.negative, row=alone)
    first, row = found
    return DistinctRows(
        attributes=rows.attributes,
        columns=tuple(column.take(first) for column in rows.columns),
        positive=_totals(row, rows.positive),
        negative=_totals(row, rows.negative),
        row=row,
    )


def _totals(row: NDArray[np.int64], weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """Add up the weights of equal rows."""
    return np.bincount(row, weights=weight).astype(np.float64)
