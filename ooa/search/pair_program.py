"""The linear program over some patterns, with pair cuts; both are added to it as they are found to matter.

Its columns say how much of each positive is covered, of each negative, and of each pattern chosen:

    u_p <= the sum of x_z over the patterns z that cover p,     the sum of all x_z <= K,
    u_p - v_r <= the sum of x_z over the patterns z that cover p and not r.

Of a solution only the multipliers are of use; `ooa.search.pair_bound` says for what.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ooa.model.expressions import Rows
from ooa.model.milp import Milp
from ooa.model.sparse import sp
from ooa.solving.backend import Backend
from ooa.solving.params import SolveParams
from ooa.solving.session import Session
from ooa.solving.solution import Termination

__all__ = ["PairProgram"]

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]

#: Violations below this are not looked at.
VIOLATION = 1e-3
#: Cuts that join for a row at a time, and how many where there are so few pairs that programs stay small.
CUTS, MORE_CUTS, FEW_PAIRS = 1, 2, 60_000


class PairProgram:
    """The program, on a solver where it stays loaded.

    Parameters
    ----------
    positive, negative : weights of the rows of both classes
    max_patterns : the K above
    solver, params : who solves it

    Attributes
    ----------
    pairs : of a positive and a negative, shape (n, 2); those that have a cut
    cover, cuts : the multipliers of the positives and of the pairs, once it was solved
    chosen : how much of each pattern its solution has
    most_added : how many cuts are added at a time at most, those that are violated most
    added : how many cuts that solution violates, which are in the program by now
    """

    def __init__(
        self, positive: Floats, negative: Floats, max_patterns: int, solver: Backend, params: SolveParams
    ) -> None:
        self._positive, self._negative, self._max_patterns = positive, negative, max_patterns
        self._solver, self._params = solver, params
        self._right = np.zeros((0, len(positive)), dtype=bool)
        self._wrong = np.zeros((0, len(negative)), dtype=bool)
        self._price = np.zeros(0)
        self._session: Session | None = None
        self.pairs: Integers = np.zeros((0, 2), dtype=np.int64)
        self.cover, self.cuts, self.chosen = np.zeros(len(positive)), np.zeros(0), np.zeros(0)
        self._per_row = MORE_CUTS if len(positive) * len(negative) <= FEW_PAIRS else CUTS
        self.added, self.most_added = 0, self._per_row * (len(positive) + len(negative))

    def __len__(self) -> int:
        return len(self._price)

    def add_patterns(self, right: Truths, wrong: Truths, price: Integers) -> None:
        """Add patterns: which positives and negatives each covers, and its price."""
        if len(price) and self._session is not None:
            separates = right.T[self.pairs[:, 0]] & ~wrong.T[self.pairs[:, 1]]
            matrix = np.vstack([np.ones((1, len(price))), -right.T.astype(float), -separates.astype(float)])
            self._session.add_columns(price.astype(float), sp.csc_array(matrix), 0.0, 1.0)
        self._right, self._wrong = np.vstack([self._right, right]), np.vstack([self._wrong, wrong])
        self._price = np.concatenate([self._price, price.astype(float)])

    def solve(self, seconds: float | None, allowed: Truths | None = None) -> bool:
        """Solve the program, take its multipliers, and add the cuts that its solution violates.

        Returns whether that worked: time may be over, the solver may fail, or its licence be too small.
        Only patterns that are `allowed` are chosen. A solver that did not stop when it should is not asked.
        """
        if self._solver.overdue:
            return False
        m, k = len(self._positive), len(self._negative)
        if self._session is None:
            self._session = self._solver.open(self._program())
            self._add_rows(self.pairs)
        # Without names to be kept to, a pattern may count twice: that gains nothing, as no row does, and no
        # pattern is worth more than another then only because it cannot be chosen again.
        some = np.full(len(self), np.inf) if allowed is None else allowed.astype(float)
        upper = np.concatenate([np.ones(m + k), some])
        self._session.change_bounds(np.zeros(len(upper)), upper)
        solution = self._session.solve(params=self._params, time_limit=seconds)
        if solution.interrupted or solution.termination is Termination.INTERRUPTED:
            raise KeyboardInterrupt
        if solution.x is None or solution.duals is None:
            return False
        multipliers = np.abs(solution.duals)[1:]
        if not np.isfinite(multipliers).all():
            return False
        self.cover, cuts, self.chosen = multipliers[:m], multipliers[m:], solution.x[m + k :]
        fresh = self._violated(solution.x[:m], solution.x[m : m + k])
        self._add_rows(fresh)
        self.pairs = np.concatenate([self.pairs, fresh])
        self.cuts, self.added = np.concatenate([cuts, np.zeros(len(fresh))]), len(fresh)
        return True

    def close(self) -> None:
        """Free the solver; the program can be solved again."""
        if self._session is not None:
            self._session.close()
        self._session = None

    def _program(self) -> Milp:
        """Columns: u per positive, v per negative, x per pattern. Rows: their number, one per positive."""
        m, k, n = len(self._positive), len(self._negative), len(self)
        count = sp.hstack([sp.csr_array((1, m + k)), sp.csr_array(np.ones((1, n)))])
        covered = sp.csr_array(-self._right.T.astype(float))
        covers = sp.hstack([sp.eye_array(m, format="csr"), sp.csr_array((m, k)), covered])
        cost = np.concatenate([-self._positive, self._negative, self._price])
        upper = np.concatenate([[float(self._max_patterns)], np.zeros(m)])
        ones = np.ones(len(cost))
        A = sp.csr_array(sp.vstack([count, covers], format="csr"))
        return Milp(cost, A, np.full(m + 1, -np.inf), upper, 0 * ones, ones, ones < 0)

    def _add_rows(self, pairs: Integers) -> None:
        """Tell the solver about pairs."""
        if not len(pairs):
            return
        p, r = pairs.T
        m, k = len(self._positive), len(self._negative)
        separates = self._right[:, p] & ~self._wrong[:, r]
        of_u, of_v = sp.eye_array(m, format="csr")[p], sp.eye_array(k, format="csr")[r]
        matrix = sp.csr_array(
            sp.hstack([of_u, -of_v, sp.csr_array(-separates.T.astype(float))], format="csr")
        )
        assert self._session is not None
        self._session.add_rows(Rows(matrix, np.full(len(p), -np.inf), np.zeros(len(p)), (len(p),)))

    def _violated(self, u: Floats, v: Floats) -> Integers:
        """The pairs that are violated most of each positive and of each negative."""
        if not len(u) or not len(v):
            return np.zeros((0, 2), dtype=np.int64)
        some = self.chosen > 1e-9
        covers, avoids = self._right[some].T, ~self._wrong[some].T
        excess = u[:, None] - v[None, :] - (covers * self.chosen[some]) @ avoids.T.astype(float)
        chosen = np.zeros(excess.shape, dtype=bool)
        for axis in (0, 1):
            most = min(self._per_row, excess.shape[axis])
            worst = np.argpartition(-excess, most - 1, axis=axis).take(np.arange(most), axis=axis)
            np.put_along_axis(chosen, worst, True, axis=axis)
        found = np.argwhere(chosen & (excess > VIOLATION))
        worst = np.argsort(-excess[found[:, 0], found[:, 1]], kind="stable")
        return found[np.sort(worst[: self.most_added])]
