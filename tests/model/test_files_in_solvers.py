"""Written files have the same optimum in every solver that reads them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from support.model_files import AWKWARD, everything

from ooa.model import Milp, Names, write_lp, write_mps
from ooa.solving import available_backends, get_backend


def with_highs(path: Path) -> float:
    highspy = pytest.importorskip("highspy")
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    assert highs.readModel(str(path)) == highspy.HighsStatus.kOk
    highs.run()
    assert highs.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return float(highs.getInfo().objective_function_value)


def with_scip(path: Path) -> float:
    pyscipopt = pytest.importorskip("pyscipopt")
    model = pyscipopt.Model()
    model.hideOutput()
    model.readProblem(str(path))
    model.optimize()
    assert model.getStatus() == "optimal"
    return float(model.getObjVal())


def with_gurobi(path: Path) -> float:
    gurobipy = pytest.importorskip("gurobipy")
    with gurobipy.Env(empty=True) as environment:
        environment.setParam("OutputFlag", 0)
        environment.start()
        with gurobipy.read(str(path), env=environment) as model:
            model.optimize()
            assert model.Status == gurobipy.GRB.OPTIMAL
            return float(model.ObjVal)


def with_cbc(path: Path) -> float:
    if not available_backends()["cbc"].ok:
        pytest.skip("no CBC executable is installed")
    binary = sys.modules[type(get_backend("cbc")).__module__].binary
    command = [binary.find().path, path.name, "-preprocess", "off", "-solve", "-solution", "out.sol"]
    log = subprocess.run(command, cwd=path.parent, capture_output=True, check=False).stdout.decode()
    assert (path.parent / "out.sol").exists(), log
    first = (path.parent / "out.sol").read_text().splitlines()[0]
    assert first.startswith("Optimal - objective value"), log
    return float(first.split()[-1])


READERS = {"highs": with_highs, "scip": with_scip, "gurobi": with_gurobi, "cbc": with_cbc}


@pytest.fixture(scope="module")
def models() -> list[tuple[Milp, float]]:
    """Models and their optima."""
    highs = get_backend("highs")
    milps = [everything()]
    for seed in range(4):
        rng = np.random.default_rng(seed)
        n, m = 7, 5
        matrix = rng.integers(-6, 7, (m, n)) * (rng.random((m, n)) < 0.7) + rng.integers(0, 2, (m, n)) / 8
        lower = rng.integers(-5, 1, n).astype(float)
        upper = lower + rng.integers(0, 8, n)
        activity = matrix @ rng.integers(lower, upper + 1)
        rows = activity - rng.integers(0, 4, m), activity + rng.integers(0, 4, m)
        cost = rng.integers(-5, 6, n)
        milps.append(Milp(cost, matrix, *rows, lower, upper, rng.random(n) < 0.6, float(seed)))
    solved = [(milp, highs.solve(milp)) for milp in milps]
    assert all(solution.is_optimal for _, solution in solved)
    return [(milp, float(solution.objective or 0.0)) for milp, solution in solved]


@pytest.mark.parametrize("extension", ["mps", "short.mps", "lp"])
@pytest.mark.parametrize("reader", READERS)
def test_every_solver_reads_the_same_model(
    reader: str, extension: str, models: list[tuple[Milp, float]], tmp_path: Path
) -> None:
    for k, (milp, optimum) in enumerate(models):
        path = tmp_path / f"model{k}.{extension}"
        if extension == "lp":
            write_lp(milp, path)
        else:
            write_mps(milp, path, names=extension == "mps")
        assert READERS[reader](path) == pytest.approx(optimum, abs=1e-6)


AWKWARD += ["end", "bounds", "General", "BINARY", "max", "a:b", "a<=b", "a+b", "a*b", "a^2", "€", "%", "#"]
AWKWARD += ["x[0]", "x(0)", "x%5B0%5D", "subject to", "sos1", "a/b", "a>b", "~", "'q'", '"q"', "$", "!", ";"]
AWKWARD += ["RANGES", "ENDATA", "MARKER", "objsense", "name", "N", "E2E", "e+5", ".5", "5", "nan", "x,y", ""]
AWKWARD += ["\\c", "(0)", "Semi-Continuous"]


@pytest.mark.parametrize("extension", ["mps", "lp"])
@pytest.mark.parametrize("reader", READERS)
def test_every_solver_takes_awkward_names(reader: str, extension: str, tmp_path: Path) -> None:
    n = len(AWKWARD)
    names = Names([(name, ()) for name in AWKWARD])
    eye = np.eye(n)[::-1] + np.eye(n)
    bounds = np.full(n, -1.0), np.full(n, 5.0)
    whole = np.arange(n) % 3 == 0
    sides = np.full(n, 1.5), np.full(n, np.inf)
    milp = Milp(np.arange(n) + 1.0, eye, *sides, *bounds, whole, 7.0, columns=names, rows=names)
    expected = get_backend("highs").solve(milp).objective
    path = tmp_path / f"awkward.{extension}"
    (write_lp if extension == "lp" else write_mps)(milp, path)
    assert READERS[reader](path) == pytest.approx(expected)
