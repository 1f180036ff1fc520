"""Scales: one attribute's values as ranks, and its literals as selections of ranks, both ways."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ooa.candidates.cutpoints import Cut, column_cut
from ooa.data.columns import Category, Column
from ooa.data.times import NO_TIME
from ooa.errors import DataError, RuleError
from ooa.rules.levels import range_on
from ooa.rules.literal import Equal, IsMissing, Literal, OneOf

from .needed_cuts import NeededCuts

__all__ = ["CategoryScale", "NumericScale", "RankSelection", "Scale", "category_scale", "numeric_scale"]

#: Which ranks a literal selects: one truth value per rank and, last, whether it holds where missing.
RankSelection: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Scale(ABC):
    """One attribute in rank space.

    Attributes
    ----------
    name : str
    size : int
        The number of ranks.
    has_missing : bool
        Whether some row lacks a value.
    missing_literal : bool
        Whether "is missing" is among the attribute's literals.
    """

    name: str
    size: int
    has_missing: bool
    missing_literal: bool

    @abstractmethod
    def select(self, literal: Literal) -> RankSelection:
        """Return what a literal selects, whatever its kind and bounds; RuleError if no selection says it."""

    @abstractmethod
    def literal(self, selection: RankSelection) -> Literal:
        """Return a readable literal that selects exactly this."""

    def is_trivial(self, selection: RankSelection) -> bool:
        """Whether a selection holds for every row, so that its literal is not substantive."""
        return bool(selection[:-1].all() and (selection[-1] or not self.has_missing))

    def _mask(self, literal: Literal, values: Column) -> RankSelection:
        """Evaluate a literal on every distinct value and, last, on a missing one."""
        try:
            mask = literal.mask(values)
        except DataError as error:
            raise RuleError(str(error)) from error
        if mask[-1] and not self.has_missing:
            mask = np.zeros_like(mask)  # no row lacks a value here
        if mask[-1] and not self.missing_literal:
            raise RuleError(
                f"'{literal}' is not among the literals: missing values of {self.name!r} have none"
            )
        return mask


@dataclass(frozen=True, eq=False)
class CategoryScale(Scale):
    """A categorical attribute: its ranks are the categories that occur, in ascending order.

    Attributes
    ----------
    categories : tuple
    """

    categories: tuple[Category, ...]

    def select(self, literal: Literal) -> RankSelection:
        """Return the categories that a literal selects; the selection may be empty."""
        codes = np.append(np.arange(self.size, dtype=np.int32), np.int32(-1))
        return self._mask(literal, Column(self.name, "categorical", codes, self.categories))

    def literal(self, selection: RankSelection) -> Literal:
        """Return "is missing", "= category" or "in {categories}"."""
        if selection[-1]:
            return IsMissing(self.name)
        chosen = [self.categories[v] for v in np.flatnonzero(selection[:-1])]
        return Equal(self.name, chosen[0]) if len(chosen) == 1 else OneOf(self.name, chosen)


@dataclass(frozen=True, eq=False)
class NumericScale(Scale):
    """A numeric attribute: its ranks are intervals of neighbouring distinct values, by default of one each.

    Attributes
    ----------
    values : ndarray of float64, of times int64
        The distinct values, in ascending order.
    last : ndarray of int64, shape (size,)
        The position in `values` of the last value of every rank.
    lower, upper : ndarray of bool, shape (size - 1,)
        For the gap after every rank but the last, whether a range may begin, or end, there.
    cuts : mapping
        By position in `values` of the value before it, the cuts that were asked for.
    time, levels : see `ooa.data.columns.Column`
    needed : NeededCuts, optional
        Set if cuts that no optimal rule set needs were left out.
    grid : ndarray of int64
        `last` before those were left out.
    """

    values: NDArray[Any]
    last: NDArray[np.int64]
    lower: NDArray[np.bool_]
    upper: NDArray[np.bool_]
    cuts: Mapping[int, Cut]
    time: bool
    levels: tuple[Category, ...]
    needed: NeededCuts | None
    grid: NDArray[np.int64]

    def select(self, literal: Literal) -> RankSelection:
        """Return the ranks that a literal selects; the selection may be empty.

        If cuts that no optimal rule set needs were left out, a range that uses one is moved as in the proof
        (`ooa.formulations.needed_cuts`), which never makes a rule set worse.
        """
        values = np.append(self.values, NO_TIME if self.time else np.nan)
        mask = self._mask(literal, Column(self.name, "numeric", values, time=self.time, levels=self.levels))
        selection = np.zeros(self.size + 1, dtype=bool)
        selection[-1] = mask[-1]
        inside = np.flatnonzero(mask[:-1])
        if len(inside) == 0:
            return selection
        first, last = int(inside[0]), int(inside[-1])
        if last - first + 1 != len(inside):
            raise RuleError(f"'{literal}' does not select one range of the values of {self.name!r}")
        ranks = self._grid_ranks(literal, first, last)
        if self.needed is not None:
            moved = self.needed.moved(*ranks)
            if moved is None:
                return selection
            ranks = tuple(int(np.searchsorted(self.last, self.grid[rank])) for rank in moved)
        selection[ranks[0] : ranks[1] + 1] = True
        return selection

    def _grid_ranks(self, literal: Literal, first: int, last: int) -> tuple[int, ...]:
        """Return the first and last rank of a range of values; raise where it splits a rank."""
        start = 0 if first == 0 else int(np.searchsorted(self.grid, first - 1))
        stop = int(np.searchsorted(self.grid, last))
        for rank, value in ((start, first - 1), (stop, last)):
            if value >= 0 and self.grid[rank] != value:
                low, high = map(self._shown, (self.values[value], self.values[value + 1]))
                raise RuleError(
                    f"'{literal}' cuts {self.name!r} between {low} and {high}, where no cut is allowed"
                )
        return (start if first == 0 else start + 1), stop

    def _shown(self, value: float) -> str:
        return repr(self.levels[int(value)]) if self.levels else f"{value:g}"

    def literal(self, selection: RankSelection) -> Literal:
        """Return "is missing" or a range with readable bounds, one-sided where it reaches an end."""
        if selection[-1]:
            return IsMissing(self.name)
        inside = np.flatnonzero(selection[:-1])
        over = self._cut(int(inside[0]) - 1) if inside[0] > 0 else None
        under = self._cut(int(inside[-1])) if inside[-1] < self.size - 1 else None
        if over is None and under is None:  # "has a value"
            return range_on(self, low=self.values[0].item())
        return range_on(
            self,
            low=None if over is None else over.above,
            high=None if under is None else under.below,
            high_closed=under is None or under.below_closed,
        )

    def without_needless(self, needed: NeededCuts) -> tuple[NumericScale, NDArray[np.int32]]:
        """Return the scale with the needed cuts alone, and the new rank of every old one and of -1."""
        lower, upper = needed.lower, needed.upper
        kept = lower | upper
        last = self.last[np.append(kept, True)]
        scale = replace(self, size=len(last), last=last, lower=lower[kept], upper=upper[kept], needed=needed)
        return scale, np.append(np.searchsorted(last, self.last), -1).astype(np.int32)

    @property
    def all_cuts(self) -> list[Cut]:
        """The cut after every rank but the last, as it is written."""
        return [self._cut(rank) for rank in range(self.size - 1)]

    def _cut(self, rank: int) -> Cut:
        """Return the cut after a rank."""
        gap = int(self.last[rank])
        if gap in self.cuts:
            return self.cuts[gap]
        return column_cut(self, self.values[gap].item(), self.values[gap + 1].item())


def category_scale(
    column: Column, has_missing: bool, missing_literal: bool
) -> tuple[CategoryScale, NDArray[np.int32]]:
    """Return the scale of a categorical column, with the categories that occur, and each row's rank."""
    codes = np.unique(column.values[column.values >= 0])
    rank = np.full(len(column.categories) + 1, -1, dtype=np.int32)  # the last is for code -1
    rank[codes] = np.arange(len(codes))
    categories = tuple(column.categories[code] for code in codes)
    return CategoryScale(column.name, len(codes), has_missing, missing_literal, categories), rank[
        column.values
    ]


def numeric_scale(
    column: Column, cuts: Iterable[Cut] | None, has_missing: bool, missing_literal: bool
) -> tuple[NumericScale, NDArray[np.int32]]:
    """Return the scale of a numeric column, cut at the cuts (None: everywhere), and each row's rank."""
    present = ~column.missing
    values, place = np.unique(column.values[present], return_inverse=True)
    by_gap: dict[int, Cut] = {}
    if cuts is None:
        last = np.arange(len(values))
    else:
        for cut in cuts:
            under = values <= cut.below if cut.below_closed else values < cut.below
            by_gap.setdefault(int(np.count_nonzero(under)) - 1, cut)
        inner = sorted(gap for gap in by_gap if 0 <= gap < len(values) - 1)
        last = np.array([*inner, len(values) - 1], dtype=np.int64)
    rank = np.full(len(column), -1, dtype=np.int32)
    rank[present] = np.searchsorted(last, place)
    everywhere = np.ones(len(last) - 1, dtype=bool)
    scale = NumericScale(
        column.name,
        len(last),
        has_missing,
        missing_literal,
        values=values,
        last=last,
        lower=everywhere,
        upper=everywhere,
        cuts=by_gap,
        time=column.time,
        levels=column.levels,
        needed=None,
        grid=last,
    )
    return scale, rank
