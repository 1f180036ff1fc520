"""Whether rule sets meet a constraint: by its rows over predictions, which are made once for all of them."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ooa.candidates.candidates import Candidates
from ooa.data.columns import Column
from ooa.model.builder import Model
from ooa.model.expressions import Expression, FloatArray, Rows, Variables
from ooa.model.sparse import sp
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet

from .base import ConstraintLike, constraint_rows
from .ooax import OOAxFormulation
from .task import Task
from .vocabulary import Side, Vocabulary

__all__ = ["ConstraintCheck", "constraint_violation"]


class ConstraintCheck:
    """How far rule sets are from meeting a constraint, one after the other over the same rows.

    What a constraint says of predictions and errors are rows with a column for each distinct row, whatever
    the rule set. They are made once, and a rule set takes no more than a product with its predictions. What
    it says of patterns has other columns for every rule set, and is checked on a model of each.

    Parameters
    ----------
    constraint : see `ooa.constraints`
    task : what is to be learned; its other constraints and its limit on patterns do not count

    Examples
    --------
    >>> from ooa.constraints import max_false_negatives
    >>> from ooa.data.table import Table
    >>> from ooa.objective import Objective
    >>> task = Task.of(Table.from_any({"x": [1, 2, 3]}, [0, 1, 1]), Objective.of(0, 0))
    >>> check = ConstraintCheck(max_false_negatives(0), task)
    >>> check.violation(RuleSet.parse("x >= 3")), check.violation(RuleSet.parse("x >= 2"))
    (1.0, 0.0)
    """

    def __init__(self, constraint: ConstraintLike, task: Task) -> None:
        self.constraint, self._task = constraint, task
        self._passes: dict[Pattern, bool] = {}  # of constraints that are about each pattern by itself

    def violation(self, rules: RuleSet) -> float:
        """How far a rule set is from meeting the constraint; 0 if it meets it.

        Of rows whose coefficients are not whole, relative to the size of the side where that exceeds 1, as in
        `Milp.worst`; with whole ones nothing is rounded, and a single row too many is 1.
        """
        rows = self._rows
        if rows is None:
            return constraint_violation(rules, self.constraint, self._task)
        fires = np.asarray(rules.covers(self._task.rows.as_frame()).any(axis=1))
        x = np.concatenate([~fires, fires]).astype(np.float64)
        return max((_worst(one, x) for one in rows), default=0.0)

    def meets(self, rules: RuleSet, tolerance: float) -> bool:
        """Whether a rule set meets the constraint, up to a tolerance.

        If it says of each literal by itself whether it may be there, every pattern is asked about once.
        """
        if not getattr(self.constraint, "by_literal", False):
            return self.violation(rules) <= tolerance
        for pattern in rules:
            if pattern not in self._passes:
                self._passes[pattern] = self.violation(RuleSet([pattern])) <= tolerance
        return all(self._passes[pattern] for pattern in rules)

    @property
    def of_predictions(self) -> bool:
        """Whether the constraint speaks of predictions alone: what predicts the same meets it alike."""
        return self._rows is not None

    @cached_property
    def _rows(self) -> list[Rows] | None:
        """The constraint's rows over predictions; None if it speaks of patterns."""
        words = _Predictions(self._task)
        try:
            rows = [rows for _, rows in constraint_rows(words, (self.constraint,))]
        except Exception:  # patterns are not spoken of here; what else is wrong, a model says as well
            return None
        return None if words.asked_for_patterns else rows


def constraint_violation(rules: RuleSet, constraint: ConstraintLike, task: Task) -> float:
    """How far a rule set is from meeting a constraint, evaluated on its own predictions; 0 if it meets it.

    The rows of the constraint are looked at in the point that selects just these patterns. The violation is
    relative to the size of the side of the row where that exceeds 1: see `Milp.worst`. The limit on the
    number of patterns and the other constraints of the task do not count.

    Examples
    --------
    >>> from ooa.constraints import max_uses
    >>> from ooa.data.table import Table
    >>> from ooa.objective import Objective
    >>> task = Task.of(Table.from_any({"x": [1, 2, 3]}, [0, 1, 1]), Objective.of(0, 0))
    >>> constraint_violation(RuleSet.parse("x >= 3"), max_uses("x", 0), task)
    1.0
    """
    candidates = Candidates.of_patterns(task.rows, rules)
    alone = replace(task, max_patterns=None, constraints=(constraint,))
    formulation = OOAxFormulation.of(candidates, alone)
    x = formulation.completed(formulation.selection(range(len(candidates))))
    return formulation.milp.worst(x, relative=True)[0]


def _worst(rows: Rows, x: FloatArray) -> float:
    """The largest violation of some rows at a point, relative to the side that it breaks."""
    activity = rows.matrix @ x[: rows.matrix.shape[1]]
    worst, rounded = 0.0, bool((rows.matrix.data != np.floor(rows.matrix.data)).any())
    for excess, side in ((rows.lower - activity, rows.lower), (activity - rows.upper, rows.upper)):
        if rounded:
            excess = excess / np.maximum(1.0, np.where(np.isfinite(side), np.abs(side), 1.0))
        worst = max(worst, float(excess.max(initial=0.0)))
    return worst


class _Predictions(Vocabulary):
    """The words about predictions alone: columns say which distinct rows are missed, and which covered.

    Whoever asks for more is refused, and it is noted, so that nobody is deceived who goes on all the same.
    """

    def __init__(self, task: Task) -> None:
        model = Model("predictions")
        self._n = task.rows.n_rows
        for name in ("missed", "covered"):
            model.add_continuous(name, self._n, upper=1.0)
        super().__init__(model, task.rows, task.table)
        self.asked_for_patterns = False

    @property
    def error(self) -> Expression:
        return self._once("error", self._errors)

    def _errors(self) -> Expression:
        """A column for every row of the table: as a sum of what `predicted` says it takes much longer."""
        row = self._row_of(slice(None))
        column = np.where(self.label, row, self._n + row).astype(np.int32)
        parts = np.ones(len(row)), column, np.arange(len(row) + 1, dtype=np.int32)
        matrix = sp.csr_array(parts, shape=(len(row), self._model.n_columns))
        return Expression(matrix, np.zeros(len(row)), (len(row),))

    def _error_columns(self, row: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return row, self._n + row

    def _firing_columns(self, row: NDArray[np.int64]) -> NDArray[np.int64]:
        return self._n + row

    def _refuse(self) -> NoReturn:
        self.asked_for_patterns = True
        raise LookupError("patterns differ from rule set to rule set")

    @property
    def used(self) -> Variables:
        self._refuse()

    @property
    def length(self) -> Expression:
        self._refuse()

    @property
    def positive_support(self) -> Expression:
        self._refuse()

    def uses(self, attribute: str) -> Expression:
        self._refuse()

    def bounded(self, attribute: str, side: Side) -> Expression:
        self._refuse()

    def cuts(self, attribute: str, side: Side, value: Any) -> Expression:
        self._refuse()

    def names(self, attribute: str, category: Any) -> Expression:
        self._refuse()

    def _changed(self, j: int, column: Column) -> tuple[Expression, Expression]:
        self._refuse()

    def _has(self, pattern: Pattern) -> Expression:
        self._refuse()

    def _coverage(self, row: NDArray[np.int64], pattern: NDArray[np.int64]) -> Expression:
        self._refuse()
