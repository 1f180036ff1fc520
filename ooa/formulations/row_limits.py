"""Constraints on predictions as sums over rows, whatever the patterns that make them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from ooa.candidates.candidates import Candidates
from ooa.model.expressions import BoolArray, Expression, Variables

from .base import ConstraintLike
from .counted import MOST_SUMS, CountedWords, NotCounted, rounded, sums_of
from .task import Task
from .vocabulary import Side

__all__ = ["RowLimits", "read_rows"]

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class RowLimits:
    """Limits on sums over the rows that a rule set covers: whatever meets the constraints keeps to them.

    Attributes
    ----------
    on_rows : what each row of the task counts in each sum if it is covered, shape (sums, rows)
    limit : of each sum
    left : the constraints of which nothing was read, as they speak of patterns
    """

    on_rows: Integers
    limit: Integers
    left: tuple[ConstraintLike, ...]

    def amounts(self, covered: BoolArray) -> Integers:
        """What the sums are for the rows that a rule set covers."""
        total: Integers = self.on_rows[:, covered].sum(axis=1)
        return total


def read_rows(task: Task, tolerance: float = 0.0) -> RowLimits:
    """Read the constraints of a task that speak of predictions alone.

    Parameters
    ----------
    task : whose constraints are read
    tolerance : by how much a sum may exceed its limit, relative to the limit where that exceeds 1

    Examples
    --------
    >>> from ooa.constraints import max_false_positives, max_total_literals, min_sensitivity
    >>> from ooa.data.table import Table
    >>> from ooa.objective import Objective
    >>> table = Table.from_any({"x": [1, 2, 3, 4]}, [0, 0, 1, 1])
    >>> wanted = max_false_positives(1), min_sensitivity(1), max_total_literals(3)
    >>> limits = read_rows(Task.of(table, Objective.of(0, 0), constraints=wanted))
    >>> limits.on_rows.tolist(), limits.limit.tolist(), limits.left
    ([[1, 1, 0, 0], [0, 0, -1, -1]], [1, -2], (max_total_literals(most=3),))
    """
    words, left = _RowWords(task), []
    on_rows: list[Integers] = []
    limit: list[int] = []
    for constraint in task.constraints:
        found = sums_of(words, constraint)
        if found is None or found.matrix.shape[0] > MOST_SUMS - len(limit):
            left.append(constraint)
            continue
        for one in rounded(found, tolerance):
            row = np.zeros(task.rows.n_rows, dtype=np.int64)
            row[one.column] = one.value
            on_rows.append(row)
            limit.append(one.limit)
    shape = len(limit), task.rows.n_rows
    return RowLimits(np.array(on_rows, dtype=np.int64).reshape(shape), np.array(limit, np.int64), tuple(left))


class _RowWords(CountedWords):
    """Words of which only those about predictions can be said; columns are the rows."""

    def __init__(self, task: Task) -> None:
        super().__init__(Candidates.of_patterns(task.rows, ()), task)

    @property
    def used(self) -> Variables:
        """Nothing that can be said."""
        return _unsaid("used")

    @property
    def length(self) -> Expression:
        """Nothing that can be said."""
        return _unsaid("length")

    @property
    def positive_support(self) -> Expression:
        """Nothing that can be said."""
        return _unsaid("positive_support")

    def _if_literal(self, holds: object) -> Expression:
        return _unsaid("literals")

    def cuts(self, attribute: str, side: Side, value: object) -> Expression:
        """Nothing that can be said."""
        return _unsaid("cuts")

    def _has(self, pattern: object) -> Expression:
        return _unsaid("patterns")

    def _changed(self, j: int, column: object) -> tuple[Expression, Expression]:
        return _unsaid("changes")

    def _coverage(self, row: object, pattern: object) -> Expression:
        return _unsaid("patterns")

    def _any(self, name: str, parts: object) -> Expression:
        return _unsaid(name)


def _unsaid(word: str) -> NoReturn:
    """Patterns are not listed here, so nothing can be counted of them."""
    raise NotCounted(word)
