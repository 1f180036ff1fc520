"""Proofs by gaps: which gap is aimed at next, whatever the last one took."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from ooa.candidates.candidates import Candidates
from ooa.clock import Clock, Deadline
from ooa.data.table import Table
from ooa.kernels.availability import compiled
from ooa.learning.gaps import ProofByGaps, next_gap
from ooa.learning.ooax import learn_ooax
from ooa.learning.settings import OOAxSettings
from ooa.learning.state import Fit
from ooa.solving import Termination


def test_gaps_come_down_to_the_one_wanted():
    """Whatever each of them takes, and however much time there is."""
    rng = np.random.default_rng(0)
    for wanted in (0.0, 0.02, 0.7):
        for _ in range(200):
            gap, spent, left = math.inf, 0.0, float(rng.choice([1.0, 60.0, 300.0]))
            for _ in range(100):
                before, gap = gap, next_gap(gap, spent, wanted, rng.choice([None, left]))
                assert wanted <= gap < before
                spent = float(rng.choice([0.0, 0.1, 1.0, 10.0]))
                if gap == wanted:
                    break
            assert gap == wanted


@pytest.mark.parametrize("steepness", [20, 34, 54])
@pytest.mark.parametrize("limit", [60.0, 300.0])
@pytest.mark.parametrize("first", [0.02, 0.5, 3.0])
def test_the_gaps_reached_are_about_those_that_one_would_aim_at_who_knew_what_they_take(
    steepness, limit, first
):
    """The time grows faster or slower than is guessed at first, and from 0.15 on faster than before."""

    def takes(gap: float) -> float:
        return first * math.exp(steepness * (0.2 - gap) + steepness * max(0.0, 0.15 - gap) / 2)

    fit = Fit.of(Table.from_any({"x": [1, 2]}, [0, 1]), OOAxSettings(time_limit=limit))
    proof = TimedProof(fit, takes, limit)
    proof.close_gap()
    ideal = next((gap for gap in np.arange(0, 0.4, 0.001) if takes(gap) <= limit), 0.4)
    assert proof.reached <= ideal + 0.06


@pytest.mark.parametrize(("gap", "least"), [(0.0, 40), (0.25, 30), (0.24, 31), (1.0, 0)])
def test_a_gap_is_reached_by_the_bound_that_leaves_it_and_by_none_below(gap, least):
    table = Table.from_any({"x": np.arange(100)}, np.arange(100) < 40)
    fit = Fit.of(table, OOAxSettings(C1="1/100", C2="1/100"))  # the empty set is known: 40 errors
    proof = KnownProof(fit, Candidates.of_patterns(fit.problem.rows, []), 40)
    assert fit.best.upper * 100 == 40
    assert proof.step == 1
    assert not proof.near(gap)  # no bound is no gap
    for bound in range(41):
        proof.bound = bound
        assert proof.near(gap) == (bound >= least)


class KnownProof(ProofByGaps):
    """A proof that is not run."""

    def _run(self, most: int, go_on: Callable[[float], bool]) -> bool:
        raise NotImplementedError

    def _found(self) -> tuple[int, tuple[int, ...]]:
        raise NotImplementedError


class TimedProof(KnownProof):
    """A proof whose gaps take a time that is known."""

    def __init__(self, fit: Fit, takes: Callable[[float], float], limit: float) -> None:
        super().__init__(fit, Candidates.of_patterns(fit.problem.rows, []), 1)
        self._takes, self.reached, self._now = takes, math.inf, StandingClock()
        self._deadline = Deadline.after(limit, self._now)

    def _target(self, gap: float) -> int:
        return 1  # every gap is worth the time

    def _exclude(self, gap: float, until: Deadline) -> bool:
        self._now.instant += self._takes(gap)
        if until.passed():
            return False
        self.reached = gap
        self.final = gap == self._wanted
        return True


class StandingClock(Clock):
    """A clock that goes on when it is told to."""

    instant = 0.0

    def now(self) -> float:
        """The present instant."""
        return self.instant


@pytest.mark.skipif(not compiled(), reason="the core is not compiled")
def test_a_gap_that_is_reached_exactly_is_the_gap_asked_for():
    x = np.tile(np.repeat([0, 1], 5), 3)
    y = x.astype(bool)
    y[:2] ^= True
    table = Table.from_any({"x": x, "z": np.arange(30) % 3}, y)
    options = {"C1": 0, "C2": 0.02, "max_patterns": 1, "selection": "search", "without": ["incumbent"]}
    found = learn_ooax(table, relative_gap=1.0, progress=False, **options).certificate
    assert found.termination in (Termination.GAP_LIMIT, Termination.OPTIMAL)
