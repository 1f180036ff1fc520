"""The task: what is to be learned, whichever formulation says it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from ooa.data.rows import DistinctRows
from ooa.data.table import Table
from ooa.objective import Objective

from .base import ConstraintLike

__all__ = ["Task"]

AnyTask = TypeVar("AnyTask", bound="Task")


@dataclass(frozen=True, eq=False)
class Task:
    """What is to be learned from a table, at which prices and under which conditions.

    Made once, by `Task.of`, it is all that the formulations need to know besides what they select from or
    how many boxes they have; `dataclasses.replace` makes another one over the same distinct rows.

    Attributes
    ----------
    table : the training data
    rows : its distinct rows
    objective : the prices
    max_patterns : most patterns in the rule set, or None
    constraints : what the rule set must meet

    Examples
    --------
    >>> from dataclasses import replace
    >>> from ooa.constraints import max_uses
    >>> table = Table.from_any({"x": [1, 1, 2, 3]}, [0, 0, 1, 1])
    >>> task = Task.of(table, Objective.of(0.01, 0.01), max_patterns=2)
    >>> task.rows
    DistinctRows(3 rows, 1 attributes, weight 2 positive, 2 negative)
    >>> replace(task, constraints=(max_uses("x", 1),)).rows is task.rows
    True
    """

    table: Table
    rows: DistinctRows
    objective: Objective
    max_patterns: int | None = None
    constraints: tuple[ConstraintLike, ...] = ()

    @classmethod
    def of(
        cls: type[AnyTask],
        table: Table,
        objective: Objective,
        max_patterns: int | None = None,
        constraints: Iterable[ConstraintLike] = (),
    ) -> AnyTask:
        """The task of a table; its equal rows are merged."""
        return cls(table, table.distinct(), objective, max_patterns, tuple(constraints))
