"""Good rule sets within a fit: from plain candidates, under limits, and beside constraints."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.branching_cases import noisy

from ooa.candidates.candidates import Candidates
from ooa.clock import NEVER, Deadline, WorkClock
from ooa.constraints import max_false_positives, min_sensitivity, require_attribute, require_pattern
from ooa.data.table import Table
from ooa.errors import InfeasibleConstraints
from ooa.learning.conditions import literals_of
from ooa.learning.improve import greedy_start, local_search, search_the_rest
from ooa.learning.mine import least_supports, mine_patterns
from ooa.learning.ooax import learn_ooax
from ooa.learning.policy import POLICY
from ooa.learning.settings import OOAxSettings
from ooa.learning.state import Fit


def prepared(seed: int = 0, **options: object) -> tuple[Fit, Candidates]:
    settings = OOAxSettings(C1=0.005, C2=0.005, max_length=2, progress=False, **options)
    fit = Fit.of(noisy(np.random.default_rng(seed), 80), settings)
    literals = literals_of(settings, fit.problem)
    return fit, mine_patterns(fit, literals, settings, least_supports(fit, settings)).candidates


@pytest.mark.parametrize("seed", range(5))
def test_local_search_is_no_worse_than_a_greedy_start_and_that_than_nothing(seed: int):
    fit, candidates = prepared(seed)
    empty = fit.best.upper
    greedy_start(fit, candidates)
    grown = fit.best.upper
    local_search(fit, candidates, NEVER)
    assert fit.best.upper <= grown < empty
    assert fit.best.upper == fit.problem.value(fit.best.rules)


@pytest.mark.parametrize("seed", range(3))
def test_the_best_of_very_many_that_are_left_are_searched_among(seed: int):
    few = replace(POLICY, search_width=20, left_widths=(20, 60))
    fit, candidates = prepared(seed, policy=few)
    assert len(candidates) > 60
    empty = fit.best.upper
    search_the_rest(fit, candidates.take(np.arange(20)))  # not very many: they are the exact search's
    assert fit.best.upper == empty
    search_the_rest(fit, candidates)
    wide, found = fit.best.upper, prepared(seed, policy=replace(few, left_widths=(20,)))
    search_the_rest(found[0], candidates)
    assert wide <= found[0].best.upper < empty
    assert wide == fit.problem.value(fit.best.rules)


def test_no_candidates_and_no_width_change_nothing():
    fit, candidates = prepared()
    before = fit.best.upper
    greedy_start(fit, candidates.take(np.zeros(0, dtype=np.intp)))
    local_search(fit, candidates.take(np.zeros(0, dtype=np.intp)), NEVER)
    assert fit.best.upper == before
    blind, candidates = prepared(policy=replace(POLICY, greedy_width=0, search_width=0, least_search_width=0))
    greedy_start(blind, candidates)
    local_search(blind, candidates, NEVER)
    assert blind.best.upper == before


def test_the_first_search_runs_without_time_and_the_second_does_not():
    fit, candidates = prepared()
    clock = WorkClock()
    over = Deadline.after(0.0, clock)
    local_search(fit, candidates, over)
    assert len(fit.best.rules) > 0
    first, looks = fit.best.upper, clock.instant
    local_search(fit, candidates, over)
    assert fit.best.upper == first
    assert clock.instant <= looks + 3


def test_an_interrupted_fit_is_left_alone():
    fit, candidates = prepared()
    before, fit.log.interrupted = fit.best.upper, True
    greedy_start(fit, candidates)
    local_search(fit, candidates, NEVER)
    assert fit.best.upper == before


@pytest.mark.parametrize(
    "constraint", [min_sensitivity(0.95), max_false_positives(2), require_attribute("d")], ids=repr
)
def test_constraints_are_met_by_what_is_kept(constraint):
    fit, candidates = prepared(constraints=[constraint])
    greedy_start(fit, candidates)
    assert fit.best.upper is not None
    assert fit.problem.violated(fit.best.rules) == []


def test_required_patterns_beyond_the_limit_are_a_conflict_and_no_rule_set() -> None:
    table = Table.from_any({"x": [1, 2, 1, 1, 2, 1, 1], "c": list("bbbbbba")}, [0, 1, 1, 1, 1, 1, 1])
    both = [require_pattern("c = a"), require_pattern("x >= 2 AND c = b")]
    for constraints, most in ((both, 1), ([both[0], require_attribute("x")], 1)):
        with pytest.raises(InfeasibleConstraints):
            learn_ooax(table, C1=0.01, C2=0, max_patterns=most, constraints=constraints)
        learned = learn_ooax(table, C1=0.01, C2=0, max_patterns=2, constraints=constraints)
        assert learned.certificate.proved
        assert len(learned.rules) == 2
