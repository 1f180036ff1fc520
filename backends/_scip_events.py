"""Listening to a running SCIP: improved points and bounds by its events, its log by a file."""

from __future__ import annotations

import contextlib
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ooa.model import FloatArray
from ooa.solving import Monitor

#: SCIP's infinity.
INFINITY = 1e20
#: Seconds between two looks at the log file and at stop requests.
PAUSE = 0.05


class Listening:
    """What is done on SCIP's events: bounds and improved points are reported; nothing in it can raise."""

    events: Any = None
    variables: list[Any]
    scip: Any = None
    monitor: Any = None
    start: FloatArray | None = None
    start_used = False
    relative_gap = 0.0
    gap_closed = False
    failure: Exception | None = None

    def begin(self, scip: Any, start: FloatArray | None, relative_gap: float, monitor: Monitor) -> None:
        """Forget the last solve, and report the next one to a monitor."""
        self.scip, self.start, self.relative_gap, self.monitor = scip, start, relative_gap, monitor
        self.start_used, self.gap_closed, self.failure = False, False, None

    def end(self) -> None:
        """Let go of the model, which holds this handler: a cycle would keep both for long."""
        self.scip = self.start = self.monitor = None

    def eventinit(self) -> None:
        """Called by SCIP before it begins."""
        self.guarded(self.hook_in)

    def eventexec(self, event: Any) -> None:
        """Called by SCIP whenever something that was caught happens."""
        self.guarded(self.improved if event.getType() == self.events.BESTSOLFOUND else self.moved)

    def guarded(self, action: Callable[[], object]) -> None:
        """Keep an error for later, as it cannot be raised through SCIP."""
        if self.scip is None:  # events go on while a model is being freed
            return
        try:
            action()
        except Exception as error:
            self.failure = error
            self.scip.interruptSolve()

    def hook_in(self) -> None:
        """Ask for the events, and see whether the start was taken."""
        self.scip.catchEvent(self.events.BESTSOLFOUND, self)
        self.scip.catchEvent(self.events.DUALBOUNDIMPROVED, self)
        if self.scip.getNSols() > 0:  # SCIP has taken over what was given to it
            x = self.improved()
            self.start_used = self.start is not None and np.allclose(x, self.start, atol=1e-6)

    def improved(self) -> FloatArray:
        """Report a better point, and return it."""
        best = self.scip.getBestSol()
        x = values(best, self.variables)
        self.report(self.scip.getSolObjVal(best), x)
        return x

    def moved(self) -> None:
        """Report a better bound."""
        self.report(self.scip.getPrimalbound(), None)

    def report(self, value: float, x: FloatArray | None) -> None:
        """Pass on where the solve stands, and end it where its gap is small enough."""
        bound = self.scip.getDualbound()
        self.monitor.report(value, bound, self.scip.getNTotalNodes(), x)
        # SCIP's own gap is relative to the smaller of the two in size, and so closes later.
        known = abs(value) < INFINITY and abs(bound) < INFINITY
        if known and value - bound <= self.relative_gap * abs(value) and self.relative_gap > 0:
            self.gap_closed = True
            self.scip.interruptSolve()


def listen(model: Any, variables: list[Any]) -> Any:
    """SCIP's event handler on a model."""
    from pyscipopt import Eventhdlr
    from pyscipopt.scip import PY_SCIP_EVENTTYPE

    class Listener(Listening, Eventhdlr):
        events = PY_SCIP_EVENTTYPE

    listener = Listener()
    listener.variables = variables
    model.includeEventhdlr(listener, "ooa", "reports progress")
    listener.model = None
    return listener


@contextlib.contextmanager
def followed(model: Any, stop: threading.Event, monitor: Monitor) -> Iterator[None]:
    """Pass on the log of a running model, and stop requests to it.

    By a file, as its callback for output crashes without Python's lock. And again and again, as
    SCIP forgets a request that comes before it really runs.
    """
    with tempfile.TemporaryDirectory(prefix="ooa-", ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "scip.log"
        path.touch()
        model.setLogfile(str(path))
        ended = threading.Event()
        with open(path, encoding="utf-8", errors="replace") as log:

            def follow() -> None:
                while not ended.wait(PAUSE):
                    monitor.log(log.read())
                    if stop.is_set():
                        model.interruptSolve()

            thread = threading.Thread(target=follow, name="ooa-scip-log", daemon=True)
            thread.start()
            try:
                yield
            finally:
                ended.set()
                thread.join()
                model.setLogfile(None)
                monitor.log(log.read())


def values(solution: Any, variables: list[Any]) -> FloatArray:
    """A solution as numbers at once: SCIP's object dies with the next change of its model."""
    return np.array([solution[variable] for variable in variables], dtype=float)
