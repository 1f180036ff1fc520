"""Where an adapter runs: in a fresh worker thread, or in a child process that may crash or hang.

Both put the same events into one queue, `("running", None)` once the model is loaded, `("log", text)`,
`("progress", ...)` and, once `result` is set, `("done", None)`, so that whoever follows a solve need not know
which one it is.
A fresh thread per solve also cures solvers that keep state per thread.
"""

from __future__ import annotations

import atexit
import contextlib
import pickle
import queue
import struct
import subprocess
import sys
import threading
from typing import IO, Any

from ooa.clock import CLOCK
from ooa.errors import SolverError
from ooa.model.expressions import FloatArray
from ooa.model.milp import Milp

from .backend import Backend, Monitor
from .params import SolveParams
from .solution import RawResult, Termination, well_formed

Events = queue.SimpleQueue[tuple[str, Any]]
#: Seconds that a thread has for its end when whoever follows it ends, and after which it is told again.
ENDING, TOLD_AGAIN = 5.0, 0.2
_at_work: set[ThreadRunner] = set()


class Overdue(SolverError):
    """A solver that did not stop when it should, and was given up."""


class ThreadRunner:
    """Runs an adapter, its model already loaded or to be loaded, in a new thread of this process."""

    def __init__(
        self, backend: Backend, milp: Milp | None, params: SolveParams, start: FloatArray | None
    ) -> None:
        self.events: Events = queue.SimpleQueue()
        self.result: RawResult | BaseException | None = None
        self.left = False
        self._backend = backend
        self._monitor = Monitor(self._tell)
        self._thread = threading.Thread(
            target=self._work, args=(milp, params, start), name=f"ooa-{backend.name}", daemon=True
        )
        self._thread.start()

    def _work(self, milp: Milp | None, params: SolveParams, start: FloatArray | None) -> None:
        _at_work.add(self)
        deadline = params.deadline()
        result: RawResult | BaseException
        try:
            self._backend.import_solver()
            if milp is not None:
                self._backend.load(milp)
            params = params.changed(time_limit=deadline.left())  # loading counts
            if params.time_limit == 0.0:
                result = RawResult(Termination.TIME_LIMIT, "no time left once the model was loaded")
            else:
                self._tell("running", None)
                run = self._backend.run(params, start, self._monitor)
                result = well_formed(run, self._backend.name)
        except BaseException as error:
            result = error
        self.result = result
        self.events.put(("done", None))  # wakes up whoever waits
        _at_work.discard(self)

    def _tell(self, kind: str, value: Any) -> None:
        if not self.left:
            self.events.put((kind, value))

    def interrupt(self) -> None:
        """Ask the solver to stop."""
        self._backend.interrupt()

    def hopeless(self, late: bool, stubborn: bool) -> bool:
        """Whether to give it up: only if time is over as well, for it would go on unseen."""
        return late and stubborn

    def end(self) -> None:
        """Leave the thread to itself, for it cannot be killed."""
        self.left = True
        words = f"{self._backend.name} did not stop when it should, and its thread was left to itself"
        self.result = self.result or Overdue(f"{words}; with isolate=True such a solver is ended")

    def stop(self) -> None:
        """Have the thread end, as whoever followed it does; one that does not listen is left to itself."""
        if self._thread.is_alive():
            _stop([self])
        if self._thread.is_alive():
            self.end()


def _stop(runners: list[ThreadRunner]) -> None:
    """Tell solvers to stop, again and again, until their threads have ended or time is over."""
    over = CLOCK.now() + ENDING
    while runners and CLOCK.now() < over:
        for one in runners:
            with contextlib.suppress(Exception):  # of an adapter's: this is no time to complain
                one.interrupt()
        runners[0]._thread.join(TOLD_AGAIN)
        runners = [one for one in runners if one._thread.is_alive()]


@atexit.register
def _stop_all() -> None:
    """Have all threads end before the interpreter does.

    A solver that calls back into an interpreter which is on its way out has its thread ended there and then,
    in the midst of C++, which takes that for a fault: the process would end with "terminate called without an
    active exception" instead of its own code.
    """
    _stop(list(_at_work))


class ChildRunner:
    """Runs an adapter in a child process; whatever happens there, this process lives on."""

    def __init__(self, backend: Backend, milp: Milp, params: SolveParams, start: FloatArray | None) -> None:
        self.events: Events = queue.SimpleQueue()
        self.result: RawResult | BaseException | None = None
        self.left = False
        self._name = backend.name
        self._sent = self._running = False
        self._process = subprocess.Popen(
            child_command("from ooa.solving.child import main; main()"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # the terminal's Ctrl-C goes to us alone; we pass it on
        )
        plain = params.changed(log=None, progress=None, isolate=False, clock=CLOCK)
        request = (backend, milp, plain, start, CLOCK.now())
        threading.Thread(target=self._talk, args=(request,), daemon=True).start()

    def _talk(self, request: Any) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            write_message(self._process.stdin, request)
            self._sent = True
            kind, value = read_message(self._process.stdout)
            while kind != "done":
                self._running |= kind == "running"
                self.events.put((kind, value))
                kind, value = read_message(self._process.stdout)
            self.result = value
        except (EOFError, OSError, pickle.UnpicklingError):
            code = self._process.wait()
            if self.left and not self._running:  # a process takes its time to begin, longer than some limits
                self.result = RawResult(Termination.TIME_LIMIT, "no time left once its process had begun")
            elif self.left:
                self.result = Overdue(f"{self._name} did not stop when it should, and was killed")
            else:
                self.result = SolverError(f"the process of {self._name} died (exit code {code})")
        except BaseException as error:  # e.g. a backend that cannot be pickled
            self.result = SolverError(f"the solve could not be sent to a child process: {error}")
        finally:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                with contextlib.suppress(OSError):  # unsent bytes for a child that is gone
                    pipe.close()
            self.events.put(("done", None))

    def interrupt(self) -> None:
        """Ask the child to stop its solver; one that has yet to read its model would have us wait."""
        if not self._sent:
            return
        try:
            assert self._process.stdin is not None
            self._process.stdin.write(b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError):  # it has just ended by itself
            pass

    def hopeless(self, late: bool, stubborn: bool) -> bool:
        """Whether to give it up: it was told its limit, or asked to stop."""
        return late or stubborn

    def end(self) -> None:
        """End the child at once."""
        self.left = True
        self._process.kill()

    def stop(self) -> None:
        """End the child, as whoever followed it does."""
        self.end()


def child_command(code: str) -> list[str]:
    """The command that runs code in another Python, which finds the same packages as this one does.

    Nothing is imported from the working directory, whatever lies there: `-m` and `-c` would look there first
    (and `-P`, which forbids it, is not there before Python 3.11).

    Examples
    --------
    >>> program, *rest = child_command("print(1)")
    >>> rest[0], rest[1].splitlines()[-1]
    ('-c', 'print(1)')
    """
    places = [str(place) for place in sys.path if place]
    return [sys.executable, "-c", f"import sys\nsys.path[:] = {places!r}\n{code}"]


def write_message(pipe: IO[bytes], message: Any) -> None:
    """Write one length-prefixed pickle."""
    data = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    pipe.write(struct.pack("<q", len(data)))
    pipe.write(data)
    pipe.flush()


def read_message(pipe: IO[bytes]) -> Any:
    """Read one length-prefixed pickle; `EOFError` when the other side is gone."""
    head = pipe.read(8)
    if len(head) < 8:
        raise EOFError
    size = struct.unpack("<q", head)[0]
    data = pipe.read(size)
    if len(data) < size:
        raise EOFError
    return pickle.loads(data)
