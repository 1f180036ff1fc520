"""What the base class makes of adapters that fail, crash or hang, and of what it is asked."""

from __future__ import annotations

import importlib.util
import os

import numpy as np
import pytest
import scipy.sparse as sp
from support.clocks import HandClock
from support.fake_backends import (
    BruteForce,
    ClashesHere,
    Crashes,
    FailsToLoad,
    Hangs,
    HangsTalking,
    NeverImports,
    PressedWhileLoading,
    PrintsEverywhere,
    Raises,
    RaisesAfterIncumbent,
    StopsWhenTold,
    UnpicklableError,
    WithArgument,
)

from ooa.clock import WorkClock
from ooa.errors import BackendUnavailable, ModelError, OptionError, SolverError
from ooa.model import Milp
from ooa.solving import (
    PointStatus,
    SolveParams,
    StartStatus,
    Termination,
    follow,
    get_backend,
)
from ooa.testing.helpers import assert_optimal, assert_sound, in_child
from ooa.testing.models import infeasible_mip, knapsack

OPTIMUM = -4.0


# -- honest adapters -------------------------------------------------------------------------------


def test_honest_adapter():
    solution = BruteForce().solve(knapsack(), start=[1, 0, 0])
    assert_optimal(knapsack(), solution, OPTIMUM)
    assert solution.start is StartStatus.USED
    assert BruteForce().solve(infeasible_mip()).termination is Termination.INFEASIBLE


def test_adapter_with_an_argument():
    backend = WithArgument(speed=7)
    assert backend.solve(knapsack()).raw_status == "at speed 7"
    assert backend.solve(knapsack(), isolate=True).raw_status == "at speed 7"


# -- failures --------------------------------------------------------------------------------------


@pytest.mark.parametrize("isolate", [False, True])
def test_exception_in_the_solver(isolate):
    with pytest.raises(SolverError, match="brute failed: ZeroDivisionError: deep inside the solver"):
        Raises().solve(knapsack(), isolate=isolate)
    kept = Raises().solve(knapsack(), start=[1, 0, 0], isolate=isolate)
    assert (kept.termination, kept.status, kept.objective) == (Termination.ERROR, PointStatus.FEASIBLE, -3.0)
    assert kept.message == "brute failed: ZeroDivisionError: deep inside the solver"
    assert "ZeroDivisionError: deep inside the solver" in kept.log


def test_exception_keeps_the_streamed_point():
    solution = RaisesAfterIncumbent().solve(knapsack())
    assert (solution.termination, solution.status) == (Termination.ERROR, PointStatus.FEASIBLE)


def test_exception_that_cannot_be_pickled():
    with pytest.raises(SolverError, match="the lock is"):
        UnpicklableError().solve(knapsack(), isolate=True)


def test_session_recovers_from_a_failed_load():
    with FailsToLoad().open(knapsack()) as session:
        with pytest.raises(SolverError, match="brute failed: MemoryError: no room"):
            session.solve()
        assert_optimal(knapsack(), session.solve(), OPTIMUM)


def test_crash_is_survived():
    solution = Crashes().solve(knapsack(), isolate=True)
    assert_sound(knapsack(), solution)
    assert solution.termination is Termination.ERROR
    assert "the process of brute died (exit code -11)" in solution.message
    assert solution.status is PointStatus.FEASIBLE  # the point it had handed out
    assert "about to crash" in solution.log


def test_hang_is_killed_at_the_limit():
    clock = HandClock()  # time is over once the point has come
    solution = Hangs().solve(
        knapsack(), isolate=True, time_limit=60, clock=clock, progress=lambda moment: clock.move()
    )
    assert_sound(knapsack(), solution)
    assert (solution.termination, solution.status) == (Termination.TIME_LIMIT, PointStatus.FEASIBLE)
    assert solution.message == "brute did not stop when it should, and was killed"


def test_a_thread_that_hangs_is_left_to_itself_after_the_limit(monkeypatch):
    monkeypatch.setattr(follow, "STUBBORN", 0.0)
    clock = HandClock()
    with Hangs().open(knapsack()) as session:
        hanging = session.backend
        solution = session.solve(time_limit=60, clock=clock, progress=lambda moment: clock.move())
        assert_sound(knapsack(), solution)
        assert (solution.termination, solution.status) == (Termination.TIME_LIMIT, PointStatus.FEASIBLE)
        assert solution.message.startswith("brute did not stop when it should, and its thread was left")
        assert session.backend is not hanging  # which still runs, and has its model
        assert hanging.milp is not None


@pytest.mark.parametrize("isolate", [False, True])
def test_a_hang_with_nothing_to_show_is_an_error(isolate, monkeypatch):
    monkeypatch.setattr(follow, "STUBBORN", 0.0)
    clock = HandClock()
    with pytest.raises(SolverError, match="brute did not stop when it should"):
        HangsTalking().solve(
            knapsack(), isolate=isolate, time_limit=60, clock=clock, log=lambda line: clock.move()
        )


@pytest.mark.parametrize(("limit", "taken"), [(60, 1000.0), (60, 61.5), (1, 1.2)])
def test_a_solver_that_overruns_its_limit_is_told_and_stops_for_lack_of_time(limit, taken):
    clock = HandClock()
    solution = StopsWhenTold().solve(
        knapsack(), time_limit=limit, clock=clock, progress=lambda moment: clock.move(taken)
    )
    assert solution.termination is Termination.TIME_LIMIT
    assert solution.status is PointStatus.FEASIBLE


def test_time_is_that_of_the_clock_handed_in():
    params = SolveParams(time_limit=10.0, clock=WorkClock())
    assert params == SolveParams(time_limit=10.0)  # a clock is no part of what is asked for
    assert params.deadline().left() == 9.0
    clock = HandClock()

    class Notes(BruteForce):
        def load(self, milp):
            clock.move(3.0)
            super().load(milp)

        def run(self, params, start, monitor):
            told.append(params.time_limit)
            clock.move(4.0)
            monitor.report(0.0)
            return super().run(params, start, monitor)

    told: list[float | None] = []
    solution = Notes().solve(knapsack(), time_limit=10.0, clock=clock)
    assert told == [7.0]  # loading counts
    assert solution.seconds == 7.0
    assert [moment.seconds for moment in solution.trace] == [7.0]


def test_loading_that_takes_all_the_time_leaves_none_to_run():
    clock = HandClock()

    class Late(BruteForce):
        def load(self, milp):
            clock.move()
            super().load(milp)

    solution = Late().solve(knapsack(), time_limit=10.0, clock=clock, start=[1, 0, 0])
    assert solution.termination is Termination.TIME_LIMIT
    assert solution.raw_status == "no time left once the model was loaded"
    assert solution.objective == -3.0


def test_noise_does_not_disturb_the_child():
    assert_optimal(knapsack(), PrintsEverywhere().solve(knapsack(), isolate=True), OPTIMUM)


def test_clash_sends_the_solve_to_a_child(monkeypatch):
    monkeypatch.setenv("OOA_CLASH", str(os.getpid()))
    assert_optimal(knapsack(), ClashesHere().solve(knapsack()), OPTIMUM)
    with pytest.raises(BackendUnavailable, match="undefined symbol"):
        ClashesHere().solve(knapsack(), isolate=False)
    with pytest.raises(BackendUnavailable, match="undefined symbol"):
        NeverImports().solve(knapsack())


def test_library_clash_with_ortools():
    if importlib.util.find_spec("ortools") is None:  # not imported: it must not get into this process
        pytest.skip("ortools is not installed")
    code = "import ortools.linear_solver.pywraplp\nanswer = backend.solve(given).objective"
    assert in_child(get_backend("highs"), code, knapsack()) == OPTIMUM


# Pressed once it hangs, and again half a second later, and so on.
_KEYS = """
milp, isolate = given
begun = threading.Event()
answer = pressed(
    lambda: backend.solve(milp, isolate=isolate, progress=lambda moment: begun.set()), 0.0, 0.5, begun
)
"""


@pytest.mark.parametrize("isolate", [False, True])
def test_second_ctrl_c_raises(isolate):
    assert in_child(Hangs(), _KEYS, (knapsack(), isolate)) == "raised"


def test_early_ctrl_c_is_not_lost():
    code = "answer = pressed(lambda: backend.solve(given).termination.value, None)"
    assert in_child(PressedWhileLoading(), code, knapsack()) == "interrupted"


# -- parameters and starts -------------------------------------------------------------------------


def test_option_error_passes_through():
    for isolate in (False, True):
        with pytest.raises(OptionError, match="brute force has no option 'depth'"):
            BruteForce().solve(knapsack(), options={"depth": 3}, isolate=isolate)


def test_wrong_start_is_an_error_even_if_no_solver_is_needed():
    milp = Milp([1.0, 1.0], sp.csr_array((0, 2)), [], [], [0, 0], [1, 1], [True, True])
    with pytest.raises(ModelError, match="2"):
        BruteForce().solve(milp, start=[1.0])


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("c", [np.nan, 0, 0]),
        ("c", [np.inf, 0, 0]),
        ("A", [[np.nan, 1, 1]]),
        ("A", [[np.inf, 1, 1]]),
        ("lower", [np.nan, 0, 0]),
        ("lower", [np.inf, 0, 0]),
        ("lower", [2, 0, 0]),
        ("upper", [-np.inf, 1, 1]),
        ("row_lower", [3]),
        ("row_upper", [np.nan]),
        ("offset", np.nan),
        ("c", [1.0]),
    ],
)
def test_what_no_solver_rejects_reliably(key, value):
    """NaN, infinities and crossed sides never reach a solver."""
    with pytest.raises(ModelError):
        knapsack().replace(**{key: value})
