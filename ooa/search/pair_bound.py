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
from numpy.typing import NDArray

from ooa.clock import NEVER, Deadline
from ooa.errors import OOAError
from ooa.kernels.bits import worth
from ooa.logs import logger
from ooa.solving.backend import Backend
from ooa.solving.params import SolveParams

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]

#: Most patterns that join the program at a time, beside the most valuable of each positive.
FRONT = 20
#: Rounds at most; the share of the excess over what is needed that is progress; and how many rounds without.
ROUNDS, PROGRESS, PATIENCE = 60, 0.01, 3


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
        from .pair_program import PairProgram  # with what talks to solvers

        self._right, self._wrong, self._positive, self._negative = right, wrong, positive, negative
        self._price, self._max_patterns = price, max_patterns
        self.bound = np.inf
        self.names = np.arange(len(price))
        self.pairs = np.zeros((0, 2), dtype=np.int64)
        self._active = np.zeros(0, dtype=np.int64)  # the patterns in the program
        self._cover, self._cuts = 0.7 * positive, np.zeros(0)  # the present multipliers
        self._best = self._cover, self._cuts, self.pairs  # those of the bound
        self._program = PairProgram(positive, negative, max_patterns, solver, params)
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
                if not self._solve(fresh, left):
                    break
        except OOAError as error:
            logger.info("no more linear programs: %s", error)
        finally:
            self._program.close()
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

    def _solve(self, names: Integers, seconds: float | None) -> bool:
        """Solve the program with some more patterns in it, and take its multipliers, if that works."""
        fresh = np.setdiff1d(names, self._active)
        self._program.add_patterns(self._right[fresh], self._wrong[fresh], self._price[fresh])
        self._active = np.concatenate([self._active, fresh])
        # What has been dropped is no longer allowed.
        if not self._program.solve(seconds, np.isin(self._active, self.names)):
            return False
        self._cover, self._cuts, self.pairs = self._program.cover, self._program.cuts, self._program.pairs
        return True

    def _settle(self) -> None:
        """Keep the multipliers of the bound; another run goes on from them."""
        self.own, cuts, pairs = self._best
        some = cuts > 0
        self.pairs, self.amount = pairs[: len(cuts)][some], cuts[some]
        self._cover, self._cuts, self._program.pairs = self.own, self.amount, self.pairs
