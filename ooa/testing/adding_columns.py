"""Checks of sessions whose columns grow and whose bounds move, as in column generation and branching."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import scipy.sparse as sp

from ooa.errors import ModelError
from ooa.model import Rows
from ooa.model.expressions import FloatArray
from ooa.solving import Backend, Capability, Termination
from ooa.solving.session import Session

from .catalogue import needs
from .enumeration import assert_lp_optimal
from .helpers import assert_optimal, assert_sound, raises, same
from .models import arrays, infeasible_lp, knapsack, small_lp, unbounded

INF = np.inf


@needs(Capability.CONTINUOUS)
def check_add_columns_to_an_lp(backend: Backend) -> None:
    """Columns added to a solved LP are used if they pay, and have the names they were given."""
    with backend.open(small_lp()) as session:
        assert same(session.solve().objective, -36.0)
        session.add_columns([1.0, -4.0], [[0, 0], [0, 0], [1, 1]], 0, [INF, 6.0], "product")
        solution = session.solve()
        assert_optimal(session.milp, solution, -54.0)
        assert solution.x is not None
        assert np.allclose(solution.x, [0.0, 6.0, 0.0, 6.0])
        session.add_columns([-2.0], sp.csc_array((3, 1)), [-1.0], [1.5])  # in no row at all
        assert_optimal(session.milp, session.solve(), -57.0)
        assert list(session.milp.columns)[2:] == ["product[0]", "product[1]", "added2[0]"]


@needs(Capability.CONTINUOUS)
def check_columns_in_two_sided_rows(backend: Backend) -> None:
    """New columns count at both sides of a row, also of one that was added after the last solve."""
    with backend.open(arrays([3.0], [[1]], [2.0], [5.0], [0], [10], [False])) as session:
        assert_optimal(session.milp, session.solve(), 6.0)
        session.add_columns([1.0], [[1]], 0, INF)
        assert_optimal(session.milp, session.solve(), 2.0)
        session.add_columns([-1.0], [[1]], 0, INF)
        assert_optimal(session.milp, session.solve(), -5.0)
        session.add_rows(_rows([[-1.0, 0.0, 1.0]], [-1.0], [3.0]))
        session.add_columns([-2.0], [[1], [1]], 0, INF)
        assert_optimal(session.milp, session.solve(), -6.0)
        session.add_rows(_rows([[0.0, 1.0, 0.0, 1.0]], [1.0], [1.0]))
        session.add_columns([0.5], [[0], [-1], [1]], 0, INF)
        assert_optimal(session.milp, session.solve(), -4.0)


@needs(Capability.LP)
def check_column_generation(backend: Backend) -> None:
    """Adding the column that the duals ask for, until none is, leads to the optimum over all columns."""
    rng = np.random.default_rng(3)
    members = [s for k in (2, 3) for s in combinations(range(6), k)]
    matrix = np.array([[float(i in s) for s in members] for i in range(6)])
    cost = rng.integers(4, 12, size=len(members)).astype(float)
    need = rng.integers(1, 5, size=6).astype(float)
    every = arrays(cost, matrix, need, [INF] * 6, np.zeros_like(cost), np.full_like(cost, INF), cost < 0)
    optimum = backend.solve(every).objective
    first = arrays([20.0] * 6, np.eye(6), need, [INF] * 6, [0] * 6, [INF] * 6, [False] * 6)
    with backend.open(first) as session:
        for _ in range(len(members) + 1):
            solution = session.solve()
            assert_lp_optimal(session.milp, solution)
            assert solution.duals is not None
            price = cost - matrix.T @ solution.duals
            best = int(np.argmin(price))
            if price[best] > -1e-9:
                break
            session.add_columns(cost[[best]], matrix[:, [best]], 0, INF)
        assert price[best] > -1e-9, "a column in the LP still has a negative reduced cost"
        assert same(solution.objective, optimum)


@needs(Capability.CONTINUOUS)
def check_change_bounds_of_an_lp(backend: Backend) -> None:
    """Bounds of a solved LP become narrower, equal, wider, infinite and negative."""
    with backend.open(small_lp()) as session:
        assert_optimal(session.milp, session.solve(), -36.0)
        for lower, upper, optimum in (
            ([0, 0], [INF, 4], -30.0),
            ([4, 0], [4, 4], -27.0),
            ([0, 0], [INF, INF], -36.0),
            ([0, 6], [0, 6], -30.0),
            ([-2, -5], [0, 5], -25.0),
            ([-INF, -INF], [1, -1], 2.0),
            ([-INF, -INF], [INF, INF], -36.0),
            ([-INF, -INF], [INF, INF], -36.0),
            ([3, 0], [4, 1e30], -31.5),
        ):
            session.change_bounds(lower, upper)
            assert_optimal(session.milp, session.solve(), optimum)


@needs(Capability.CONTINUOUS)
def check_changed_bounds_make_an_lp_feasible_again(backend: Backend) -> None:
    """A warm LP goes from infeasible to feasible and back as its bounds change."""
    with backend.open(infeasible_lp()) as session:
        for _ in range(2):
            session.change_bounds([0, 0], [INF, INF])
            solution = session.solve()
            assert solution.termination is Termination.INFEASIBLE
            assert solution.duals is None
            session.change_bounds([-2, 0], [INF, 2.5])
            assert_optimal(session.milp, session.solve(), 0.5)


@needs(Capability.CONTINUOUS)
def check_added_columns_make_an_lp_feasible(backend: Backend) -> None:
    """Columns can mend an infeasible LP, as the artificial ones of a first phase do."""
    with backend.open(infeasible_lp()) as session:
        assert session.solve().termination is Termination.INFEASIBLE
        session.add_columns([10.0], [[0], [1]], 0, INF)
        assert_optimal(session.milp, session.solve(), 11.0)


@needs(Capability.CONTINUOUS)
def check_changes_make_an_lp_unbounded(backend: Backend) -> None:
    """A warm LP goes from unbounded to bounded and back as its bounds and columns change."""
    with backend.open(unbounded(integer=False)) as session:
        assert session.solve().termination is Termination.UNBOUNDED
        session.change_bounds([0, 0], [INF, 4])
        assert_optimal(session.milp, session.solve(), -5.0)
        session.change_bounds([0, 0], [INF, INF])
        assert session.solve().termination is Termination.UNBOUNDED
        session.change_bounds([0, 0], [2, INF])
        assert_optimal(session.milp, session.solve(), -2.0)
        session.add_columns([-1.0], [[-1]], 0, INF)
        assert session.solve().termination is Termination.UNBOUNDED
        session.change_bounds([0, 0, 0], [2, INF, 7])
        assert_optimal(session.milp, session.solve(), -9.0)


@needs(Capability.CONTINUOUS)
def check_changes_in_turns(backend: Backend) -> None:
    """Columns, rows and bounds change in turns; every answer is that of the model opened afresh."""
    for seed in range(10):
        rng = np.random.default_rng([8, seed])
        n, m = int(rng.integers(2, 8)), int(rng.integers(1, 6))
        cost = rng.integers(-9, 10, size=n).astype(float)
        matrix, row_lower, row_upper = _random_rows(rng, m, n)
        lower, upper = _random_bounds(rng, cost)
        milp = arrays(cost, matrix, row_lower, row_upper, lower, upper, [False] * n)
        with backend.open(milp) as session:
            _assert_as_afresh(backend, session)
            for _ in range(8):
                for change in rng.integers(0, 3, size=int(rng.integers(1, 4))):
                    (_random_columns_added, _random_rows_added, _random_bounds_changed)[change](rng, session)
                _assert_as_afresh(backend, session)


@needs(Capability.CONTINUOUS)
def check_changes_to_a_mip(backend: Backend) -> None:
    """Columns may be added to a MIP and its bounds changed; the new columns are continuous."""
    with backend.open(knapsack()) as session:
        assert_optimal(session.milp, session.solve(), -4.0)
        session.add_columns([-5.0], [[1.0]], 0, 0.5)
        assert_optimal(session.milp, session.solve(), -4.5)
        session.change_bounds([0, 0, 0, 0], [1, 0, 0, 0.5])
        assert_optimal(session.milp, session.solve(), -3.0)
        session.change_bounds([0, 0, 0, 0], [1, 1, 1, 0.5])
        assert_optimal(session.milp, session.solve(), -4.5)
        session.change_bounds([0.2, 0, 0, 0], [0.8, 1, 1, 0.5])
        assert session.solve().termination is Termination.INFEASIBLE


@needs(Capability.CONTINUOUS)
def check_columns_for_empty_rows(backend: Backend) -> None:
    """A row without coefficients may get its first from a new column, and no columns may be added."""
    milp = arrays([1.0], [[1], [0]], [1.0, 2.0], [INF, 3.0], [0], [INF], [False])
    with backend.open(milp) as session:
        assert session.solve().termination is Termination.INFEASIBLE
        session.add_columns([], np.zeros((2, 0)), [], [])
        assert session.solve().termination is Termination.INFEASIBLE
        session.add_columns([4.0], [[0], [2]], 0, INF)
        assert_optimal(session.milp, session.solve(), 5.0)
        session.add_columns([], np.zeros((2, 0)), [], [])
        assert_optimal(session.milp, session.solve(), 5.0)
    with backend.open(arrays([-1.0], np.zeros((0, 1)), [], [], [0], [2], [False])) as session:
        assert_optimal(session.milp, session.solve(), -2.0)
        session.change_bounds([0], [3])
        session.add_columns([-1.0], np.zeros((0, 1)), 0, 1)
        assert_optimal(session.milp, session.solve(), -4.0)


@needs(Capability.CONTINUOUS)
def check_changes_before_the_first_solve(backend: Backend) -> None:
    """Columns and bounds may change before anything was solved; the model given stays as it was."""
    milp = small_lp()
    with backend.open(milp) as session:
        session.change_bounds([0, 0], [INF, 4])
        session.add_columns([-4.0], [[0], [0], [1]], 0, 6)
        assert_optimal(session.milp, session.solve(), -48.0)
    assert_optimal(milp, backend.solve(milp), -36.0)


@needs(Capability.CONTINUOUS)
def check_refused_changes(backend: Backend) -> None:
    """A change that makes no sense is refused in words, and the session goes on as it was."""
    with backend.open(small_lp()) as session:
        session.solve()
        with raises(ModelError, "column x[1] has lower side 2.0 and upper side 1.0"):
            session.change_bounds([0, 2], [1, 1])
        with raises(ModelError, "x[0]", "nan"):
            session.change_bounds([np.nan, 0], [1, 1])
        with raises(ModelError, "upper has shape (3,), expected (2,)"):
            session.change_bounds([0, 0], [1, 1, 1])
        with raises(ModelError, "shape (2, 1), expected (3, any)"):
            session.add_columns([1], [[1], [1]], 0, 1)
        with raises(ModelError, "cost has shape (2,), expected (1,)"):
            session.add_columns([1, 1], [[1], [1], [1]], 0, 1)
        with raises(ModelError, "column new[0] in row plants[1] is nan"):
            session.add_columns([1], [[1], [np.nan], [1]], 0, 1, "new")
        with raises(ModelError, "column new[0] has lower side 2.0 and upper side 1.0"):
            session.add_columns([1], [[1], [1], [1]], 2, 1, "new")
        assert session.milp == small_lp()
        assert_optimal(session.milp, session.solve(), -36.0)


def _rows(matrix: FloatArray | list[list[float]], lower: list[float], upper: list[float]) -> Rows:
    return Rows(sp.csr_array(np.array(matrix)), np.array(lower), np.array(upper), (len(lower),))


def _random_rows(rng: np.random.Generator, m: int, n: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Rows of every kind, most of which hold somewhere near 0."""
    matrix = rng.integers(-6, 7, size=(m, n)) * (rng.random((m, n)) < 0.6)
    matrix[:, -1] += ~matrix.any(axis=1)
    kind, middle, slack = rng.integers(0, 4, size=m), rng.integers(-2, 3, size=m), rng.integers(0, 5, size=m)
    lower = np.where(kind == 0, -INF, middle - slack * (kind > 1))
    upper = np.where(kind == 2, INF, middle + slack * (kind != 1))
    return matrix.astype(np.float64), lower, upper


def _random_bounds(rng: np.random.Generator, cost: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Bounds round 0, fixed at 0 or infinite at times, that leave no column a way to ever lower cost."""
    lower, upper = -rng.integers(0, 5, size=len(cost)).astype(float), rng.integers(0, 5, size=len(cost))
    endless = rng.random(len(cost)) < 0.3
    return np.where(endless & (cost <= 0), -INF, lower), np.where(endless & (cost >= 0), INF, upper)


def _random_columns_added(rng: np.random.Generator, session: Session) -> None:
    k, m = int(rng.integers(0, 4)), session.milp.n_rows
    cost = rng.integers(-9, 10, size=k).astype(float)
    matrix = rng.integers(-6, 7, size=(m, k)) * (rng.random((m, k)) < 0.5)
    session.add_columns(cost, sp.coo_array(matrix) if k % 2 else matrix, *_random_bounds(rng, cost))


def _random_rows_added(rng: np.random.Generator, session: Session) -> None:
    matrix, lower, upper = _random_rows(rng, int(rng.integers(1, 3)), session.milp.n_columns)
    session.add_rows(Rows(sp.csr_array(matrix), lower, upper, (len(lower),)))


def _random_bounds_changed(rng: np.random.Generator, session: Session) -> None:
    milp = session.milp
    lower, upper = _random_bounds(rng, milp.c)
    some = rng.random(milp.n_columns) < rng.choice([0.2, 1.0])
    session.change_bounds(np.where(some, lower, milp.lower), np.where(some, upper, milp.upper))


def _assert_as_afresh(backend: Backend, session: Session) -> None:
    warm, fresh = session.solve(), backend.solve(session.milp)
    assert_sound(session.milp, warm)
    assert warm.termination is fresh.termination, (warm.termination, fresh.termination, warm.raw_status)
    if fresh.objective is None:
        assert warm.termination is Termination.INFEASIBLE
        return
    assert_optimal(session.milp, warm, fresh.objective)
    if Capability.LP in backend.capabilities:
        assert_lp_optimal(session.milp, warm)
