"""OOAx: select patterns from candidates by an integer program (section 3.3 of the paper)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar, get_args

import numpy as np

from ooa.candidates.candidates import Candidates, prices
from ooa.checks import one_of
from ooa.data.rows import WeightedRows
from ooa.data.table import Table
from ooa.errors import RuleError
from ooa.model.builder import Model
from ooa.model.expressions import FloatArray
from ooa.objective import Objective
from ooa.rules.ruleset import RuleSet

from .base import ConstraintLike, Formulation, unit_of
from .ooax_layout import Form, OOAxLayout
from .selection_problem import SelectionProblem
from .task import Task

__all__ = ["Form", "OOAxFormulation"]

AnyOOAx = TypeVar("AnyOOAx", bound="OOAxFormulation")


class OOAxFormulation(Formulation):
    """The paper's selection ILP over given candidates.

    Rows covered by exactly the same candidates share one error variable per class, weighted by all
    of them. With `used[k]` (zeta in the paper) and `error` (xi), it reads::

        min   sum w error + N sum (C1 length[k] + C2) used[k]
        positives   error + sum of used[k] that cover the row >= 1
        negatives   K_n error >= sum of used[k] that cover the row          (aggregated, as in the paper)
                    error >= used[k]  for every k that covers the row       (disaggregated)

    In the aggregated form K_n is the number of candidates that cover the row, or `max_patterns` if
    that is smaller (the paper's K is undefined without a limit), and the error of a negative has to
    be binary; in the disaggregated form it need not be.

    Parameters
    ----------
    candidates : patterns to select from
    rows : the (distinct) rows they cover
    objective : the prices
    max_patterns : most patterns to select, or None
    form : "aggregated", "disaggregated", or "auto": the former, which solvers mostly end sooner with
    constraints, table, template : see `Formulation`

    Examples
    --------
    >>> from ooa import Pattern
    >>> from ooa.data.table import Table
    >>> table = Table.from_any({"x": [1, 2, 3, 4]}, [0, 0, 1, 1])
    >>> own = Candidates.of_patterns(table, [Pattern.parse("x >= 3"), Pattern.parse("x >= 2")])
    >>> formulation = OOAxFormulation(own, table, Objective.of("1/8", "1/8"))
    >>> formulation.milp
    Milp('ooax': 4 columns (3 integer), 2 rows, 5 nonzeros)
    >>> rules = RuleSet([Pattern.parse("x >= 2")])
    >>> formulation.milp.objective(formulation.encode(rules))
    2.0
    """

    name = "ooax"

    def __init__(
        self,
        candidates: Candidates,
        rows: WeightedRows,
        objective: Objective,
        *,
        max_patterns: int | None = None,
        form: Form = "auto",
        constraints: Iterable[ConstraintLike] = (),
        table: Table | None = None,
        template: RuleSet | None = None,
    ) -> None:
        one_of(form, "form", get_args(Form))
        super().__init__(rows, objective, constraints=constraints, table=table, template=template)
        self.candidates = candidates
        self.max_patterns = max_patterns
        self.form: Form = form
        self.unit = unit_of(rows)
        price = prices(candidates, objective, self.total / self.unit)
        self.problem = SelectionProblem.of(candidates, rows, price, max_patterns, self.unit)

    @classmethod
    def of(cls: type[AnyOOAx], candidates: Candidates, task: Task, **options: Any) -> AnyOOAx:
        """The formulation of a task over some candidates of its distinct rows.

        Parameters
        ----------
        candidates : patterns to select from, on `task.rows`
        task : what is to be learned
        **options : `form`, and whatever else the class takes

        Examples
        --------
        >>> from ooa import Pattern
        >>> task = Task.of(Table.from_any({"x": [1, 2, 2]}, [0, 1, 1]), Objective.of(0, 0), max_patterns=1)
        >>> OOAxFormulation.of(Candidates.of_patterns(task.rows, [Pattern.parse("x >= 2")]), task).milp
        Milp('ooax': 2 columns (1 integer), 2 rows, 3 nonzeros)
        """
        return cls(
            candidates,
            task.rows,
            task.objective,
            max_patterns=task.max_patterns,
            constraints=task.constraints,
            table=task.table,
            **options,
        )

    def lay_out(self, model: Model) -> OOAxLayout:
        """Add the ILP's variables and rows."""
        return OOAxLayout(model, self.rows, self.table, self.problem, self.form)

    def point(self, rules: RuleSet) -> FloatArray:
        """The values of selections and errors for a rule set over the candidates."""
        positions = []
        for pattern in rules:
            k = self.candidates.find(pattern)
            if k is None:
                raise RuleError(f"pattern {pattern} is not among the candidates")
            positions.append(k)
        if self.max_patterns is not None and len(positions) > self.max_patterns:
            raise RuleError(f"{len(positions)} patterns where at most {self.max_patterns} are allowed")
        return self.selection(positions)

    def selection(self, positions: Iterable[int]) -> FloatArray:
        """The values of selections and errors for some candidates, by position."""
        return self.problem.point(positions)

    def decode(self, x: FloatArray) -> RuleSet:
        """The rule set of the selected candidates."""
        return self.rule_set(np.flatnonzero(x[: len(self.candidates)] > 0.5).tolist())

    def rule_set(self, positions: Iterable[int]) -> RuleSet:
        """The rule set of some candidates, by position."""
        like = self.template
        patterns = [self.candidates.pattern(k) for k in positions]
        return RuleSet(patterns, target=like.target, positive=like.positive, negative=like.negative)
