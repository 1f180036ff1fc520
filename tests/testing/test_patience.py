"""What the conformance suite has instead of a stop-watch notices what it is there for."""

from __future__ import annotations

import pytest
from support.fake_backends import BruteForce, IgnoresStart, Raises, StopsWhenTold

from ooa.solving import SolveParams, Termination
from ooa.solving.runners import Overdue
from ooa.testing.models import knapsack
from ooa.testing.patience import alone, eventually, patiently, watched


def test_who_does_not_keep_a_limit_is_asked_to_stop_and_that_is_seen():
    raw = alone(StopsWhenTold(), knapsack(), SolveParams(time_limit=0.01), patience=0.1)
    assert raw.termination is Termination.INTERRUPTED


def test_who_keeps_a_limit_is_left_alone():
    raw = alone(IgnoresStart(), knapsack(), SolveParams(time_limit=60))  # says at once that time is up
    assert raw.termination is Termination.TIME_LIMIT


def test_what_a_solver_raises_comes_out():
    with pytest.raises(ZeroDivisionError, match="deep inside"):
        alone(Raises(), knapsack(), SolveParams())


def test_runs_are_watched_as_long_as_somebody_looks():
    backend = BruteForce()
    with watched(backend) as runs:
        backend.solve(knapsack(), start=[1, 0, 0], time_limit=50)
    backend.solve(knapsack())
    (run,) = runs
    assert run.start.tolist() == [1, 0, 0]
    assert 0 < run.params.time_limit <= 50
    assert run.termination is Termination.OPTIMAL
    assert type(backend).run.__qualname__ == "BruteForce.run"


def test_limits_grow_until_they_are_long_enough():
    tried = []

    def solve(limit):
        tried.append(limit)
        return limit

    assert patiently(solve, lambda limit: limit > 1.0, first=0.5) == 2.5
    assert patiently(solve, lambda limit: False, first=0.5) == 62.5
    assert tried == [0.5, 2.5, 0.5, 2.5, 12.5, 62.5]


def test_patiently_bears_with_who_was_given_up_but_not_for_ever():
    limits = []

    def solve(limit):
        limits.append(limit)
        if limit < enough:
            raise Overdue("given up")
        return limit

    enough = 2.0
    assert patiently(solve, lambda limit: True) == 5.0
    enough = 100.0
    with pytest.raises(Overdue):
        patiently(solve, lambda limit: True)
    assert limits == [0.2, 1.0, 5.0, 0.2, 1.0, 5.0, 25.0]


def test_what_comes_true_later_comes_true():
    asked = iter([False, False, True])
    assert eventually(lambda: next(asked))
