"""Checks of starting points: good, partial, infeasible and broken ones, and proof that they are used."""

from __future__ import annotations

import numpy as np

from ooa.errors import ModelError
from ooa.model import Milp
from ooa.solving import Backend, Capability, Solution, StartStatus, Termination

from .catalogue import needs
from .helpers import assert_optimal, assert_sound, raises
from .models import arrays, knapsack, market_split, market_split_start, mixed, small_lp, steiner
from .patience import patiently, watched


def _good_start() -> tuple[Milp, np.ndarray]:
    """A hard model with a good point (65, where the optimum is 61)."""
    milp = steiner(81)
    # Leave out the 16 points with coordinates 0 and 1: no line lies among them.
    digits = np.array([[k // 27, k // 9 % 3, k // 3 % 3, k % 3] for k in range(81)])
    return milp, (digits == 2).any(axis=1).astype(float)


def _solved(backend: Backend, milp: Milp, start: np.ndarray, *wanted: StartStatus) -> Solution:
    """The solution once there was time enough for the start to become what is wanted."""
    return patiently(
        lambda limit: backend.solve(milp, start=start, time_limit=limit),
        lambda solution: solution.start in wanted,
    )


@needs(Capability.START)
def check_start_is_used(backend: Backend) -> None:
    """The solver confirms a feasible start."""
    milp, start = _good_start()
    solution = _solved(backend, milp, start, StartStatus.USED)
    assert solution.start is StartStatus.USED, (solution.start, solution.start_message)
    assert solution.objective is not None
    assert solution.objective <= 65.0


@needs(Capability.START)
def check_mixed_start_is_used(backend: Backend) -> None:
    """A start with continuous values is confirmed as well."""
    solution = _solved(backend, market_split(), market_split_start(), StartStatus.USED)
    assert solution.start is StartStatus.USED, (solution.start, solution.start_message)


@needs(Capability.START)
def check_negative_and_large_start_values(backend: Backend) -> None:
    """Values other than 0 and 1 reach the solver unharmed."""
    rng = np.random.default_rng(1)
    A = rng.integers(-9, 10, size=(12, 30))
    x = rng.integers(-40, 41, size=30).astype(float)
    # Costs that pull away from x, so that the solve is not over before it begins.
    milp = arrays(rng.integers(-5, 6, size=30), A, A @ x - 1, A @ x + 1, [-50] * 30, [50] * 30, [True] * 30)
    solution = _solved(backend, milp, x, StartStatus.USED)
    assert_sound(milp, solution)
    assert solution.start is StartStatus.USED, (solution.start, solution.raw_status)


def check_never_worse_than_the_start(backend: Backend) -> None:
    """The answer is never worse than a feasible start, whether the solver takes starts or not."""
    milp, start = _good_start()
    solution = backend.solve(milp, start=start, time_limit=0.2)
    assert_sound(milp, solution)
    assert solution.objective is not None
    assert solution.objective <= 65.0
    assert solution.start in (StartStatus.USED, StartStatus.NOT_USED)


def check_optimal_start(backend: Backend) -> None:
    """A start that is optimal already ends as a proved optimum."""
    solution = backend.solve(knapsack(), start=[0, 1, 1])
    assert_optimal(knapsack(), solution, -4.0)
    assert solution.start in (StartStatus.USED, StartStatus.NOT_USED)


def check_suboptimal_start(backend: Backend) -> None:
    """A start that is not optimal does not stand in the optimum's way."""
    assert_optimal(knapsack(), backend.solve(knapsack(), start=[1, 0, 0]), -4.0)
    assert_optimal(steiner(9), backend.solve(steiner(9), start=np.ones(9)), 5.0)


def check_partial_start(backend: Backend) -> None:
    """NaN means unknown: the rest is completed."""
    solution = backend.solve(knapsack(), start=[np.nan, 1, np.nan])
    assert_optimal(knapsack(), solution, -4.0)
    assert solution.start in (StartStatus.USED, StartStatus.NOT_USED)


def check_partial_start_needs_solving(backend: Backend) -> None:
    """A partial start whose rest no simple guess completes."""
    milp = market_split()
    start = market_split_start()
    start[40:] = np.nan
    start[3] = 0.9999999  # as solvers print a 1
    solution = _solved(backend, milp, start, StartStatus.USED, StartStatus.NOT_USED)
    assert_sound(milp, solution)
    assert solution.start in (StartStatus.USED, StartStatus.NOT_USED), solution.start_message
    assert solution.objective is not None


def check_partial_start_keeps_the_time_limit(backend: Backend) -> None:
    """Completing a start that hardly can be completed does not double the time limit."""
    milp = market_split(slack=False)
    start = np.full(40, np.nan)
    start[:2] = [0.0, 1.0]
    with watched(backend) as runs:
        solution = backend.solve(milp, start=start, time_limit=0.5)
    limits = [run.params.time_limit for run in runs]  # to complete the start, and for the rest
    assert limits[0] is not None
    assert limits[0] <= 0.1
    assert all(limit is not None and limit <= 0.5 - limits[0] for limit in limits[1:]), limits
    assert all(run.start is None for run in runs), "a partial start, which a solver may take its time about"
    assert solution.start is StartStatus.REJECTED
    assert solution.x is None


def check_partial_start_that_fits_nothing(backend: Backend) -> None:
    """A partial start without completion is rejected with a reason, and the model solved without it."""
    milp = arrays([1, 1, 1], [[1, 1, 0], [0, 1, 1]], [1, 1], [1, 1], [0] * 3, [1] * 3, [True] * 3)
    solution = backend.solve(milp, start=[1, np.nan, 0])
    assert_optimal(milp, solution, 1.0)
    assert solution.start is StartStatus.REJECTED
    assert solution.start_message


def check_infeasible_start(backend: Backend) -> None:
    """An infeasible start is rejected, the violated row is named, and the model solved without it."""
    solution = backend.solve(knapsack(), start=[1, 1, 1])
    assert_optimal(knapsack(), solution, -4.0)
    assert solution.start is StartStatus.REJECTED
    assert "weight" in solution.start_message


def check_start_outside_bounds(backend: Backend) -> None:
    """So is a start that breaks a bound, or is not whole where it should be."""
    for start in ([0, 2, 0], [0, -1, 0], [0, 0.5, 0]):
        solution = backend.solve(knapsack(), start=start)
        assert_optimal(knapsack(), solution, -4.0)
        assert solution.start is StartStatus.REJECTED
        assert "x[1]" in solution.start_message


@needs(Capability.CONTINUOUS)
def check_infinite_start(backend: Backend) -> None:
    """An infinite value is no start."""
    for value in (np.inf, -np.inf):
        solution = backend.solve(mixed(), start=[1, value])
        assert_optimal(mixed(), solution, -7.5)
        assert solution.start is StartStatus.REJECTED


def check_start_of_nothing_but_nan(backend: Backend) -> None:
    """A start that knows nothing is no start."""
    solution = backend.solve(knapsack(), start=[np.nan] * 3)
    assert_optimal(knapsack(), solution, -4.0)
    assert solution.start is StartStatus.REJECTED


def check_start_of_wrong_length(backend: Backend) -> None:
    """A start of the wrong length is an error that names both lengths."""
    for start in ([1.0], np.zeros(4), np.zeros((3, 1))):
        with raises(ModelError, "3"):
            backend.solve(knapsack(), start=start)


def check_almost_whole_start(backend: Backend) -> None:
    """A start as solvers print it, 0.9999999 for 1, is rounded; complete or partial."""
    for start in ([1e-9, 0.9999999, 1.0], [np.nan, 0.9999999, 1.0]):
        solution = backend.solve(knapsack(), start=start, time_limit=0)
        assert solution.start is not StartStatus.REJECTED, solution.start_message
        assert solution.x is not None
        assert solution.x.tolist() == [0.0, 1.0, 1.0]


def check_start_stays(backend: Backend) -> None:
    """The caller's start is not changed, and may be integers or a list."""
    for start in (np.array([np.nan, 0.9999999, 1.0]), np.array([0, 1, 1])):
        before = start.copy()
        backend.solve(knapsack(), start=start)
        assert np.array_equal(start, before, equal_nan=start.dtype == float)
    given = [0, 1, 1]
    backend.solve(knapsack(), start=given)
    assert given == [0, 1, 1]


@needs(Capability.CONTINUOUS)
def check_start_of_an_lp(backend: Backend) -> None:
    """A start for an LP is no error, and no reason to stop early."""
    assert_optimal(small_lp(), backend.solve(small_lp(), start=[0, 0]), -36.0)


def check_start_of_an_infeasible_model(backend: Backend) -> None:
    """A model that is infeasible stays so, whatever start is given."""
    milp = arrays([1, 1], [[2, 2]], [3], [3], [0, 0], [1, 1], [True, True])
    solution = backend.solve(milp, start=[1, 1])
    assert solution.termination is Termination.INFEASIBLE
    assert solution.start is StartStatus.REJECTED
