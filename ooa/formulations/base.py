"""A formulation: how rule sets are written as the points of a mixed-integer program."""

from __future__ import annotations

import inspect
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

from ooa.data.rows import WeightedRows
from ooa.data.table import Table
from ooa.errors import ModelError, OOAError
from ooa.model.builder import Model
from ooa.model.expressions import FloatArray, Rows
from ooa.model.milp import Milp
from ooa.objective import Objective, exact_sum
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet

from .layout import Layout
from .vocabulary import Vocabulary

__all__ = [
    "Built",
    "ConstraintLike",
    "Formulation",
    "constraint_rows",
    "describe",
    "empty_rule_set",
    "required_patterns",
    "unit_of",
]

#: A constraint: a function from the words of a formulation to rows over its variables.
ConstraintLike: TypeAlias = "Callable[[Any], Rows | Sequence[Rows]]"


@dataclass(frozen=True, eq=False)
class Built:
    """A formulation that has been built.

    Attributes
    ----------
    milp : the model
    layout : its variables, and what they stand for
    """

    milp: Milp
    layout: Layout


class Formulation(ABC):
    """Builds a model whose feasible points are rule sets, and translates between the two.

    The model's objective is `total * L(A) / unit`, where `total` is the weight of all rows. Counting
    errors in whole numbers keeps the coefficients near 1 and the solver's tolerances far below one
    error.

    Errors are bounded by the model's own rows from below only; that is enough as long as nothing
    rewards an error. Where a constraint does, rows are added that bound them from above as well, so
    that a constraint holds for the rule set and not for the solver's slack.

    A constraint is handed the layout of the model, whose words are those of `Vocabulary`.

    Parameters
    ----------
    rows : the (distinct) rows
    objective : the prices
    constraints : functions `f -> rows`; see `ooa.constraints`
    table : the table that `rows` are the distinct rows of; constraints speak of its rows
    template : a rule set that carries target and labels; by default those of the table
    """

    #: A short name for messages and tables.
    name: str
    #: The weight that counts as 1 in the model; other than 1 only where weights are tiny or huge.
    unit: Fraction = Fraction(1)

    def __init__(
        self,
        rows: WeightedRows,
        objective: Objective,
        *,
        constraints: Iterable[ConstraintLike] = (),
        table: Table | None = None,
        template: RuleSet | None = None,
    ) -> None:
        self.rows, self.objective = rows, objective
        self.table = table if table is not None else rows if isinstance(rows, Table) else None
        self.total = exact_sum(rows.positive) + exact_sum(rows.negative)
        self.constraints = tuple(constraints)
        self.template = template if template is not None else empty_rule_set(self.table)

    def build(self) -> Built:
        """Build the model: variables and rows of the formulation, the constraints, and what pins them."""
        model = Model(self.name)
        layout = self.lay_out(model)
        constraints = list(constraint_rows(layout, self.constraints))
        for name, rows in constraints:
            model.add_rows(name, rows)
        layout.pin([rows for _, rows in constraints])
        return Built(model.freeze(), layout)

    @cached_property
    def built(self) -> Built:
        """What `build` makes; built once."""
        return self.build()

    @property
    def milp(self) -> Milp:
        """The model."""
        return self.built.milp

    @property
    def layout(self) -> Layout:
        """The variables of the model, and what they stand for."""
        return self.built.layout

    @abstractmethod
    def lay_out(self, model: Model) -> Layout:
        """Add the formulation's own variables and rows to a model."""

    def encode(self, rules: RuleSet) -> FloatArray:
        """The complete point that stands for a rule set; its objective is `total * L / unit`.

        It is feasible if and only if the rule set meets the constraints.
        """
        return self.completed(self.point(rules))

    def completed(self, core: FloatArray) -> FloatArray:
        """A point from the values of the formulation's own variables: constraints' variables follow."""
        return self.layout.completed(core, self.milp.n_columns)

    @abstractmethod
    def point(self, rules: RuleSet) -> FloatArray:
        """The values of the formulation's own variables for a rule set."""

    @abstractmethod
    def decode(self, x: FloatArray) -> RuleSet:
        """The rule set that a feasible point stands for."""


def describe(constraint: ConstraintLike) -> str:
    """A constraint in words: its own `repr`, or the name of the function.

    Examples
    --------
    >>> from ooa.constraints import min_sensitivity
    >>> describe(min_sensitivity(0.9))
    'min_sensitivity(least=0.9)'
    """
    return getattr(constraint, "__name__", None) or repr(constraint)


def required_patterns(constraints: Iterable[object]) -> list[Pattern]:
    """The patterns that some constraints require; plain functions require none.

    Examples
    --------
    >>> from ooa.constraints import max_uses, require_pattern
    >>> own = lambda f: f.n_patterns <= 2
    >>> required_patterns([max_uses("age", 1), own, require_pattern("age >= 60")])
    [Pattern.parse('age ≥ 60')]
    """
    return [pattern for one in constraints for pattern in getattr(one, "required_patterns", ())]


def empty_rule_set(table: Table | None) -> RuleSet:
    """The rule set without patterns, with the target and the labels of a table.

    Examples
    --------
    >>> empty = empty_rule_set(Table.from_any({"x": [1, 2]}, ["well", "ill"], positive="ill"))
    >>> len(empty), empty.positive, empty.negative
    (0, 'ill', 'well')
    """
    if table is None:
        return RuleSet([])
    return RuleSet([], target=table.target, positive=table.labels[1], negative=table.labels[0])


def unit_of(rows: WeightedRows) -> Fraction:
    """A power of two that brings the largest weight to between 1 and 2**20; 1 if it is there already."""
    largest = max(float(rows.positive.max()), float(rows.negative.max()))
    power = math.frexp(largest)[1] - 1
    return Fraction(2) ** (power - min(max(power, 0), 20))


def _check_arguments(constraint: ConstraintLike, named: str) -> None:
    """Refuse a function that cannot be called with a formulation alone; a mistake inside it is its own."""
    try:
        signature = inspect.signature(constraint)
    except (TypeError, ValueError):  # some that are compiled do not tell
        return
    try:
        signature.bind(None)
    except TypeError as error:
        raise ModelError(
            f"constraint {named} must be a function of one argument, the formulation: {error}"
        ) from error


def constraint_rows(words: Vocabulary, constraints: Iterable[ConstraintLike]) -> Iterator[tuple[str, Rows]]:
    """The rows of each constraint, and a name for them."""
    for i, constraint in enumerate(constraints):
        named = describe(constraint)
        _check_arguments(constraint, named)
        try:
            made = constraint(words)
        except OOAError as error:
            raise type(error)(f"constraint {named}: {error}") from error
        blocks = [made] if isinstance(made, Rows) else made
        if not isinstance(blocks, (list, tuple)) or not all(isinstance(b, Rows) for b in blocks):
            raise ModelError(
                f"constraint {named} must return rows (a comparison of expressions) "
                f"or a list of them, not {made!r}"
            )
        for j, rows in enumerate(blocks):
            yield f"{named} #{i}.{j}", rows
