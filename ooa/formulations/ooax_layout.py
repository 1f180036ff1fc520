"""The variables and rows of the selection ILP, and what constraints can say with them."""

from __future__ import annotations

import typing
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ooa.data.bitsets import unpack
from ooa.data.rows import WeightedRows
from ooa.data.table import Table
from ooa.model.builder import Model
from ooa.model.expressions import Expression, FloatArray, Rows, Variables
from ooa.model.sparse import sp

from .candidate_words import CandidateWords
from .layout import Layout, columns_of, tempted
from .selection_problem import SelectionProblem, groups_of

__all__ = ["Form", "OOAxLayout"]

Form = typing.Literal["auto", "aggregated", "disaggregated"]


class OOAxLayout(CandidateWords, Layout):
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
        self._model.add_rows("uncover", self._most(W) * self._wrong - W @ self._used >= 0)

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
        column = np.full(self.problem.n_groups, -1, dtype=np.int64)
        column[some] = self._flags("fires", self.problem.W[some]).index
        return column

    def _covered_by(self, name: str, bits: NDArray[np.uint64]) -> Expression:
        first, group = groups_of(covers := unpack(bits, self._rows.n_rows).T)
        W = sp.csr_array(covers[first]).astype(np.float64)
        some = np.flatnonzero(np.diff(W.indptr) > 0)
        flags = self._flags(name, W[some])
        place = sp.csr_array(
            (np.ones(len(some)), (some, np.arange(len(some)))), shape=(len(first), len(some))
        )
        return (place @ flags)[group]

    def _flags(self, name: str, W: sp.csr_array) -> Variables:
        """A variable for every row of a matrix that is 1 if one of its candidates is selected."""
        n = len(self.candidates)
        flags = self._model.add_binaries(name, W.shape[0])
        self._model.add_rows(f"{name} if covered", self._most(W) * flags - W @ self._used >= 0)
        self._model.add_rows(f"{name} only if covered", flags - W @ self._used <= 0)
        self._auxiliary.append((flags, lambda x: np.asarray(W @ x[:n]) > 0))
        return flags

    def _most(self, W: sp.csr_array) -> FloatArray:
        """How many of the candidates of each row of a matrix can be selected at once."""
        most = np.diff(W.indptr).astype(np.float64)
        return most if self.problem.max_patterns is None else np.minimum(most, self.problem.max_patterns)
