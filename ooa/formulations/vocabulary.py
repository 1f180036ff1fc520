"""The words in which constraints are written, whatever the variables of the formulation behind them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from ooa.data.columns import Column
from ooa.data.rows import DistinctRows, WeightedRows
from ooa.data.table import Table
from ooa.errors import ModelError, OptionError
from ooa.model.builder import Model
from ooa.model.expressions import Algebra, Expression, FloatArray, Variables
from ooa.model.sparse import sp
from ooa.rules.changes import category_code, changed_column
from ooa.rules.pattern import Pattern

#: An end of the range of a numeric attribute.
Side: TypeAlias = Literal["below", "above"]
_T = TypeVar("_T")


class Vocabulary(ABC):
    """What a constraint can say of the rule set: linear expressions in the variables of a model.

    A constraint is a function of one of these. Words that need variables of their own add them to the model
    when they are first said, so they are for constraints: once the model is built, it is too late.

    What is said of patterns (`used`, `length`, `uses`, `bounded`, `cuts`, `names`, `positive_support`,
    `covers`) comes as an array over all patterns that the model can say: candidates in OOAx, boxes in OOA.
    These have no order that means anything, so a constraint should treat them alike, with sums over them or
    with one row for each.

    Parameters
    ----------
    model : the model in the making
    rows : the (distinct) rows
    table : the table that `rows` are the distinct rows of; constraints speak of its rows

    Examples
    --------
    >>> from ooa.formulations.ooa_compact import CompactFormulation
    >>> from ooa.objective import Objective
    >>> from ooa.solving.registry import get_backend
    >>> table = Table.from_any({"age": [31, 45, 52, 60, 64], "bmi": [22, 31, 24, 35, 28]}, [0, 1, 0, 1, 1])
    >>> def both_occur_and_nobody_is_missed(f):
    ...     missed = f.error[f.label].sum()
    ...     return [f.occurs("age") + f.occurs("bmi") >= 2, missed <= 0]
    >>> formulation = CompactFormulation(
    ...     table, Objective.of(0.01, 0.01), K=2, constraints=[both_occur_and_nobody_is_missed]
    ... )
    >>> rules = formulation.decode(get_backend("highs").solve(formulation.milp).x)
    >>> rules.attributes, rules.predict(table.as_frame())
    (('age', 'bmi'), array([0, 1, 0, 1, 1]))
    """

    def __init__(self, model: Model, rows: WeightedRows, table: Table | None) -> None:
        self._model, self._rows, self._table = model, rows, table
        # Variables that words have added, and what each is at a point whose earlier variables are known
        self._auxiliary: list[tuple[Variables, Callable[[FloatArray], Any]]] = []
        self._made: dict[Any, Any] = {}

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

    @property
    def error(self) -> Expression:
        """For every row of the table, 1 if it is misclassified."""
        sign = np.where(self.label, -1.0, 1.0)
        return self._once("error", lambda: self.predicted * sign + self.label * 1.0)

    @property
    def predicted(self) -> Expression:
        """For every row of the table, 1 if it is predicted positive."""
        return self._once("predicted", lambda: self._fires(self._row_of(slice(None)), self.label))

    @property
    def n_patterns(self) -> Expression:
        """The number of patterns."""
        return self.used.sum()

    @property
    def n_literals(self) -> Expression:
        """The number of literals."""
        return self.length.sum()

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

    def occurs(self, attribute: str) -> Expression:
        """1 if any pattern of the rule set has a literal on the attribute."""
        uses = self.uses(attribute)
        return self._once(("occurs", attribute), lambda: self._any(f"occurs {attribute}", uses))

    @abstractmethod
    def bounded(self, attribute: str, side: Side) -> Expression:
        """For every pattern, 1 if it is in the rule set and bounds a numeric attribute from that side.

        Parameters
        ----------
        attribute : name of a numeric column
        side : "below" or "above"
        """

    @abstractmethod
    def cuts(self, attribute: str, side: Side, value: Any) -> Expression:
        """For every pattern, how many bounds it sets to a numeric attribute beyond a value; at most 2.

        Bounds count as they are written, and one that leaves out no value of the data is none. A single value
        is bounded from both sides.

        Parameters
        ----------
        attribute : name of a numeric column
        side : "above" for bounds greater than the value, "below" for smaller ones
        value : a number, or a level of ordered categories
        """

    @abstractmethod
    def names(self, attribute: str, category: Any) -> Expression:
        """For every pattern, 1 if it is in the rule set and has a literal that holds for a category.

        Parameters
        ----------
        attribute : name of a categorical column
        category : one of its categories
        """

    def changed(self, attribute: str, change: Any) -> Changed:
        """What is predicted for every row of the table as it is, and with another value of an attribute.

        Rows without a value stay as they are.

        Parameters
        ----------
        attribute : name of a column
        change : what is added to a number; of categories, ordered or not, the one that takes their place
        """
        j = self.attribute_number(attribute)
        column = changed_column(self._rows.columns[j], change)
        after, either = self._once(("changed", j, repr(change)), lambda: self._changed(j, column))
        row = self._row_of(slice(None))
        return Changed(self.predicted, after[row], either[row])

    @property
    @abstractmethod
    def positive_support(self) -> Expression:
        """For every pattern, the weight of the positives it covers; 0 if it is not in the rule set."""

    @property
    def covers(self) -> Covers:
        """`covers[rows, patterns]`: 1 where a pattern is in the rule set and covers the row of the table.

        Both are indexed as numpy's one-dimensional arrays are, each by itself: `covers[:, 0]` says what
        pattern 0 covers, `covers[mask, :].sum(axis=1)` how many patterns cover each row of the mask.
        """
        return Covers(self)

    def has(self, pattern: Pattern) -> Expression:
        """1 if the rule set has a pattern that says on the training data what this one says, else 0.

        Two patterns say the same if their literals select the same values of each attribute; literals
        that hold for every row do not count.

        Raises
        ------
        RuleError
            If the formulation has no such pattern.
        """
        for literal in pattern:
            self.attribute_number(literal.attribute)
        return self._once(("has", pattern), lambda: self._has(pattern))

    def attribute_number(self, name: str) -> int:
        """Position of an attribute, or an error that names it."""
        names = [attribute.name for attribute in self._rows.attributes]
        if name not in names:
            raise OptionError(f"{name!r} is not a column of the table")
        return names.index(name)

    def numeric_attribute(self, name: str) -> int:
        """Position of a numeric attribute, or an error that names it."""
        j = self.attribute_number(name)
        if self._rows.attributes[j].kind != "numeric":
            raise OptionError(f"{name!r} is categorical, where a numeric column is needed")
        return j

    def _category_code(self, name: str, category: Any) -> tuple[int, int]:
        """Position of a categorical attribute and of one of its categories, or an error that names them."""
        j = self.attribute_number(name)
        return j, category_code(self._rows.columns[j], category)

    # -- what the words are made of --------------------------------------------------------------

    @abstractmethod
    def _has(self, pattern: Pattern) -> Expression:
        """What `has` says, of a pattern whose attributes are known."""

    @abstractmethod
    def _changed(self, j: int, column: Column) -> tuple[Expression, Expression]:
        """For rows given at first, 1 if they are covered with column j changed, and if so or as they are."""

    @abstractmethod
    def _coverage(self, row: NDArray[np.int64], pattern: NDArray[np.int64]) -> Expression:
        """What `covers` says, for some of the rows given at first and some patterns, as a matrix."""

    @abstractmethod
    def _error_columns(self, row: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The columns that say that such a row is missed, and covered wrongly; -1 where there is none."""

    @abstractmethod
    def _firing_columns(self, row: NDArray[np.int64]) -> NDArray[np.int64]:
        """Columns that say that a row without errors is covered; -1 if none ever is."""

    def _fires(self, row: NDArray[np.int64], label: NDArray[np.bool_]) -> Expression:
        """For some of the rows given at first, 1 if any pattern covers them; by the error of that label."""
        missed, wrong = self._error_columns(row)
        by_missed = (missed >= 0) & (label | (wrong < 0))
        by_wrong = (wrong >= 0) & ~by_missed
        rest = ~by_missed & ~by_wrong
        column = np.where(by_missed, missed, wrong)
        if rest.any():
            column[rest] = self._firing_columns(row[rest])
        have = column >= 0
        sign = np.where(by_missed, -1.0, 1.0)
        matrix = sp.csr_array(
            (sign[have], column[have].astype(np.int32), np.append(0, np.cumsum(have))),
            shape=(len(row), self._model.n_columns),
        )
        return Expression(matrix, by_missed.astype(float), (len(row),))

    def _row_of(self, rows: Any) -> NDArray[np.int64]:
        """For some rows of the table, their numbers among the rows given at first."""
        number = (
            self._rows.row
            if isinstance(self._rows, DistinctRows)
            else np.arange(self.table.n_rows, dtype=np.int64)
        )
        return np.asarray(number[rows], dtype=np.int64)

    def _positives(self) -> FloatArray:
        """The weight of the positives that each row given at first stands for, as the table has it."""
        if self._table is None:
            return self._rows.positive
        weight = np.where(self._table.y, self._table.weight, 0.0)
        return np.bincount(self._row_of(slice(None)), weight, self._rows.n_rows).astype(np.float64)

    def _once(self, key: Any, make: Callable[[], _T]) -> _T:
        """What a word says, made at the first mention in a model."""
        if key not in self._made:
            self._made[key] = make()
        made: _T = self._made[key]
        return made

    def _any(self, name: str, parts: Algebra) -> Expression:
        """A variable that is 1 if any of the parts, each 0 or 1, is 1."""
        expression = parts.as_expression()
        flag = self._model.add_binaries(name)
        self._model.add_rows(f"{name} if", flag - parts >= 0)
        self._model.add_rows(f"{name} only if", flag - parts.sum() <= 0)
        self._auxiliary.append((flag, lambda x: (expression.value(x) > 0.5).any()))
        return flag.as_expression()


class Changed(NamedTuple):
    """What is predicted for rows as they are, and with a value changed: 1 where it is positive.

    Attributes
    ----------
    before : as they are
    after : with the changed value
    either : in one of the two cases
    """

    before: Expression
    after: Expression
    either: Expression

    @property
    def rises(self) -> Expression:
        """1 where the prediction is positive only with the changed value."""
        return self.either - self.before

    @property
    def falls(self) -> Expression:
        """1 where the prediction is positive only without the change."""
        return self.either - self.after


class Covers:
    """What `Vocabulary.covers` gives: rows by patterns, whose entries are made when asked for."""

    def __init__(self, words: Vocabulary) -> None:
        self._words = words

    def __getitem__(self, key: Any) -> Expression:
        if not isinstance(key, tuple) or len(key) != 2:
            raise ModelError(f"covers takes rows and patterns, covers[rows, patterns], not {key!r}")
        f = self._words
        row, pattern = f._row_of(key[0]), np.arange(f.used.size)[key[1]]
        if row.ndim > 1 or pattern.ndim > 1:
            raise ModelError("covers takes one-dimensional rows and patterns")
        matrix = f._coverage(np.atleast_1d(row), np.atleast_1d(pattern))
        return matrix[0 if row.ndim == 0 else slice(None), 0 if pattern.ndim == 0 else slice(None)]
