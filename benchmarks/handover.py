"""How long does it take until a solver holds the model? Build + hand-over, ours against others, in one run.

    python benchmarks/handover.py            # all backends and layers that are installed
    python benchmarks/handover.py --quick    # a tenth of the size, one repetition

Each measurement is the best of several repetitions in a process of its own; the ratio is taken
against the solver's own fastest call on ready-made arrays, in the same run. Memory is the growth of
the peak resident size over what the data and the imports need. No model is solved. (scipy.milp
cannot hand a model over without solving it; it gets a time limit of nothing.)
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from common import in_fresh_process, save, show

from ooa.model import Model
from ooa.mps import write_mps
from ooa.presolve import prepare
from ooa.registry import available_backends, get_backend

# Gurobi's licence allows measuring it but not publishing the figures: they are shown, never saved.
PRIVATE = {"gurobi"}
SIZES = {
    "highs": (20_000, 5_000, 25),
    "scip": (20_000, 5_000, 25),
    "cbc": (20_000, 5_000, 25),
    "gurobi": (1_990, 1_990, 25),
}


def instance(rows: int, columns: int, per_row: int) -> tuple[sp.csr_array, np.ndarray]:
    rng = np.random.default_rng(0)
    indices = np.sort(rng.integers(0, columns // per_row, (rows, per_row)), axis=1)
    indices = (indices + np.arange(per_row) * (columns // per_row)).astype(np.int32)
    indptr = np.arange(0, rows * per_row + 1, per_row, dtype=np.int32)
    W = sp.csr_array((np.ones(rows * per_row), indices.ravel(), indptr), shape=(rows, columns))
    return W, rng.integers(1, 9, columns).astype(float)


# -- ours ------------------------------------------------------------------------------------------


def ours(backend: str) -> Callable[[sp.csr_array, np.ndarray], Any]:
    def run(W: sp.csr_array, c: np.ndarray) -> Any:
        model = Model()
        x = model.add_binaries("x", len(c), cost=c)
        model.add_rows("cover", W @ x >= 1)
        adapter = get_backend(backend).fresh()
        adapter.load(prepare(model.freeze()).milp)
        return adapter

    return run


def ours_to_file(W: sp.csr_array, c: np.ndarray) -> Any:
    """What the CBC adapter does before the program starts."""
    model = Model()
    x = model.add_binaries("x", len(c), cost=c)
    model.add_rows("cover", W @ x >= 1)
    path = Path(tempfile.mkdtemp()) / "m.mps"
    write_mps(prepare(model.freeze()).milp, path, names=False)
    return path


# -- the solvers' own fastest paths ----------------------------------------------------------------


def raw_highs(W: sp.csr_array, c: np.ndarray) -> Any:
    import highspy

    m, n = W.shape
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    zeros, ones = np.zeros(n), np.ones(n)
    highs.passModel(
        n, m, W.nnz, 2, 1, 0.0, c, zeros, ones, np.ones(m), np.full(m, np.inf),
        W.indptr, W.indices, W.data, np.ones(n, dtype=np.int32),
    )  # fmt: skip
    return highs


def raw_scip(W: sp.csr_array, c: np.ndarray) -> Any:
    from pyscipopt import Expr, Model
    from pyscipopt.scip import ExprCons, Term

    model = Model()
    terms = [Term(model.addVar(vtype="B", obj=cost)) for cost in c]
    for i in range(W.shape[0]):
        span = slice(W.indptr[i], W.indptr[i + 1])
        entries = {terms[j]: a for j, a in zip(W.indices[span].tolist(), W.data[span].tolist())}
        model.addCons(ExprCons(Expr(entries), 1.0, None))
    return model


def raw_cbc(W: sp.csr_array, c: np.ndarray) -> Any:
    """CBC reads files: its floor is one MPS file, written line by line."""
    columns = W.tocsc()
    path = Path(tempfile.mkdtemp()) / "m.mps"
    with path.open("w") as file:
        file.write("NAME m\nROWS\n N o\n")
        file.writelines(f" G r{i}\n" for i in range(W.shape[0]))
        file.write("COLUMNS\n")
        for j in range(W.shape[1]):
            span = slice(columns.indptr[j], columns.indptr[j + 1])
            file.write(f" x{j} o {c[j]!r}\n")
            file.writelines(
                f" x{j} r{i} {a!r}\n"
                for i, a in zip(columns.indices[span].tolist(), columns.data[span].tolist())
            )
        file.write("RHS\n")
        file.writelines(f" R r{i} 1\n" for i in range(W.shape[0]))
        file.write("BOUNDS\n")
        file.writelines(f" BV B x{j}\n" for j in range(W.shape[1]))
        file.write("ENDATA\n")
    return path


def raw_gurobi(W: sp.csr_array, c: np.ndarray) -> Any:
    import gurobipy as gp

    env = gp.Env(empty=True)
    env.setParam("OutputFlag", 0)
    env.start()
    model = gp.Model(env=env)
    x = model.addMVar(W.shape[1], vtype="B", obj=c)
    model.addMConstr(sp.csr_matrix(W), x, ">", np.ones(W.shape[0]))
    model.update()
    return model, env


# -- other modelling layers ------------------------------------------------------------------------


def with_scipy(W: sp.csr_array, c: np.ndarray) -> Any:
    from scipy.optimize import Bounds, LinearConstraint, milp

    rows = LinearConstraint(W, 1, np.inf)
    return milp(
        c, constraints=rows, bounds=Bounds(0, 1), integrality=np.ones(len(c)), options={"time_limit": 1e-9}
    )


def with_pulp(W: sp.csr_array, c: np.ndarray) -> Any:
    import pulp

    problem = pulp.LpProblem("m", pulp.LpMinimize)
    x = [pulp.LpVariable(f"x{j}", cat="Binary") for j in range(len(c))]
    problem += pulp.lpSum(cost * v for cost, v in zip(c, x))
    for i in range(W.shape[0]):
        problem += pulp.lpSum(x[j] for j in W.indices[W.indptr[i] : W.indptr[i + 1]]) >= 1
    path = Path(tempfile.mkdtemp()) / "m.mps"
    problem.writeMPS(str(path))
    return path


def with_linopy(W: sp.csr_array, c: np.ndarray) -> Any:
    import linopy
    import xarray as xr

    model = linopy.Model()
    x = model.add_variables(binary=True, coords=[range(len(c))], dims=["j"], name="x")
    entries = W.indices.reshape(W.shape[0], -1)
    terms = {
        "coeffs": (("i", "_term"), W.data.reshape(entries.shape)),
        "vars": (("i", "_term"), x.labels.values[entries]),
    }
    rows = linopy.LinearExpression(xr.Dataset(terms, coords={"i": range(W.shape[0])}), model)
    model.add_constraints(rows >= 1, name="cover")
    model.add_objective((x * xr.DataArray(c, dims=["j"], coords={"j": range(len(c))})).sum())
    return model.to_highspy()


def with_pyoptinterface(W: sp.csr_array, c: np.ndarray) -> Any:
    import pyoptinterface as poi
    from pyoptinterface import highs

    highs.autoload_library()  # from the package highsbox
    model = highs.Model()
    x = [model.add_variable(domain=poi.VariableDomain.Binary) for _ in c]
    for i in range(W.shape[0]):
        span = slice(W.indptr[i], W.indptr[i + 1])
        terms = poi.ScalarAffineFunction(
            W.data[span].tolist(), [x[j].index for j in W.indices[span].tolist()]
        )
        model.add_linear_constraint(terms, poi.Geq, 1.0)
    model.set_objective(poi.quicksum(cost * v for cost, v in zip(c.tolist(), x)))
    return model


METHODS: dict[str, dict[str, Callable[[sp.csr_array, np.ndarray], Any]]] = {
    "highs": {
        "raw arrays": raw_highs,
        "ooa": ours("highs"),
        "scipy.milp": with_scipy,
        "PyOptInterface": with_pyoptinterface,
        "linopy": with_linopy,
        "PuLP": with_pulp,
    },
    "scip": {"raw expressions": raw_scip, "ooa": ours("scip")},
    "cbc": {"one plain MPS file": raw_cbc, "ooa": ours_to_file, "PuLP": with_pulp},
    "gurobi": {"raw arrays": raw_gurobi, "ooa": ours("gurobi")},
}


def measure(backend: str, method: str, shrink: int, repeats: int) -> dict[str, float]:
    """In this process: best time of several, and growth of the peak memory over the first."""
    rows, columns, per_row = SIZES[backend]
    run = METHODS[backend][method]
    run(*instance(50, 25, 5))  # imports and first-call costs
    W, c = instance(rows // shrink, columns // shrink, per_row)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    held = run(W, c)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    del held
    best = float("inf")
    for _ in range(repeats):
        began = time.perf_counter()
        held = run(W, c)
        best = min(best, time.perf_counter() - began)
        del held
    return {"seconds": best, "megabytes": peak / 1024}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="a tenth of the size, one repetition")
    parser.add_argument(
        "--one", nargs=4, metavar=("BACKEND", "METHOD", "SHRINK", "REPEATS"), help=argparse.SUPPRESS
    )
    arguments = parser.parse_args()
    if arguments.one:
        backend, method, shrink, repeats = arguments.one
        print(json.dumps(measure(backend, method, int(shrink), int(repeats))))
        return
    shrink, repeats = ("10", "1") if arguments.quick else ("1", "7")
    table: list[dict[str, Any]] = []
    for backend, methods in METHODS.items():
        if not available_backends()[backend].ok:
            print(f"{backend}: not installed, left out", file=sys.stderr)
            continue
        base: dict[str, float] = {}
        for method in methods:
            found = in_fresh_process(__file__, "--one", backend, method, shrink, repeats)
            if "error" in found:
                print(f"{backend} / {method}: left out ({found['error']})", file=sys.stderr)
                continue
            base = base or found
            table.append(
                {
                    "backend": backend,
                    "method": method,
                    "milliseconds": round(1e3 * found["seconds"], 1),
                    "time ratio": round(found["seconds"] / base["seconds"], 2),
                    "peak MB": round(found["megabytes"], 1),
                    "memory ratio": round(found["megabytes"] / base["megabytes"], 2)
                    if base["megabytes"]
                    else "",
                }
            )
    show(table)
    print("saved:", save("handover", [row for row in table if row["backend"] not in PRIVATE]))


if __name__ == "__main__":
    main()
