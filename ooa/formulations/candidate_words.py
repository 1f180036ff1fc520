"""What constraints can say of candidates, whatever the model that selects from them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ooa.candidates.candidates import Candidates
from ooa.candidates.row_weights import intersections
from ooa.data.bitsets import pack, unpack, weighted_count
from ooa.data.columns import Column
from ooa.model.expressions import Expression, FloatArray, Variables
from ooa.rules.changes import bound_on
from ooa.rules.levels import LevelRange, rank_in
from ooa.rules.literal import Equal, IsMissing, Literal, NotEqual, OneOf, Range
from ooa.rules.pattern import Pattern

from .vocabulary import Side, Vocabulary

__all__ = ["CandidateWords"]


class CandidateWords(Vocabulary):
    """The words about patterns where these are candidates, each with a variable that says it is selected.

    Attributes
    ----------
    candidates : patterns to select from, over the rows given at first
    """

    candidates: Candidates
    _used: Variables

    @property
    def used(self) -> Variables:
        """For every candidate, 1 if it is selected."""
        return self._used

    @property
    def length(self) -> Expression:
        """For every candidate, its length if it is selected."""
        return self._used * self.candidates.length.astype(float)

    def uses(self, attribute: str) -> Expression:
        """For every candidate, 1 if it is selected and has a literal on the attribute."""
        self.attribute_number(attribute)
        return self._if_literal(lambda literal: literal.attribute == attribute)

    def bounded(self, attribute: str, side: Side) -> Expression:
        """For every candidate, 1 if it is selected and bounds the attribute from that side."""
        self.numeric_attribute(attribute)

        def bounds(literal: Literal) -> bool:
            if literal.attribute != attribute or isinstance(literal, IsMissing):
                return False
            if not isinstance(literal, (Range, LevelRange)):  # values one by one, or all but one
                return True
            return (literal.low if side == "below" else literal.high) is not None

        return self._if_literal(bounds)

    def _if_literal(self, holds: Callable[[Literal], bool]) -> Expression:
        """For every candidate, 1 if it is selected and has such a literal."""
        such = np.array([holds(literal) for literal in self.candidates.literals] + [False])
        return self._used * such[self.candidates.items].any(axis=1).astype(float)

    def cuts(self, attribute: str, side: Side, value: Any) -> Expression:
        """For every candidate, how many bounds it sets to the attribute beyond a value if it is selected."""
        column = self._rows.columns[self.numeric_attribute(attribute)]
        limit, present = bound_on(column, value), column.values[~column.missing]

        def beyond(literal: Literal) -> int:
            if literal.attribute != attribute:
                return 0
            bounds = [bound for bound in _bounds_of(literal, column) if bound.leaves_out(present)]
            return sum(bound.number > limit if side == "above" else bound.number < limit for bound in bounds)

        counts = np.array([*map(beyond, self.candidates.literals), 0], dtype=np.float64)
        number: FloatArray = counts[self.candidates.items].sum(axis=1)
        return self._used * number

    def names(self, attribute: str, category: Any) -> Expression:
        """For every candidate, 1 if it is selected and has a literal that holds for the category."""
        j, code = self._category_code(attribute, category)
        column = self._rows.columns[j]
        one = replace(column, values=np.array([code], dtype=column.values.dtype))
        return self._if_literal(lambda literal: literal.attribute == attribute and bool(literal.mask(one)[0]))

    @property
    def positive_support(self) -> Expression:
        """For every candidate, the weight of the positives it covers if it is selected."""
        return self._used * weighted_count(self.candidates.bits, self._positives())

    def _has(self, pattern: Pattern) -> Expression:
        same = np.flatnonzero((self._sayings.by_candidate == self._saying(pattern)).all(axis=1))
        if len(same) <= 1:  # without any, 0 for good
            return self._used[same].sum()
        return self._any(f"has {pattern}", self._used[same])

    @cached_property
    def _sayings(self) -> _Sayings:
        """What the candidates say."""
        numbers: dict[bytes, int] = {}

        def number_of(literal: Literal) -> int:
            mask = self._mask(literal)
            return 0 if mask.all() else numbers.setdefault(mask.tobytes(), len(numbers) + 1)

        literals, items = self.candidates.literals, self.candidates.items
        number = np.array([number_of(literal) for literal in literals] + [0], dtype=np.int64)
        attribute = np.array([self.attribute_number(literal.attribute) for literal in literals] + [-1])
        said = np.zeros((len(self.candidates), len(self._rows.attributes) + 1), dtype=np.int64)
        said[np.arange(len(items))[:, None], attribute[items]] = number[items]
        return _Sayings(numbers, said[:, :-1])  # the last is for where there is no literal

    def _saying(self, pattern: Pattern) -> NDArray[np.int64]:
        """For every attribute, the number of what a pattern says there; -1 where no candidate says that."""
        said = np.zeros(len(self._rows.attributes), dtype=np.int64)
        for literal in pattern:
            mask = self._mask(literal)
            number = 0 if mask.all() else self._sayings.numbers.get(mask.tobytes(), -1)
            said[self.attribute_number(literal.attribute)] = number
        return said

    def _mask(self, literal: Literal) -> NDArray[np.bool_]:
        """The rows that a literal selects."""
        return literal.mask(self._rows.columns[self.attribute_number(literal.attribute)])

    def _changed(self, j: int, column: Column) -> tuple[Expression, Expression]:
        candidates, holds = self.candidates, self.candidates.holds.copy()
        for i, literal in enumerate(candidates.literals):
            if literal.attribute == column.name:
                holds[i] = pack(literal.mask(column))
        after = intersections(holds, candidates.items)
        name = f"{column.name} changed {len(self._made)}"
        return self._covered_by(name, after), self._covered_by(f"{name}, or not", after | candidates.bits)

    @abstractmethod
    def _covered_by(self, name: str, bits: NDArray[np.uint64]) -> Expression:
        """For every row given at first, 1 if a candidate is selected whose bit of the row is set."""

    def _coverage(self, row: NDArray[np.int64], pattern: NDArray[np.int64]) -> Expression:
        holds = unpack(self.candidates.bits[pattern], self._rows.n_rows).T[row]
        return self._used[pattern] * holds.astype(float)


class _Bound(NamedTuple):
    """An end of a range: a number that a value must not be below, or not above if it is an upper one."""

    number: float
    closed: bool
    upper: bool

    def leaves_out(self, values: NDArray[Any]) -> bool:
        """Whether some value does not keep to it."""
        if not len(values):
            return False
        end = float(values.max() if self.upper else values.min())
        beyond = end > self.number if self.upper else end < self.number
        return beyond or (end == self.number and not self.closed)


def _bounds_of(literal: Literal, column: Column) -> list[_Bound]:
    """The bounds of a literal on a numeric column, as it is written; single values are bounds themselves."""
    if isinstance(literal, IsMissing):
        return []
    if isinstance(literal, Range):
        low, high = literal.low, literal.high
        ends = (low, literal.low_closed, False), (high, literal.high_closed, True)
        return [_Bound(float(number), closed, upper) for number, closed, upper in ends if number is not None]
    if isinstance(literal, LevelRange):
        some = [(literal.low, literal.first, False), (literal.high, literal.last, True)]
        return [_Bound(float(rank), True, upper) for level, rank, upper in some if level is not None]
    assert isinstance(literal, (OneOf, Equal, NotEqual))
    values = literal.values if isinstance(literal, OneOf) else (literal.value,)
    numbers = [float(rank_in(column.levels, one) if column.levels else one) for one in values]
    return [_Bound(number, True, upper) for number in numbers for upper in (False, True)]


class _Sayings(NamedTuple):
    """What candidates say on the rows: a number for every set of rows that one of their literals selects.

    `by_candidate` has, for every candidate and attribute, the number of what its literal says there; 0 if
    that is nothing, because there is no literal or it holds for every row.
    """

    numbers: dict[bytes, int]
    by_candidate: NDArray[np.int64]
