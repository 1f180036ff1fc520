"""Gurobi through gurobipy: MIPs and LPs, under pip's size-limited licence or a full one."""

from __future__ import annotations

import contextlib
import math
import threading
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from ooa.errors import BackendUnavailable, OptionError, SolverError
from ooa.model import FloatArray, Milp
from ooa.solving import (
    Availability,
    Backend,
    Capability,
    Monitor,
    RawResult,
    SolveParams,
    Termination,
    other_backends,
    unknown_option,
)

from ._gurobi_licence import PIP_LIMIT, licence_found, too_large
from ._versions import PackageNotFoundError, installed_version

#: Gurobi's error codes for "no licence" and "the model is too large for the licence".
NO_LICENCE, TOO_LARGE = 10009, 10010
#: The largest number of threads Gurobi can be told.
MOST_THREADS = 1024


class GurobiBackend(Backend):
    """Adapter to Gurobi: MIPs, LPs with duals, warm re-solves of LPs that were changed."""

    name = "gurobi"
    package = "gurobipy"
    time_limit_option = "TimeLimit"
    capabilities: ClassVar[frozenset[Capability]] = frozenset(Capability)

    def __init__(self) -> None:
        self._model: Any = None
        self._x: Any = None
        self._mip = False
        self._owner = np.zeros(0, dtype=np.intp)  # the model's row behind each of Gurobi's
        self._stop = threading.Event()

    @classmethod
    def availability(cls) -> Availability:
        """Look for gurobipy and, in the places Gurobi documents, for a licence beyond pip's."""
        try:
            version = installed_version("gurobipy")
        except PackageNotFoundError:
            return Availability(False, reason="gurobipy is not installed; run: pip install gurobipy")
        limit = None if licence_found() else PIP_LIMIT
        return Availability(True, version, max_rows=limit, max_columns=limit)

    def import_solver(self) -> None:
        """Import gurobipy."""
        import gurobipy  # noqa: F401

    def version(self) -> str:
        """Version of the Gurobi library."""
        import gurobipy

        return ".".join(str(part) for part in gurobipy.gurobi.version())

    def load(self, milp: Milp) -> None:
        """Start an environment of our own and pass the model as arrays."""
        import gurobipy

        matrix, sense, right, self._owner = _one_sided(milp.A, milp.row_lower, milp.row_upper)
        if matrix.shape[0] > PIP_LIMIT and not licence_found():
            raise too_large()
        try:
            environment = gurobipy.Env(empty=True)
            environment.setParam("OutputFlag", 0)  # the licence's banner is printed at the start
            environment.start()
            self._model = gurobipy.Model(env=environment)
        except gurobipy.GurobiError as error:
            raise BackendUnavailable(
                f"Gurobi could not be started: {error}. {other_backends('gurobi')}"
            ) from error
        binary = milp.integer & (milp.lower >= 0) & (milp.upper <= 1)
        self._mip = bool(milp.integer.any())
        self._x = self._model.addMVar(
            milp.n_columns,
            lb=milp.lower,
            ub=milp.upper,
            obj=milp.c,
            vtype=np.where(binary, "B", np.where(milp.integer, "I", "C")),
        )
        self._model.addMConstr(matrix, self._x, sense, right)

    def add_rows(self, matrix: sp.csr_array, lower: FloatArray, upper: FloatArray) -> None:
        """Append rows to the loaded LP; its basis stays."""
        first = int(self._owner.max()) + 1
        split, sense, right, owner = _one_sided(matrix, lower, upper)
        self._model.addMConstr(split, self._x, sense, right)
        self._owner = np.concatenate([self._owner, owner + first])

    def add_columns(
        self, cost: FloatArray, matrix: sp.csc_array, lower: FloatArray, upper: FloatArray
    ) -> None:
        """Append columns to the loaded LP; its basis stays."""
        from gurobipy import Column, MVar

        model = self._model
        model.update()  # rows added since the last run are not there before
        rows = model.getConstrs()
        split = matrix.tocsr()[self._owner].tocsc()  # a two-sided row is two of Gurobi's
        for k, (first, last) in enumerate(pairwise(split.indptr.tolist())):
            own = [rows[i] for i in split.indices[first:last].tolist()]
            column = Column(split.data[first:last].tolist(), own)
            model.addVar(lb=lower[k], ub=upper[k], obj=cost[k], column=column)
        model.update()
        self._x = MVar.fromlist(model.getVars())

    def change_bounds(self, lower: FloatArray, upper: FloatArray) -> None:
        """Set all bounds of the loaded LP; its basis stays."""
        self._x.LB = lower
        self._x.UB = upper

    def run(self, params: SolveParams, start: FloatArray | None, monitor: Monitor) -> RawResult:
        """Set parameters (each one checked), start, run, read back."""
        import gurobipy

        self._configure(params)
        if self._mip:
            self._model.reset(1)  # points of an earlier run would pass as this run's start
            if start is not None:
                self._x.Start = start
        listener = _Listener(self._x, monitor, self._stop)
        try:
            self._model.optimize(listener)
        except gurobipy.GurobiError as error:
            if error.errno == TOO_LARGE:
                raise too_large() from error
            if error.errno == NO_LICENCE:
                raise BackendUnavailable(
                    f"Gurobi has no licence: {error}. {other_backends('gurobi')}"
                ) from error
            raise SolverError(f"Gurobi failed: {error}") from error
        finally:
            self._stop.clear()  # only now: a request may come while the model is still being loaded
        if listener.failure is not None:  # Gurobi itself ignores exceptions in callbacks
            raise listener.failure
        return self._result(listener.start_used)

    def interrupt(self) -> None:
        """Gurobi forgets a request that comes before it runs, so the callback looks as well."""
        self._stop.set()
        model = self._model
        if model is not None:
            model.terminate()

    def close(self) -> None:
        """Let go of model and environment, which end with their last user."""
        self._model = self._x = None

    def _configure(self, params: SolveParams) -> None:
        model = self._model
        model.Params.OutputFlag = 0  # silences the messages about the settings that follow
        model.resetParams()
        model.Params.OutputFlag = 0
        model.Params.LogToConsole = 0
        model.Params.TimeLimit = math.inf if params.time_limit is None else params.time_limit
        model.Params.MIPGap = params.relative_gap
        model.Params.MIPGapAbs = params.absolute_gap
        model.Params.NodeLimit = math.inf if params.node_limit is None else params.node_limit
        model.Params.Threads = min(params.threads, MOST_THREADS)
        model.Params.Seed = params.seed
        # The default of 1e-5 lets points through that break rows once their integers are rounded.
        model.Params.IntFeasTol = 1e-6
        for name, value in params.options.items():
            self._set_own(name, value)
        if "outputflag" not in (name.lower() for name in params.options):
            model.Params.OutputFlag = 1

    def _set_own(self, name: str, value: Any) -> None:
        """One of the solver's own parameters; Gurobi itself would take wildcards, NaN and half a thread."""
        import gurobipy

        known = {n.lower(): n for n in dir(gurobipy.GRB.Param) if not n.startswith("_")}
        if str(name).lower() not in known:
            raise unknown_option("Gurobi", name, known.values())
        own = known[name.lower()]
        kind = self._model.getParamInfo(own)[1]
        try:
            if kind is not str and (math.isnan(value) or (kind is int and value != int(value))):
                raise ValueError("not a number it can take")
            self._model.setParam(own, value)
        except (gurobipy.GurobiError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise OptionError(f"Gurobi does not take {name} = {value!r}: {error}") from error

    def _result(self, start_used: bool) -> RawResult:
        from gurobipy import GRB

        model = self._model
        termination = {
            GRB.OPTIMAL: Termination.OPTIMAL,
            GRB.INFEASIBLE: Termination.INFEASIBLE,
            GRB.INF_OR_UNBD: Termination.INFEASIBLE_OR_UNBOUNDED,
            GRB.UNBOUNDED: Termination.UNBOUNDED,
            GRB.CUTOFF: Termination.GAP_LIMIT,
            GRB.SUBOPTIMAL: Termination.GAP_LIMIT,
            GRB.USER_OBJ_LIMIT: Termination.GAP_LIMIT,
            GRB.ITERATION_LIMIT: Termination.NODE_LIMIT,
            GRB.NODE_LIMIT: Termination.NODE_LIMIT,
            GRB.SOLUTION_LIMIT: Termination.NODE_LIMIT,
            GRB.TIME_LIMIT: Termination.TIME_LIMIT,
            GRB.WORK_LIMIT: Termination.TIME_LIMIT,
            GRB.INTERRUPTED: Termination.INTERRUPTED,
        }.get(model.Status, Termination.ERROR)
        result = RawResult(termination, _status_name(model.Status), start_used=start_used)
        if self._mip:
            result.nodes = int(self._attribute("NodeCount") or 0)
        # An LP that was stopped has a point, but not a feasible one.
        found = model.SolCount > 0 and (self._mip or model.Status in (GRB.OPTIMAL, GRB.SUBOPTIMAL))
        objective = self._attribute("ObjVal") if found else None
        if objective is not None and not abs(objective) < 1e30:
            result.termination = Termination.UNBOUNDED  # "optimal" at minus infinity
        if result.termination in (Termination.UNBOUNDED, Termination.INFEASIBLE_OR_UNBOUNDED):
            return result
        if found:
            result.x = np.array(model.getAttr("X"), dtype=float)
        bound = self._attribute("ObjBound") if self._mip else objective
        if bound is not None and abs(bound) < 1e30:
            result.bound = float(bound)
        elif termination is Termination.OPTIMAL:
            result.termination = Termination.GAP_LIMIT  # within a gap so wide that it needs no bound
        if not self._mip and termination is Termination.OPTIMAL:
            self._add_duals(result)
        return result

    def _add_duals(self, result: RawResult) -> None:
        duals, reduced = self._attribute("Pi"), self._attribute("RC")
        if duals is not None and reduced is not None:
            # at most one half of a ranged row binds, so its dual is the sum of the two
            result.duals = np.bincount(self._owner, weights=duals).astype(float)
            result.reduced_costs = np.array(reduced, dtype=float)

    def _attribute(self, name: str) -> Any:
        """An attribute of the solved model, or `None` where Gurobi has none to give."""
        import gurobipy

        with contextlib.suppress(AttributeError, gurobipy.GurobiError):
            return self._model.getAttr(name)
        return None


class _Listener:
    """Gurobi's callback: log, progress, improved points, stop requests; it never raises."""

    def __init__(self, x: Any, monitor: Monitor, stop: threading.Event) -> None:
        self.start_used = False
        self.failure: Exception | None = None
        self._x = x
        self._monitor = monitor
        self._stop = stop
        self._best = math.inf

    def __call__(self, model: Any, where: int) -> None:
        try:
            if self._stop.is_set() or self.failure is not None:
                model.terminate()
            self._listen(model, where)
        except Exception as error:
            self.failure = error

    def _listen(self, model: Any, where: int) -> None:
        from gurobipy import GRB

        event = GRB.Callback
        if where == event.MESSAGE:
            text = model.cbGet(event.MSG_STRING)
            self.start_used = self.start_used or "Loaded user MIP start" in text
            self._monitor.log(text)
        elif where == event.MIPSOL:
            value = model.cbGet(event.MIPSOL_OBJ)
            if value < self._best:  # it is called for worse points, too
                self._best = value
                bound, nodes = model.cbGet(event.MIPSOL_OBJBND), int(model.cbGet(event.MIPSOL_NODCNT))
                x = np.array(model.cbGetSolution(self._x), dtype=float)
                self._monitor.report(value, bound, nodes, x)
        elif where == event.MIP:
            value = min(self._best, model.cbGet(event.MIP_OBJBST))
            self._monitor.report(value, model.cbGet(event.MIP_OBJBND), int(model.cbGet(event.MIP_NODCNT)))


def _one_sided(
    matrix: sp.csr_array, lower: FloatArray, upper: FloatArray
) -> tuple[sp.csr_array, npt.NDArray[np.str_], FloatArray, npt.NDArray[np.intp]]:
    """Rows with one side each: matrix, senses, right-hand sides, and the row each came from.

    Gurobi's own ranged row adds a column, which counts against the licence's limit.
    """
    below, above = np.isfinite(lower), np.isfinite(upper)
    sense = np.where(lower == upper, "=", np.where(below, ">", "<"))
    right = np.where(below, lower, upper)
    owner = np.arange(matrix.shape[0], dtype=np.intp)
    both = np.flatnonzero(below & above & (lower != upper))
    if not both.size:
        return matrix, sense, right, owner
    return (
        sp.vstack([matrix, matrix[both]], format="csr"),
        np.concatenate([sense, np.full(both.size, "<")]),
        np.concatenate([right, upper[both]]),
        np.concatenate([owner, both]),
    )


def _status_name(status: int) -> str:
    from gurobipy import GRB

    names = {getattr(GRB.Status, name): name for name in dir(GRB.Status) if name.isupper()}
    return names.get(status, f"status {status}")
