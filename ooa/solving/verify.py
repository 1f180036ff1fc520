"""Trust nothing: re-check a solver's point on the model's own arrays and label the answer accordingly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ooa.model.expressions import FloatArray
from ooa.model.milp import Milp

from .prepare import FEASIBILITY
from .solution import PointStatus, RawResult, Termination

#: An objective this close to the bound (relative to its size, at least 1) counts as proved optimal.
OPTIMALITY = 1e-6


@dataclass(frozen=True)
class Verified:
    """The part of a solution that verification decides."""

    termination: Termination
    status: PointStatus
    x: FloatArray | None
    objective: float | None
    bound: float | None
    claimed: float | None
    message: str


def verify(
    milp: Milp,
    raw: RawResult,
    known: Sequence[FloatArray | None],
    repair: Callable[[FloatArray], FloatArray | None],
) -> Verified:
    """Judge a raw result.

    Parameters
    ----------
    milp : the model as the caller gave it
    raw : what the adapter returned
    known : further points that may be better (streamed incumbents, the start)
    repair : finds the continuous part again once the integers of a point are rounded

    A claim of optimality survives only if the rounded point is feasible, no better point is known
    and the bound meets the recomputed objective; without a bound it stays a claim. A contradiction ends as
    `Termination.ERROR`, with the best feasible point and without the bound that is in doubt.
    """
    notes: list[str] = []
    x, objective = _own_point(milp, raw.x, repair, notes)
    for candidate in known:
        point = _feasible(milp, candidate) if candidate is not None and _fits(milp, candidate) else None
        if point is None:
            continue
        value = milp.objective(point)
        if objective is not None and value >= objective:
            continue
        beaten = objective is not None and value < objective - tolerance(objective)
        if beaten and raw.termination is Termination.OPTIMAL and not notes:
            notes.append(f"the solver calls {objective:.9g} optimal, but {value:.9g} is known")
        x, objective = point, value

    termination = raw.termination
    bound = None if raw.bound is None or not np.isfinite(raw.bound) else raw.bound + milp.offset
    if termination is Termination.OPTIMAL and raw.x is None:
        notes.append("the solver claims optimality without a point")
    if termination is Termination.OPTIMAL and notes:
        termination = Termination.ERROR
    claimed = None
    if termination is Termination.OPTIMAL and bound is None:
        termination, claimed = Termination.CLAIMED, objective
    if termination is Termination.INFEASIBLE and objective is not None:
        notes.append("the solver claims infeasibility, but a feasible point is known")
        termination, bound = Termination.ERROR, None
    if objective is not None and bound is not None and bound > objective + tolerance(objective):
        notes.append(f"the solver claims a bound of {bound:.9g} above a known objective of {objective:.9g}")
        termination, bound = Termination.ERROR, None

    status = PointStatus.NONE if objective is None else PointStatus.FEASIBLE
    if objective is not None and bound is not None:
        bound = min(bound, objective)
        if objective - bound <= tolerance(objective) and not notes:
            termination, status = Termination.OPTIMAL, PointStatus.OPTIMAL
    if status is not PointStatus.OPTIMAL and termination is Termination.OPTIMAL:
        termination = Termination.GAP_LIMIT
    return Verified(termination, status, x, objective, bound, claimed, "; ".join(notes))


def _own_point(
    milp: Milp,
    x: FloatArray | None,
    repair: Callable[[FloatArray], FloatArray | None],
    notes: list[str],
) -> tuple[FloatArray | None, float | None]:
    """The solver's own point, rounded; a rounded point that breaks a row is repaired or dropped."""
    if x is None:
        return None, None
    if not _fits(milp, x):
        notes.append(f"the solver's point has shape {x.shape} or values that are not finite")
        return None, None
    point = _feasible(milp, x)
    if point is None:
        rounded = _rounded(milp, x)
        amount, where = milp.worst(rounded, relative=True)
        point = repair(rounded)
        claimed = milp.objective(x)
        # A hair's breadth outside is no fault if the same integers give a point of the same value inside.
        if point is None or milp.objective(point) > claimed + tolerance(claimed):
            notes.append(f"the solver's point violates {where} by {amount:.6g} once integers are rounded")
    return (None, None) if point is None else (point, milp.objective(point))


def _fits(milp: Milp, x: FloatArray) -> bool:
    return x.shape == (milp.n_columns,) and bool(np.isfinite(x).all())


def _rounded(milp: Milp, x: FloatArray) -> FloatArray:
    rounded: FloatArray = np.clip(np.where(milp.integer, np.round(x), x), milp.lower, milp.upper)
    return rounded


def _feasible(milp: Milp, x: FloatArray) -> FloatArray | None:
    point = _rounded(milp, x)
    return point if milp.worst(point, relative=True)[0] <= FEASIBILITY else None


def tolerance(objective: float | None) -> float:
    """How far two objective values may be apart and still count as the same."""
    return OPTIMALITY * max(1.0, abs(objective or 0.0))
