"""Judging what a solver hands back, on the model's own arrays: each doubt by itself."""

from __future__ import annotations

import numpy as np
import pytest

from ooa.model import Milp
from ooa.solving import PointStatus, RawResult, Termination
from ooa.solving.verify import tolerance, verify


def interval(offset: float = 0.0) -> Milp:
    """The least x between 0 and 1."""
    return Milp([1.0], [[1.0]], [0.0], [1.0], [0.0], [1.0], [False], offset)


def switch() -> Milp:
    """The largest x that is at most 4 times a switch y, less what y costs: -3 with both at their best."""
    return Milp([-1.0, 1.0], [[1.0, -4.0]], [-np.inf], [0.0], [0, 0], [4, 1], [False, True])


def judged(milp, raw, known=(), repair=lambda point: None):
    return verify(milp, raw, known, repair)


def optimal(x, bound=None):
    return RawResult(Termination.OPTIMAL, "", np.array(x, dtype=float), bound)


def test_known_points_that_are_none_are_passed_over():
    raw = RawResult(Termination.TIME_LIMIT, "")
    for nonsense in (np.ones(17), np.zeros((1, 1)), np.array([np.nan]), np.array([np.inf])):
        assert judged(interval(), raw, [None, nonsense]).status is PointStatus.NONE
    assert judged(interval(), raw, [None, np.array([0.5])]).objective == 0.5


def test_a_known_point_counts_only_if_it_is_better():
    found = judged(interval(), optimal([0.25], 0.25), [np.array([0.5])])
    assert (found.objective, found.termination, found.message) == (0.25, Termination.OPTIMAL, "")
    beaten = judged(interval(), optimal([0.5], 0.5), [np.array([0.25])])
    assert (beaten.objective, beaten.termination) == (0.25, Termination.ERROR)
    assert "calls 0.5 optimal, but 0.25 is known" in beaten.message


def test_optimality_needs_a_point():
    found = judged(interval(), RawResult(Termination.OPTIMAL, "", bound=0.0))
    assert (found.termination, found.status) == (Termination.ERROR, PointStatus.NONE)
    assert "claims optimality without a point" in found.message
    late = judged(interval(), RawResult(Termination.TIME_LIMIT, "", bound=0.0))
    assert (late.termination, late.message) == (Termination.TIME_LIMIT, "")


def test_what_is_wrong_with_an_answer_is_said():
    false = judged(interval(), RawResult(Termination.INFEASIBLE, ""), [np.array([0.5])])
    assert "claims infeasibility, but a feasible point is known" in false.message
    assert judged(interval(), RawResult(Termination.INFEASIBLE, "")).message == ""
    for odd in ([0.5, 0.5], [np.nan]):
        found = judged(interval(), optimal(odd, 0.0))
        assert (found.termination, found.x) == (Termination.ERROR, None)
        assert "has shape" in found.message


def test_a_hair_better_is_no_contradiction():
    found = judged(interval(), optimal([5e-7], 0.0), [np.array([0.0])])
    assert (found.objective, found.status, found.message) == (0.0, PointStatus.OPTIMAL, "")


def test_a_bound_that_came_with_a_false_infeasibility_is_not_kept():
    raw = RawResult(Termination.INFEASIBLE, "", bound=-5.0)
    found = judged(interval(), raw, [np.array([0.5])])
    assert (found.termination, found.bound, found.status) == (Termination.ERROR, None, PointStatus.FEASIBLE)


def test_a_bound_a_hair_above_the_objective_is_the_objective():
    found = judged(interval(), optimal([0.5], 0.5 + 5e-7))
    assert (found.bound, found.status) == (0.5, PointStatus.OPTIMAL)


@pytest.mark.parametrize("termination", [Termination.OPTIMAL, Termination.TIME_LIMIT])
def test_a_bound_above_a_known_point_is_not_kept(termination):
    found = judged(interval(), RawResult(termination, "", np.array([0.5]), 0.6))
    assert (found.termination, found.bound, found.status) == (Termination.ERROR, None, PointStatus.FEASIBLE)
    assert found.message == "the solver claims a bound of 0.6 above a known objective of 0.5"


def test_infinite_bounds_are_none():
    for bound in (np.inf, -np.inf, np.nan):
        found = judged(interval(), RawResult(Termination.TIME_LIMIT, "", np.array([0.5]), bound))
        assert (found.bound, found.termination) == (None, Termination.TIME_LIMIT)


def test_the_offset_is_in_objective_and_bound():
    found = judged(interval(100.0), optimal([0.0], 0.0))
    assert (found.objective, found.bound, found.status) == (100.0, 100.0, PointStatus.OPTIMAL)


def test_whoever_lied_once_proves_nothing():
    """The known point is as good as the bound, but the solver's own point was none."""
    found = judged(switch(), optimal([4.0, 0.0], -3.0), [np.array([4.0, 1.0])])
    assert (found.objective, found.bound) == (-3.0, -3.0)
    assert (found.termination, found.status) == (Termination.ERROR, PointStatus.FEASIBLE)


def test_a_point_just_outside_is_put_inside():
    found = judged(interval(), optimal([-4e-7], 0.0))
    assert found.x is not None
    assert found.x.tolist() == [0.0]
    assert found.objective == 0.0


def test_a_rounded_point_that_breaks_a_row_is_repaired():
    asked = []

    def repair(point):
        asked.append(point.tolist())
        return np.array([0.0, 0.0])

    # Of the same value: what x gains by a trickle through the switch is within the tolerance.
    cheap = switch().replace(c=[-1e-4, 1e-4])
    same = judged(cheap, optimal([4e-3, 1e-3], -3e-7), repair=repair)
    assert (len(asked), same.message, same.status) == (1, "", PointStatus.OPTIMAL)
    # Worth more than what the integers give.
    trickle = optimal([4e-3, 1e-3], -3e-3)
    found = judged(switch(), trickle, repair=repair)
    assert asked[-1] == [4e-3, 0.0]
    assert (found.objective, found.termination) == (0.0, Termination.ERROR)
    assert "violates row row[0] by 0.004 once integers are rounded" in found.message
    lost = judged(switch(), trickle)
    assert (lost.x, lost.termination) == (None, Termination.ERROR)
    assert "violates row row[0]" in lost.message


def test_tolerance_is_relative_above_one():
    assert [tolerance(value) for value in (None, 0.0, -0.5, 2.0, -1e6)] == [1e-6, 1e-6, 1e-6, 2e-6, 1.0]
    large = Milp([1.0], [[1.0]], [0.0], [1e7], [0.0], [1e7], [False])
    found = judged(large, optimal([1e6], 1e6 - 0.5))
    assert found.status is PointStatus.OPTIMAL
    assert judged(large, optimal([1e6], 1e6 - 2.0)).termination is Termination.GAP_LIMIT
