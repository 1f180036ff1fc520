"""A formulation: how rule sets are written as the points of a mixed-integer program."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ooa.data.rows import WeightedRows
from ooa.data.table import Table
from ooa.errors import ModelError, OOAError
from ooa.model.builder import Model
from ooa.model.expressions import FloatArray, Rows
from ooa.model.milp import Milp
from ooa.objective import Objective, exact_sum
from ooa.rules.ruleset import RuleSet

from .vocabulary import Vocabulary

#: A constraint: a function from a formulation to rows over its variables.
ConstraintLike: TypeAlias = "Callable[[Any], Rows | Sequence[Rows]]"


class Formulation(Vocabulary):
    """Builds a model whose feasible points are rule sets, and translates between the two.

    The model's objective is `total * L(A) / unit`, where `total` is the weight of all rows. Counting
    errors in whole numbers keeps the coefficients near 1 and the solver's tolerances far below one
    error.

    Errors are bounded by the model's own rows from below only; that is enough as long as nothing
    rewards an error. Where a constraint does, rows are added that bound them from above as well, so
    that a constraint holds for the rule set and not for the solver's slack.

    The words for constraints are those of `Vocabulary`.

    Parameters
    ----------
    rows : the (distinct) rows
    objective : the prices
    constraints : functions `f -> rows`; see `ooa.constraints`
    table : the table that `rows` are the distinct rows of; constraints speak of its rows
    template : an empty rule set that carries target and labels
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
        super().__init__(rows, table)
        self.objective = objective
        self.total = exact_sum(rows.positive) + exact_sum(rows.negative)
        self.constraints = tuple(constraints)
        self.template = template if template is not None else RuleSet([])

    @cached_property
    def milp(self) -> Milp:
        """The model; built once."""
        return self.build()

    def build(self) -> Milp:
        """Build the model: variables and rows of the formulation, then the constraints."""
        model = Model(self.name)
        self._begin(model)
        self.assemble(model)
        constraints = list(self._constraint_rows())
        for name, rows in constraints:
            model.add_rows(name, rows)
        self.pin([rows for _, rows in constraints])
        return model.freeze()

    @abstractmethod
    def assemble(self, model: Model) -> None:
        """Add the formulation's own variables and rows."""

    @abstractmethod
    def pin(self, constraints: Sequence[Rows]) -> None:
        """Add what makes the variables in these rows exact, in the direction that would help to meet them."""

    def encode(self, rules: RuleSet) -> FloatArray:
        """The complete point that stands for a rule set; its objective is `total * L / unit`.

        It is feasible if and only if the rule set meets the constraints.
        """
        return self.completed(self.point(rules))

    def completed(self, core: FloatArray) -> FloatArray:
        """A point from the values of the formulation's own variables: constraints' variables follow."""
        x = np.zeros(self.milp.n_columns)
        x[: len(core)] = core
        for variables, value in self._auxiliary:
            x[variables.index] = value(x)
        return x

    @abstractmethod
    def point(self, rules: RuleSet) -> FloatArray:
        """The values of the formulation's own variables for a rule set."""

    @abstractmethod
    def decode(self, x: FloatArray) -> RuleSet:
        """The rule set that a feasible point stands for."""

    def _constraint_rows(self) -> Iterable[tuple[str, Rows]]:
        for i, constraint in enumerate(self.constraints):
            words = describe(constraint)
            try:
                made = constraint(self)
            except OOAError as error:
                raise type(error)(f"constraint {words}: {error}") from error
            blocks = [made] if isinstance(made, Rows) else made
            if not isinstance(blocks, (list, tuple)) or not all(isinstance(b, Rows) for b in blocks):
                raise ModelError(
                    f"constraint {words} must return rows (a comparison of expressions) "
                    f"or a list of them, not {made!r}"
                )
            for j, rows in enumerate(blocks):
                yield f"{words} #{i}.{j}", rows


def describe(constraint: ConstraintLike) -> str:
    """A constraint in words: its own `repr`, or the name of the function.

    Examples
    --------
    >>> from ooa.constraints import min_sensitivity
    >>> describe(min_sensitivity(0.9))
    'min_sensitivity(least=0.9)'
    """
    return getattr(constraint, "__name__", None) or repr(constraint)


def tempted(rows: Rows) -> tuple[sp.csr_array, sp.csr_array]:
    """Which columns a solver might raise, and which it might lower, to meet each of some rows."""
    per_entry = np.diff(rows.matrix.indptr)
    from_below = np.repeat(np.isfinite(rows.lower), per_entry)
    from_above = np.repeat(np.isfinite(rows.upper), per_entry)
    grows, falls = rows.matrix.data > 0, rows.matrix.data < 0
    up, down = (
        sp.csr_array(
            (tempting.astype(float), rows.matrix.indices, rows.matrix.indptr), shape=rows.matrix.shape
        )
        for tempting in (
            (grows & from_below) | (falls & from_above),
            (falls & from_below) | (grows & from_above),
        )
    )
    return up, down


def columns_of(matrices: Iterable[sp.csr_array]) -> NDArray[np.int32]:
    """The columns that are not 0 in one of some matrices."""
    found = [matrix.indices[matrix.data != 0] for matrix in matrices]
    return np.unique(np.concatenate([np.zeros(0, dtype=np.int32), *found]))


def unit_of(weights: FloatArray) -> Fraction:
    """A power of two that brings the largest weight to between 1 and 2**40; 1 if it is there already."""
    power = math.frexp(weights.max())[1] - 1
    return Fraction(2) ** (power - min(max(power, 0), 40))
