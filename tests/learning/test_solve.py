"""Solving within a fit: claims that nobody confirmed, licences too small, solvers of whole numbers."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from support.clocks import HandClock
from support.fake_backends import WholeNumbersOnly

from ooa.candidates.candidates import Candidates
from ooa.constraints import max_false_negatives, max_false_positives, min_sensitivity
from ooa.data.table import Table
from ooa.errors import BackendUnavailable, InfeasibleConstraints, LicenseLimit, OOAWarning
from ooa.formulations.ooax import OOAxFormulation
from ooa.kernels.availability import compiled, what_is_missing
from ooa.learning import solve
from ooa.learning.certificate import Standing, count
from ooa.learning.ooa import learn_ooa
from ooa.learning.ooax import learn_ooax
from ooa.learning.policy import POLICY
from ooa.learning.progress import Timing
from ooa.learning.settings import OOAxSettings
from ooa.learning.state import Fit
from ooa.objective import Objective
from ooa.rules.pattern import Pattern
from ooa.solving import Availability, RawResult, Termination, get_backend
from ooa.testing.patience import watched

OPTIONS = {"C1": 0.01, "C2": 0.01, "max_patterns": 3, "max_length": 2, "selection": "ilp"}
#: The fit starts from the empty rule set, which a liar can then call optimal.
NO_SEARCH = {"without": ["incumbent"]}
Highs = type(get_backend("highs"))


class Claims(Highs):
    """Calls the start optimal, with a bound to match: nothing about the answer itself shows that it lies."""

    name = "claims"

    def run(self, params, start, monitor):
        return RawResult(Termination.OPTIMAL, "optimal", start, float(self.c @ start))

    def load(self, milp):
        self.c = milp.c


class Errs(Claims):
    """The same, known to err."""

    name = "errs"

    def errs(self, claim):
        return True


class ErrsHonestly(Highs):
    """HiGHS, known to err."""

    name = "errs"

    def errs(self, claim):
        return True


class TooSmall(Highs):
    """Has a licence for a few rows."""

    name = "tiny"

    @classmethod
    def availability(cls):
        return Availability(True, "1.0", max_rows=5)


class Expired(Highs):
    """Is there, but its licence is over once it is started."""

    name = "expired"

    def load(self, milp):
        raise BackendUnavailable("the licence has expired")


@pytest.fixture(scope="module")
def problem():
    """A problem whose optimum is not the empty rule set."""
    rng = np.random.default_rng(2)
    columns = {name: rng.integers(0, 2, 60) for name in "abcde"}
    label = (columns["a"] & columns["b"]) | (columns["c"] & columns["d"])
    return Table.from_any(columns, np.where(rng.random(60) < 0.1, 1 - label, label))


@pytest.fixture(scope="module")
def best(problem):
    found = learn_ooax(problem, **OPTIONS).certificate
    assert (found.standing, found.confirmed_by, found.claimed_by) == (Standing.PROVED, "", "")
    return found.objective


# -- claims ------------------------------------------------------------------------------------------


def test_a_claim_that_nobody_confirmed_is_claimed_and_not_proved(problem, best):
    with pytest.warns(OOAWarning, match="errs claims an optimum, which nobody confirmed"):
        found = learn_ooax(problem, backend=Errs(), confirm=False, **OPTIONS, **NO_SEARCH).certificate
    assert found.objective > best  # the claim is wrong
    assert not found.proved
    assert found.gap > 0
    assert found.bound <= best
    assert (found.standing, found.headline) == (Standing.CLAIMED, "claimed by errs")
    assert found.termination is Termination.CLAIMED
    assert "claimed by errs to be optimal, which nobody confirmed" in str(found)
    assert "proved" not in str(found)


def test_a_right_claim_is_no_more_than_that(problem, best):
    with pytest.warns(OOAWarning, match="nobody confirmed"):
        found = learn_ooax(problem, backend=ErrsHonestly(), confirm=False, **OPTIONS).certificate
    assert (found.objective, found.proved, found.claimed_by) == (best, False, "errs")


def test_a_wrong_claim_of_who_is_known_to_err_is_put_right(problem, best):
    with pytest.warns(OOAWarning, match="errs calls .* optimal, but highs"):
        found = learn_ooax(problem, backend=Errs(), **OPTIONS, **NO_SEARCH).certificate
    assert (found.objective, found.proved, found.claimed_by) == (best, True, "")
    assert found.confirmed_by.startswith("highs ")
    assert f"confirmed by {found.confirmed_by}" in str(found)
    assert "but highs" in found.message


def test_a_right_claim_is_confirmed_in_silence(problem, best, recwarn):
    found = learn_ooax(problem, backend=ErrsHonestly(), **OPTIONS).certificate
    assert (found.objective, found.proved, found.message) == (best, True, "")
    assert found.confirmed_by.startswith("highs ")
    assert not recwarn.list


def test_confirmation_can_be_asked_for_of_any_solver(problem, best):
    lie = learn_ooax(problem, backend=Claims(), **OPTIONS, **NO_SEARCH).certificate
    assert lie.objective > best  # nothing shows that it lies
    with pytest.warns(OOAWarning, match="claims calls .* optimal, but highs"):
        found = learn_ooax(problem, backend=Claims(), confirm=True, **OPTIONS, **NO_SEARCH).certificate
    assert (found.objective, found.proved) == (best, True)


@pytest.mark.skipif(not compiled(), reason=what_is_missing())
def test_the_exact_search_counts_as_a_confirmation(problem, best):
    told = OPTIONS | {"selection": "search"}
    found = learn_ooax(problem, backend=ErrsHonestly(), **told).certificate
    assert (found.objective, found.proved, found.confirmed_by) == (best, True, "exact search")


def test_a_claim_about_a_pool_makes_it_no_best_of_candidates(problem):
    told = OPTIONS | {"max_candidates": 4}
    with pytest.warns(OOAWarning, match="nobody confirmed"):
        found = learn_ooax(problem, backend=ErrsHonestly(), confirm=False, **told).certificate
    assert (found.pool, found.claimed_by, found.standing) == (None, "", Standing.OPEN)
    confirmed = learn_ooax(problem, backend=ErrsHonestly(), **told).certificate
    assert confirmed.standing is Standing.POOL


def test_claims_about_patterns_that_are_formed(problem):
    told = {"C1": 0.01, "C2": 0.01, "max_patterns": 1, "decompose": False}
    truth = learn_ooa(problem, **told).certificate
    assert truth.proved
    found = learn_ooa(problem, backend=ErrsHonestly(), **told).certificate
    assert (found.objective, found.proved, found.proof) == (truth.objective, True, "formation")
    assert found.confirmed_by.startswith("highs ")
    with pytest.warns(OOAWarning, match="nobody confirmed"):
        claimed = learn_ooa(problem, backend=ErrsHonestly(), confirm=False, **told).certificate
    assert (claimed.proved, claimed.standing) == (False, Standing.CLAIMED)


@pytest.mark.parametrize(
    ("per_second", "share"), [(10**12, 1.0), (1, 0.5)], ids=["a small model", "a large one"]
)
def test_a_large_model_is_stopped_sooner(per_second: int, share: float) -> None:
    policy = replace(POLICY, unstopped_nonzeros_per_second=per_second)
    table = Table.from_any({"x": [1, 2, 3, 4]}, [0, 0, 1, 1])
    fit = Fit.of(table, OOAxSettings(time_limit=2.0, clock=HandClock(), policy=policy))
    candidates = Candidates.of_patterns(fit.problem.rows, [Pattern.parse("x >= 3")])
    milp = OOAxFormulation.of(candidates, fit.problem).milp
    assert solve._time_for(fit, milp) == pytest.approx(share * 2.0)
    assert solve._time_for(Fit.of(table, OOAxSettings()), milp) is None


def test_constraints_that_only_a_claim_calls_impossible_are_not_called_so(problem):
    impossible = [max_false_negatives(0), max_false_positives(0)]
    with pytest.raises(InfeasibleConstraints):
        learn_ooax(problem, backend=ErrsHonestly(), constraints=impossible, **OPTIONS)
    with pytest.warns(OOAWarning, match="no rule set that meets the constraints was found"):
        found = learn_ooax(
            problem, backend=ErrsHonestly(), confirm=False, constraints=impossible, **OPTIONS
        ).certificate
    assert found.standing is Standing.INFEASIBLE


def test_confirming_is_part_of_the_time_of_the_fit(problem, best):
    clock = HandClock()

    class Slow(ErrsHonestly):
        def run(self, params, start, monitor):
            result = super().run(params, start, monitor)
            clock.move(takes.pop())
            return result

    takes = [20.0, 61.0]
    with watched(get_backend("highs")) as runs, pytest.warns(OOAWarning, match="no time was left to confirm"):
        late = learn_ooax(problem, backend=Slow(), time_limit=60.0, clock=clock, **OPTIONS).certificate
    assert (late.proved, late.claimed_by, late.confirmed_by) == (False, "errs", "")
    near = partial(pytest.approx, rel=1e-3)  # a little less, as solvers take a while to stop
    assert [run.params.time_limit for run in runs] == near([60.0])  # its own, and no second one
    with watched(get_backend("highs")) as runs:
        found = learn_ooax(problem, backend=Slow(), time_limit=60.0, clock=clock, **OPTIONS).certificate
    assert (found.objective, found.proved, found.claimed_by) == (best, True, "")
    assert [run.params.time_limit for run in runs] == near([60.0, 40.0])


def test_a_claim_that_a_better_rule_set_belies_is_dropped(problem):
    found = learn_ooax(problem, backend=ErrsHonestly(), **OPTIONS).certificate
    assert replace(found, bound=Fraction(0), claimed_by="errs").headline == "claimed by errs"
    assert replace(found, claimed_by="errs").headline == "proved optimal"  # whoever else says so


# -- licences ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("backend", "words"),
    [(TooSmall(), "licence found for 'tiny' stops at 5"), (Expired(), "the licence has expired")],
    ids=["size", "expired"],
)
def test_a_licence_that_does_not_suffice_is_a_note_and_the_next_solver(problem, best, backend, words):
    with pytest.warns(OOAWarning, match="highs was asked instead"):
        learned = learn_ooax(problem, backend=backend, options={"own_option": 1}, **OPTIONS)
    found = learned.certificate
    assert words in found.message
    assert (found.objective, found.proved, found.backend) == (best, True, "highs")
    assert count(learned.rules, problem, Objective.of(0.01, 0.01)).objective == best


def test_patterns_are_formed_by_the_next_solver_as_well(problem):
    told = {"C1": 0.01, "C2": 0.01, "max_patterns": 1, "decompose": False}
    with pytest.warns(OOAWarning, match="highs was asked instead"):
        found = learn_ooa(problem, backend=TooSmall(), **told).certificate
    assert (found.proved, found.backend) == (True, "highs")


def test_without_another_solver_what_is_known_is_kept(problem, best, monkeypatch):
    monkeypatch.setattr("ooa.learning.solve.other_solvers", lambda name: iter(()))
    with pytest.warns(OOAWarning, match="tiny ended with error"):
        found = learn_ooax(problem, backend=TooSmall(), **OPTIONS).certificate
    assert found.objective == best  # the local search had found it
    assert not found.proved
    assert "licence found for 'tiny' stops at 5" in found.message


def test_an_exception_only_if_nothing_is_known(problem, monkeypatch):
    monkeypatch.setattr("ooa.learning.solve.other_solvers", lambda name: iter(()))
    all_found = [min_sensitivity(1)]  # which the empty rule set does not meet
    with pytest.raises(LicenseLimit, match="stops at 5"):
        learn_ooax(problem, backend=TooSmall(), constraints=all_found, **OPTIONS, **NO_SEARCH)


# -- whole numbers -----------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["aggregated", "disaggregated"])
def test_a_solver_of_whole_numbers_takes_the_selection(problem, best, form):
    found = learn_ooax(problem, backend=WholeNumbersOnly(), form=form, **OPTIONS).certificate
    assert (found.objective, found.proved, found.backend) == (best, True, "whole")


def test_a_solver_of_whole_numbers_takes_constraints(problem):
    some = [max_false_negatives(1), lambda f: f.predicted[:10].sum() >= 4]
    told = OPTIONS | {"constraints": some}
    found = learn_ooax(problem, backend=WholeNumbersOnly(), **told).certificate
    assert found.proved
    assert found.objective == learn_ooax(problem, **told).certificate.objective


@pytest.mark.parametrize("formulation", ["compact", "paper"])
def test_a_solver_of_whole_numbers_forms_patterns(problem, formulation):
    told = {"C1": 0.01, "C2": 0.01, "max_patterns": 1, "decompose": False, "formulation": formulation}
    found = learn_ooa(problem, backend=WholeNumbersOnly(), **told).certificate
    assert found.proved
    assert found.objective == learn_ooa(problem, **told).certificate.objective


class Pressed(Claims):
    """Ended by Ctrl-C."""

    name = "pressed"

    def run(self, params, start, monitor):
        return RawResult(Termination.INTERRUPTED, "interrupted", start)


class Told(Pressed):
    """Ended when it says what it has."""

    name = "told"

    def run(self, params, start, monitor):
        monitor.report(float(self.c @ start), None, 1, start)
        return super().run(params, start, monitor)


@pytest.mark.parametrize("solver", [Pressed(), Told()])
def test_what_was_not_told_to_stop_was_interrupted(problem, solver, monkeypatch):
    """A fit without news for too long says so when it hears any; who did not hear that is ended by Ctrl-C."""
    monkeypatch.setattr(Timing, "stalled", lambda timing: True)
    certificate = learn_ooax(problem, backend=solver, **OPTIONS, **NO_SEARCH).certificate
    assert (certificate.termination is Termination.INTERRUPTED) == (solver.name == "pressed")
