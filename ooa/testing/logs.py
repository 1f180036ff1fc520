"""Checks of the solver's log: silent, kept, or passed line by line to whom it may concern."""

from __future__ import annotations

import io
import logging
import threading

from ooa.solving import Backend, Capability

from .catalogue import needs
from .helpers import captured_output, raises
from .models import infeasible_mip, knapsack, small, steiner


def check_silent_by_default(backend: Backend) -> None:
    """Without a sink nothing is written, not even to the file descriptors behind Python's back."""
    with captured_output() as texts:
        for milp, _ in small(backend):
            backend.solve(milp)
        backend.solve(infeasible_mip())
    assert texts == ["", ""], texts


@needs(Capability.LOG)
def check_silent_with_a_sink(backend: Backend) -> None:
    """With a sink the log goes there and only there."""
    lines: list[str] = []
    with captured_output() as texts:
        backend.solve(steiner(9), log=lines.append)
    assert texts == ["", ""], texts
    assert lines


@needs(Capability.LOG)
def check_log_to_a_stream(backend: Backend) -> None:
    """A stream gets the log as text."""
    stream = io.StringIO()
    backend.solve(steiner(9), log=stream)
    assert stream.getvalue().strip()
    assert stream.getvalue().endswith("\n")


class _Collecting(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record."""
        self.records.append(record)


@needs(Capability.LOG)
def check_log_to_a_logger(backend: Backend) -> None:
    """A logger gets one record per line, at level INFO, whatever per cent signs it holds."""
    handler = _Collecting()
    logger = logging.getLogger(f"ooa.testing.{backend.name}")
    logger.setLevel(logging.INFO)
    logger.propagate = False
    logger.addHandler(handler)
    try:
        backend.solve(steiner(9), log=logger)
    finally:
        logger.removeHandler(handler)
    records = handler.records
    assert records
    assert all(record.levelno == logging.INFO for record in records)
    assert all("\n" not in record.getMessage() for record in records)


@needs(Capability.LOG)
def check_log_to_a_function(backend: Backend) -> None:
    """A function is called with one line at a time, in the caller's own thread."""
    lines: list[str] = []
    threads: set[int] = set()

    def sink(line: str) -> None:
        lines.append(line)
        threads.add(threading.get_ident())

    backend.solve(steiner(9), log=sink)
    assert lines
    assert all("\n" not in line for line in lines)
    assert threads == {threading.get_ident()}


@needs(Capability.LOG)
def check_log_is_kept(backend: Backend) -> None:
    """The log is in the solution, sink or not, and equal to what the sink got."""
    stream = io.StringIO()
    solution = backend.solve(steiner(9), log=stream)
    assert solution.log.strip() == stream.getvalue().strip()
    assert backend.solve(steiner(9)).log.strip()


@needs(Capability.LOG)
def check_log_when_isolated(backend: Backend) -> None:
    """The log comes through from a child process, which writes nothing else anywhere."""
    lines: list[str] = []
    with captured_output() as texts:
        backend.solve(steiner(9), log=lines.append, isolate=True)
    assert texts == ["", ""], texts
    assert any(line.strip() for line in lines)


@needs(Capability.LOG)
def check_failing_log_sink(backend: Backend) -> None:
    """An exception of the sink ends the solve and reaches the caller; the backend lives on."""

    def sink(line: str) -> None:
        raise LookupError("the sink is full")

    with raises(LookupError, "the sink is full"):
        backend.solve(steiner(27), log=sink, time_limit=20)
    assert backend.solve(knapsack()).is_optimal
