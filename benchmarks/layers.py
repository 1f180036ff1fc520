"""How long does it take until a solver holds a model, against other modelling libraries?

    OOA_LAYER_PYTHON=python python benchmarks/layers.py
    python benchmarks/layers.py --quick

Two models: "ooax", the selection ILP of generated data in its disaggregated form, and "cover", a random set
cover of 5,000 binaries, 20,000 rows and 500,000 nonzeros. Each measurement is the best of several repetitions
in a process of its own; the ratio is taken against the solver's own fastest call on ready-made arrays, in the
same run. Memory is the growth of the peak resident size over what the data and the imports need. No model is
solved. The layers may live in another interpreter, named by OOA_LAYER_PYTHON (linopy, pyoptinterface with
highsbox, pulp, mip, cvxpy, highspy).
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import instances
import numpy as np
import scipy.sparse as sp
from cells import run_cell
from layer_worker import METHODS
from proof_runs import theorem_candidates
from store import Row
from study import Study, Summary, number

import ooa
from ooa.formulations import OOAxFormulation
from ooa.objective import Objective
from ooa.solving import available_backends

VARIABLE = "OOA_LAYER_PYTHON"
WORKER = Path(__file__).with_name("layer_worker.py")
_OUR_OWN = ("raw arrays", "raw expressions", "one plain MPS file", "ooa", "scipy.milp")


class Layers(Study):
    """Modelling layers on the same model."""

    name = "layers"
    title = "Handing a model to a solver"
    key = ("set", "size", "backend", "method", "ooa")
    sets = ("ooax", "cover")
    quick_sets = ("ooax",)

    def available(self, names: Sequence[str]) -> list[str]:
        """These are models, not data sets: all there."""
        return list(names)

    def options(self, parser: argparse.ArgumentParser) -> None:
        """How often."""
        parser.add_argument("--repeats", type=int, default=7)

    def cells(self, arguments: argparse.Namespace) -> Iterable[Row]:
        """One per model, solver and layer."""
        size = "tenth" if arguments.quick else "full"
        for name in arguments.sets:
            for backend, methods in METHODS.items():
                if not available_backends()[backend].ok:
                    print(f"{backend}: not installed, left out", file=sys.stderr)
                    continue
                small = backend == "gurobi"  # a licence that stops at 2,000 rows and columns
                for method in methods:
                    yield {
                        "set": name,
                        "size": "small" if small else size,
                        "backend": backend,
                        "method": method,
                        "repeats": 1 if arguments.quick else arguments.repeats,
                        "ooa": ooa.__version__,
                    }

    def told(self, row: Row) -> str:
        """Time and memory."""
        return f"{row.get('milliseconds', row.get('status'))} ms, {row.get('grown MB')} MB"

    def measure(self, cell: Row) -> Row:
        """Write the model to a file and have a fresh interpreter build it again."""
        python = sys.executable
        if cell["method"] not in _OUR_OWN:
            python = os.environ.get(VARIABLE) or sys.executable
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model.npz"
            shape = write_model(cell["set"], cell["size"], path)
            write_model(cell["set"], "tiny", Path(folder) / "model-small.npz")
            words = [python, str(WORKER), str(path), cell["backend"], cell["method"], str(cell["repeats"])]
            found = run_cell("", {}, self.hard_limit(cell) - 30, words)
        return found | shape

    def summary(self, rows: list[Row]) -> Summary:
        """Times and memory, and their ratios to the solver's own fastest call."""
        by: dict[tuple[str, str], list[Row]] = defaultdict(list)
        for row in rows:
            by[row["set"], row["backend"]].append(row)
        result = Summary()
        for (name, backend), own in by.items():
            floor = next((row for row in own if row["method"] == next(iter(METHODS[backend]))), {})
            for row in own:
                failed = row.get("milliseconds") in (None, "")
                line: Row = {"backend": backend, "method": row["method"]}
                if failed:
                    line["ms"] = str(row.get("error", row.get("status")))[:60]
                else:
                    line["ms"] = number(row["milliseconds"])
                    line["time ratio"] = _ratio(row, floor, "milliseconds")
                    line["peak MB"] = number(row["grown MB"])
                    line["memory ratio"] = _ratio(row, floor, "grown MB")
                what = f"{row.get('columns')} columns, {row.get('rows')} rows, {row.get('nonzeros')} nonzeros"
                result.tables.setdefault(f"{name}: {what}", []).append(line)
        return result


def _ratio(row: Row, floor: Row, what: str) -> str:
    base = floor.get(what)
    return "" if base in (None, "", 0, 0.0) else f"{float(row[what]) / float(base):.2f}"


def write_model(name: str, size: str, path: Path) -> Row:
    """Write a model as arrays; returns its measures."""
    made = {"ooax": _ooax, "cover": _cover}[name](size)
    A: sp.csr_array = made["A"]
    np.savez(
        path,
        data=A.data,
        indices=A.indices.astype(np.int32),
        indptr=A.indptr.astype(np.int32),
        shape=np.array(A.shape),
        **{key: value for key, value in made.items() if key != "A"},
    )
    return {"columns": A.shape[1], "rows": A.shape[0], "nonzeros": int(A.nnz)}


@cache
def _ooax(size: str) -> dict[str, Any]:
    """The selection ILP, at most 5 patterns; the sizes are chosen for a licence of 2,000 rows too."""
    data, most = {
        "full": ("planted-2000x100", 2000),
        "tenth": ("planted-500x40", 500),
        "small": ("planted-100x20", 20),
        "tiny": ("planted-50x20", 5),
    }[size]
    rows = instances.table_of(data).distinct()
    objective = Objective.of("0.01", "0.01")
    candidates, _ = theorem_candidates(rows, objective, 3, most)
    milp = OOAxFormulation(candidates, rows, objective, max_patterns=5, form="disaggregated").milp
    ends = np.cumsum([int(np.prod(shape)) for _, shape in milp.rows.blocks])
    return {
        "A": sp.csr_array(milp.A),
        "c": milp.c,
        "lower": milp.lower,
        "upper": milp.upper,
        "integer": milp.integer,
        "row_lower": milp.row_lower,
        "row_upper": milp.row_upper,
        "blocks": ends,
    }


@cache
def _cover(size: str) -> dict[str, Any]:
    """A random set cover: 25 entries in every row."""
    rows, columns = {
        "full": (20_000, 5_000),
        "tenth": (2_000, 500),
        "small": (1_990, 1_975),
        "tiny": (50, 25),
    }[size]
    per_row = 25 if columns > 25 else 5
    rng = np.random.default_rng(0)
    indices = np.sort(rng.integers(0, columns // per_row, (rows, per_row)), axis=1)
    indices = (indices + np.arange(per_row) * (columns // per_row)).astype(np.int32)
    indptr = np.arange(0, rows * per_row + 1, per_row, dtype=np.int32)
    return {
        "A": sp.csr_array((np.ones(rows * per_row), indices.ravel(), indptr), shape=(rows, columns)),
        "c": rng.integers(1, 9, columns).astype(float),
        "lower": np.zeros(columns),
        "upper": np.ones(columns),
        "integer": np.ones(columns, dtype=bool),
        "row_lower": np.ones(rows),
        "row_upper": np.full(rows, np.inf),
        "blocks": np.array([rows]),
    }


STUDY = Layers()

if __name__ == "__main__":
    STUDY.main()
