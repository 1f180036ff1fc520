"""What does it take to choose the price by cross-validation, against a grid search over the same prices?

    OOA_DATA=folder python benchmarks/choosing.py
    python benchmarks/choosing.py --sets planted-1000x40 --methods grid "grid search"
    python benchmarks/choosing.py --quick

Ten prices C1 = C2 from 0.1 to 0.0005, five stratified folds, the same for all, one process, default limits.
"grid search" is scikit-learn's `GridSearchCV` around `OOAxClassifier`; "grid" is `OOAxClassifierCV` over the
same prices, and "found" the same with prices that it finds itself. The score is the mean accuracy on the rows
held out at the price chosen: the best of ten, and so a little better than what new rows would give. L is that
of the rule sets of all folds and prices on the rows they were learned from, on average. CPU seconds are those
of the processor, which depend less on what else the machine is doing than seconds by the clock on the wall.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Iterable
from statistics import mean
from typing import Any

import instances
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from store import Row
from study import Study, Summary, number
from summary import shifted_geometric_mean
from warming import warm_up

import ooa
from ooa.errors import OOAWarning
from ooa.estimators import OOAxClassifier, OOAxClassifierCV

PRICES = (0.1, 0.05, 0.03, 0.02, 0.01, 0.005, 0.003, 0.002, 0.001, 0.0005)
METHODS = ("found", "grid", "grid search")
FOLDS = 5


class ChoosingThePrice(Study):
    """Seconds and scores of three ways to choose a price."""

    name = "choosing"
    title = "A price by cross-validation"
    key = ("set", "method", "limit", "ooa")

    def options(self, parser: argparse.ArgumentParser) -> None:
        """Which ways."""
        parser.add_argument("--methods", nargs="+", choices=METHODS, default=METHODS)

    def cells(self, arguments: argparse.Namespace) -> Iterable[Row]:
        """The ways side by side, set after set."""
        for name in arguments.sets:
            for method in arguments.methods:
                limit = float(arguments.time_limit)
                yield {"set": name, "method": method, "limit": limit, "ooa": ooa.__version__}

    def hard_limit(self, cell: Row) -> float:
        """A grid search may take the limit of every single fit."""
        return 2 * float(cell["limit"]) * (FOLDS * len(PRICES) + 1) + 60

    def told(self, row: Row) -> str:
        """Seconds and score."""
        return f"{number(row.get('cpu'), 3)} s of CPU, {number(row.get('score'), 4)} at C = {row.get('C')}"

    def measure(self, cell: Row) -> Row:
        """Choose a price, and learn at it."""
        data = instances.load(cell["set"])
        folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
        # What nobody says is "auto": at most so many seconds, and less where nothing is in sight.
        limit = "auto" if cell["limit"] == self.time_limit else cell["limit"]
        warm_up()
        began, spent = time.monotonic(), time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", OOAWarning)
            found = _chosen(cell["method"], data, folds, limit)
        rules = found.pop("rules")
        return {
            "status": "done",
            "seconds": round(time.monotonic() - began, 3),
            "cpu": round(time.process_time() - spent, 3),
            **found,
            "patterns": len(rules),
            "literals": rules.n_literals,
        }

    def summary(self, rows: list[Row]) -> Summary:
        """Set by set, and in all."""
        result = Summary()
        by_set: dict[str, dict[str, Row]] = {}
        for row in rows:
            if row.get("seconds") not in (None, ""):
                by_set.setdefault(row["set"], {})[row["method"]] = row
        lines = []
        for name, of_set in by_set.items():
            line: Row = {"set": name}
            for method, row in of_set.items():
                line[f"{method}: CPU s"] = number(row["cpu"], 3)
                line[f"{method}: s"] = number(row["seconds"], 3)
                line[f"{method}: C"] = row["C"]
                line[f"{method}: score"] = number(row["score"], 3)
                line[f"{method}: L"] = number(row["L"], 4)
            if {"grid", "grid search"} <= of_set.keys():
                line["times the CPU"] = number(_ratio(of_set), 2)
            lines.append(line)
        result.tables["Each set"] = lines
        both = [of_set for of_set in by_set.values() if {"grid", "grid search"} <= of_set.keys()]
        if both:
            means = {
                method: shifted_geometric_mean([float(of_set[method]["cpu"]) for of_set in both])
                for method in ("grid", "grid search")
            }
            result.sentences.append(
                f"Over the same prices the grid search takes {number(means['grid search'], 3)} s of CPU and "
                f"OOAxClassifierCV {number(means['grid'], 3)} s (shifted geometric means, {len(both)} sets)."
            )
        return result


def _ratio(of_set: dict[str, Row]) -> float:
    return float(of_set["grid search"]["cpu"]) / max(float(of_set["grid"]["cpu"]), 1e-3)


def _chosen(method: str, data: Any, folds: StratifiedKFold, limit: Any) -> dict[str, Any]:
    """The price that a method chooses, its score, and the rule set learned at it."""
    if method == "grid search":
        each, values = [{"C1": [C], "C2": [C]} for C in PRICES], []

        def score(model: OOAxClassifier, X: Any, y: Any) -> float:
            values.append(float(model.certificate_.objective))
            return float(model.score(X, y))

        search = GridSearchCV(OOAxClassifier(time_limit=limit), each, cv=folds, scoring=score)
        search.fit(data.X, data.y)
        rules, best = search.best_estimator_.rules_, float(search.best_score_)
        return {"C": search.best_params_["C1"], "score": best, "L": mean(values), "rules": rules}
    prices = list(PRICES) if method == "grid" else None
    model = OOAxClassifierCV(prices, cv=folds, time_limit=limit).fit(data.X, data.y)
    best, value = model.cv_results_["mean_test_score"].max(), model.cv_results_["mean_objective"].mean()
    return {"C": model.C_, "score": float(best), "L": float(value), "rules": model.rules_}


STUDY = ChoosingThePrice()

if __name__ == "__main__":
    STUDY.main()
