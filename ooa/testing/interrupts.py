"""Checks of Ctrl-C, each in a process of its own that sends itself the signal.

The models take hours and the solves have no limit, so that nothing but the signal ends them.
"""

from __future__ import annotations

from typing import Any

from ooa.solving import Backend, Capability

from .catalogue import needs
from .helpers import in_child
from .models import knapsack, market_split, market_split_start

_INTERRUPTED = """
milp, easy, isolate, delay, told = given
backend.import_solver()
begun = threading.Event() if told else None

def progress(moment):
    if moment.incumbent is not None:
        begun.set()

solving = lambda: backend.solve(milp, isolate=isolate, progress=progress if told else None)
solution = pressed(solving, delay, begun=begun)
again = backend.solve(easy).is_optimal
answer = solution if solution == "raised" else (solution.termination.value, solution.status.value), again
"""


def _assert_interrupted(backend: Backend, isolate: bool | None, delay: float) -> None:
    """The answer to Ctrl-C once a point was told of, or after a while; where there was none, a longer one."""
    outcome: Any = None
    told = Capability.PROGRESS in backend.capabilities
    for factor in (1, 5, 25):
        given = (market_split(), knapsack(), isolate, factor * (0.1 if told else delay), told)
        outcome, again = in_child(backend, _INTERRUPTED, given)
        assert again
        if outcome == ("interrupted", "feasible"):
            return
    raise AssertionError(f"after {factor * delay} seconds: {outcome}")


@needs(Capability.INTERRUPT)
def check_ctrl_c(backend: Backend) -> None:
    """Ctrl-C stops a hard solve, keeps its incumbent, and the backend solves the next model."""
    _assert_interrupted(backend, None, 1.0)


# Some solvers catch the signal themselves and forget it if it comes in their first milliseconds: the
# key is then pressed again, as anybody would.
_AT_ONCE = """
milp, start = given
backend.import_solver()
solutions = [pressed(lambda: backend.solve(milp, start=start), delay, 1.0) for delay in (0.005, 0.02, 0.05)]
answer = [s if s == "raised" else (s.termination.value, s.objective) for s in solutions]
"""


@needs(Capability.INTERRUPT)
def check_ctrl_c_at_once(backend: Backend) -> None:
    """Ctrl-C in the first moments of a solve is not lost, and neither is the start."""
    start = market_split_start()
    for outcome in in_child(backend, _AT_ONCE, (market_split(), start)):
        if outcome != "raised":  # it came when there was something to interrupt
            termination, objective = outcome
            assert termination == "interrupted"
            assert objective <= market_split().objective(start)


@needs(Capability.INTERRUPT)
def check_ctrl_c_when_isolated(backend: Backend) -> None:
    """Ctrl-C reaches the solver in a child process, whose incumbent comes back."""
    _assert_interrupted(backend, True, 2.5)


# As fast as people press. After each signal the handlers of some solvers are not in place for a moment, in
# which the next one ends the process.
_AGAIN = """
backend.import_solver()
solution = pressed(lambda: backend.solve(given), 0.5, 0.25)
answer = solution if solution == "raised" else solution.termination.value
"""


@needs(Capability.INTERRUPT)
def check_ctrl_c_again_and_again(backend: Backend) -> None:
    """Whoever presses Ctrl-C many times is out, by an answer or by KeyboardInterrupt."""
    assert in_child(backend, _AGAIN, market_split()) in ("raised", "interrupted")


_HANDLER = """
calls = []
signal.signal(signal.SIGINT, lambda *_: calls.append(1))
before = signal.getsignal(signal.SIGINT)
backend.solve(given)
same = signal.getsignal(signal.SIGINT) is before
os.kill(os.getpid(), signal.SIGINT)
time.sleep(0.05)
answer = (same, len(calls))
"""


def check_signal_handler_stays(backend: Backend) -> None:
    """The caller's own handler of Ctrl-C is in place after a solve."""
    same, calls = in_child(backend, _HANDLER, knapsack())
    assert same
    assert calls == 1


_STUBBORN = """
solution = pressed(lambda: backend.solve(given, isolate=True), 1.0)
answer = solution if solution == "raised" else solution.termination.value
"""


def check_ctrl_c_ends_an_isolated_solve(backend: Backend) -> None:
    """One Ctrl-C ends a solve in a child process, whether the solver can be interrupted or not."""
    assert in_child(backend, _STUBBORN, market_split()) == "interrupted"
