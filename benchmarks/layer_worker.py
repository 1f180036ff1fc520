"""Builds one model in one modelling layer, in an interpreter that need not have ooa: started by `layers.py`.

    python layer_worker.py MODEL.npz BACKEND METHOD REPEATS     # the answer as JSON

The model is a file of arrays: minimise c x with row_lower <= A x <= row_upper, lower <= x <= upper, some x
whole; its rows come in blocks, as somebody would write them. Nothing is solved. (scipy.milp cannot hand a
model over without solving it; it gets a time limit of nothing.)
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import scipy.sparse as sp


class Arrays:
    """A model as arrays."""

    def __init__(self, path):
        found = np.load(path)
        self.c, self.lower, self.upper = found["c"], found["lower"], found["upper"]
        self.integer = found["integer"]
        self.row_lower, self.row_upper = found["row_lower"], found["row_upper"]
        self.A = sp.csr_array((found["data"], found["indices"], found["indptr"]), shape=tuple(found["shape"]))
        ends = found["blocks"].tolist()
        self.blocks = [slice(a, b) for a, b in zip([0, *ends[:-1]], ends)]

    def row(self, i):
        """Columns and coefficients of a row."""
        span = slice(self.A.indptr[i], self.A.indptr[i + 1])
        return self.A.indices[span].tolist(), self.A.data[span].tolist()

    def sense(self, i):
        """Sign and right side of a row; all rows of these models are one-sided."""
        if np.isfinite(self.row_lower[i]):
            return ">=", float(self.row_lower[i])
        return "<=", float(self.row_upper[i])


# -- ours ------------------------------------------------------------------------------------------


def _our_model(m):
    from ooa.model import Model

    model = Model()
    n = int(m.integer.sum())  # the binaries come first
    x = model.add_binaries("x", n, cost=m.c[:n])
    rest = None
    if n < len(m.c):
        rest = model.add_continuous("y", len(m.c) - n, upper=m.upper[n:], cost=m.c[n:])
    for k, block in enumerate(m.blocks):
        left = m.A[block][:, :n] @ x
        if rest is not None:
            left = left + m.A[block][:, n:] @ rest
        low = np.isfinite(m.row_lower[block]).all()
        model.add_rows(f"rows{k}", left >= m.row_lower[block] if low else left <= m.row_upper[block])
    return model.freeze()


def ours(backend):
    """Our model, in the hands of one of our backends."""

    def run(m):
        from ooa.solving import get_backend
        from ooa.solving.prepare import prepare

        adapter = get_backend(backend).fresh()
        adapter.load(prepare(_our_model(m)).milp)
        return adapter

    return run


def ours_to_file(m):
    """What the CBC adapter does before the program starts."""
    from ooa.model import write_mps
    from ooa.solving.prepare import prepare

    path = Path(tempfile.mkdtemp()) / "m.mps"
    write_mps(prepare(_our_model(m)).milp, path, names=False)
    return path


# -- the solvers' own fastest paths ----------------------------------------------------------------


def raw_highs(m):
    """One call with arrays."""
    import highspy

    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    rows, columns = m.A.shape
    highs.passModel(
        columns, rows, m.A.nnz, 2, 1, 0.0, m.c, m.lower, m.upper, m.row_lower, m.row_upper,
        m.A.indptr, m.A.indices, m.A.data, m.integer.astype(np.int32),
    )  # fmt: skip
    return highs


def raw_scip(m):
    """Its expressions, row by row."""
    from pyscipopt import Expr, Model
    from pyscipopt.scip import ExprCons, Term

    model = Model()
    kinds = np.where(m.integer, "B", "C")
    terms = [
        Term(model.addVar(vtype=kind, lb=low, ub=high, obj=cost))
        for kind, low, high, cost in zip(kinds, m.lower, m.upper, m.c)
    ]
    for i in range(m.A.shape[0]):
        columns, values = m.row(i)
        low, high = m.row_lower[i], m.row_upper[i]
        ends = (low if np.isfinite(low) else None, high if np.isfinite(high) else None)
        model.addCons(ExprCons(Expr({terms[j]: a for j, a in zip(columns, values)}), *ends))
    return model


def raw_cbc(m):
    """CBC reads files: its floor is one MPS file, written line by line."""
    columns = m.A.tocsc()
    path = Path(tempfile.mkdtemp()) / "m.mps"
    with path.open("w") as file:
        file.write("NAME m\nROWS\n N o\n")
        file.writelines(f" {'G' if m.sense(i)[0] == '>=' else 'L'} r{i}\n" for i in range(m.A.shape[0]))
        file.write("COLUMNS\n")
        for j in range(m.A.shape[1]):
            span = slice(columns.indptr[j], columns.indptr[j + 1])
            file.write(f" x{j} o {float(m.c[j])!r}\n")
            file.writelines(
                f" x{j} r{i} {a!r}\n"
                for i, a in zip(columns.indices[span].tolist(), columns.data[span].tolist())
            )
        file.write("RHS\n")
        file.writelines(f" R r{i} {m.sense(i)[1]!r}\n" for i in range(m.A.shape[0]))
        file.write("BOUNDS\n")
        file.writelines(f" BV B x{j}\n" if m.integer[j] else f" UP B x{j} 1\n" for j in range(len(m.c)))
        file.write("ENDATA\n")
    return path


def raw_gurobi(m):
    """Matrix calls."""
    import gurobipy as gp

    env = gp.Env(empty=True)
    env.setParam("OutputFlag", 0)
    env.start()
    model = gp.Model(env=env)
    x = model.addMVar(len(m.c), lb=m.lower, ub=m.upper, vtype=np.where(m.integer, "B", "C"), obj=m.c)
    for block in m.blocks:
        low = np.isfinite(m.row_lower[block]).all()
        ends = m.row_lower[block] if low else m.row_upper[block]
        model.addMConstr(sp.csr_matrix(m.A[block]), x, ">" if low else "<", ends)
    model.update()
    return model, env


# -- other modelling layers ------------------------------------------------------------------------


def with_scipy(m):
    """scipy.optimize.milp."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    rows = LinearConstraint(m.A, m.row_lower, m.row_upper)
    bounds = Bounds(m.lower, m.upper)
    return milp(
        m.c, constraints=rows, bounds=bounds, integrality=m.integer.astype(int), options={"time_limit": 1e-9}
    )


def with_pulp(m):
    """PuLP, to the file its solvers read."""
    import pulp

    problem = pulp.LpProblem("m", pulp.LpMinimize)
    x = [
        pulp.LpVariable(f"x{j}", float(low), float(high), "Integer" if whole else "Continuous")
        for j, (low, high, whole) in enumerate(zip(m.lower, m.upper, m.integer))
    ]
    problem += pulp.lpSum(cost * v for cost, v in zip(m.c, x))
    for i in range(m.A.shape[0]):
        columns, values = m.row(i)
        sign, right = m.sense(i)
        left = pulp.lpSum(a * x[j] for j, a in zip(columns, values))
        problem += left >= right if sign == ">=" else left <= right
    path = Path(tempfile.mkdtemp()) / "m.mps"
    problem.writeMPS(str(path))
    return path


def with_linopy(m):
    """linopy: blocks of rows as arrays, short rows filled up."""
    import linopy
    import xarray as xr

    model = linopy.Model()
    n = int(m.integer.sum())
    parts = [model.add_variables(binary=True, coords=[range(n)], dims=["j"], name="x")]
    if n < len(m.c):
        rest = [range(len(m.c) - n)]
        upper = xr.DataArray(m.upper[n:], dims=["k"], coords={"k": rest[0]})
        parts.append(model.add_variables(lower=0, upper=upper, coords=rest, dims=["k"], name="y"))
    labels = np.concatenate([part.labels.values for part in parts])
    for k, block in enumerate(m.blocks):
        A = m.A[block]
        lengths = np.diff(A.indptr)
        filled = np.arange(max(lengths.max(), 1)) < lengths[:, None]
        coefficients, variables = np.full(filled.shape, np.nan), np.full(filled.shape, -1)
        coefficients[filled], variables[filled] = A.data, labels[A.indices]
        terms = {"coeffs": (("i", "_term"), coefficients), "vars": (("i", "_term"), variables)}
        rows = linopy.LinearExpression(xr.Dataset(terms, coords={"i": range(A.shape[0])}), model)
        low = np.isfinite(m.row_lower[block]).all()
        ends = m.row_lower[block] if low else m.row_upper[block]
        right = xr.DataArray(ends, dims=["i"], coords={"i": range(A.shape[0])})
        model.add_constraints(rows >= right if low else rows <= right, name=f"rows{k}")
    costs = [xr.DataArray(m.c[:n], dims=["j"], coords={"j": range(n)})]
    if len(parts) > 1:
        costs.append(xr.DataArray(m.c[n:], dims=["k"], coords={"k": range(len(m.c) - n)}))
    model.add_objective(sum((part * cost).sum() for part, cost in zip(parts, costs)))
    return model.to_highspy()


def with_pyoptinterface(m):
    """PyOptInterface, straight into HiGHS."""
    import pyoptinterface as poi
    from pyoptinterface import highs

    highs.autoload_library()  # from the package highsbox
    model = highs.Model()
    kinds = (poi.VariableDomain.Continuous, poi.VariableDomain.Binary)
    x = [
        model.add_variable(lb=float(low), ub=float(high), domain=kinds[int(whole)])
        for low, high, whole in zip(m.lower, m.upper, m.integer)
    ]
    for i in range(m.A.shape[0]):
        columns, values = m.row(i)
        sign, right = m.sense(i)
        terms = poi.ScalarAffineFunction(values, [x[j].index for j in columns])
        model.add_linear_constraint(terms, poi.Geq if sign == ">=" else poi.Leq, right)
    model.set_objective(poi.quicksum(cost * v for cost, v in zip(m.c.tolist(), x)))
    return model


def with_python_mip(m):
    """python-mip, straight into CBC."""
    import mip

    model = mip.Model(solver_name=mip.CBC)
    model.verbose = 0
    x = [
        model.add_var(lb=float(low), ub=float(high), obj=float(cost), var_type="B" if whole else "C")
        for low, high, cost, whole in zip(m.lower, m.upper, m.c, m.integer)
    ]
    for i in range(m.A.shape[0]):
        columns, values = m.row(i)
        sign, right = m.sense(i)
        model.add_constr(mip.LinExpr([x[j] for j in columns], values, -right, ">" if sign == ">=" else "<"))
    return model


def with_cvxpy(m):
    """cvxpy, up to the arrays that HiGHS is handed."""
    import cvxpy as cp

    n = int(m.integer.sum())
    parts = [cp.Variable(n, boolean=True)]
    limits = []
    if n < len(m.c):
        parts.append(cp.Variable(len(m.c) - n))
        limits = [parts[1] >= 0, parts[1] <= m.upper[n:]]
    x = cp.hstack(parts)
    for block in m.blocks:
        low = np.isfinite(m.row_lower[block]).all()
        left = sp.csr_matrix(m.A[block]) @ x
        limits.append(left >= m.row_lower[block] if low else left <= m.row_upper[block])
    problem = cp.Problem(cp.Minimize(m.c @ x), limits)
    return problem.get_problem_data(cp.HIGHS)


#: The first of each backend is the floor that the others are measured against.
METHODS = {
    "highs": {
        "raw arrays": raw_highs,
        "ooa": ours("highs"),
        "scipy.milp": with_scipy,
        "linopy": with_linopy,
        "PyOptInterface": with_pyoptinterface,
        "cvxpy": with_cvxpy,
        "PuLP": with_pulp,
    },
    "scip": {"raw expressions": raw_scip, "ooa": ours("scip")},
    "cbc": {
        "one plain MPS file": raw_cbc,
        "ooa": ours_to_file,
        "python-mip": with_python_mip,
        "PuLP": with_pulp,
    },
    "gurobi": {"raw arrays": raw_gurobi, "ooa": ours("gurobi")},
}


def _peak():
    """Peak resident size of this process in kilobytes."""
    status = Path("/proc/self/status")
    if status.exists():  # unlike ru_maxrss, not inherited from the process that started this one
        return next(int(line.split()[1]) for line in status.read_text().splitlines() if "VmHWM" in line)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def measure(path, backend, method, repeats):
    """Best time of several, and growth of the peak memory over the first."""
    run = METHODS[backend][method]
    m = Arrays(path)
    run(Arrays(path.replace(".npz", "-small.npz")))  # imports and first-call costs
    before = _peak()
    held = run(m)
    peak = _peak() - before
    del held
    best = float("inf")
    for _ in range(repeats):
        began = time.perf_counter()
        held = run(m)
        best = min(best, time.perf_counter() - began)
        del held
    return {"status": "done", "milliseconds": round(1e3 * best, 2), "grown MB": round(peak / 1024, 1)}


if __name__ == "__main__":
    answer = measure(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
    print("\n" + json.dumps(answer))
