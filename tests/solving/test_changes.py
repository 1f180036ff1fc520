"""Changes to an open model: loaded once where the solver can, afresh where not."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from support.fake_backends import (
    BruteForce,
)

from ooa.errors import OptionError, SolverError
from ooa.model import Rows
from ooa.solving import (
    Capability,
    RawResult,
    Termination,
    get_backend,
)
from ooa.testing.models import knapsack, small_lp

INF = np.inf


Highs = type(get_backend("highs"))


class Counting(Highs):
    """HiGHS that counts how often a model is loaded."""

    def __init__(self):
        super().__init__()
        self.loads = 0

    def load(self, milp):
        self.loads += 1
        super().load(milp)


class CountingWithoutChanges(Counting):
    """HiGHS that must load a changed model afresh."""

    capabilities = frozenset([Capability.CONTINUOUS, Capability.LP])


class HalfAColumn(Counting):
    """HiGHS that takes a change and then fails."""

    def add_columns(self, cost, matrix, lower, upper):
        super().add_columns(cost, matrix, lower, upper)
        raise SolverError("the disk is full")


class WarmIsUndecided(Counting):
    """HiGHS that gives up when it does not start afresh."""

    def run(self, params, start, monitor):
        if self.runs_since_load:
            return RawResult(Termination.ERROR, "unknown")
        self.runs_since_load += 1
        return super().run(params, start, monitor)

    def load(self, milp):
        self.runs_since_load = 0
        super().load(milp)


def changed_in_turns(session):
    """Five solves with a change before each but the first."""
    found = [session.solve().objective]
    session.change_bounds([0, 0], [INF, 4])
    found.append(session.solve().objective)
    session.add_columns([-4], [[0], [0], [1]], 0, 6)
    found.append(session.solve().objective)
    session.add_rows(Rows(sp.csr_array([[0.0, 0.0, 1.0]]), np.array([-INF]), np.array([5.0]), (1,)))
    found.append(session.solve().objective)
    session.change_bounds([0, 0, 0], [INF, INF, INF])
    found.append(session.solve().objective)
    return found


@pytest.mark.parametrize(("kind", "loads"), [(Counting, 1), (CountingWithoutChanges, 5)])
def test_a_changed_lp_is_loaded_once_where_the_solver_can(kind, loads):
    with kind().open(small_lp()) as session:
        assert changed_in_turns(session) == pytest.approx([-36, -30, -48, -45, -51])
        assert session.backend.loads == loads


def test_a_changed_mip_is_loaded_afresh():
    with Counting().open(knapsack()) as session:
        session.solve()
        session.change_bounds([0, 0, 0], [1, 1, 0])
        assert session.solve().objective == -3
        session.add_columns([-5], [[1]], 0, 0.5)
        assert session.solve().objective == -4.5
        assert session.backend.loads == 3


def test_a_change_that_failed_half_way_is_made_afresh():
    with HalfAColumn().open(small_lp()) as session:
        session.solve()
        with pytest.raises(SolverError, match="the disk is full"):
            session.add_columns([-4], [[0], [0], [1]], 0, 6)
        assert session.solve().objective == pytest.approx(-54)
        assert session.backend.loads == 2


def test_a_warm_lp_that_stays_undecided_is_solved_afresh():
    with WarmIsUndecided().open(small_lp()) as session:
        assert changed_in_turns(session) == pytest.approx([-36, -30, -48, -45, -51])
        assert session.backend.loads == 5


@pytest.mark.parametrize("name", ["add_rows", "add_columns", "change_bounds"])
def test_an_adapter_without_changes_says_so(name):
    arguments = {"add_rows": 3, "add_columns": 4, "change_bounds": 2}
    with pytest.raises(OptionError, match="backend 'brute' cannot"):
        getattr(BruteForce(), name)(*[None] * arguments[name])
