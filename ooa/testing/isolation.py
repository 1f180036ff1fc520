"""Checks of solves in a child process: the same answers, errors and limits as in this one."""

from __future__ import annotations

import threading

import numpy as np

from ooa.solving import Backend, Capability, PointStatus, StartStatus, Termination

from .catalogue import needs
from .enumeration import assert_lp_optimal
from .helpers import assert_optimal, assert_sound
from .models import infeasible_mip, knapsack, market_split, market_split_start, small_lp
from .patience import patiently


def check_isolated_optimum(backend: Backend) -> None:
    """The answer of a child process is the answer of this one."""
    here, there = (backend.solve(knapsack(7.0), isolate=isolate) for isolate in (False, True))
    assert_optimal(knapsack(7.0), there, 3.0)
    assert here.x is not None
    assert there.x is not None
    assert np.array_equal(here.x, there.x)
    assert (here.backend, here.version) == (there.backend, there.version)


def check_isolated_infeasibility(backend: Backend) -> None:
    """Infeasibility comes through."""
    assert backend.solve(infeasible_mip(), isolate=True).termination is Termination.INFEASIBLE


@needs(Capability.LP)
def check_isolated_duals(backend: Backend) -> None:
    """Duals come through."""
    assert_lp_optimal(small_lp(), backend.solve(small_lp(), isolate=True))


def check_isolated_time_limit(backend: Backend) -> None:
    """A time limit holds, and the incumbent comes through."""
    solution = patiently(
        lambda limit: backend.solve(market_split(), time_limit=limit, isolate=True),
        lambda s: s.x is not None and "killed" not in s.raw_status,  # else it had no time to start
        first=1.0,
    )
    assert_sound(market_split(), solution)
    assert solution.termination is Termination.TIME_LIMIT, solution.raw_status
    assert solution.status is PointStatus.FEASIBLE
    assert "killed" not in solution.raw_status


@needs(Capability.START)
def check_isolated_start(backend: Backend) -> None:
    """A start comes through and is confirmed."""
    milp, start = market_split(), market_split_start()
    solution = patiently(
        lambda limit: backend.solve(milp, start=start, time_limit=limit, isolate=True),
        lambda s: s.start is StartStatus.USED,
        first=1.0,
    )
    assert solution.start is StartStatus.USED
    assert_sound(market_split(), solution)


def check_isolated_session(backend: Backend) -> None:
    """Solves of one session may change between this process and a child."""
    with backend.open(knapsack()) as session:
        for isolate in (False, True, False):
            assert_optimal(knapsack(), session.solve(isolate=isolate), -4.0)


def check_isolated_from_a_thread(backend: Backend) -> None:
    """A child process can be asked for from any thread."""
    found: list[bool] = []
    thread = threading.Thread(target=lambda: found.append(backend.solve(knapsack(), isolate=True).is_optimal))
    thread.start()
    thread.join()
    assert found == [True]
