"""Checks of models without an optimum: infeasible, unbounded, or both at first sight."""

from __future__ import annotations

import numpy as np

from ooa.model import Milp, Model
from ooa.solving import Backend, Capability, PointStatus, Solution, Termination

from .catalogue import needs
from .helpers import assert_optimal, assert_sound
from .models import arrays, infeasible_lp, infeasible_mip, infeasible_with_ray, unbounded


def _assert_infeasible(milp: Milp, solution: Solution) -> None:
    assert_sound(milp, solution)
    assert solution.termination is Termination.INFEASIBLE, (solution.termination, solution.raw_status)
    assert solution.x is None
    assert solution.objective is None
    assert solution.duals is None


def _assert_unbounded(milp: Milp, solution: Solution) -> None:
    assert_sound(milp, solution)
    assert solution.termination is Termination.UNBOUNDED, (solution.termination, solution.raw_status)
    assert solution.status is not PointStatus.OPTIMAL
    assert solution.bound is None
    assert not solution.is_optimal


@needs(Capability.CONTINUOUS)
def check_infeasible_lp(backend: Backend) -> None:
    """An LP whose rows contradict one another."""
    _assert_infeasible(infeasible_lp(), backend.solve(infeasible_lp()))


@needs(Capability.CONTINUOUS)
def check_infeasible_by_bounds(backend: Backend) -> None:
    """A row that the bounds make impossible, which presolving sees at once."""
    milp = arrays([1, 1], [[1, 1], [1, -1]], [5, -1], [np.inf, 1], [0, 0], [2, 2], [True, False])
    _assert_infeasible(milp, backend.solve(milp))


def check_infeasible_mip(backend: Backend) -> None:
    """A MIP without a point although its relaxation has some."""
    _assert_infeasible(infeasible_mip(), backend.solve(infeasible_mip()))


def check_infeasible_by_search(backend: Backend) -> None:
    """Infeasibility that takes branching: each row is even on the left and odd on the right."""
    m = Model()
    x = m.add_integers("x", 4, upper=6)
    A = np.array([[2, 4, -6, 8], [6, -4, 2, 10], [4, 2, 2, -8]])
    m.add_rows("odd", A @ x == np.array([11, 7, 3]))
    _assert_infeasible(m.freeze(), backend.solve(m.freeze()))


@needs(Capability.CONTINUOUS)
def check_unbounded_lp(backend: Backend) -> None:
    """An LP with a feasible point and a ray."""
    _assert_unbounded(unbounded(integer=False), backend.solve(unbounded(integer=False)))


def check_unbounded_mip(backend: Backend) -> None:
    """A MIP with a feasible point and a ray."""
    _assert_unbounded(unbounded(integer=True), backend.solve(unbounded(integer=True)))


@needs(Capability.CONTINUOUS)
def check_unbounded_mixed(backend: Backend) -> None:
    """Only the continuous part of a MIP is unbounded."""
    milp = arrays(
        [-1, -1, 1], [[1, -1, 1]], [0], [np.inf], [-np.inf, 0, 0], [np.inf, np.inf, 1], [False, False, True]
    )
    _assert_unbounded(milp, backend.solve(milp))


@needs(Capability.CONTINUOUS)
def check_infeasible_lp_with_ray(backend: Backend) -> None:
    """An LP with a ray but no point is infeasible, not unbounded."""
    milp = infeasible_with_ray(integer=False)
    _assert_infeasible(milp, backend.solve(milp))


def check_infeasible_mip_with_ray(backend: Backend) -> None:
    """A MIP with a ray but no point is infeasible, not unbounded."""
    milp = infeasible_with_ray(integer=True)
    _assert_infeasible(milp, backend.solve(milp))


def check_unbounded_with_a_start(backend: Backend) -> None:
    """A start does not make an unbounded model solved; it is the point that is returned or beaten."""
    milp = unbounded(integer=True)
    solution = backend.solve(milp, start=[1, 0])
    _assert_unbounded(milp, solution)
    assert solution.objective is not None
    assert solution.objective <= -1.0


def check_unbounded_region_with_an_optimum(backend: Backend) -> None:
    """An unbounded region does not make a bounded objective unbounded."""
    milp = arrays([1, 1], [[1, -1], [2, 1]], [-3, 1.5], [3, np.inf], [0, 0], [np.inf] * 2, [True, True])
    assert_optimal(milp, backend.solve(milp), 1.0)


def check_zero_objective_on_an_unbounded_region(backend: Backend) -> None:
    """Without costs nothing is unbounded."""
    milp = unbounded(integer=True).replace(c=[0.0, 0.0])
    assert_optimal(milp, backend.solve(milp), 0.0)


@needs(Capability.CONTINUOUS)
def check_feasible_again_after_infeasible(backend: Backend) -> None:
    """An infeasible model leaves nothing behind for the next one."""
    for _ in range(2):
        _assert_infeasible(infeasible_mip(), backend.solve(infeasible_mip()))
        relaxed = infeasible_mip().relaxed()
        assert_optimal(relaxed, backend.solve(relaxed), 1.5)
