"""Follow a running solve: pass on its log and progress, obey Ctrl-C, keep the best point seen."""

from __future__ import annotations

import math
import queue
import signal
import threading
import traceback
from typing import Any

from ooa.clock import CLOCK
from ooa.errors import BackendUnavailable, OOAError, SolverError
from ooa.model.expressions import FloatArray

from .job import Job
from .runners import ChildRunner, Overdue, ThreadRunner
from .solution import Progress, RawResult, Termination

#: Seconds past its limit, and a share of that, after which a solver is told to stop: some look for such a
#: word in places where they do not look at the clock. It costs nothing: they hand over what they have.
TOLD, TOLD_SHARE = 0.1, 0.02
#: Seconds, ...
GRACE = 0.4
#: ... and a share of its limit, that such a solver then has for what it has found, before it is given up:
#: with what is left to be done, nothing takes longer than 1.2 times its limit and a second.
GRACE_SHARE = 0.08
#: Seconds at most for that, and for an isolated one after Ctrl-C.
STUBBORN = 5.0
#: Seconds after which a solver is asked to stop again: it may forget what came before it really ran.
AGAIN = 0.2
#: Seconds between two looks at the clock, as long as there is time left and after that.
PAUSE, SHORT_PAUSE = 0.2, 0.05


def follow(runner: ThreadRunner | ChildRunner, job: Job) -> RawResult:
    """Wait for the end of a run; user functions are called here, in the caller's own thread."""
    params, watch = job.params, job.watch
    interrupted = overdue = False
    limit = params.time_limit or 0.0
    patient, grace = TOLD + TOLD_SHARE * limit, min(GRACE + GRACE_SHARE * limit, STUBBORN)
    failure: Exception | None = None
    line = ""
    asked, told = -math.inf, math.inf
    while True:
        # The inner loop is inside the try: Python may raise KeyboardInterrupt at the end of any round.
        try:
            while runner.result is None or not runner.events.empty():
                now, past = CLOCK.now(), job.deadline.clock.now() - job.deadline.end
                overdue, late = past > patient, past > patient + grace
                if runner.hopeless(late, now > told + (grace if late else STUBBORN)):
                    runner.end()
                elif (interrupted or overdue or failure is not None) and now - asked > AGAIN:
                    asked, told = now, min(now, told)
                    runner.interrupt()
                kind, value = _next_event(runner, PAUSE if past < 0 else SHORT_PAUSE)
                if kind == "log":
                    watch.keep_log(value)
                    line = to_sink(params.log, line + value)
                elif kind == "progress":
                    moment, x = _moment(value, job)
                    news = watch.keep_progress(moment, x) and failure is None
                    if news and params.progress is not None and params.progress(moment) is True:
                        interrupted = True
            break
        except KeyboardInterrupt:
            if interrupted:
                runner.end()
                raise
            interrupted = watch.interrupted = True
        except Exception as error:  # the user's own function failed: stop the solver, then say so
            failure = error
    if line:
        to_sink(params.log, line + "\n")
    if failure is not None:
        raise failure
    result = runner.result
    if isinstance(result, RawResult):
        if interrupted and result.termination not in (Termination.OPTIMAL, Termination.INFEASIBLE):
            result.termination = Termination.INTERRUPTED
        elif result.termination is Termination.INTERRUPTED and overdue:
            result.termination = Termination.TIME_LIMIT  # it had to be told
        return result
    if isinstance(result, Overdue) and interrupted:
        return RawResult(Termination.INTERRUPTED, str(result))
    if isinstance(result, OOAError):
        raise result
    if isinstance(result, ImportError):
        raise BackendUnavailable(f"the solver could not be imported: {result}") from result
    watch.keep_log("".join(traceback.format_exception(result)))
    raise SolverError(f"{job.backend.name} failed: {type(result).__name__}: {result}") from result


def _next_event(runner: ThreadRunner | ChildRunner, seconds: float) -> tuple[str, Any]:
    """The next event, or nothing after so many seconds.

    A function of its own: a Ctrl-C that is raised at the `continue` of a handler escapes the `try` around it.
    """
    try:
        event = runner.events.get(timeout=seconds)
    except queue.Empty:
        event = "nothing", None
    _keep_ctrl_c()
    return event


def _keep_ctrl_c() -> None:
    """Have Ctrl-C handled as the caller has it, whatever handler a solver puts in its place while it runs.

    Gurobi's has the second Ctrl-C end the process at once, whatever was found. Python knows nothing of that
    handler, so that its own is put back by naming it again.
    """
    handler = signal.getsignal(signal.SIGINT)
    if handler is not None and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, handler)


def _moment(value: tuple[Any, ...], job: Job) -> tuple[Progress, FloatArray | None]:
    incumbent, bound, nodes, x = value
    incumbent, bound = (None if v is None else v + job.milp.offset for v in (incumbent, bound))
    return Progress(job.deadline.spent(), incumbent, bound, nodes), x


def to_sink(sink: Any, text: str) -> str:
    """Send whole lines to the sink; return the unfinished rest."""
    *lines, rest = text.split("\n")
    if sink is not None:
        for line in lines:
            if hasattr(sink, "write"):
                sink.write(line + "\n")
            elif hasattr(sink, "info"):
                sink.info("%s", line)
            else:
                sink(line)
    return rest
