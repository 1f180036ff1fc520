"""One model on one backend: everything around the solver's own run, done once for all adapters.

The way of a solve: settle what needs no solver, check and complete the start, run the adapter
(thread or child process) while passing on log, progress and Ctrl-C, then trust nothing: round,
re-check and re-count the point on the model's own arrays and label the answer accordingly.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType
from typing import Any

import numpy as np
import numpy.typing as npt

from ooa.errors import ModelError
from ooa.model.expressions import FloatArray, Rows
from ooa.model.milp import Milp

from .backend import Backend, Capability, SolveParams
from .follow import Watch, follow
from .prepare import FEASIBILITY, Prepared, prepare
from .runners import ChildRunner, ThreadRunner
from .solution import PointStatus, RawResult, Solution, StartStatus, Termination
from .verify import verify

#: Share of the time that completing a partial start may take.
COMPLETION_SHARE = 0.2


class Session:
    """An open model on a backend; use it as a context manager.

    Examples
    --------
    >>> from ooa.model import Model
    >>> from ooa.solving.registry import get_backend
    >>> m = Model()
    >>> x = m.add_continuous("x", 2, upper=1, cost=[-1, -1])
    >>> m.add_rows("first", x.sum() <= 1.5)
    >>> with get_backend("highs").open(m.freeze()) as session:
    ...     before = session.solve().objective
    ...     session.add_rows(x.sum() <= 1)
    ...     after = session.solve().objective
    >>> before, after
    (-1.5, -1.0)
    """

    def __init__(self, backend: Backend, milp: Milp) -> None:
        self.backend = backend
        self.milp = milp
        self._prepared: Prepared | None = None
        self._loaded = False

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Free the solver."""
        if self._loaded:
            self.backend.close()
        self._loaded = False

    def add_rows(self, rows: Rows, name: str | None = None) -> None:
        """Append rows to the model; a loaded LP keeps its basis where the solver can."""
        label = name if name is not None else f"added{len(self.milp.rows.blocks)}"
        old = self.milp.n_rows
        self.milp = self.milp.with_rows(rows, label)
        matrix, lower, upper = self.milp.A[old:], self.milp.row_lower[old:], self.milp.row_upper[old:]
        empty, free = np.diff(matrix.indptr) == 0, np.isneginf(lower) & np.isposinf(upper)
        if (empty | free).any():
            self._reload()  # the preparation takes them out again
        else:
            self._pass_on(Capability.ADD_ROWS, lambda: self.backend.add_rows(matrix, lower, upper))

    def add_columns(
        self,
        cost: npt.ArrayLike,
        matrix: Any,
        lower: npt.ArrayLike,
        upper: npt.ArrayLike,
        name: str | None = None,
    ) -> None:
        """Append continuous columns to the model; a loaded LP keeps its basis where the solver can.

        Parameters
        ----------
        cost, lower, upper : arrays of k numbers, or one number for all
        matrix : their coefficients in the rows there are now, n_rows x k, sparse or dense
        name : of the block; made up when not given

        Examples
        --------
        >>> from ooa.model import Model
        >>> from ooa.solving.registry import get_backend
        >>> m = Model()
        >>> x = m.add_continuous("x", 2, cost=[3, 4])
        >>> m.add_rows("need", x >= [2, 1])
        >>> with get_backend("highs").open(m.freeze()) as session:
        ...     before = session.solve()
        ...     price = 5 - before.duals.sum()  # of a column that meets both needs at a cost of 5
        ...     session.add_columns([5], [[1], [1]], lower=0, upper=np.inf)
        ...     after = session.solve()
        >>> before.objective, float(price), after.objective, after.x.tolist()
        (10.0, -2.0, 8.0, [1.0, 0.0, 1.0])
        """
        label = name if name is not None else f"added{len(self.milp.columns.blocks)}"
        new = slice(self.milp.n_columns, None)
        self.milp = milp = self.milp.with_columns(cost, matrix, lower, upper, label)
        self._pass_on(
            Capability.ADD_COLUMNS,
            lambda: self.backend.add_columns(
                milp.c[new], milp.A[:, new].tocsc(), milp.lower[new], milp.upper[new]
            ),
        )

    def change_bounds(self, lower: npt.ArrayLike, upper: npt.ArrayLike) -> None:
        """Change the bounds of the columns; a loaded LP keeps its basis where the solver can.

        Parameters
        ----------
        lower, upper : arrays with the bounds of all columns, changed or not

        Examples
        --------
        >>> from ooa.model import Model
        >>> from ooa.solving.registry import get_backend
        >>> m = Model()
        >>> x = m.add_continuous("x", 2, upper=1, cost=[-3, -2])
        >>> m.add_rows("weight", 2 * x[0] + x[1] <= 2)
        >>> with get_backend("highs").open(m.freeze()) as session:
        ...     relaxed = session.solve().objective
        ...     session.change_bounds([0, 0], [0, 1])  # the branch without x[0] ...
        ...     without = session.solve().objective
        ...     session.change_bounds([1, 0], [1, 1])  # ... and the one with it
        ...     with_it = session.solve().objective
        >>> relaxed, without, with_it
        (-3.5, -2.0, -3.0)
        """
        self.milp = milp = self.milp.replace(lower=lower, upper=upper)
        self._pass_on(Capability.CHANGE_BOUNDS, lambda: self.backend.change_bounds(milp.lower, milp.upper))

    def solve(
        self, start: npt.ArrayLike | None = None, params: SolveParams | None = None, **changes: Any
    ) -> Solution:
        """Solve the model as it is now; see `Backend.solve`."""
        began = time.monotonic()
        params = (params or SolveParams()).changed(**changes)
        if start is not None and np.shape(start) != (self.milp.n_columns,):
            raise ModelError(f"a start needs {self.milp.n_columns} values, got shape {np.shape(start)}")
        if self._prepared is None:
            self._prepared = prepare(self.milp)
        ready = self._prepared
        if ready.termination is not None:
            return self._decided(ready, began)
        self.backend.require(ready.milp)
        point, start_status, start_message = self._check_start(start, params, began)
        if _left(params, began) == 0.0:
            raw = RawResult(Termination.TIME_LIMIT, "no time left before the solver was called")
            return self._answer(raw, point, start_status, start_message, began, Watch(), params)
        watch = Watch()
        warm = self._loaded and not ready.milp.integer.any()
        raw = self._run(ready.milp, params, point, began, watch)
        if warm and raw.termination is Termination.ERROR and _left(params, began) != 0.0:
            raw = self._run(ready.milp, params, point, began, watch)  # loaded afresh, without the old basis
        if raw.termination in (Termination.UNBOUNDED, Termination.INFEASIBLE_OR_UNBOUNDED):
            raw = self._settle_unbounded(raw, point, params, began)
        if raw.start_used and start_status is StartStatus.NOT_USED:
            start_status = StartStatus.USED
        return self._answer(raw, point, start_status, start_message, began, watch, params)

    # -- changes -------------------------------------------------------------------------------

    def _pass_on(self, capability: Capability, change: Callable[[], None]) -> None:
        """Tell the solver of a change of the model, or have the model loaded afresh at the next solve."""
        warm = (
            self._loaded
            and capability in self.backend.capabilities
            and not self.milp.integer.any()
            and self._prepared is not None
            and self._prepared.rows is None
        )
        if not warm:
            self._reload()
            return
        try:
            change()
        except BaseException:
            self._reload()  # nobody knows which part of the change the solver has taken
            raise
        self._prepared = Prepared(self.milp, None)

    def _reload(self) -> None:
        self.close()
        self._prepared = None

    # -- the start -----------------------------------------------------------------------------

    def _check_start(
        self, start: npt.ArrayLike | None, params: SolveParams, began: float
    ) -> tuple[FloatArray | None, StartStatus, str]:
        if start is None:
            return None, StartStatus.NOT_GIVEN, ""
        point = np.array(start, dtype=np.float64)
        known = ~np.isnan(point)
        if not known.any():
            return None, StartStatus.REJECTED, "every value of the start is NaN"
        nearest = np.round(point)
        with np.errstate(invalid="ignore"):  # infinite values are rejected below, without a warning
            close = self.milp.integer & (np.abs(point - nearest) <= FEASIBILITY)
        point = np.where(close, nearest, point)
        if not known.all():
            completed = self._completed(point, known, params, began)
            if completed is None:
                return None, StartStatus.REJECTED, "the partial start could not be completed"
            point = completed
        amount, where = self.milp.worst(point, relative=True)
        if amount > FEASIBILITY:
            return None, StartStatus.REJECTED, f"the start violates {where} by {amount:.6g}"
        return point, StartStatus.NOT_USED, ""

    def _completed(
        self, point: FloatArray, known: npt.NDArray[np.bool_], params: SolveParams, began: float
    ) -> FloatArray | None:
        """Complete a partial start: cheap guesses first, then the model with the known values fixed.

        Solvers complete partial starts too, but some give that sub-solve a time limit of its own.
        """
        lower, upper, c = self.milp.lower, self.milp.upper, self.milp.c
        for guess in (np.where(c >= 0, lower, upper), np.clip(0.0, lower, upper)):
            filled = np.where(known, point, guess)
            if self.milp.worst(filled, relative=True)[0] <= FEASIBILITY:
                return filled
        if not (np.isfinite(point) | ~known).all():
            return None
        outside = known & ((point < lower - FEASIBILITY) | (point > upper + FEASIBILITY))
        if outside.any():
            return None
        value = np.clip(point, lower, upper)
        fixed = self.milp.replace(lower=np.where(known, value, lower), upper=np.where(known, value, upper))
        left = _left(params, began)
        limit = None if left is None else left * COMPLETION_SHARE
        sub = self.backend.solve(
            fixed, params=params.changed(time_limit=limit, log=None, progress=None, relative_gap=1.0)
        )
        return sub.x

    # -- the run -------------------------------------------------------------------------------

    def _run(
        self, milp: Milp, params: SolveParams, start: FloatArray | None, began: float, watch: Watch
    ) -> RawResult:
        handed = params.changed(time_limit=_left(params, began))
        runner: ThreadRunner | ChildRunner
        if self._isolated(params):
            runner = ChildRunner(self.backend, milp, handed, start)
        else:
            runner = ThreadRunner(self.backend, None if self._loaded else milp, handed, start)
            self._loaded = True
        try:
            raw = follow(runner, params, began, watch, milp.offset)
        except BaseException:
            self.close()  # whatever state the solver is in, the next solve starts afresh
            raise
        if raw.termination is Termination.ERROR:
            self.close()
        if raw.termination is Termination.OPTIMAL and raw.bound is None and params.relative_gap > 0:
            raw.termination = Termination.GAP_LIMIT  # optimal within the gap, and nobody says how near
        return raw

    def _isolated(self, params: SolveParams) -> bool:
        if params.isolate is not None:
            return params.isolate
        try:
            self.backend.import_solver()
        except ImportError:
            return True
        return False

    def _settle_unbounded(
        self, raw: RawResult, start: FloatArray | None, params: SolveParams, began: float
    ) -> RawResult:
        """Solvers' claims of unboundedness rest on a ray; only with a feasible point is it true."""
        if not self.milp.c.any():
            return RawResult(Termination.ERROR, f"{raw.raw_status}, although there are no costs")
        point = start
        if point is None and raw.x is not None and self.milp.worst(raw.x, relative=True)[0] <= FEASIBILITY:
            point = raw.x
        if point is None:
            probe = self.milp.replace(c=np.zeros(self.milp.n_columns), offset=0.0)
            limit = _left(params, began)
            sub = self.backend.solve(probe, params=params.changed(time_limit=limit, log=None, progress=None))
            if sub.termination is Termination.INFEASIBLE:
                return RawResult(Termination.INFEASIBLE, f"{raw.raw_status}; infeasible without objective")
            point = sub.x
        if point is None:
            return RawResult(Termination.INFEASIBLE_OR_UNBOUNDED, raw.raw_status)
        return RawResult(Termination.UNBOUNDED, raw.raw_status, x=point, nodes=raw.nodes)

    # -- the answer ----------------------------------------------------------------------------

    def _decided(self, ready: Prepared, began: float) -> Solution:
        assert ready.termination is not None
        found = ready.x is not None
        optimal = ready.termination is Termination.OPTIMAL
        objective = self.milp.objective(ready.x) if ready.x is not None else None
        lp = optimal and not self.milp.integer.any()
        return Solution(
            termination=ready.termination,
            status=PointStatus.OPTIMAL if optimal else PointStatus.FEASIBLE if found else PointStatus.NONE,
            x=ready.x,
            objective=objective,
            bound=objective if optimal else None,
            backend=self.backend.name,
            duals=np.zeros(self.milp.n_rows) if lp else None,
            reduced_costs=self.milp.c.copy() if lp else None,
            nodes=0,
            seconds=time.monotonic() - began,
            raw_status="not called",
            message=ready.message,
        )

    def _answer(
        self,
        raw: RawResult,
        start: FloatArray | None,
        start_status: StartStatus,
        start_message: str,
        began: float,
        watch: Watch,
        params: SolveParams,
    ) -> Solution:
        def repair(point: FloatArray) -> FloatArray | None:
            return self._repaired(point, params, began)

        verdict = verify(self.milp, raw, (watch.x, start), repair)
        lp = verdict.termination is Termination.OPTIMAL and not self.milp.integer.any()
        assert self._prepared is not None
        return Solution(
            termination=verdict.termination,
            status=verdict.status,
            x=verdict.x,
            objective=verdict.objective,
            bound=verdict.bound,
            backend=self.backend.name,
            version=self.backend.availability().version or "",
            start=start_status,
            start_message=start_message,
            duals=self._prepared.full_duals(raw.duals, self.milp.n_rows) if lp else None,
            reduced_costs=raw.reduced_costs if lp else None,
            nodes=raw.nodes,
            seconds=time.monotonic() - began,
            trace=tuple(watch.trace),
            raw_status=raw.raw_status,
            message=verdict.message,
            log="".join(watch.log),
        )

    def _repaired(self, point: FloatArray, params: SolveParams, began: float) -> FloatArray | None:
        """Keep the rounded integers and let an LP find the continuous part again."""
        whole = self.milp.integer
        if not whole.any() or whole.all():
            return None
        fixed = self.milp.replace(
            lower=np.where(whole, point, self.milp.lower),
            upper=np.where(whole, point, self.milp.upper),
            integer=np.zeros(self.milp.n_columns, dtype=bool),
        )
        left = _left(params, began)
        limit = 1.0 if left is None else max(left, 1.0)
        sub = self.backend.solve(fixed, params=params.changed(time_limit=limit, log=None, progress=None))
        if sub.x is None or self.milp.worst(sub.x, relative=True)[0] > FEASIBILITY:
            return None
        return sub.x


def _left(params: SolveParams, began: float) -> float | None:
    if params.time_limit is None:
        return None
    return max(0.0, params.time_limit - (time.monotonic() - began))
