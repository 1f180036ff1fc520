"""Solvers that do not stop when they should: what a fit makes of them, by a clock that their words move."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from support.clocks import HandClock
from support.fake_backends import Deaf, DeafApart

from ooa.candidates.candidates import Candidates
from ooa.data.table import Table
from ooa.errors import OOAWarning
from ooa.explore import enumerate as enumerate_module
from ooa.explore.enumerate import enumerate_optimal
from ooa.formulations.base import Formulation
from ooa.formulations.ooax import OOAxFormulation
from ooa.learning.conflict import clashing
from ooa.learning.ooa import learn_ooa
from ooa.learning.ooax import learn_ooax
from ooa.learning.settings import OOAxSettings
from ooa.learning.solve import solve_from_best
from ooa.learning.state import Fit
from ooa.learning.verdict import Verdict, certify
from ooa.rules.pattern import Pattern
from ooa.search.pair_program import PairProgram
from ooa.solving import Backend, SolveParams, Termination, follow, get_backend
from ooa.testing.models import knapsack

#: The fit starts from the empty rule set, so that whatever is better comes from the solver.
OPTIONS: dict[str, Any] = {
    "C1": 0.01,
    "C2": 0.01,
    "max_patterns": 3,
    "max_length": 2,
    "selection": "ilp",
    "without": ["incumbent"],
}
GIVEN_UP = "did not stop when it should"


@pytest.fixture(autouse=True)
def _silence(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Threads that were left to themselves end with the test."""
    over = threading.Event()
    monkeypatch.setattr(Deaf, "over", over)
    yield
    over.set()


@pytest.fixture(scope="module")
def table() -> Table:
    rng = np.random.default_rng(2)
    columns = {name: rng.integers(0, 2, 60) for name in "abcde"}
    label = (columns["a"] & columns["b"]) | (columns["c"] & columns["d"])
    return Table.from_any(columns, np.where(rng.random(60) < 0.1, 1 - label, label))


class Talk:
    """The log of a fit: every word of a solver that does not stop takes some of the time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, limit: float) -> None:
        self.clock, self.lines, self._step = HandClock(), [], max(limit / 40, 0.02)
        monkeypatch.setattr(follow, "CLOCK", self.clock)

    def __call__(self, line: str) -> None:
        self.lines.append(line)
        if line == "still alive":
            self.clock.move(self._step)


@pytest.mark.parametrize(
    ("backend", "limit"),
    [(Deaf(), 0.1), (Deaf(), 1.0), (Deaf(), 30.0), (DeafApart(), 30.0)],
    ids=["0.1 s", "1 s", "30 s", "30 s, isolated"],
)
def test_a_fit_keeps_its_limit_and_what_the_solver_told_of(
    monkeypatch: pytest.MonkeyPatch, table: Table, backend: Backend, limit: float
) -> None:
    told = Talk(monkeypatch, limit)
    with pytest.warns(OOAWarning, match=GIVEN_UP):
        found = learn_ooax(table, backend=backend, time_limit=limit, clock=told.clock, log=told, **OPTIONS)
    assert told.lines.count("begins") == 1
    assert limit < told.clock.now() <= 1.2 * limit + 1
    assert found.certificate.objective == learn_ooax(table, **OPTIONS).certificate.objective
    assert not found.certificate.proved
    assert found.certificate.termination is Termination.TIME_LIMIT
    assert f"deaf {GIVEN_UP}" in found.certificate.message
    assert not backend.overdue  # another fit may ask it again


def test_patterns_are_not_formed_by_who_was_given_up(monkeypatch: pytest.MonkeyPatch, table: Table) -> None:
    told = Talk(monkeypatch, 30.0)
    options = {"C1": 0.01, "C2": 0.01, "max_patterns": 1, "decompose": False}
    with pytest.warns(OOAWarning, match="deaf .*, and not asked again"):
        found = learn_ooa(table, backend=Deaf(), time_limit=30.0, clock=told.clock, log=told, **options)
    assert told.lines.count("begins") == 1
    assert told.clock.now() <= 1.2 * 30.0 + 1
    assert found.certificate.message.count(f"deaf {GIVEN_UP}") == 1


def test_nothing_is_listed_by_who_was_given_up(monkeypatch: pytest.MonkeyPatch, table: Table) -> None:
    """It has a part of the time for the best rule set, and would have the rest for the others."""
    told = Talk(monkeypatch, 30.0)
    monkeypatch.setattr(enumerate_module, "searchable", lambda fit, wanted: False)
    with pytest.warns(OOAWarning, match=GIVEN_UP):
        found = enumerate_optimal(
            table, 5, backend=Deaf(), time_limit=30.0, clock=told.clock, log=told, **OPTIONS
        )
    assert told.lines.count("begins") == 1
    assert told.clock.now() <= 1.2 * 30.0 + 1
    assert found.certificates[0].objective == learn_ooax(table, **OPTIONS).certificate.objective
    assert not found.complete
    assert f"deaf {GIVEN_UP}" in found.certificates[0].message


# -- whoever would ask it again ----------------------------------------------------------------------


def begun(table: Table) -> tuple[Fit, Formulation]:
    """A fit whose solver was given up, and a program for it."""
    fit = Fit.of(table, OOAxSettings(C1=0.01, C2=0.01))
    fit.solver.overdue = f"highs {GIVEN_UP}"
    candidates = Candidates.of_patterns(fit.problem.rows, [Pattern.parse("a = 1"), Pattern.parse("b = 1")])
    return fit, OOAxFormulation.of(candidates, fit.problem)


@pytest.fixture
def nobody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    def opened(self: Backend, milp: Any) -> Any:
        raise AssertionError("it was asked again")

    monkeypatch.setattr(Backend, "open", opened)


@pytest.mark.usefixtures("nobody_asks")
def test_no_program_is_solved_by_who_was_given_up(table: Table) -> None:
    fit, formulation = begun(table)
    with pytest.warns(OOAWarning, match="given up before, and not asked again"):
        solved = solve_from_best(fit, formulation)
    assert (solved.bound, solved.claimed, solved.solution.x) == (None, None, None)


@pytest.mark.usefixtures("nobody_asks")
def test_no_linear_program_either(table: Table) -> None:
    fit, _ = begun(table)
    covers = np.array([[True, False]])
    program = PairProgram(np.ones(2), np.ones(2), 1, fit.solver, SolveParams())
    program.add_patterns(covers, ~covers, np.array([1]))
    assert not program.solve(None)


@pytest.mark.usefixtures("nobody_asks")
def test_no_conflict_is_looked_for_with_it(table: Table) -> None:
    fit, formulation = begun(table)
    assert not clashing(lambda some: formulation, fit.solver)([])


def test_the_certificate_says_so_once(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ooa.learning.verdict.compiled", lambda: True)
    fit, _ = begun(table)
    verdict = Verdict(Candidates.of_patterns(fit.problem.rows, []))
    assert certify(fit, verdict).certificate.message == f"highs {GIVEN_UP}"
    fit.log.notes += ["something else", f"highs {GIVEN_UP}, and more"]
    assert certify(fit, verdict).certificate.message.count(GIVEN_UP) == 1
    fit.solver.overdue = ""
    fit.log.notes.clear()
    assert certify(fit, verdict).certificate.message == ""


def test_only_the_instance_that_was_given_up_is_marked() -> None:
    class Given(Deaf):
        """Given up as soon as it has said a word."""

    clock = HandClock()
    backend = Given()
    backend.solve(knapsack(), time_limit=1.0, clock=clock, start=[0, 0, 0], log=lambda line: clock.move())
    assert GIVEN_UP in backend.overdue
    assert not backend.fresh().overdue
    assert not get_backend("highs").overdue
