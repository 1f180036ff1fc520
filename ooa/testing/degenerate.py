"""Checks of models with nothing, or almost nothing, in them."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from ooa.model import Model
from ooa.solving import Backend, Capability, PointStatus, Termination

from .catalogue import needs
from .helpers import assert_optimal, assert_sound
from .models import arrays, knapsack


def check_no_rows(backend: Backend) -> None:
    """Without rows every column sits at the bound that its cost prefers."""
    milp = arrays([1, -1, 0], sp.csr_array((0, 3)), [], [], [-2, 0, 3], [2, 5, 4], [True, False, True])
    assert_optimal(milp, backend.solve(milp), -7.0)


def check_no_rows_unbounded(backend: Backend) -> None:
    """Without rows and without a bound the model is unbounded."""
    milp = arrays([-1.0], sp.csr_array((0, 1)), [], [], [0], [np.inf], [False])
    assert backend.solve(milp).termination is Termination.UNBOUNDED


def check_no_columns(backend: Backend) -> None:
    """Without columns the objective is the offset, if the rows admit 0."""
    fine = arrays([], sp.csr_array((2, 0)), [-1, 0], [1, np.inf], [], [], [], offset=3.5)
    assert_optimal(fine, backend.solve(fine), 3.5)
    broken = fine.replace(row_lower=[-1, 2])
    assert backend.solve(broken).termination is Termination.INFEASIBLE


def check_nothing_at_all(backend: Backend) -> None:
    """No rows, no columns."""
    milp = Model().freeze()
    solution = backend.solve(milp)
    assert_optimal(milp, solution, 0.0)
    assert solution.x is not None
    assert solution.x.shape == (0,)


def check_empty_row_that_holds(backend: Backend) -> None:
    """A row without coefficients whose sides admit 0 changes nothing."""
    milp = arrays([-3, -2, -2], [[0, 0, 0], [2, 1, 1]], [-1, -np.inf], [0, 2], [0] * 3, [1] * 3, [True] * 3)
    assert_optimal(milp, backend.solve(milp), -4.0)


def check_empty_row_that_fails(backend: Backend) -> None:
    """A row without coefficients whose sides exclude 0 makes the model infeasible."""
    milp = arrays([-3, -2, -2], [[0, 0, 0], [2, 1, 1]], [1, -np.inf], [5, 2], [0] * 3, [1] * 3, [True] * 3)
    solution = backend.solve(milp)
    assert_sound(milp, solution)
    assert solution.termination is Termination.INFEASIBLE


def check_all_rows_empty(backend: Backend) -> None:
    """Rows there are, coefficients there are none."""
    milp = arrays([1, -1], np.zeros((3, 2)), [0] * 3, [0] * 3, [0, 0], [4, 4], [True, True])
    assert_optimal(milp, backend.solve(milp), -4.0)


def check_free_row(backend: Backend) -> None:
    """A row without sides changes nothing."""
    inf = np.inf
    milp = arrays([-3, -2, -2], [[1, 1, 1], [2, 1, 1]], [-inf, -inf], [inf, 2], [0] * 3, [1] * 3, [True] * 3)
    assert_optimal(milp, backend.solve(milp), -4.0)


def check_fixed_integers(backend: Backend) -> None:
    """Integer columns whose bounds coincide."""
    milp = arrays([1, 1], [[1, 1], [1, -1]], [3.5, -9], [np.inf, 9], [3, 0], [3, 9], [True, True])
    assert_optimal(milp, backend.solve(milp), 4.0)


@needs(Capability.CONTINUOUS)
def check_everything_fixed(backend: Backend) -> None:
    """All columns fixed: feasible or not, there is nothing to choose."""
    milp = arrays([1, 1], [[1, 1]], [-np.inf], [5], [2, 1.5], [2, 1.5], [True, False])
    assert_optimal(milp, backend.solve(milp), 3.5)
    tight = milp.replace(row_upper=[3.0])
    assert backend.solve(tight).termination is Termination.INFEASIBLE


def check_fractional_integer_bounds(backend: Backend) -> None:
    """Fractional bounds of an integer column are tightened inwards."""
    milp = arrays([-1, 1], [[1, 1]], [0], [9], [0.3, 1.2], [2.7, 4.9], [True, True])
    solution = backend.solve(milp)
    assert_optimal(milp, solution, 0.0)
    assert solution.x is not None
    assert solution.x.tolist() == [2.0, 2.0]


def check_no_whole_number_between_bounds(backend: Backend) -> None:
    """Bounds of an integer column with no whole number between them."""
    milp = arrays([1, 1], [[1, 1]], [0], [9], [0.2, 0], [0.8, 1], [True, True])
    assert backend.solve(milp).termination is Termination.INFEASIBLE


def check_zero_objective(backend: Backend) -> None:
    """A pure feasibility model is solved to optimality with objective 0."""
    milp = arrays([0, 0, 0], [[1, 1, 1]], [2], [2], [0] * 3, [1] * 3, [True] * 3)
    assert_optimal(milp, backend.solve(milp), 0.0)


def check_offset(backend: Backend) -> None:
    """The objective's constant is counted once, in objective and bound alike."""
    for offset in (100.0, -0.25, 1e6):
        milp = knapsack(offset)
        solution = backend.solve(milp)
        assert_optimal(milp, solution, offset - 4.0)


@needs(Capability.CONTINUOUS)
def check_offset_of_an_lp(backend: Backend) -> None:
    """The same for an LP."""
    relaxed = knapsack(100.0).relaxed()
    assert_optimal(relaxed, backend.solve(relaxed), 96.0)


def check_duplicate_entries(backend: Backend) -> None:
    """Entries given twice are added up; entries that cancel are no entries."""
    entries = ([1.0, 1.0, 1.0, 1.0, 5.0, -5.0], ([0, 0, 0, 0, 0, 0], [0, 0, 1, 2, 1, 1]))
    matrix = sp.coo_array(entries, shape=(1, 3))
    milp = arrays([-3, -2, -2], matrix, [-np.inf], [2], [0] * 3, [1] * 3, [True] * 3)
    assert_optimal(milp, backend.solve(milp), -4.0)


@needs(Capability.CONTINUOUS)
def check_huge_bounds_are_infinite(backend: Backend) -> None:
    """Bounds and sides of 1e20 and more mean none."""
    milp = arrays([1, -1], [[1, 1], [1, -1]], [-1e30, -1e25], [7, 1e20], [-1e20, 0], [1e22, 9], [False, True])
    assert backend.solve(milp).termination is Termination.UNBOUNDED
    held = milp.replace(c=[0.0, -1.0])
    assert_optimal(held, backend.solve(held), -9.0)


def check_column_in_no_row(backend: Backend) -> None:
    """A column that no row mentions goes to its better bound."""
    milp = arrays([-3, -2, -2, -1], [[2, 1, 1, 0]], [-np.inf], [2], [0] * 4, [1, 1, 1, 8], [True] * 4)
    assert_optimal(milp, backend.solve(milp), -12.0)
    loose = milp.replace(upper=[1, 1, 1, np.inf])
    assert backend.solve(loose).termination is Termination.UNBOUNDED


def check_integers_without_upper_bound(backend: Backend) -> None:
    """Integer columns that only rows hold back."""
    milp = arrays(
        [-2, -3], [[3, 5], [1, -1]], [-np.inf, -2], [31, np.inf], [0, 0], [np.inf] * 2, [True, True]
    )
    assert_optimal(milp, backend.solve(milp), -20.0)


def check_redundant_rows(backend: Backend) -> None:
    """The same row many times, scaled and negated."""
    row = np.array([2.0, 1.0, 1.0])
    A = np.vstack([row, row, 10 * row, -row])
    inf = np.inf
    milp = arrays([-3, -2, -2], A, [-inf, -inf, -inf, -2], [2, 2, 20, inf], [0] * 3, [1] * 3, [True] * 3)
    assert_optimal(milp, backend.solve(milp), -4.0)


@needs(Capability.CONTINUOUS)
def check_one_column_one_row(backend: Backend) -> None:
    """The smallest model that reaches the solver, as MIP and as LP."""
    milp = arrays([1.0], [[2.0]], [3.0], [np.inf], [0], [9], [True])
    assert_optimal(milp, backend.solve(milp), 2.0)
    assert_optimal(milp.relaxed(), backend.solve(milp.relaxed()), 1.5)


def check_status_of_a_decided_model(backend: Backend) -> None:
    """A model settled without the solver is labelled like any other."""
    solution = backend.solve(arrays([1.0], sp.csr_array((0, 1)), [], [], [2], [5], [True]))
    assert solution.status is PointStatus.OPTIMAL
    assert solution.bound == solution.objective == 2.0
    assert solution.gap == 0.0
