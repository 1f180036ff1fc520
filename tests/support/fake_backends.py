"""Adapters for the tests: a small honest one by brute force, and others with one fault each."""

from __future__ import annotations

import os
import signal
import threading
import time
from typing import ClassVar

import numpy as np

from ooa.errors import OptionError
from ooa.model import Milp
from ooa.model.expressions import FloatArray
from ooa.solving import (
    Availability,
    Backend,
    Capability,
    Monitor,
    RawResult,
    SolveParams,
    Termination,
    get_backend,
)


class BruteForce(Backend):
    """Tries every integer point of a small box: honest, and the base of all the others."""

    name = "brute"
    package = "nothing"
    capabilities: ClassVar[frozenset[Capability]] = frozenset([Capability.START, Capability.CONTINUOUS])

    def __init__(self) -> None:
        self.milp: Milp | None = None
        self.stop = threading.Event()

    @classmethod
    def availability(cls) -> Availability:
        return Availability(True, "1.0")

    def import_solver(self) -> None:
        pass

    def version(self) -> str:
        return "1.0"

    def load(self, milp: Milp) -> None:
        self.milp = milp

    def run(self, params: SolveParams, start: FloatArray | None, monitor: Monitor) -> RawResult:
        if params.options:
            raise OptionError(f"brute force has no option {next(iter(params.options))!r}")
        points = self.points()
        if not len(points):
            return RawResult(Termination.INFEASIBLE, "none")
        best = points[np.argmin(points @ self.model.c)]
        return self.answer(best, start)

    def answer(self, best: FloatArray, start: FloatArray | None) -> RawResult:
        value = float(self.model.c @ best)
        return RawResult(Termination.OPTIMAL, "tried all", best, value, 0, start is not None)

    def interrupt(self) -> None:
        self.stop.set()

    def close(self) -> None:
        self.milp = None

    @property
    def model(self) -> Milp:
        assert self.milp is not None
        return self.milp

    def points(self) -> FloatArray:
        milp = self.model
        ranges = [np.arange(a, b + 1) for a, b in zip(milp.lower, milp.upper)]
        points = np.column_stack([grid.ravel() for grid in np.meshgrid(*ranges, indexing="ij")])
        activity = points @ milp.A.toarray().T
        return points[((activity >= milp.row_lower) & (activity <= milp.row_upper)).all(axis=1)]


class Violating(BruteForce):
    """Calls a point optimal that breaks a row."""

    def answer(self, best: FloatArray, start: FloatArray | None) -> RawResult:
        point = self.model.upper.copy()
        return RawResult(Termination.OPTIMAL, "optimal", point, float(self.model.c @ point))


class WorstIsBest(BruteForce):
    """Calls the worst feasible point optimal, without a bound."""

    def answer(self, best: FloatArray, start: FloatArray | None) -> RawResult:
        points = self.points()
        return RawResult(Termination.OPTIMAL, "optimal", points[np.argmax(points @ self.model.c)])


class BoundAbove(BruteForce):
    """Claims a bound above its own optimum."""

    def answer(self, best: FloatArray, start: FloatArray | None) -> RawResult:
        return RawResult(Termination.OPTIMAL, "optimal", best, float(self.model.c @ best) + 5.0)


class IncumbentIsOptimal(BruteForce):
    """Stops at a limit with the start and calls it optimal; its bound tells otherwise."""

    def answer(self, best: FloatArray, start: FloatArray | None) -> RawResult:
        return RawResult(Termination.OPTIMAL, "optimal", start, float(self.model.c @ best), start_used=True)


class IgnoresStart(BruteForce):
    """Takes no notice of the start and finds nothing within its limit."""

    def answer(self, best: FloatArray, start: FloatArray | None) -> RawResult:
        return RawResult(Termination.TIME_LIMIT, "time is up")


class AlmostWhole(BruteForce):
    """Returns integers as 0.9999991 and 0.0000009."""

    def answer(self, best: FloatArray, start: FloatArray | None) -> RawResult:
        point = np.where(best > 0, best - 9e-7, best + 9e-7)
        return RawResult(Termination.OPTIMAL, "optimal", point, float(self.model.c @ point))


class SaysInfeasible(BruteForce):
    """Calls everything infeasible."""

    def answer(self, best: FloatArray, start: FloatArray | None) -> RawResult:
        return RawResult(Termination.INFEASIBLE, "infeasible")


class SaysUnbounded(BruteForce):
    """Calls everything unbounded, even what has no costs."""

    def answer(self, best: FloatArray, start: FloatArray | None) -> RawResult:
        return RawResult(Termination.UNBOUNDED, "unbounded", best)


class RayOnly(BruteForce):
    """Calls a model with costs unbounded as soon as there is a ray; without costs it solves."""

    def run(self, params: SolveParams, start: FloatArray | None, monitor: Monitor) -> RawResult:
        if self.model.c.any():
            return RawResult(Termination.INFEASIBLE_OR_UNBOUNDED, "infeasible or unbounded")
        return super().run(params, start, monitor)


class NanPoint(BruteForce):
    """Returns NaN and calls it optimal."""

    def answer(self, best: FloatArray, start: FloatArray | None) -> RawResult:
        return RawResult(Termination.OPTIMAL, "optimal", np.full(len(best), np.nan), 0.0)


class WrongLength(BruteForce):
    """Returns one value too many."""

    def answer(self, best: FloatArray, start: FloatArray | None) -> RawResult:
        return RawResult(Termination.OPTIMAL, "optimal", np.append(best, 1.0), float(self.model.c @ best))


class OptimalWithoutPoint(BruteForce):
    """Claims an optimum but has none to show."""

    def answer(self, best: FloatArray, start: FloatArray | None) -> RawResult:
        return RawResult(Termination.OPTIMAL, "optimal", None, float(self.model.c @ best))


class ZeroObjectiveAtLimit(BruteForce):
    """At a limit without an incumbent, returns a vector of zeros all the same."""

    def answer(self, best: FloatArray, start: FloatArray | None) -> RawResult:
        return RawResult(Termination.TIME_LIMIT, "time is up", np.zeros(len(best)), -np.inf)


class FormsNothing(type(get_backend("highs"))):
    """HiGHS, but for models that form patterns, of which it makes nothing."""

    def load(self, milp):
        self.forms = "literal" in [name for name, *_ in milp.columns.blocks]
        super().load(milp)

    def run(self, params, start, monitor):
        if self.forms:
            return RawResult(Termination.TIME_LIMIT, "time is up")
        return super().run(params, start, monitor)


class WholeNumbersOnly(type(get_backend("highs"))):
    """HiGHS as a solver that knows nothing but whole numbers, and cannot be interrupted."""

    name = "whole"
    capabilities: ClassVar[frozenset[Capability]] = frozenset([Capability.START, Capability.NODES])

    def load(self, milp):
        assert milp.integer.all()
        super().load(milp)

    def interrupt(self):
        pass


class Raises(BruteForce):
    """Fails inside the solver."""

    def run(self, params: SolveParams, start: FloatArray | None, monitor: Monitor) -> RawResult:
        raise ZeroDivisionError("deep inside the solver")


class RaisesAfterIncumbent(BruteForce):
    """Fails after it has handed out an improved point."""

    def run(self, params: SolveParams, start: FloatArray | None, monitor: Monitor) -> RawResult:
        point = self.points()[0]
        monitor.report(float(self.model.c @ point), None, 3, point)
        raise ZeroDivisionError("deep inside the solver")


class UnpicklableError(BruteForce):
    """Fails with an exception that cannot be sent from one process to another."""

    def run(self, params: SolveParams, start: FloatArray | None, monitor: Monitor) -> RawResult:
        raise RuntimeError("the lock is", threading.Lock())


class FailsToLoad(BruteForce):
    """Fails to load a model the first time, and succeeds the second time."""

    tries = 0

    def load(self, milp: Milp) -> None:
        self.tries += 1
        if self.tries == 1:
            raise MemoryError("no room")
        super().load(milp)


class Crashes(BruteForce):
    """Takes its process down after handing out one point."""

    def run(self, params: SolveParams, start: FloatArray | None, monitor: Monitor) -> RawResult:
        point = self.points()[0]
        monitor.log("about to crash\n")
        monitor.report(float(self.model.c @ point), None, 0, point)
        time.sleep(0.1)
        os.kill(os.getpid(), signal.SIGSEGV)
        return RawResult(Termination.OPTIMAL, "never reached")


class Hangs(BruteForce):
    """Hands out one point, then neither stops nor listens."""

    def run(self, params: SolveParams, start: FloatArray | None, monitor: Monitor) -> RawResult:
        point = self.points()[0]
        monitor.report(float(self.model.c @ point), None, 0, point)
        time.sleep(120)
        return RawResult(Termination.OPTIMAL, "far too late")


class HangsTalking(BruteForce):
    """Never stops and never stops talking either."""

    def run(self, params: SolveParams, start: FloatArray | None, monitor: Monitor) -> RawResult:
        while True:
            monitor.log("still alive\n")
            time.sleep(0.01)


class Deaf(type(get_backend("highs"))):
    """HiGHS: says that it begins, solves, tells of what it found, then talks on and listens to nobody."""

    name = "deaf"
    over = threading.Event()  #: set when nobody needs it any more

    def run(self, params: SolveParams, start: FloatArray | None, monitor: Monitor) -> RawResult:
        monitor.log("begins\n")
        found = super().run(params.changed(time_limit=None), start, Monitor(lambda kind, value: None))
        monitor.report(None if found.x is None else float(self.c @ found.x), None, 0, found.x)
        while not self.over.wait(0.01):
            monitor.log("still alive\n")
        return found

    def load(self, milp: Milp) -> None:
        self.c = milp.c
        super().load(milp)

    def interrupt(self) -> None:
        pass


class DeafApart(Deaf):
    """The same, always in a process of its own."""

    demands_isolation = True


class PrintsEverywhere(type(get_backend("highs"))):
    """Writes to the standard descriptors as it pleases."""

    def run(self, params: SolveParams, start: FloatArray | None, monitor: Monitor) -> RawResult:
        os.write(1, b"noise\n" * 1000)
        os.write(2, b"noise\n" * 1000)
        return super().run(params, start, monitor)


class ClashesHere(BruteForce):
    """Cannot be imported into the process named in the environment, as with two solver libraries."""

    def import_solver(self) -> None:
        if os.environ.get("OOA_CLASH") == str(os.getpid()):
            raise ImportError("libsolver.so: undefined symbol")


class NeverImports(BruteForce):
    """Cannot be imported anywhere."""

    def import_solver(self) -> None:
        raise ImportError("libsolver.so: undefined symbol")


class StopsWhenTold(BruteForce):
    """Hands out one point, then knows no limit but stops when it is told to."""

    def run(self, params: SolveParams, start: FloatArray | None, monitor: Monitor) -> RawResult:
        point = self.points()[0]
        monitor.report(float(self.model.c @ point), None, 0, point)
        told = self.stop.wait(120)
        return RawResult(Termination.INTERRUPTED if told else Termination.OPTIMAL, "stopped", point)


class PressedWhileLoading(StopsWhenTold):
    """Ctrl-C comes while it loads, and it forgets interrupts that came before it ran, as solvers do."""

    def load(self, milp: Milp) -> None:
        time.sleep(1.0)
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.5)
        super().load(milp)

    def run(self, params: SolveParams, start: FloatArray | None, monitor: Monitor) -> RawResult:
        self.stop.clear()
        return super().run(params, start, monitor)


class Missing(BruteForce):
    """Is not installed."""

    name = "missing"

    @classmethod
    def availability(cls) -> Availability:
        return Availability(False, reason="missingpy is not installed; run: pip install missingpy")


class TinyLicence(BruteForce):
    """Has a licence for two columns and five rows."""

    name = "tiny"

    @classmethod
    def availability(cls) -> Availability:
        return Availability(True, "1.0", max_rows=5, max_columns=2)


class BrokenAvailability(BruteForce):
    """Fails when asked whether it is there."""

    @classmethod
    def availability(cls) -> Availability:
        raise OSError("the disk is gone")


class WithArgument(BruteForce):
    """An adapter whose constructor takes an argument."""

    def __init__(self, speed: int = 1) -> None:
        super().__init__()
        self.speed = speed

    def fresh(self) -> Backend:
        return WithArgument(self.speed)

    def __reduce__(self) -> tuple[type, tuple[int]]:
        return type(self), (self.speed,)

    def answer(self, best: FloatArray, start: FloatArray | None) -> RawResult:
        result = super().answer(best, start)
        result.raw_status = f"at speed {self.speed}"
        return result
