"""What becomes of a claim: confirmed by another solver, refuted by it, or no proof."""

from __future__ import annotations

import numpy as np
import pytest
from support.clocks import HandClock
from support.erring_backends import (
    CallsStartOptimal,
    Errs,
    ErrsAtLimit,
    ErrsWithinGap,
    ErrsWithNothing,
    ErrsWithWorst,
    Returns,
)
from support.fake_backends import BruteForce, Raises, SaysInfeasible, TinyLicence, WorstIsBest

from ooa.errors import OptionError
from ooa.solving import PointStatus, RawResult, SolveParams, Termination, available_backends, get_backend
from ooa.solving.registry import other_solvers
from ooa.testing.helpers import assert_optimal, assert_sound
from ooa.testing.models import infeasible_mip, knapsack, market_split, market_split_start
from ooa.testing.patience import watched

OPTIMUM = -4.0
HIGHS = get_backend("highs")


def asked(solve):
    """How often HiGHS was asked meanwhile, and what came of it."""
    with watched(HIGHS) as runs:
        solution = solve()
    return solution, runs


@pytest.mark.parametrize("isolate", [False, True])
def test_a_right_claim_is_confirmed(isolate):
    solution = Errs().solve(knapsack(), isolate=isolate)
    assert_optimal(knapsack(), solution, OPTIMUM)
    assert solution.confirmed_by == f"highs {HIGHS.availability().version}"
    assert solution.backend == "errs"
    assert "errs claims an optimum: highs is asked to confirm it" in solution.log
    assert (solution.message, solution.claimed_bound) == ("", None)


def test_a_wrong_claim_is_replaced_by_what_is_right():
    solution = ErrsWithWorst().solve(knapsack())
    assert_optimal(knapsack(), solution, OPTIMUM)
    assert solution.confirmed_by.startswith("highs ")
    assert solution.message == f"errs calls 0 optimal, but {solution.confirmed_by} found -4"


@pytest.mark.parametrize("offset", [0.0, 100.0, -1e6])
def test_the_offset_is_in_all_values(offset):
    solution = ErrsWithWorst().solve(knapsack(offset))
    assert_optimal(knapsack(offset), solution, offset + OPTIMUM)


def test_claims_of_infeasibility():
    found = Errs().solve(infeasible_mip())
    assert found.termination is Termination.INFEASIBLE
    assert found.confirmed_by.startswith("highs ")
    wrong = ErrsWithNothing().solve(knapsack())
    assert_optimal(knapsack(), wrong, OPTIMUM)
    assert wrong.message.startswith("errs claims that there is no point, but highs ")


def test_who_is_not_known_to_err_is_believed_unless_confirmation_is_asked_for():
    solution, runs = asked(lambda: BruteForce().solve(knapsack()))
    assert (len(runs), solution.confirmed_by, solution.is_optimal) == (0, "", True)
    solution, runs = asked(lambda: BruteForce().solve(knapsack(), confirm=True))
    assert (len(runs), solution.is_optimal) == (1, True)
    assert solution.confirmed_by.startswith("highs ")
    lie = SaysInfeasible().solve(knapsack(), confirm=True)
    assert_optimal(knapsack(), lie, OPTIMUM)


@pytest.mark.parametrize("backend", [Errs(), ErrsWithWorst(), ErrsWithNothing()], ids=repr)
def test_without_confirmation_a_claim_stays_a_claim(backend):
    solution, runs = asked(lambda: backend.solve(knapsack(), confirm=False))
    assert_sound(knapsack(), solution)
    assert not runs
    assert solution.termination is Termination.CLAIMED
    assert solution.status is not PointStatus.OPTIMAL
    assert (solution.bound, solution.is_optimal, solution.confirmed_by) == (None, False, "")
    assert solution.claimed_bound == solution.objective
    assert solution.message.endswith("which nobody confirmed")


def test_without_time_for_it_a_claim_stays_a_claim():
    clock = HandClock()

    class Late(Errs):
        def answer(self, best, start):
            clock.move()
            return super().answer(best, start)

    solution, runs = asked(lambda: Late().solve(knapsack(), time_limit=10.0, clock=clock))
    assert not runs
    assert solution.termination is Termination.CLAIMED
    assert solution.message == "errs claims an optimum, and no time was left to confirm it"
    assert (solution.objective, solution.bound, solution.claimed_bound) == (OPTIMUM, None, OPTIMUM)


def test_confirming_is_part_of_the_time_limit(monkeypatch):
    clock, told = HandClock(), []

    class First(Errs):
        def answer(self, best, start):
            clock.move(4.0)
            return super().answer(best, start)

    class Second(BruteForce):
        def run(self, params, start, monitor):
            told.append(params.time_limit)
            clock.move(3.0)
            monitor.report(OPTIMUM, OPTIMUM)
            return super().run(params, start, monitor)

    monkeypatch.setattr("ooa.solving.confirm.other_solvers", lambda name: iter([Second()]))
    heard = []
    solution = First().solve(knapsack(), time_limit=10.0, clock=clock, progress=heard.append)
    assert told == [6.0]
    assert solution.confirmed_by == "brute 1.0"
    assert solution.seconds == 7.0
    assert [moment.seconds for moment in heard] == [7.0]
    assert solution.trace == tuple(heard)


@pytest.mark.parametrize(("claims", "refuted"), [(Errs, False), (ErrsWithWorst, True)])
def test_who_is_stopped_before_the_end_confirms_nothing_but_may_refute(monkeypatch, claims, refuted):
    class Stopped(BruteForce):
        def answer(self, best, start):
            return RawResult(Termination.TIME_LIMIT, "late", best, float(self.model.c @ best) - 3.0)

    monkeypatch.setattr("ooa.solving.confirm.other_solvers", lambda name: iter([Stopped()]))
    solution = claims().solve(knapsack())
    assert (solution.objective, solution.bound, solution.confirmed_by) == (OPTIMUM, OPTIMUM - 3.0, "")
    assert solution.status is PointStatus.FEASIBLE
    if refuted:
        assert solution.termination is Termination.TIME_LIMIT
        assert (solution.message, solution.claimed_bound) == (
            "errs calls 0 optimal, but brute 1.0 found -4",
            None,
        )
    else:
        assert solution.termination is Termination.CLAIMED
        assert solution.message.startswith("errs claims an optimum, which brute 1.0 could not confirm")
        assert solution.claimed_bound == OPTIMUM


def test_who_fails_to_confirm_leaves_a_claim(monkeypatch):
    monkeypatch.setattr("ooa.solving.confirm.other_solvers", lambda name: iter([Raises()]))
    solution = ErrsWithNothing().solve(knapsack())
    assert solution.termination is Termination.CLAIMED
    assert solution.message.startswith(
        "errs claims that there is no point, which brute could not confirm: brute failed: ZeroDivisionError"
    )
    assert "brute is asked to confirm it" in solution.log


def test_what_could_not_be_confirmed_in_time_is_no_proof():
    clock = HandClock()
    milp, start = market_split(), market_split_start()
    solution = CallsStartOptimal().solve(
        milp, start, time_limit=60.0, clock=clock, progress=lambda moment: clock.move()
    )
    assert_sound(milp, solution)
    assert solution.termination is Termination.CLAIMED or solution.objective < milp.objective(start)
    assert not solution.is_optimal
    assert solution.confirmed_by == ""


def test_an_interrupted_confirmation_is_an_interruption():
    milp = market_split()
    best = HIGHS.solve(milp, time_limit=60, progress=lambda moment: moment.incumbent is not None).x
    # The progress that is heard is that of the solver that was asked.
    solution = CallsStartOptimal().solve(milp, best, progress=lambda moment: True)
    assert_sound(milp, solution)
    assert solution.termination is Termination.INTERRUPTED
    assert solution.confirmed_by == ""
    assert solution.objective <= milp.objective(best)


def test_bounds_at_a_limit_are_claims_as_well():
    solution, runs = asked(lambda: ErrsAtLimit().solve(knapsack()))
    assert not runs
    assert solution.termination is Termination.TIME_LIMIT
    assert (solution.bound, solution.claimed_bound) == (None, OPTIMUM + 1.0)
    assert solution.message == ""


def test_a_gap_is_confirmed_as_a_gap():
    solution = ErrsWithinGap().solve(knapsack(), relative_gap=0.9)
    assert_sound(knapsack(), solution)
    assert solution.confirmed_by.startswith("highs ")
    assert solution.bound is not None
    assert solution.bound <= OPTIMUM
    assert solution.gap <= 0.9
    left = ErrsWithinGap().solve(knapsack(), relative_gap=0.9, confirm=False)
    assert (left.termination, left.bound, left.claimed_bound) == (Termination.CLAIMED, None, -0.5)


def test_optimal_without_a_bound_is_a_claim():
    solution = WorstIsBest().solve(knapsack())
    assert_sound(knapsack(), solution)
    assert (solution.termination, solution.status) == (Termination.CLAIMED, PointStatus.FEASIBLE)
    assert (solution.bound, solution.claimed_bound, solution.is_optimal) == (None, 0.0, False)
    assert_optimal(knapsack(), WorstIsBest().solve(knapsack(), confirm=True), OPTIMUM)


def test_a_step_of_the_objective_is_all_that_is_asked_for():
    with watched(HIGHS) as runs:
        solution = Errs().solve(knapsack(), step=1.0)
        wrong = ErrsWithWorst().solve(knapsack(), step=1.0)
    assert [run.params.absolute_gap for run in runs] == [0.9, 0.9]
    assert [run.start is not None for run in runs] == [True, True]
    for found in (solution, wrong):
        assert_optimal(knapsack(), found, OPTIMUM)
        assert found.bound == found.objective  # nothing lies between


def test_a_step_too_small_for_solvers_is_none():
    milp = knapsack().replace(c=1e6 * knapsack().c)
    with watched(HIGHS) as runs:
        assert_optimal(milp, Errs().solve(milp, step=1e-3), 1e6 * OPTIMUM)
    assert len(runs) == 1


def test_own_options_and_limits_are_not_those_of_the_other_solver():
    class Takes(Errs):
        def run(self, params, start, monitor):
            return super().run(params.changed(options={}), start, monitor)

    with watched(HIGHS) as runs:
        solution = Takes().solve(knapsack(), options={"speed": 9}, node_limit=0, seed=5)
    assert_optimal(knapsack(), solution, OPTIMUM)
    assert (dict(runs[0].params.options), runs[0].params.node_limit, runs[0].params.seed) == ({}, None, 5)


def second(monkeypatch, *others):
    """Have these asked for confirmation, in this order."""
    monkeypatch.setattr("ooa.solving.confirm.other_solvers", lambda name: iter(others))


@pytest.mark.parametrize(
    ("step", "bound", "kept"),
    [
        (1.0, OPTIMUM - 0.5, OPTIMUM),  # there is no value between the two
        (0.25, OPTIMUM - 0.5, OPTIMUM - 0.5),  # there may be one
        (0.0, OPTIMUM - 0.5, OPTIMUM - 0.5),
        (1e-6, OPTIMUM - 5e-7, OPTIMUM - 5e-7),  # a step that is lost in the solvers' tolerances
    ],
)
def test_a_bound_less_than_a_step_away_is_the_value(monkeypatch, step, bound, kept):
    point = np.array([0.0, 1.0, 1.0])
    second(monkeypatch, Returns(RawResult(Termination.GAP_LIMIT, "near enough", point, bound)))
    solution = Errs().solve(knapsack(), step=step)
    assert (solution.objective, solution.bound) == (OPTIMUM, kept)
    near = kept > OPTIMUM - 0.1
    assert solution.termination is (Termination.OPTIMAL if near else Termination.GAP_LIMIT)
    assert solution.status is (PointStatus.OPTIMAL if near else PointStatus.FEASIBLE)
    assert solution.confirmed_by == "brute 1.0"


def test_of_two_points_of_one_value_the_claimed_one_is_kept(monkeypatch):
    """And never a worse one: whoever confirms starts from the point that is claimed."""
    milp = knapsack().replace(c=[-1.0, -1.0, 0.0])
    alone = Errs().solve(milp, confirm=False)
    other = np.array([1.0, 1.0, 0.0]) - alone.x + np.array([0.0, 0.0, alone.x[2]])
    for point, bound in ((other, alone.objective), (np.zeros(3), alone.objective)):
        second(monkeypatch, Returns(RawResult(Termination.GAP_LIMIT, "near enough", point, bound)))
        solution = Errs().solve(milp)
        assert_optimal(milp, solution, alone.objective)
        assert solution.x.tolist() == alone.x.tolist()
        assert solution.message == ""


def test_who_may_not_solve_a_model_of_this_size_is_passed_over(monkeypatch):
    second(monkeypatch, TinyLicence(), BruteForce())
    assert Errs().solve(knapsack()).confirmed_by == "brute 1.0"
    second(monkeypatch, TinyLicence())
    assert "there is no other solver" in Errs().solve(knapsack()).message


def test_the_log_says_who_is_asked_as_it_happens():
    told = []
    Errs().solve(knapsack(), log=told.append)
    assert "errs claims an optimum: highs is asked to confirm it" in told


def test_who_is_asked():
    names = [backend.name for backend in other_solvers("highs")]
    assert "highs" not in names
    assert names == [name for name in ("scip", "cbc", "gurobi") if available_backends()[name].ok]
    solution = HIGHS.solve(knapsack(), confirm=True)
    trusted = [b.name for b in other_solvers("highs") if not b.errs(Termination.OPTIMAL)]
    if trusted:
        assert solution.confirmed_by.startswith(f"{trusted[0]} ")
    else:
        assert solution.termination is Termination.CLAIMED
        assert solution.message == "highs claims an optimum, and there is no other solver to confirm it"


def test_lps_are_claims_too():
    milp = knapsack().relaxed()
    solution = HIGHS.solve(milp, confirm=True)
    if any(not b.errs(Termination.OPTIMAL) for b in other_solvers("highs")):
        assert_optimal(milp, solution, OPTIMUM)
        assert solution.duals is not None


@pytest.mark.parametrize(
    ("name", "value"), [("confirm", "yes"), ("confirm", 2), ("step", -1.0), ("step", "1")]
)
def test_parameters_that_make_no_sense(name, value):
    with pytest.raises(OptionError, match=name):
        SolveParams(**{name: value})
    assert SolveParams(step=np.float64(0.5)).step == 0.5
