"""The data of one problem: typed attributes, two labels, weights; equal rows merged into weighted ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ooa.clock import NEVER, Deadline
from ooa.errors import DataError, OptionError

from .columns import Category, Column, Kind
from .frames import Frame, open_frame
from .labels import read_labels, read_weights
from .ranks import as_trained_on
from .row_order import equal_rows, lexicographic
from .rows import Attribute, DistinctRows, WeightedRows, merge_equal

__all__ = [
    "Attribute",
    "DistinctRows",
    "Table",
    "WeightedRows",
    "check_columns",
    "column_kinds",
    "described",
]


@dataclass(frozen=True, eq=False, repr=False)
class Table(WeightedRows):
    """The data of one two-class problem, made by `Table.from_any`.

    Attributes
    ----------
    attributes : tuple of Attribute
    columns : tuple of Column
    positive, negative : ndarray of float64
        `weight` where the row is positive, or negative, and 0 elsewhere.
    y : ndarray of bool
        True where the label is the positive one.
    weight : ndarray of float64
    labels : tuple
        The negative and the positive label.
    target : str
        What the label is called.

    Examples
    --------
    >>> table = Table.from_any([{"age": 31, "smoker": True}, {"age": 50}, {"age": 31, "smoker": True}],
    ...                        ["well", "ill", "ill"], positive="ill")
    >>> table
    Table(3 rows, 2 attributes, weight 2 positive, 1 negative)
    >>> distinct = table.distinct()
    >>> distinct.row.tolist(), distinct.positive.tolist(), distinct.negative.tolist()
    ([0, 1, 0], [1.0, 1.0], [1.0, 0.0])
    """

    y: NDArray[np.bool_]
    weight: NDArray[np.float64]
    labels: tuple[Category, Category]
    target: str

    @property
    def weighted(self) -> bool:
        """Whether any row counts for something other than 1; one that counts for 0 is as good as absent."""
        rows = 1.0 if self.copies is None else self.copies
        return not ((self.weight == 0.0) | (self.weight == rows)).all()

    @classmethod
    def from_any(
        cls,
        X: object,
        y: object,
        *,
        positive: object = None,
        sample_weight: object = None,
        class_weight: object = None,
        categorical: Sequence[str] = (),
        numeric: Sequence[str] = (),
        missing: Literal["false", "category"] | Sequence[str] = "false",
    ) -> Table:
        """Read a table from a frame, an array or a list of dicts, and check it.

        Parameters
        ----------
        X : object
            Anything `ooa.data.frames.open_frame` reads.
        y : sequence, array, Series or str
            The labels, or the name of the column of `X` that holds them.
        positive : optional
            The label to predict; by default True, the larger number, or the last in sorted order.
        sample_weight : sequence of float, optional
            What each row counts for; by default 1.
        class_weight : "balanced" or dict, optional
            A factor per label; see `ooa.data.labels.read_weights`.
        categorical, numeric : sequence of str
            Names of columns whose kind is not the one their type suggests.
        missing : {"false", "category"} or sequence of str
            Every literal but "is missing" is false for a missing value. "category", or the names of some
            columns, makes missing a category of its own in categorical columns: "is missing" then is one of
            their candidate literals.

        Raises
        ------
        DataError
            If the data cannot be used; the message names the column or row. Rows are counted from 0.
        OptionError
            If an option names no column or no label.
        """
        frame = open_frame(X)
        names = list(frame.names)
        labels_in, target = y, _name_of(y)
        if isinstance(y, str):
            labels_in, target = frame.column(y, kind="categorical"), y
            names.remove(y)
        if not names:
            raise DataError("The table has no columns to learn from")
        if frame.n_rows == 0:
            raise DataError("The table has no rows")
        columns = tuple(
            frame.column(name, kind) for name, kind in column_kinds(names, categorical, numeric).items()
        )
        check_columns(columns)
        labels = read_labels(labels_in, positive=positive, name=target)
        if len(labels.y) != frame.n_rows:
            raise DataError(f"{target!r} has {len(labels.y)} labels for {frame.n_rows} rows")
        weight = read_weights(labels, sample_weight, class_weight)
        return cls.of_columns(
            described(columns, missing),
            columns,
            labels.y,
            weight,
            labels=(labels.negative, labels.positive),
            target=target,
        )

    @classmethod
    def of_columns(
        cls,
        attributes: Sequence[Attribute],
        columns: Sequence[Column],
        y: NDArray[np.bool_],
        weight: NDArray[np.float64],
        *,
        labels: tuple[Category, Category],
        target: str,
        copies: NDArray[np.int64] | None = None,
    ) -> Table:
        """Return a table of columns that were read before.

        Parameters
        ----------
        attributes, columns : one each per column
        y, weight : whether each row is positive, and what it counts for
        labels : the negative and the positive label
        target : what the label is called
        copies : how many rows each of these stands for, where not 1
        """
        return cls(
            attributes=tuple(attributes),
            columns=tuple(columns),
            positive=np.where(y, weight, 0.0),
            negative=np.where(y, 0.0, weight),
            y=y,
            weight=weight,
            labels=labels,
            target=target,
            copies=copies,
        )

    def take(self, X: object, names: Sequence[str] | None = None) -> Frame:
        """Return other data as a frame of this table's attributes: by name, in this order, of these kinds.

        Parameters
        ----------
        X : object
            Anything `ooa.data.frames.open_frame` reads; other columns and another order do not matter.
        names : sequence of str, optional
            The attributes that are needed; by default all.

        Raises
        ------
        DataError
            If `X` lacks needed columns; the message names them all.

        Examples
        --------
        >>> table = Table.from_any({"a": [1, 2], "b": ["u", "v"]}, [0, 1])
        >>> table.take({"b": ["w"], "c": [0], "a": [5]}).names
        ('a', 'b')
        """
        frame = open_frame(X)
        known = {attribute.name: attribute for attribute in self.attributes}
        unknown = [name for name in names or () if name not in known]
        if unknown:
            raise OptionError(f"{unknown[0]!r} is not an attribute of the table")
        wanted = [attribute for name, attribute in known.items() if names is None or name in names]
        absent = [attribute.name for attribute in wanted if attribute.name not in frame.names]
        if absent:
            raise DataError(f"The data lack the column(s) {', '.join(map(repr, absent))}")

        def fetch(j: int, rows: slice) -> Column:
            return as_trained_on(frame.slice(rows.start, rows.stop), wanted[j].name, wanted[j])

        return Frame([attribute.name for attribute in wanted], frame.n_rows, fetch)

    def subset(self, rows: NDArray[np.intp]) -> Table:
        """Return some of the rows, by number, in this order.

        Examples
        --------
        >>> table = Table.from_any({"a": [1, 2, 3]}, [0, 1, 1])
        >>> table.subset(np.array([2, 0])).y.tolist()
        [True, False]
        """
        return replace(
            self,
            columns=tuple(column.take(rows) for column in self.columns),
            copies=None if self.copies is None else self.copies[rows],
            **{name: getattr(self, name)[rows] for name in ("positive", "negative", "y", "weight")},
        )

    def ordered(self, deadline: Deadline = NEVER) -> Table:
        """Return the rows that weigh something, in an order that follows from their values.

        Then neither the order in which rows come nor rows of no weight can decide between equally good rule
        sets, and a row of weight 2 is the same as two rows. Once the deadline has passed, rows stay in the
        order that they have.
        """
        values = [column.values for column in self.columns]
        found = equal_rows(values, self.n_rows, deadline)
        if found is None:
            order = lexicographic(values, deadline)
        else:  # equal rows lie together, and only different ones have to be told apart
            first, which = found
            rank = np.empty(len(first), dtype=np.int64)
            rank[lexicographic([some[first] for some in values], deadline)] = np.arange(len(first))
            order = lexicographic([self.weight, self.y, rank[which]], deadline)
        columns, in_time = [], deadline.pieces()
        order = order[self.weight[order] > 0]
        for column in self.columns:
            if not next(in_time):
                return self if (self.weight > 0).all() else self.subset(np.flatnonzero(self.weight > 0))
            columns.append(column.take(order))
        return replace(replace(self, columns=()).subset(order), columns=tuple(columns))

    def distinct(self, deadline: Deadline = NEVER) -> DistinctRows:
        """Merge the rows that agree on every attribute, in order of first appearance.

        Missing equals missing, and -0.0 equals 0.0. Once the deadline has passed, every row stays by itself.
        """
        return merge_equal(self, deadline)


def _name_of(y: object) -> str:
    """Return the name a Series of labels carries, or "target"."""
    name = getattr(y, "name", None)
    return name if isinstance(name, str) and name else "target"


def column_kinds(
    names: list[str], categorical: Sequence[str], numeric: Sequence[str]
) -> dict[str, Kind | None]:
    """Return every column's kind where it is given, None where its type decides."""
    kinds: dict[str, Kind | None] = dict.fromkeys(names)
    options: tuple[tuple[Kind, Sequence[str]], ...] = (("categorical", categorical), ("numeric", numeric))
    for kind, chosen in options:
        if isinstance(chosen, str) or not isinstance(chosen, Iterable) or getattr(chosen, "ndim", 1) != 1:
            raise OptionError("must be a list of column names", option=kind, value=chosen)
        for name in map(str, chosen):
            if name not in kinds:
                raise OptionError(f"{kind} names {name!r}, which is not a column of the table")
            if kinds[name] not in (None, kind):
                raise OptionError(f"Column {name!r} is named both as categorical and as numeric")
            kinds[name] = kind
    return kinds


def check_columns(columns: tuple[Column, ...]) -> None:
    """Raise on columns nothing can be learnt from: without any value, or with infinite ones."""
    empty = [column.name for column in columns if column.missing.all()]
    if empty:
        raise DataError(f"Every value is missing in column(s) {', '.join(map(repr, empty))}: leave them out")
    for column in columns:
        values: NDArray[Any] = column.values
        if column.kind == "categorical":
            endless = [abs(c) == np.inf if isinstance(c, float) else False for c in column.categories]
            infinite = np.array([*endless, False])[values]
        else:
            infinite = np.isinf(values)
        if infinite.any():
            raise DataError(f"Column {column.name!r}, row {int(np.argmax(infinite))}: the value is infinite")


def described(columns: tuple[Column, ...], missing: str | Sequence[str]) -> tuple[Attribute, ...]:
    """Describe the columns, and mark those whose missing values are a category."""
    named = {column.name: column.kind == "categorical" or bool(column.levels) for column in columns}
    if isinstance(missing, str) and missing == "category":
        chosen = {name for name, categories in named.items() if categories}
    elif isinstance(missing, str) and missing == "false":
        chosen = set()
    elif isinstance(missing, str) or not isinstance(missing, Iterable) or getattr(missing, "ndim", 1) != 1:
        raise OptionError(
            "must be 'false', 'category' or a list of column names", option="missing", value=missing
        )
    else:
        chosen = set(map(str, missing))
        for name in map(str, missing):
            if name not in named:
                raise OptionError(f"missing names {name!r}, which is not a column of the table")
            if not named[name]:
                raise OptionError(f"missing names {name!r}, which is numeric and so has no categories")
    return tuple(Attribute(c.name, c.kind, c.categories, c.time, c.name in chosen, c.levels) for c in columns)
