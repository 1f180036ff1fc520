"""Literals: the conditions on one attribute that patterns are made of.

Every literal but `IsMissing` is false on a missing value, `NotEqual` included, as in SQL.
"""

from __future__ import annotations

import math
import numbers
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ooa.checks import listed_items, truth
from ooa.data.columns import Category, Column, Kind
from ooa.data.exact import EXACT
from ooa.data.times import EARLIEST, LATEST
from ooa.errors import DataError, RuleError

from .values import Ordered, check_category, check_name, finite, value_key

if TYPE_CHECKING:
    from .pattern import Pattern

__all__ = ["Equal", "IsMissing", "Literal", "NotEqual", "OneOf", "Range", "listed", "set_fields"]


class Literal(Ordered, ABC):
    """A condition on one attribute; see `Range`, `LevelRange`, `Equal`, `NotEqual`, `OneOf` and `IsMissing`.

    Literals are immutable, hashable and ordered (by attribute first). ``a & b`` is the pattern in which
    both hold.
    """

    __slots__ = ()
    _family = "literal"
    needs: ClassVar[Kind | None] = None  # the kind of column `mask` has to be given; None takes any

    attribute: str

    @abstractmethod
    def mask(self, column: Column) -> NDArray[np.bool_]:
        """Return for each row of the attribute's column whether the literal holds."""

    @property
    def is_empty(self) -> bool:
        """Whether no value at all can satisfy the literal."""
        return False

    def implies(self, other: Literal) -> bool:
        """Return whether `other` holds wherever this literal does.

        Examples
        --------
        >>> Range("age", low=40).implies(Range("age", low=30))
        True
        >>> Equal("colour", "red").implies(NotEqual("colour", "blue"))
        True
        """
        from .algebra import implies

        return implies(self, other)

    def __and__(self, other: Literal | Pattern) -> Pattern:
        from .pattern import Pattern

        return Pattern.conjunction(self, other)

    def __str__(self) -> str:
        from .text import literal_text

        return literal_text(self)


@dataclass(frozen=True, slots=True, eq=False)
class Range(Literal):
    """A numeric attribute between two bounds, either of which may be open or absent.

    Parameters
    ----------
    attribute : str
    low, high : float, optional
        At least one; infinite bounds count as absent. A range may be empty.
    low_closed, high_closed : bool
        Whether a value equal to the bound is inside.
    time : bool
        The attribute is a time, and the bounds are whole microseconds since 1970-01-01 UTC, as int.

    Examples
    --------
    >>> str(Range("age", low=30)), str(Range("bmi", 18.5, 25, high_closed=False))
    ('age ≥ 30', '18.5 ≤ bmi < 25')
    >>> str(Range("born", high=946_684_800_000_000, time=True))
    'born ≤ 2000-01-01'
    """

    needs = "numeric"

    attribute: str
    low: float | None = None
    high: float | None = None
    low_closed: bool = True
    high_closed: bool = True
    time: bool = False

    def __post_init__(self) -> None:
        check_name(self.attribute)
        for flag in ("low_closed", "high_closed", "time"):
            set_fields(self, **{flag: truth(getattr(self, flag), flag)})
        low, high = _bound(self, "low", -math.inf), _bound(self, "high", math.inf)
        if low is None and high is None:
            raise RuleError(f"The range of {self.attribute!r} has neither a lower nor an upper bound")
        set_fields(self, low=low, high=high)
        # The flag of an absent bound means nothing, so it must not make two ranges differ.
        set_fields(self, low_closed=self.low_closed or low is None)
        set_fields(self, high_closed=self.high_closed or high is None)

    def _key(self) -> tuple[Any, ...]:
        return (self.attribute, 0, self.time, self.lower, self.upper)

    @property
    def lower(self) -> tuple[float, int]:
        """The lower side as a pair that grows as the range shrinks."""
        return (-math.inf if self.low is None else self.low, not self.low_closed)

    @property
    def upper(self) -> tuple[float, int]:
        """The upper side as a pair that falls as the range shrinks."""
        return (math.inf if self.high is None else self.high, self.high_closed)

    @property
    def is_empty(self) -> bool:
        """Whether no number lies inside."""
        low, high = self.lower[0], self.upper[0]
        return low > high or (low == high and not (self.low_closed and self.high_closed))

    def admits(self, number: float) -> bool:
        """Return whether a number that is not missing lies inside."""
        return self.lower <= (number, 0) and (number, 1) <= self.upper

    def mask(self, column: Column) -> NDArray[np.bool_]:
        """Return for each row of a numeric column whether its value lies inside."""
        if column.kind == "categorical":
            numbers_of = [category for category in column.categories if not isinstance(category, str)]
            if len(numbers_of) < len(column.categories):
                raise DataError(f"Column {column.name!r} holds text, where '{self}' needs numbers")
            return _lookup(column, [self.admits(number) for number in numbers_of])
        if column.levels:
            raise DataError(f"Column {column.name!r} holds ordered categories, where '{self}' needs numbers")
        values = column.values
        if column.time != self.time:
            if column.missing.all():
                return np.zeros(len(column), dtype=bool)
            held, needed = ("times", "numbers") if column.time else ("numbers", "times")
            raise DataError(f"Column {column.name!r} holds {held}, where '{self}' needs {needed}")
        above = below = None
        if self.low is None and self.time:
            above = values >= EARLIEST  # where none is, the value is below all of them
        elif self.low is not None:
            above = values >= self.low if self.low_closed else values > self.low
        if self.high is not None:
            below = values <= self.high if self.high_closed else values < self.high
        if above is None or below is None:
            return np.asarray(below if above is None else above)
        return np.logical_and(above, below, out=above)


@dataclass(frozen=True, slots=True, eq=False)
class _OnOneValue(Literal):
    """A category compared with one value."""

    _rank: ClassVar[int]  # among the literals on one attribute

    attribute: str
    value: Category

    def __post_init__(self) -> None:
        check_name(self.attribute)
        set_fields(self, value=check_category(f"A literal on {self.attribute!r}", self.value))

    def _key(self) -> tuple[Any, ...]:
        return (self.attribute, self._rank, value_key(self.value))


@dataclass(frozen=True, slots=True, eq=False)
class Equal(_OnOneValue):
    """A category that is one value (text, true/false or a number).

    Parameters
    ----------
    attribute : name of the column
    value : the category

    Examples
    --------
    >>> str(Equal("colour", "red")), Equal("x", 1) == Equal("x", 1.0), Equal("x", 1) == Equal("x", True)
    ('colour = red', True, False)
    """

    _rank = 2

    def mask(self, column: Column) -> NDArray[np.bool_]:
        """Return for each row whether its value is this one."""
        return listed(column, (self.value,))


@dataclass(frozen=True, slots=True, eq=False)
class NotEqual(_OnOneValue):
    """A category that is present and differs from one value.

    Parameters
    ----------
    attribute : name of the column
    value : the category that it is not

    Examples
    --------
    >>> str(NotEqual("colour", "light blue"))
    "colour ≠ 'light blue'"
    """

    _rank = 3

    def mask(self, column: Column) -> NDArray[np.bool_]:
        """Return for each row whether its value is present and another one."""
        excluded = listed(column, (self.value,))
        excluded |= column.missing
        return np.logical_not(excluded, out=excluded)


@dataclass(frozen=True, slots=True, eq=False, init=False)
class OneOf(Literal):
    """A category that is one of some values; none of no values.

    Parameters
    ----------
    attribute : str
    values : iterable of str, bool, int or float
        Kept without repetition, in ascending order.

    Examples
    --------
    >>> str(OneOf("colour", ["red", "blue", "red"]))
    'colour ∈ {blue, red}'
    """

    attribute: str
    values: tuple[Category, ...]

    def __init__(self, attribute: str, values: Iterable[Category]) -> None:
        check_name(attribute)
        if isinstance(values, str):
            raise RuleError(f"The values of {attribute!r} must be a collection, not the text {values!r}")
        given = listed_items(values, "values", object, "values")
        distinct = {
            value_key(value): value
            for value in (check_category(f"A literal on {attribute!r}", v) for v in given)
        }
        set_fields(self, attribute=attribute, values=tuple(distinct[key] for key in sorted(distinct)))

    def _key(self) -> tuple[Any, ...]:
        return (self.attribute, 1, tuple(map(value_key, self.values)))

    @property
    def is_empty(self) -> bool:
        """Whether there are no values to be one of."""
        return not self.values

    def mask(self, column: Column) -> NDArray[np.bool_]:
        """Return for each row whether its value is one of these."""
        return listed(column, self.values)


@dataclass(frozen=True, slots=True, eq=False)
class IsMissing(Literal):
    """An attribute without a value.

    Examples
    --------
    >>> str(IsMissing("age"))
    'age IS MISSING'
    """

    attribute: str

    def __post_init__(self) -> None:
        check_name(self.attribute)

    def _key(self) -> tuple[Any, ...]:
        return (self.attribute, 4)

    def mask(self, column: Column) -> NDArray[np.bool_]:
        """Return for each row whether its value is missing."""
        return column.missing


def set_fields(literal: Literal, **fields: object) -> None:
    """Set fields of a frozen literal while it is being made."""
    for name, value in fields.items():
        object.__setattr__(literal, name, value)


def _bound(literal: Range, side: str, absent: float) -> float | None:
    """Return one bound of a range in canonical form."""
    value = getattr(literal, side)
    if value is None or (isinstance(value, numbers.Real) and value == absent):
        return None
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
        raise RuleError(f"The {side} bound of {literal.attribute!r} must be a number, not {value!r}")
    role = f"The {side} bound of {literal.attribute!r}"
    number = finite(role, value)
    if not literal.time:
        if number != value and abs(number) >= EXACT:
            raise RuleError(
                f"{role}: {value!s:.60} is beyond 2**53, where numbers are not told apart exactly"
            )
        return number
    instant = int(Fraction(value)) if isinstance(value, numbers.Rational) else int(number)
    if instant != value or not EARLIEST <= instant <= LATEST:
        raise RuleError(
            f"The {side} bound of the time {literal.attribute!r} must be whole microseconds since 1970-01-01 "
            f"UTC within the years 1 to 9999, not {value!r}"
        )
    return instant


def listed(column: Column, values: tuple[Category, ...]) -> NDArray[np.bool_]:
    """Return for each row whether its value is among the given ones."""
    if column.kind == "categorical" or column.levels:
        plain, wanted = set(values), set(map(value_key, values))  # plain: a fast no for most categories
        return _lookup(column, [c in plain and value_key(c) in wanted for c in column.names])
    members = [] if column.time else [float(v) for v in values if value_key(v)[0] == 1 and float(v) == v]
    mask = np.zeros(len(column.values), dtype=bool)
    for member in members:
        mask |= column.values == member
    return mask


def _lookup(column: Column, holds: list[bool]) -> NDArray[np.bool_]:
    """Return for each row what holds for its category; the code -1 picks the False at the end."""
    return np.asarray(np.array([*holds, False])[column.codes if column.levels else column.values])
