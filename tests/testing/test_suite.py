"""The conformance suite itself: it catches adapters that are wrong, and passes honest ones."""

from __future__ import annotations

import subprocess
import sys

import pytest
import scipy.sparse as sp
from support.fake_backends import (
    BoundAbove,
    BruteForce,
    IgnoresStart,
    IncumbentIsOptimal,
    Missing,
    NanPoint,
    PrintsEverywhere,
    Raises,
    SaysInfeasible,
    SaysUnbounded,
    Violating,
    WorstIsBest,
    WrongLength,
)

import ooa.testing
from ooa.errors import BackendUnavailable, SolverError
from ooa.solving import get_backend
from ooa.testing import all_checks, checks

Highs = type(get_backend("highs"))


class ForgetsBounds(Highs):
    """HiGHS that does not take new bounds."""

    def change_bounds(self, lower, upper):
        pass


class ForgetsCoefficients(Highs):
    """HiGHS that takes new columns without their coefficients."""

    def add_columns(self, cost, matrix, lower, upper):
        super().add_columns(cost, sp.csc_array(matrix.shape), lower, upper)


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
