"""What the checks share: assertions on solutions, silence on file descriptors, child processes."""

from __future__ import annotations

import contextlib
import math
import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

import numpy as np

from ooa.model import Milp
from ooa.solving import Backend, PointStatus, Solution, Termination
from ooa.solving.runners import child_command

#: Two objective values this close (relative, at least absolute) are the same.
SAME = 1e-6


def same(a: float | None, b: float | None) -> bool:
    """Whether two objective values agree.

    Examples
    --------
    >>> same(5.0, 5.0000001), same(5.0, 5.1), same(None, 5.0)
    (True, False, False)
    """
    return a is not None and b is not None and abs(a - b) <= SAME * max(1.0, abs(a), abs(b))


def assert_sound(milp: Milp, solution: Solution) -> None:
    """Whatever a solver did, this holds: the parts of a solution do not contradict one another."""
    assert isinstance(solution.termination, Termination)
    if solution.x is None:
        assert solution.status is PointStatus.NONE
        assert solution.objective is None
        assert solution.gap == math.inf
    else:
        x = solution.x
        assert milp.worst(x, relative=True)[0] <= SAME, milp.worst(x, relative=True)
        assert np.array_equal(x[milp.integer], np.round(x[milp.integer])), "integers are not whole"
        assert same(solution.objective, milp.objective(x))
        assert solution.status is not PointStatus.NONE
    if solution.bound is not None:
        assert math.isfinite(solution.bound)
        if solution.objective is not None:
            assert solution.bound <= solution.objective + SAME * max(1.0, abs(solution.objective))
    if solution.termination is Termination.OPTIMAL:
        assert solution.status is PointStatus.OPTIMAL
    if solution.status is PointStatus.OPTIMAL:
        assert solution.termination is Termination.OPTIMAL
        assert same(solution.objective, solution.bound)
    if solution.termination in (Termination.INFEASIBLE, Termination.INFEASIBLE_OR_UNBOUNDED):
        assert solution.x is None
    assert solution.seconds >= 0.0


def assert_optimal(milp: Milp, solution: Solution, optimum: float) -> None:
    """The solution is sound, is called optimal, and has this objective."""
    assert_sound(milp, solution)
    what = f"{solution.termination.value}, objective {solution.objective}, expected {optimum}; "
    what += f"solver: {solution.raw_status}; {solution.message}"
    assert solution.termination is Termination.OPTIMAL, what
    assert same(solution.objective, optimum), what


def assert_honest(milp: Milp, solution: Solution, optimum: float) -> None:
    """The solution may have been stopped anywhere, but claims nothing that `optimum` contradicts."""
    assert_sound(milp, solution)
    slack = SAME * max(1.0, abs(optimum))
    assert solution.termination not in (Termination.INFEASIBLE, Termination.UNBOUNDED), solution
    assert solution.objective is None or solution.objective >= optimum - slack, "better than the optimum"
    assert solution.bound is None or solution.bound <= optimum + slack, "a bound above the optimum"
    if solution.is_optimal:
        assert same(solution.objective, optimum)


@contextlib.contextmanager
def raises(kind: type[BaseException], *words: str) -> Iterator[None]:
    """The block must raise this kind of exception, its message holding all the words.

    Examples
    --------
    >>> with raises(ValueError, "invalid literal"):
    ...     int("x")
    """
    message = None
    try:
        yield
    except kind as error:
        message = str(error)
    assert message is not None, f"no {kind.__name__} was raised"
    for word in words:
        assert word in message, f"{word!r} is not in the message {message!r}"


@contextlib.contextmanager
def captured_output() -> Iterator[list[str]]:
    """Collect what the process writes to file descriptors 1 and 2, solvers' own prints included."""
    texts: list[str] = []
    sys.stdout.flush()
    sys.stderr.flush()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        saved = os.dup(1), os.dup(2)
        os.dup2(out.fileno(), 1)
        os.dup2(err.fileno(), 2)
        try:
            yield texts
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            for descriptor, copy in zip((1, 2), saved):
                os.dup2(copy, descriptor)
                os.close(copy)
            for file in (out, err):
                file.seek(0)
                texts.append(file.read().decode(errors="replace"))


# A process started in the background ignores Ctrl-C, and so would its children.
_PROLOGUE = """\
import os, pickle, signal, sys, threading, time
signal.signal(signal.SIGINT, signal.default_int_handler)
backend, given = pickle.loads(sys.stdin.buffer.read())

def pressed(solve, delay, every=None, begun=None):
    # What solve() returns, or "raised" if KeyboardInterrupt came out of it. Ctrl-C comes so many seconds
    # after now, or after an event, and then every so many seconds as long as it is not over.
    over = threading.Event()

    def press():
        if begun is not None:
            begun.wait(60.0)
        waiting = delay
        while waiting is not None and not over.wait(waiting):
            os.kill(os.getpid(), signal.SIGINT)
            waiting = every

    presser, outcome = threading.Thread(target=press, daemon=True), "raised"
    try:
        presser.start()
        outcome = solve()
    except KeyboardInterrupt:
        pass
    while True:
        try:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # who presses from now on comes too late
            break
        except KeyboardInterrupt:
            pass
    over.set()
    if begun is not None:
        begun.set()
    presser.join()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    return outcome
"""


def in_child(backend: Backend, code: str, given: Any = None, timeout: float = 300.0) -> Any:
    """Run code in a new Python process, where `backend` and `given` are set; return its `answer`.

    The code can use `pressed`, see above.

    Examples
    --------
    >>> from ooa.solving.registry import get_backend
    >>> in_child(get_backend("highs"), "answer = backend.name + given", "!")
    'highs!'
    """
    handle, path = tempfile.mkstemp(suffix=".pickle")
    os.close(handle)
    # No clean-up at the end: after a second Ctrl-C a solver may still be running in its thread.
    epilogue = f"\nwith open({path!r}, 'wb') as file:\n    pickle.dump(answer, file)\nos._exit(0)\n"
    try:
        done = subprocess.run(
            child_command(_PROLOGUE + code + epilogue),
            input=pickle.dumps((backend, given)),
            capture_output=True,
            timeout=timeout,
        )
        assert done.returncode == 0, f"exit code {done.returncode}: {done.stderr.decode()[-2000:]}"
        with open(path, "rb") as file:
            return pickle.load(file)
    finally:
        os.unlink(path)
