"""What is peculiar to Gurobi: its licence and its traps, beyond what the shared suite asks of all."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse as sp
from support import solver_models

from ooa.errors import BackendUnavailable, LicenseLimit, OptionError
from ooa.model import Milp
from ooa.solving import Monitor, SolveParams, StartStatus, Termination, get_backend
from ooa.testing.helpers import in_child
from ooa.testing.models import market_split, market_split_start

pytest.importorskip("gurobipy", reason="Gurobi's package gurobipy is not installed")

INF = np.inf


def knapsack(n: int = 40) -> Milp:
    return solver_models.knapsack(n, rows=8, seed=1, room=3.0 * n)


def ranged(m: int, n: int = 3) -> Milp:
    """m rows with two different sides."""
    a = sp.csr_array(np.ones((m, n)))
    return Milp(np.ones(n), a, np.ones(m), np.full(m, 2.0), np.zeros(n), np.ones(n), np.ones(n, dtype=bool))


@pytest.fixture
def gurobi():
    return get_backend("gurobi")


@pytest.fixture
def no_licence_files(monkeypatch, tmp_path):
    """A place where only pip's licence can be found; returns the home directory."""
    if get_backend("gurobi").availability().max_rows is None:
        pytest.skip("a full Gurobi licence is installed here")
    for name in list(os.environ):
        if name.startswith("GRB_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setattr("ooa_backends._gurobi_licence.ROOTS", (str(tmp_path / "opt"),))
    return tmp_path


# -- the licence ---------------------------------------------------------------------------------


def test_the_limit_of_pips_licence_is_known_beforehand(gurobi, no_licence_files):
    found = gurobi.availability()
    assert (found.ok, found.max_rows, found.max_columns) == (True, 2000, 2000)


@pytest.mark.parametrize("place", [".", "opt/gurobi", "opt/gurobi1300"])
def test_a_licence_file_lifts_the_limit(gurobi, no_licence_files, place):
    folder = no_licence_files / place
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "gurobi.lic").write_text("TYPE=NODE\n")
    assert gurobi.availability().max_rows is None


@pytest.mark.parametrize("name", ["GRB_LICENSE_FILE", "GRB_WLSACCESSID", "GRB_TOKENSERVER"])
def test_a_licence_variable_lifts_the_limit(gurobi, no_licence_files, monkeypatch, name):
    monkeypatch.setenv(name, "something")
    assert gurobi.availability().max_columns is None


def test_availability_neither_imports_gurobipy_nor_starts_it():
    code = (
        "import sys; from ooa.solving.registry import available_backends; "
        "assert available_backends()['gurobi'].ok; assert 'gurobipy' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_too_many_columns(gurobi, no_licence_files):
    with pytest.raises(LicenseLimit, match=r"2,001 columns.*Available backends: .*highs"):
        gurobi.solve(ranged(1, 2001))


def test_two_sided_rows_count_twice(gurobi, no_licence_files):
    assert gurobi.solve(ranged(1000)).is_optimal
    with pytest.raises(LicenseLimit, match=r"two-sided rows count twice.*highs"):
        gurobi.solve(ranged(1001))


def test_gurobis_own_word_on_the_size_is_passed_on(gurobi, no_licence_files, monkeypatch):
    """A variable may promise a licence that is not there: then only the run can tell."""
    monkeypatch.setenv("GRB_WLSACCESSID", "something")
    with pytest.raises(LicenseLimit, match=r"too large for the Gurobi licence.*highs"):
        gurobi.solve(ranged(1, 2001))


def test_a_licence_that_does_not_work(gurobi, no_licence_files, monkeypatch):
    monkeypatch.setenv("GRB_LICENSE_FILE", str(no_licence_files / "none.lic"))
    with pytest.raises(BackendUnavailable, match=r"could not be started: .*none\.lic.*highs"):
        gurobi.solve(knapsack())


# -- MIPs ----------------------------------------------------------------------------------------


def test_minus_infinity_is_never_optimal(gurobi):
    unbounded = Milp([-1.0, -1.0], [[1.0, -1.0]], [0.0], [0.0], [0, 0], [INF, INF], [True, True])
    for options in ({}, {"DualReductions": 0}, {"DualReductions": 0, "Presolve": 0}):
        solution = gurobi.solve(unbounded, options=options)
        assert solution.termination is Termination.UNBOUNDED
        assert solution.bound is None
        assert abs(solution.objective) < 1e20


def test_a_gap_without_a_bound_is_no_optimum(gurobi):
    solution = gurobi.solve(knapsack(), absolute_gap=1e300)
    assert solution.termination is Termination.GAP_LIMIT
    assert not solution.is_optimal


def test_a_start_survives_a_time_limit_of_zero(gurobi):
    milp = knapsack()
    start = np.zeros(milp.n_columns)
    start[0] = 1.0
    solution = gurobi.solve(milp, start=start, options={"TimeLimit": 0})
    assert solution.termination is Termination.TIME_LIMIT
    assert solution.objective <= milp.objective(start)


def test_a_second_run_keeps_neither_options_nor_points(gurobi):
    milp = knapsack()
    with gurobi.open(milp) as session:
        first = session.solve(start=np.zeros(milp.n_columns), options={"NodeLimit": 0, "Heuristics": 0})
        second = session.solve()
    assert first.start is StartStatus.USED
    assert second.is_optimal
    assert second.start is StartStatus.NOT_GIVEN
    assert "MIP start" not in second.log
    assert "NodeLimit" not in second.log


def test_a_start_that_gurobi_refuses_is_not_called_used(gurobi):
    milp = knapsack()
    backend = gurobi.fresh()
    backend.load(milp)
    raw = backend.run(SolveParams(), np.ones(milp.n_columns), Monitor(lambda kind, value: None))
    assert raw.termination is Termination.OPTIMAL
    assert raw.start_used is False


def test_improved_points_only_get_better(gurobi):
    milp = knapsack()
    backend, seen = gurobi.fresh(), []
    backend.load(milp)
    backend.run(SolveParams(), None, Monitor(lambda kind, value: seen.append((kind, value))))
    points = [(value[0], value[3]) for kind, value in seen if kind == "progress" and value[3] is not None]
    values = [value for value, _ in points]
    assert values == sorted(values, reverse=True)
    for value, x in points:
        assert milp.violation(np.round(x)) == 0.0
        assert value == pytest.approx(milp.objective(np.round(x)))


def test_an_error_while_listening_stops_gurobi_and_comes_out(gurobi):
    def broken(kind, value):
        if kind == "progress":
            raise ZeroDivisionError("while reporting")

    backend = gurobi.fresh()
    backend.load(knapsack())
    with pytest.raises(ZeroDivisionError, match="while reporting"):
        backend.run(SolveParams(), None, Monitor(broken))


def test_a_stop_request_before_the_run_is_not_forgotten(gurobi):
    backend = gurobi.fresh()
    backend.load(knapsack(60))
    backend.interrupt()
    raw = backend.run(SolveParams(time_limit=30), None, Monitor(lambda kind, value: None))
    assert raw.termination is Termination.INTERRUPTED
    raw = backend.run(SolveParams(time_limit=30), None, Monitor(lambda kind, value: None))
    assert raw.termination is Termination.OPTIMAL  # and it holds for one run only


def test_the_log_is_captured_and_nothing_is_printed(gurobi, capfd):
    lines = []
    solution = gurobi.solve(knapsack(), log=lines.append, options={"Cuts": 1})
    assert capfd.readouterr() == ("", "")
    assert any("Presolve" in line for line in lines)
    assert "Best objective" in solution.log


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("TimeLimi", 1, "did you mean 'TimeLimit'"),
        ("Time*", 1, "no option 'Time\\*'"),  # Gurobi takes wildcards
        ("TimeLimit", float("nan"), "TimeLimit = nan"),  # and NaN
        ("TimeLimit", -1, "TimeLimit = -1"),
        ("Threads", 1.5, "Threads = 1.5"),  # and half a thread
        ("NodeLimit", "many", "NodeLimit = 'many'"),
    ],
)
def test_bad_options(gurobi, name, value, message):
    with pytest.raises(OptionError, match=message):
        gurobi.solve(knapsack(), options={name: value})


def test_own_options_win_and_may_be_spelt_in_any_case(gurobi):
    solution = gurobi.solve(knapsack(60), node_limit=10**6, options={"nodelimit": 0, "heuristics": 0.0})
    assert solution.termination is Termination.NODE_LIMIT


# -- LPs -----------------------------------------------------------------------------------------


def test_the_dual_of_a_two_sided_row_is_that_of_its_binding_side(gurobi):
    a = [[1.0, 1.0], [1.0, -1.0]]
    for cost, expected in (([1.0, 1.0], [1.0, 0.0]), ([-1.0, -1.0], [-1.0, 0.0]), ([0.0, 2.0], [1.0, -1.0])):
        milp = Milp(cost, a, [1.0, -4.0], [5.0, 4.0], [-INF, -INF], [INF, INF], [False, False])
        solution = gurobi.solve(milp)
        assert solution.is_optimal
        np.testing.assert_allclose(solution.duals, expected, atol=1e-9)
        np.testing.assert_allclose(solution.reduced_costs, 0, atol=1e-9)


def test_duals_find_their_rows_after_rows_were_added(gurobi):
    rng = np.random.default_rng(5)
    n = 12
    backend = gurobi.fresh()

    def rows(m):
        a = rng.integers(0, 5, (m, n)).astype(float) + np.eye(m, n)
        middle = a.sum(axis=1) / 2
        return a, middle - 1, np.where(rng.random(m) < 0.5, INF, middle + 1)

    a, lower, upper = rows(6)
    cost = rng.random(n) + 0.5
    backend.load(Milp(cost, a, lower, upper, np.zeros(n), np.ones(n), np.zeros(n, dtype=bool)))
    silent = Monitor(lambda kind, value: None)
    backend.run(SolveParams(), None, silent)
    for _ in range(2):
        more, more_lower, more_upper = rows(4)
        backend.add_rows(sp.csr_array(more), more_lower, more_upper)
        a = np.vstack([a, more])
        lower, upper = np.concatenate([lower, more_lower]), np.concatenate([upper, more_upper])
        raw = backend.run(SolveParams(), None, silent)
        assert raw.termination is Termination.OPTIMAL
        assert raw.duals.shape == lower.shape
        np.testing.assert_allclose(raw.reduced_costs, cost - a.T @ raw.duals, atol=1e-8)
        activity = a @ raw.x
        assert np.isclose(activity, lower)[raw.duals > 1e-9].all()
        assert np.isclose(activity, upper)[raw.duals < -1e-9].all()


def test_an_lp_stopped_early_has_no_point(gurobi):
    milp = knapsack().relaxed()
    solution = gurobi.solve(milp, options={"IterationLimit": 1, "Presolve": 0, "Method": 1})
    assert solution.termination is Termination.NODE_LIMIT
    assert solution.x is None
    assert solution.duals is None
    assert solution.message == ""


def test_ctrl_c_stays_ours_while_it_runs(gurobi):
    """Gurobi's own handler would have the second Ctrl-C end the process, and print a word at the first."""
    handler = ctypes.pythonapi.PyOS_getsig
    handler.restype = ctypes.c_void_p
    ours, seen = handler(signal.SIGINT), []

    def look(moment):
        seen.append(handler(signal.SIGINT))
        return True

    solution = gurobi.solve(market_split(), start=market_split_start(), progress=look)
    assert solution.termination is Termination.INTERRUPTED
    assert set(seen) == {ours}
    assert handler(signal.SIGINT) == ours


_TWICE = """
def press(moment):
    for _ in range(2):
        os.kill(os.getpid(), signal.SIGINT)

outcome = pressed(lambda: backend.solve(given, progress=press), 1000.0)
answer = outcome if outcome == "raised" else outcome.termination.value
"""


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_a_second_ctrl_c_at_once_does_not_end_the_process(gurobi):
    assert in_child(gurobi, _TWICE, market_split()) in ("raised", "interrupted")
