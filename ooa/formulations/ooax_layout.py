"""The variables and rows of the selection ILP, and what constraints can say with them."""

from __future__ import annotations

import typing
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ooa.data.bitsets import unpack, weighted_count
from ooa.data.rows import WeightedRows
from ooa.data.table import Table
from ooa.model.builder import Model
from ooa.model.expressions import Expression, Rows, Variables
from ooa.rules.levels import LevelRange
from ooa.rules.literal import IsMissing, Literal, Range
from ooa.rules.pattern import Pattern

from .layout import Layout, columns_of, tempted
from .selection_problem import SelectionProblem
from .vocabulary import Side

__all__ = ["Form", "OOAxLayout"]

Form = typing.Literal["auto", "aggregated", "disaggregated"]


class OOAxLayout(Layout):
    """Adds the selection ILP to a model; `OOAxFormulation` says what it is.

    Parameters
    ----------
    model, rows, table : see `Vocabulary`
    problem : the candidates and the groups of rows that they cover
    form : see `OOAxFormulation`
    """

    def __init__(
        self,
        model: Model,
        rows: WeightedRows,
        table: Table | None,
        problem: SelectionProblem,
        form: Form,
    ) -> None:
        super().__init__(model, rows, table)
        self.problem, self.candidates = problem, problem.candidates
        missed, wrong = problem.missed, problem.wrong
        self._used = model.add_binaries("used", len(problem.candidates), cost=problem.price)
        # A group that no candidate covers is predicted negative: its positives are errors for good.
        model.offset = float(problem.positive[~problem.covered].sum())
        self._missed = model.add_continuous(
            "missed", len(missed), upper=1.0, cost=problem.positive[missed], implied=True
        )
        model.add_rows("cover", problem.W[missed] @ self._used + self._missed >= 1)
        if form != "disaggregated":
            self._wrong = model.add_binaries("wrong", len(wrong), cost=problem.negative[wrong])
            self._add_aggregated_rows()
        else:
            self._wrong = model.add_continuous(
                "wrong", len(wrong), upper=1.0, cost=problem.negative[wrong], implied=True
            )
            pairs = problem.W[wrong].tocoo()
            model.add_rows("uncover", self._wrong[pairs.row] - self._used[pairs.col] >= 0)
        if problem.max_patterns is not None:
            model.add_rows("size", self._used.sum() <= problem.max_patterns)

    def _add_aggregated_rows(self) -> None:
        """For every group with negatives: wrong if any of its candidates is selected, all in one row."""
        W = self.problem.W[self.problem.wrong]
        most = np.diff(W.indptr).astype(np.float64)
        if self.problem.max_patterns is not None:
            most = np.minimum(most, self.problem.max_patterns)
        self._model.add_rows("uncover", most * self._wrong - W @ self._used >= 0)

    def pin(self, constraints: Sequence[Rows]) -> None:
        """Bound errors from above: a covered positive is not missed, an uncovered negative not wrong."""
        problem, raised = self.problem, columns_of(tempted(rows)[0] for rows in constraints)
        some = np.flatnonzero(np.isin(self._missed.index, raised))
        if len(some):
            pairs = problem.W[problem.missed[some]].tocoo()
            exactly = self._missed[some[pairs.row]] + self._used[pairs.col] <= 1
            self._model.add_rows("cover exactly", exactly)
        some = np.flatnonzero(np.isin(self._wrong.index, raised))
        if len(some):
            covering = problem.W[problem.wrong[some]] @ self._used
            self._model.add_rows("uncover exactly", self._wrong[some] - covering <= 0)

    # -- the words -------------------------------------------------------------------------------

    @property
    def used(self) -> Variables:
        """For every candidate, 1 if it is selected."""
        return self._used

    @property
    def length(self) -> Expression:
        """For every candidate, its length if it is selected."""
        return self._used * self.candidates.length.astype(float)

    def uses(self, attribute: str) -> Expression:
        """For every candidate, 1 if it is selected and has a literal on the attribute."""
        self.attribute_number(attribute)
        return self._if_literal(lambda literal: literal.attribute == attribute)

    def bounded(self, attribute: str, side: Side) -> Expression:
        """For every candidate, 1 if it is selected and bounds the attribute from that side."""
        self.numeric_attribute(attribute)

        def bounds(literal: Literal) -> bool:
            if literal.attribute != attribute or isinstance(literal, IsMissing):
                return False
            if not isinstance(literal, (Range, LevelRange)):  # values one by one, or all but one
                return True
            return (literal.low if side == "below" else literal.high) is not None

        return self._if_literal(bounds)

    def _if_literal(self, holds: Callable[[Literal], bool]) -> Expression:
        """For every candidate, 1 if it is selected and has such a literal."""
        such = np.array([holds(literal) for literal in self.candidates.literals] + [False])
        return self._used * such[self.candidates.items].any(axis=1).astype(float)

    @property
    def positive_support(self) -> Expression:
        """For every candidate, the weight of the positives it covers if it is selected."""
        return self._used * weighted_count(self.candidates.bits, self._positives())

    def _has(self, pattern: Pattern) -> Expression:
        same = np.flatnonzero((self._sayings.by_candidate == self._saying(pattern)).all(axis=1))
        if len(same) <= 1:  # without any, 0 for good
            return self._used[same].sum()
        return self._any(f"has {pattern}", self._used[same])

    @cached_property
    def _sayings(self) -> _Sayings:
        """What the candidates say."""
        numbers: dict[bytes, int] = {}

        def number_of(literal: Literal) -> int:
            mask = self._mask(literal)
            return 0 if mask.all() else numbers.setdefault(mask.tobytes(), len(numbers) + 1)

        literals, items = self.candidates.literals, self.candidates.items
        number = np.array([number_of(literal) for literal in literals] + [0], dtype=np.int64)
        attribute = np.array([self.attribute_number(literal.attribute) for literal in literals] + [-1])
        said = np.zeros((len(self.candidates), len(self._rows.attributes) + 1), dtype=np.int64)
        said[np.arange(len(items))[:, None], attribute[items]] = number[items]
        return _Sayings(numbers, said[:, :-1])  # the last is for where there is no literal

    def _saying(self, pattern: Pattern) -> NDArray[np.int64]:
        """For every attribute, the number of what a pattern says there; -1 where no candidate says that."""
        said = np.zeros(len(self._rows.attributes), dtype=np.int64)
        for literal in pattern:
            mask = self._mask(literal)
            number = 0 if mask.all() else self._sayings.numbers.get(mask.tobytes(), -1)
            said[self.attribute_number(literal.attribute)] = number
        return said

    def _mask(self, literal: Literal) -> NDArray[np.bool_]:
        """The rows that a literal selects."""
        return literal.mask(self._rows.columns[self.attribute_number(literal.attribute)])

    def _coverage(self, row: NDArray[np.int64], pattern: NDArray[np.int64]) -> Expression:
        holds = unpack(self.candidates.bits[pattern], self._rows.n_rows).T[row]
        return self._used[pattern] * holds.astype(float)

    def _error_columns(self, row: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        column = np.full((2, self.problem.n_groups), -1, dtype=np.int64)
        column[0, self.problem.missed] = self._missed.index
        column[1, self.problem.wrong] = self._wrong.index
        group = self.problem.group[row]
        return column[0, group], column[1, group]

    def _firing_columns(self, row: NDArray[np.int64]) -> NDArray[np.int64]:
        return self._once("fires", self._add_firing)[self.problem.group[row]]

    def _add_firing(self) -> NDArray[np.int64]:
        """Add a variable for every group of rows without weight that can be covered; return all columns."""
        some = self.problem.weightless
        W, n = self.problem.W[some], len(self.candidates)
        pairs = W.tocoo()
        fires = self._model.add_continuous("fires", len(some), upper=1.0, implied=True)
        self._model.add_rows("fires if covered", fires[pairs.row] - self._used[pairs.col] >= 0)
        self._model.add_rows("fires only if covered", fires - W @ self._used <= 0)
        self._auxiliary.append((fires, lambda x: np.asarray(W @ x[:n]) > 0))
        column = np.full(self.problem.n_groups, -1, dtype=np.int64)
        column[some] = fires.index
        return column


class _Sayings(NamedTuple):
    """What candidates say on the rows: a number for every set of rows that one of their literals selects.

    `by_candidate` has, for every candidate and attribute, the number of what its literal says there; 0 if
    that is nothing, because there is no literal or it holds for every row.
    """

    numbers: dict[bytes, int]
    by_candidate: NDArray[np.int64]
