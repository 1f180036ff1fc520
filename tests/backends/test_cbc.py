"""The adapter to CBC: wrong answers that are known are found out; limits, gaps and starts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support import cbc_programs
from support.cbc_programs import FAKE_HEADER, knapsacks, long_one, output, posix_only, script

from ooa.model import Milp, Model
from ooa.solving import Backend, Solution, StartStatus, Termination, available_backends, get_backend
from ooa.testing.patience import patiently

# Fixture: assigned, as the tests ask for it by name.
cbc = cbc_programs.cbc

if not available_backends()["cbc"].ok:
    pytest.skip("no CBC executable is installed", allow_module_level=True)


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
    assert solution.confirmed_by.startswith("highs ")
    assert "cbc claims that there is no point: highs is asked to confirm it" in solution.log


@posix_only
def test_a_false_claim_of_infeasibility_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cbc: Backend
) -> None:
    body = f"{FAKE_HEADER}; echo 'Integer infeasible - objective value 0' > solution.txt"
    monkeypatch.setenv("OOA_CBC", script(tmp_path, body))
    monkeypatch.chdir(tmp_path)  # asked for its version, it writes its file as well
    milp = knapsacks(12)
    solution = cbc.solve(milp, time_limit=20)
    assert solution.raw_status.startswith("Integer infeasible")
    assert solution.message.startswith("cbc claims that there is no point, but highs ")
    assert solution.objective == get_backend("highs").solve(milp).objective
    assert solution.is_optimal
    assert solution.confirmed_by.startswith("highs ")


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


def test_the_bound_at_a_limit_is_sound(cbc: Backend) -> None:
    milp = long_one()

    def stated(solution: Solution) -> float | None:
        return solution.bound if solution.claimed_bound is None else solution.claimed_bound

    solution = patiently(
        lambda limit: cbc.solve(milp, time_limit=limit), lambda s: stated(s) is not None and s.x is not None
    )
    assert solution.termination is Termination.TIME_LIMIT
    assert stated(solution) is not None
    relaxation = get_backend("highs").solve(milp.relaxed()).objective
    assert relaxation is not None
    assert relaxation - 0.01 <= stated(solution) < solution.objective


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
