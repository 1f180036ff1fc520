"""What checks use instead of a stop-watch, for on a busy machine everything takes longer and is still right.

No check compares seconds. A hard model takes hours, so whatever ended was ended by something, and the answer
says by what: `alone` sees whether a solver keeps its limit when nobody else does, `watched` what an adapter
was told and what it said itself, before anybody put another label on it. Where a limit must be long enough
for something to be found, `patiently` tries longer ones.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from unittest import mock

from ooa.model import Milp
from ooa.model.expressions import FloatArray
from ooa.solving import Backend, Capability, Monitor, RawResult, Solution, SolveParams, Termination
from ooa.solving.runners import Overdue, ThreadRunner

#: Seconds after which what should have ended by itself is ended, and a check fails. No check waits so long
#: unless something is wrong.
PATIENCE = 60.0
#: A limit that only a solver reaches which does not listen: by then it should have been stopped otherwise.
FAR = 2 * PATIENCE


def alone(backend: Backend, milp: Milp, params: SolveParams, patience: float = PATIENCE) -> RawResult:
    """What a solver hands back if nobody but itself looks at the time.

    It is asked to stop only after so many seconds of patience, and then its answer says that it was.

    Examples
    --------
    >>> from ooa.solving.registry import get_backend
    >>> from .models import knapsack
    >>> alone(get_backend("highs"), knapsack(), SolveParams(time_limit=60)).termination.value
    'optimal'
    """
    solver = backend.fresh()
    taken = milp if Capability.CONTINUOUS in backend.capabilities else milp.with_implied()
    runner = ThreadRunner(solver, taken, params, None)
    guard = threading.Timer(patience, runner.interrupt)
    guard.daemon = True
    guard.start()
    try:
        while runner.events.get(timeout=FAR)[0] != "done":
            pass
    finally:
        guard.cancel()
        solver.close()
    result = runner.result
    if isinstance(result, RawResult):
        return result
    assert result is not None
    raise result


@dataclass
class AdapterRun:
    """One call of an adapter's `run`: what it was told, and what it said itself in the end."""

    params: SolveParams
    start: FloatArray | None
    termination: Termination | None = None


@contextlib.contextmanager
def watched(backend: Backend) -> Iterator[list[AdapterRun]]:
    """Collect the runs of a kind of adapter within this process, as they begin.

    Examples
    --------
    >>> from ooa.solving.registry import get_backend
    >>> from .models import knapsack
    >>> with watched(get_backend("highs")) as runs:
    ...     _ = get_backend("highs").solve(knapsack(), seed=7)
    >>> [(run.params.seed, run.termination.value) for run in runs]
    [(7, 'optimal')]
    """
    runs: list[AdapterRun] = []
    run = type(backend).run

    def noting(self: Backend, params: SolveParams, start: FloatArray | None, monitor: Monitor) -> RawResult:
        own = AdapterRun(params, start)
        runs.append(own)
        raw = run(self, params, start, monitor)
        own.termination = raw.termination
        return raw

    with mock.patch.object(type(backend), "run", noting):
        yield runs


def patiently(
    solve: Callable[[float], Solution], enough: Callable[[Solution], bool], first: float = 0.2
) -> Solution:
    """The solution under the first time limit, each five times the last, that was long enough here.

    Parameters
    ----------
    solve : with this time limit
    enough : whether it was long enough; the last solution is returned in any case
    first : the first limit, in seconds
    """
    for factor in (1.0, 5.0, 25.0):
        with contextlib.suppress(Overdue):  # given up, as it had not yet found anything to show
            solution = solve(factor * first)
            if enough(solution):
                return solution
    return solve(125.0 * first)


def eventually(condition: Callable[[], bool]) -> bool:
    """Whether a condition comes true, sooner or later."""
    for _ in range(int(PATIENCE / 0.1)):
        if condition():
            return True
        time.sleep(0.1)
    return condition()
