"""One model on one backend: everything around the solver's own run, done once for all adapters.

The way of a solve: settle what needs no solver, check and complete the start, run the adapter
(thread or child process) while passing on log, progress and Ctrl-C, then trust nothing: round,
re-check and re-count the point on the model's own arrays, have another solver confirm what this one
is known to be wrong about at times, and label the answer accordingly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import TracebackType
from typing import Any

import numpy as np
import numpy.typing as npt

from ooa.errors import ModelError, SolverError
from ooa.model.expressions import FloatArray, Rows
from ooa.model.milp import Milp

from .answers import answer, decided, settle_unbounded
from .backend import Backend, Capability, other_backends
from .confirm import settled
from .follow import follow
from .job import Job
from .params import SolveParams
from .prepare import Prepared, prepare
from .runners import ChildRunner, Overdue, ThreadRunner
from .solution import RawResult, Solution, Termination
from .starts import checked_start


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

    def __init__(self, backend: Backend, milp: Milp, opener: Backend | None = None) -> None:
        self.backend = backend
        self.milp = milp
        self._opener = opener or backend
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
        params = (params or SolveParams()).changed(**changes)
        deadline = params.deadline()
        if start is not None and np.shape(start) != (self.milp.n_columns,):
            raise ModelError(f"a start needs {self.milp.n_columns} values, got shape {np.shape(start)}")
        milp = self._taken()
        if self._prepared is None:
            self._prepared = prepare(milp)
        job = Job(self.backend, milp, self._prepared, params, deadline)
        if job.ready.termination is not None:
            return decided(job)
        self._require(job.ready.milp)
        given = checked_start(job, start)
        if deadline.passed():
            raw = RawResult(Termination.TIME_LIMIT, "no time left before the solver was called")
            return answer(job, raw, given)
        warm = self._loaded and not job.ready.milp.integer.any()
        raw, failure = self._run(job, given.point)
        if warm and raw.termination is Termination.ERROR and not deadline.passed():
            raw, failure = self._run(job, given.point)  # loaded afresh, without the old basis
        if raw.termination in (Termination.UNBOUNDED, Termination.INFEASIBLE_OR_UNBOUNDED):
            raw = settle_unbounded(job, raw, given)
        solution = answer(job, raw, given)
        if failure is None:
            return settled(job, solution)
        if solution.x is None:
            raise failure  # nothing is lost with it
        return replace(solution, message=str(failure))

    def _taken(self) -> Milp:
        """The model as the backend takes it: some know whole numbers only."""
        return self.milp if Capability.CONTINUOUS in self.backend.capabilities else self.milp.with_implied()

    def _require(self, milp: Milp) -> None:
        """Raise one clear sentence if the backend is not there, or not for a model like this."""
        self.backend.require(milp)
        if Capability.CONTINUOUS not in self.backend.capabilities and not milp.integer.all():
            name = milp.columns[int(np.argmin(milp.integer))]
            words = f"column {name} is continuous, and backend {self.backend.name!r} takes whole numbers only"
            raise ModelError(f"{words}. {other_backends(self.backend.name)}")

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

    # -- the run -------------------------------------------------------------------------------

    def _run(self, job: Job, start: FloatArray | None) -> tuple[RawResult, SolverError | None]:
        """What the solver handed back; or that it failed, and how."""
        milp, params = job.ready.milp, job.params
        handed = params.changed(time_limit=job.deadline.left())
        runner: ThreadRunner | ChildRunner
        if self._isolated(params):
            runner = ChildRunner(self.backend, milp, handed, start)
        else:
            runner = ThreadRunner(self.backend, None if self._loaded else milp, handed, start)
            self._loaded = True
        failure = None
        try:
            raw = follow(runner, job)
        except SolverError as error:
            ended = Termination.ERROR
            if isinstance(error, Overdue):
                ended, self._opener.overdue = Termination.TIME_LIMIT, str(error)
            raw, failure = RawResult(ended, str(error)), error
        except BaseException:
            runner.stop()  # it may be the end of the process, or an error of the user's once it had ended
            self._start_afresh(runner)
            raise
        if failure is not None or runner.left or raw.termination is Termination.ERROR:
            self._start_afresh(runner)
        if raw.termination is Termination.OPTIMAL and raw.bound is None and params.relative_gap > 0:
            raw.termination = Termination.GAP_LIMIT  # optimal within the gap, and nobody says how near
        return raw, failure

    def _start_afresh(self, runner: ThreadRunner | ChildRunner) -> None:
        """Have the next solve begin anew, whatever state this one left; one that still runs is left alone."""
        if runner.left:
            self.backend, self._loaded = self.backend.fresh(), False
        self.close()

    def _isolated(self, params: SolveParams) -> bool:
        if params.isolate is not None:
            return params.isolate
        if self.backend.demands_isolation:
            return True
        try:
            self.backend.import_solver()
        except ImportError:
            return True
        return False
