"""Wide tables: is our L the lowest, against BRCG told the same prices and against STreeD?

    OOA_DATA=folder OOA_PEER_PYTHON=python python benchmarks/wide_peers.py      # 10 s per fit
    python benchmarks/wide_peers.py --sets benign --methods ooa "ooa, any" --prices 0.005
    python benchmarks/wide_peers.py --quick

"ooa" is `ooa.fit` as it is by default but for prices and limit: at most five patterns up to length 3. "ooa,
any" has any number of patterns of any length, and ranges, as BRCG has: two conditions on one column. Peers
get deciles, as in `peers.py`, and the same limit, which BRCG looks at between its rounds only. L is counted
alike for all, from the rules. Limits are seconds of the processor, on one thread, for all of them.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Iterable
from typing import Any

import instances
import numpy as np
from peering import fit_peer, interpreters
from store import Row
from study import Study, Summary, number
from warming import ProcessorClock, warm_up

import ooa
from ooa.data.table import Table
from ooa.errors import OOAWarning
from ooa.learning.ooax import learn_ooax
from ooa.learning.problem import FitProblem
from ooa.objective import Objective

PRICES = ("0.001", "0.005")
#: What ours are told, by name.
OURS: dict[str, dict[str, Any]] = {
    "ooa": {},
    "ooa, any": {"max_length": None, "max_patterns": None, "ranges": True},
}
PEERS = ("BRCG", "STreeD")


class WidePeers(Study):
    """L of ours and of peers on wide tables, at the same prices."""

    name = "wide_peers"
    title = "Wide tables, against others"
    key = ("set", "C", "method", "limit", "ooa")
    sets = (
        "benign",
        "digits",
        "adult",
        "magic-gamma",
        "correlated-350x34",
        "correlated-1000x57",
        "correlated-5000x120",
    )
    quick_sets = ("correlated-120x21",)
    time_limit = 10.0
    quick_limit = 1.0

    def options(self, parser: argparse.ArgumentParser) -> None:
        """Which methods, at which prices."""
        parser.add_argument("--methods", nargs="+", choices=[*OURS, *PEERS], default=[*OURS, *PEERS])
        parser.add_argument("--prices", nargs="+", default=list(PRICES))

    def cells(self, arguments: argparse.Namespace) -> Iterable[Row]:
        """One per set, price and method; peers that are not there are left out."""
        there = set(OURS) | set(interpreters() if set(arguments.methods) - set(OURS) else ())
        for name in arguments.sets:
            for price in arguments.prices:
                for method in arguments.methods:
                    if method not in there:
                        continue
                    cell: Row = {"set": name, "C": price, "method": method}
                    yield cell | {"limit": float(arguments.time_limit), "ooa": ooa.__version__}

    def hard_limit(self, cell: Row) -> float:
        """On a machine that may be busy with others."""
        return 40 * float(cell["limit"]) + 600

    def told(self, row: Row) -> str:
        """Value and standing."""
        return f"L {number(row.get('L'))}, {row.get('status')}"

    def measure(self, cell: Row) -> Row:
        """One fit."""
        data = instances.load(cell["set"])
        table, method = Table.from_any(data.X, data.y), cell["method"]
        if method in OURS:
            return _ours(table, cell)
        labels, X = data.y.to_numpy().astype(np.int64), data.X.copy()
        for name in X.columns[X.isna().any()]:  # they know no missing values: a category of its own
            X[name] = X[name].astype(object).where(X[name].notna(), "missing").astype("category")
        found = fit_peer(method, X, labels, X[:0], C=cell["C"], limit=cell["limit"], processor=True)
        assert found.rules is not None
        counted = FitProblem.of(Table.from_any(X, data.y), Objective.of(cell["C"], cell["C"])).count(
            found.rules
        )
        return {
            "status": "",
            "L": float(counted.objective),
            "bound": "",
            "patterns": found.patterns,
            "literals": found.literals,
            "seconds": round(found.seconds, 2),
        }

    def summary(self, rows: list[Row]) -> Summary:
        """L of all, the lowest in bold, and how many patterns and literals it took."""
        result, tables = Summary(), result_tables(rows)
        result.tables.update(tables)
        return result


def result_tables(rows: list[Row]) -> dict[str, list[Row]]:
    """L by set, price and method; then what ours proved."""
    found = {(row["set"], row["C"], row["method"]): row for row in rows if row.get("L") not in (None, "")}
    methods = list(dict.fromkeys(row["method"] for row in rows))
    values, proofs = [], []
    for name, price in dict.fromkeys((row["set"], row["C"]) for row in rows):
        some = {method: found.get((name, price, method)) for method in methods}
        least = min((float(row["L"]) for row in some.values() if row), default=0.0)
        values.append({"set": name, "C": price} | {m: _value(row, least) for m, row in some.items()})
        ours = {m: some[m] for m in methods if m in OURS}
        proofs.append(
            {"set": name, "C": price} | {m: str(row["status"]) if row else "" for m, row in ours.items()}
        )
    return {"L (patterns / literals)": values, "What ours proved": proofs}


def _ours(table: Table, cell: Row) -> Row:
    """OOAx with default settings, but for prices and limits."""
    warm_up("highs")
    began = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OOAWarning)
        learned = learn_ooax(
            table,
            C1=cell["C"],
            C2=cell["C"],
            time_limit=cell["limit"],
            clock=ProcessorClock(),
            progress=False,
            **OURS[cell["method"]],
        )
    found = learned.certificate
    return {
        "status": found.headline,
        "L": float(found.objective),
        "bound": float(found.bound),
        "patterns": found.patterns,
        "literals": found.literals,
        "seconds": round(time.process_time() - began, 2),
    }


def _value(row: Row | None, least: float) -> str:
    """L, in bold if it is the lowest, with patterns and literals."""
    if row is None:
        return ""
    value = f"{float(row['L']):.4f}"
    value = f"**{value}**" if float(row["L"]) <= least + 1e-9 else value
    return f"{value} ({row['patterns']} / {row['literals']})"


STUDY = WidePeers()

if __name__ == "__main__":
    STUDY.main()
