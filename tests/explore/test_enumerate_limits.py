"""Listing under limits: what was found is kept, and not called complete."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace

import pytest
from support.clocks import HandClock
from support.enumerating import values

from ooa.clock import WorkClock
from ooa.constraints import max_false_positives
from ooa.data.table import Table
from ooa.datasets import tic_tac_toe
from ooa.explore import listing, listing_rounds
from ooa.explore.enumerate import enumerate_optimal
from ooa.explore.listing import Listing
from ooa.kernels.availability import compiled, what_is_missing
from ooa.learning.policy import Policy
from ooa.solving import Termination

needs_core = pytest.mark.skipif(not compiled(), reason=what_is_missing())


@pytest.mark.parametrize(("limit", "selection"), [(0, "auto"), (0.01, "search"), (1.0, "ilp")])
@pytest.mark.parametrize("options", [{"n": 30}, {"within": 0.02}, {"n": 30, "distinct_predictions": True}])
def test_a_time_limit_is_kept_and_said(limit, selection, options):
    data = tic_tac_toe()
    table = Table.from_any(data.X, data.y)
    clock = WorkClock(1e-3)  # a thousand looks at it are a second
    limits = {"max_patterns": None, "time_limit": limit, "clock": clock, "selection": selection}
    found = enumerate_optimal(table, **options, C1=0.004, C2=0.004, **limits)
    assert clock.instant < limit + 0.3  # then it is looked at a few times more
    assert not found.complete
    assert "there may be others" in str(found)
    assert len(found) >= 1
    assert values(found) == sorted(values(found))
    assert all(c.termination is Termination.TIME_LIMIT for c in found.certificates)
    assert all(c.bound <= c.objective for c in found.certificates)


def test_ctrl_c_keeps_what_was_found(monkeypatch):
    from ooa.explore import next_best as enumeration

    calls = []
    solve = enumeration.Enumeration._next

    def pressed(self, *args):
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return solve(self, *args)

    monkeypatch.setattr(enumeration.Enumeration, "_next", pressed)
    table = Table.from_any({"x": [1, 2, 3, 4, 5]}, [0, 1, 0, 1, 1])
    options = {"C1": "1/50", "C2": "1/50", "distinct_predictions": True, "selection": "ilp"}
    found = enumerate_optimal(table, 4, **options)
    assert not found.complete
    assert 1 <= len(found) < 4
    assert found.certificates[0].termination is Termination.INTERRUPTED


def test_ctrl_c_in_the_fit_makes_no_program_over_all_candidates(monkeypatch):
    """It may take seconds, and would only say what is known."""
    from ooa.explore import enumerate as module

    plain, made, run = module.NoGoodFormulation.of, [], module.run_ooax

    def pressed(fit, told):
        verdict = run(fit, told)
        fit.log.interrupted = True
        return verdict

    def of(candidates, *parts, **options):
        made.append(len(candidates))
        return plain(candidates, *parts, **options)

    monkeypatch.setattr(module, "run_ooax", pressed)
    monkeypatch.setattr(module.NoGoodFormulation, "of", of)
    table = Table.from_any({"x": [1, 2, 3, 4, 5], "y": [3, 1, 4, 1, 5]}, [0, 1, 0, 1, 1])
    found = enumerate_optimal(table, 4, C1="1/50", C2="1/50")
    assert made == [len(found.rules[0])]
    assert len(found) == 1
    assert not found.complete
    assert found.certificates[0].termination is Termination.INTERRUPTED


@needs_core
def test_ctrl_c_keeps_what_the_search_listed(monkeypatch):
    take = Listing._take

    def pressed(self, some):
        take(self, some)
        raise KeyboardInterrupt

    monkeypatch.setattr(Listing, "_take", pressed)
    table = Table.from_any({"x": [1, 2, 3, 4, 5]}, [0, 1, 0, 1, 1])
    found = enumerate_optimal(table, 4, C1="1/50", C2="1/50")
    assert not found.complete
    assert len(found) >= 1
    assert found.certificates[0].termination is Termination.INTERRUPTED


@needs_core
@pytest.mark.parametrize("seconds", [60.0, 1e-9])
def test_all_at_once_or_step_by_step_is_the_same(seconds, monkeypatch):
    rounds = []
    run = Listing.run

    def followed(self, *, brief=False):
        rounds.append((brief, run(self, brief=brief)))
        return rounds[-1][1]

    monkeypatch.setattr(Listing, "run", followed)
    data = tic_tac_toe()
    table = Table.from_any(data.X, data.y)
    clock = WorkClock(1e-6)  # nothing takes long, but longer than no time
    policy = replace(Policy(), attempt_seconds=seconds)
    found = enumerate_optimal(
        table, within="5%", C1=0.02, C2=0.02, clock=clock, policy=policy, time_limit=900
    )
    assert found.complete
    assert found.total == len(found) > 1
    assert rounds == ([(True, True)] if seconds > 1 else [(False, True)] * 3)  # an eighth, a half, all


@needs_core
@pytest.mark.parametrize("selection", ["auto", "ilp"])
def test_patience_for_the_optimum_does_not_end_the_list(selection):
    """A limit that is not the user's own ends a fit sooner if nothing better is in sight, a list never."""
    table = Table.from_any({"x": [1, 2, 3, 4, 5, 6], "z": [0, 1, 1, 0, 1, 0]}, [0, 1, 0, 1, 1, 0])
    told = {"within": 0.3, "C1": "1/50", "C2": "1/50", "selection": selection}
    hasty = replace(Policy(), patience_seconds=0.0, patience_share=0.0, attempt_seconds=0.0)
    found = enumerate_optimal(table, **told, policy=hasty, time_limit="auto", clock=WorkClock(1e-6))
    assert found.complete
    assert found.rules == enumerate_optimal(table, **told).rules


@needs_core
def test_a_step_that_is_ended_keeps_what_the_last_one_listed(monkeypatch):
    table = Table.from_any({"x": [1, 2, 3, 4, 5, 6], "z": [0, 1, 1, 0, 1, 0]}, [0, 1, 0, 1, 1, 0])
    told = {"within": 0.3, "C1": "1/50", "C2": "1/50", "policy": replace(Policy(), attempt_seconds=0.0)}
    every, run, done = (
        enumerate_optimal(table, **told, clock=WorkClock(1e-6), time_limit=900),
        Listing.run,
        [],
    )

    def ended(self, *, brief=False):
        done.append(not done and run(self, brief=brief))  # of the second step nothing is found
        return done[-1]

    monkeypatch.setattr(Listing, "run", ended)
    found = enumerate_optimal(table, **told, clock=WorkClock(1e-6), time_limit=900)
    assert done == [True, False]
    assert not found.complete
    assert found.rest is not None
    wanted = [rules for rules, one in every if one.objective < found.rest]
    assert 0 < len(wanted) < len(every)
    assert [rules for rules, one in found if one.objective < found.rest] == wanted


@needs_core
def test_an_attempt_that_takes_long_is_given_up(monkeypatch):
    table = Table.from_any({"x": [1, 2, 3, 4, 5, 6], "z": [0, 1, 1, 0, 1, 0]}, [0, 1, 0, 1, 1, 0])
    told = {"within": 0.3, "C1": "1/50", "C2": "1/50"}
    expected, go_on, attempts = enumerate_optimal(table, **told), Listing._go_on, []

    def impatient(self, share):
        attempts.append(self._attempt is not None)
        return not attempts[-1] and go_on(self, share)

    monkeypatch.setattr(Listing, "_go_on", impatient)
    found = enumerate_optimal(table, **told)
    assert attempts[0]
    assert not attempts[-1]
    assert found.rules == expected.rules
    assert found.complete


@needs_core
def test_mining_for_every_round_has_time(monkeypatch):
    data = tic_tac_toe()
    table = Table.from_any(data.X, data.y)
    clock, run = HandClock(), Listing.run

    def slow(self, *, brief=False):
        clock.move(20.0)
        return run(self, brief=brief)

    monkeypatch.setattr(Listing, "run", slow)
    policy = replace(Policy(), attempt_seconds=0)
    found = enumerate_optimal(
        table, within="5%", C1=0.02, C2=0.02, clock=clock, policy=policy, time_limit=100
    )
    assert found.complete


def test_steps_are_larger_where_they_are_soon_done(monkeypatch):
    monkeypatch.setattr(listing_rounds, "_widest", lambda fit, wanted: Fraction(1))

    def steps(seconds: list[float], within: Fraction | None) -> list[Fraction]:
        clock = HandClock()
        fit = SimpleNamespace(
            policy=Policy(), timing=SimpleNamespace(deadline=SimpleNamespace(spent=clock.now))
        )
        clock.time = 10.0  # the optimum
        taken = []
        for slack, took in zip(listing_rounds._rounds(fit, SimpleNamespace(within=within)), seconds):
            taken.append(slack)
            clock.move(took)
        return taken

    eighth = Fraction(1, 8)
    assert steps([20, 40, 1], eighth) == [eighth, 4 * eighth, 1]
    assert steps([21, 43, 90, 1], eighth) == [eighth, 2 * eighth, 4 * eighth, 1]
    assert steps([21, 42, 1], eighth) == [eighth, 2 * eighth, 1]
    first = Fraction(Policy().least_distance)
    assert steps([0, 0, 0], None) == [first, 2 * first, 4 * first]  # until so many are found


@needs_core
def test_how_many_meet_constraints_is_not_said_where_not_all_are_listed(monkeypatch):
    """Those that are not listed are counted whether or not they meet them; a sample is of those that do."""
    table = Table.from_any({"x": [1, 2, 3, 4, 5, 6], "z": [0, 1, 1, 0, 1, 0]}, [0, 1, 0, 1, 1, 0])
    told = {"within": 0.3, "C1": "1/50", "C2": "1/50", "sample": 50}
    beside = told | {"constraints": [max_false_positives(0)]}
    free, every = enumerate_optimal(table, **told), enumerate_optimal(table, **beside)
    assert free.total == len(free) > every.total == len(every) > 3
    monkeypatch.setattr(listing, "MOST_LISTED", len(free) // 2)
    assert enumerate_optimal(table, **told).total == len(free)
    some = enumerate_optimal(table, **beside)
    assert some.total is None
    assert not some.complete
    assert len(some) < len(every)
    assert set(some.sample) <= set(every.rules)
    assert len(set(some.sample)) > 1
