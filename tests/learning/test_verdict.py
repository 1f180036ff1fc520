"""Why a fit ended, as the certificate says it: a limit only where one did."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from support.branching_cases import noisy

from ooa.candidates.candidates import Candidates
from ooa.clock import WorkClock
from ooa.constraints import max_false_positives
from ooa.data.table import Table
from ooa.kernels.availability import compiled, what_is_missing
from ooa.learning.certificate import Scope
from ooa.learning.ooa import learn_ooa
from ooa.learning.ooax import learn_ooax
from ooa.learning.policy import POLICY
from ooa.learning.settings import OOAxSettings
from ooa.learning.state import Fit
from ooa.learning.verdict import EVERYTHING, NOT_COMPILED, Reach, Verdict, certify
from ooa.solving import Termination

FOUR = Table.from_any({"x": [1, 2, 3, 4]}, [0, 0, 1, 1])
LANGUAGE = Reach(Scope.LENGTH, "all of these")


@pytest.fixture(scope="module")
def table():
    return noisy(np.random.default_rng(5), 80)


def test_all_done_without_a_proof_is_no_time_limit(table):
    told = {"C1": 0.002, "C2": 0.002, "progress": False, "selection": "ilp", "time_limit": 1000.0}
    found = learn_ooax(table, max_candidates=5, **told).certificate
    assert found.termination is Termination.EXHAUSTED
    assert "time limit" not in str(found)
    assert "all done that the settings allow" in str(found)


def test_a_limit_that_struck_is_said(table):
    found = learn_ooax(table, time_limit=0.05, clock=WorkClock(0.01), progress=False).certificate
    assert not found.proved
    assert found.termination is Termination.TIME_LIMIT


def test_the_default_limit_ends_when_nothing_better_is_in_sight(table):
    # Every look takes a second; nobody waits, and no rule set is in sight of the proof.
    impatient = replace(POLICY, patience_seconds=0.0, patience_share=0.0)
    told = {"C1": 0.002, "C2": 0.002, "max_length": 4, "progress": False}
    found = learn_ooax(table, time_limit="auto", policy=impatient, clock=WorkClock(), **told).certificate
    assert not found.proved
    assert found.termination is Termination.STALLED
    assert "nothing better in sight" in str(found)


@pytest.mark.skipif(not compiled(), reason=what_is_missing())
@pytest.mark.parametrize("learn", [learn_ooax, learn_ooa])
def test_without_the_core_a_fit_that_is_not_proved_says_so(learn, table, monkeypatch):
    told = {"time_limit": 0.05, "progress": False}
    assert NOT_COMPILED not in learn(table, clock=WorkClock(0.01), **told).certificate.message
    monkeypatch.setattr("ooa.learning.verdict.compiled", lambda: False)
    found = learn(table, clock=WorkClock(0.01), **told).certificate
    assert not found.proved
    assert found.message.endswith(NOT_COMPILED)
    assert NOT_COMPILED not in learn(FOUR, C1="1/8", C2="1/8", progress=False).certificate.message


def test_a_proof_is_an_end_however_late(table):
    for limit in (None, "auto"):
        found = learn_ooax(FOUR, C1="1/8", C2="1/8", time_limit=limit, progress=False).certificate
        assert found.termination is Termination.OPTIMAL


def test_beside_constraints_the_proof_comes_with_time(table):
    # The solver's first turn is cut short; its last one has what is left.
    told = {"C1": 0.01, "C2": 0.01, "progress": False, "constraints": [max_false_positives(1)]}
    hasty = replace(POLICY, first_turn=1e-6, long_turn=1e-6, relaxed_turn=1e-6)
    found = learn_ooax(table, time_limit=1000.0, policy=hasty, **told).certificate
    assert found.proved
    assert found.objective == learn_ooax(table, **told).certificate.objective


def test_bounds_over_a_pool_are_kept_apart():
    nothing = Candidates.of_patterns(FOUR, ())
    some, more = replace(LANGUAGE, pool=7), replace(LANGUAGE, pool=9)
    verdict = Verdict(nothing).with_bound(Fraction(1, 2), some, "selection")
    assert verdict.bound is None
    verdict = verdict.with_bound(Fraction(1, 8), LANGUAGE, "search").with_bound(
        Fraction(1, 4), more, "search"
    )
    assert (verdict.bound, verdict.proof) == (Fraction(1, 8), "search")
    assert verdict.with_bound(Fraction(1, 9), LANGUAGE, "selection").proof == "search"
    assert verdict.with_bound(None, LANGUAGE, "selection") is verdict
    fit = Fit.of(FOUR, OOAxSettings(C1="1/16", C2="1/16"))
    found = certify(fit, verdict).certificate  # the empty rule set, of value 1/2
    assert (found.bound, found.pool) == (Fraction(1, 8), 7)
    assert certify(fit, verdict.after(Verdict(nothing, pools=((99, Fraction(1, 2)),)))).certificate.pool == 99


def test_reach_in_words():
    assert EVERYTHING.everything
    assert not replace(EVERYTHING, pool=3).everything
    assert not LANGUAGE.everything
    assert replace(LANGUAGE, pool=1234).words == "sets of the 1,234 candidates that were looked at"
    assert LANGUAGE.words == "all of these"
