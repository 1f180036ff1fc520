"""What the two OOA formulations share: K boxes in rank space, and their translation from and to rule sets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from ooa.candidates.thresholds import Thresholds
from ooa.checks import whole_number
from ooa.data.rows import WeightedRows
from ooa.data.table import Table
from ooa.errors import OptionError
from ooa.model.expressions import FloatArray
from ooa.objective import Objective
from ooa.rules.levels import range_on
from ooa.rules.literal import Literal
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet

from .base import ConstraintLike, Formulation, unit_of
from .box_layout import BoxLayout
from .box_problem import BoxProblem
from .rank_space import RankSpace
from .scales import NumericScale, RankSelection
from .task import Task

__all__ = ["BoxFormulation"]

AnyBoxes = TypeVar("AnyBoxes", bound="BoxFormulation")


class BoxFormulation(Formulation):
    """A model whose points are K boxes, each unused or one pattern; see the two concrete classes.

    Any rule set whose patterns these boxes can say has a point, and `encode` finds it: literals are taken for
    what they select on the rows at hand, whatever their kind and their bounds (so `x ≠ a` is the same as
    `x = b` where there are two categories).

    - A literal that holds for every row is not substantive, and left out. A pattern that has no other literal
      is a RuleError: the model has no box without literals.
    - A pattern with a literal that holds for no row covers nothing, and is left out.
    - With `merge`, a range is moved off cuts that no optimal rule set needs.

    In these three cases the point costs no more than the rule set, in all others exactly `total * L / unit`.

    Boxes can be exchanged without changing the rule set, so they are put in order: the sum of the numbers
    1, ..., J of the attributes that a box restricts never grows from one box to the next, and unused boxes
    come last.

    Parameters
    ----------
    rows : the training data
    objective : the prices
    K : the number of boxes, which is the most patterns there can be
    single_category : whether a categorical literal is about one category; else `x in {a, b}` is one literal
    missing : whether "is missing" is a literal of every attribute with missing values, and not only of those
        whose missing values are a category
    thresholds, max_thresholds : where numeric attributes may be cut; see `ooa.candidate_literals`
    merge : leave out cuts that no optimal rule set needs (see `needed_cuts`); not with constraints
    constraints, table, template : see `Formulation`
    """

    layout: BoxLayout

    def __init__(
        self,
        rows: WeightedRows,
        objective: Objective,
        K: int,
        *,
        single_category: bool = True,
        missing: bool = False,
        thresholds: Thresholds = "distinct",
        max_thresholds: int = 15,
        merge: bool = False,
        constraints: Iterable[ConstraintLike] = (),
        table: Table | None = None,
        template: RuleSet | None = None,
    ) -> None:
        K = whole_number(K, "K")
        super().__init__(rows, objective, constraints=constraints, table=table, template=template)
        if merge and self.constraints:
            raise OptionError("merge=True leaves out cuts that a rule set may need to meet the constraints")
        self.K, self.unit = int(K), unit_of(rows)
        space = RankSpace.of(
            rows,
            thresholds=thresholds,
            max_thresholds=max_thresholds,
            merge=merge,
            missing=missing,
            cut_by=self.table,
        )
        self.problem = BoxProblem(
            space,
            self.K,
            single_category,
            literal_price=float(self.total / self.unit * objective.C1),
            pattern_price=float(self.total / self.unit * objective.C2),
            unit=float(self.unit),
            either_bound=_of_either_bound(space) if self.constraints else (),
        )

    @classmethod
    def of(cls: type[AnyBoxes], task: Task, K: int, **options: Any) -> AnyBoxes:
        """The formulation of a task with K boxes; cuts are merged where there are no constraints.

        Parameters
        ----------
        task : what is to be learned; its `max_patterns` is not looked at
        K : the number of boxes
        **options : `single_category`, `missing`, `thresholds`, `max_thresholds`, `merge`
        """
        given: dict[str, Any] = {"merge": not task.constraints} | options
        return cls(task.rows, task.objective, K, constraints=task.constraints, table=task.table, **given)

    @staticmethod
    def check(
        task: Task,
        rules: RuleSet,
        *,
        single_category: bool = True,
        missing: bool = False,
        thresholds: Thresholds = "distinct",
        max_thresholds: int = 15,
    ) -> None:
        """Raise what `encode` would raise of patterns that no box says; no model is made for that.

        Parameters
        ----------
        task : what is to be learned
        rules : about columns of its table
        single_category, missing, thresholds, max_thresholds : see the class
        """
        names = set(rules.attributes)
        if isinstance(thresholds, Mapping):
            thresholds = {name: cuts for name, cuts in thresholds.items() if name in names}
        space = RankSpace.row_by_row(
            task.rows.only(names),
            thresholds=thresholds,
            max_thresholds=max_thresholds,
            missing=missing,
            cut_by=task.table.only(names),
        )
        BoxProblem(space, max(1, len(rules)), single_category, 0.0, 0.0).boxes(rules)

    def point(self, rules: RuleSet) -> FloatArray:
        """The values of all variables for a rule set.

        Raises
        ------
        RuleError
            If the rule set has too many patterns, an unknown column, or a pattern that no box says.
        """
        written = self.problem.written(rules)
        return self.layout.point([box for box, _ in written], [above for _, above in written])

    def decode(self, x: FloatArray) -> RuleSet:
        """The rule set of a feasible point, without literals that hold for every row."""
        scales, patterns = self.problem.space.scales, []
        for k, box in enumerate(self.layout.boxes(x)):
            kept = {j: s for j, s in box.items() if not scales[j].is_trivial(s)}
            if kept and all(s.any() for s in kept.values()):
                above = self.layout.above(x, k)
                patterns.append(Pattern(self._literal_of(j, s, j in above) for j, s in kept.items()))
        like = self.template
        return RuleSet(patterns, target=like.target, positive=like.positive, negative=like.negative)

    def _literal_of(self, j: int, selection: RankSelection, from_above: bool) -> Literal:
        """The literal that selects some ranks; "has a value" is written with the bound that was chosen."""
        scale = self.problem.space.scales[j]
        if isinstance(scale, NumericScale) and from_above:
            return range_on(scale, high=scale.values[-1].item())
        return scale.literal(selection)


def _of_either_bound(space: RankSpace) -> tuple[int, ...]:
    """The attributes of which "has a value" is a literal, and can be written with either bound."""
    scales = enumerate(space.scales)
    return tuple(j for j, s in scales if isinstance(s, NumericScale) and s.has_missing and s.size)
