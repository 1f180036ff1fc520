"""CBC's own faults and the guards against them; what all solvers share is in the conformance suite."""

from __future__ import annotations

import io
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ooa.errors import BackendUnavailable, OptionError, SolverError
from ooa.model import Milp, Model
from ooa.solving import (
    Backend,
    Solution,
    SolveParams,
    StartStatus,
    Termination,
    available_backends,
    get_backend,
)
from ooa.testing.helpers import in_child
from ooa.testing.patience import FAR, alone, patiently

if not available_backends()["cbc"].ok:
    pytest.skip("no CBC executable is installed", allow_module_level=True)

adapter = sys.modules[type(get_backend("cbc")).__module__]
binary, output = adapter.binary, adapter.output

posix_only = pytest.mark.skipif(os.name != "posix", reason="uses shell scripts and signals")


@pytest.fixture
def cbc() -> Backend:
    return get_backend("cbc")


def knapsacks(n: int = 40, rows: int = 5, seed: int = 1) -> Milp:
    rng = np.random.default_rng(seed)
    m = Model()
    x = m.add_binaries("x", n, cost=-rng.integers(5, 30, n))
    m.add_rows("k", rng.integers(3, 30, (rows, n)) @ x <= 3 * n)
    return m.freeze()


def long_one() -> Milp:
    """Points come at once, the proof of optimality takes hours."""
    rng = np.random.default_rng(3)
    m = Model()
    x = m.add_binaries("x", 300, cost=-rng.integers(50, 300, 300))
    m.add_rows("k", rng.integers(30, 300, (25, 300)) @ x <= 5500)
    return m.freeze()


def script(tmp_path: Path, body: str) -> str:
    """A stand-in for CBC."""
    path = tmp_path / "fake-cbc"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


# -- where the program is ----------------------------------------------------------------------------


def test_availability_imports_and_starts_nothing() -> None:
    code = (
        "import sys, subprocess\n"
        "subprocess.Popen = None\n"
        "from ooa.solving.registry import available_backends\n"
        "assert available_backends()['cbc'].ok\n"
        "assert not {'pulp', 'cbcbox', 'highspy'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_environment_variable_names_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    path = binary.find().path
    assert path is not None
    monkeypatch.setenv("OOA_CBC", path)
    assert binary.find() == binary.Found(path, "OOA_CBC")


def test_a_wrong_environment_variable_is_said_so(monkeypatch: pytest.MonkeyPatch, cbc: Backend) -> None:
    monkeypatch.setenv("OOA_CBC", "/nowhere/cbc")
    with pytest.raises(BackendUnavailable, match="OOA_CBC is '/nowhere/cbc', which is no executable"):
        cbc.solve(knapsacks())


def test_cbcbox_and_path_go_before_pulp(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OOA_CBC", raising=False)
    monkeypatch.setattr(binary, "_in_cbcbox", lambda: None)
    monkeypatch.setattr(binary, "_on_path", lambda: "/somewhere/cbc")
    assert binary.find() == binary.Found("/somewhere/cbc", "PATH")
    monkeypatch.setattr(binary, "_on_path", lambda: None)
    monkeypatch.setattr(binary, "_in_pulp", lambda: None)
    assert binary.find() == binary.Found(None, binary.MISSING)


def test_the_version_comes_from_the_banner(cbc: Backend) -> None:
    version = cbc.version()
    assert version[0].isdigit() or version.startswith(("devel", "Trunk"))
    assert cbc.availability().version == version


# -- options -------------------------------------------------------------------------------------------


def test_options_are_checked_against_the_programs_own_list(cbc: Backend) -> None:
    with pytest.raises(OptionError, match="CBC has no option 'preproces'; did you mean 'preprocess'"):
        cbc.solve(knapsacks(), options={"preproces": "off"})
    with pytest.raises(OptionError, match="CBC has no option 'solve'"):  # an action is no setting
        cbc.solve(knapsacks(), options={"solve": ""})


@pytest.mark.parametrize("options", [{"cuts": "bar"}, {"maxNodes": "many"}, {"ratioGap": -1}])
def test_a_value_cbc_does_not_take_is_an_error(cbc: Backend, options: dict[str, object]) -> None:
    with pytest.raises(OptionError, match="CBC does not take"):
        cbc.solve(knapsacks(), options=options)


def test_options_win_over_neutral_parameters(cbc: Backend) -> None:
    raw = alone(cbc, long_one(), SolveParams(time_limit=FAR, options={"sec": 0.5}))
    assert raw.termination is Termination.TIME_LIMIT, raw.raw_status


def test_short_and_long_names_are_the_same_option() -> None:
    path = binary.find().path
    assert path is not None
    known = {
        name: binary.knows(path, name) for name in ("sec", "seconds", "SECO", "se", "secondss", "export")
    }
    assert known == {
        "sec": True,
        "seconds": True,
        "SECO": True,
        "se": False,
        "secondss": False,
        "export": False,
    }


# -- wrong answers ---------------------------------------------------------------------------------------


def brute_force(milp: Milp) -> float | None:
    n = milp.n_columns
    points = (np.arange(2**n)[:, None] >> np.arange(n)) & 1
    values = [milp.objective(p) for p in points if milp.violation(p) == 0.0]
    return min(values, default=None)


def test_the_preprocessing_that_gives_wrong_optima_is_off(cbc: Backend) -> None:
    # CBC 2.10.3 with its default preprocessing calls 6 optimal.
    matrix = [[-6, -3, 4], [0, 0, 6], [-2, 4, 0], [-5, -5, -3]]
    rows = [-7, -np.inf, -np.inf, -13], [-3, 7, 3, np.inf]
    milp = Milp([5, 4, -3], matrix, *rows, [0, 0, 0], [1, 1, 1], [True] * 3)
    assert brute_force(milp) == 5.0
    assert cbc.solve(milp).objective == 5.0


def test_small_binary_models_against_enumeration(cbc: Backend) -> None:
    for seed in range(12):
        rng = np.random.default_rng(seed)
        n, m = int(rng.integers(2, 9)), int(rng.integers(1, 7))
        matrix = rng.integers(-6, 7, (m, n)) * (rng.random((m, n)) < 0.7)
        activity = matrix @ np.round(rng.random(n))
        lower, upper = activity - rng.integers(0, 9, m), activity + rng.integers(0, 9, m)
        milp = Milp(rng.integers(-5, 6, n), matrix, lower, upper, np.zeros(n), np.ones(n), [True] * n)
        solution = cbc.solve(milp)
        assert solution.is_optimal
        assert solution.objective == brute_force(milp)


def test_the_probing_that_gives_wrong_optima_is_off(cbc: Backend) -> None:
    # CBC 2.10.3 with its default probing calls -13 optimal.
    matrix = [[3, -4, 0, 0, 3, 2, 0], [0, 0, 0, 4, 1, 0, 0], [-2, 2, 3, 0, -3, 1, -1]]
    lower = [0, -np.inf, 0, 0, 0, -np.inf, -1]
    upper = [np.inf, 3, 6, 5, 2, -1, -1]
    whole = [False, True, False, True, True, True, False]
    rows = [16, 1, -4], [18, 4, np.inf]
    solution = cbc.solve(Milp([5, 3, 0, 1, 5, 0, 0], matrix, *rows, lower, upper, whole))
    assert (solution.termination, solution.objective) == (Termination.OPTIMAL, -23.0)
    # Here it is -9.
    bounds = [0, -4, 0, -2], [1, 0, 0, 1]
    milp = Milp([7, 3, 7, 5], [[0, 6, 1, 4]], [-18], [-16], *bounds, [True] * 4)
    assert cbc.solve(milp).objective == -11.0


def test_an_unbounded_model_is_not_called_optimal(cbc: Backend) -> None:
    # CBC 2.10.3 overlooks the free column without rows; others it calls infeasible, or crashes on.
    columns = [-np.inf, -4, -4, -1, -1, -np.inf], [-1, 1, np.inf, 1, -1, np.inf]
    milp = Milp([-1, -1, 0, -1, 4, 4], [[-2, -4, -2, 0, 0, 0]], [-8.5], [-1.5], *columns, [True] * 6)
    assert cbc.solve(milp, time_limit=10).termination is Termination.UNBOUNDED
    crash = Milp([-3, -5], [[6, 0]], [-np.inf], [26], [0, -np.inf], [np.inf, np.inf], [True, True])
    assert cbc.solve(crash, time_limit=10).termination is Termination.UNBOUNDED


def test_infeasible_with_unbounded_relaxation(cbc: Backend) -> None:
    m = Model()
    y = m.add_integers("y", 2, cost=[-1, -1])
    m.add_rows("parity", 2 * y[0] - 2 * y[1] == 1)
    solution = cbc.solve(m.freeze(), time_limit=10)
    assert solution.termination is Termination.INFEASIBLE
    assert "HiGHS says: Infeasible" in solution.raw_status


def test_a_true_claim_of_infeasibility_is_confirmed(cbc: Backend) -> None:
    m = Model()
    x = m.add_binaries("x", 4, cost=1)
    m.add_rows("odd", 2 * x.sum() == 3)
    solution = cbc.solve(m.freeze(), time_limit=10)
    assert solution.termination is Termination.INFEASIBLE
    assert "confirmed by HiGHS" in solution.raw_status
    assert "HiGHS is asked" in solution.log


FAKE_HEADER = "echo 'Welcome to the CBC MILP Solver'; echo 'Version: 0.0'"


@posix_only
def test_a_false_claim_of_infeasibility_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cbc: Backend
) -> None:
    body = f"{FAKE_HEADER}; echo 'Integer infeasible - objective value 0' > solution.txt"
    monkeypatch.setenv("OOA_CBC", script(tmp_path, body))
    monkeypatch.chdir(tmp_path)  # asked for its version, it writes its file as well
    milp = knapsacks(12)
    solution = cbc.solve(milp, time_limit=20)
    assert "Integer infeasible, which is wrong; HiGHS says: Optimal" in solution.raw_status
    assert solution.objective == get_backend("highs").solve(milp).objective


@posix_only
def test_a_fractional_optimum_is_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cbc: Backend
) -> None:
    milp = knapsacks(12)
    half = np.concatenate([np.zeros(2 * milp.n_rows), np.full(12, 0.5), np.zeros(12)])
    header = np.array([milp.n_rows, 12], dtype=np.int32).tobytes() + np.zeros(1).tobytes()
    (tmp_path / "half.bin").write_bytes(header + half.tobytes())
    body = f"{FAKE_HEADER}; cp {tmp_path}/half.bin solution.bin; echo 'Optimal - 0' > solution.txt"
    monkeypatch.setenv("OOA_CBC", script(tmp_path, body))
    monkeypatch.chdir(tmp_path)
    solution = cbc.solve(milp, time_limit=20)
    assert (solution.termination, solution.x) == (Termination.TIME_LIMIT, None)
    assert "fractional" in solution.raw_status


def test_lps_are_passed_on_to_highs(cbc: Backend) -> None:
    milp = knapsacks().relaxed()
    solution = cbc.solve(milp)
    expected = get_backend("highs").solve(milp)
    assert solution.raw_status == "LP solved by HiGHS: Optimal"
    assert solution.objective == pytest.approx(expected.objective)
    assert solution.duals is not None
    np.testing.assert_allclose(solution.reduced_costs, milp.c - milp.A.T @ solution.duals, atol=1e-9)


def test_values_keep_all_their_digits(cbc: Backend) -> None:
    # The text solution has eight digits: 123456790.
    m = Model()
    y = m.add_integers("y", 2, upper=10**9, cost=[1, 1])
    m.add_rows("r", y[0] + y[1] >= 123456788.5)
    solution = cbc.solve(m.freeze())
    assert solution.x is not None
    assert solution.objective == 123456789.0


@pytest.mark.parametrize("offset", [0.0, -1000.25, 1e6])
def test_the_offset_is_left_out_of_the_file_and_of_bounds(cbc: Backend, offset: float) -> None:
    milp = knapsacks().replace(offset=offset)
    solution = cbc.solve(milp)
    assert solution.is_optimal
    assert solution.objective == get_backend("highs").solve(milp).objective


def test_free_and_negative_bounds(cbc: Backend) -> None:
    m = Model()
    x = m.add_integers(
        "x", 4, lower=[-np.inf, -7, -9, -3], upper=[np.inf, -2, np.inf, np.inf], cost=[1, 1, 1, 0]
    )
    y = m.add_continuous("y", 2, lower=-np.inf, upper=[np.inf, -1], cost=[1, -1])
    m.add_rows("low", x[0] + 2 * x[1] >= -20.5)
    m.add_rows("mixed", (y + x[2:]).between(-4.5, 8))
    milp = m.freeze()
    solution = cbc.solve(milp)
    assert solution.is_optimal
    assert solution.objective == pytest.approx(get_backend("highs").solve(milp).objective)


# -- limits, gaps, starts ----------------------------------------------------------------------------------


def test_the_bound_at_a_limit_is_sound(cbc: Backend) -> None:
    milp = long_one()
    solution = patiently(
        lambda limit: cbc.solve(milp, time_limit=limit), lambda s: s.bound is not None and s.x is not None
    )
    assert solution.termination is Termination.TIME_LIMIT
    assert solution.bound is not None
    relaxation = get_backend("highs").solve(milp.relaxed()).objective
    assert relaxation is not None
    assert relaxation - 0.01 <= solution.bound < solution.objective


def test_a_gap_is_a_gap_and_no_optimum(cbc: Backend) -> None:
    solution = cbc.solve(long_one(), relative_gap=0.1, time_limit=60)
    assert solution.termination is Termination.GAP_LIMIT
    assert 0 < solution.gap <= 0.1


def test_printed_bounds_are_rounded_down() -> None:
    for value in (-9464.68069847, 259.579, 1234567.4999, 0.0004, -0.0004, 12345678.9, 3.0, -1.5e9):
        for text in (f"{value:.3f}", f"{value:g}"):
            assert output.rounded_down(text) <= value
            assert value - output.rounded_down(text) <= max(2e-3, 2e-5 * abs(value))


def test_a_start_is_used(cbc: Backend) -> None:
    milp = knapsacks()
    first = cbc.solve(milp)
    again = cbc.solve(milp, start=first.x)
    assert again.start is StartStatus.USED
    assert again.objective == first.objective
    assert again.trace[0].incumbent == first.objective


def test_a_start_with_general_integers_and_fractions_is_used(cbc: Backend) -> None:
    m = Model()
    y = m.add_integers("y", 3, lower=-5, upper=9, cost=[1, 2, -1])
    z = m.add_continuous("z", 2, upper=3, cost=[-1, 1])
    m.add_rows("r", y.sum() + z.sum() == 4.7)
    start = np.array([2.0, -1.0, 3.0, 0.7, 0.0])
    assert cbc.solve(m.freeze(), start=start).start is StartStatus.USED


def test_threads_and_seed_are_taken(cbc: Backend) -> None:
    solutions = [cbc.solve(knapsacks(), threads=2, seed=seed) for seed in (0, 7)]
    assert all(s.is_optimal for s in solutions)
    assert solutions[0].objective == solutions[1].objective


# -- the program's life --------------------------------------------------------------------------------------


def test_the_log_is_live(cbc: Backend) -> None:
    """Its first words come while it is at work, early enough to end it."""
    with cbc.open(long_one()) as session:
        solution = session.solve(time_limit=FAR, log=lambda line: session.backend.interrupt())
    assert solution.termination is Termination.INTERRUPTED
    if shutil.which("stdbuf"):
        assert "-oL" in adapter.wrappers()  # else it would come block by block


_PRESSED = """
milp, delay = given
solution = pressed(lambda: backend.solve(milp), delay)
answer = solution.termination, solution.x is not None, solution.bound is not None
"""


@posix_only
def test_an_interrupt_keeps_the_incumbent(cbc: Backend) -> None:
    # In a process of its own: a key that comes too late must not end the tests.
    for delay in (1.5, 7.5, 30.0):
        termination, has_point, has_bound = in_child(cbc, _PRESSED, (long_one(), delay))
        assert termination is Termination.INTERRUPTED
        if has_point and has_bound:
            break
    assert has_point
    assert has_bound


def test_an_interrupt_before_the_run_counts(cbc: Backend) -> None:
    fresh = cbc.fresh()
    with cbc.open(long_one()) as session:
        session.backend = fresh
        fresh.interrupt()
        solution: Solution = session.solve(time_limit=30)
    assert solution.termination is Termination.INTERRUPTED
    assert solution.raw_status == "stopped before CBC was started"


@posix_only
def test_a_parse_error_is_raised_with_the_end_of_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cbc: Backend
) -> None:
    # As CBC does it: exit code 0 and no solution file.
    monkeypatch.setenv("OOA_CBC", script(tmp_path, f"{FAKE_HEADER}; echo 'There were 3 errors on input'"))
    with pytest.raises(SolverError, match=r"exit code 0(.|\n)*There were 3 errors on input"):
        cbc.solve(knapsacks())


@posix_only
def test_a_program_that_ignores_its_limit_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cbc: Backend
) -> None:
    monkeypatch.setattr(adapter, "OVERDUE", 0.2)
    monkeypatch.setattr(adapter, "HOPELESS", 0.6)
    body = f'case "$*" in *model.mps*) trap "" INT; while :; do :; done;; esac; {FAKE_HEADER}'
    monkeypatch.setenv("OOA_CBC", script(tmp_path, body))
    solution = cbc.solve(knapsacks(), time_limit=0.5)
    assert (solution.termination, solution.x) == (Termination.TIME_LIMIT, None)
    assert solution.raw_status == "ended: CBC did not stop at its limit"


def test_nothing_is_left_behind(cbc: Backend, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    cbc.solve(knapsacks())
    with pytest.raises(OptionError):
        cbc.solve(knapsacks(), options={"cuts": "bar"})
    assert list(tmp_path.iterdir()) == []


def test_the_log_of_newer_versions_is_understood() -> None:
    log = output.CbcLog()
    lines = io.StringIO(
        "     Nodes   OnTree  Depth         BestSol Method                 BestBound     Gap%   Time(s)\n"
        "         0        1      0               —                          18.7188        —     0.630\n"
        " ★   12.9K        1      0            -251 Previous solutio        -258.957    3.17%     0.220\n"
        "     2      3            2       0.6334 oscillating                      0.012\n"
        "    10       15        7      9      2.338         -259.581    0.090\n"
        "Lower bound:                    -9464.68\n"
        "Enumerated nodes:               403     (from fathoming 298)\n"
    )
    seen = [progress for progress in map(log.read, lines) if progress is not None]
    assert [(incumbent, nodes) for incumbent, _, nodes in seen] == [(None, 0), (-251.0, 12900)]
    assert log.nodes == 403
    assert log.bound == pytest.approx(-9464.685)
