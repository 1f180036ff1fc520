"""What the base class makes of adapters that lie: no wrong point, no false optimum, no false bound."""

from __future__ import annotations

import numpy as np
import pytest
from support.fake_backends import (
    AlmostWhole,
    BoundAbove,
    IgnoresStart,
    IncumbentIsOptimal,
    NanPoint,
    OptimalWithoutPoint,
    RayOnly,
    SaysInfeasible,
    SaysUnbounded,
    Violating,
    WorstIsBest,
    WrongLength,
    ZeroObjectiveAtLimit,
)

from ooa.model import Milp
from ooa.solving import (
    PointStatus,
    StartStatus,
    Termination,
)
from ooa.testing.helpers import assert_optimal, assert_sound
from ooa.testing.models import infeasible_mip, knapsack

OPTIMUM = -4.0


def covered() -> Milp:
    """Like the knapsack, but 0 is no solution."""
    return Milp([3, 2, 2], [[2, 1, 1]], [2], [np.inf], [0] * 3, [1] * 3, [True] * 3)


def test_violating_point_is_dropped():
    solution = Violating().solve(knapsack())
    assert_sound(knapsack(), solution)
    assert solution.termination is Termination.ERROR
    assert solution.x is None
    assert "violates row weight[0] by 1" in solution.message
    assert "violates" in Violating().solve(knapsack(), start=[1, 0, 0]).message


def test_violating_point_gives_way_to_the_start():
    solution = Violating().solve(knapsack(), start=[1, 0, 0])
    assert_sound(knapsack(), solution)
    assert (solution.termination, solution.status) == (Termination.ERROR, PointStatus.FEASIBLE)
    assert solution.objective == -3.0


def test_false_optimum_below_a_known_point():
    solution = WorstIsBest().solve(knapsack(), start=[1, 0, 0])
    assert_sound(knapsack(), solution)
    assert solution.termination is Termination.ERROR
    assert solution.status is PointStatus.FEASIBLE
    assert solution.objective == -3.0
    assert "calls 0 optimal, but -3 is known" in solution.message


def test_optimal_within_a_gap_is_not_optimal():
    solution = WorstIsBest().solve(knapsack(), relative_gap=0.5)
    assert_sound(knapsack(), solution)
    assert (solution.termination, solution.status) == (Termination.GAP_LIMIT, PointStatus.FEASIBLE)
    assert solution.bound is None


def test_bound_above_the_objective():
    solution = BoundAbove().solve(knapsack())
    assert_sound(knapsack(), solution)
    assert (solution.termination, solution.status) == (Termination.ERROR, PointStatus.FEASIBLE)
    assert solution.bound is None
    assert "bound of 1 above" in solution.message


def test_incumbent_called_optimal():
    solution = IncumbentIsOptimal().solve(knapsack(), start=[1, 0, 0])
    assert_sound(knapsack(), solution)
    assert (solution.termination, solution.status) == (Termination.GAP_LIMIT, PointStatus.FEASIBLE)
    assert (solution.objective, solution.bound) == (-3.0, -4.0)


def test_ignored_start_is_kept_and_told():
    solution = IgnoresStart().solve(knapsack(), start=[1, 0, 0])
    assert_sound(knapsack(), solution)
    assert solution.start is StartStatus.NOT_USED
    assert (solution.termination, solution.objective) == (Termination.TIME_LIMIT, -3.0)


def test_almost_whole_numbers_are_rounded():
    solution = AlmostWhole().solve(knapsack())
    assert_optimal(knapsack(), solution, OPTIMUM)
    assert solution.x.tolist() == [0.0, 1.0, 1.0]
    assert solution.objective == OPTIMUM


def test_false_infeasibility_against_a_start():
    solution = SaysInfeasible().solve(knapsack(), start=[1, 0, 0])
    assert_sound(knapsack(), solution)
    assert (solution.termination, solution.objective) == (Termination.ERROR, -3.0)
    assert "infeasib" in solution.message


def test_false_unboundedness_ends():
    solution = SaysUnbounded().solve(knapsack())
    assert_sound(knapsack(), solution)
    assert solution.termination is not Termination.OPTIMAL


def test_infeasible_or_unbounded_is_settled():
    assert RayOnly().solve(infeasible_mip()).termination is Termination.INFEASIBLE
    solution = RayOnly().solve(knapsack())
    assert solution.termination is Termination.UNBOUNDED
    assert solution.status is PointStatus.FEASIBLE


@pytest.mark.parametrize("backend", [NanPoint(), WrongLength(), OptimalWithoutPoint()], ids=repr)
@pytest.mark.parametrize("start", [None, [1, 0, 0]], ids=["alone", "start"])
def test_broken_point(backend, start):
    solution = backend.solve(knapsack(), start=start)
    assert_sound(knapsack(), solution)
    assert solution.termination is Termination.ERROR
    assert solution.message
    assert solution.objective == (None if start is None else -3.0)


def test_nan_point_of_a_mixed_model():
    milp = knapsack().replace(integer=[True, True, False])
    solution = NanPoint().solve(milp)
    assert solution.termination is Termination.ERROR
    assert solution.x is None


def test_zeros_at_a_limit_are_no_incumbent():
    solution = ZeroObjectiveAtLimit().solve(covered())
    assert_sound(covered(), solution)
    assert (solution.termination, solution.x, solution.bound) == (Termination.TIME_LIMIT, None, None)
