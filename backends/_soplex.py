"""SCIP's LP solver SoPlex through pyscipopt.LP: the reliable way to duals from SCIP."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ooa.errors import OptionError, SolverError
from ooa.model import FloatArray, Milp
from ooa.solving import Monitor, RawResult, SolveParams, Termination

if TYPE_CHECKING:
    import scipy.sparse as sp

#: `solve` holds Python's lock, so it is called for so many nonzeros times iterations at once.
WORK_PER_CALL = 50_000_000
#: Steepest-edge pricing with cheap first weights, which survives being called piecemeal.
STEEPEST_QUICK = 5
TOLERANCE = 1e-9
#: SCIP's own options that mean something to its LP solver alone.
OPTIONS = {
    "numerics/feastol": "FEASTOL",
    "numerics/dualfeastol": "DUALFEASTOL",
    "lp/refactorinterval": "REFACTOR",
    "lp/scaling": "SCALING",
    "randomization/lpseed": "RANDOMSEED",
}


class SoplexModel:
    """One loaded LP, its basis kept between solves."""

    def __init__(self, milp: Milp) -> None:
        from pyscipopt import LP

        self._lp = LP(milp.name)
        self._infinity = self._lp.infinity()  # 1e100: SCIP's own 1e20 would be a finite bound here
        self._lp.addCols(
            [()] * milp.n_columns, milp.c.tolist(), self._sides(milp.lower), self._sides(milp.upper)
        )
        self._size = milp.n_columns
        self.add_rows(milp.A, milp.row_lower, milp.row_upper)

    def add_rows(self, matrix: sp.csr_array, lower: FloatArray, upper: FloatArray) -> None:
        """Append rows."""
        self._lp.addRows(_entries(matrix), self._sides(lower), self._sides(upper))
        self._size += matrix.nnz + matrix.shape[0]

    def add_columns(
        self, cost: FloatArray, matrix: sp.csc_array, lower: FloatArray, upper: FloatArray
    ) -> None:
        """Append columns."""
        self._lp.addCols(_entries(matrix), cost.tolist(), self._sides(lower), self._sides(upper))
        self._size += matrix.nnz + matrix.shape[1]

    def change_bounds(self, lower: FloatArray, upper: FloatArray) -> None:
        """Set the bounds of all columns; there is a call for one column only, so the same are left out."""
        new = np.array([self._sides(lower), self._sides(upper)])
        changed = np.flatnonzero((new != np.array(self._lp.getBounds())).any(axis=0))
        for column, low, up in zip(changed.tolist(), *new[:, changed].tolist()):
            self._lp.chgBound(column, low, up)

    def run(
        self,
        params: SolveParams,
        options: Mapping[str, Any],
        stopped: Callable[[], bool],
        monitor: Monitor,
    ) -> RawResult:
        """Solve in pieces, between which other threads run and a stop is noticed.

        `options` are SCIP's own, names and values already checked.
        """
        from pyscipopt.scip import PY_SCIP_LPPARAM as PARAMETER

        lp = self._lp
        lp.setIntParam(PARAMETER.TIMING, 2)  # wall clock
        lp.setIntParam(PARAMETER.PRESOLVING, 0)  # at degenerate vertices it comes back with wrong duals
        lp.setIntParam(PARAMETER.PRICING, STEEPEST_QUICK)
        lp.setIntParam(PARAMETER.RANDOMSEED, params.seed)
        lp.setRealParam(PARAMETER.FEASTOL, TOLERANCE)
        lp.setRealParam(PARAMETER.DUALFEASTOL, TOLERANCE)
        self._set_own(options, monitor)
        deadline = params.changed(time_limit=options.get("limits/time", params.time_limit)).deadline()
        piece = max(100, WORK_PER_CALL // self._size)
        iterations, termination = 0, None
        while termination is None:
            left = deadline.left()
            if stopped():
                termination = Termination.INTERRUPTED
            elif left == 0.0:
                termination = Termination.TIME_LIMIT
            else:
                lp.setIntParam(PARAMETER.LPITLIM, piece)
                lp.setRealParam(PARAMETER.LPTILIM, self._infinity if left is None else left)
                termination = self._solve_piece()
                iterations += lp.getNIterations()
                monitor.log(f"SoPlex: {iterations} iterations\n")
                if termination is None and lp.getNIterations() == 0 and not deadline.passed():
                    termination = Termination.ERROR  # it is stuck
                piece += piece // 10  # restarts that do not get anywhere become rare
                time.sleep(0)  # lets another thread have Python's lock
        monitor.log(f"SoPlex: {termination.value}\n")
        return self._result(termination)

    def _solve_piece(self) -> Termination | None:
        """Some more iterations; `None` if the answer is still open."""
        lp = self._lp
        try:
            lp.solve()
        except Exception as error:
            raise SolverError(f"SoPlex failed: {error}") from error
        if lp.isOptimal():
            return Termination.OPTIMAL
        if lp.getDualRay() is not None:
            return Termination.INFEASIBLE
        if lp.getPrimalRay() is not None:
            return Termination.UNBOUNDED
        return None

    def _result(self, termination: Termination) -> RawResult:
        result = RawResult(termination, f"SoPlex: {termination.value}")
        if termination is Termination.OPTIMAL:
            result.x = np.array(self._lp.getPrimal())
            result.bound = self._lp.getObjVal()
            result.duals = np.array(self._lp.getDual())
            result.reduced_costs = np.array(self._lp.getRedcost())
        return result

    def _set_own(self, options: Mapping[str, Any], monitor: Monitor) -> None:
        from pyscipopt.scip import PY_SCIP_LPPARAM as PARAMETER

        for name, value in options.items():
            if name not in OPTIONS:
                if name != "limits/time":
                    monitor.log(f"SCIP's option {name} has no effect on an LP\n")
                continue
            put = self._lp.setRealParam if name.startswith("numerics/") else self._lp.setIntParam
            try:
                put(getattr(PARAMETER, OPTIONS[name]), value)
            except Exception as error:
                raise OptionError(f"SoPlex does not take {name} = {value!r}: {error}") from error

    def _sides(self, values: FloatArray) -> list[float]:
        sides: list[float] = np.clip(values, -self._infinity, self._infinity).tolist()
        return sides


def _entries(matrix: sp.csr_array | sp.csc_array) -> list[list[tuple[int, float]]]:
    """The (index, value) pairs of every row of a CSR matrix, of every column of a CSC matrix."""
    entries = list(zip(matrix.indices.tolist(), matrix.data.tolist()))
    return [entries[first:last] for first, last in pairwise(matrix.indptr.tolist())]
