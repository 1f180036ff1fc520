"""The backend contract: neutral parameters in, a verified two-part answer out.

An adapter implements `availability`, `version`, `load`, `run`, `interrupt` and `close`; everything
that is the same for all solvers (checking starts, threads, Ctrl-C, time, isolation, verification,
gaps) happens once, in `ooa.solving.session`.
"""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from ooa.errors import BackendUnavailable, LicenseLimit, OptionError
from ooa.model.expressions import FloatArray
from ooa.model.milp import Milp
from ooa.model.sparse import sp

from .params import SolveParams
from .solution import RawResult, Solution, Termination

__all__ = ["Availability", "Backend", "Capability", "Monitor", "SolveParams"]

if TYPE_CHECKING:
    from .session import Session


class Capability(str, Enum):
    """What a solver can do beyond solving one model in whole numbers; nothing else is asked of it."""

    CONTINUOUS = "continuous"  #: takes columns that are not integer; without it, `Milp.implied` ones only
    INTERRUPT = "interrupt"  #: stops soon after `Backend.interrupt`
    LOG = "log"  #: hands its log to the monitor
    ABSOLUTE_GAP = "absolute_gap"  #: honours an absolute gap; a relative one everybody does
    LP = "lp"  #: solves LPs and returns duals and reduced costs
    START = "start"  #: takes a complete starting point
    ADD_ROWS = "add_rows"  #: rows can be added to a loaded LP, which is then re-solved warm
    ADD_COLUMNS = "add_columns"  #: columns can be added to a loaded LP, likewise
    CHANGE_BOUNDS = "change_bounds"  #: the columns' bounds can be changed in a loaded LP, likewise
    PROGRESS = "progress"  #: reports incumbent and bound while it runs
    INCUMBENTS = "incumbents"  #: hands out improved points while it runs
    NODES = "nodes"  #: honours a node limit
    THREADS = "threads"  #: honours a thread count


@dataclass(frozen=True)
class Availability:
    """Whether a backend can be used here, found out without importing its solver.

    Parameters
    ----------
    ok : whether it can be used
    version : of the solver, or of its package where that can be had sooner
    reason : if it cannot be used, why, and what to install or do
    max_rows, max_columns : the largest model that the licence found admits; None for any

    Examples
    --------
    >>> Availability(False, reason="mysolver is not installed").ok
    False
    """

    ok: bool
    version: str | None = None
    reason: str = ""
    max_rows: int | None = None
    max_columns: int | None = None


class Monitor:
    """What a running adapter talks to: log lines, progress and improved points; it never raises.

    Parameters
    ----------
    emit : takes what is told, as a kind and a value; the library makes monitors, adapters only use them

    Examples
    --------
    >>> told = []
    >>> monitor = Monitor(lambda kind, value: told.append((kind, value)))
    >>> monitor.log("presolve: 3 rows\\n")
    >>> monitor.report(incumbent=7.0, bound=float("-inf"), nodes=1)
    >>> told
    [('log', 'presolve: 3 rows\\n'), ('progress', (7.0, None, 1, None))]
    """

    def __init__(self, emit: Callable[[str, Any], None]) -> None:
        self._emit = emit
        self._last: tuple[float | None, float | None] = (None, None)

    def log(self, text: str) -> None:
        """Pass on a piece of the solver's output: any number of lines, or a part of one, as they come.

        A line ends with its line break. The user's sink gets whole lines, in the caller's own thread, and
        all of it is kept in `Solution.log`.
        """
        if text:
            self._emit("log", text)

    def report(
        self,
        incumbent: float | None = None,
        bound: float | None = None,
        nodes: int | None = None,
        x: FloatArray | None = None,
    ) -> None:
        """Pass on progress; values without the model's offset, infinite ones count as unknown.

        Parameters
        ----------
        incumbent : the value of the best point so far
        bound : what no point is below
        nodes : searched so far
        x : an improved point, which is then not lost whatever becomes of the solver; its value is `incumbent`
        """
        values, point = (_finite(incumbent), _finite(bound)), _copied(x)
        if point is not None or values != self._last:  # some solvers call back thousands of times a second
            self._last = values
            self._emit("progress", (*values, nodes, point))


class Backend(ABC):
    """An adapter to one solver. An instance is cheap, holds no model and can be pickled.

    Subclasses set `name`, `package` (what to install) and `capabilities`.

    Attributes
    ----------
    name, package : what it is called, and what to install
    capabilities : what the solver can do
    time_limit_option : the solver's own name of its time limit in seconds, if it takes own options; the
        conformance suite then checks that they win over neutral ones, and are forgotten after the solve
    demands_isolation : whether it always runs in a child process, unless the caller says `isolate=False`: for
        solvers that crash, clash with other libraries, hold on to Python's lock or cannot be interrupted
    overdue : what is to be said of the last solve of this instance that did not stop when it should, and was
        given up; empty if there was none
    """

    name: ClassVar[str]
    package: ClassVar[str]
    capabilities: ClassVar[frozenset[Capability]] = frozenset()
    time_limit_option: ClassVar[str | None] = None
    demands_isolation: ClassVar[bool] = False
    overdue: str = ""

    # -- what an adapter implements ------------------------------------------------------------

    @classmethod
    @abstractmethod
    def availability(cls) -> Availability:
        """Look, without importing the solver or taking a licence, whether it can be used."""

    @abstractmethod
    def import_solver(self) -> None:
        """Import what the adapter needs; an ImportError here sends the solve to a child process."""

    @abstractmethod
    def version(self) -> str:
        """The solver's version; may import it."""

    @abstractmethod
    def load(self, milp: Milp) -> None:
        """Hand the model's arrays to the solver."""

    @abstractmethod
    def run(self, params: SolveParams, start: FloatArray | None, monitor: Monitor) -> RawResult:
        """Solve the loaded model; `params.time_limit` is what is left, `start` is feasible.

        Parameters
        ----------
        params : limits, seed, and what else was asked for
        start : a feasible point to start from, or None
        monitor : who is told of progress and log lines
        """

    @abstractmethod
    def interrupt(self) -> None:
        """Ask a running solve to stop soon; called from another thread, possibly more than once."""

    @abstractmethod
    def close(self) -> None:
        """Free the solver's memory; harmless when called twice."""

    def add_rows(self, matrix: sp.csr_array, lower: FloatArray, upper: FloatArray) -> None:
        """Add rows to the loaded LP (only with `Capability.ADD_ROWS`).

        Parameters
        ----------
        matrix : their coefficients, one row each
        lower, upper : their sides; infinite for none
        """
        raise OptionError(f"backend {self.name!r} cannot add rows to a loaded model")

    def add_columns(
        self, cost: FloatArray, matrix: sp.csc_array, lower: FloatArray, upper: FloatArray
    ) -> None:
        """Add continuous columns to the loaded LP (only with `Capability.ADD_COLUMNS`).

        Parameters
        ----------
        cost : their costs
        matrix : their coefficients in the rows there are
        lower, upper : their bounds
        """
        raise OptionError(f"backend {self.name!r} cannot add columns to a loaded model")

    def change_bounds(self, lower: FloatArray, upper: FloatArray) -> None:
        """Set the bounds of all columns of the loaded LP (only with `Capability.CHANGE_BOUNDS`).

        Parameters
        ----------
        lower, upper : new bounds, one of each per column
        """
        raise OptionError(f"backend {self.name!r} cannot change the bounds of a loaded model")

    def errs(self, claim: Termination) -> bool:
        """Whether the solver is known to be wrong at times when it ends with this claim.

        What it claims is then confirmed by another solver, or it proves nothing; see `SolveParams.confirm`.

        Parameters
        ----------
        claim : why it ended, or says that it did
        """
        return False

    def fresh(self) -> Backend:
        """A new, empty instance; override together with `__reduce__` if `__init__` takes arguments."""
        return type(self)()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), ()  # solver objects cannot be pickled, and need not be

    # -- what a caller uses --------------------------------------------------------------------

    def open(self, milp: Milp) -> Session:
        """Open a session on a model: solve it, add rows or columns, solve again, close."""
        from .session import Session

        return Session(self.fresh(), milp, self)

    def solve(
        self,
        milp: Milp,
        start: npt.ArrayLike | None = None,
        params: SolveParams | None = None,
        **changes: Any,
    ) -> Solution:
        """Solve a model.

        Parameters
        ----------
        milp : the model; `milp.relaxed()` for its LP relaxation
        start : a point to start from, NaN where unknown; checked and completed first
        params, **changes : a `SolveParams`, and / or single parameters by name

        Examples
        --------
        >>> from ooa.model import Model
        >>> from ooa.solving.registry import get_backend
        >>> m = Model()
        >>> x = m.add_binaries("x", 3, cost=[-3, -2, -2])
        >>> m.add_rows("knapsack", [[2, 1, 1]] @ x <= 2)
        >>> solution = get_backend("highs").solve(m.freeze(), time_limit=10)
        >>> solution.termination.value, solution.objective, solution.x.tolist()
        ('optimal', -4.0, [0.0, 1.0, 1.0])
        """
        with self.open(milp) as session:
            return session.solve(start, params, **changes)

    def require(self, milp: Milp | None = None) -> None:
        """Raise one clear sentence if the backend is missing or its licence too small for the model."""
        found = self.availability()
        if not found.ok:
            raise BackendUnavailable(
                f"backend {self.name!r} is not available: {found.reason}. {other_backends(self.name)}"
            )
        if milp is None:
            return
        for size, limit, what in (
            (milp.n_rows, found.max_rows, "rows"),
            (milp.n_columns, found.max_columns, "columns"),
        ):
            if limit is not None and size > limit:
                raise LicenseLimit(
                    f"the model has {size:,} {what}, but the licence found for {self.name!r} stops at "
                    f"{limit:,}. {other_backends(self.name)}"
                )

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


def other_backends(name: str) -> str:
    """A sentence that names the backends there are besides one."""
    from .registry import available_backends

    others = [other for other, found in available_backends().items() if found.ok and other != name]
    return f"Available backends: {', '.join(others)}" if others else "No other backend is available"


def _finite(value: Any) -> float | None:
    with contextlib.suppress(TypeError, ValueError):
        number = float(value)
        return number if abs(number) < 1e20 else None
    return None


def _copied(x: Any) -> FloatArray | None:
    """A point that stays as it is, or None if it is none: the solver may use its memory again."""
    with contextlib.suppress(TypeError, ValueError):
        return None if x is None else np.array(x, dtype=np.float64)
    return None
