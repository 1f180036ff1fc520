"""What the layouts of the two OOA formulations share: boxes in rank space, and the words about them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ooa.data.rows import WeightedRows
from ooa.data.table import Table
from ooa.errors import RuleError
from ooa.model.builder import Model
from ooa.model.expressions import BoolArray, Expression, FloatArray, Rows, Variables
from ooa.model.sparse import sp
from ooa.rules.pattern import Pattern

from .box_problem import BoxProblem
from .box_words import BoxWords
from .layout import columns_of, tempted
from .rank_space import Box

__all__ = ["BoxLayout", "per_box"]


class BoxLayout(BoxWords):
    """Variables that say K boxes, and boxes as patterns that constraints speak of.

    Boxes can be equal, and a rule set has no pattern twice; so where more patterns could help to meet a
    constraint, used boxes are made to differ.

    Parameters
    ----------
    model, rows, table : see `Vocabulary`
    problem : the boxes and their prices
    """

    #: Blocks of variables whose second index, not their first, is the box.
    rows_first: ClassVar[frozenset[str]]
    #: Blocks of variables that are 1, not 0, for boxes that are not used.
    idle_at_1: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, model: Model, rows: WeightedRows, table: Table | None, problem: BoxProblem) -> None:
        super().__init__(model, rows, table)
        self.problem, self.space, self.K = problem, problem.space, problem.K
        #: The formulation's own variables by the names of their blocks.
        self.blocks: dict[str, Variables] = {}
        self._further = []

    def _add_order(self, used: Variables, literal: Variables) -> None:
        """Put the boxes in order, which any rule set's can be."""
        numbers = np.arange(1.0, literal.shape[1] + 1)
        place = (literal * numbers).sum(axis=1)
        self._model.add_rows("used_first", used[:-1] - used[1:] >= 0)
        self._model.add_rows("box_order", place[:-1] - place[1:] >= 0)

    # -- points and boxes ------------------------------------------------------------------------

    def _add_writing(self) -> None:
        """Let boxes say with which bound "has a value" is written, where a constraint may tell them apart."""
        attributes = self.problem.either_bound
        if not attributes:
            return
        above = self._model.add_binaries("above", (self.K, len(attributes)))
        self.blocks["above"] = above
        for i, j in enumerate(attributes):
            name, (low, high) = f"{self.space.scales[j].name} above", self.limits(j)
            literal = self.literal[:, j] - self.says_missing(j)
            self._model.add_rows(f"{name} only if literal", above[:, i] - literal <= 0)
            self._model.add_rows(f"{name} only if not below", above[:, i] + low <= 1)
            self._model.add_rows(f"{name} only if not above", above[:, i] + high <= 1)

    def from_above(self, j: int) -> Expression:
        """For every box, 1 if its literal says "has a value" by a bound from above."""
        if j not in self.problem.either_bound:
            return self.used * 0.0
        return self.blocks["above"][:, self.problem.either_bound.index(j)].as_expression()

    def point(self, boxes: list[Box], above: Sequence[frozenset[int]] = ()) -> FloatArray:
        """The values of the formulation's own variables for at most K boxes in the model's order.

        `above` has the attributes on which each of the boxes says "has a value" by a bound from above.
        """
        x = np.zeros(sum(block.size for block in self.blocks.values()))
        filled = [*boxes, *({} for _ in range(self.K - len(boxes)))]
        for name, values in self._values(filled, self.problem.covers(boxes)).items():
            x[self.blocks[name].index] = values
        for k, attributes in enumerate(above):
            for j in attributes:
                x[self.blocks["above"].index[k, self.problem.either_bound.index(j)]] = 1.0
        return x

    def boxes(self, x: FloatArray) -> list[Box]:
        """The K boxes of a point."""
        solved = {name: x[block.index] for name, block in self.blocks.items()}
        return [self._selections(solved, k) for k in range(self.K)]

    def above(self, x: FloatArray, k: int) -> list[int]:
        """The attributes on which a box of a point says "has a value" by a bound from above."""
        return [j for j in self.problem.either_bound if self.from_above(j)[k].value(x) > 0.5]

    @abstractmethod
    def _values(self, boxes: list[Box], covers: BoolArray) -> dict[str, Any]:
        """The values of every block of variables, given all K boxes and the rows each covers."""

    @abstractmethod
    def _selections(self, solved: dict[str, FloatArray], k: int) -> Box:
        """The selections of one box, from the values of every block of variables."""

    # -- what the words are made of --------------------------------------------------------------

    @property
    @abstractmethod
    def signature(self) -> Variables:
        """For every box, variables of which some differ if and only if two boxes do."""

    # -- the words -------------------------------------------------------------------------------

    @property
    def length(self) -> Expression:
        """For every box, its number of literals."""
        return self.literal.sum(axis=1)

    def uses(self, attribute: str) -> Expression:
        """For every box, 1 if it has a literal on the attribute."""
        return self.literal[:, self.attribute_number(attribute)].as_expression()

    @property
    def positive_support(self) -> Expression:
        """For every box, the weight of the positives it covers."""
        weight = np.bincount(self.space.row, self._positives(), self.space.n_rows)
        some = np.flatnonzero(weight)
        return (self.possibly(some) * weight[some, None]).sum(axis=0)

    def _coverage(self, row: NDArray[np.int64], pattern: NDArray[np.int64]) -> Expression:
        distinct, place = np.unique(self.space.row[row], return_inverse=True)
        return self.possibly(distinct)[place.reshape(-1)[:, None], pattern]

    def _error_columns(self, row: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        column = np.full((2, self.space.n_rows), -1, dtype=np.int64)
        column[0, self.problem.missed] = self.blocks["missed"].index
        column[1, self.problem.wrong] = self.blocks["wrong"].index
        return column[0, self.space.row[row]], column[1, self.space.row[row]]

    def _firing_columns(self, row: NDArray[np.int64]) -> NDArray[np.int64]:
        return self._once("fires", self._add_firing)[self.space.row[row]]

    def _add_firing(self) -> NDArray[np.int64]:
        """Add a variable for every row without weight that is 1 if it is covered; return all columns."""
        row = np.flatnonzero((self.space.positive == 0) & (self.space.negative == 0))
        fires = self._model.add_continuous("fires", len(row), upper=1.0, implied=True)
        surely = self.surely(row)
        self._model.add_rows("fires if covered", fires[:, None] - surely >= 0)
        self._model.add_rows("fires only if covered", fires - self.possibly(row).sum(axis=1) <= 0)
        self._auxiliary.append((fires, lambda x: (surely.value(x) > 0.5).any(axis=1)))
        column = np.full(self.space.n_rows, -1, dtype=np.int64)
        column[row] = fires.index
        return column

    def _has(self, pattern: Pattern) -> Expression:
        wanted = self._signature_of(pattern)
        agrees = self.signature * np.where(wanted, 1.0, -1.0) + np.where(wanted, 0.0, 1.0)
        name = f"box is {pattern}"
        same = self._model.add_continuous(name, self.K, upper=1.0, implied=True)
        self._model.add_rows(f"{name} only if", same[:, None] - agrees <= 0)
        self._model.add_rows(f"{name} if", same - agrees.sum(axis=1) >= 1 - len(wanted))
        self._auxiliary.append((same, lambda x: (agrees.value(x) > 0.5).all(axis=1)))
        return self._any(f"has {pattern}", same)

    def _signature_of(self, pattern: Pattern) -> BoolArray:
        """The values of the signature of a box that says what a pattern says; RuleError if none does."""
        box = self.problem.box(pattern)
        if box is None:
            raise RuleError(f"pattern '{pattern}' holds for no row, and no box says that")
        return np.asarray(self.point([box])[self.signature.index[0]] > 0.5)

    # -- exactness -------------------------------------------------------------------------------

    def pin(self, constraints: Sequence[Rows]) -> None:
        """Bound errors from above, and make boxes differ, where a constraint could profit."""
        raised = columns_of(tempted(rows)[0] for rows in constraints)
        missed, wrong = self.blocks["missed"], self.blocks["wrong"]
        some = np.flatnonzero(np.isin(missed.index, raised))
        if len(some):
            surely = self.surely(self.problem.missed[some])
            self._model.add_rows("missed exactly", missed[some][:, None] + surely <= 1)
        some = np.flatnonzero(np.isin(wrong.index, raised))
        if len(some):
            covering = self.possibly(self.problem.wrong[some]).sum(axis=1)
            self._model.add_rows("wrong exactly", wrong[some] - covering <= 0)
        if self.K > 1 and any(self._counts_boxes(rows) for rows in constraints):
            self._add_difference()

    def _counts_boxes(self, rows: Rows) -> bool:
        """Whether a further box, if only a copy, could help to meet some of the rows."""
        box = np.full(self._model.n_columns, -1)
        idle = np.zeros(self._model.n_columns, dtype=bool)
        for name, block in self.blocks.items():
            if name not in ("missed", "wrong"):
                box[np.moveaxis(block.index, int(name in self.rows_first), -1)] = np.arange(self.K)
                idle[block.index] = name in self.idle_at_1
        for index in self._further:
            box[index] = np.arange(self.K)
        up, down = (matrix.tocoo() for matrix in tempted(rows))
        helps = np.where(idle[up.col], down.data, up.data).astype(bool) & (box[up.col] >= 0)
        pairs = np.unique(np.stack([up.row[helps], box[up.col[helps]]]), axis=1)
        in_several = len(np.unique(pairs[0])) < pairs.shape[1]
        return in_several or bool(np.isin(self.used.index, up.col[helps]).any())

    def _add_difference(self) -> None:
        """Make every two used boxes differ in some variable of their signatures."""
        one, other = np.array(list(combinations(range(self.K), 2))).T
        a, b = self.signature[one], self.signature[other]
        differ = self._model.add_continuous("differ", a.shape, upper=1.0, implied=True)
        self._model.add_rows("differ if either", differ - a - b <= 0)
        self._model.add_rows("differ if not both", differ + a + b <= 2)
        both = self.used[one] + self.used[other]
        self._model.add_rows("differ somewhere", differ.sum(axis=1) - both >= -1)
        self._auxiliary.append((differ, lambda x: np.abs(x[a.index] - x[b.index]) > 0.5))


def per_box(matrix: sp.csr_array, block: Variables) -> Expression:
    """`matrix @ block[k]` for every box k, as an array of shape (K, rows of the matrix)."""
    K, width = block.shape
    flat = block[np.repeat(np.arange(K), width), np.tile(np.arange(width), K)]
    product = sp.csr_array(sp.kron(sp.eye_array(K), matrix, format="csr")) @ flat
    return Expression(product.matrix, product.constant, (K, matrix.shape[0]))
