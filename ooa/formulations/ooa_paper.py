"""OOA as in the paper (its section 2.1), corrected: one MIP that forms the patterns, with big-M rows.

This is the reference; `ooa.formulations.ooa_compact` has the same optimum and is smaller. The paper's
variables are here, for box k, attribute j and row n:

=============  ==========================================================================================
zeta[k]        box k is used
delta[k, j]    box k has a (substantive) literal on attribute j
l, u[k, j]     bounds of the range on a numeric attribute, in ranks 0, ..., m_j - 1
lhat, uhat     [n, k, j]: row n satisfies the lower, upper bound
o[k, v]        the literal on a categorical attribute names category v (all attributes' in one row)
ohat           [n, k, j]: row n has the category that is named
omega[n, k]    row n satisfies pattern k
missed, wrong  xi in the paper: a positive satisfies no pattern, a negative satisfies one
mu[k, j]       not in the paper: the literal on a numeric attribute is "is missing"
=============  ==========================================================================================
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ooa.data.rows import WeightedRows
from ooa.data.table import Table
from ooa.model.builder import Model
from ooa.model.expressions import BoolArray, Expression, FloatArray, Variables
from ooa.model.sparse import sp

from .box_layout import BoxLayout, per_box
from .box_problem import BoxProblem
from .boxes import BoxFormulation
from .rank_space import Box
from .scales import NumericScale


class OOAFormulation(BoxFormulation):
    """The paper's MIP over K boxes, with its slips put right.

    As printed it has no row that does what it is for at a bound, and it lets boxes cheat. What differs:

    - values are ranks, so that M_j = m_j and epsilon = 1 whatever the data's scale;
    - epsilon stands in the rows that make uhat and lhat 1, so that a row equal to a bound is inside;
    - `zeta[k] <= sum_j delta[k, j]`: no box is used without a literal, which would cover everything;
    - at most V_j - 1 of V_j categories are named: all of them, or that of a constant, cover everything;
    - l <= u, and boxes are in order.

    Where a row has no value, uhat and lhat are 1 if there is no literal, or if it is "is missing". On such an
    attribute the range over all ranks is substantive: it says "has a value".

    Examples
    --------
    >>> from ooa.objective import Objective
    >>> from ooa import RuleSet
    >>> from ooa.data.table import Table
    >>> table = Table.from_any({"x": [1.5, 2, 3, 4], "colour": ["red", "red", "red", "blue"]}, [0, 1, 1, 0])
    >>> formulation = OOAFormulation(table, Objective.of("1/16", "1/16"), K=2)
    >>> formulation.milp
    Milp('ooa': 50 columns (46 integer), 88 rows, 256 nonzeros)
    >>> point = formulation.encode(RuleSet.parse("1.7 < x < 10 AND colour = red"))
    >>> formulation.milp.objective(point), formulation.milp.violation(point)
    (0.75, 0.0)
    >>> print(formulation.decode(point).to_text(compact=True))
    (colour = red ∧ x ≥ 2) → target = 1 ELSE 0
    """

    name = "ooa"

    def lay_out(self, model: Model) -> PaperLayout:
        """Add the variables and rows, one named block per equation of the paper."""
        return PaperLayout(model, self.rows, self.table, self.problem)


class PaperLayout(BoxLayout):
    """The variables and rows of the paper's MIP; see the head of this module and `OOAFormulation`."""

    rows_first = frozenset({"lhat", "uhat", "ohat", "omega"})
    idle_at_1 = frozenset({"lhat", "uhat"})

    def __init__(self, model: Model, rows: WeightedRows, table: Table | None, problem: BoxProblem) -> None:
        super().__init__(model, rows, table, problem)
        self._number()
        self.blocks = self._add_variables()
        self._add_numeric_rows()
        self._add_categorical_rows()
        self._add_error_rows()
        self._add_order(self.blocks["zeta"], self.blocks["delta"])
        self._add_writing()

    def _number(self) -> None:
        """Number the attributes of each kind, and the columns of mu and o."""
        scales = self.space.scales
        numeric = np.array([isinstance(scale, NumericScale) for scale in scales], dtype=bool)
        self._numeric, self._categorical = np.flatnonzero(numeric), np.flatnonzero(~numeric)
        self._size = np.array([scales[j].size for j in self._numeric], dtype=np.float64)
        self._lacking = np.array([scales[j].has_missing for j in self._numeric], dtype=bool)
        # mu has a column for every numeric attribute with the literal "is missing"
        named = [i for i, j in enumerate(self._numeric) if scales[j].missing_literal]
        self._mu = _incidence(named, len(self._numeric))
        # o has a column for every category; an attribute's last is for "is missing" if that is a literal
        widths = [scales[j].size + scales[j].missing_literal for j in self._categorical]
        self._owner = _incidence(np.repeat(np.arange(len(widths)), widths), len(widths))
        self._first = np.cumsum([0, *widths])[:-1]
        self._for_missing = np.zeros(sum(widths), dtype=bool)
        self._choice = self._first + self.space.rank[:, self._categorical]  # column of o that holds for a row
        for i, j in enumerate(self._categorical.tolist()):
            last = self._first[i] + widths[i] - 1
            if scales[j].missing_literal:
                self._for_missing[last] = True
            self._choice[self.space.rank[:, j] < 0, i] = last if scales[j].missing_literal else -1

    def _add_variables(self) -> dict[str, Variables]:
        """Add the variables, one block for each kind of them."""
        model, problem, K = self._model, self.problem, self.K
        N, Jn, Jc = self.space.n_rows, len(self._numeric), len(self._categorical)
        top = self._size - 1.0  # U_j; L_j is 0
        return {
            "zeta": model.add_binaries("zeta", K, cost=problem.pattern_price),
            "delta": model.add_binaries("delta", (K, Jn + Jc), cost=problem.literal_price),
            "l": model.add_continuous("l", (K, Jn), upper=top, implied=True),
            "u": model.add_continuous("u", (K, Jn), upper=top, implied=True),
            "lhat": model.add_binaries("lhat", (N, K, Jn)),
            "uhat": model.add_binaries("uhat", (N, K, Jn)),
            "mu": model.add_binaries("mu", (K, self._mu.shape[1])),
            "o": model.add_binaries("o", (K, self._owner.shape[1])),
            "ohat": model.add_binaries("ohat", (N, K, Jc)),
            "omega": model.add_binaries("omega", (N, K)),
            "missed": model.add_binaries("missed", len(problem.missed), cost=problem.missed_price),
            "wrong": model.add_binaries("wrong", len(problem.wrong), cost=problem.wrong_price),
        }

    def _add_numeric_rows(self) -> None:
        """Literals for numeric attributes: the paper's equations (3) to (11), and missing values."""
        model, v, K = self._model, self.blocks, self.K
        rank = self.space.rank[:, self._numeric]
        delta, low, u = v["delta"][:, self._numeric], v["l"], v["u"]
        is_missing = per_box(self._mu, v["mu"])
        row, j = (index[:, None] for index in np.nonzero(rank >= 0))
        k, M, X = np.arange(K), self._size[j], rank[row, j]
        lhat, uhat = v["lhat"][row, k, j], v["uhat"][row, k, j]
        # (3) uhat = 1 if X <= u:  u - X <= M uhat - 1     (4) uhat = 0 if X > u:  u - X >= M (uhat - 1)
        model.add_rows("uhat_is_1", u[k, j] - M * uhat <= X - 1)
        model.add_rows("uhat_is_0", u[k, j] - M * uhat >= X - M)
        # (5) lhat = 1 if X >= l:  X - l <= M lhat - 1     (6) lhat = 0 if X < l:  X - l >= M (lhat - 1)
        model.add_rows("lhat_is_1", low[k, j] + M * lhat >= X + 1)
        model.add_rows("lhat_is_0", low[k, j] + M * lhat <= X + M)
        # A missing value satisfies both bounds if there is no literal, or if that is "is missing" (which is a
        # literal then: uhat is 1 at most).
        row, j = (index[:, None] for index in np.nonzero(rank < 0))
        allowed = 1 - delta[k, j] + is_missing[k, j]
        model.add_rows("uhat_missing", v["uhat"][row, k, j] - allowed == 0)
        model.add_rows("lhat_missing", v["lhat"][row, k, j] - allowed == 0)
        # (9) delta = 1 if u < U:  M delta >= U - u        (10) delta = 1 if l > L:  M delta >= l - L
        M, top = self._size, self._size - 1.0
        model.add_rows("delta_is_1_by_u", M * delta + u >= top)
        model.add_rows("delta_is_1_by_l", M * delta - low >= 0)
        # (11) delta = 0 if the range is everything:  M (1 - delta) >= (u - l) - (U - L) + 1
        full = np.flatnonzero(~self._lacking)  # elsewhere, the range over all ranks says "has a value"
        model.add_rows(
            "delta_is_0", M[full] * delta[:, full] + u[:, full] - low[:, full] <= (M + top - 1)[full]
        )
        # "is missing" has no range besides; any other range is not empty.
        model.add_rows("range", u - low - top * is_missing >= 0)

    def _add_categorical_rows(self) -> None:
        """Literals for categorical attributes: equations (12) to (16); "is missing" is a category."""
        model, v = self._model, self.blocks
        delta, o, ohat = v["delta"][:, self._categorical], v["o"], v["ohat"]
        k, width = np.arange(self.K), np.asarray(self._owner.sum(axis=1))
        named = per_box(self._owner, o)
        # (12), (13) ohat = 1 if and only if the row's category is named
        row, j = (index[:, None] for index in np.nonzero(self._choice >= 0))
        own = o[k, self._choice[row, j]]
        model.add_rows("ohat_is_0", ohat[row, k, j] - own <= 0)
        model.add_rows("ohat_is_1", width[j] * ohat[row, k, j] - own >= 0)
        row, j = (index[:, None] for index in np.nonzero(self._choice < 0))
        model.add_rows("ohat_missing", ohat[row, k, j] <= 0)
        # (14) One category (or some, but not all), and none besides "is missing"
        most = np.array([self.problem.most_categories(int(j)) for j in self._categorical], dtype=np.float64)
        besides = sp.csr_array(self._owner.multiply(np.where(self._for_missing, most[:, None] - 1, 0.0)))
        model.add_rows("categories", named + per_box(besides, o) <= most)
        # (15), (16) delta = 1 if and only if a category is named
        model.add_rows("delta_is_0_without_o", delta - named <= 0)
        model.add_rows("delta_is_1_by_o", width * delta - named >= 0)

    def _add_error_rows(self) -> None:
        """Counting classification errors: equations (17) to (21)."""
        model, v, J = self._model, self.blocks, len(self.space.scales)
        zeta, delta, omega = v["zeta"], v["delta"], v["omega"]
        terms = 2 * len(self._numeric) + len(self._categorical)
        held = v["uhat"].sum(axis=2) + v["lhat"].sum(axis=2) + v["ohat"].sum(axis=2)
        held = held + (len(self._categorical) - delta[:, self._categorical].sum(axis=1))
        # A row that has a value does not satisfy "is missing", though it is inside the range.
        present = (self.space.rank[:, self._numeric] >= 0).astype(np.float64) @ self._mu
        held = held - (v["mu"] * present[:, None, :]).sum(axis=2)
        # (17), (18) omega = 1 if the box is used and every term holds, omega = 0 if not
        model.add_rows("omega_is_1", zeta + held - omega <= terms)
        model.add_rows("omega_is_0", (terms + 1) * omega - zeta - held <= 0)
        # (19), (20) A positive is an error if no box covers it, a negative if one does.
        model.add_rows("positive_error", v["missed"] + omega[self.problem.missed].sum(axis=1) >= 1)
        model.add_rows("negative_error", self.K * v["wrong"] - omega[self.problem.wrong].sum(axis=1) >= 0)
        # (21) A box is used if it has a literal, and, which the paper lacks, only then.
        model.add_rows("zeta_is_1", J * zeta - delta.sum(axis=1) >= 0)
        model.add_rows("zeta_is_0", zeta - delta.sum(axis=1) <= 0)

    @property
    def used(self) -> Variables:
        """For every box, 1 if it is used."""
        return self.blocks["zeta"]

    @property
    def literal(self) -> Variables:
        """For every box and attribute, 1 if the box has a literal on it."""
        return self.blocks["delta"]

    @property
    def signature(self) -> Variables:
        """Every box's literals, categories, and which ranks satisfy its bounds."""
        v = self.blocks
        parts = [v[name].index for name in ("delta", "mu", "o")]
        for i in range(len(self._numeric)):
            parts += [v[name].index[self._row_by_rank(i), :, i].T for name in ("lhat", "uhat")]
        return Variables(np.concatenate(parts, axis=1), self._model.n_columns)

    def _row_by_rank(self, i: int) -> NDArray[np.intp]:
        """A row for every rank of a numeric attribute."""
        ranks, row = np.unique(self.space.rank[:, self._numeric[i]], return_index=True)
        return row[ranks >= 0]

    def begins(self, j: int, rank: NDArray[np.int64]) -> Expression:
        """For ranks and boxes, 1 if the range on a numeric attribute begins at the rank or above."""
        return self._breaks("lhat", j, rank - 1)

    def ends(self, j: int, rank: NDArray[np.int64]) -> Expression:
        """For ranks and boxes, 1 if the range on a numeric attribute ends below the rank."""
        return self._breaks("uhat", j, rank)

    def _breaks(self, bound: str, j: int, rank: NDArray[np.int64]) -> Expression:
        """For ranks and boxes, 1 if the rank does not satisfy a bound, as the end beyond it always does."""
        i = int(np.searchsorted(self._numeric, j))
        row, last = self._row_by_rank(i), self.space.scales[j].size - 1
        inside = (rank < last) if bound == "lhat" else (rank > 0)
        holds = self.blocks[bound][row[np.clip(rank, 0, last)], :, i]
        return (1 - holds) * inside[:, None].astype(float)

    def named(self, j: int, rank: NDArray[np.int64]) -> Expression:
        """For ranks and boxes, 1 if the literal on a categorical attribute names that category."""
        first = self._first[int(np.searchsorted(self._categorical, j))]
        return self.blocks["o"][np.arange(self.K), (first + rank)[:, None]].as_expression()

    def says_missing(self, j: int) -> Expression:
        """For every box, 1 if its literal on the attribute is "is missing"."""
        if j in self._numeric:
            return per_box(self._mu, self.blocks["mu"])[:, int(np.searchsorted(self._numeric, j))]
        i = int(np.searchsorted(self._categorical, j))
        own = self._for_missing & (self._owner.toarray()[i] > 0)
        return self.blocks["o"][:, np.flatnonzero(own)].sum(axis=1)

    def surely(self, row: NDArray[np.int64]) -> Expression:
        """For rows and boxes, 1 if the box covers the row, and 0 if not."""
        return self.blocks["omega"][row].as_expression()

    possibly = surely

    def _values(self, boxes: list[Box], covers: BoolArray) -> dict[str, Any]:
        """The values of every block of variables."""
        K, Jn = self.K, len(self._numeric)
        delta = np.array([[j in box for j in range(len(self.space.scales))] for box in boxes])
        low, high = np.zeros((K, Jn)), np.tile(self._size - 1, (K, 1))
        missing = np.zeros((K, Jn), dtype=bool)
        o = np.zeros((K, self._owner.shape[1]), dtype=bool)
        for k, box in enumerate(boxes):
            for i, j in enumerate(self._numeric.tolist()):
                if j in box and box[j][-1]:
                    missing[k, i] = True
                elif j in box:
                    low[k, i], high[k, i] = np.flatnonzero(box[j])[[0, -1]]
            for i, j in enumerate(self._categorical.tolist()):
                if j in box:
                    width = len(box[j]) - 1 + self.space.scales[j].missing_literal
                    o[k, self._first[i] : self._first[i] + width] = box[j][:width]
        rank = self.space.rank[:, None, self._numeric]
        absent = (1 - delta[:, self._numeric] + missing) > 0
        fires = np.asarray(covers.any(axis=1))
        return {
            "zeta": delta.any(axis=1),
            "delta": delta,
            "l": low,
            "u": high,
            "lhat": np.where(rank >= 0, rank >= low, absent),
            "uhat": np.where(rank >= 0, rank <= high, absent),
            "mu": missing @ self._mu,
            "o": o,
            "ohat": np.concatenate([o, np.zeros((K, 1), dtype=bool)], axis=1)[:, self._choice].swapaxes(0, 1),
            "omega": covers,
            "missed": ~fires[self.problem.missed],
            "wrong": fires[self.problem.wrong],
        }

    def _selections(self, solved: dict[str, FloatArray], k: int) -> Box:
        """The selections of one box."""
        box: Box = {}
        missing: FloatArray = np.asarray(self._mu @ np.round(solved["mu"][k]))
        for i, j in enumerate(self._numeric.tolist()):
            ranks = np.arange(self.space.scales[j].size + 1)
            low, high = np.round(solved["l"][k, i]), np.round(solved["u"][k, i])
            inside = (ranks >= low) & (ranks <= high) if missing[i] < 0.5 else ranks == ranks[-1]
            box[j] = inside
        for i, j in enumerate(self._categorical.tolist()):
            scale = self.space.scales[j]
            chosen = np.zeros(scale.size + 1, dtype=bool)
            width = scale.size + scale.missing_literal
            chosen[:width] = solved["o"][k, self._first[i] : self._first[i] + width] > 0.5
            box[j] = chosen
        return {j: selection for j, selection in box.items() if solved["delta"][k, j] > 0.5}


def _incidence(row: Any, n_rows: int) -> sp.csr_array:
    """The 0-1 matrix whose column c has its 1 in row `row[c]`."""
    columns = np.arange(len(row))
    return sp.csr_array(
        (np.ones(len(row)), (np.asarray(row, dtype=np.intp), columns)), shape=(n_rows, len(row))
    )
