"""What does a constraint cost: time to the proof, or the gap, with it and without?

    OOA_DATA=folder python benchmarks/constraints.py
    python benchmarks/constraints.py --sets votes heart --constraints sensitivity literals --time-limit 30
    python benchmarks/constraints.py --quick

Seconds are those of the processor, of which a fit has one thread. In ten minutes of a quiet machine:

    OOA_DATA=folder python benchmarks/constraints.py --methods free search \\
        --sets votes tic-tac-toe banknote transfusion heart indian-diabetes \\
        --constraints sensitivity "false positives" parity literals impossible

C1 = C2 = 0.005, deciles, patterns up to length 3, at most 5 of them. "free" is the fit without a constraint,
"search" the fit as it is by default, "ilp" the constraints as rows of the selection ILP alone. "re-weighted"
is what a user without constraints can do: fits with one class weighing more, from a quarter to sixteen times
as much, of which the best that meets the constraint is taken; each has the limit, divided by their number.
"STreeD" (parity alone; see `peering.py`) is the best of its trees of one to eight splits that keep parity,
over the same cuts: each is proved to have the fewest errors of its size, and its leaves are read as patterns.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable, Iterable
from typing import Any

import instances
import numpy as np
import pandas as pd
from peering import Tuning, fit_peer
from store import Row
from study import FitStudy, Summary, number
from warming import ProcessorClock, warm_up

import ooa
from ooa import constraints as ready
from ooa.data.table import Table
from ooa.errors import InfeasibleConstraints, OOAWarning
from ooa.learning.problem import FitProblem
from ooa.learning.settings import OOAxSettings
from ooa.objective import Objective

PRICE = "0.005"
TOLD: dict[str, Any] = {
    "C1": PRICE,
    "C2": PRICE,
    "thresholds": "quantiles",
    "max_thresholds": 9,
    "threads": 1,
}
METHODS = ("free", "search", "ilp", "re-weighted", "STreeD")
#: The most that shares of positive predictions may differ, and how many splits trees have that keep to it.
PARITY, SPLITS = 0.1, range(1, 9)
#: How much more a positive weighs where classes are weighed anew.
FACTORS = (0.25, 0.5, 0.7, 1.5, 2.0, 3.0, 4.0, 8.0, 16.0)


def groups(table: Table) -> list[str]:
    """Whether the first column is in its upper half, or has its first category: two groups of rows."""
    column = table.columns[0]
    values = column.values
    if column.kind == "numeric":
        return [str(bool(v > np.nanmedian(values))) for v in values]
    return [str(bool(v == values[0])) for v in values]


def group_of(X: pd.DataFrame) -> tuple[str, str, Any]:
    """The condition that tells them apart, in the words of the table as it is read."""
    name, values = str(X.columns[0]), X.iloc[:, 0]
    if values.dtype.kind == "f":
        return name, ">", float(np.nanmedian(values))
    return name, "==", str(values.iloc[0])


CONSTRAINTS: dict[str, Callable[[Table], Any]] = {
    "sensitivity": lambda table: ready.min_sensitivity(0.9),
    "specificity": lambda table: ready.min_specificity(0.97),
    "precision": lambda table: ready.min_precision(0.9),
    "false positives": lambda table: ready.max_false_positives(5),
    "literals": lambda table: ready.max_total_literals(6),
    "uses": lambda table: ready.max_uses(table.attributes[0].name, 0),
    "budget": lambda table: ready.budget({a.name: 1 for a in table.attributes}, 3),
    "parity": lambda table: ready.demographic_parity(groups(table), PARITY),
    "opportunity": lambda table: ready.equal_opportunity(groups(table), 0.1),
    "monotone, sensitivity": lambda table: _both(table),
    "group sensitivity": lambda table: ready.min_group_sensitivity(groups(table), 0.8),
    "impossible": lambda table: [ready.min_sensitivity(1), ready.max_false_positives(0)],
}


def _both(table: Table) -> list[Any]:
    numeric = [a.name for a in table.attributes if a.kind == "numeric"]
    directions = [ready.monotone(name, "increasing") for name in numeric[:2]]
    return [*directions, ready.min_sensitivity(0.8)]


class Constraints(FitStudy):
    """Constraints at full speed."""

    name = "constraints"
    title = "What a constraint costs"
    key = ("set", "constraint", "method", "limit", "ooa")
    time_limit = 30.0

    def options(self, parser: argparse.ArgumentParser) -> None:
        """Which constraints, and which ways."""
        parser.add_argument("--constraints", nargs="+", choices=CONSTRAINTS, default=tuple(CONSTRAINTS))
        parser.add_argument("--methods", nargs="+", choices=METHODS, default=METHODS)

    def cells(self, arguments: argparse.Namespace) -> Iterable[Row]:
        """The ways side by side, set after set."""
        for name in arguments.sets:
            for method in arguments.methods:
                for constraint in _asked(arguments, method):
                    limit = float(arguments.time_limit)
                    told = {"set": name, "constraint": constraint, "method": method}
                    yield {**told, "limit": limit, "ooa": ooa.__version__}

    def told(self, row: Row) -> str:
        """Value, gap and seconds."""
        return f"L {number(row.get('L'), 4)}, gap {number(row.get('gap'), 3)}, {number(row.get('cpu'), 3)} s"

    def measure(self, cell: Row) -> Row:
        """One fit, or several with classes weighed anew."""
        data = instances.load(cell["set"])
        table = Table.from_any(data.X, data.y)
        made = [] if cell["method"] == "free" else CONSTRAINTS[cell["constraint"]](table)
        wanted = made if isinstance(made, list) else [made]
        warm_up()
        began = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", OOAWarning)
            if cell["method"] == "re-weighted":
                found = _weighed_anew(data, table, wanted, cell["limit"])
            elif cell["method"] == "STreeD":
                return _of_trees(data, table, wanted, cell["limit"])
            else:
                found = _fitted(table, wanted, cell)
        return {**found, "cpu": round(time.process_time() - began, 3)}

    def summary(self, rows: list[Row]) -> Summary:
        """Each set and constraint on a line."""
        by_cell: dict[tuple[str, str], dict[str, Row]] = {}
        for row in rows:
            by_cell.setdefault((row["set"], row["constraint"]), {})[row["method"]] = row
        lines = []
        for (name, constraint), of_cell in by_cell.items():
            line: Row = {"set": name, "constraint": constraint}
            for method, row in of_cell.items():
                line[f"{method}: L"] = number(_figure(row, "L"), 4) or row.get("status", "")
                if method not in ("re-weighted", "STreeD"):
                    line[f"{method}: gap %"] = number(_percent(row), 3)
                line[f"{method}: CPU s"] = number(_figure(row, "cpu"), 3)
            lines.append(line)
        result = Summary({"Each set and constraint": lines})
        pairs = [of for of in by_cell.values() if {"search", "ilp"} <= of.keys()]
        if pairs:
            worse = sum(_value(of["search"]) > _value(of["ilp"]) + 1e-12 for of in pairs)
            proved = [sum(_percent(of[way]) == 0 for of in pairs) for way in ("search", "ilp")]
            result.sentences.append(
                f"Of {len(pairs)} with both, {proved[0]} are proved with the search and {proved[1]} with the "
                f"ILP alone; {worse} have a worse rule set."
            )
        return result


def _until(limit: float) -> dict[str, Any]:
    return {"time_limit": limit, "clock": ProcessorClock()}


def _fitted(table: Table, wanted: list[Any], cell: Row) -> Row:
    selection = "ilp" if cell["method"] == "ilp" else "auto"
    settings = OOAxSettings(**TOLD, constraints=wanted, selection=selection, **_until(cell["limit"]))
    try:
        certificate = ooa.learn_ooax(table, settings).certificate
    except InfeasibleConstraints as error:
        return {"status": "no rule set meets it", "said": str(error)}
    return {
        "status": certificate.headline,
        "L": float(certificate.objective),
        "gap": None if certificate.gap is None else float(certificate.gap),
    }


def _weighed_anew(data: Any, table: Table, wanted: list[Any], limit: float) -> Row:
    problem = FitProblem.of(table, Objective.of(PRICE, PRICE), 5, wanted)
    best: float | None = None
    for factor in FACTORS:
        weight = np.where(table.y, factor, 1.0)
        other = Table.from_any(data.X, data.y, sample_weight=weight)
        rules = ooa.learn_ooax(other, OOAxSettings(**TOLD, **_until(limit / len(FACTORS)))).rules
        if not problem.violated(rules):
            value = float(problem.value(rules))
            best = value if best is None else min(best, value)
    return {"status": "none meets it"} if best is None else {"status": "met", "L": best}


def _asked(arguments: argparse.Namespace, method: str) -> Iterable[str]:
    """The constraints that a method is asked for."""
    if method == "free":
        return ("none",)
    return [name for name in arguments.constraints if method != "STreeD" or name == "parity"]


def _of_trees(data: Any, table: Table, wanted: list[Any], limit: float) -> Row:
    """The best of the trees of other sizes that meets the constraint, by its own seconds."""
    problem = FitProblem.of(table, Objective.of(PRICE, PRICE), 5, wanted)
    y, best, seconds = np.asarray(table.y, dtype=np.int64), None, 0.0
    for splits in SPLITS:
        params = {"parity": PARITY, "splits": splits, "group": list(group_of(data.X))}
        tuning = Tuning([params], np.zeros(len(y), dtype=np.int64))
        told: dict[str, Any] = {"limit": limit / len(SPLITS), "tuning": tuning}
        try:
            found = fit_peer("fair STreeD", data.X, y, data.X[:0], **told)
        except RuntimeError:
            continue  # it found none in time
        seconds += found.seconds
        assert found.rules is not None
        if not problem.violated(found.rules):
            value = float(problem.value(found.rules))
            best = value if best is None else min(best, value)
    row: Row = {"status": "none meets it"} if best is None else {"status": "met", "L": best}
    return {**row, "cpu": round(seconds, 3)}


def _figure(row: Row, name: str) -> float | None:
    value = row.get(name)
    return None if value in (None, "") else float(value)


def _percent(row: Row) -> float | None:
    gap = _figure(row, "gap")
    return None if gap is None else 100 * gap


def _value(row: Row) -> float:
    value = _figure(row, "L")
    return float("inf") if value is None else value


if __name__ == "__main__":
    Constraints().main()
