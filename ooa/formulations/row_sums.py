"""Constraints that are about the rows a rule set covers, and about nothing else, as sums over these."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ooa.candidates.candidates import Candidates
from ooa.model.expressions import Expression, Variables

from .base import ConstraintLike
from .counted import MOST_SUMS, CountedWords, NotCounted, rounded, sums_of
from .task import Task

__all__ = ["RowSum", "row_sums"]


class RowSum(NamedTuple):
    """A limit on the rows that a rule set covers, whatever its patterns are: it is met if their `weight`, one
    for each row of the task, adds up to no more than `limit`."""

    weight: NDArray[np.int64]
    limit: int


def row_sums(task: Task, constraint: ConstraintLike, tolerance: float = 0.0) -> list[RowSum] | None:
    """What a constraint says of the rows that are covered; None if it has to do with anything else.

    Parameters
    ----------
    task : over whose rows
    constraint : what is read
    tolerance : as for `read`

    Examples
    --------
    >>> from ooa.constraints import max_false_positives, max_uses
    >>> from ooa.data.table import Table
    >>> from ooa.objective import Objective
    >>> task = Task.of(Table.from_any({"x": [1, 2, 3]}, [0, 0, 1]), Objective.of(0, 0))
    >>> [(one.weight.tolist(), one.limit) for one in row_sums(task, max_false_positives(1))]
    [([1, 1, 0], 1)]
    >>> row_sums(task, max_uses("x", 1)) is None
    True
    """
    words = _RowsAlone(Candidates.of_patterns(task.rows, []), task)
    found = sums_of(words, constraint)
    if found is None or found.matrix.shape[0] > MOST_SUMS:
        return None
    sums = [*rounded(found, tolerance)]
    if not all(one.exact for one in sums):
        return None
    counted = words.counted(sums, np.ones(0, dtype=bool), ())
    return [
        RowSum(weight[: task.rows.n_rows], int(limit))
        for weight, limit in zip(counted.on_rows, counted.limit)
    ]


class _RowsAlone(CountedWords):
    """Words over covered rows, and over nothing else."""

    @property
    def _used(self) -> Variables:
        raise NotCounted("patterns")

    @_used.setter
    def _used(self, some: Variables) -> None: ...

    def _covered_by(self, name: str, bits: NDArray[np.uint64]) -> Expression:
        raise NotCounted(name)

    def _coverage(self, row: NDArray[np.int64], pattern: NDArray[np.int64]) -> Expression:
        raise NotCounted("patterns")
