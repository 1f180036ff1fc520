"""Backends by name, by entry point and by instance; what is said when one is missing."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import EntryPoint

import numpy as np
import pytest
from support.fake_backends import BruteForce, Missing, TinyLicence

from ooa.errors import BackendUnavailable, LicenseLimit, OOAError, OptionError
from ooa.model import Milp
from ooa.solving import Backend, available_backends, get_backend
from ooa.solving.registry import backend_names
from ooa.testing.models import knapsack

BUILT_IN = ["highs", "scip", "cbc", "gurobi"]


@pytest.fixture
def register(monkeypatch):
    """Install entry points as if other packages had brought them."""
    points: list[EntryPoint] = []

    def entry_points(group):
        return [point for point in points if point.group == group]

    monkeypatch.setattr("importlib.metadata.entry_points", entry_points)

    def add(name: str, where: str, group: str = "ooa.backends") -> None:
        points.append(EntryPoint(name, where, group))

    return add


def test_built_in_names():
    assert backend_names()[:4] == BUILT_IN
    assert get_backend().name == "highs"
    for name in BUILT_IN:
        assert get_backend(name).name == name
        assert isinstance(get_backend(name), Backend)


def test_instance_passes_through():
    mine = BruteForce()
    assert get_backend(mine) is mine


def test_entry_point(register):
    register("brute", "support.fake_backends:BruteForce")
    register("other", "support.fake_backends:Missing", group="something.else")
    assert backend_names() == [*BUILT_IN, "brute"]
    assert available_backends()["brute"].ok
    assert get_backend("brute").solve(knapsack()).objective == -4.0
    assert get_backend("brute").solve(knapsack(), isolate=True).objective == -4.0


def test_entry_point_does_not_replace_a_built_in(register):
    register("highs", "support.fake_backends:BruteForce")
    assert type(get_backend("highs")).__name__ == "HighsBackend"


def test_broken_entry_points_hide_nothing(register):
    register("gone", "no_such_module:Thing")
    register("disk", "support.fake_backends:BrokenAvailability")
    register("number", "math:pi")
    found = available_backends()
    assert found["highs"].ok
    assert not found["gone"].ok
    assert "no_such_module" in found["gone"].reason
    assert "the disk is gone" in found["disk"].reason
    assert not found["number"].ok


@pytest.mark.parametrize("where", ["no_such_module:Thing", "math:pi", "fractions:Fraction", "math:nothing"])
def test_broken_entry_point_is_one_clear_error(register, where):
    register("thing", where)
    with pytest.raises(BackendUnavailable, match="thing"):
        get_backend("thing")


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("hihgs", "highs"), ("HiGHS", "highs"), ("gurobipy", "gurobi"), ("scipp", "scip"), ("CBC", "cbc")],
)
def test_did_you_mean(wrong, right):
    with pytest.raises(OptionError, match=f"unknown backend '{wrong}'; did you mean '{right}'"):
        get_backend(wrong)


@pytest.mark.parametrize("wrong", ["cplex", "", None, 3, BruteForce])
def test_unknown_backend_lists_the_known(wrong):
    with pytest.raises(OptionError, match="known: highs, scip, cbc, gurobi"):
        get_backend(wrong)


def test_missing_backend_says_what_to_install_and_what_there_is():
    with pytest.raises(BackendUnavailable) as caught:
        Missing().solve(knapsack())
    text = str(caught.value)
    assert "'missing' is not available: missingpy is not installed; run: pip install missingpy" in text
    assert "Available backends:" in text
    assert "highs" in text
    assert isinstance(caught.value, (ImportError, OOAError))


def test_licence_limit_names_size_limit_and_others():
    with pytest.raises(LicenseLimit) as caught:
        TinyLicence().solve(knapsack())
    text = str(caught.value)
    assert "3 columns" in text
    assert "stops at 2" in text
    assert "highs" in text
    rows = Milp([1.0], np.ones((6, 1)), [0] * 6, [9] * 6, [0], [1], [True])
    with pytest.raises(LicenseLimit, match="6 rows"):
        TinyLicence().solve(rows)


def test_licence_counts_what_is_left_to_solve():
    milp = Milp([1.0], np.diag([1.0] + [0.0] * 8)[:, :1], [0] * 9, [9] * 9, [0], [1], [True])
    assert TinyLicence().solve(milp).objective == 0.0


@pytest.mark.parametrize("name", BUILT_IN)
def test_availability_is_an_answer_either_way(name):
    found = available_backends()[name]
    assert found.ok or found.reason
    if not found.ok:
        with pytest.raises(BackendUnavailable, match=name):
            get_backend(name).solve(knapsack())


def in_new_python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


SOLVERS = ["highspy", "pyscipopt", "gurobipy", "pulp", "cbcbox", "ortools"]


#: What takes long to import.
HEAVY = ["sklearn", "pandas", "narwhals", "scipy.optimize", "matplotlib", "joblib", "duckdb"]


def test_import_brings_no_solver_and_nothing_else_that_takes_long():
    code = f"""
import sys
import ooa, ooa.model, ooa.solving.registry
ooa.solving.registry.available_backends()
print([name for name in {[*SOLVERS, *HEAVY]} if name in sys.modules])
"""
    assert in_new_python(code) == "[]"


def test_suite_brings_no_solver():
    code = f"""
import sys
from ooa.testing import all_checks
all_checks()
print([name for name in {[*SOLVERS, "pytest"]} if name in sys.modules])
"""
    assert in_new_python(code) == "[]"


@pytest.mark.parametrize("name", BUILT_IN)
def test_one_backend_brings_only_its_own_solver(name):
    if not available_backends()[name].ok:
        pytest.skip(available_backends()[name].reason)
    own = {"highs": "highspy", "scip": "pyscipopt", "gurobi": "gurobipy", "cbc": "pulp"}[name]
    code = f"""
import sys
from ooa.solving.registry import get_backend
from ooa.testing.models import knapsack
assert get_backend({name!r}).solve(knapsack(), confirm=False).objective == -4.0
print([name for name in {[s for s in SOLVERS if s != own]} if name in sys.modules])
"""
    assert in_new_python(code) == "[]"
