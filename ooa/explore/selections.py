"""Sets of candidates, one by one: what each is worth, whether it is allowed, and which are next to it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ooa.candidates.candidates import prices
from ooa.data.bitsets import unpack, weighted_count
from ooa.learning.problem import FitProblem
from ooa.search.local_search import Choice
from ooa.solving.prepare import FEASIBILITY

from .no_goods import NoGoodFormulation
from .redundancy import Redundancy

__all__ = ["Selections"]

#: Neighbours that are looked at for a start of the next solve, where only predictions count.
HINTS = 20


class Selections:
    """The selections from the candidates of a formulation.

    Parameters
    ----------
    problem : what is to be learned
    formulation : the selection ILP with exclusions
    lean : whether selections are left out that only add a redundant pattern to another one that is allowed

    Attributes
    ----------
    most : int
        The most patterns in one of them.
    redundancy : Redundancy
    plain : bool
        Whether none with a redundant pattern is wanted at all, as none has to have one to be allowed.
    """

    def __init__(self, problem: FitProblem, formulation: NoGoodFormulation, lean: bool) -> None:
        candidates = formulation.candidates
        self._problem, self._formulation, self._lean = problem, formulation, lean
        self._bits = candidates.bits
        self._price = prices(candidates, problem.objective, problem.total)
        self.most = len(candidates)
        if problem.max_patterns is not None:
            self.most = min(self.most, problem.max_patterns)
        self.redundancy = Redundancy(candidates)
        self.plain = lean and not formulation.by_prediction and problem.allows_removal

    def values(self, choice: Choice) -> tuple[Fraction, Fraction]:
        """L of a selection, exactly: as it was given, and on the grid."""
        fires = unpack(self._formulation.cover(choice), self._problem.rows.n_rows)
        literals = int(self._formulation.candidates.length[list(choice)].sum())
        return self._problem.grid.values(fires, literals, len(choice))

    def allowed(self, choice: Choice) -> bool:
        """Whether a selection meets the constraints."""
        if not self._problem.constraints:
            return True
        f = self._formulation
        return f.milp.worst(f.completed(f.selection(choice)), relative=True)[0] <= FEASIBILITY

    def left_out(self, choice: Choice) -> bool:
        """Whether a selection only adds a redundant pattern to another one, and is not wanted for that."""
        return self._lean and not self._formulation.by_prediction and self._less(choice) is not None

    def stripped(self, choice: Choice) -> Choice:
        """A selection without redundant patterns, as far as what is left is allowed; as it is if not lean."""
        while self._lean and (less := self._less(choice)) is not None:
            choice = less
        return choice

    def _less(self, choice: Choice) -> Choice | None:
        """A selection without one pattern that predicts the same and is allowed; None if there is none."""
        for k in self.redundancy.of(choice):
            less = tuple(other for other in choice if other != k)
            if self.allowed(less):
                return less
        return None

    def neighbours(self, choice: Choice, reach: Fraction | None, n: int | None) -> Iterator[Choice]:
        """Selections that differ in one pattern and may be within reach, not more of a kind than needed."""
        by_prediction = self._formulation.by_prediction
        cover = self._formulation.cover(choice)
        for base in (choice, *(tuple(k for k in choice if k != out) for out in choice)):
            yield base
            if len(base) >= self.most:
                continue
            value = self._with_one_more(base)
            if by_prediction:
                same = ((self._bits | self._formulation.cover(base)) == cover).all(axis=1)
                value[same] = np.inf
            elif self.plain:
                value[self.redundancy.made_by_adding(base)] = np.inf
            chosen = np.flatnonzero(np.isfinite(value))
            if reach is not None and not by_prediction and len(chosen):
                total = self._problem.total
                most = self._problem.grid.above(reach) * total
                near = np.flatnonzero(value <= float(most) + 1e-9 * float(total))
                chosen = near if len(near) else chosen[[np.argmin(value[chosen])]]  # a start for the solver
            many = HINTS if by_prediction else n
            if many is not None and len(chosen) > many:
                chosen = chosen[np.argpartition(value[chosen], many)[:many]]
            for k in chosen.tolist():
                yield tuple(sorted((*base, k)))

    def _with_one_more(self, base: Choice) -> NDArray[np.float64]:
        """About `total * L` on the grid of a selection with each further candidate; infinite for its own."""
        rows, cover = self._problem.rows, self._formulation.cover(base)
        gained = weighted_count(self._bits & ~cover, rows.positive)
        lost = weighted_count(self._bits & ~cover, rows.negative)
        value: NDArray[np.float64] = (
            float(self.values(base)[1] * self._problem.total) - gained + lost + self._price
        )
        value[list(base)] = np.inf
        return value
