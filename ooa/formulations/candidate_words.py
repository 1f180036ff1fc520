"""What constraints can say of candidates, whatever the model that selects from them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ooa.candidates.candidates import Candidates
from ooa.data.bitsets import unpack, weighted_count
from ooa.model.expressions import Expression, Variables
from ooa.rules.levels import LevelRange
from ooa.rules.literal import IsMissing, Literal, Range
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

    def _coverage(self, row: NDArray[np.int64], pattern: NDArray[np.int64]) -> Expression:
        holds = unpack(self.candidates.bits[pattern], self._rows.n_rows).T[row]
        return self._used[pattern] * holds.astype(float)


class _Sayings(NamedTuple):
    """What candidates say on the rows: a number for every set of rows that one of their literals selects.

    `by_candidate` has, for every candidate and attribute, the number of what its literal says there; 0 if
    that is nothing, because there is no literal or it holds for every row.
    """

    numbers: dict[bytes, int]
    by_candidate: NDArray[np.int64]
