"""OOA in a compact form: ordered threshold variables, and none for every row, box and attribute.

Whether a box leaves out a row because of one attribute is a sum of at most three variables of the box, so the
form needs no variable for it. With ranks 0, ..., m - 1 of a numeric attribute, for box k,

- ``lower[k, t]`` says that the range begins at rank t or above, ``upper[k, t]`` that it ends below rank t;
  both are ordered in t, and not both 1, so that the range is not empty;
- rank r is left out if ``lower[k, r + 1] + upper[k, r] = 1`` (below the range or above it, never both).

A category v is left out if ``literal[k, j] - category[k, v] = 1``, a missing value if
``literal[k, j] - missing[k, j] = 1``. Positives need ``covers`` from above only, negatives from below only,
so negatives need no such variable at all; ``covers`` and the errors are whole numbers by themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ooa.data.rows import WeightedRows
from ooa.data.table import Table
from ooa.model.builder import Model
from ooa.model.expressions import BoolArray, Expression, FloatArray, Rows, Variables
from ooa.model.sparse import sp

from .box_layout import BoxLayout, per_box
from .box_problem import BoxProblem
from .box_terms import NOWHERE, BoxTerms, Terms
from .boxes import BoxFormulation
from .layout import columns_of, tempted
from .rank_space import Box


class CompactFormulation(BoxFormulation):
    """The compact MIP over K boxes; it has the same rule sets and the same optimum as `OOAFormulation`.

    In the words of `BoxFormulation`, with `left_out` as in this module's first lines::

        min   sum w missed + sum w wrong + N (C1 sum literal + C2 sum used)
        positives   missed[n] + sum_k covers[n, k] >= 1
                    covers[n, k] <= used[k],  covers[n, k] <= 1 - left_out[n, k, j]
        negatives   wrong[n] >= used[k] - sum_j left_out[n, k, j]

    Examples
    --------
    >>> from ooa.objective import Objective
    >>> from ooa import RuleSet
    >>> from ooa.data.table import Table
    >>> table = Table.from_any({"x": [1.5, 2, 3, 4], "colour": ["red", "red", "red", "blue"]}, [0, 1, 1, 0])
    >>> formulation = CompactFormulation(table, Objective.of("1/16", "1/16"), K=2)
    >>> formulation.milp
    Milp('ooa-compact': 30 columns (22 integer), 50 rows, 130 nonzeros)
    >>> point = formulation.encode(RuleSet.parse("1.7 < x < 10 AND colour = red"))
    >>> formulation.milp.objective(point), formulation.milp.violation(point)
    (0.75, 0.0)
    >>> print(formulation.decode(point).to_text(compact=True))
    (colour = red ∧ x ≥ 2) → target = 1 ELSE 0
    """

    name = "ooa-compact"

    def lay_out(self, model: Model) -> CompactLayout:
        """Add the variables and rows."""
        return CompactLayout(model, self.rows, self.table, self.problem)


class CompactLayout(BoxLayout):
    """The variables and rows of the compact MIP; see the head of this module and `CompactFormulation`."""

    rows_first = frozenset({"covers"})

    def __init__(self, model: Model, rows: WeightedRows, table: Table | None, problem: BoxProblem) -> None:
        super().__init__(model, rows, table, problem)
        self._terms = BoxTerms(problem.space)
        self.blocks = self._add_variables()
        self._add_range_rows()
        self._add_category_rows()
        self._add_cover_rows()
        used, literal = self.used, self.literal
        model.add_rows("used_by_literal", used[:, None] - literal >= 0)
        model.add_rows("used_needs_literal", used - literal.sum(axis=1) <= 0)
        self._add_order(used, literal)
        self._add_writing()

    def _add_variables(self) -> dict[str, Variables]:
        """Add the variables, one block for each kind of them."""
        model, problem, K = self._model, self.problem, self.K
        N, J = len(problem.missed), len(self.space.scales)
        parts = ("lower", "upper", "category", "missing")
        return {
            "used": model.add_binaries("used", K, cost=problem.pattern_price),
            "literal": model.add_binaries("literal", (K, J), cost=problem.literal_price),
            **{name: model.add_binaries(name, (K, len(self._terms.keys[name]))) for name in parts},
            "covers": model.add_continuous("covers", (N, K), upper=1.0, implied=True),
            "missed": model.add_continuous("missed", N, upper=1.0, cost=problem.missed_price, implied=True),
            "wrong": model.add_continuous(
                "wrong", len(problem.wrong), upper=1.0, cost=problem.wrong_price, implied=True
            ),
        }

    def _add_range_rows(self) -> None:
        """What makes a range or "is missing", and a literal, of the variables of a box."""
        terms = self._terms
        order, apart, by_range, needs_range = [], [], [], []
        for j in terms.lower:
            lower = [("lower", j, t) for t in terms.lower[j]]
            upper = [("upper", j, t) for t in terms.upper[j]]
            # Beginning at t or above means beginning at any earlier threshold or above; ending likewise
            order += [{one: 1.0, other: -1.0} for one, other in pairwise(lower)]
            order += [{other: 1.0, one: -1.0} for one, other in pairwise(upper)]
            apart += [{key: 1.0, terms.ends_by(j, key[2]): 1.0} for key in lower]
            first, last = lower[:1], upper[-1:]
            ends = [*first, *last] or [NOWHERE]
            by_range += [{("literal", j, 0): 1.0, key: -1.0, ("missing", j, 0): -1.0} for key in ends]
            if not self.space.scales[j].has_missing:  # else the range over all ranks says "has a value"
                needs_range.append({("literal", j, 0): 1.0} | dict.fromkeys([*first, *last], -1.0))
        model, rows = self._model, self._per_box
        model.add_rows("threshold_order", rows(order) >= 0)
        model.add_rows("nonempty", rows(apart) <= 1)
        model.add_rows("literal_by_range", rows(by_range) >= 0)
        model.add_rows("literal_needs_range", rows(needs_range) <= 0)

    def _add_category_rows(self) -> None:
        """What makes a literal of the categories of a box and "is missing"."""
        by_category, needs_category, some, most = [], [], [], []
        for j, scale in enumerate(self.space.scales):
            if j in self._terms.lower:
                continue
            keys = [("category", j, v) for v in range(scale.size)]
            missing = ("missing", j, 0)
            needs_category.append({("literal", j, 0): 1.0} | dict.fromkeys([*keys, missing], -1.0))
            by_category += [{("literal", j, 0): 1.0, key: -1.0, missing: -1.0} for key in keys]
            some.append(dict.fromkeys(keys, 1.0))
            most.append(self.problem.most_categories(j))
        model, rows = self._model, self._per_box
        if self.problem.single_category:
            model.add_rows("literal_is_category", rows(needs_category) == 0)
        else:
            model.add_rows("literal_by_category", rows(by_category) >= 0)
            model.add_rows("literal_needs_category", rows(needs_category) <= 0)
        model.add_rows("categories", rows(some) <= np.array(most, dtype=np.float64))

    def _add_cover_rows(self) -> None:
        """Which rows a box covers, and the errors."""
        model, v, problem = self._model, self.blocks, self.problem
        self._bound_covers("covers", v["covers"], problem.missed)
        model.add_rows("missed", v["missed"] + v["covers"].sum(axis=1) >= 1)
        model.add_rows("wrong", v["wrong"][:, None] - self.surely(problem.wrong) >= 0)

    def _bound_covers(self, name: str, covers: Variables, row: NDArray[np.int64]) -> None:
        """Bound variables for rows and boxes from above: 0 unless the box is used and covers the row."""
        left_out, lines = self._terms.left_out, self._terms.line[row]
        place, attribute = np.nonzero(np.diff(left_out.indptr)[lines])  # nothing leaves out the others
        outside = per_box(left_out[lines[place, attribute]], self.signature)
        self._model.add_rows(f"{name}_used", covers - self.used <= 0)
        self._model.add_rows(f"{name}_inside", covers[place, np.arange(self.K)[:, None]] + outside <= 1)

    @property
    def used(self) -> Variables:
        """For every box, 1 if it is used."""
        return self.blocks["used"]

    @property
    def literal(self) -> Variables:
        """For every box and attribute, 1 if the box has a literal on it."""
        return self.blocks["literal"]

    @property
    def signature(self) -> Variables:
        """All variables of every box but `used` and `covers`."""
        blocks = [self.blocks[name].index for name in self._terms.keys]
        return Variables(np.concatenate(blocks, axis=1), self._model.n_columns)

    def begins(self, j: int, rank: NDArray[np.int64]) -> Expression:
        """For ranks and boxes, 1 if the range on a numeric attribute begins at the rank or above."""
        return self._per_rank([{self._terms.begins_by(j, one): 1.0} for one in rank.tolist()])

    def ends(self, j: int, rank: NDArray[np.int64]) -> Expression:
        """For ranks and boxes, 1 if the range on a numeric attribute ends below the rank."""
        return self._per_rank([{self._terms.ends_by(j, one): 1.0} for one in rank.tolist()])

    def named(self, j: int, rank: NDArray[np.int64]) -> Expression:
        """For ranks and boxes, 1 if the literal on a categorical attribute names that category."""
        return self._per_rank([{("category", j, one): 1.0} for one in rank.tolist()])

    def _per_rank(self, rows: list[Terms]) -> Expression:
        return self._per_box(rows)[np.arange(self.K), np.arange(len(rows))[:, None]]

    def says_missing(self, j: int) -> Expression:
        """For every box, 1 if its literal on the attribute is "is missing"."""
        return self._per_box([{("missing", j, 0): 1.0}])[:, 0]

    def surely(self, row: NDArray[np.int64]) -> Expression:
        """For rows and boxes, 1 if the box covers the row, and at most 0 if not."""
        left_out, lines = self._terms.left_out, self._terms.line[row]
        counts = np.arange(0, lines.size + 1, max(1, lines.shape[1]))
        total = sp.csr_array(
            (np.ones(lines.size), lines.ravel(), counts), shape=(len(lines), left_out.shape[0])
        )
        matrix = sp.csr_array(sp.kron(total @ left_out, sp.eye_array(self.K), format="csr"))
        index = self.signature.index.T.ravel()
        outside = matrix @ Variables(index, self._model.n_columns)
        return self.used - Expression(outside.matrix, outside.constant, (len(row), self.K))

    def possibly(self, row: NDArray[np.int64]) -> Expression:
        """For rows and boxes, a variable that is at most 1 if the box covers the row, and 0 if not."""
        column = self._once("column", self._cover_columns)
        fresh = row[column[row, 0] < 0]
        if len(fresh):
            name = f"inside {len(self._further)}"
            inside = self._model.add_continuous(name, (len(fresh), self.K), upper=1.0, implied=True)
            self._bound_covers(name, inside, fresh)
            surely = self.surely(fresh)
            self._auxiliary.append((inside, lambda x: surely.value(x) > 0.5))
            self._further.append(inside.index)
            column[fresh] = inside.index
        return Variables(column[row], self._model.n_columns).as_expression()

    def _cover_columns(self) -> NDArray[np.int32]:
        """The columns of `covers` for every row and box; -1 where there is none."""
        column = np.full((self.space.n_rows, self.K), -1, dtype=np.int32)
        column[self.problem.missed] = self.blocks["covers"].index
        return column

    def pin(self, constraints: Sequence[Rows]) -> None:
        """Bound what rows boxes cover from below, too, where a constraint could profit."""
        super().pin(constraints)
        column = self._once("column", self._cover_columns)
        lowered = columns_of(tempted(rows)[1] for rows in constraints)
        some = np.flatnonzero(np.isin(column, lowered).any(axis=1))
        if len(some):
            covers = self.possibly(some)
            self._model.add_rows("covers exactly", covers - self.surely(some) >= 0)

    def _per_box(self, rows: list[Terms]) -> Expression:
        """Expressions over the variables of one box, for every box."""
        return per_box(self._terms.matrix(rows), self.signature)

    def _values(self, boxes: list[Box], covers: BoolArray) -> dict[str, Any]:
        """The values of every block of variables."""
        point = {
            name: np.array([[self._terms.holds(box, key) for key in keys] for box in boxes]).reshape(
                self.K, len(keys)
            )
            for name, keys in self._terms.keys.items()
        }
        fires = np.asarray(covers.any(axis=1))
        return point | {
            "used": [bool(box) for box in boxes],
            "covers": covers[self.problem.missed],
            "missed": ~fires[self.problem.missed],
            "wrong": fires[self.problem.wrong],
        }

    def _selections(self, solved: dict[str, FloatArray], k: int) -> Box:
        """The selections of one box."""
        chosen = {
            key
            for name, keys in self._terms.keys.items()
            for key, value in zip(keys, solved[name][k].tolist())
            if value > 0.5
        }
        return self._terms.box(chosen)
