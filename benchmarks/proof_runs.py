"""One cell of the study of proofs: the paper's ILP as it is written, or a call of `learn_ooax`."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import Any

import instances
from cutting import deciles
from store import Row
from summary import Steps, reached, relative_gap, value_at

from ooa.candidates.bounds import least_positive_support, most_patterns
from ooa.candidates.candidates import Candidates
from ooa.candidates.generate import candidate_literals
from ooa.candidates.mining import mine
from ooa.candidates.screening import screen
from ooa.data.rows import DistinctRows
from ooa.data.table import Table
from ooa.formulations import OOAxFormulation
from ooa.formulations.ooax_layout import Form
from ooa.learning.certificate import count
from ooa.learning.course import course, fit_course
from ooa.learning.mine import of_mined
from ooa.learning.ooax import learn_ooax
from ooa.objective import Objective
from ooa.solving import get_backend

BASELINES: dict[str, Form] = {"A": "aggregated", "B": "disaggregated"}
#: Seconds at which gaps are compared.
CHECKPOINTS = (10.0, 60.0, 300.0)


def limit_of(text: str) -> int | None:
    """A number, or None for "none"."""
    return None if text == "none" else int(text)


def theorem_candidates(
    rows: DistinctRows, objective: Objective, length: int, most: int | None
) -> tuple[Candidates, bool]:
    """All patterns that the paper's Theorems 1 and 2 leave, and whether that is all there are."""
    literals = candidate_literals(rows, thresholds=deciles(rows))
    total = Fraction(int(rows.positive.sum() + rows.negative.sum()))
    length = min(length, len(rows.attributes))
    least = [0.0] + [least_positive_support(objective, total, n) for n in range(1, length + 1)]
    mined = mine(literals, rows.positive, rows.negative, max_length=length, min_positive=least)
    empty = Fraction(int(rows.positive.sum())) / total  # the value of the empty rule set
    kept, report = screen(
        of_mined(literals, mined), rows, objective, upper=empty, dominance=False, max_candidates=most
    )
    return kept, mined.complete and report.safe


def run_baseline(cell: Row, table: Table, objective: Objective) -> Row:
    """The ILP as it is written, handed to the solver once."""
    began = time.monotonic()
    rows = table.distinct()
    candidates, complete = theorem_candidates(
        rows, objective, instances.longest_pattern(cell["set"]), limit_of(cell["candidates limit"])
    )
    K = limit_of(cell["K"])
    by_theorem = most_patterns(objective, Fraction(int(table.y.sum()), len(table.y)))
    sizes = [size for size in (K, by_theorem) if size is not None]
    formulation = OOAxFormulation(
        candidates, rows, objective, max_patterns=min(sizes, default=None), form=BASELINES[cell["method"]]
    )
    milp = formulation.milp
    built = time.monotonic() - began
    # The solvers' own default gap, as nobody who hands over an ILP asks for less.
    solution = get_backend(cell["backend"]).solve(
        milp, time_limit=max(0.1, cell["limit"] - built), threads=1, relative_gap=1e-4
    )
    seconds = time.monotonic() - began
    scale = float(formulation.total / formulation.unit)
    ran = course(solution, scale)
    value = None if solution.x is None else count(formulation.decode(solution.x), table, objective)
    empty = float(Fraction(int(table.y.sum()), len(table.y)))  # without an incumbent there is the empty set
    steps = [(0.0, empty)] + [(t + built, v) for t, v in (ran.incumbent if ran else ())]
    bounds = [(t + built, v) for t, v in (ran.bound if ran else ())]
    return _row(
        cell,
        "proved" if solution.is_optimal else solution.termination.value.replace("_", " "),
        seconds,
        empty if value is None else float(value.objective),
        "" if value is None else str(value.objective),
        None if solution.bound is None else solution.bound / scale,
        steps,
        bounds,
    ) | {
        "scope": "all" if complete else "screened",
        "candidates": len(candidates),
        "columns": milp.n_columns,
        "rows": milp.n_rows,
        "nonzeros": int(milp.A.nnz),
        "nodes": solution.nodes,
        "build s": round(built, 3),
    }


def run_ours(cell: Row, table: Table, objective: Objective, variant: dict[str, Any]) -> Row:
    """One call of `learn_ooax`."""
    options = {"max_candidates": limit_of(cell["candidates limit"])} | variant
    began = time.monotonic()
    learned = learn_ooax(
        table,
        C1=objective.C1,
        C2=objective.C2,
        max_patterns=limit_of(cell["K"]),
        max_length=instances.longest_pattern(cell["set"]),
        backend=cell["backend"],
        time_limit=cell["limit"],
        progress=False,
        thresholds=deciles(table),
        **options,
    )
    seconds = time.monotonic() - began
    found = learned.certificate
    exactly = count(learned.rules, table, objective).objective
    if exactly != found.objective:
        raise AssertionError(f"the certificate says {found.objective}, counted are {exactly}")
    status = "proved" if found.proved else found.termination.value.replace("_", " ")
    ran = fit_course(learned.trace, found)
    row = _row(
        cell, status, seconds, float(exactly), str(exactly), float(found.bound), ran.incumbent, ran.bound
    )
    return row | {
        "scope": {"the screened candidates": "screened"}.get(found.scope.value, "all"),
        "statement": found.statement,
        "candidates": len(learned.candidates),
        "stages": " ".join(f"{stage}:{spent:.2f}" for stage, spent in found.seconds.items()),
        "nodes": learned.solution.nodes if learned.solution is not None else None,
    }


def _row(
    cell: Row,
    status: str,
    seconds: float,
    objective: float,
    exactly: str,
    bound: float | None,
    steps: Steps,
    bounds: Steps,
) -> Row:
    """The figures that all methods have; the first of the steps is the empty rule set."""
    row: Row = {
        "status": status,
        "seconds": round(seconds, 3),
        "objective": objective,
        "exactly": exactly,
        "bound": bound,
        "gap": relative_gap(objective, bound),
        "first s": round(reached(steps, steps[0][1] - 1e-9) or steps[0][0], 3),
        "final s": round(reached(steps, objective + 1e-9) or seconds, 3),
        "at 1 s": value_at(steps, 1.0),
    }
    for instant in (t for t in CHECKPOINTS if t <= cell["limit"]):
        done = status == "proved" and seconds <= instant
        ended = done or instant == cell["limit"]  # told to stop, it has what it comes back with
        value, below = (objective, bound) if ended else (value_at(steps, instant), value_at(bounds, instant))
        row[f"gap at {instant:g} s"] = 0.0 if done else relative_gap(value, below)
        row[f"value at {instant:g} s"] = value
    return row
