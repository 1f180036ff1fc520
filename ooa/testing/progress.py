"""Checks of the progress callback and of the trace that is kept."""

from __future__ import annotations

import math
import threading

from ooa.solving import Backend, Capability, PointStatus, Progress, Termination

from .catalogue import needs
from .helpers import assert_sound, in_child, raises
from .models import STEINER27, knapsack, market_split, steiner
from .patience import FAR, patiently, watched


def _assert_plausible(moments: list[Progress] | tuple[Progress, ...]) -> None:
    for moment in moments:
        assert isinstance(moment, Progress)
        for value in (moment.incumbent, moment.bound):
            assert value is None or math.isfinite(value)
            assert value is None or abs(value) < 1e20
        assert moment.nodes is None or (isinstance(moment.nodes, int) and moment.nodes >= 0)
    seconds = [moment.seconds for moment in moments]
    assert seconds == sorted(seconds)


@needs(Capability.PROGRESS)
def check_progress_values(backend: Backend) -> None:
    """Progress comes in order, in the caller's own thread; offset included, never past the optimum."""
    moments: list[Progress] = []
    threads: set[int] = set()
    offset = 1000.0

    def progress(moment: Progress) -> None:
        moments.append(moment)
        threads.add(threading.get_ident())

    solution = backend.solve(steiner(27).replace(offset=offset), progress=progress, time_limit=FAR)
    assert moments, "no progress was reported"
    _assert_plausible(moments)
    assert threads == {threading.get_ident()}
    assert solution.trace == tuple(moments)
    incumbents = [m.incumbent for m in moments if m.incumbent is not None]
    bounds = [m.bound for m in moments if m.bound is not None]
    assert all(value >= offset + STEINER27 - 1e-6 for value in incumbents), incumbents
    assert all(value <= offset + STEINER27 + 1e-6 for value in bounds), bounds


@needs(Capability.PROGRESS)
def check_progress_on_a_hard_model(backend: Backend) -> None:
    """A running solve shows an incumbent before it ends."""
    seen: list[float] = []

    def progress(moment: Progress) -> None:
        if moment.incumbent is not None:
            seen.append(moment.incumbent)

    solution = patiently(
        lambda limit: backend.solve(market_split(), progress=progress, time_limit=limit), lambda _: bool(seen)
    )
    assert seen, "no incumbent was reported"
    assert solution.objective is not None
    assert solution.objective <= min(seen) + 1e-6


@needs(Capability.PROGRESS, Capability.INTERRUPT)
def check_progress_stops(backend: Backend) -> None:
    """Returning True stops the solve and keeps the incumbent."""
    with watched(backend) as runs:
        solution = backend.solve(market_split(), progress=lambda m: m.incumbent is not None, time_limit=FAR)
    assert [run.termination for run in runs] == [Termination.INTERRUPTED], "the solver did not listen"
    assert_sound(market_split(), solution)
    assert solution.termination is Termination.INTERRUPTED, solution.raw_status
    assert solution.status is PointStatus.FEASIBLE


@needs(Capability.PROGRESS, Capability.INTERRUPT)
def check_progress_that_fails(backend: Backend) -> None:
    """An exception of the callback stops the solve and reaches the caller; the backend lives on."""

    def progress(moment: Progress) -> None:
        raise LookupError("no more, please")

    with watched(backend) as runs, raises(LookupError, "no more, please"):
        backend.solve(market_split(), progress=progress, time_limit=FAR)
    assert [run.termination for run in runs] == [Termination.INTERRUPTED], "the solver did not listen"
    assert backend.solve(knapsack()).is_optimal


# Without a limit: nothing but the function ends it.
_ISOLATED = """
moments = []

def progress(moment):
    moments.append(moment)
    return moment.incumbent is not None

solution = backend.solve(given, progress=progress, isolate=True)
answer = solution.termination, solution.status, moments
"""


@needs(Capability.PROGRESS)
def check_progress_when_isolated(backend: Backend) -> None:
    """Progress comes through from a child process, and stops it as well."""
    termination, status, moments = in_child(backend, _ISOLATED, market_split())
    _assert_plausible(moments)
    assert termination is Termination.INTERRUPTED
    assert status is PointStatus.FEASIBLE


def check_progress_of_a_trivial_model(backend: Backend) -> None:
    """A model solved in no time may report nothing, but nothing wrong."""
    moments: list[Progress] = []
    solution = backend.solve(knapsack(), progress=moments.append)
    assert solution.is_optimal
    _assert_plausible(moments)
    _assert_plausible(solution.trace)
