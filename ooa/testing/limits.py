"""Checks of limits: they hold, before and after the first incumbent, and the answer says so."""

from __future__ import annotations

import math

import numpy as np

from ooa.model import Model
from ooa.solving import Backend, Capability, PointStatus, SolveParams, Termination

from .catalogue import needs
from .helpers import assert_honest, assert_optimal, assert_sound, same
from .models import STEINER27, STEINER81, knapsack, market_split, market_split_start, small_lp, steiner
from .patience import FAR, alone, patiently


def check_zero_seconds(backend: Backend) -> None:
    """With no time at all there is no point, no bound, and no pretence."""
    solution = backend.solve(knapsack(), time_limit=0)
    assert_sound(knapsack(), solution)
    assert solution.termination is Termination.TIME_LIMIT
    assert solution.status is PointStatus.NONE
    assert solution.bound is None


def check_zero_seconds_with_a_start(backend: Backend) -> None:
    """With no time at all the start is what is returned."""
    solution = backend.solve(knapsack(), start=[1, 0, 0], time_limit=0)
    assert_sound(knapsack(), solution)
    assert solution.termination is Termination.TIME_LIMIT
    assert solution.status is PointStatus.FEASIBLE
    assert solution.objective == -3.0


@needs(Capability.CONTINUOUS)
def check_zero_seconds_on_an_lp(backend: Backend) -> None:
    """An LP obeys a limit of 0 too, and gives no duals then."""
    solution = backend.solve(small_lp(), time_limit=0)
    assert solution.termination is Termination.TIME_LIMIT
    assert solution.x is None
    assert solution.duals is None


def check_tiny_time_limits(backend: Backend) -> None:
    """However early the solver is stopped, nothing wrong is claimed."""
    milp = steiner(27)
    for limit in (1e-9, 1e-4, 0.003, 0.02, 0.1):
        assert_honest(milp, backend.solve(milp, time_limit=limit), STEINER27)


def check_tiny_time_limits_with_a_start(backend: Backend) -> None:
    """However early the solver is stopped, the start is not lost."""
    milp = market_split()
    start = market_split_start()
    for limit in (1e-9, 1e-4, 0.01, 0.1):
        solution = backend.solve(milp, start=start, time_limit=limit)
        assert_sound(milp, solution)
        assert solution.objective is not None
        assert solution.objective <= milp.objective(start) + 1e-6
        assert solution.status is PointStatus.FEASIBLE


def check_time_limit_holds(backend: Backend) -> None:
    """A hard model stops at its limit, by itself and not because somebody asks it to."""
    raw = alone(backend, market_split(), SolveParams(time_limit=0.3))
    assert raw.termination is Termination.TIME_LIMIT, raw.raw_status


def check_incumbent_at_a_time_limit(backend: Backend) -> None:
    """What is found by the limit is called feasible, not optimal."""
    milp = market_split()
    solution = patiently(lambda limit: backend.solve(milp, time_limit=limit), lambda s: s.x is not None)
    assert_sound(milp, solution)
    assert solution.termination is Termination.TIME_LIMIT, solution.raw_status
    assert solution.status is PointStatus.FEASIBLE
    assert solution.gap > 0.0


def check_time_limit_without_incumbent(backend: Backend) -> None:
    """A limit before the first incumbent leaves no point and no objective of 0."""
    milp = market_split(slack=False)
    solution = backend.solve(milp, time_limit=0.2)
    assert_sound(milp, solution)
    assert solution.termination is Termination.TIME_LIMIT, solution.raw_status
    assert solution.x is None
    assert solution.objective is None


def check_bound_at_a_limit(backend: Backend) -> None:
    """A bound reported at a limit is a bound: not above the known optimum, not the incumbent."""
    milp = steiner(81)
    solution = backend.solve(milp, time_limit=0.2)  # no solver is done by then
    assert_honest(milp, solution, STEINER81)
    assert solution.termination is Termination.TIME_LIMIT, solution.raw_status
    if solution.bound is not None and solution.objective is not None:
        assert solution.bound < solution.objective


def check_infinite_time_limit(backend: Backend) -> None:
    """An infinite limit is none."""
    assert_optimal(knapsack(), backend.solve(knapsack(), time_limit=math.inf), -4.0)


def check_large_limits(backend: Backend) -> None:
    """Limits beyond every solver's range do no harm."""
    solution = backend.solve(knapsack(), time_limit=1e15, node_limit=10**15, absolute_gap=0.0)
    assert_optimal(knapsack(), solution, -4.0)


@needs(Capability.NODES)
def check_one_node(backend: Backend) -> None:
    """One node does not suffice for a symmetric cover, and the answer says why it stopped."""
    milp = steiner(27)
    solution = backend.solve(milp, node_limit=1, time_limit=FAR)
    assert_honest(milp, solution, STEINER27)
    assert solution.termination is Termination.NODE_LIMIT, solution.raw_status
    assert not solution.is_optimal


@needs(Capability.NODES)
def check_no_node(backend: Backend) -> None:
    """A node limit of 0 is accepted, and honest."""
    milp = steiner(27)
    solution = backend.solve(milp, node_limit=0, time_limit=FAR)
    assert_honest(milp, solution, STEINER27)
    assert solution.termination is Termination.NODE_LIMIT, solution.raw_status


@needs(Capability.NODES)
def check_one_node_without_incumbent(backend: Backend) -> None:
    """A node limit before the first incumbent leaves no point."""
    milp = market_split(slack=False)
    solution = backend.solve(milp, node_limit=1, time_limit=FAR)
    assert_sound(milp, solution)
    assert solution.termination is Termination.NODE_LIMIT, solution.raw_status
    assert solution.x is None


@needs(Capability.NODES)
def check_one_node_with_a_start(backend: Backend) -> None:
    """A node limit never loses the start."""
    milp = market_split()
    solution = backend.solve(milp, start=market_split_start(), node_limit=1, time_limit=FAR)
    assert_sound(milp, solution)
    assert solution.termination is Termination.NODE_LIMIT, solution.raw_status
    assert solution.objective is not None
    assert solution.objective <= milp.objective(market_split_start())


@needs(Capability.NODES)
def check_generous_node_limit(backend: Backend) -> None:
    """A node limit that is not reached changes nothing."""
    assert_optimal(steiner(9), backend.solve(steiner(9), node_limit=100_000), 5.0)


def check_relative_gap(backend: Backend) -> None:
    """Within a wide gap the solver stops early, and the point is called feasible, not optimal."""
    milp = steiner(81)
    solution = backend.solve(milp, relative_gap=0.7, time_limit=FAR)
    assert_honest(milp, solution, STEINER81)
    assert solution.termination is Termination.GAP_LIMIT, solution.raw_status
    assert solution.status is PointStatus.FEASIBLE
    assert solution.gap <= 0.7 + 1e-6


@needs(Capability.ABSOLUTE_GAP)
def check_absolute_gap(backend: Backend) -> None:
    """The same with an absolute gap."""
    milp = steiner(81)
    solution = backend.solve(milp, absolute_gap=55.0, time_limit=FAR)
    assert_honest(milp, solution, STEINER81)
    assert solution.termination is Termination.GAP_LIMIT, solution.raw_status
    assert solution.objective is not None
    assert solution.bound is not None
    assert solution.objective - solution.bound <= 55.0 + 1e-6


def check_gap_that_happens_to_close(backend: Backend) -> None:
    """A wide gap on a trivial model: whatever is called optimal is optimal."""
    for gap in (0.1, 0.9):
        assert_honest(knapsack(), backend.solve(knapsack(), relative_gap=gap), -4.0)


def check_offset_does_not_widen_the_gap(backend: Backend) -> None:
    """A relative gap is meant on the objective with its offset or without: but never labelled optimal."""
    m = Model()
    x = m.add_binaries("x", 6, cost=[5.0, 4.0, 3.0, 3.0, 2.0, 2.0])
    m.add_rows("cover", np.array([[1, 1, 0, 0, 1, 0], [0, 1, 1, 0, 0, 1], [1, 0, 0, 1, 1, 0]]) @ x >= 1)
    m.offset = 1e6
    milp = m.freeze()
    solution = backend.solve(milp, params=SolveParams(relative_gap=0.0))
    assert_optimal(milp, solution, 1e6 + 4.0)
    assert same(solution.bound, 1e6 + 4.0)
