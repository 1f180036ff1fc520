"""Checks of the progress callback and of the trace that is kept."""

from __future__ import annotations

import math
import threading
import time

from ooa.solving import Backend, Capability, PointStatus, Progress, Termination

from .catalogue import needs
from .helpers import GRACE, assert_sound, raises
from .models import STEINER27, knapsack, market_split, steiner


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

    solution = backend.solve(steiner(27).replace(offset=offset), progress=progress, time_limit=20)
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

    solution = backend.solve(market_split(), progress=progress, time_limit=1.0)
    assert seen, "no incumbent was reported"
    assert solution.objective is not None
    assert solution.objective <= min(seen) + 1e-6


@needs(Capability.PROGRESS)
def check_progress_stops(backend: Backend) -> None:
    """Returning True stops the solve and keeps the incumbent."""
    began = time.monotonic()
    solution = backend.solve(market_split(), progress=lambda m: m.incumbent is not None, time_limit=20)
    assert time.monotonic() - began < 5.0 + GRACE
    assert_sound(market_split(), solution)
    assert solution.termination is Termination.INTERRUPTED, solution.raw_status
    assert solution.status is PointStatus.FEASIBLE


@needs(Capability.PROGRESS)
def check_progress_that_fails(backend: Backend) -> None:
    """An exception of the callback stops the solve and reaches the caller; the backend lives on."""

    def progress(moment: Progress) -> None:
        raise LookupError("no more, please")

    began = time.monotonic()
    with raises(LookupError, "no more, please"):
        backend.solve(market_split(), progress=progress, time_limit=20)
    assert time.monotonic() - began < 5.0 + GRACE
    assert backend.solve(knapsack()).is_optimal


@needs(Capability.PROGRESS)
def check_progress_when_isolated(backend: Backend) -> None:
    """Progress comes through from a child process, and stops it as well."""
    moments: list[Progress] = []

    def progress(moment: Progress) -> bool:
        moments.append(moment)
        return moment.incumbent is not None

    began = time.monotonic()
    solution = backend.solve(market_split(), progress=progress, time_limit=20, isolate=True)
    assert time.monotonic() - began < 8.0 + GRACE
    _assert_plausible(moments)
    assert solution.termination is Termination.INTERRUPTED, solution.raw_status
    assert solution.status is PointStatus.FEASIBLE


def check_progress_of_a_trivial_model(backend: Backend) -> None:
    """A model solved in no time may report nothing, but nothing wrong."""
    moments: list[Progress] = []
    solution = backend.solve(knapsack(), progress=moments.append)
    assert solution.is_optimal
    _assert_plausible(moments)
    _assert_plausible(solution.trace)
