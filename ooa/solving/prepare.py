"""What can be decided on the arrays alone, so that no solver ever sees a degenerate model.

Solvers disagree on empty models, empty rows, free rows and fractional bounds of integers
(some call them an error, some return nonsense); here they are settled once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ooa.model.expressions import FloatArray
from ooa.model.milp import Milp

from .solution import Termination

#: How far a point may break a row or bound, relative to the size of that side, and still count.
FEASIBILITY = 1e-6


@dataclass(frozen=True)
class Prepared:
    """A model without degenerate parts, or the answer if nothing is left to solve."""

    milp: Milp
    rows: npt.NDArray[np.intp] | None  #: original indices of the rows kept; None = all
    termination: Termination | None = None
    x: FloatArray | None = None
    message: str = ""

    def full_duals(self, duals: FloatArray | None, n_rows: int) -> FloatArray | None:
        """Duals of the original rows: those dropped have dual 0."""
        if duals is None or self.rows is None:
            return duals
        full = np.zeros(n_rows)
        full[self.rows] = duals
        return full


def prepare(milp: Milp) -> Prepared:
    """Tighten integer bounds, drop empty and free rows, and decide trivial models.

    Examples
    --------
    >>> empty_row = Milp([1.0], [[0.0]], [1], [2], [0], [1], [True])
    >>> prepare(empty_row).termination.value, prepare(empty_row).message
    ('infeasible', 'row row[0] has no coefficients but must lie in [1.0, 2.0]')
    """
    lower = np.where(milp.integer, np.ceil(milp.lower - 1e-9), milp.lower)
    upper = np.where(milp.integer, np.floor(milp.upper + 1e-9), milp.upper)
    crossed = lower > upper
    if crossed.any():
        name = milp.columns[int(np.argmax(crossed))]
        return Prepared(
            milp, None, Termination.INFEASIBLE, None, f"no whole number fits the bounds of {name}"
        )
    empty = np.diff(milp.A.indptr) == 0
    broken = empty & ((milp.row_lower > FEASIBILITY) | (milp.row_upper < -FEASIBILITY))
    if broken.any():
        i = int(np.argmax(broken))
        sides = f"[{milp.row_lower[i]}, {milp.row_upper[i]}]"
        message = f"row {milp.rows[i]} has no coefficients but must lie in {sides}"
        return Prepared(milp, None, Termination.INFEASIBLE, None, message)
    dropped = empty | (np.isneginf(milp.row_lower) & np.isposinf(milp.row_upper))
    rows = np.flatnonzero(~dropped) if dropped.any() else None
    if rows is not None or not np.array_equal(lower, milp.lower) or not np.array_equal(upper, milp.upper):
        keep = rows if rows is not None else np.arange(milp.n_rows)
        milp = Milp(
            milp.c,
            milp.A[keep],
            milp.row_lower[keep],
            milp.row_upper[keep],
            lower + 0.0,
            upper + 0.0,
            milp.integer,
            milp.offset,
            columns=milp.columns,
            implied=milp.implied,
        )
    if milp.n_rows == 0:
        return _by_bounds(milp, rows)
    return Prepared(milp, rows)


def _by_bounds(milp: Milp, rows: npt.NDArray[np.intp] | None) -> Prepared:
    """Without rows every variable sits at the bound its cost prefers, or as near to 0 as it can."""
    nearest = np.clip(0.0, milp.lower, milp.upper)
    x = np.where(milp.c > 0, milp.lower, np.where(milp.c < 0, milp.upper, nearest))
    away = ~np.isfinite(x)
    if away.any():
        name = milp.columns[int(np.argmax(away))]
        return Prepared(milp, rows, Termination.UNBOUNDED, nearest, f"nothing bounds column {name}")
    return Prepared(milp, rows, Termination.OPTIMAL, x, "decided without a solver: no rows are left")
