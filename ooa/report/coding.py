"""Rows for a page: every value only as far as conditions can tell it from others, equal rows as one.

A number is coded by how many *cuts* it passes. A cut is what a bound of a condition asks: "at least 30" (30
passes) or "above 30" (30 does not). A category is coded by its place among those that have a name on the
page. Code 0 is a missing value. What such conditions say of a row follows from its codes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ooa.candidates.generate import candidate_literals
from ooa.data.columns import Category, Column
from ooa.data.rows import Attribute, WeightedRows
from ooa.errors import DataError
from ooa.rules.levels import LevelRange, rank_in
from ooa.rules.literal import Equal, IsMissing, Literal, NotEqual, OneOf, Range
from ooa.rules.pattern import Pattern
from ooa.rules.text import name_text, number_text, time_text, value_text

__all__ = ["NAMES", "CodedRows", "Coding", "coded_rows", "coding_of"]

#: A cut: a number, and whether only what is above it passes.
CutAt = tuple[float, bool]
#: Cuts of a column that the page offers beside those of the rule sets, and names of a column of many.
CUTS, NAMES = 30, 60


@dataclass(frozen=True)
class Coding:
    """How one attribute is coded.

    Attributes
    ----------
    attribute : the attribute
    cuts : of numbers and times, ascending
    lows, highs : the places of those that conditions can have as a lower, or as an upper bound
    names : of categories and ordered levels, in their order; those that are not there are "another"
    """

    attribute: Attribute
    cuts: tuple[CutAt, ...] = ()
    lows: tuple[int, ...] = ()
    highs: tuple[int, ...] = ()
    names: tuple[Category, ...] = ()

    @property
    def kind(self) -> str:
        """What the page does with it."""
        if self.attribute.levels:
            return "ordered"
        return "time" if self.attribute.time else self.attribute.kind

    def codes(self, column: Column) -> NDArray[np.uint16]:
        """The codes of a column."""
        codes = np.zeros(len(column), dtype=np.uint16)
        there = ~column.missing
        if column.names or self.kind == "categorical":
            place = np.array([1 + self._place(name) for name in column.names] or [0], dtype=np.uint16)
            codes[there] = place[column.codes[there]]
            return codes
        values = column.values[there]
        # Exactly: numbers below a cut, and those equal to it, are found on either side of equals.
        inside = np.ones(len(values), dtype=np.uint16)
        for value, above in self.cuts:
            inside += values > value if above else values >= value
        codes[there] = inside
        return codes

    def literal(self, literal: Literal, at: int) -> list[Any]:
        """A condition in terms of the codes; `at` is the place of the attribute."""
        match literal:
            case Range():
                low = -1 if literal.low is None else self.cuts.index((literal.low, not literal.low_closed))
                high = -1 if literal.high is None else self.cuts.index((literal.high, literal.high_closed))
                return ["range", at, low, high]
            case LevelRange():
                return [
                    "levels",
                    at,
                    -1 if literal.low is None else literal.first,
                    -1 if literal.high is None else literal.last,
                ]
            case Equal():
                return ["equal", at, self._place(literal.value)]
            case NotEqual():
                return ["not", at, self._place(literal.value)]
            case OneOf():
                return ["in", at, *map(self._place, literal.values)]
            case IsMissing():
                return ["missing", at]
        raise AssertionError(f"not a literal: {literal!r}")

    def document(self) -> dict[str, Any]:
        """What the page has to know of it: texts as `RuleSet.parse` reads them, values as JSON."""
        written = time_text if self.attribute.time else number_text
        return {
            "name": self.attribute.name,
            "text": name_text(self.attribute.name),
            "json": json.dumps(self.attribute.name),
            "kind": self.kind,
            "cuts": [
                {"text": written(value), "json": json.dumps(value), "above": above}
                for value, above in self.cuts
            ],
            "lows": self.lows,
            "highs": self.highs,
            "names": [{"text": value_text(name), "json": json.dumps(name)} for name in self.names],
        }

    def _place(self, name: Category) -> int:
        """The place of a name; of one that is not there, the place behind all."""
        place = rank_in(self.names, name)
        return len(self.names) if place < 0 else place


def coding_of(rows: WeightedRows, patterns: Iterable[Pattern], others: bool = True) -> tuple[Coding, ...]:
    """How the attributes are coded, so that the conditions of some patterns and others like them can be told.

    Parameters
    ----------
    rows : the rows
    patterns : whose conditions are told
    others : whether others like them are, too; without, no value is named that the patterns do not name

    Examples
    --------
    >>> from ooa.data.table import Table
    >>> table = Table.from_any({"age": [20, 30, 40], "sex": ["f", "m", None]}, [0, 1, 1])
    >>> age, sex = coding_of(table, [Pattern.parse("age > 25")])
    >>> age.cuts, age.codes(table.columns[0]).tolist(), sex.codes(table.columns[1]).tolist()
    (((20.0, True), (25.0, True), (30.0, False), (30.0, True), (40.0, False)), [1, 4, 6], [1, 2, 0])
    """
    used = [literal for pattern in patterns for literal in pattern]
    offered = candidate_literals(rows, max_thresholds=CUTS).literals if others else ()
    by_name: dict[str, tuple[list[Literal], list[Literal]]] = {one.name: ([], []) for one in rows.attributes}
    for which, some in enumerate((used, offered)):
        for literal in some:
            by_name[literal.attribute][which].append(literal)
    return tuple(
        _coding(attribute, column, *by_name[attribute.name], others)
        for attribute, column in zip(rows.attributes, rows.columns)
    )


def _coding(
    attribute: Attribute, column: Column, used: list[Literal], offered: list[Literal], others: bool
) -> Coding:
    if attribute.levels:
        return Coding(attribute, names=attribute.levels if others or used else ())
    if column.categories:
        return Coding(attribute, names=_names(column, used, NAMES if others else 0))
    ranges = [one for one in (*used, *offered) if isinstance(one, Range)]
    lows = {(one.low, not one.low_closed) for one in ranges if one.low is not None}
    highs = {(one.high, one.high_closed) for one in ranges if one.high is not None}
    cuts = sorted(lows | highs)
    return Coding(
        attribute,
        tuple(cuts),
        tuple(k for k, cut in enumerate(cuts) if cut in lows),
        tuple(k for k, cut in enumerate(cuts) if cut in highs),
    )


def _names(column: Column, used: Sequence[Literal], most: int) -> tuple[Category, ...]:
    """All categories if there are no more, else those that conditions name; and what these name besides."""
    named = [one.value for one in used if isinstance(one, (Equal, NotEqual))]
    named += [value for one in used if isinstance(one, OneOf) for value in one.values]
    few = len(column.categories) <= most
    kept = [name for name in column.categories if few or rank_in(named, name) >= 0]
    for name in named:
        if rank_in(kept, name) < 0:
            kept.append(name)
    return tuple(kept)


@dataclass(frozen=True, eq=False)
class CodedRows:
    """Rows by their codes, equal ones as one.

    Attributes
    ----------
    codes : for every attribute, the code of every distinct row
    positive, negative : the weight of the positives, and of the negatives, in each
    row : for every row given, its distinct row
    """

    codes: NDArray[np.uint16]
    positive: NDArray[np.float64]
    negative: NDArray[np.float64]
    row: NDArray[np.int64]


def coded_rows(rows: WeightedRows, coding: Sequence[Coding]) -> CodedRows:
    """Code rows that have the attributes, and merge those that are equal then."""
    columns = {column.name: column for column in rows.columns}
    lacking = [one.attribute.name for one in coding if one.attribute.name not in columns]
    if lacking:
        raise DataError(f"The test rows lack the column(s) {', '.join(map(repr, lacking))}")
    codes = np.column_stack([one.codes(columns[one.attribute.name]) for one in coding])
    distinct, row = np.unique(codes, axis=0, return_inverse=True)
    row = row.reshape(-1)
    many = len(distinct)
    weights = (np.bincount(row, weights=w, minlength=many) for w in (rows.positive, rows.negative))
    positive, negative = (weight.astype(np.float64) for weight in weights)
    return CodedRows(distinct.T.copy(), positive, negative, row)
