"""What constraints can say of boxes that are not there yet: flags of a few of them that stand for any."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from ooa.errors import RuleError
from ooa.kernels.boxes import Flag
from ooa.model.builder import Model
from ooa.model.expressions import Algebra, Expression, Rows, Variables
from ooa.objective import exact_sum
from ooa.rules.pattern import Pattern

from .box_words import BoxWords
from .counted import NotCounted
from .rank_space import Box, RankSpace
from .scales import CategoryScale, NumericScale
from .task import Task

__all__ = ["FlagWords"]

Integers = NDArray[np.int64]


class FlagWords(BoxWords):
    """Words whose variables are flags of K boxes, and nothing of predictions.

    Attributes
    ----------
    flags : what each line of flags says: a flag, an attribute and a rank
    support : the line of the weight of the positives that a box covers, after these, in parts of `whole`
    whole : a power of two that is no less than the weight of all positives
    occurring : by column, the attribute that some box has a literal on
    patterns : by column, the box that the rule set may have

    Parameters
    ----------
    task : whose constraints are read
    space : the rows in rank space, with all cuts
    K : boxes
    single_category : whether a categorical literal is about one category
    """

    def __init__(self, task: Task, space: RankSpace, K: int, single_category: bool) -> None:
        super().__init__(Model("flags"), task.rows, task.table)
        self.space, self.K, self._single, self._further = space, K, single_category, []
        self.flags: list[tuple[Flag, int, int]] = [(Flag.USED, 0, 0)]
        for j, scale in enumerate(space.scales):
            self.flags.append((Flag.LITERAL, j, 0))
            if scale.missing_literal:
                self.flags.append((Flag.MISSING, j, 0))
            if isinstance(scale, NumericScale):
                ends = range(1, scale.size)
                self.flags += [(flag, j, t) for flag in (Flag.BEGINS, Flag.ENDS) for t in ends]
            else:
                self.flags += [(Flag.NAMED, j, v) for v in range(scale.size)]
        self.support = len(self.flags)
        self.whole = 1 << max(0, math.ceil(exact_sum(self._positives())) - 1).bit_length()
        self._line = {flag: line for line, flag in enumerate(self.flags)}
        self._columns = self._model.add_continuous("flags", (self.support + 1, K))
        self.occurring: dict[int, int] = {}
        self.patterns: dict[int, Box] = {}

    def _lines(self, flags: list[tuple[Flag, int, int]]) -> Expression:
        """Lines of flags; those that there are none of are 0."""
        line = np.array([self._line.get(flag, -1) for flag in flags], dtype=np.int64)
        return self._columns[np.maximum(line, 0)] * (line >= 0).astype(float)[:, None]

    @property
    def used(self) -> Variables:
        """For every box, 1 if it is used."""
        return self._columns[0]

    @property
    def length(self) -> Expression:
        """For every box, its number of literals."""
        return self.literal.sum(axis=1)

    @property
    def literal(self) -> Variables:
        """For every box and attribute, 1 if it has a literal there."""
        line = [self._line[Flag.LITERAL, j, 0] for j in range(len(self.space.scales))]
        return Variables(self._columns.index[line].T, self._model.n_columns)

    @property
    def positive_support(self) -> Expression:
        """For every box, the weight of the positives that it covers."""
        return self._columns[self.support] * float(self.whole)

    def uses(self, attribute: str) -> Expression:
        """For every box, 1 if it has a literal on the attribute."""
        return self._lines([(Flag.LITERAL, self.attribute_number(attribute), 0)])[0]

    def begins(self, j: int, rank: Integers) -> Expression:
        """For ranks and boxes, 1 if the range begins at the rank or above."""
        return self._lines([(Flag.BEGINS, j, max(r, 1)) for r in rank.tolist()])

    def ends(self, j: int, rank: Integers) -> Expression:
        """For ranks and boxes, 1 if the range ends below the rank."""
        last = self.space.scales[j].size - 1
        return self._lines([(Flag.ENDS, j, min(r, last)) for r in rank.tolist()])

    def named(self, j: int, rank: Integers) -> Expression:
        """For ranks and boxes, 1 if the literal names that category."""
        return self._lines([(Flag.NAMED, j, r) for r in rank.tolist()])

    def says_missing(self, j: int) -> Expression:
        """For every box, 1 if its literal is "is missing"."""
        return self._lines([(Flag.MISSING, j, 0)])[0]

    def from_above(self, j: int) -> Expression:
        """Nothing that can be said."""
        return _unsaid("has a value")

    def surely(self, row: Integers) -> Expression:
        """Nothing that can be said."""
        return _unsaid("rows")

    def possibly(self, row: Integers) -> Expression:
        """Nothing that can be said."""
        return _unsaid("rows")

    def pin(self, constraints: Sequence[Rows]) -> None:
        """No solver will see this."""

    def _has(self, pattern: Pattern) -> Expression:
        box = self.space.box(pattern)
        for j, selection in (box or {}).items():
            if self._single and isinstance(self.space.scales[j], CategoryScale) and selection.sum() > 1:
                raise RuleError(f"'{pattern}' names several categories where one is allowed")
        flag = self._model.add_continuous(f"has {pattern}")
        if box is None:
            return flag * 0.0
        self.patterns[int(flag.index.reshape(-1)[0])] = box
        return flag.as_expression()

    def _any(self, name: str, parts: Algebra) -> Expression:
        """An attribute that occurs; nothing else."""
        found = set(parts.as_expression().matrix.indices.tolist())
        for j in range(len(self.space.scales)):
            own = self._columns.index[self._line[Flag.LITERAL, j, 0]].tolist()
            if found == set(own):
                flag = self._model.add_continuous(name)
                self.occurring[int(flag.index.reshape(-1)[0])] = j
                return flag.as_expression()
        return _unsaid(name)

    def place(self, column: int) -> tuple[int, int] | None:
        """The line and the box of a column; None if it is of no box alone."""
        first = int(self._columns.index[0, 0])
        line, box = divmod(column - first, self.K)
        return (line, box) if 0 <= line <= self.support else None

    def _coverage(self, row: Integers, pattern: Integers) -> Expression:
        return _unsaid("covers")

    def _error_columns(self, row: Integers) -> tuple[Integers, Integers]:
        return _unsaid("predictions")

    def _firing_columns(self, row: Integers) -> Integers:
        return _unsaid("predictions")


def _unsaid(word: str) -> NoReturn:
    """It is nothing that flags count."""
    raise NotCounted(word)
