"""Starting points: checked on the model's own arrays, and completed where values are missing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ooa.model.expressions import FloatArray

from .job import Job
from .prepare import FEASIBILITY
from .solution import StartStatus

#: Share of the time that completing a partial start may take.
COMPLETION_SHARE = 0.2


@dataclass(frozen=True)
class Start:
    """A start that has been checked: the point if it is feasible, and what is said about it."""

    point: FloatArray | None
    status: StartStatus
    message: str = ""


def checked_start(job: Job, start: npt.ArrayLike | None) -> Start:
    """Check a start, and complete it if some of its values are NaN."""
    if start is None:
        return Start(None, StartStatus.NOT_GIVEN)
    point = np.array(start, dtype=np.float64)
    known = ~np.isnan(point)
    if not known.any():
        return Start(None, StartStatus.REJECTED, "every value of the start is NaN")
    nearest = np.round(point)
    with np.errstate(invalid="ignore"):  # infinite values are rejected below, without a warning
        close = job.milp.integer & (np.abs(point - nearest) <= FEASIBILITY)
    point = np.where(close, nearest, point)
    if not known.all():
        completed = _completed(job, point, known)
        if completed is None:
            return Start(None, StartStatus.REJECTED, "the partial start could not be completed")
        point = completed
    amount, where = job.milp.worst(point, relative=True)
    if amount > FEASIBILITY:
        return Start(None, StartStatus.REJECTED, f"the start violates {where} by {amount:.6g}")
    return Start(point, StartStatus.NOT_USED)


def _completed(job: Job, point: FloatArray, known: npt.NDArray[np.bool_]) -> FloatArray | None:
    """Complete a partial start: cheap guesses first, then the model with the known values fixed.

    Solvers complete partial starts too, but some give that sub-solve a time limit of its own.
    """
    milp = job.milp
    lower, upper, c = milp.lower, milp.upper, milp.c
    for guess in (np.where(c >= 0, lower, upper), np.clip(0.0, lower, upper)):
        filled = np.where(known, point, guess)
        if milp.worst(filled, relative=True)[0] <= FEASIBILITY:
            return filled
    if not (np.isfinite(point) | ~known).all():
        return None
    outside = known & ((point < lower - FEASIBILITY) | (point > upper + FEASIBILITY))
    if outside.any():
        return None
    value = np.clip(point, lower, upper)
    fixed = milp.replace(lower=np.where(known, value, lower), upper=np.where(known, value, upper))
    left = job.deadline.left()
    limit = None if left is None else left * COMPLETION_SHARE
    return job.aside(fixed, limit, relative_gap=1.0, confirm=False).x
