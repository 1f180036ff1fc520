"""What is peculiar to SCIP: its traps, beyond what the shared suite asks of every backend."""

from __future__ import annotations

import gc
import threading
import weakref

import numpy as np
import pytest
import scipy.sparse as sp
from support import solver_models

from ooa.clock import WorkClock
from ooa.constraints import max_overlap, max_total_literals, min_sensitivity
from ooa.data.table import Table
from ooa.errors import OptionError, SolverError
from ooa.formulations import CompactFormulation
from ooa.model import Milp
from ooa.objective import Objective
from ooa.solving import Capability, Monitor, PointStatus, SolveParams, StartStatus, Termination, get_backend
from ooa.testing.enumeration import assert_lp_optimal

pytest.importorskip("pyscipopt", reason="SCIP's package pyscipopt is not installed")

INF = np.inf


def knapsack(seed: int = 0) -> Milp:
    return solver_models.knapsack(n=30, rows=5, seed=seed, room=80.0)


def market_split(n: int = 30, rows: int = 4) -> Milp:
    """Binaries that meet equations by chance only: no point is found before much branching."""
    a = np.random.default_rng(0).integers(0, 100, (rows, n)).astype(float)
    side = np.floor(a.sum(axis=1) / 2)
    return Milp(np.zeros(n), a, side, side, np.zeros(n), np.ones(n), np.ones(n, dtype=bool))


def few_literals() -> Milp:
    """The compact program of five rows with three constraints; its optimum is 0.2."""
    columns = {"x0": ["b", "a", "b", "b", None], "x1": [None, "a", "a", "b", "b"]}
    table = Table.from_any(columns, [0, 1, 1, 0, 0])
    limits = [min_sensitivity(0.5), max_overlap(2), max_total_literals(1)]
    objective = Objective.of("1/50", "1/50")
    return CompactFormulation(table.distinct(), objective, 2, constraints=limits, table=table).milp


def covering_lp(m: int = 150, n: int = 120, seed: int = 0) -> Milp:
    rng = np.random.default_rng(seed)
    a = rng.integers(1, 9, (m, n)) * (rng.random((m, n)) < 0.2)
    a[:, 0] = 1
    cost = rng.random(n) * a.sum(axis=0) + 0.1
    return Milp(cost, a, a.sum(axis=1) / 3, [INF] * m, [0.0] * n, [1.0] * n, np.zeros(n, dtype=bool))


@pytest.fixture
def scip():
    return get_backend("scip")


@pytest.fixture
def loaded(scip):
    """An adapter as a runner holds it."""

    def load(milp):
        backend = scip.fresh()
        backend.load(milp)
        return backend

    return load


# -- MIPs ----------------------------------------------------------------------------------------


def test_no_point_at_a_limit_is_not_read_as_zeros(scip):
    solution = scip.solve(market_split(), node_limit=1, time_limit=20)
    assert solution.termination is Termination.NODE_LIMIT
    assert solution.x is None
    assert solution.objective is None
    assert solution.status is PointStatus.NONE


def test_infeasible_and_unbounded_have_no_gap_of_zero(scip):
    infeasible = Milp([1.0, 1.0], [[2.0, -2.0]], [1.0], [1.0], [0, 0], [9, 9], [True, True])
    solution = scip.solve(infeasible)
    assert solution.termination is Termination.INFEASIBLE
    assert solution.gap == INF
    unbounded = Milp([-1.0, -1.0], [[1.0, -1.0]], [0.0], [0.0], [0, 0], [INF, INF], [True, True])
    solution = scip.solve(unbounded)
    assert solution.termination is Termination.UNBOUNDED
    assert solution.gap == INF
    assert np.abs(solution.x).max() < 1e15  # not SCIP's "solution" at infinity


def test_a_second_run_keeps_neither_options_nor_points(scip):
    milp = knapsack()
    best = scip.solve(milp)
    with scip.open(milp) as session:
        limited = session.solve(node_limit=1, options={"presolving/maxrounds": 0, "separating/maxrounds": 0})
        again = session.solve(start=np.zeros(milp.n_columns))
        third = session.solve()
    assert limited.nodes <= 1
    assert again.is_optimal
    assert again.start is StartStatus.USED
    assert again.trace[0].incumbent == 0.0
    assert third.objective == best.objective
    assert third.start is StartStatus.NOT_GIVEN
    assert third.nodes == best.nodes
    assert third.trace[0].incumbent != best.objective


def test_a_start_that_scip_refuses_is_not_called_used(loaded):
    milp = knapsack()
    backend = loaded(milp)
    raw = backend.run(SolveParams(), np.ones(milp.n_columns), Monitor(lambda kind, value: None))
    assert raw.termination is Termination.OPTIMAL
    assert raw.start_used is False
    assert milp.violation(np.round(raw.x)) == 0.0


def test_every_improved_point_is_handed_out_with_its_value(loaded):
    milp = knapsack()
    backend, seen = loaded(milp), []
    backend.run(SolveParams(), None, Monitor(lambda kind, value: seen.append((kind, value))))
    points = [(value[0], value[3]) for kind, value in seen if kind == "progress" and value[3] is not None]
    assert points
    for value, x in points:
        assert milp.violation(np.round(x)) == 0.0
        assert value == pytest.approx(milp.objective(np.round(x)))
    values = [value for value, _ in points]
    assert values == sorted(values, reverse=True)


def test_an_error_while_listening_stops_scip_and_comes_out(loaded):
    def broken(kind, value):
        if kind == "progress":
            raise ZeroDivisionError("while reporting")

    backend = loaded(knapsack())
    with pytest.raises(ZeroDivisionError, match="while reporting"):
        backend.run(SolveParams(time_limit=20), None, Monitor(broken))
    backend.close()


def test_a_stop_request_before_the_run_is_not_forgotten(loaded):
    backend = loaded(market_split(40))
    backend.interrupt()
    raw = backend.run(SolveParams(time_limit=30), None, Monitor(lambda kind, value: None))
    assert raw.termination is Termination.INTERRUPTED
    raw = backend.run(SolveParams(node_limit=1), None, Monitor(lambda kind, value: None))
    assert raw.termination is Termination.NODE_LIMIT  # and it holds for one run only


def test_the_log_is_captured_and_nothing_is_printed(scip, capfd):
    lines = []
    solution = scip.solve(knapsack(), log=lines.append)
    out, err = capfd.readouterr()
    assert (out, err) == ("", "")
    assert any("presolving" in line for line in lines)
    assert "SCIP Status        : problem is solved [optimal solution found]" in solution.log


def test_the_model_is_freed_at_close_without_the_garbage_collector(loaded):
    backend = loaded(knapsack())
    backend.run(SolveParams(node_limit=1), None, Monitor(lambda kind, value: None))
    alive = weakref.ref(backend._listener)
    gc.disable()
    try:
        backend.close()
        assert alive() is None
    finally:
        gc.enable()


def test_threads_are_not_promised(scip):
    assert Capability.THREADS not in scip.capabilities
    solution = scip.solve(knapsack(), threads=2)
    assert solution.is_optimal
    assert "threads = 2 has no effect" in solution.log


def test_several_models_at_once(scip):
    milps = [knapsack(seed=seed) for seed in range(3)]
    alone = [scip.solve(milp).objective for milp in milps]
    together = [None] * len(milps)

    def work(k):
        together[k] = scip.solve(milps[k]).objective

    threads = [threading.Thread(target=work, args=(k,)) for k in range(len(milps))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == alone


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("limits/tim", 1, "did you mean 'limits/time'"),
        ("limits/nodes", 1.5, "limits/nodes = 1.5"),  # SCIP would cut it off
        ("limits/gap", float("nan"), "limits/gap = nan"),
        ("limits/time", -1, "limits/time = -1"),
        ("lp/pricing", "long", "lp/pricing"),
    ],
)
@pytest.mark.parametrize("integer", [True, False])
def test_bad_options(scip, name, value, message, integer):
    milp = knapsack() if integer else knapsack().relaxed()
    with pytest.raises(OptionError, match=message):
        scip.solve(milp, options={name: value})


def test_the_relative_gap_is_ours_and_not_scips(scip):
    """From 3 to 2 is a third of 3 for us, but half of 2 for SCIP."""
    n = 15  # an odd cycle, whose relaxation covers every edge by two halves
    edges = np.array([[(j - i) % n < 2 for j in range(n)] for i in range(n)], dtype=float)
    cost = np.random.default_rng(0).uniform(0.9, 1.1, n)
    milp = Milp(cost, edges, np.ones(n), [INF] * n, np.zeros(n), np.ones(n), np.ones(n, dtype=bool))
    best, root = scip.solve(milp), scip.solve(milp.relaxed()).objective
    gap = (best.objective - root) * (0.5 / best.objective + 0.5 / root)
    options = {"presolving/maxrounds": 0, "separating/maxrounds": 0, "separating/maxroundsroot": 0}
    solution = scip.solve(milp, start=best.x, relative_gap=gap, options=options)
    assert solution.termination is Termination.GAP_LIMIT
    assert solution.bound == pytest.approx(root)
    solution = scip.solve(milp, start=best.x, relative_gap=gap, options=options | {"limits/gap": 0.0})
    assert solution.is_optimal


def test_a_gap_without_a_bound_is_no_optimum(scip):
    solution = scip.solve(knapsack(), absolute_gap=1e300)
    assert solution.termination is Termination.GAP_LIMIT
    assert not solution.is_optimal


def test_own_options_win(scip):
    solution = scip.solve(market_split(), node_limit=10_000, options={"limits/totalnodes": 1})
    assert solution.termination is Termination.NODE_LIMIT
    assert solution.nodes <= 1


# -- LPs -----------------------------------------------------------------------------------------


def test_infinite_bounds_stay_infinite_in_the_lp_solver(scip):
    """SoPlex's infinity is 1e100: with SCIP's 1e20 this LP would be "optimal" at -2e20."""
    unbounded = Milp([-1.0, -1.0], [[1.0, -1.0]], [0.0], [0.0], [0, 0], [INF, INF], [False, False])
    assert scip.solve(unbounded).termination is Termination.UNBOUNDED
    both = Milp([-1.0, 0.0], [[0.0, 1.0]], [-INF], [-1.0], [0, 0], [INF, INF], [False, False])
    assert scip.solve(both).termination is Termination.INFEASIBLE


def test_duals_at_a_degenerate_vertex(scip):
    """SoPlex's own presolving calls all duals of this LP 0."""
    matrix = [[0, 0, 6], [-5, -1, 0], [0, 4, 0], [3, 2, 0], [1, -3, 4], [1, -3, 5]]
    lower, upper = [-INF, -11, 4, 8, 7, 9], [12, -11, INF, 8, INF, INF]
    milp = Milp([0, -4, 7], matrix, lower, upper, [2, -1, 2], [4, 4, 6], [False] * 3)
    assert_lp_optimal(milp, scip.solve(milp))


def test_an_lp_solved_in_pieces_is_the_same_lp(scip, monkeypatch):
    milp = covering_lp()
    whole = scip.solve(milp)
    monkeypatch.setattr("ooa_backends._soplex.WORK_PER_CALL", 0)
    pieces = scip.solve(milp)
    assert pieces.log.count("iterations") > whole.log.count("iterations")
    assert pieces.objective == pytest.approx(whole.objective)
    assert pieces.objective == pytest.approx(get_backend("highs").solve(milp).objective)
    reduced = milp.c - milp.A.T @ pieces.duals
    np.testing.assert_allclose(pieces.reduced_costs, reduced, atol=1e-9)
    slack = milp.A @ pieces.x - milp.row_lower
    assert (pieces.duals >= -1e-9).all()
    np.testing.assert_allclose(pieces.duals * slack, 0, atol=1e-6)


def test_an_lp_can_be_stopped_and_taken_up_again(loaded, monkeypatch):
    monkeypatch.setattr("ooa_backends._soplex.WORK_PER_CALL", 0)
    backend = loaded(covering_lp())

    def stop_at_once(kind, value):
        if kind == "log":
            backend.interrupt()

    raw = backend.run(SolveParams(), None, Monitor(stop_at_once))
    assert raw.termination is Termination.INTERRUPTED
    assert raw.x is None
    raw = backend.run(SolveParams(), None, Monitor(lambda kind, value: None))
    assert raw.termination is Termination.OPTIMAL


@pytest.mark.parametrize("limit", [{"time_limit": 60.0}, {"options": {"limits/time": 60.0}}])
def test_the_lp_solver_keeps_to_the_time(loaded, limit, monkeypatch):
    """It is called for a hundred iterations at a time, and looks at the clock before each call."""
    monkeypatch.setattr("ooa_backends._soplex.WORK_PER_CALL", 0)
    lines = []
    raw = loaded(covering_lp(900, 700)).run(
        SolveParams(clock=WorkClock(20.0), **limit), None, Monitor(lambda kind, value: lines.append(value))
    )
    assert raw.termination is Termination.TIME_LIMIT
    assert raw.x is None
    assert lines == ["SoPlex: 100 iterations\n", "SoPlex: 210 iterations\n", "SoPlex: time_limit\n"]


def test_an_lp_says_which_options_mean_nothing_to_it(scip):
    options = {"presolving/maxrounds": 0, "numerics/feastol": 1e-8}
    solution = scip.solve(covering_lp(), options=options)
    assert solution.is_optimal
    assert "option presolving/maxrounds has no effect on an LP" in solution.log
    assert "numerics/feastol" not in solution.log


def test_rows_added_to_an_lp_are_solved_warm(loaded):
    def iterations(backend):
        lines = []
        raw = backend.run(
            SolveParams(), None, Monitor(lambda kind, value: lines.append(value) if kind == "log" else None)
        )
        assert raw.termination is Termination.OPTIMAL
        return int(lines[-2].split()[1]), raw

    milp = covering_lp()
    backend = loaded(milp)
    cold, first = iterations(backend)
    total = sp.csr_array(np.ones((1, milp.n_columns)))
    backend.add_rows(total, np.array([first.x.sum() + 0.5]), np.array([INF]))
    warm, second = iterations(backend)
    assert warm < cold / 2
    assert second.duals.shape == (milp.n_rows + 1,)
    assert second.x.sum() == pytest.approx(first.x.sum() + 0.5)


def test_a_failing_lp_solver_is_one_sentence(loaded):
    class Broken:
        def __init__(self, lp):
            self.lp = lp

        def __getattr__(self, name):
            return getattr(self.lp, name)

        def solve(self):
            raise Exception("SCIP: error in LP solver!")

    backend = loaded(covering_lp())
    backend._lp._lp = Broken(backend._lp._lp)
    with pytest.raises(SolverError, match="SoPlex failed: SCIP: error in LP solver!"):
        backend.run(SolveParams(), None, Monitor(lambda kind, value: None))


@pytest.mark.parametrize("seed", range(4))
def test_its_presolve_leaves_the_optimum(seed: int) -> None:
    """With SCIP's own settings, 1.2 is called optimal, in whatever order rows and variables come."""
    milp = few_literals()
    options = {f"randomization/permute{what}": seed > 0 for what in ("vars", "conss")}
    options["randomization/permutationseed"] = seed
    solution = get_backend("scip").solve(milp, params=SolveParams(options=options))
    assert solution.objective == pytest.approx(0.2)
