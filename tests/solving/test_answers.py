"""What of a raw result gets into a solution, and what does not."""

from __future__ import annotations

import numpy as np
import pytest
from support.clocks import HandClock
from support.erring_backends import Returns
from support.fake_backends import BruteForce, Raises

from ooa.model import Milp
from ooa.solving import PointStatus, RawResult, StartStatus, Termination, get_backend
from ooa.testing.helpers import assert_sound
from ooa.testing.models import knapsack

INF = np.inf
POINT = np.array([0.0, 1.0, 1.0])


def lp() -> Milp:
    """The least x above a half."""
    return Milp([1.0], [[1.0]], [0.5], [1.0], [0.0], [1.0], [False])


def without_rows(cost: float, upper: float, integer: bool = False) -> Milp:
    return Milp([cost], np.zeros((0, 1)), [], [], [0.0], [upper], [integer])


def test_models_that_need_no_solver():
    solution = Raises().solve(without_rows(-2.0, 3.0))
    assert (solution.is_optimal, solution.objective, solution.bound) == (True, -6.0, -6.0)
    assert solution.duals is not None
    assert solution.reduced_costs is not None
    assert (solution.duals.tolist(), solution.reduced_costs.tolist()) == ([], [-2.0])
    whole = Raises().solve(without_rows(-2.0, 3.0, integer=True))
    assert (whole.is_optimal, whole.duals, whole.reduced_costs) == (True, None, None)
    endless = Raises().solve(without_rows(-2.0, INF))
    assert (endless.termination, endless.status) == (Termination.UNBOUNDED, PointStatus.FEASIBLE)
    assert endless.bound is None
    empty = Raises().solve(Milp([1.0], [[0.0]], [1.0], [2.0], [0.0], [1.0], [True]))
    assert (empty.termination, empty.status) == (Termination.INFEASIBLE, PointStatus.NONE)


def test_duals_are_of_lps_that_are_solved():
    made = RawResult(
        Termination.OPTIMAL, "", np.array([0.5]), 0.5, duals=np.ones(1), reduced_costs=np.zeros(1)
    )
    solved = Returns(made).solve(lp())
    assert solved.duals is not None
    assert solved.duals.tolist() == [1.0]
    made.termination, made.bound = Termination.TIME_LIMIT, 0.0
    stopped = Returns(made).solve(lp())
    assert (stopped.duals, stopped.reduced_costs, stopped.objective) == (None, None, 0.5)
    mip = RawResult(Termination.OPTIMAL, "", POINT, -4.0, duals=np.ones(1), reduced_costs=np.ones(3))
    solved = Returns(mip).solve(knapsack())
    assert (solved.is_optimal, solved.duals, solved.reduced_costs) == (True, None, None)


def test_duals_are_those_of_the_rows_as_given():
    """Rows that say nothing are taken out before, and have no dual."""
    rows = [[0.0], [1.0], [1.0]]
    milp = Milp([1.0], rows, [-1.0, 0.5, -INF], [1.0, 1.0, INF], [0.0], [1.0], [False])
    made = RawResult(Termination.OPTIMAL, "", np.array([0.5]), 0.5, duals=np.ones(1))
    solution = Returns(made).solve(milp)
    assert solution.duals is not None
    assert solution.duals.tolist() == [0.0, 1.0, 0.0]


@pytest.mark.parametrize(
    ("start", "said", "status"),
    [
        (None, True, StartStatus.NOT_GIVEN),
        ([1, 1, 1], True, StartStatus.REJECTED),
        ([1, 0, 0], True, StartStatus.USED),
        ([1, 0, 0], False, StartStatus.NOT_USED),
        ([1, 0, 0], None, StartStatus.NOT_USED),
    ],
)
def test_a_start_is_used_if_it_was_handed_over_and_the_solver_says_so(start, said, status):
    made = RawResult(Termination.OPTIMAL, "", POINT, -4.0, start_used=said)
    assert Returns(made).solve(knapsack(), start).start is status


def switch() -> Milp:
    """The largest x that is at most 4 times a switch y, less what y costs."""
    return Milp([-1.0, 1.0], [[1.0, -4.0]], [-INF], [0.0], [0, 0], [4, 1], [False, True])


class Trickles(type(get_backend("highs"))):
    """HiGHS, but for models with integers, where its point has a switch that is all but off."""

    def load(self, milp):
        self.whole = bool(milp.integer.any())
        super().load(milp)

    def run(self, params, start, monitor):
        if self.whole:
            return RawResult(Termination.OPTIMAL, "optimal", np.array([4e-3, 1e-3]), -3e-3)
        return super().run(params, start, monitor)


@pytest.mark.parametrize(
    ("limit", "spent", "left"), [(None, 0.0, 1.0), (60.0, 61.0, 1.0), (60.0, 20.0, 40.0)]
)
def test_the_continuous_part_is_found_again_once_integers_are_rounded(limit, spent, left):
    clock, repairs = HandClock(), []

    class Slow(Trickles):
        def run(self, params, start, monitor):
            if self.whole:
                clock.move(spent)
            else:
                repairs.append((params.time_limit, params.confirm))
            return super().run(params, start, monitor)

    solution = Slow().solve(switch(), time_limit=limit, clock=clock, confirm=True)
    assert_sound(switch(), solution)
    assert solution.x is not None
    assert solution.x.tolist() == [0.0, 0.0]
    assert solution.termination is Termination.ERROR
    assert repairs == [(left, False)]  # a second at least, and nobody confirms what is checked anyway


def test_a_failing_repair_or_completion_costs_nothing_but_that():
    class Half(Trickles):
        def run(self, params, start, monitor):
            if not self.whole:
                raise ZeroDivisionError("deep inside")
            return super().run(params, start, monitor)

    solution = Half().solve(switch(), [4.0, 1.0])
    assert (solution.termination, solution.objective) == (Termination.ERROR, -3.0)


def test_unbounded_without_costs_is_an_error():
    made = RawResult(Termination.UNBOUNDED, "a ray")
    solution = Returns(made).solve(knapsack().replace(c=np.zeros(3)), start=[0, 0, 0])
    assert solution.termination is Termination.ERROR
    assert solution.raw_status == "a ray, although there are no costs"


def ray() -> Milp:
    """One column has no upper bound, and costs less the larger it is."""
    return Milp([-1.0, 1.0], [[1.0, 1.0]], [1.0], [INF], [0, 0], [INF, 1], [False, True])


class Rays(BruteForce):
    """Says "unbounded" of whatever has costs, with a point or without."""

    point: np.ndarray | None = None
    probe = RawResult(Termination.OPTIMAL, "", np.array([1.0, 0.0]), 0.0)

    def run(self, params, start, monitor):
        if self.model.c.any():
            return RawResult(Termination.UNBOUNDED, "a ray", self.point, nodes=3, confirmed_by="mine")
        assert self.model.offset == 0.0
        return self.probe


@pytest.mark.parametrize("point", [None, np.array([0.0, 0.0]), np.array([2.0, 0.0])])
def test_a_ray_is_unbounded_only_with_a_point(point, monkeypatch):
    monkeypatch.setattr(Rays, "point", point)
    solution = Rays().solve(ray().replace(offset=5.0))
    assert (solution.termination, solution.status) == (Termination.UNBOUNDED, PointStatus.FEASIBLE)
    assert solution.x is not None
    assert solution.x.tolist() == ([2.0, 0.0] if point is not None and point.any() else [1.0, 0.0])
    assert (solution.bound, solution.nodes, solution.confirmed_by) == (None, 3, "mine")


def test_without_a_point_it_may_be_infeasible_as_well(monkeypatch):
    monkeypatch.setattr(Rays, "probe", RawResult(Termination.TIME_LIMIT, "time is up"))
    solution = Rays().solve(ray())
    assert (solution.termination, solution.x) == (Termination.INFEASIBLE_OR_UNBOUNDED, None)
    said = RawResult(Termination.INFEASIBLE, "none", confirmed_by="another one")
    monkeypatch.setattr(Rays, "probe", said)
    solution = Rays().solve(ray())
    assert (solution.termination, solution.confirmed_by) == (Termination.INFEASIBLE, "another one")
