"""OOA by boxes within a fit: the optimum as by brute force, no worse than its start, whatever ends it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from support.brute_ooa import best_value
from support.clocks import HandClock
from support.sweeps import sweep
from support.tiny_tables import tiny_objective, tiny_table

from ooa.clock import WorkClock
from ooa.constraints import max_total_literals
from ooa.data.table import Table
from ooa.kernels.availability import compiled
from ooa.learning.box_generation import BoxGeneration
from ooa.learning.boxes import Boxing, boxes_can_be_had, too_many_cells
from ooa.learning.ooa import explain_ooa, learn_ooa
from ooa.learning.policy import POLICY
from ooa.learning.settings import OOASettings
from ooa.learning.state import Fit
from ooa.objective import Objective
from ooa.rules.ruleset import RuleSet
from ooa.search.boxes import BoxSearch

pytestmark = pytest.mark.skipif(not compiled(), reason="the core is not compiled")

#: Nothing is proved by listing all patterns.
BOXES = replace(POLICY, all_literals=-1)
#: Nor by the linear program.
FAMILIES = replace(POLICY, box_generation=(0.0, 0.0, 0.0))
LANGUAGE = {"single_category": True, "missing": False, "thresholds": "distinct", "max_thresholds": 15}


def noisy(seed: int = 0, n: int = 200) -> Table:
    """Two ranges of two numbers, in noise."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, 4)).round(3)
    fires = (X[:, 0] > 0.3) & (X[:, 0] < 0.8) & (X[:, 1] > 0.4)
    return Table.from_any({f"x{j}": X[:, j] for j in range(4)}, fires ^ (rng.random(n) < 0.1))


@pytest.mark.parametrize("seed", range(sweep(75, of=150)))
def test_as_by_brute_force(seed: int):
    rng = np.random.default_rng(seed)
    table, objective = tiny_table(rng), tiny_objective(rng)
    most, single, missing = int(rng.integers(1, 4)), bool(rng.integers(2)), bool(rng.integers(2))
    told = {"C1": objective.C1, "C2": objective.C2, "max_patterns": most}
    fit = Fit.of(table, OOASettings(**told, single_category=single, missing=missing))
    boxing = Boxing(fit, LANGUAGE | {"single_category": single, "missing": missing})
    if seed % 2:
        boxing.improve(fit.timing.deadline)
    boxing.prove(most, fit.timing.deadline)
    least = best_value(table, objective, most, single_category=single, missing=missing)
    assert fit.best.value == fit.best.upper == boxing.bound
    assert boxing.bound == least / sum(map(Fraction, table.weight.tolist()))


def test_the_proof_and_its_scope():
    learned = learn_ooa(noisy(), C1=0.01, C2=0.01, max_patterns=1)
    found = learned.certificate
    assert (found.proved, found.proof, found.confirmed_by) == (True, "boxes", "exact search")
    assert found.statement == "sets of at most 1 pattern (ranges of numbers; one condition per column)"
    assert found.backend == ""
    assert any(moment.bound == float(found.bound) for moment in learned.trace)


def test_never_worse_than_the_start():
    """A start by other hands is improved, or kept, also where time ends at once."""
    table = noisy(1)
    start = RuleSet.parse("0.32 <= x0 <= 0.78 AND x1 >= 0.41")
    at_once = learn_ooa(table, C1=0.01, C2=0.01, start=start, time_limit=0)
    given = Fit.of(table, OOASettings(C1=0.01, C2=0.01)).problem.value(start)
    assert at_once.certificate.objective <= given
    learned = learn_ooa(
        table, C1=0.01, C2=0.01, max_patterns=2, start=start, time_limit=30, clock=WorkClock(0.01)
    )
    assert learned.certificate.objective <= at_once.certificate.objective


def test_stopped_anywhere_the_bound_holds():
    """A clock that counts looks ends the search at ever later moments: bounds hold, and get no worse."""
    best = learn_ooa(noisy(2, 80), C1=0.02, C2=0.02, max_patterns=2, policy=BOXES).certificate
    assert best.proved
    for step in (0.5, 0.2, 0.05):
        told = {"C1": 0.02, "C2": 0.02, "max_patterns": 2, "time_limit": 30.0, "policy": BOXES}
        found = learn_ooa(noisy(2, 80), **told, clock=WorkClock(step)).certificate
        assert found.bound <= best.objective <= found.objective


def test_interrupted_on_the_way(monkeypatch: pytest.MonkeyPatch):
    """Ctrl-C between two bounds leaves the first one, and the best rule set."""
    calls = []

    def twice(self: Boxing, *arguments: object) -> bool:
        calls.append(arguments)
        if len(calls) > 2:
            raise KeyboardInterrupt
        return original(self, *arguments)  # type: ignore[arg-type]

    original = Boxing._exclude
    monkeypatch.setattr(Boxing, "_exclude", twice)
    told = {"C1": 0.01, "C2": 0.01, "max_patterns": 2, "clock": HandClock()}
    found = learn_ooa(noisy(), **told, policy=FAMILIES).certificate
    assert found.termination.value == "interrupted"
    assert len(calls) == 3
    assert 0 < found.bound < found.objective


@pytest.mark.parametrize(
    ("told", "can", "planned"),
    [
        ({}, True, True),
        ({"decompose": False}, False, False),
        ({"constraints": [max_total_literals(3)]}, True, True),
    ],
)
def test_when_boxes_have_a_turn(told: dict[str, object], can: bool, planned: bool):
    table, settings = noisy(), OOASettings(max_patterns=2, **told)
    assert boxes_can_be_had(Fit.of(table, settings), settings) is can
    assert ("families of boxes" in explain_ooa(table, settings)) is planned


def test_without_the_core_the_mip_has_it_all(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("ooa.learning.boxes.compiled", lambda: False)
    settings = OOASettings(max_patterns=1)
    assert not boxes_can_be_had(Fit.of(noisy(), settings), settings)
    assert "families" not in explain_ooa(noisy(), settings)


def test_many_patterns_are_only_improved():
    """Beyond so many boxes nothing is proved by them, but rule sets get better all the same."""
    policy = replace(BOXES, most_boxes=1, coarse_seconds=0.0)
    fit = Fit.of(noisy(3), OOASettings(C1=0.01, C2=0.01, policy=policy))
    boxing, before = Boxing(fit, LANGUAGE), fit.best.upper
    boxing.improve(fit.timing.deadline)
    assert boxing.bound is None
    assert fit.best.upper is not None
    assert before is not None
    assert fit.best.upper < before


@pytest.mark.parametrize(
    ("seconds", "memory", "told", "too_many"),
    [
        (10.0, None, {}, False),
        (None, None, {"box_cells_per_second": 1}, False),
        (10.0, None, {"box_cells_per_second": 100}, True),
        (1000.0, None, {"box_cells_per_second": 100}, False),
        (10.0, None, {"box_column_cells": 10**9}, True),
        (10.0, 1, {}, False),
        (10.0, 1, {"box_cell_bytes": 1 << 10}, True),
    ],
)
def test_no_boxes_over_more_cells_than_there_is_time_and_memory_for(
    seconds: float | None, memory: int | None, told: dict[str, int], too_many: bool
):
    options = {"time_limit": seconds, "max_memory": memory, "policy": replace(BOXES, **told)}
    settings = OOASettings(C1=0.01, C2=0.01, max_patterns=2, clock=HandClock(), **options)
    assert too_many_cells(Fit.of(noisy(n=600), settings)) is too_many
    assert ("families of boxes" in explain_ooa(noisy(n=600), settings)) is not too_many


def test_that_there_are_no_boxes_is_said():
    options = {"time_limit": 1, "clock": WorkClock(1e-2), "policy": replace(BOXES, box_cells_per_second=1)}
    found = learn_ooa(noisy(), C1=0.01, C2=0.01, max_patterns=2, **options).certificate
    assert "no search of boxes over 200 rows and 4 columns" in found.message
    assert "boxes" not in found.seconds


def test_weights_whose_sums_would_be_too_large_have_no_turn(monkeypatch: pytest.MonkeyPatch):
    settings = OOASettings(max_patterns=1)
    monkeypatch.setattr("ooa.learning.boxes.MOST_UNITS", 100)
    assert not boxes_can_be_had(Fit.of(noisy(), settings), settings)


def test_what_is_known_is_aimed_above(monkeypatch: pytest.MonkeyPatch):
    """A start counts from the beginning, and something worse that comes later does not."""
    fit = Fit.of(noisy(), OOASettings(C1=0.01, C2=0.01, max_patterns=1))
    fit.best.offer(RuleSet.parse("0.32 <= x0 <= 0.78 AND x1 >= 0.41"))
    boxing = Boxing(fit, LANGUAGE)
    assert boxing._target(1, 0.0) == 0
    monkeypatch.setattr(Boxing, "_close", lambda self, *arguments, **options: None)
    monkeypatch.setattr(Boxing, "_exclude", lambda self, *arguments: False)
    boxing.prove(1, fit.timing.deadline)
    known = boxing._target(1, 0.0)
    assert known > 0
    boxing._known(1, known - 1)
    assert boxing._target(1, 0.0) == known


@pytest.mark.parametrize("limit", [1.0, 5.0, 30.0])
def test_no_piece_is_begun_that_would_end_after_the_limit(monkeypatch: pytest.MonkeyPatch, limit: float):
    """On a million rows a piece of the search takes seconds, whoever looks at the clock after it."""
    clock, ended = HandClock(), []
    fit = Fit.of(noisy(), OOASettings(C1=0.01, C2=0.01, max_patterns=1, time_limit=limit, clock=clock))
    boxing = Boxing(fit, LANGUAGE)

    def slow(
        self: BoxSearch, boxes: int, target: int, go_on: Callable[[float], bool]
    ) -> tuple[bool, tuple[()]]:
        for piece in range(1, 100):
            clock.move(0.04 * min(piece, 8))
            ended.append(clock.time)
            if not go_on(piece / 100):
                return False, ()
        return True, ()

    monkeypatch.setattr(BoxSearch, "exclude", slow)
    boxing.prove(1, fit.timing.deadline)
    assert limit - 0.7 < max(ended) <= limit


def test_more_boxes_than_families_are_searched_for():
    """The linear program is all there is then; its bound is none that families refute."""
    told = {"C1": 0.01, "C2": 0.01, "max_patterns": 2, "clock": HandClock()}
    few = learn_ooa(noisy(3, 40), **told, policy=replace(FAMILIES, all_literals=-1)).certificate
    many = learn_ooa(noisy(3, 40), **told, policy=replace(BOXES, most_boxes=1)).certificate
    assert few.proved
    assert many.proof == "generation"
    assert 0 < many.bound <= few.objective <= many.objective


def test_certificates_by_generation_hold(monkeypatch: pytest.MonkeyPatch):
    """No set of boxes has a smaller L than the linear program alone says, as brute force sees it."""
    monkeypatch.setattr("ooa.learning.ooa._formed", lambda fit, settings, verdict: verdict)
    proofs = []
    for seed in range(60):
        rng = np.random.default_rng([seed, 22])
        table, objective = tiny_table(rng, most_rows=11), Objective.of(*2 * ["1/50" if seed % 2 else "1/100"])
        most, single, missing = int(rng.integers(2, 4)), bool(rng.integers(2)), bool(rng.integers(2))
        told = {"C1": objective.C1, "C2": objective.C2, "max_patterns": most, "clock": HandClock()}
        told |= {"single_category": single, "missing": missing}
        found = learn_ooa(table, **told, policy=replace(BOXES, most_boxes=1)).certificate
        total = sum(map(Fraction, table.weight.tolist()))
        least = best_value(table, objective, most, single_category=single, missing=missing) / total
        assert found.bound <= least <= found.objective
        assert not found.proved or found.bound == found.objective
        proofs.append(found.proof)
    assert proofs.count("generation") >= 10


def test_interrupted_in_the_linear_program(monkeypatch: pytest.MonkeyPatch):
    """Ctrl-C ends the fit there, with what was known before."""

    def interrupted(self: BoxSearch, *arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(BoxSearch, "most_valuable", interrupted)
    told = {"C1": 0.01, "C2": 0.01, "max_patterns": 2, "clock": HandClock()}
    found = learn_ooa(noisy(), **told, policy=replace(BOXES, most_boxes=1)).certificate
    assert found.termination.value == "interrupted"
    assert found.objective < 0.2


def test_what_the_program_chooses_on_the_way_is_a_start(monkeypatch: pytest.MonkeyPatch):
    """Pieces of it are so many rounds whatever the limit is, each four times the one before."""
    rounds: list[int | None] = []
    starts: list[object] = []
    turn, improve = BoxGeneration.turn, Boxing.improve

    def counted(self: BoxGeneration, *told: object) -> None:
        rounds.append(told[4])  # type: ignore[arg-type]
        turn(self, *told)  # type: ignore[arg-type]

    def begun(self: Boxing, deadline: object, starts_: object = None, *, brief: bool = False) -> None:
        if brief:
            starts.append(starts_)
        improve(self, deadline, starts_, brief=brief)  # type: ignore[arg-type]

    monkeypatch.setattr(BoxGeneration, "turn", counted)
    monkeypatch.setattr(Boxing, "improve", begun)
    policy = replace(POLICY, box_start_rounds=1, all_patterns=0)
    table = noisy(1, 120)
    told = {"C1": "1/100", "C2": "1/100", "progress": False, "policy": policy}
    learn_ooa(table, max_patterns=4, time_limit=30.0, clock=WorkClock(0.0005), **told)
    pieces = [n for n in rounds if n is not None]
    assert pieces[:2] == [1, 4]
    assert pieces == [4**k for k in range(len(pieces))]
    assert len(pieces) - 1 <= len(starts) <= len(pieces)
