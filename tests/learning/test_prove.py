"""The exact search within a fit: against the ILP, beside constraints, and under limits."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from support.branching_cases import always, noisy
from support.clocks import HandClock
from support.fake_backends import Raises

from ooa.candidates.candidates import Candidates
from ooa.clock import WorkClock
from ooa.constraints import max_uses, min_sensitivity, require_attribute
from ooa.data.bitsets import pack
from ooa.data.table import Table
from ooa.datasets import tic_tac_toe
from ooa.errors import OOAWarning, OptionError
from ooa.kernels.availability import compiled
from ooa.learning.certificate import Standing
from ooa.learning.conditions import literals_of
from ooa.learning.mine import least_supports, mine_patterns, mining_budget
from ooa.learning.ooax import learn_ooax
from ooa.learning.policy import POLICY
from ooa.learning.prove import search_exactly
from ooa.learning.settings import TECHNIQUES, OOAxSettings
from ooa.learning.state import Fit
from ooa.rules.ruleset import RuleSet
from ooa.search.branch_and_bound import Branching
from ooa.solving import SolveParams, Termination, get_backend

pytestmark = pytest.mark.skipif(not compiled(), reason="the core is not compiled")

#: One gap after the other, without an attempt at the whole proof before.
NO_ATTEMPTS = replace(
    POLICY,
    brief_attempt_seconds=0.0,
    first_attempt_seconds=0.0,
    early_attempt_seconds=0.0,
    rough_seconds=0.0,
    attempt_seconds=0.0,
)


@pytest.mark.parametrize("seed", range(12))
def test_search_and_ilp_prove_the_same(seed):
    rng = np.random.default_rng(seed)
    table = noisy(rng, int(rng.integers(20, 80)))
    C1, C2 = [(0.01, 0.01), ("1/100", 0), (0, "1/50"), (0.004, 0.03)][seed % 4]
    options = {
        "C1": C1,
        "C2": C2,
        "max_patterns": int(rng.integers(1, 5)),
        "max_length": 2,
        "progress": False,
    }
    searched = learn_ooax(table, selection="search", **options).certificate
    solved = learn_ooax(table, selection="ilp", max_candidates=None, **options).certificate
    assert searched.proved
    assert solved.proved
    assert searched.objective == solved.objective
    assert searched.scope is solved.scope
    assert searched.statement == solved.statement
    assert searched.proof in ("search", "counting")
    assert searched.backend == ""


def test_without_prices_and_with_a_size_limit():
    table = noisy(np.random.default_rng(3), 60)
    options = {"C1": 0, "C2": 0, "max_patterns": 2, "max_length": 2, "progress": False}
    searched = learn_ooax(table, selection="search", **options).certificate
    solved = learn_ooax(table, selection="ilp", max_candidates=None, **options).certificate
    assert searched.proved
    assert searched.objective == solved.objective


def test_the_search_takes_all_candidates_where_the_ilp_takes_the_best_by_score():
    table = noisy(np.random.default_rng(4), 80)
    options = {"C1": 0.002, "C2": 0.002, "max_candidates": 20, "progress": False}
    searched = learn_ooax(table, selection="search", **options)
    solved = learn_ooax(table, selection="ilp", **options)
    assert searched.certificate.statement.startswith("sets of at most 5 patterns up to length 3")
    assert solved.certificate.standing is Standing.POOL
    assert searched.certificate.objective <= solved.certificate.objective


def test_five_patterns_on_tic_tac_toe():
    """The ILP's bound is still half the objective after minutes here."""
    data = tic_tac_toe()
    found = learn_ooax(Table.from_any(data.X, data.y), C1=0.01, C2=0.01, max_patterns=5, progress=False)
    assert found.certificate.proved
    assert found.certificate.proof == "search"
    assert found.certificate.patterns == 5
    assert round(float(found.certificate.objective), 4) == 0.2760


def test_a_relative_gap_ends_the_search_with_an_honest_bound():
    table = noisy(np.random.default_rng(6), 80)
    options = {"C1": 0.003, "C2": 0.003, "selection": "search", "progress": False}
    exact = learn_ooax(table, **options).certificate
    rough = learn_ooax(table, relative_gap=0.3, **options).certificate
    assert rough.bound <= exact.objective <= rough.objective
    assert rough.gap <= 0.3
    assert rough.proved or rough.termination is Termination.GAP_LIMIT


def test_no_time_is_no_proof():
    table = noisy(np.random.default_rng(7), 80)
    found = learn_ooax(table, C1=0.001, C2=0.001, time_limit=1e-6, selection="search", progress=False)
    assert not found.certificate.proved
    assert found.certificate.termination is Termination.TIME_LIMIT


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"selection": "guess"}, "selection must be"),
        ({"selection": "search", "form": "aggregated"}, "form='aggregated' is about the ILP"),
        ({"selection": "search", "max_patterns": None, "C1": 0, "C2": 0}, "more than 200 patterns"),
    ],
)
def test_what_the_search_cannot_do_is_said(options, words):
    table = noisy(np.random.default_rng(8), 40)
    with pytest.raises(OptionError, match=words):
        learn_ooax(table, **{"C1": 0.01, "C2": 0.01, "progress": False} | options)


@pytest.mark.parametrize("selection", ["search", "ilp"])
def test_weights_without_a_common_measure_are_proved_up_to_rounding(selection):
    rng = np.random.default_rng(9)
    data = {"x": rng.integers(0, 9, 40), "y": rng.integers(0, 9, 40)}
    table = Table.from_any(data, rng.random(40) < 0.5, sample_weight=rng.uniform(0.1, 1, 40))
    found = learn_ooax(table, selection=selection, max_patterns=2, progress=False).certificate
    assert found.standing is Standing.PROVED_WITHIN
    assert found.proof == {"search": "search", "ilp": "selection"}[selection]
    assert 0 < found.rounding < 1e-5


@pytest.mark.parametrize("technique", [*TECHNIQUES])
def test_no_technique_changes_the_optimum(technique):
    table = noisy(np.random.default_rng(10), 70)
    options = {"C1": 0.005, "C2": 0.005, "max_length": 2, "selection": "search", "progress": False}
    whole = learn_ooax(table, **options).certificate
    less = learn_ooax(table, without=[technique], **options).certificate
    assert whole.proved
    assert less.proved
    assert less.objective == whole.objective


def test_an_unknown_technique_is_named():
    with pytest.raises(OptionError, match=r"without must name some of incumbent, .*, not 'luck'"):
        learn_ooax(noisy(np.random.default_rng(10), 30), without="luck", progress=False)


def test_the_search_proves_what_a_solver_that_fails_cannot():
    """Few candidates, so that the solver has the first turn."""
    table = noisy(np.random.default_rng(11), 30)
    options = {"C1": 0.03, "C2": 0.03, "max_length": 2, "progress": False}
    with pytest.warns(OOAWarning, match="ended with error"):
        found = learn_ooax(table, backend=Raises(), **options).certificate
    assert found.proved
    assert found.proof == "search"
    assert found.objective == learn_ooax(table, selection="ilp", **options).certificate.objective


def test_without_the_compiled_core_the_solver_does_it_all(monkeypatch):
    table = noisy(np.random.default_rng(12), 40)
    monkeypatch.setattr("ooa.learning.plan.compiled", lambda: False)
    options = {"C1": 0.02, "C2": 0.02, "max_length": 2, "progress": False}
    assert learn_ooax(table, **options).certificate.proof == "selection"
    with pytest.raises(OptionError, match="was not compiled when ooa was installed"):
        learn_ooax(table, selection="search", **options)
    stopped = learn_ooax(table, time_limit=1e-6, **options).certificate
    assert not stopped.proved


@pytest.mark.parametrize("seed", range(6))
def test_beside_constraints_the_search_needs_no_solver(seed):
    table = noisy(np.random.default_rng(20 + seed), 60)
    options = {"C1": 0.01, "C2": 0.01, "max_length": 2, "progress": False}
    free = learn_ooax(table, **options).certificate
    bound = [min_sensitivity(0.95), max_uses("b", 0), max_uses("d", 1)][seed % 3]
    exact = learn_ooax(table, constraints=[bound], selection="ilp", **options).certificate
    assert exact.proved
    assert exact.proof == "selection"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OOAWarning)
        alone = learn_ooax(table, constraints=[bound], backend=Raises(), **options).certificate
    assert alone.feasible
    assert alone.proof == "search"
    assert free.objective <= alone.bound
    assert alone.proved
    assert alone.bound == alone.objective == exact.objective


@pytest.mark.parametrize("start", ["b <= 2", None])
def test_what_constraints_ask_for_may_be_worse_than_nothing(start):
    """No pattern pays here, so that a required one makes the best rule set worse than the empty one."""
    rng = np.random.default_rng(3)
    data = {"a": rng.integers(0, 9, 40), "b": rng.integers(0, 9, 40)}
    table = Table.from_any(data, [1] * 6 + [0] * 34)
    options = {"C1": "1/10", "C2": "1/10", "constraints": [require_attribute("b")], "progress": False}
    exact = learn_ooax(table, selection="ilp", **options).certificate
    assert exact.proved
    assert exact.objective > Fraction(6, 40)
    given = start and RuleSet.parse(start)
    found = learn_ooax(table, backend=Raises(), start=given, **options).certificate
    assert found.proved
    assert found.objective == exact.objective


def test_ctrl_c_keeps_the_gaps_that_are_proved(monkeypatch):
    table = noisy(np.random.default_rng(21), 60)
    original, calls = Branching.run, []

    def run(self, target, known, go_on):
        calls.append(target)
        if len(calls) == 6:
            raise KeyboardInterrupt
        return original(self, target, known, go_on)

    monkeypatch.setattr(Branching, "run", run)
    options = {"C1": 0.01, "C2": 0.01, "max_length": 2, "max_patterns": 3, "selection": "search"}
    found = learn_ooax(
        table, progress=False, without=["separation"], policy=NO_ATTEMPTS, **options
    ).certificate
    assert found.termination is Termination.INTERRUPTED
    assert found.proof == "search"
    assert 0 < found.bound < found.objective


def test_a_greedy_start_gives_the_search_something_to_beat(monkeypatch):
    table = noisy(np.random.default_rng(12), 60)
    options = {"C1": 0.01, "C2": 0.01, "max_length": 2, "max_patterns": 3, "progress": False}
    without = learn_ooax(table, selection="search", **options)
    at_first = []

    def run(self, target, known, go_on):
        at_first.append(known)
        return original(self, target, known, go_on)

    original = Branching.run
    monkeypatch.setattr(Branching, "run", run)
    found = learn_ooax(table, selection="search", policy=replace(POLICY, greedy_above=0), **options)
    assert at_first[0] > 0
    assert found.certificate.proved
    assert found.certificate.objective == without.certificate.objective


def test_more_than_twenty_patterns_are_searched_too():
    rng = np.random.default_rng(11)
    rows = 120
    covers = np.zeros((40, rows), dtype=bool)
    for k in range(40):
        covers[k, 3 * k : 3 * k + 3] = True
    label = rng.random(rows) < 0.8
    search = Branching(
        pack(covers), label.astype(float), 1.0 - label, np.ones(40, dtype=np.int64), max_patterns=40
    )
    gain = covers[:, label].sum(axis=1) - covers[:, ~label].sum(axis=1) - 1
    best = gain[gain > 0].sum()
    # By their worst member alone sets of disjoint patterns are bounded badly; a linear program settles them.
    assert search.add_pair_cuts(0, get_backend("highs"), SolveParams()) == best
    assert search.run(best - 1, best - 1, always)
    assert search.best == best
    assert len(search.choice) > 20


def test_a_search_that_runs_out_of_time_without_any_bound_ends():
    rng = np.random.default_rng(0)
    columns = {f"x{i}": rng.integers(0, 10, 300) for i in range(6)}
    table = Table.from_any(columns, columns["x0"] >= 5)  # an L of 0 is known at once: no gap is below it
    found = learn_ooax(
        table,
        C1=0,
        C2=0,
        max_patterns=5,
        selection="search",
        time_limit=0.4,
        clock=WorkClock(1e-3),
        policy=NO_ATTEMPTS,
        without=["separation", "replacement"],
        progress=False,
    )
    assert found.certificate.objective == 0
    # The patterns of the first round were searched; that there is no time for more of them is no error.
    assert "no exact search among" in found.certificate.message


@pytest.mark.parametrize(("per_second", "used"), [(0, False), (10**9, True)])
def test_multipliers_are_used_where_there_is_time_for_them(monkeypatch, per_second, used):
    seen, run = [], Branching.run

    def noted(self, *some):
        seen.append(self.multipliers)
        return run(self, *some)

    monkeypatch.setattr(Branching, "run", noted)
    policy = replace(POLICY, multiplied_words_per_second=per_second)
    options = {"C1": 0.01, "C2": 0.01, "selection": "search", "progress": False, "policy": policy}
    found = learn_ooax(noisy(np.random.default_rng(1), 60), time_limit=1000, clock=WorkClock(1e-3), **options)
    assert found.certificate.proved
    assert set(seen) == {used}


@pytest.mark.parametrize(("per_second", "solved"), [(0, False), (10**9, True)])
def test_a_linear_program_is_laid_out_where_there_is_time_for_it(monkeypatch, per_second, solved):
    seen, add = [], Branching.add_pair_cuts

    def noted(self, *some):
        seen.append(len(self))
        return add(self, *some)

    monkeypatch.setattr(Branching, "add_pair_cuts", noted)
    policy = replace(NO_ATTEMPTS, unpacked_words_per_second=per_second)
    options = {"C1": 0.01, "C2": 0.01, "selection": "search", "progress": False, "policy": policy}
    found = learn_ooax(noisy(np.random.default_rng(1), 60), time_limit=1000, clock=WorkClock(1e-3), **options)
    assert found.certificate.proved
    assert bool(seen) == solved


def test_once_time_is_over_nothing_more_is_begun(monkeypatch):
    begun, run, clock = [], Branching.run, HandClock()

    def slow(self, *some):
        begun.append(clock.now())
        clock.move(20.0)
        return run(self, *some)

    monkeypatch.setattr(Branching, "run", slow)
    options = {"C1": 0.01, "C2": 0.01, "selection": "search", "progress": False}
    found = learn_ooax(noisy(np.random.default_rng(1), 60), time_limit=10.0, clock=clock, **options)
    assert begun == [0.0]
    assert len(found.rules)


def test_threads_that_share_at_once_prove_the_same():
    data = tic_tac_toe()
    table = Table.from_any(data.X, data.y)
    options = {"C1": 0.01, "C2": 0.01, "max_patterns": 5, "selection": "search", "progress": False}
    usual = learn_ooax(table, threads=1, **options).certificate
    free = learn_ooax(table, threads=3, deterministic=False, **options).certificate
    assert usual.proved
    assert free.proved
    assert free.objective == usual.objective


@pytest.mark.parametrize("seed", range(8))
def test_a_search_goes_on_where_another_one_ended(seed):
    """Its bound and its multipliers stay; what is proved in the end is what one search alone proves."""
    table = noisy(np.random.default_rng(seed), 60)
    settings = OOAxSettings(
        C1=0.01, C2=0.01, max_length=2, max_patterns=3, progress=False, policy=NO_ATTEMPTS
    )
    whole = learn_ooax(table, settings).certificate
    fit = Fit.of(table, settings)
    literals, budget = literals_of(settings, fit.problem), mining_budget(fit, settings)
    candidates = mine_patterns(fit, literals, settings, least_supports(fit, settings), budget).candidates
    first = search_exactly(fit, candidates, briefly=True)
    assert first.multipliers is not None
    assert first.bound is not None
    assert first.bound <= whole.objective
    left = candidates.take(first.left).joined(Candidates.of_patterns(fit.problem.rows, fit.best.rules))
    second = search_exactly(fit, left, before=first, briefly=True)
    assert second.bound == first.bound
    assert second.multipliers is first.multipliers
    assert search_exactly(fit, left, before=first).bound == whole.objective == fit.best.upper


def test_no_bound_on_the_way_is_below_the_one_that_always_holds(monkeypatch):
    def cut_short(search: Branching, target: int, known: int, go_on: Callable[[float], bool]) -> bool:
        search.best, search.choice, search.bound = known, (), int(search._all)
        return False

    monkeypatch.setattr(Branching, "run", cut_short)
    table = noisy(np.random.default_rng(0), 60)
    options = {"C1": 0.01, "C2": 0.01, "selection": "search", "without": "separation"}
    learned = learn_ooax(table, max_length=2, progress=False, **options)
    first, *later = [moment.bound for moment in learned.trace if moment.bound is not None]
    assert not learned.certificate.proved
    assert later
    assert min(later) >= first > 0
