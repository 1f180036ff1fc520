"""A formulation: how rule sets are written as the points of a mixed-integer program.

It also offers the words in which constraints are written, whatever the variables behind them:
`error`, `predicted`, `used`, `length`, `uses`, `covers` and so on.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .errors import DataError, ModelError, OptionError
from .expressions import Expression, FloatArray, Rows, Variables
from .frames import open_frame
from .milp import Milp
from .model import Model
from .objective import Objective, exact_sum
from .patterns import Pattern
from .rows import DistinctRows
from .rows import Rows as DataRows
from .rules import RuleSet
from .table import Table

#: A constraint: a function from a formulation to rows over its variables.
ConstraintLike: TypeAlias = "Callable[[Any], Rows | Sequence[Rows]]"


class Formulation(ABC):
    """Builds a model whose feasible points are rule sets, and translates between the two.

    The model's objective is `total * L(A) / unit`, where `total` is the weight of all rows. Counting
    errors in whole numbers keeps the coefficients near 1 and the solver's tolerances far below one
    error.

    Errors are bounded by the model's own rows from below only; that is enough as long as nothing
    rewards an error. Where a constraint does, rows are added that bound them from above as well, so
    that a constraint holds for the rule set and not for the solver's slack.

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
        rows: DataRows,
        objective: Objective,
        *,
        constraints: Iterable[ConstraintLike] = (),
        table: Table | None = None,
        template: RuleSet | None = None,
    ) -> None:
        self.objective = objective
        self.total = exact_sum(rows.positive) + exact_sum(rows.negative)
        self.constraints = tuple(constraints)
        self.template = template if template is not None else RuleSet([])
        self._rows = rows
        self._table = table if table is not None else rows if isinstance(rows, Table) else None
        self._model = Model(self.name)
        self._auxiliary: list[tuple[Variables, Callable[[FloatArray], Any]]] = []
        self._occurs: dict[str, Variables] = {}

    # -- the model -------------------------------------------------------------------------------

    @cached_property
    def milp(self) -> Milp:
        """The model; built once."""
        return self.build()

    def build(self) -> Milp:
        """Build the model: variables and rows of the formulation, then the constraints."""
        model = self._model = Model(self.name)
        self.assemble(model)
        tempted = np.zeros(0, dtype=bool)
        for name, rows in self._constraint_rows():
            model.add_rows(name, rows)
            tempted = _either(tempted, _tempted_upwards(rows))
        if tempted.any():
            self.pin(model, np.flatnonzero(tempted))
        return model.freeze()

    @abstractmethod
    def assemble(self, model: Model) -> None:
        """Add the formulation's own variables and rows."""

    @abstractmethod
    def pin(self, model: Model, columns: NDArray[np.intp]) -> None:
        """Add rows that bound these columns, as far as they stand for errors, from above."""

    def encode(self, rules: RuleSet) -> FloatArray:
        """The complete point that stands for a rule set; its objective is `total * L / unit`.

        It is feasible if the rule set meets the constraints.
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
            made = constraint(self)
            blocks = [made] if isinstance(made, Rows) else made
            if not isinstance(blocks, (list, tuple)) or not all(isinstance(b, Rows) for b in blocks):
                raise ModelError(
                    f"constraint {describe(constraint)} must return rows (a comparison of expressions) "
                    f"or a list of them, not {made!r}"
                )
            for j, rows in enumerate(blocks):
                yield f"{describe(constraint)} #{i}.{j}", rows

    # -- the words of constraints ----------------------------------------------------------------

    @property
    def table(self) -> Table:
        """The training data, row by row."""
        if self._table is None:
            raise OptionError("constraints need the table that the rows were merged from")
        return self._table

    @property
    def label(self) -> NDArray[np.bool_]:
        """For every row of the table, whether it is positive."""
        return self.table.y

    @property
    def weight(self) -> FloatArray:
        """The weight of every row of the table."""
        return self.table.weight

    def groups(self, by: Any) -> NDArray[np.int64]:
        """Number the values of a column of the table, or of one value per row; missing is -1."""
        if isinstance(by, str):
            names = [attribute.name for attribute in self.table.attributes]
            if by not in names:
                raise DataError(f"there is no column {by!r} to group by")
            values = self.table.columns[names.index(by)]
        else:
            values = open_frame({"group": by}).column("group")
            if len(values) != self.table.n_rows:
                raise DataError(f"{len(values)} group values for {self.table.n_rows} rows")
        distinct, codes = np.unique(values.values, return_inverse=True)
        del distinct
        return np.where(values.missing, -1, codes).astype(np.int64)

    @cached_property
    def error(self) -> Expression:
        """For every row of the table, 1 if it is misclassified."""
        return self.predicted * np.where(self.label, -1.0, 1.0) + self.label * 1.0

    @cached_property
    def predicted(self) -> Expression:
        """For every row of the table, 1 if it is predicted positive."""
        row = self._rows.row if isinstance(self._rows, DistinctRows) else np.arange(self._rows.n_rows)
        return self.fires(row, self.label)

    @property
    def n_patterns(self) -> Expression:
        """The number of patterns."""
        return self.used.sum()

    @property
    def n_literals(self) -> Expression:
        """The number of literals."""
        return self.length.sum()

    def occurs(self, attribute: str) -> Variables:
        """1 if any pattern uses the attribute."""
        if attribute not in self._occurs:
            uses = self.uses(attribute)
            flag = self._model.add_binaries(f"occurs {attribute}")
            self._model.add_rows(f"occurs {attribute} if used", flag - uses >= 0)
            self._model.add_rows(f"occurs {attribute} only if used", flag - uses.sum() <= 0)
            self._auxiliary.append((flag, lambda x: float((uses.value(x) > 0.5).any())))
            self._occurs[attribute] = flag
        return self._occurs[attribute]

    @property
    @abstractmethod
    def used(self) -> Variables:
        """For every pattern, 1 if it is in the rule set."""

    @property
    @abstractmethod
    def length(self) -> Expression:
        """For every pattern, its number of literals; 0 if it is not in the rule set."""

    @abstractmethod
    def uses(self, attribute: str) -> Expression:
        """For every pattern, 1 if it is in the rule set and has a literal on the attribute."""

    @abstractmethod
    def bounded(self, attribute: str, side: Literal["below", "above"]) -> Expression:
        """For every pattern, above 0 if it is in the rule set and bounds a numeric attribute there."""

    @property
    @abstractmethod
    def positive_support(self) -> Expression:
        """For every pattern, the weight of the positives it covers; 0 if it is not in the rule set."""

    @abstractmethod
    def has(self, pattern: Pattern) -> Expression:
        """1 (or more) if the rule set contains this pattern, else 0."""

    @abstractmethod
    def covers(self, rows: Any, pattern: int) -> Expression:
        """For some rows of the table, 1 if the pattern of this number is used and covers them."""

    @abstractmethod
    def fires(self, row: NDArray[np.int64], label: NDArray[np.bool_]) -> Expression:
        """For some of the rows given at first, 1 if any pattern covers them.

        `label` says for each whether it is meant as a positive or as a negative.
        """

    def attribute_number(self, name: str) -> int:
        """Position of an attribute, or an error that names it."""
        names = [attribute.name for attribute in self._rows.attributes]
        if name not in names:
            raise OptionError(f"a constraint is about {name!r}, which is not a column of the table")
        return names.index(name)

    def numeric_attribute(self, name: str) -> int:
        """Position of a numeric attribute, or an error that names it."""
        j = self.attribute_number(name)
        if self._rows.attributes[j].kind != "numeric":
            raise OptionError(f"a constraint needs {name!r} to be numeric, but it is categorical")
        return j


def describe(constraint: ConstraintLike) -> str:
    """A constraint in words: its own `repr`, or the name of the function.

    Examples
    --------
    >>> from ooa.constraints import min_sensitivity
    >>> describe(min_sensitivity(0.9))
    'min_sensitivity(least=0.9)'
    """
    return getattr(constraint, "__name__", None) or repr(constraint)


def _tempted_upwards(rows: Rows) -> NDArray[np.bool_]:
    """Columns that a solver might inflate to meet these rows."""
    per_entry = np.diff(rows.matrix.indptr)
    from_below = np.repeat(np.isfinite(rows.lower), per_entry)
    from_above = np.repeat(np.isfinite(rows.upper), per_entry)
    data = rows.matrix.data
    tempting = ((data > 0) & from_below) | ((data < 0) & from_above)
    tempted = np.zeros(rows.matrix.shape[1], dtype=bool)
    tempted[rows.matrix.indices[tempting]] = True
    return tempted


def _either(a: NDArray[np.bool_], b: NDArray[np.bool_]) -> NDArray[np.bool_]:
    longer, shorter = (a, b) if len(a) >= len(b) else (b, a)
    out = longer.copy()
    out[: len(shorter)] |= shorter
    return out


def unit_of(weights: FloatArray) -> Fraction:
    """A power of two that brings the largest weight to between 1 and 2**40; 1 if it is there already."""
    power = math.frexp(weights.max())[1] - 1
    return Fraction(2) ** (power - min(max(power, 0), 40))
