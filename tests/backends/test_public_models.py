"""Public models with known optima: no backend claims anything that is wrong.

`OOA_MPS` names a folder with the models as MPS files, a table `optima.csv` of what several solvers agree on
(name, columns, rows, integers, status, minimum), and a folder `odd` of files that readers stumble over.
"""

from __future__ import annotations

import csv
import os
import warnings
from pathlib import Path
from typing import NamedTuple

import pytest

from ooa.errors import FormatError, LicenseLimit, OOAWarning
from ooa.model import Milp, read_mps
from ooa.solving import Solution, Termination, available_backends, get_backend
from ooa.testing.helpers import assert_sound, same

FOLDER = Path(os.environ["OOA_MPS"]) if os.environ.get("OOA_MPS") else None
BACKENDS = [name for name in ("highs", "scip", "cbc", "gurobi") if available_backends()[name].ok]
#: Seconds for a solve: whoever is not done by then claims nothing, which is not wrong.
LIMIT = 4.0
#: Published optima have ten digits, and solvers have their tolerances.
DIGITS = 2e-6

pytestmark = pytest.mark.skipif(FOLDER is None, reason="OOA_MPS names no folder with public models")


class Known(NamedTuple):
    """What is known about a model."""

    name: str
    sizes: tuple[int, int, int]
    status: str
    minimum: float | None


def known() -> list[Known]:
    if FOLDER is None:
        return []
    with open(FOLDER / "optima.csv", encoding="utf-8", newline="") as stream:
        return [
            Known(
                row["name"],
                (int(row["columns"]), int(row["rows"]), int(row["integers"])),
                row["status"],
                float(row["minimum"]) if row["minimum"] else None,
            )
            for row in csv.DictReader(stream)
        ]


def read(name: str) -> Milp:
    assert FOLDER is not None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OOAWarning)  # one model has coefficients below 1e-9
        return read_mps(FOLDER / f"{name}.mps")


def assert_true(fact: Known, milp: Milp, solution: Solution) -> None:
    """Nothing that a solution says contradicts what is known."""
    assert_sound(milp, solution)
    told = solution.termination.value
    if told in ("infeasible", "unbounded", "optimal"):
        assert told == fact.status, solution
    if fact.minimum is None:
        assert fact.status != "infeasible" or solution.x is None
        assert fact.status != "unbounded" or solution.bound is None
        return
    slack = DIGITS * max(1.0, abs(fact.minimum))
    assert solution.objective is None or solution.objective >= fact.minimum - slack, "better than the optimum"
    assert solution.bound is None or solution.bound <= fact.minimum + slack, "a bound above the optimum"
    if solution.is_optimal:
        assert solution.objective is not None
        assert abs(solution.objective - fact.minimum) <= slack


@pytest.mark.parametrize("fact", known(), ids=lambda fact: fact.name)
def test_the_reader_reads_it_all(fact: Known) -> None:
    milp = read(fact.name)
    assert (milp.n_columns, milp.n_rows, int(milp.integer.sum())) == fact.sizes


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("fact", known(), ids=lambda fact: fact.name)
def test_no_claim_is_wrong(fact: Known, backend: str) -> None:
    milp = read(fact.name)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", OOAWarning)
            solution = get_backend(backend).solve(milp, time_limit=LIMIT)
    except LicenseLimit as error:
        pytest.skip(str(error))
    assert_true(fact, milp, solution)


@pytest.mark.skipif("cbc" not in BACKENDS, reason="no CBC executable is installed")
def test_what_cbc_calls_optimal_is_not_believed() -> None:
    """CBC 2.10.3 cuts off the optimum of lseu; newer versions do not."""
    cbc, milp = get_backend("cbc"), read("lseu")
    alone = cbc.solve(milp, confirm=False, time_limit=LIMIT)
    solution = cbc.solve(milp, time_limit=200.0)
    assert solution.termination is Termination.OPTIMAL
    assert same(solution.objective, 1120.0)
    if cbc.errs(Termination.OPTIMAL):
        assert alone.termination in (Termination.CLAIMED, Termination.TIME_LIMIT)
        assert solution.confirmed_by.startswith("highs ")
        if alone.objective is not None and alone.objective > 1121.0:
            assert "optimal, but highs" in solution.message


#: Files that readers stumble over: what is in them, or why they are refused.
ODD = {
    "comment": -4.0,
    "dD2e": -3000.0,
    "silly-names": -1.0,
    "garbage": r"line 2: section .* is not supported",
    "nan0": r"line 8: a value is not a number",
    "nan1": r"line 9: a value is not a number",
    "nan2": r"line 12: a value is not a number",
    "semi-continuous": r"bound type 'SC' is not supported",
    "warnings": r"line 12: unknown row 'R11'",
}


@pytest.mark.parametrize("name", ODD)
def test_odd_files_are_read_rightly_or_refused_by_the_line(name: str) -> None:
    expected = ODD[name]
    if isinstance(expected, str):
        with pytest.raises(FormatError, match=expected):
            read(f"odd/{name}")
        return
    milp = read(f"odd/{name}")
    for backend in BACKENDS:
        solution = get_backend(backend).solve(milp)
        assert solution.is_optimal
        assert same(solution.objective, expected)


def test_every_odd_file_is_looked_at() -> None:
    assert FOLDER is not None
    assert {path.stem for path in (FOLDER / "odd").glob("*.mps")} == set(ODD)
    assert {path.stem for path in FOLDER.glob("*.mps")} == {fact.name for fact in known()}
