"""Checks of sessions: solve, add rows, solve again."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from ooa.clock import WorkClock
from ooa.model import Model, Rows
from ooa.solving import Backend, Capability, Termination

from .catalogue import needs
from .enumeration import assert_lp_optimal
from .helpers import assert_optimal, same
from .models import infeasible_lp, knapsack, small, small_lp, steiner
from .patience import FAR, watched


def _at_least(row: list[float], side: float) -> Rows:
    return Rows(sp.csr_array(np.array([row])), np.array([side]), np.array([np.inf]), (1,))


def _at_most(row: list[float], side: float) -> Rows:
    return Rows(sp.csr_array(np.array([row])), np.array([-np.inf]), np.array([side]), (1,))


def check_session_solves_again(backend: Backend) -> None:
    """The same session gives the same answer twice, MIP or LP."""
    for milp, optimum in small(backend):
        with backend.open(milp) as session:
            for _ in range(3):
                assert_optimal(milp, session.solve(), optimum)


def check_session_with_a_fresh_time_limit_each(backend: Backend) -> None:
    """A time limit counts from each solve, not from the opening of the session."""
    still = WorkClock(step=0.0)  # so that solvers are told just what is left
    with watched(backend) as runs, backend.open(steiner(9)) as session:
        for limit in (FAR, 30.0, 30.0, 40.0):
            assert_optimal(steiner(9), session.solve(time_limit=limit, clock=still), 5.0)
    assert [run.params.time_limit for run in runs] == [FAR, 30.0, 30.0, 40.0]


def check_limit_does_not_stick(backend: Backend) -> None:
    """A limit of one solve of a session is gone in the next."""
    with backend.open(steiner(9)) as session:
        session.solve(time_limit=1e-4)
        session.solve(relative_gap=0.9)
        session.solve(node_limit=1)
        assert_optimal(steiner(9), session.solve(), 5.0)


def check_sessions_close_twice(backend: Backend) -> None:
    """Closing is harmless at any time and any number of times; a closed session opens again by itself."""
    session = backend.open(knapsack())
    session.close()
    assert_optimal(knapsack(), session.solve(), -4.0)
    session.close()
    session.close()
    assert_optimal(knapsack(), session.solve(), -4.0)
    session.close()


@needs(Capability.CONTINUOUS)
def check_add_rows_to_an_lp(backend: Backend) -> None:
    """Rows added to a solved LP are obeyed."""
    with backend.open(small_lp()) as session:
        assert same(session.solve().objective, -36.0)
        session.add_rows(_at_most([1.0, 1.0], 7.0))
        assert_optimal(session.milp, session.solve(), -33.0)
        session.add_rows(_at_least([1.0, 0.0], 3.0))
        assert_optimal(session.milp, session.solve(), -29.0)


@needs(Capability.LP)
def check_duals_after_adding_rows(backend: Backend) -> None:
    """After every round of cuts the duals prove the new optimum, as for the model opened afresh."""
    rng = np.random.default_rng(7)
    m = Model()
    x = m.add_continuous("x", 8, upper=10, cost=rng.integers(1, 9, size=8).astype(float))
    m.add_rows("first", x.sum() >= 5)
    with backend.open(m.freeze()) as session:
        for _ in range(6):
            solution = session.solve()
            assert_lp_optimal(session.milp, solution)
            fresh = backend.solve(session.milp)
            assert same(solution.objective, fresh.objective)
            block = rng.integers(0, 4, size=(3, 8)).astype(float)
            block[:, 0] += 1.0
            session.add_rows(block @ x >= rng.integers(8, 20, size=3))


@needs(Capability.CONTINUOUS)
def check_added_rows_make_an_lp_infeasible(backend: Backend) -> None:
    """Rows that contradict the model make it infeasible, also on a warm LP."""
    with backend.open(small_lp()) as session:
        session.solve()
        session.add_rows(_at_least([1.0, 1.0], 100.0))
        solution = session.solve()
        assert solution.termination is Termination.INFEASIBLE
        assert solution.duals is None


@needs(Capability.CONTINUOUS)
def check_add_rows_to_an_infeasible_lp(backend: Backend) -> None:
    """An infeasible model stays infeasible with more rows."""
    with backend.open(infeasible_lp()) as session:
        assert session.solve().termination is Termination.INFEASIBLE
        session.add_rows(_at_most([1.0, 0.0], 0.5))
        assert session.solve().termination is Termination.INFEASIBLE


def check_add_rows_to_a_mip(backend: Backend) -> None:
    """Rows added to a MIP are obeyed too."""
    with backend.open(knapsack()) as session:
        session.solve()
        session.add_rows(_at_most([0.0, 1.0, 1.0], 1.0))
        assert_optimal(session.milp, session.solve(), -3.0)


@needs(Capability.CONTINUOUS)
def check_add_degenerate_rows(backend: Backend) -> None:
    """Empty and free rows may be added; an empty row that cannot hold makes the model infeasible."""
    with backend.open(small_lp()) as session:
        session.solve()
        session.add_rows(_at_least([0.0, 0.0], -1.0))
        session.add_rows(_at_least([1.0, 1.0], -np.inf))
        assert_optimal(session.milp, session.solve(), -36.0)
        session.add_rows(_at_least([0.0, 0.0], 1.0))
        assert session.solve().termination is Termination.INFEASIBLE


@needs(Capability.CONTINUOUS)
def check_rows_before_the_first_solve(backend: Backend) -> None:
    """Rows may be added before anything was solved."""
    with backend.open(small_lp()) as session:
        session.add_rows(_at_most([1.0, 1.0], 7.0))
        assert_optimal(session.milp, session.solve(), -33.0)
    assert_optimal(small_lp(), backend.solve(small_lp()), -36.0)
