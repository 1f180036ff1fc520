"""SCIP through pyscipopt: MIPs by its Model, LPs by its LP solver."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ooa.errors import OptionError, SolverError
from ooa.model import FloatArray, Milp
from ooa.solving import (
    Availability,
    Backend,
    Capability,
    Monitor,
    RawResult,
    SolveParams,
    Termination,
    unknown_option,
)

from ._scip_events import INFINITY, followed, listen, values
from ._soplex import SoplexModel
from ._versions import PackageNotFoundError, installed_version

if TYPE_CHECKING:
    import scipy.sparse as sp

_TERMINATIONS = {
    "optimal": Termination.OPTIMAL,
    "gaplimit": Termination.GAP_LIMIT,
    "infeasible": Termination.INFEASIBLE,
    "unbounded": Termination.UNBOUNDED,
    "inforunbd": Termination.INFEASIBLE_OR_UNBOUNDED,
    "timelimit": Termination.TIME_LIMIT,
    "nodelimit": Termination.NODE_LIMIT,
    "totalnodelimit": Termination.NODE_LIMIT,
    "stallnodelimit": Termination.NODE_LIMIT,
    "sollimit": Termination.NODE_LIMIT,
    "bestsollimit": Termination.NODE_LIMIT,
    "restartlimit": Termination.NODE_LIMIT,
    "primallimit": Termination.GAP_LIMIT,
    "duallimit": Termination.GAP_LIMIT,
    "userinterrupt": Termination.INTERRUPTED,
    "terminate": Termination.INTERRUPTED,
}


class ScipBackend(Backend):
    """Adapter to SCIP: MIPs, LPs with duals, warm re-solves of LPs that were changed."""

    name = "scip"
    package = "pyscipopt"
    time_limit_option = "limits/time"
    #: Not THREADS: the package is built without a parallel SCIP.
    capabilities: ClassVar[frozenset[Capability]] = frozenset(Capability) - {Capability.THREADS}

    def __init__(self) -> None:
        self._lp: SoplexModel | None = None
        self._model: Any = None
        self._variables: list[Any] = []
        self._listener: Any = None
        self._stop = threading.Event()

    @classmethod
    def availability(cls) -> Availability:
        """Look for an installed pyscipopt."""
        try:
            return Availability(True, installed_version("pyscipopt"))
        except PackageNotFoundError:
            return Availability(False, reason="pyscipopt is not installed; run: pip install pyscipopt")

    def import_solver(self) -> None:
        """Import pyscipopt."""
        import pyscipopt  # noqa: F401

    def version(self) -> str:
        """Version of the SCIP library."""
        from pyscipopt import Model

        model = Model()
        return f"{model.getMajorVersion()}.{model.getMinorVersion()}.{model.getTechVersion()}"

    def load(self, milp: Milp) -> None:
        """Build SCIP's model row by row (there is no call that takes arrays), an LP in one go."""
        if not milp.integer.any():
            self._lp = SoplexModel(milp)
            return
        from pyscipopt import Expr, ExprCons, Model
        from pyscipopt.scip import Term

        model = Model(milp.name)
        model.hideOutput()
        binary = milp.integer & (milp.lower >= 0) & (milp.upper <= 1)
        kinds = np.where(binary, "B", np.where(milp.integer, "I", "C")).tolist()
        columns = zip(kinds, _sides(milp.lower), _sides(milp.upper), milp.c.tolist())
        self._variables = [model.addVar("", kind, low, up, cost) for kind, low, up, cost in columns]
        terms = [Term(variable) for variable in self._variables]
        used = [terms[j] for j in milp.A.indices.tolist()]
        data = milp.A.data.tolist()
        spans = pairwise(milp.A.indptr.tolist())
        for (first, last), low, up in zip(spans, _sides(milp.row_lower), _sides(milp.row_upper)):
            model.addCons(ExprCons(Expr(dict(zip(used[first:last], data[first:last]))), low, up))
        self._model = model
        self._listener = listen(model, self._variables)

    def add_rows(self, matrix: sp.csr_array, lower: FloatArray, upper: FloatArray) -> None:
        """Append rows to the loaded LP; its basis stays."""
        assert self._lp is not None
        self._lp.add_rows(matrix, lower, upper)

    def add_columns(
        self, cost: FloatArray, matrix: sp.csc_array, lower: FloatArray, upper: FloatArray
    ) -> None:
        """Append columns to the loaded LP; its basis stays."""
        assert self._lp is not None
        self._lp.add_columns(cost, matrix, lower, upper)

    def change_bounds(self, lower: FloatArray, upper: FloatArray) -> None:
        """Set all bounds of the loaded LP; its basis stays."""
        assert self._lp is not None
        self._lp.change_bounds(lower, upper)

    def run(self, params: SolveParams, start: FloatArray | None, monitor: Monitor) -> RawResult:
        """Set options (each one checked), start, run, read back."""
        try:
            if params.threads > 1:
                monitor.log(f"SCIP runs on one thread: threads = {params.threads} has no effect\n")
            if self._lp is None:
                return self._run_mip(params, start, monitor)
            options = _checked(params.options)
            return self._lp.run(params, options, self._stop.is_set, monitor)
        finally:
            self._stop.clear()  # only now: a request may come while the model is still being loaded

    def interrupt(self) -> None:
        """Noted at once; SCIP is told by the thread that follows its log, again and again."""
        self._stop.set()

    def close(self) -> None:
        """Let go of the model, which ends with its last user."""
        self._lp = self._model = self._listener = None
        self._variables = []

    def _run_mip(self, params: SolveParams, start: FloatArray | None, monitor: Monitor) -> RawResult:
        from pyscipopt.scip import PY_SCIP_STAGE as STAGE

        model, listener = self._model, self._listener
        if model.getStage() != STAGE.PROBLEM:
            model.freeTransform()  # editing a solved model crashes later
        self._configure(params)
        if start is not None:
            self._add_start(start)
        gap = params.relative_gap if "limits/gap" not in params.options else 0.0
        listener.begin(model, start, gap, monitor)
        try:
            with followed(model, self._stop, monitor):
                model.optimizeNogil()
        except Exception as error:
            raise SolverError(f"SCIP failed: {error}") from error
        finally:
            listener.end()
        if listener.failure is not None:
            raise listener.failure
        return self._result()

    def _configure(self, params: SolveParams) -> None:
        model = self._model
        model.resetParams()
        model.setParam("misc/catchctrlc", False)
        model.setParam("misc/transsolsorig", False)  # a later run shall not start from this one's points
        limit = INFINITY if params.time_limit is None else min(params.time_limit, INFINITY)
        model.setParam("limits/time", limit)
        model.setParam("limits/gap", params.relative_gap)
        model.setParam("limits/absgap", params.absolute_gap)
        model.setParam(
            "limits/totalnodes", -1 if params.node_limit is None else min(params.node_limit, 2**62)
        )
        # With it, SCIP 10 calls points optimal that are not: its presolve cuts the optimum off.
        model.setParam("constraints/linear/dualpresolving", False)
        # Its separators add to the seed and fail when that goes beyond 2**31.
        model.setParam("randomization/randomseedshift", params.seed % 2**30)
        for name, value in params.options.items():
            _set_own(model, name, value)

    def _add_start(self, start: FloatArray) -> None:
        model = self._model
        solution = model.createSol()
        for variable, value in zip(self._variables, start.tolist()):
            solution[variable] = value
        # addSol says yes to anything
        if model.checkSol(solution, printreason=False, original=True):
            model.addSol(solution)
        else:
            model.freeSol(solution)

    def _result(self) -> RawResult:
        model, listener = self._model, self._listener
        status = str(model.getStatus())
        if status == "userinterrupt" and listener.gap_closed:
            status = "gaplimit"
        termination = _TERMINATIONS.get(status, Termination.ERROR)
        result = RawResult(
            termination, status, nodes=int(model.getNTotalNodes()), start_used=listener.start_used
        )
        if termination in (Termination.UNBOUNDED, Termination.INFEASIBLE_OR_UNBOUNDED):
            return result  # it has "solutions" even so
        if model.getNSols() > 0:  # without one, values and objective read as 0
            result.x = values(model.getBestSol(), self._variables)
        bound = model.getDualbound()
        if abs(bound) < INFINITY:
            result.bound = bound
        return result


def _sides(values: FloatArray) -> list[float]:
    sides: list[float] = np.clip(values, -INFINITY, INFINITY).tolist()
    return sides


def _set_own(model: Any, name: str, value: Any) -> None:
    """One of the solver's own options, by its own name."""
    try:
        old = model.getParam(name)
        if value != value or (isinstance(old, int) and value != int(value)):
            raise ValueError("not a number it can take")  # SCIP would cut off or misread it
        model.setParam(name, value)
    except KeyError:
        raise unknown_option("SCIP", name, model.getParams()) from None
    except Exception as error:
        raise OptionError(f"SCIP does not take {name} = {value!r}: {error}") from error


def _checked(options: Mapping[str, Any]) -> dict[str, Any]:
    """The same options with SCIP's own types, tried out on an empty model."""
    from pyscipopt import Model

    if not options:
        return {}
    model = Model()
    for name, value in options.items():
        _set_own(model, name, value)
    return {name: model.getParam(name) for name in options}
