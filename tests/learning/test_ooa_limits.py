"""OOA stopped early: limits of time and gap, and solvers that find nothing, fail or lie."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from support import ooa_checking
from support.brute_ooa import best_value
from support.fake_backends import BruteForce
from support.ooa_checking import FORMS, both, quietly
from support.tiny_tables import tiny_objective, tiny_table

from ooa.clock import WorkClock
from ooa.data.table import Table
from ooa.datasets import planted_dnf
from ooa.errors import OOAWarning
from ooa.learning.certificate import count
from ooa.learning.ooa import learn_ooa
from ooa.learning.policy import POLICY
from ooa.objective import Objective
from ooa.rules.ruleset import RuleSet
from ooa.solving import RawResult, StartStatus, Termination

# Fixtures: assigned, as the tests ask for them by name.
mixed = ooa_checking.mixed


@pytest.fixture(scope="module")
def hard() -> Table:
    """A table that nobody proves anything about in a few seconds."""
    data = planted_dnf(250, 9, 4, 3, noise=0.15, seed=1)
    return Table.from_any(data.X, data.y)


@pytest.mark.parametrize(
    ("limit", "formulation"),
    [(0, "compact"), (0, "paper"), (0.1, "compact"), (0.1, "paper"), (1, "paper"), (2, "compact")],
)
def test_a_time_limit_covers_everything(hard: Table, limit: float, formulation: str) -> None:
    clock = WorkClock(1e-3)  # a thousand looks at it are a second
    decompose = limit < 2  # boxes would leave the MIP less time than it needs
    learned = quietly(hard, time_limit=limit, formulation=formulation, clock=clock, decompose=decompose)
    proof = learned.certificate
    assert clock.instant < limit + 0.2  # once time is up, it is looked at a few times more
    assert sum(proof.seconds.values()) == pytest.approx(clock.instant, abs=0.02)
    assert proof.termination is Termination.TIME_LIMIT
    assert not proof.proved
    assert 0 < proof.gap <= 1
    assert learned.rules.predict(hard.as_frame()).shape == (250,)
    if limit >= 1:
        assert len(learned.rules) > 0
    if limit == 2:
        assert "forming" in proof.seconds
        assert learned.solution is not None
        assert learned.solution.start in (StartStatus.USED, StartStatus.NOT_USED)


@pytest.mark.parametrize("limit", [0, 0.02, 0.1])
def test_bounds_are_honest_whatever_the_time(limit: float) -> None:
    for seed in range(20):
        rng = np.random.default_rng([16, seed])
        table, objective, K = tiny_table(rng), tiny_objective(rng), int(rng.integers(1, 4))
        learned = quietly(
            table,
            C1=objective.C1,
            C2=objective.C2,
            max_patterns=K,
            time_limit=limit,
            decompose=bool(seed % 2),
            formulation=FORMS[seed // 2 % 2],
        )
        proof = learned.certificate
        best = best_value(table.distinct(), objective, K) / sum(map(Fraction, table.weight.tolist()))
        assert proof.bound <= best <= proof.objective, seed


def test_no_time_leaves_the_start_or_nothing(hard: Table) -> None:
    start = RuleSet.parse("x5 <= 24 AND x7 = c OR x0 = false AND x3 = true AND x5 >= 77")
    own = count(start, hard, Objective.of(0.005, 0.005)).objective
    empty = sum(map(Fraction, hard.positive.tolist())) / 250
    assert own < empty
    assert quietly(hard, time_limit=0).certificate.objective <= empty
    assert quietly(hard, time_limit=0, start=start).certificate.objective <= own
    # And if not even local search comes to anything
    blind = replace(POLICY, greedy_width=0, search_width=0, least_search_width=0)
    assert len(quietly(hard, time_limit=0, policy=blind).rules) == 0
    assert list(quietly(hard, time_limit=0, start=start, policy=blind).rules) == list(start)


class FindsNothing(BruteForce):
    """Is stopped before it has found anything, and forgets the start."""

    def run(self, *args: Any) -> RawResult:
        return RawResult(Termination.TIME_LIMIT, "time is up")


class Fails(BruteForce):
    """Fails whatever it is given."""

    def run(self, *args: Any) -> RawResult:
        raise ZeroDivisionError("deep inside the solver")


class CallsItOptimal(BruteForce):
    """Calls the start of any model optimal."""

    def run(self, params: Any, start: Any, monitor: Any) -> RawResult:
        return RawResult(Termination.OPTIMAL, "optimal", start, float(self.model.c @ start) + 3.0)


@both
def test_a_solver_that_finds_nothing(mixed: Table, formulation: str) -> None:
    learned = quietly(mixed, backend=FindsNothing(), formulation=formulation, decompose=False)
    assert len(learned.rules) > 0  # from local search
    assert learned.certificate.proof == "counting"
    assert not learned.certificate.proved
    assert learned.certificate.termination is Termination.TIME_LIMIT


@pytest.mark.parametrize("backend", [Fails(), CallsItOptimal()], ids=["fails", "lies"])
def test_a_solver_that_cannot_be_trusted(mixed: Table, backend: BruteForce) -> None:
    with pytest.warns(OOAWarning, match="its bound is not used"):
        learned = learn_ooa(mixed, backend=backend, decompose=False)
    assert len(learned.rules) > 0
    assert learned.certificate.proof == "counting"
    assert not learned.certificate.proved


def test_a_gap_is_enough(mixed: Table) -> None:
    proof = quietly(mixed, C1=0.01, C2=0.01, max_patterns=2, relative_gap=0.9, decompose=False).certificate
    assert proof.termination in (Termination.GAP_LIMIT, Termination.OPTIMAL)
    assert proof.gap <= 0.9 + 1e-6
