"""Do other rule learners find better rule sets, if all are scored alike?

    OOA_DATA=folder OOA_PEER_PYTHON=python:python python benchmarks/peers.py
    OOA_DATA=folder python benchmarks/peers.py --peers RIPPER BRCG --sets heart --prices 0.01
    python benchmarks/peers.py --quick

Eleven peers learn from all rows of a set: BRCG (AIX360), BRS, SkopeRules, RuleFit and SLIPPER (imodels),
RIPPER (wittgenstein), RUG (ruleopt), CN2 (Orange), and the optimal trees of STreeD, DL8.5 and GOSDT. What
each learned is turned into a rule set that is checked to predict the same, and scored by L; trees count as
the patterns of their positive leaves, conditions on one column as one literal. Peers whose rules vote are
scored by their own predictions and conditions. Those that price size get the same prices (a tree's split or
leaf costs C1 + C2), the others are as they come: they minimise something else, and often have many more
rules.

"OOAx" is this library. It may use as many patterns as it likes, and conditions such as x != v or 2 <= x < 5,
as the peers do, up to three in a pattern (four on categorical sets). Accuracy is by 5-fold cross-validation.
The time to match is when our fit first had a rule set at least as good as the peer's. Each peer runs in an
interpreter of its own (requirements-peers.txt says what to install there).
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterable
from statistics import mean
from typing import Any

import instances
import numpy as np
from cutting import deciles
from paper import FOLDS, outer_folds
from peering import VARIABLE, fit_peer, interpreters
from store import Row
from study import Study, Summary, number
from summary import mean_sd, reached
from warming import warm_up

import ooa
from ooa.data.table import Table
from ooa.learning.certificate import count
from ooa.learning.course import fit_course
from ooa.learning.ooax import learn_ooax
from ooa.objective import Objective

PRICES = ("0.001", "0.005", "0.01")
#: Peers that are told the prices; the others learn the same at all prices, so they learn once.
PRICED = frozenset({"OOAx", "BRCG", "STreeD", "GOSDT"})
ANY = "any"
#: The language of our fits: that of the peers' literals, at deciles; two on one column make a range.
OURS: dict[str, Any] = {"negations": True, "ranges": True, "max_patterns": None}


class Peers(Study):
    """Peers and OOAx, scored by L."""

    name = "peers"
    title = "Other rule learners, scored alike"
    key = ("set", "C", "method", "fold", "limit", "version")
    quick_sets = ("planted-100x20",)
    quick_limit = 1.0

    def options(self, parser: argparse.ArgumentParser) -> None:
        """Which peers and prices."""
        parser.add_argument("--peers", nargs="+", help="some of the peers that are found")
        parser.add_argument("--prices", nargs="+", default=list(PRICES), help="C1 = C2")
        parser.add_argument("--no-folds", action="store_true", help="without the cross-validated accuracy")

    def cells(self, arguments: argparse.Namespace) -> Iterable[Row]:
        """One per set, method, price and part: all rows, then the folds."""
        found = {"OOAx": (ooa.__version__, sys.executable)} | interpreters()
        if len(found) == 1:
            print(f"no peer is installed: name interpreters that have some in {VARIABLE}", file=sys.stderr)
        methods = [name for name in found if name == "OOAx" or not arguments.peers or name in arguments.peers]
        prices = arguments.prices[-1:] if arguments.quick else arguments.prices
        parts: list[Any] = ["all"] if arguments.quick or arguments.no_folds else ["all", *range(FOLDS)]
        for name in arguments.sets:
            for method in methods:
                for C in prices if method in PRICED else [ANY]:
                    for part in parts:
                        version, python = found[method]
                        yield {
                            "set": name,
                            "C": C,
                            "method": method,
                            "fold": part,
                            "limit": float(arguments.time_limit),
                            "version": version,
                            "_python": python,
                        }

    def told(self, row: Row) -> str:
        """Errors, size, time."""
        return (
            f"{row.get('errors', row.get('status'))} errors, {row.get('patterns')} patterns, "
            f"{row.get('literals')} literals, {number(row.get('seconds'), 3)} s"
        )

    def measure(self, cell: Row) -> Row:
        """Fit one method on all rows, or on all folds but one."""
        data = instances.load(cell["set"])
        y = data.y.to_numpy()
        test = np.zeros(len(y), dtype=bool)
        if cell["fold"] != "all":
            test = outer_folds(cell["set"]) == cell["fold"]
        X, X_test = data.X[~test].reset_index(drop=True), data.X[test].reset_index(drop=True)
        fit = _ours if cell["method"] == "OOAx" else _theirs
        row, predicted = fit(cell, X, y[~test], X_test)
        if test.any():
            row["accuracy"] = round(float((predicted == y[test]).mean()), 4)
        return row | {"status": "done", "rows": int((~test).sum())}

    def summary(self, rows: list[Row]) -> Summary:
        """L of every method at every price, where a peer is better, and the times."""
        return _summary(rows)


def _theirs(cell: Row, X: Any, y: Any, X_test: Any) -> tuple[Row, Any]:
    price = "0.005" if cell["C"] == ANY else cell["C"]
    fitted = fit_peer(cell["method"], X, y, X_test, C=price, limit=cell["limit"], python=cell["_python"])
    row: Row = {
        "errors": int((fitted.train != y).sum()),
        "patterns": fitted.patterns,
        "literals": fitted.literals,
        "seconds": round(fitted.seconds, 3),
        "kind": fitted.kind,
        "rules": "" if fitted.rules is None else fitted.rules.to_text(compact=True),
    }
    if fitted.rules is not None:  # the same, counted by the library
        counted = count(fitted.rules, Table.from_any(X, y), Objective.of(price, price))
        row["errors"] = int(counted.errors)
    return row, fitted.test


def _ours(cell: Row, X: Any, y: Any, X_test: Any) -> tuple[Row, Any]:
    table = Table.from_any(X, y)
    warm_up()
    began = time.monotonic()
    settings = OURS | {"max_length": instances.longest_pattern(cell["set"]), "time_limit": cell["limit"]}
    cuts = deciles(table)
    learned = learn_ooax(table, C1=cell["C"], C2=cell["C"], thresholds=cuts, progress=False, **settings)
    seconds = time.monotonic() - began
    found = learned.certificate
    course = fit_course(learned.trace, found).incumbent
    row: Row = {
        "errors": int(found.errors),
        "patterns": found.patterns,
        "literals": found.literals,
        "seconds": round(seconds, 3),
        "kind": "rule set",
        "rules": learned.rules.to_text(compact=True),
        "proved": found.proved,
        "bound": float(found.bound),
        "course": json.dumps([[round(t, 3), round(v, 7)] for t, v in course]),
    }
    return row, learned.rules.predict(X_test) if len(X_test) else []


def value(row: Row, C: str) -> float:
    """L of a row at a price."""
    return int(row["errors"]) / int(row["rows"]) + float(C) * (int(row["literals"]) + int(row["patterns"]))


def _summary(rows: list[Row]) -> Summary:
    done = [row for row in rows if row.get("errors") not in (None, "")]
    sets = list(dict.fromkeys(row["set"] for row in rows))
    methods = list(dict.fromkeys(["OOAx", *(row["method"] for row in rows)]))
    prices = sorted({str(row["C"]) for row in rows} - {ANY}, key=float)
    whole: dict[tuple[str, str, str], Row] = {}
    folds: dict[tuple[str, str, str], list[Row]] = defaultdict(list)
    for row in done:
        for C in prices if row["C"] == ANY else [str(row["C"])]:
            key = (row["set"], C, row["method"])
            if row["fold"] == "all":
                whole[key] = row
            else:
                folds[key].append(row)
    result = Summary()
    for C in prices:
        lines, beaten, waits = [], [], []
        for name in sets:
            ours = whole.get((name, C, "OOAx"))
            line: Row = {"set": name}
            for method in methods:
                theirs = whole.get((name, C, method))
                if theirs is None:
                    continue
                line[method] = number(value(theirs, C), 4)
                if ours is None or method == "OOAx":
                    continue
                course = json.loads(str(ours["course"]))
                match = reached(course, value(theirs, C) + 1e-6)  # they are stored with 7 decimals
                wait = {"set": name, "peer": method, "peer s": number(theirs["seconds"], 3)}
                waits.append(wait | {"OOAx, to match s": number(match, 3) or "never"})
                if value(theirs, C) < value(ours, C) - 1e-9:
                    sizes = {"ours": number(value(ours, C), 5), "peer's": number(value(theirs, C), 5)}
                    beaten.append(
                        {"set": name, "peer": method} | sizes | {"rules": str(theirs["rules"])[:120]}
                    )
            lines.append(line)
        result.tables[f"L at C1 = C2 = {C}"] = lines
        result.tables[f"A peer has a lower L at {C}"] = beaten
        slow = [
            one
            for one in waits
            if one["OOAx, to match s"] == "never" or float(one["OOAx, to match s"]) > float(one["peer s"])
        ]
        result.tables[f"Matching a peer's L took us longer than the peer at {C}"] = slow
        result.sentences.append(
            f"At {C}: of {len(waits)} results of peers, OOAx has a lower or equal L in "
            f"{len(waits) - len(beaten)} and matched {len(waits) - len(slow)} in less than the peer's time."
        )
    result.tables["Accuracy by cross-validation (best price), patterns/literals on all rows, seconds"] = [
        _line(name, methods, prices, whole, folds) for name in sets
    ]
    failed = {(row["set"], row["method"], str(row.get("error", ""))[:150]) for row in rows if row not in done}
    result.tables["No result"] = [
        {"set": name, "method": method, "why": why} for name, method, why in sorted(failed)
    ]
    return result


def _line(name: str, methods: list[str], prices: list[str], whole: Any, folds: Any) -> Row:
    line: Row = {"set": name}
    for method in methods:
        best: tuple[float, str] = (-1.0, "")
        for C in prices:
            row, parts = whole.get((name, C, method)), folds.get((name, C, method), [])
            if row is None:
                continue
            values = [float(part["accuracy"]) for part in parts]
            size = f"{row['patterns']}/{row['literals']}, {number(row['seconds'], 2)} s"
            words = f"{mean_sd(values)} {size}" if values else size
            best = max(best, (mean(values) if values else 0.0, words))
        line[method] = best[1]
    return line


STUDY = Peers()

if __name__ == "__main__":
    STUDY.main()
