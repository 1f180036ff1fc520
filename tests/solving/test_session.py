"""What the base class makes of adapters that lie, fail, crash or hang."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse as sp
from support.clocks import HandClock
from support.fake_backends import (
    AlmostWhole,
    BoundAbove,
    BruteForce,
    ClashesHere,
    Crashes,
    FailsToLoad,
    Hangs,
    HangsTalking,
    IgnoresStart,
    IncumbentIsOptimal,
    Missing,
    NanPoint,
    NeverImports,
    OptimalWithoutPoint,
    PressedWhileLoading,
    PrintsEverywhere,
    Raises,
    RaisesAfterIncumbent,
    RayOnly,
    SaysInfeasible,
    SaysUnbounded,
    StopsWhenTold,
    UnpicklableError,
    Violating,
    WithArgument,
    WorstIsBest,
    WrongLength,
    ZeroObjectiveAtLimit,
)

import ooa.testing
from ooa.clock import WorkClock
from ooa.errors import BackendUnavailable, ModelError, OptionError, SolverError
from ooa.model import Milp, Rows
from ooa.solving import (
    Capability,
    PointStatus,
    RawResult,
    SolveParams,
    StartStatus,
    Termination,
    follow,
    get_backend,
)
from ooa.testing import all_checks, checks
from ooa.testing.helpers import assert_optimal, assert_sound, in_child
from ooa.testing.models import infeasible_mip, knapsack, small_lp

INF = np.inf
OPTIMUM = -4.0


def covered() -> Milp:
    """Like the knapsack, but 0 is no solution."""
    return Milp([3, 2, 2], [[2, 1, 1]], [2], [np.inf], [0] * 3, [1] * 3, [True] * 3)


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


# -- liars -----------------------------------------------------------------------------------------


def test_violating_point_is_dropped():
    solution = Violating().solve(knapsack())
    assert_sound(knapsack(), solution)
    assert solution.termination is Termination.ERROR
    assert solution.x is None
    assert "violates row weight[0] by 1" in solution.message
    assert "violates" in Violating().solve(knapsack(), start=[1, 0, 0]).message


def test_violating_point_gives_way_to_the_start():
    solution = Violating().solve(knapsack(), start=[1, 0, 0])
    assert_sound(knapsack(), solution)
    assert (solution.termination, solution.status) == (Termination.ERROR, PointStatus.FEASIBLE)
    assert solution.objective == -3.0


def test_false_optimum_below_a_known_point():
    solution = WorstIsBest().solve(knapsack(), start=[1, 0, 0])
    assert_sound(knapsack(), solution)
    assert solution.termination is Termination.ERROR
    assert solution.status is PointStatus.FEASIBLE
    assert solution.objective == -3.0
    assert "calls 0 optimal, but -3 is known" in solution.message


def test_optimal_within_a_gap_is_not_optimal():
    solution = WorstIsBest().solve(knapsack(), relative_gap=0.5)
    assert_sound(knapsack(), solution)
    assert (solution.termination, solution.status) == (Termination.GAP_LIMIT, PointStatus.FEASIBLE)
    assert solution.bound is None


def test_bound_above_the_objective():
    solution = BoundAbove().solve(knapsack())
    assert_sound(knapsack(), solution)
    assert (solution.termination, solution.status) == (Termination.ERROR, PointStatus.FEASIBLE)
    assert solution.bound is None
    assert "bound of 1 above" in solution.message


def test_incumbent_called_optimal():
    solution = IncumbentIsOptimal().solve(knapsack(), start=[1, 0, 0])
    assert_sound(knapsack(), solution)
    assert (solution.termination, solution.status) == (Termination.GAP_LIMIT, PointStatus.FEASIBLE)
    assert (solution.objective, solution.bound) == (-3.0, -4.0)


def test_ignored_start_is_kept_and_told():
    solution = IgnoresStart().solve(knapsack(), start=[1, 0, 0])
    assert_sound(knapsack(), solution)
    assert solution.start is StartStatus.NOT_USED
    assert (solution.termination, solution.objective) == (Termination.TIME_LIMIT, -3.0)


def test_almost_whole_numbers_are_rounded():
    solution = AlmostWhole().solve(knapsack())
    assert_optimal(knapsack(), solution, OPTIMUM)
    assert solution.x.tolist() == [0.0, 1.0, 1.0]
    assert solution.objective == OPTIMUM


def test_false_infeasibility_against_a_start():
    solution = SaysInfeasible().solve(knapsack(), start=[1, 0, 0])
    assert_sound(knapsack(), solution)
    assert (solution.termination, solution.objective) == (Termination.ERROR, -3.0)
    assert "infeasib" in solution.message


def test_false_unboundedness_ends():
    solution = SaysUnbounded().solve(knapsack())
    assert_sound(knapsack(), solution)
    assert solution.termination is not Termination.OPTIMAL


def test_infeasible_or_unbounded_is_settled():
    assert RayOnly().solve(infeasible_mip()).termination is Termination.INFEASIBLE
    solution = RayOnly().solve(knapsack())
    assert solution.termination is Termination.UNBOUNDED
    assert solution.status is PointStatus.FEASIBLE


@pytest.mark.parametrize("backend", [NanPoint(), WrongLength(), OptimalWithoutPoint()], ids=repr)
@pytest.mark.parametrize("start", [None, [1, 0, 0]], ids=["alone", "start"])
def test_broken_point(backend, start):
    solution = backend.solve(knapsack(), start=start)
    assert_sound(knapsack(), solution)
    assert solution.termination is Termination.ERROR
    assert solution.message
    assert solution.objective == (None if start is None else -3.0)


def test_nan_point_of_a_mixed_model():
    milp = knapsack().replace(integer=[True, True, False])
    solution = NanPoint().solve(milp)
    assert solution.termination is Termination.ERROR
    assert solution.x is None


def test_zeros_at_a_limit_are_no_incumbent():
    solution = ZeroObjectiveAtLimit().solve(covered())
    assert_sound(covered(), solution)
    assert (solution.termination, solution.x, solution.bound) == (Termination.TIME_LIMIT, None, None)


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


# -- changes to an open model ----------------------------------------------------------------------

Highs = type(get_backend("highs"))


class Counting(Highs):
    """HiGHS that counts how often a model is loaded."""

    def __init__(self):
        super().__init__()
        self.loads = 0

    def load(self, milp):
        self.loads += 1
        super().load(milp)


class CountingWithoutChanges(Counting):
    """HiGHS that must load a changed model afresh."""

    capabilities = frozenset([Capability.CONTINUOUS, Capability.LP])


class HalfAColumn(Counting):
    """HiGHS that takes a change and then fails."""

    def add_columns(self, cost, matrix, lower, upper):
        super().add_columns(cost, matrix, lower, upper)
        raise SolverError("the disk is full")


class WarmIsUndecided(Counting):
    """HiGHS that gives up when it does not start afresh."""

    def run(self, params, start, monitor):
        if self.runs_since_load:
            return RawResult(Termination.ERROR, "unknown")
        self.runs_since_load += 1
        return super().run(params, start, monitor)

    def load(self, milp):
        self.runs_since_load = 0
        super().load(milp)


class ForgetsBounds(Highs):
    """HiGHS that does not take new bounds."""

    def change_bounds(self, lower, upper):
        pass


class ForgetsCoefficients(Highs):
    """HiGHS that takes new columns without their coefficients."""

    def add_columns(self, cost, matrix, lower, upper):
        super().add_columns(cost, sp.csc_array(matrix.shape), lower, upper)


def changed_in_turns(session):
    """Five solves with a change before each but the first."""
    found = [session.solve().objective]
    session.change_bounds([0, 0], [INF, 4])
    found.append(session.solve().objective)
    session.add_columns([-4], [[0], [0], [1]], 0, 6)
    found.append(session.solve().objective)
    session.add_rows(Rows(sp.csr_array([[0.0, 0.0, 1.0]]), np.array([-INF]), np.array([5.0]), (1,)))
    found.append(session.solve().objective)
    session.change_bounds([0, 0, 0], [INF, INF, INF])
    found.append(session.solve().objective)
    return found


@pytest.mark.parametrize(("kind", "loads"), [(Counting, 1), (CountingWithoutChanges, 5)])
def test_a_changed_lp_is_loaded_once_where_the_solver_can(kind, loads):
    with kind().open(small_lp()) as session:
        assert changed_in_turns(session) == pytest.approx([-36, -30, -48, -45, -51])
        assert session.backend.loads == loads


def test_a_changed_mip_is_loaded_afresh():
    with Counting().open(knapsack()) as session:
        session.solve()
        session.change_bounds([0, 0, 0], [1, 1, 0])
        assert session.solve().objective == -3
        session.add_columns([-5], [[1]], 0, 0.5)
        assert session.solve().objective == -4.5
        assert session.backend.loads == 3


def test_a_change_that_failed_half_way_is_made_afresh():
    with HalfAColumn().open(small_lp()) as session:
        session.solve()
        with pytest.raises(SolverError, match="the disk is full"):
            session.add_columns([-4], [[0], [0], [1]], 0, 6)
        assert session.solve().objective == pytest.approx(-54)
        assert session.backend.loads == 2


def test_a_warm_lp_that_stays_undecided_is_solved_afresh():
    with WarmIsUndecided().open(small_lp()) as session:
        assert changed_in_turns(session) == pytest.approx([-36, -30, -48, -45, -51])
        assert session.backend.loads == 5


@pytest.mark.parametrize("name", ["add_rows", "add_columns", "change_bounds"])
def test_an_adapter_without_changes_says_so(name):
    arguments = {"add_rows": 3, "add_columns": 4, "change_bounds": 2}
    with pytest.raises(OptionError, match="backend 'brute' cannot"):
        getattr(BruteForce(), name)(*[None] * arguments[name])


# -- the suite itself ------------------------------------------------------------------------------


def named(name):
    return next(check for check in all_checks() if check.__name__ == name)


@pytest.mark.parametrize(
    ("backend", "name"),
    [
        (Violating(), "check_knapsack"),
        (WorstIsBest(), "check_set_cover"),
        (BoundAbove(), "check_set_cover"),
        (IncumbentIsOptimal(), "check_suboptimal_start"),
        (SaysInfeasible(), "check_random_binary_models"),
        (SaysUnbounded(), "check_zero_objective"),
        (NanPoint(), "check_equations"),
        (WrongLength(), "check_equations"),
        (IgnoresStart(), "check_set_cover"),
        (PrintsEverywhere(), "check_silent_by_default"),
        (Missing(), "check_declares_itself"),
        (ForgetsBounds(), "check_change_bounds_of_an_lp"),
        (ForgetsBounds(), "check_changes_in_turns"),
        (ForgetsCoefficients(), "check_add_columns_to_an_lp"),
        (ForgetsCoefficients(), "check_changes_in_turns"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_suite_catches(backend, name):
    with pytest.raises((AssertionError, BackendUnavailable)):
        named(name)(backend)


def test_suite_shows_how_a_solver_fails():
    with pytest.raises(SolverError, match="deep inside the solver"):
        named("check_ranged_rows")(Raises())


@pytest.mark.parametrize(
    "name", ["check_knapsack", "check_set_cover", "check_equations", "check_random_binary_models"]
)
def test_suite_passes_an_honest_adapter(name):
    named(name)(BruteForce())


def test_suite_is_large_and_its_names_are_unique():
    names = [check.__name__ for check in all_checks()]
    assert len(names) == len(set(names)) >= 75
    assert all(check.__doc__ and "\n" not in check.__doc__ for check in all_checks())
    assert len(checks(BruteForce())) < len(checks(get_backend("highs")))


def test_suite_in_the_test_file_of_another_package(tmp_path):
    """What the suite's own documentation tells authors of adapters to write."""
    (tmp_path / "adapter.py").write_text(
        "from ooa_backends.highs import HighsBackend\nclass MyBackend(HighsBackend):\n    name = 'mine'\n"
    )
    lines = [line[4:] for line in ooa.testing.__doc__.split("::", 1)[1].splitlines() if line[:4] == "    "]
    test = "\n".join(lines).replace("my_package.adapter", "adapter")
    (tmp_path / "test_mine.py").write_text(test)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-k",
        "isolated_optimum or no_rows",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout
    assert "3 passed" in done.stdout
