"""The child process of an isolated solve, spoken to over its pipes.

Reads one pickled request, runs it, and writes events back. A byte on standard input asks for an
interrupt; end of input means that the parent is gone, and so this process goes too.
"""

from __future__ import annotations

import os
import pickle
import sys
import threading
from typing import IO, Any

from ooa.clock import CLOCK
from ooa.errors import SolverError

from .runners import ThreadRunner, read_message, write_message


def main() -> None:
    """Serve one solve."""
    # Solvers print to file descriptor 1 as they please: keep the real one for messages only.
    messages = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    requests = sys.stdin.buffer
    try:
        backend, milp, params, start, sent = read_message(requests)
    except Exception as error:  # most likely the adapter's module is not to be found
        words = f"the child process cannot read the solve ({type(error).__name__}: {error}); the adapter "
        words += "must be in a module that can be imported, and not from the working directory alone"
        write_message(messages, ("done", SolverError(words)))
        os._exit(1)
    if params.time_limit is not None:  # getting here counts, by the machine's clock, which both processes see
        spent = max(0.0, CLOCK.now() - sent)
        params = params.changed(time_limit=max(0.0, params.time_limit - spent))
    runner = ThreadRunner(backend, milp, params, start)
    threading.Thread(target=_listen, args=(requests, runner), daemon=True).start()
    kind, value = runner.events.get()
    while kind != "done":
        write_message(messages, (kind, value))
        kind, value = runner.events.get()
    write_message(messages, (kind, _picklable(runner.result)))
    os._exit(0)  # no clean-up: some solvers' libraries crash on theirs


def _picklable(result: Any) -> Any:
    try:
        pickle.dumps(result)
    except Exception:
        return SolverError(f"{type(result).__name__}: {result}")
    return result


def _listen(requests: IO[bytes], runner: ThreadRunner) -> None:
    while requests.read(1):
        runner.interrupt()
    os._exit(1)
