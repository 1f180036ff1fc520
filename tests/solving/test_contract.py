"""Adapters that break the contract, and solvers that lack something: one clear word, and no harm done."""

from __future__ import annotations

import os
import subprocess

import numpy as np
import pytest
from support.erring_backends import ReportsNonsense, Returns, TellsItsProcess
from support.fake_backends import Hangs, WholeNumbersOnly

from ooa.errors import ModelError, SolverError
from ooa.model import Milp, Model
from ooa.solving import Capability, PointStatus, RawResult, Termination, get_backend
from ooa.solving.runners import child_command
from ooa.testing import all_checks, checks
from ooa.testing.helpers import assert_optimal, assert_sound, in_child
from ooa.testing.models import knapsack, mixed

OPTIMUM = -4.0


def result(**changes):
    point = np.array([0.0, 1.0, 1.0])
    return RawResult(
        **{"termination": Termination.OPTIMAL, "raw_status": "", "x": point, "bound": -4.0} | changes
    )


@pytest.mark.parametrize("isolate", [False, True])
@pytest.mark.parametrize(
    ("made", "words"),
    [
        (None, "run returned None, which is no RawResult"),
        ("optimal", "run returned 'optimal', which is no RawResult"),
        ((Termination.OPTIMAL, [0, 1, 1]), "which is no RawResult"),
        (result(termination="optimal"), "termination='optimal', which is no Termination"),
        (result(termination=None), "termination=None, which is no Termination"),
        (result(raw_status=None), "raw_status=None, which is no text"),
        (result(bound="-4"), "bound='-4', which is no number"),
        (result(nodes=1.5), "nodes=1.5, which is no whole number"),
        (result(x="0 1 1"), "x='0 1 1', which is no array of numbers"),
        (result(x=[[0, 1, 1]]), "which is no array of numbers"),
        (result(x=4.0), "x=4.0, which is no array of numbers"),
        (result(x={"x": 1}), "which is no array of numbers"),
        (result(duals=["a", "b"]), "duals=['a', 'b'], which is no array of numbers"),
        (result(confirmed_by=None), "confirmed_by=None, which is no text"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_nonsense_is_one_clear_error(made, words, isolate):
    with pytest.raises(SolverError, match="the adapter 'brute' is at fault") as caught:
        Returns(made).solve(knapsack(), isolate=isolate)
    assert words in str(caught.value)


def test_numbers_of_any_kind_will_do():
    made = result(x=[0, 1, 1], bound=np.float32(-4), nodes=np.int64(3))
    assert_optimal(knapsack(), Returns(made).solve(knapsack()), OPTIMUM)


def test_the_session_lives_on_after_nonsense():
    with Returns(None).open(knapsack()) as session:
        with pytest.raises(SolverError):
            session.solve()
        session.backend.made = result()
        assert_optimal(knapsack(), session.solve(), OPTIMUM)


def test_nonsense_told_to_the_monitor_is_passed_over():
    solution = ReportsNonsense().solve(knapsack())
    assert_sound(knapsack(), solution)
    assert solution.termination is Termination.TIME_LIMIT
    assert solution.status is PointStatus.FEASIBLE  # the point that was one, as it was when it was told
    assert all(moment.bound is None for moment in solution.trace)


# -- Ctrl-C and child processes ----------------------------------------------------------------------

_ONE_KEY = """
begun = threading.Event()
solution = pressed(
    lambda: backend.solve(given, isolate=True, progress=lambda moment: begun.set()), 0.0, None, begun
)
answer = solution if solution == "raised" else (solution.termination.value, solution.x is not None)
"""


def test_one_ctrl_c_ends_an_isolated_solver_that_does_not_listen():
    assert in_child(Hangs(), _ONE_KEY, knapsack()) == ("interrupted", True)


def test_a_failing_function_ends_an_isolated_solver_that_does_not_listen():
    def progress(moment):
        raise LookupError("no more, please")

    with pytest.raises(LookupError, match="no more, please"):
        Hangs().solve(knapsack(), isolate=True, progress=progress)


def test_who_demands_isolation_gets_it_unless_the_caller_says_otherwise():
    assert TellsItsProcess().solve(knapsack()).raw_status != str(os.getpid())
    assert TellsItsProcess().solve(knapsack(), isolate=True).raw_status != str(os.getpid())
    assert TellsItsProcess().solve(knapsack(), isolate=False).raw_status == str(os.getpid())


def run_in(folder, code):
    """Run code in another Python that works in a folder, and imports nothing from there itself."""
    done = subprocess.run(child_command(code), cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


SOLVE = """
from ooa.solving import get_backend
from ooa.testing.models import knapsack
print(get_backend("highs").solve(knapsack(), isolate=True).objective)
"""


def test_the_child_imports_nothing_from_the_working_directory(tmp_path):
    for name in ("highspy", "numpy", "ooa", "pickle", "sitecustomize", "scipy"):
        trap = f"open({str(tmp_path / 'trapped')!r}, 'a').write({name!r})\nraise SystemExit(9)\n"
        (tmp_path / f"{name}.py").write_text(trap)
    assert run_in(tmp_path, SOLVE) == "-4.0"
    assert not (tmp_path / "trapped").exists()


def test_an_adapter_that_the_child_cannot_import_is_said(tmp_path):
    (tmp_path / "here_only.py").write_text(
        "from support.fake_backends import *\nclass Here(BruteForce): pass\n"
    )
    code = """
import sys
sys.path.insert(0, "")  # as an interactive Python has it
from here_only import Here
from ooa.errors import SolverError
from ooa.testing.models import knapsack
assert Here().solve(knapsack()).is_optimal
try:
    Here().solve(knapsack(), isolate=True)
except SolverError as error:
    print(error)
"""
    said = run_in(tmp_path, code)
    assert "No module named 'here_only'" in said
    assert "not from the working directory alone" in said


def test_starting_the_child_counts_towards_the_limit():
    solution = get_backend("highs").solve(knapsack(), isolate=True, time_limit=1e-3)
    assert_sound(knapsack(), solution)
    assert solution.termination is Termination.TIME_LIMIT
    assert "killed" not in solution.raw_status


# -- what solvers lack -------------------------------------------------------------------------------


def marked() -> Milp:
    """A cover whose error is whole by implication, as those of the formulations are."""
    m = Model("marked")
    used = m.add_binaries("used", 3, cost=[3, 2, 2])
    error = m.add_continuous("error", 2, upper=1.0, cost=5.0, implied=True)
    m.add_rows("cover", np.array([[1, 0, 1], [0, 1, 1]]) @ used + error >= 1)
    return m.freeze()


@pytest.mark.parametrize("isolate", [False, True])
def test_implied_integers_are_whole_numbers_for_who_knows_no_others(isolate):
    solution = WholeNumbersOnly().solve(marked(), isolate=isolate)
    assert_optimal(marked(), solution, get_backend("highs").solve(marked()).objective)
    start = WholeNumbersOnly().solve(marked(), start=[1, 1, 0, 0, 0], time_limit=0)
    assert start.objective == 5.0


def test_other_continuous_columns_are_refused_by_name():
    with pytest.raises(ModelError, match=r"column y is continuous, and backend 'whole' takes whole.*highs"):
        WholeNumbersOnly().solve(mixed())
    with pytest.raises(ModelError, match=r"column used\[0\] is continuous"):
        WholeNumbersOnly().solve(marked().relaxed())
    fixed = Milp([1.0, -1.0], np.zeros((0, 2)), [], [], [0, 0], [2, 3], [False, False])
    assert_optimal(fixed, WholeNumbersOnly().solve(fixed), -3.0)  # no solver is needed for that


def test_the_suite_asks_for_what_is_declared_and_nothing_else():
    names = {check.__name__ for check in checks(WholeNumbersOnly())}
    every = {check.__name__ for check in all_checks()}
    assert every - names >= {
        "check_lp_optimum",
        "check_ctrl_c",
        "check_log_is_kept",
        "check_absolute_gap",
        "check_python_goes_on",
    }
    assert names >= {"check_knapsack", "check_ctrl_c_ends_an_isolated_solve", "check_random_binary_models"}
    needed = {capability for check in all_checks() for capability in getattr(check, "needs", ())}
    assert needed >= {
        Capability.CONTINUOUS,
        Capability.INTERRUPT,
        Capability.LOG,
        Capability.ABSOLUTE_GAP,
    }


def cases():
    return [
        pytest.param(check, id=check.__name__.removeprefix("check_")) for check in checks(WholeNumbersOnly())
    ]


@pytest.mark.parametrize("check", cases())
def test_a_solver_of_whole_numbers_passes_what_it_claims(check):
    check(WholeNumbersOnly())
