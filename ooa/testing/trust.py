"""Checks where numbers tempt a solver to a wrong claim: tolerances, big-M, scale."""

from __future__ import annotations

import numpy as np

from ooa.model import Milp, Model
from ooa.solving import Backend, Capability, Termination

from .catalogue import needs
from .helpers import assert_honest, assert_optimal, assert_sound
from .models import arrays


def _trickle(big: float) -> Milp:
    """Whoever opens neither tap may still draw `big * 1e-6` within the integrality tolerance."""
    m = Model("trickle")
    tap = m.add_binaries("tap", 2, cost=[52.0, 60.0])
    flow = m.add_continuous("flow", 2, upper=big)
    m.add_rows("open", flow - big * tap <= 0)
    m.add_rows("need", flow.sum() >= 100)
    return m.freeze()


@needs(Capability.CONTINUOUS)
def check_big_m_trickle(backend: Backend) -> None:
    """A flow through a tap that is 1e-6 open is never sold as a solution, let alone an optimal one."""
    for big in (1e3, 1e6, 1e8):
        milp = _trickle(big)
        solution = backend.solve(milp, time_limit=20)
        assert_honest(milp, solution, 52.0)
        if solution.x is not None:
            assert solution.x[:2].sum() >= 1.0
    assert_optimal(_trickle(1e3), backend.solve(_trickle(1e3)), 52.0)


@needs(Capability.CONTINUOUS)
def check_very_big_m(backend: Backend) -> None:
    """M of 1e9 and more may defeat a solver, but not into claiming that there is no point."""
    milp = _trickle(1e10)
    solution = backend.solve(milp, time_limit=20)
    assert_honest(milp, solution, 52.0)


@needs(Capability.CONTINUOUS)
def check_sum_of_tiny_violations(backend: Backend) -> None:
    """Many columns, each a tolerance away from whole, must not add up to a wrong optimum."""
    n = 60
    m = Model()
    x = m.add_binaries("x", n, cost=1.0)
    y = m.add_continuous("y", n, upper=1e4)
    m.add_rows("link", y - 1e4 * x <= 0)
    m.add_rows("need", y.sum() >= 25000.0)
    milp = m.freeze()
    solution = backend.solve(milp, time_limit=20)
    assert_optimal(milp, solution, 3.0)


def check_default_gap_is_zero(backend: Backend) -> None:
    """The solver's own default gap (often 1e-4) does not pass for optimal."""
    rng = np.random.default_rng(3)
    weights = rng.integers(20, 60, size=24)
    costs = -(10_000.0 + rng.integers(0, 9, size=24))
    milp = arrays(
        costs,
        weights[None, :].astype(float),
        [-np.inf],
        [weights.sum() // 2],
        [0] * 24,
        [1] * 24,
        [True] * 24,
    )
    # Taking the k lightest gives the number of items; which ones is worth less than 1e-4 of the total.
    best = _knapsack_optimum(weights, -costs, int(weights.sum() // 2))
    assert_optimal(milp, backend.solve(milp), -best)


def _knapsack_optimum(weights: np.ndarray, values: np.ndarray, room: int) -> float:
    best = np.zeros(room + 1)
    for weight, value in zip(weights, values):
        best[weight:] = np.maximum(best[weight:], best[:-weight] + value)
    return float(best[room])


def check_small_differences_in_cost(backend: Backend) -> None:
    """Costs that differ in the fifth digit are told apart."""
    costs = 1.0 + np.array([0.00004, 0.00001, 0.00003, 0.00002])
    milp = arrays(costs, np.ones((1, 4)), [2], [2], [0] * 4, [1] * 4, [True] * 4)
    assert_optimal(milp, backend.solve(milp), 2.00003)


@needs(Capability.CONTINUOUS)
def check_wide_range_of_coefficients(backend: Backend) -> None:
    """Coefficients from 1e-3 to 1e6 in one model."""
    milp = arrays(
        [1e-3, 1e3, 1.0],
        [[1e-3, 1e3, 0], [0, 1e6, 1.0]],
        [1.0, 1e6],
        [np.inf, np.inf],
        [0, 0, 0],
        [2000, 5, 2e6],
        [True, True, False],
    )
    assert_optimal(milp, backend.solve(milp), 1000.0)


def check_integers_are_exactly_whole(backend: Backend) -> None:
    """Integer values are whole numbers, not 0.9999991."""
    rng = np.random.default_rng(5)
    A = rng.integers(1, 30, size=(6, 18)) / 7.0
    milp = arrays(-A.sum(axis=0), A, [-np.inf] * 6, A.sum(axis=1) / 2.3, [0] * 18, [3] * 18, [True] * 18)
    solution = backend.solve(milp, time_limit=5)
    assert_sound(milp, solution)
    assert solution.x is not None
    assert (solution.x == np.round(solution.x)).all()


def check_contradiction_is_not_optimal(backend: Backend) -> None:
    """A row missed by more than the tolerance is missed: 3x = 1 + 1e-4 has no whole solution."""
    milp = arrays([1.0, 1.0], [[3.0, 3.0]], [1.0001], [1.0001], [0, 0], [9, 9], [True, True])
    solution = backend.solve(milp)
    assert_sound(milp, solution)
    assert solution.termination is Termination.INFEASIBLE
