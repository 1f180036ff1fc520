"""Adapters for the tests that break the contract, or are known to err: what they hand back is nonsense."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from ooa.model.expressions import FloatArray
from ooa.solving import Backend, Monitor, RawResult, SolveParams, Termination
from support.fake_backends import BruteForce


class Returns(BruteForce):
    """Hands back whatever it was made with, instead of a result."""

    def __init__(self, made: Any = None) -> None:
        super().__init__()
        self.made = made

    def fresh(self) -> Backend:
        return type(self)(self.made)

    def __reduce__(self) -> tuple[type, tuple[Any]]:
        return type(self), (self.made,)

    def run(self, params: SolveParams, start: FloatArray | None, monitor: Monitor) -> Any:
        return self.made


class ReportsNonsense(BruteForce):
    """Tells the monitor of points and values that are none, and uses its memory again."""

    def run(self, params: SolveParams, start: FloatArray | None, monitor: Monitor) -> RawResult:
        point = self.points()[-1].copy()
        monitor.report("much", object(), None, ["no", "numbers"])  # type: ignore[arg-type]
        monitor.report(-99.0, None, 1, np.ones(17))
        monitor.report(-98.0, None, 1, np.full(3, np.nan))
        monitor.report(float(self.model.c @ point) - 100, None, 1, point)
        point[:] = 7
        return RawResult(Termination.TIME_LIMIT, "time is up")


class TellsItsProcess(BruteForce):
    """Wants a process of its own, and says which one it is in."""

    demands_isolation = True

    def answer(self, best: FloatArray, start: FloatArray | None) -> RawResult:
        result = super().answer(best, start)
        result.raw_status = str(os.getpid())
        return result


class Errs(BruteForce):
    """Is known to err, although it does not."""

    name = "errs"

    def errs(self, claim: Termination) -> bool:
        return True


class ErrsWithWorst(Errs):
    """Is known to err, and calls the worst feasible point optimal."""

    def answer(self, best: FloatArray, start: FloatArray | None) -> RawResult:
        points = self.points()
        worst = points[np.argmax(points @ self.model.c)]
        return RawResult(Termination.OPTIMAL, "optimal", worst, float(self.model.c @ worst))


class ErrsWithNothing(Errs):
    """Is known to err, and calls every model infeasible."""

    def answer(self, best: FloatArray, start: FloatArray | None) -> RawResult:
        return RawResult(Termination.INFEASIBLE, "infeasible")


class ErrsAtLimit(Errs):
    """Is known to err, and stops at a limit with a bound that cuts the optimum off."""

    def answer(self, best: FloatArray, start: FloatArray | None) -> RawResult:
        points = self.points()
        worst = points[np.argmax(points @ self.model.c)]
        return RawResult(Termination.TIME_LIMIT, "time is up", worst, float(self.model.c @ best) + 1.0)


class ErrsWithinGap(Errs):
    """Is known to err, and ends within the gap, by a bound that is too high."""

    def answer(self, best: FloatArray, start: FloatArray | None) -> RawResult:
        points = self.points()
        worst = points[np.argmax(points @ self.model.c)]
        value = float(self.model.c @ worst)
        return RawResult(Termination.GAP_LIMIT, "gap reached", worst, value - 0.5)


class CallsStartOptimal(Errs):
    """Is known to err, and calls the start optimal."""

    def run(self, params: SolveParams, start: FloatArray | None, monitor: Monitor) -> RawResult:
        assert start is not None
        return RawResult(Termination.OPTIMAL, "optimal", start, float(self.model.c @ start))
