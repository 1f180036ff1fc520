"""HiGHS through highspy: the embedded default."""

from __future__ import annotations

import threading
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

from ._versions import PackageNotFoundError, installed_version

if TYPE_CHECKING:
    import scipy.sparse as sp

#: 1.14 returns wrong optima flagged "Optimal" on small models with continuous error variables.
OLDEST = (1, 15)


class HighsBackend(Backend):
    """Adapter to HiGHS: MIPs, LPs with duals, warm re-solves of LPs that were changed."""

    name = "highs"
    package = "highspy"
    time_limit_option = "time_limit"
    capabilities: ClassVar[frozenset[Capability]] = frozenset(Capability)

    def __init__(self) -> None:
        self._highs: Any = None
        self._mip = False
        self._stop = threading.Event()
        self._start_seen = False
        self._monitor = Monitor(lambda kind, value: None)

    @classmethod
    def availability(cls) -> Availability:
        """Look for an installed highspy that is new enough."""
        try:
            version = installed_version("highspy")
        except PackageNotFoundError:
            return Availability(False, reason="highspy is not installed; run: pip install 'highspy>=1.15'")
        if tuple(int(part) for part in version.split(".")[:2]) < OLDEST:
            installed_version.cache_clear()  # it may be replaced while this process runs
            reason = f"highspy {version} returns wrong optima; run: pip install 'highspy>=1.15'"
            return Availability(False, version, reason)
        return Availability(True, version)

    def import_solver(self) -> None:
        """Import highspy."""
        import highspy  # noqa: F401

    def version(self) -> str:
        """Version of the HiGHS library."""
        import highspy

        return str(highspy.Highs().version())

    def load(self, milp: Milp) -> None:
        """Pass the whole model as arrays in one call."""
        import highspy

        self._highs = highspy.Highs()
        self._set("output_flag", False)
        self._mip = bool(milp.integer.any())
        status = self._highs.passModel(
            milp.n_columns,
            milp.n_rows,
            milp.A.nnz,
            int(highspy.MatrixFormat.kRowwise),
            1,
            0.0,
            milp.c,
            milp.lower,
            milp.upper,
            milp.row_lower,
            milp.row_upper,
            milp.A.indptr,
            milp.A.indices,
            milp.A.data,
            milp.integer.astype(np.int32),
        )
        self._accept(status, "model")
        self._listen()

    def add_rows(self, matrix: sp.csr_array, lower: FloatArray, upper: FloatArray) -> None:
        """Append rows to the loaded LP; its basis stays."""
        status = self._highs.addRows(
            matrix.shape[0],
            np.ascontiguousarray(lower),
            np.ascontiguousarray(upper),
            *_entries(matrix),
        )
        self._accept(status, "added rows")

    def add_columns(
        self, cost: FloatArray, matrix: sp.csc_array, lower: FloatArray, upper: FloatArray
    ) -> None:
        """Append columns to the loaded LP; its basis stays."""
        status = self._highs.addCols(
            matrix.shape[1],
            np.ascontiguousarray(cost),
            np.ascontiguousarray(lower),
            np.ascontiguousarray(upper),
            *_entries(matrix),
        )
        self._accept(status, "added columns")

    def change_bounds(self, lower: FloatArray, upper: FloatArray) -> None:
        """Set all bounds of the loaded LP; its basis stays."""
        every = np.arange(len(lower), dtype=np.int32)
        status = self._highs.changeColsBounds(
            len(lower), every, np.ascontiguousarray(lower), np.ascontiguousarray(upper)
        )
        self._accept(status, "changed bounds")

    def run(self, params: SolveParams, start: FloatArray | None, monitor: Monitor) -> RawResult:
        """Set options (each one checked), start, run, read back."""
        import highspy

        highs = self._highs
        highs.resetOptions()  # or an option of the last solve would still hold in this one
        self._set("output_flag", True)
        self._set("log_to_console", False)
        # Its clock goes on from solve to solve of one model.
        spent, limit = highs.getRunTime(), params.time_limit
        self._set("time_limit", float("inf") if limit is None else spent + limit)
        self._set("mip_rel_gap", float(params.relative_gap))
        self._set("mip_abs_gap", float(params.absolute_gap))
        most = 2**31 - 1
        self._set("mip_max_nodes", most if params.node_limit is None else min(params.node_limit, most))
        self._set("threads", params.threads)
        self._set("random_seed", params.seed)
        for name, value in params.options.items():
            self._set_own(name, value)
        self._monitor = monitor
        self._start_seen = False
        if start is not None and self._mip:
            solution = highspy.HighsSolution()
            solution.col_value = np.ascontiguousarray(start)
            solution.value_valid = True
            highs.setSolution(solution)
        try:
            highs.run()
            return self._result()
        finally:
            self._stop.clear()  # only now: a request may come while the model is still being loaded

    def interrupt(self) -> None:
        """Looked at by the callbacks, which HiGHS calls between nodes and iterations."""
        self._stop.set()

    def close(self) -> None:
        """Free the model."""
        self._highs = None

    def _listen(self) -> None:
        """Subscribe once per model; exceptions in a callback would lose the incumbent, so none can occur."""

        def on_log(event: Any) -> None:
            if "MIP start solution is feasible" in event.message:
                self._start_seen = True
            self._monitor.log(event.message)

        def on_mip(event: Any) -> None:
            if self._stop.is_set():
                event.interrupt()
                return
            out = event.data_out
            self._monitor.report(out.mip_primal_bound, out.mip_dual_bound, int(out.mip_node_count))

        def on_iteration(event: Any) -> None:
            if self._stop.is_set():
                event.interrupt()

        def on_solution(event: Any) -> None:
            out = event.data_out
            x = np.array(out.mip_solution, dtype=float)
            self._monitor.report(out.objective_function_value, out.mip_dual_bound, int(out.mip_node_count), x)

        highs = self._highs
        highs.cbLogging.subscribe(on_log)
        highs.cbMipInterrupt.subscribe(on_mip)
        highs.cbSimplexInterrupt.subscribe(on_iteration)
        highs.cbIpmInterrupt.subscribe(on_iteration)
        highs.cbMipImprovingSolution.subscribe(on_solution)

    def _result(self) -> RawResult:
        import highspy

        highs, status = self._highs, highspy.HighsModelStatus
        model_status = highs.getModelStatus()
        info = highs.getInfo()
        raw = str(highs.modelStatusToString(model_status))
        termination = {
            status.kOptimal: Termination.OPTIMAL,
            status.kInfeasible: Termination.INFEASIBLE,
            status.kUnbounded: Termination.UNBOUNDED,
            status.kUnboundedOrInfeasible: Termination.INFEASIBLE_OR_UNBOUNDED,
            status.kTimeLimit: Termination.TIME_LIMIT,
            status.kSolutionLimit: Termination.NODE_LIMIT,
            status.kIterationLimit: Termination.NODE_LIMIT,
            status.kObjectiveTarget: Termination.GAP_LIMIT,
            status.kObjectiveBound: Termination.GAP_LIMIT,
            status.kInterrupt: Termination.INTERRUPTED,
            getattr(status, "kHighsInterrupt", None): Termination.INTERRUPTED,
        }.get(model_status, Termination.ERROR)
        feasible = info.primal_solution_status == 2 and termination is not Termination.INFEASIBLE
        solution = highs.getSolution()
        result = RawResult(termination, raw, start_used=self._start_seen)
        if feasible:
            result.x = np.array(solution.col_value, dtype=float)
        if self._mip:
            result.bound = info.mip_dual_bound
            result.nodes = max(0, int(info.mip_node_count))
        elif termination is Termination.OPTIMAL:
            result.bound = info.objective_function_value
            result.duals = np.array(solution.row_dual, dtype=float)
            result.reduced_costs = np.array(solution.col_dual, dtype=float)
        return result

    def _accept(self, status: Any, what: str) -> None:
        """Go on only if there was no error: HiGHS would use stale data and call the result optimal."""
        import highspy

        if status == highspy.HighsStatus.kError:
            raise SolverError(f"HiGHS refused the {what}")

    def _set(self, name: str, value: Any) -> None:
        import highspy

        # setOptionValue never raises: a refused value keeps the default, e.g. no time limit at all.
        if self._highs.setOptionValue(name, value) != highspy.HighsStatus.kOk:
            raise OptionError(f"HiGHS does not take {name} = {value!r}")

    def _set_own(self, name: str, value: Any) -> None:
        """One of the solver's own options, by its own name."""
        import highspy

        if self._highs.getOptionType(name)[0] != highspy.HighsStatus.kOk:
            known = [n for n in dir(highspy.HighsOptions()) if not n.startswith("_")]
            raise unknown_option("HiGHS", name, known)
        self._set(name, value)


def _entries(matrix: sp.csr_array | sp.csc_array) -> tuple[Any, ...]:
    """The entries of added rows or columns, as HiGHS is told them."""
    return matrix.nnz, matrix.indptr[:-1].astype(np.int32), matrix.indices.astype(np.int32), matrix.data
