"""Separation: a bound by a linear program with pair cuts, found as they are violated.

To have a positive p right, and a negative r not wrong, takes a pattern that covers p and not r. As a row of
the program, that is the pair cut

    u_p - v_r <= the sum of x_z over the patterns z that cover p and not r.

The selection program implies it, its relaxation does not: there, fractions of patterns that cover both get p
and are hardly charged with r. On noisy tables these cuts close most of the gap.

Of the linear program nothing but its multipliers is used. For *any* multipliers e_p >= 0 of the rows
u_p <= (sum of x_z over the z that cover p) and a_pr >= 0 of the pair cuts, at most K patterns gain no more
than

    sum_p max(0, w_p - e_p - sum_r a_pr)  +  sum_r max(0, sum_p a_pr - w_r)  +  the K largest values

where a pattern is worth the e_p of the p it covers, the a_pr of the p it covers with r that it does not,
less its price. So the bound does not depend on a solver's tolerances, and a pattern that is not worth enough
beside the most valuable others is in no set that gains more than is needed (fixing by reduced costs).

There are too many patterns, and too many pairs, for one program: both are added as they are found to matter.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ooa.clock import NEVER, Deadline
from ooa.errors import OOAError
from ooa.kernels.bits import worth
from ooa.logs import logger
from ooa.model.expressions import Rows
from ooa.model.milp import Milp
from ooa.solving.backend import Backend
from ooa.solving.params import SolveParams
from ooa.solving.session import Session
from ooa.solving.solution import Termination

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]

#: Most patterns that join the program at a time, beside the most valuable of each positive.
FRONT = 20
#: Rounds at most; the share of the excess over what is needed that is progress; and how many rounds without.
ROUNDS, PROGRESS, PATIENCE = 60, 0.01, 3
#: Violations below this are not looked at.
VIOLATION = 1e-3


class Separation:
    """A bound on what sets of at most so many patterns gain, improved round by round.

    A set gains the weight of the positives it covers, less that of the negatives it covers, less its prices.
    All amounts are whole numbers.

    Parameters
    ----------
    right, wrong : which positives and negatives each pattern covers, shapes (P, R+) and (P, R-)
    positive, negative : weights of these rows
    price : of each pattern
    max_patterns : most patterns in a set, the K of the bound
    solver, params : solve the linear programs, which stay loaded where the solver can add rows and columns

    Attributes
    ----------
    bound : no set gains more
    names : the patterns that may be in a set that gains more than was needed
    own, pairs, amount : the multipliers that gave the bound: e_p of the positives, the pairs (p, r) of a
        positive and a negative that have one, and their a_pr

    Examples
    --------
    Two patterns that cover a positive each, and the same negative:

    >>> from ooa.solving.registry import get_backend
    >>> right, wrong = np.array([[1, 0], [0, 1]], bool), np.array([[1], [1]], bool)
    >>> search = Separation(right, wrong, np.array([5.0, 5]), np.array([4.0]), np.array([1, 1]), 2,
    ...                     get_backend("highs"), SolveParams())
    >>> search.run(needed=0)
    >>> round(search.bound, 6)  # 5 + 5 - 4 - 1 - 1
    4.0
    """

    def __init__(
        self,
        right: Truths,
        wrong: Truths,
        positive: Floats,
        negative: Floats,
        price: Integers,
        max_patterns: int,
        solver: Backend,
        params: SolveParams,
    ) -> None:
        self._right, self._wrong, self._positive, self._negative = right, wrong, positive, negative
        self._price, self._max_patterns, self._solver, self._params = price, max_patterns, solver, params
        self.bound = np.inf
        self.names = np.arange(len(price))
        self.pairs = np.zeros((0, 2), dtype=np.int64)
        self._active = np.zeros(0, dtype=np.int64)  # the patterns in the program
        self._cover, self._cuts = 0.7 * positive, np.zeros(0)  # the present multipliers
        self._best = self._cover, self._cuts, self.pairs  # those of the bound
        self._session: Session | None = None
        self.own, self.amount = 0 * positive, np.zeros(0)

    def run(self, needed: float, deadline: Deadline = NEVER) -> None:
        """Go on until the bound is what is needed, does not get any better, or time is over.

        Parameters
        ----------
        needed : no more is asked for than to exclude gains above this
        deadline : when to stop; what the linear programs may take is what is left until then
        """
        before, since = np.inf, 0
        try:
            for turn in range(ROUNDS):
                fresh = self._evaluate(needed)
                if self.bound <= needed or not len(self.names):
                    self.bound = max(self.bound, needed)
                    break
                if turn == 0 or self.bound < before - PROGRESS * (before - needed):
                    before, since = self.bound, turn
                left = deadline.left()
                if turn - since > PATIENCE or left == 0.0:
                    break
                self._activate(fresh)
                if not self._solve(left):
                    break
        except OOAError as error:
            logger.info("no more linear programs: %s", error)
        finally:
            if self._session is not None:
                self._session.close()
            self._session = None
            self.bound = min(self.bound, float(self._positive.sum()))
        self._settle()

    def _evaluate(self, needed: float) -> Integers:
        """The bound by the present multipliers; drop what is not worth enough; return what is worth most."""
        some = self._cuts > 0
        p, r, amount = self.pairs[some, 0], self.pairs[some, 1], self._cuts[some]
        total = self._cover + np.bincount(p, amount, len(self._positive))
        charged = np.bincount(r, amount, len(self._negative))
        given = float((self._positive - total).clip(0).sum() + (charged - self._negative).clip(0).sum())
        order = np.argsort(p, kind="stable")
        first = np.searchsorted(p[order], np.arange(len(self._positive) + 1))
        value, leaders = worth(
            self._right, self._wrong, self._price, self.names, self._cover, first, r[order], amount[order]
        )
        best = np.argsort(-value)[: max(FRONT, self._max_patterns)]
        top = value[best[: self._max_patterns]].clip(0)
        if given + float(top.sum()) < self.bound:
            self.bound = given + float(top.sum())
            self._best = self._cover, self._cuts, self.pairs
        front: Integers = self.names[np.union1d(leaders[leaders >= 0], best)]
        # Gains are whole numbers; half a unit covers rounding.
        self.names = self.names[~(value + given + top[: self._max_patterns - 1].sum() <= needed + 0.5)]
        return front

    def _activate(self, names: Integers) -> None:
        """Add patterns to the program."""
        fresh = np.setdiff1d(names, self._active)
        if len(fresh) and self._session is not None:
            right, wrong = self._right[fresh].T, self._wrong[fresh].T
            separates = right[self.pairs[:, 0]] & ~wrong[self.pairs[:, 1]]
            matrix = np.vstack([np.ones((1, len(fresh))), -right.astype(float), -separates.astype(float)])
            self._session.add_columns(self._price[fresh].astype(float), sp.csc_array(matrix), 0.0, 1.0)
        self._active = np.concatenate([self._active, fresh])

    def _solve(self, seconds: float | None) -> bool:
        """Solve the program, take its multipliers, and add the rows that its solution violates.

        Returns whether that worked: time may be over, the solver may fail, or its licence be too small.
        """
        m, k = len(self._positive), len(self._negative)
        if self._session is None:
            self._session = self._solver.open(self._program())
            self._add_rows(self.pairs)
        # What has been dropped is no longer allowed.
        upper = np.concatenate([np.ones(m + k), np.isin(self._active, self.names).astype(float)])
        self._session.change_bounds(np.zeros(len(upper)), upper)
        solution = self._session.solve(params=self._params, time_limit=seconds)
        if solution.termination is Termination.INTERRUPTED:
            raise KeyboardInterrupt
        if solution.x is None or solution.duals is None:
            return False
        multipliers = np.abs(solution.duals)[1:]
        if not np.isfinite(multipliers).all():
            return False
        self._cover, self._cuts = multipliers[:m], multipliers[m:]
        fresh = self._violated(solution.x[:m], solution.x[m : m + k], solution.x[m + k :])
        self._add_rows(fresh)
        self.pairs = np.concatenate([self.pairs, fresh])
        self._cuts = np.concatenate([self._cuts, np.zeros(len(fresh))])
        return True

    def _program(self) -> Milp:
        """Columns: u per positive, v per negative, x per pattern. Rows: their number, one per positive."""
        m, k, n = len(self._positive), len(self._negative), len(self._active)
        count = sp.hstack([sp.csr_array((1, m + k)), sp.csr_array(np.ones((1, n)))])
        covered = sp.csr_array(-self._right[self._active].T.astype(float))
        covers = sp.hstack([sp.eye_array(m, format="csr"), sp.csr_array((m, k)), covered])
        cost = np.concatenate([-self._positive, self._negative, self._price[self._active].astype(float)])
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
        separates = self._right[np.ix_(self._active, p)] & ~self._wrong[np.ix_(self._active, r)]
        of_u, of_v = sp.eye_array(m, format="csr")[p], sp.eye_array(k, format="csr")[r]
        matrix = sp.csr_array(
            sp.hstack([of_u, -of_v, sp.csr_array(-separates.T.astype(float))], format="csr")
        )
        assert self._session is not None
        self._session.add_rows(Rows(matrix, np.full(len(p), -np.inf), np.zeros(len(p)), (len(p),)))

    def _violated(self, u: Floats, v: Floats, x: Floats) -> Integers:
        """The pair that is violated most of each positive and of each negative."""
        if not len(v):
            return np.zeros((0, 2), dtype=np.int64)
        some = x > 1e-9
        covers, avoids = self._right[self._active[some]].T, ~self._wrong[self._active[some]].T
        excess = u[:, None] - v[None, :] - (covers * x[some]) @ avoids.T.astype(float)
        found = np.concatenate(
            [
                np.column_stack([np.arange(len(u)), excess.argmax(1)]),
                np.column_stack([excess.argmax(0), np.arange(len(v))]),
            ]
        )
        return np.unique(found[excess[found[:, 0], found[:, 1]] > VIOLATION], axis=0)

    def _settle(self) -> None:
        """Keep the multipliers of the bound; another run goes on from them."""
        self.own, cuts, pairs = self._best
        some = cuts > 0
        self.pairs, self.amount = pairs[: len(cuts)][some], cuts[some]
        self._cover, self._cuts = self.own, self.amount
