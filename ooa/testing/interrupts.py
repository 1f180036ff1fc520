"""Checks of Ctrl-C, each in a process of its own that sends itself the signal."""

from __future__ import annotations

from typing import Any

from ooa.solving import Backend

from .helpers import GRACE, in_child
from .models import knapsack, market_split, market_split_start

_INTERRUPTED = """
def press():
    os.kill(os.getpid(), signal.SIGINT)

milp, start, easy, isolate, delay = given
backend.import_solver()
timer = threading.Timer(delay, press)
timer.start()
began = time.monotonic()
solution = backend.solve(milp, start=start, time_limit=30, isolate=isolate)
seconds = time.monotonic() - began
again = backend.solve(easy).is_optimal
objective = None if solution.objective is None else float(solution.objective)
answer = (solution.termination.value, solution.status.value, objective, seconds, again)
"""


def _interrupted(
    backend: Backend, start: Any, isolate: bool | None, delay: float
) -> tuple[str, str, float | None, float, bool]:
    given = (market_split(), start, knapsack(), isolate, delay)
    answer: tuple[str, str, float | None, float, bool] = in_child(backend, _INTERRUPTED, given)
    return answer


def check_ctrl_c(backend: Backend) -> None:
    """Ctrl-C stops a hard solve soon, keeps its incumbent, and the backend solves the next model."""
    termination, status, objective, seconds, again = _interrupted(backend, None, None, 1.0)
    assert termination == "interrupted"
    assert status == "feasible"
    assert objective is not None
    assert seconds < 1.0 + 2 * GRACE, f"{seconds:.1f} s"
    assert again


# Some solvers catch the signal themselves and forget it if it comes in their first milliseconds: the
# key is then pressed again, as anybody would.
_AT_ONCE = """
def press(over, delay):
    while not over.wait(delay):
        os.kill(os.getpid(), signal.SIGINT)
        delay = 1.0

milp, start = given
backend.import_solver()
answer = []
for delay in (0.005, 0.02, 0.05):
    over = threading.Event()
    began = time.monotonic()
    try:
        threading.Thread(target=press, args=(over, delay), daemon=True).start()
        solution = backend.solve(milp, start=start, time_limit=30)
        outcome = solution.termination.value, solution.objective
    except KeyboardInterrupt:  # it came before there was anything to interrupt
        outcome = "raised", None
    over.set()
    answer.append((*outcome, time.monotonic() - began))
"""


def check_ctrl_c_at_once(backend: Backend) -> None:
    """Ctrl-C in the first moments of a solve is not lost, and neither is the start."""
    start = market_split_start()
    for outcome, objective, seconds in in_child(backend, _AT_ONCE, (market_split(), start)):
        assert outcome in ("interrupted", "raised")
        assert outcome == "raised" or objective <= market_split().objective(start)
        assert seconds < 2 * GRACE, f"{seconds:.1f} s"


def check_ctrl_c_when_isolated(backend: Backend) -> None:
    """Ctrl-C reaches the solver in a child process, whose incumbent comes back."""
    termination, status, _, seconds, again = _interrupted(backend, None, True, 2.5)
    assert termination == "interrupted"
    assert status == "feasible"
    assert seconds < 2.5 + 2 * GRACE, f"{seconds:.1f} s"
    assert again


_TWICE = """
over = threading.Event()

def press():
    time.sleep(0.5)
    while not over.wait(0.02):
        os.kill(os.getpid(), signal.SIGINT)

backend.import_solver()
outcome = None
began = time.monotonic()
presser = threading.Thread(target=press, daemon=True)
presser.start()
try:
    try:
        outcome = backend.solve(given, time_limit=30).termination.value
    except KeyboardInterrupt:
        outcome = "raised"
    over.set()
except KeyboardInterrupt:
    over.set()
while presser.is_alive():
    try:
        presser.join()
    except KeyboardInterrupt:
        pass
answer = (outcome or "raised", time.monotonic() - began)
"""


def check_ctrl_c_again_and_again(backend: Backend) -> None:
    """Whoever presses Ctrl-C many times is out at once, by an answer or by KeyboardInterrupt."""
    outcome, seconds = in_child(backend, _TWICE, market_split())
    assert outcome in ("raised", "interrupted")
    assert seconds < 0.5 + 2 * GRACE, f"{seconds:.1f} s"


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
