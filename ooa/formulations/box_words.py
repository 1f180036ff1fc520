"""What constraints can say of the literals of boxes, and of rows that differ from those of the table."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ooa.data.columns import Column
from ooa.model.expressions import Expression, FloatArray, Variables
from ooa.rules.changes import bound_on

from .layout import Layout
from .rank_space import RankSpace
from .scales import NumericScale
from .vocabulary import Side

__all__ = ["BoxWords"]

Integers = NDArray[np.int64]


class BoxWords(Layout):
    """Words about the ends of ranges, about categories, and about values that no row has, of K boxes.

    A literal that says "has a value" (a range over all values of an attribute that some rows lack) has to
    be written with a bound on one side, `x >= least value` or `x <= greatest value`. Constraints may tell the
    two apart, so beside constraints each box says by a variable which of them it is.
    """

    space: RankSpace
    K: int
    # Columns that constraints have added, by box in their last index
    _further: list[NDArray[np.int32]]

    # -- what the words are made of --------------------------------------------------------------

    @property
    @abstractmethod
    def literal(self) -> Variables:
        """For every box and attribute, 1 if the box is used and has a literal on the attribute."""

    @abstractmethod
    def begins(self, j: int, rank: Integers) -> Expression:
        """For ranks and boxes, 1 if the range on a numeric attribute begins at the rank or above."""

    @abstractmethod
    def ends(self, j: int, rank: Integers) -> Expression:
        """For ranks and boxes, 1 if the range on a numeric attribute ends below the rank."""

    @abstractmethod
    def named(self, j: int, rank: Integers) -> Expression:
        """For ranks and boxes, 1 if the literal on a categorical attribute names that category."""

    @abstractmethod
    def says_missing(self, j: int) -> Expression:
        """For every box, 1 if its literal on the attribute is "is missing"."""

    @abstractmethod
    def from_above(self, j: int) -> Expression:
        """For every box, 1 if its literal says "has a value" by a bound from above."""

    @abstractmethod
    def surely(self, row: Integers) -> Expression:
        """For rows in rank space and boxes, 1 if the box covers the row, and at most 0 if not."""

    @abstractmethod
    def possibly(self, row: Integers) -> Expression:
        """The same by variables that are at most 1 if the box covers the row, and 0 if not."""

    # -- the words -------------------------------------------------------------------------------

    def limits(self, j: int) -> tuple[Expression, Expression]:
        """For every box, 1 if it leaves out the least, and the greatest, rank of a numeric attribute."""
        return self.begins(j, np.array([1]))[0], self.ends(j, np.array([self.space.scales[j].size - 1]))[0]

    def bounded(self, attribute: str, side: Side) -> Expression:
        """For every box, 1 if it bounds the attribute from that side."""
        j = self.numeric_attribute(attribute)
        limit = self.limits(j)[0 if side == "below" else 1]
        return limit + self._written(j, side) if self.space.scales[j].has_missing else limit

    def _written(self, j: int, side: Side) -> Expression:
        """For every box, 1 if its literal says "has a value" by a bound on that side."""
        above = self.from_above(j)
        return above if side == "above" else self._has_a_value(j) - above

    def cuts(self, attribute: str, side: Side, value: Any) -> Expression:
        """For every box, how many bounds it sets to the attribute beyond a value."""
        j = self.numeric_attribute(attribute)
        scale, limit = self._scale(j), bound_on(self._rows.columns[j], value)
        low, high = (np.array([getattr(cut, end) for cut in scale.all_cuts]) for end in ("above", "below"))
        if side == "above":
            first, last = np.array([1 + np.count_nonzero(low <= limit)]), np.count_nonzero(high <= limit)
            upper = self.limits(j)[1] - self.ends(j, np.array([last]))[0]
            return self.begins(j, first)[0] + upper
        first, last = np.array([1 + np.count_nonzero(low < limit)]), np.count_nonzero(high < limit)
        return self.limits(j)[0] - self.begins(j, first)[0] + self.ends(j, np.array([last]))[0]

    def names(self, attribute: str, category: Any) -> Expression:
        """For every box, 1 if its literal on the attribute names the category."""
        j, code = self._category_code(attribute, category)
        scale, column = self.space.scales[j], self._rows.columns[j]
        if isinstance(scale, NumericScale):  # ordered ones: inside the range
            one = replace(column, values=np.array([code], dtype=column.values.dtype))
            return self.literal[:, j] - self._outside(j, one)[0]
        rank = self._ranks_of(j)[[code]]
        return self.named(j, rank)[0] if rank[0] >= 0 else self.used * 0.0

    def _ranks_of(self, j: int) -> Integers:
        """The rank of every category of a column, and of -1; -1 for one that no row has."""
        column = self._rows.columns[j]
        codes = np.unique(column.values[column.values >= 0])
        rank = np.full(len(column.categories) + 1, -1, dtype=np.int64)
        rank[codes] = np.arange(len(codes))
        return rank

    def _scale(self, j: int) -> NumericScale:
        scale = self.space.scales[j]
        assert isinstance(scale, NumericScale)
        return scale

    def _has_a_value(self, j: int) -> Variables:
        """For every box, a variable that is 1 if its literal says "has a value"."""
        return self._once(("has a value", j), lambda: self._add_has_a_value(j))

    def _add_has_a_value(self, j: int) -> Variables:
        below, above = self.limits(j)
        literal = self.literal[:, j] - self.says_missing(j)
        name = f"{self.space.scales[j].name} has a value"
        flag = self._model.add_continuous(name, self.K, upper=1.0, implied=True)
        self._model.add_rows(f"{name} if", flag - literal + below + above >= 0)
        self._model.add_rows(f"{name} only if literal", flag - literal <= 0)
        self._model.add_rows(f"{name} only if not below", flag + below <= 1)
        self._model.add_rows(f"{name} only if not above", flag + above <= 1)
        excess = literal - below - above
        self._auxiliary.append((flag, lambda x: excess.value(x) > 0.5))
        self._further.append(flag.index)
        return flag

    # -- rows that differ from the table's --------------------------------------------------------

    def _changed(self, j: int, column: Column) -> tuple[Expression, Expression]:
        """Variables for the rows with another column j, and for "so or as they are"."""
        columns = [column if i == j else one for i, one in enumerate(self._rows.columns)]
        outside = [self._outside(i, one) for i, one in enumerate(columns)]
        n, model, name = len(column), self._model, f"{column.name} changed {len(self._made)}"
        surely = self.used - sum(outside[1:], start=outside[0])
        covers = model.add_continuous(f"{name} covers", (n, self.K), upper=1.0, implied=True)
        model.add_rows(f"{name} covers if used", covers - self.used <= 0)
        for i, one in enumerate(outside):
            model.add_rows(f"{name} covers if inside {i}", covers + one <= 1)
        self._auxiliary.append((covers, lambda x: surely.value(x) > 0.5))
        self._further.append(covers.index)
        after = self._any_box(name, [surely], [covers])
        here = self.space.row[np.arange(n)]
        either = self._any_box(f"{name}, or not", [surely, self.surely(here)], [covers, self.possibly(here)])
        return after, either

    def _any_box(self, name: str, surely: Sequence[Expression], possibly: Sequence[Any]) -> Expression:
        """For rows, a variable that is 1 if a box covers them in one of some ways."""
        fires = self._model.add_continuous(name, surely[0].shape[0], upper=1.0, implied=True)
        for i, way in enumerate(surely):
            self._model.add_rows(f"{name} if covered {i}", fires[:, None] - way >= 0)
        some = [way.sum(axis=1) for way in possibly]
        self._model.add_rows(f"{name} only if covered", fires - sum(some[1:], start=some[0]) <= 0)
        covered = list(surely)
        self._auxiliary.append(
            (fires, lambda x: np.any([w.value(x) > 0.5 for w in covered], axis=0).any(axis=1))
        )
        return fires.as_expression()

    def _outside(self, j: int, column: Column) -> Expression:
        """For the values of a column and boxes, 1 if the box leaves out the value of attribute j, else 0."""
        literal, missing = self.literal[:, j], self.says_missing(j)
        absent: FloatArray = column.missing[:, None].astype(np.float64)
        present: FloatArray = 1.0 - absent
        if_missing = (literal - missing) * absent
        scale = self.space.scales[j]
        if not isinstance(scale, NumericScale):
            known = self._ranks_of(j)[column.values]
            some: FloatArray = (known >= 0)[:, None].astype(np.float64)
            return (literal - self.named(j, np.maximum(known, 0)) * some) * present + if_missing
        values = np.where(column.missing, 0, column.values)
        begin, end = _ends(scale, values)
        outside = self.begins(j, begin) + self.ends(j, end) + missing
        return (outside + self._beyond(j, column)) * present + if_missing

    def _beyond(self, j: int, column: Column) -> Expression | float:
        """What leaves out values beyond all others although it only says "has a value", as it is written."""
        known, found = self._scale(j).values, column.values[~column.missing]
        if not len(known) or not len(found):
            return 0.0
        sides: dict[Side, NDArray[np.bool_]] = {
            "above": column.values > known[-1],
            "below": column.values < known[0],
        }
        outside: Expression | float = 0.0
        for side, rows in sides.items():
            rows = rows & ~column.missing
            if rows.any() and self.space.scales[j].has_missing:
                outside = self._written(j, side) * rows[:, None].astype(float) + outside
        return outside


def _ends(scale: NumericScale, values: FloatArray) -> tuple[Integers, Integers]:
    """The least rank at which ranges that leave out a value begin, and the greatest that they end below."""
    cuts = scale.all_cuts
    low, high = (
        np.array([getattr(cut, end) for cut in cuts], dtype=values.dtype) for end in ("above", "below")
    )
    begin = 1 + np.searchsorted(low, values, side="right")
    end = np.searchsorted(high, values, side="left")
    closed = np.array([*(cut.below_closed for cut in cuts), True])
    at = np.append(high, values.max(initial=0) + 1)[end] == values
    return begin.astype(np.int64), (end + (at & ~closed[end])).astype(np.int64)
