"""Ranges of ordered categories, and ranges of any column that has an order."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ooa.checks import few_of, listed_items
from ooa.data.columns import Category, Column
from ooa.errors import RuleError

from .literal import Equal, Literal, OneOf, Range, listed, set_fields
from .values import check_category, check_name, value_key

__all__ = ["HasOrder", "LevelRange", "range_on", "rank_in"]


@dataclass(frozen=True, slots=True, eq=False, init=False)
class LevelRange(Literal):
    """A category that is between two of its ordered levels, both included; either may be absent.

    Parameters
    ----------
    attribute : str
    levels : iterable of str, bool, int or float
        All levels, the least first. A category that is none of them is in no range.
    low, high : str, bool, int or float, optional
        At least one, each one of the levels.

    Examples
    --------
    >>> str(LevelRange("grade", ["low", "medium", "high"], low="medium"))
    'grade ≥ medium'
    >>> LevelRange("grade", ["low", "medium", "high"], low="medium").values
    ('medium', 'high')
    """

    attribute: str
    levels: tuple[Category, ...]
    low: Category | None
    high: Category | None

    def __init__(
        self,
        attribute: str,
        levels: Iterable[Category],
        low: Category | None = None,
        high: Category | None = None,
    ) -> None:
        check_name(attribute)
        role = f"A level of {attribute!r}"
        if isinstance(levels, str):
            raise RuleError(f"The levels of {attribute!r} must be a collection, not the text {levels!r}")
        given = listed_items(levels, "levels", object, "levels")
        scale = tuple(check_category(role, level) for level in given)
        if len(set(map(value_key, scale))) < len(scale):
            raise RuleError(f"The levels of {attribute!r} name one twice: {', '.join(map(repr, scale))}")
        if low is None and high is None:
            raise RuleError(f"The range of {attribute!r} has neither a lower nor an upper bound")
        sides = [None if side is None else check_category(role, side) for side in (low, high)]
        for side in sides:
            if side is not None and value_key(side) not in map(value_key, scale):
                raise RuleError(f"{side!r:.200} is not a level of {attribute!r}: {few_of(map(repr, scale))}")
        set_fields(self, attribute=attribute, levels=scale, low=sides[0], high=sides[1])

    @property
    def first(self) -> int:
        """The rank of the least level inside."""
        return 0 if self.low is None else self.rank(self.low)

    @property
    def last(self) -> int:
        """The rank of the greatest level inside."""
        return len(self.levels) - 1 if self.high is None else self.rank(self.high)

    @property
    def values(self) -> tuple[Category, ...]:
        """The levels inside, in their order."""
        return self.levels[self.first : self.last + 1]

    @property
    def is_empty(self) -> bool:
        """Whether no level lies inside."""
        return self.first > self.last

    def rank(self, value: Category) -> int:
        """The rank of a level, from 0; -1 for what is none."""
        return rank_in(self.levels, value)

    def mask(self, column: Column) -> NDArray[np.bool_]:
        """Return for each row whether its value is one of the levels inside."""
        return listed(column, self.values)

    def _key(self) -> tuple[Any, ...]:
        sides = (
            (-1 if self.low is None else self.first),
            (len(self.levels) if self.high is None else self.last),
        )
        return (self.attribute, 5, tuple(map(value_key, self.levels)), sides)


def rank_in(levels: Sequence[Category], value: Category) -> int:
    """The place of a value among levels, -1 if it is none of them; true is not 1.

    Examples
    --------
    >>> rank_in(["low", "high"], "high"), rank_in([0, 1], True)
    (1, -1)
    """
    keys = [value_key(level) for level in levels]
    return keys.index(value_key(value)) if value_key(value) in keys else -1


class HasOrder(Protocol):
    """A column, or whatever stands for one, whose values have an order."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def time(self) -> bool:
        """Whether the values are times."""

    @property
    def levels(self) -> tuple[Category, ...]:
        """What ranks are called, if the values are ranks."""


def range_on(
    column: HasOrder, low: float | None = None, high: float | None = None, *, high_closed: bool = True
) -> Literal:
    """The literal that holds between two numbers of a column: a range, of levels if the numbers are ranks.

    Examples
    --------
    >>> print(range_on(Column("age", "numeric", np.array([])), low=30))
    age ≥ 30
    >>> print(range_on(Column("grade", "numeric", np.array([]), levels=("low", "medium", "high")), high=1))
    grade ≤ medium
    """
    if not column.levels:
        return Range(column.name, low, high, high_closed=high_closed, time=column.time)
    first = 0 if low is None else math.ceil(low)
    last = len(column.levels) - 1
    if high is not None:
        last = math.floor(high) if high_closed else math.ceil(high) - 1
    if first > last:
        return OneOf(column.name, ())
    if low is not None and high is not None and first == last:
        return Equal(column.name, column.levels[first])
    sides = (None if low is None else column.levels[first]), (None if high is None else column.levels[last])
    return LevelRange(column.name, column.levels, *sides)
