"""What should the default language for numbers be, to learn well and to predict well?

    OOA_DATA=folder python benchmarks/cuts.py                # about ten minutes of the processor
    OOA_DATA=folder python benchmarks/cuts.py --sets heart bupa --repeats 3
    python benchmarks/cuts.py --quick

Every design chooses cuts from the training rows alone; then OOAx runs with its default settings over them.
"L" is of one fit on all rows, the accuracy that of 5-fold cross-validation on the same folds for all designs,
each with a third of the time. Limits are seconds of the processor, so that it matters little what else the
machine is doing.

"auto", "mdl", "quantiles" and "round" are the ways of `thresholds`; "every cut" is "distinct"; with ranges,
conditions may be between two cuts, and with "any length" patterns may have more than three of them. "deciles"
is every gap between at most ten values, and deciles otherwise; "labels" what the labels ask for by one
measure or another; "mixed" every gap where there are few, or else "labels" and quantiles between these, up to
so many per column; "auto", the default, is that with 15.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable
from statistics import mean
from typing import Any

import instances
import numpy as np
import pandas as pd
from cutting import Design, cuts_of, even
from paper import FOLDS, outer_folds
from store import Row
from study import Study, Summary, number
from summary import mean_sd
from warming import ProcessorClock, warm_up

import ooa
from ooa.candidates.gaps import Floats, mdl_gaps, mixed_gaps, telling_gaps
from ooa.candidates.thresholds import numeric_cuts
from ooa.data.table import Table
from ooa.errors import OOAWarning
from ooa.learning.ooax import learn_ooax
from ooa.learning.settings import OOAxSettings
from ooa.learning.verdict import Learned


def labels(positive: Floats, negative: Floats) -> list[int]:
    """What the labels ask for."""
    return sorted({*mdl_gaps(positive, negative, 9), *telling_gaps(positive, negative, 9)})


#: By name, the gaps between the values of a column to cut at, or what a fit is told.
DESIGNS: dict[str, Design | dict[str, Any]] = {
    "auto": {},
    "mdl": {"thresholds": "mdl"},
    "quantiles": {"thresholds": "quantiles"},
    "round": {"thresholds": "round"},
    "auto, ranges": {"ranges": True},
    "every cut": {"thresholds": "distinct"},
    "every range": {"thresholds": "distinct", "ranges": True},
    "any length, ranges": {"ranges": True, "max_length": None},
    "deciles": even(9),
    "labels": labels,
    "mixed, 9": lambda positive, negative: mixed_gaps(positive, negative, 9),
    "mixed, 25": lambda positive, negative: mixed_gaps(positive, negative, 25),
}
#: What the others are compared with.
BEFORE = "auto"
#: Of the designs, those that are measured unless others are named.
ASKED = list(DESIGNS)[:8]


class Cuts(Study):
    """Designs of the default cuts, side by side."""

    name = "cuts"
    title = "Where numeric columns are cut"
    key = ("set", "design", "repetition", "limit", "ooa")
    sets = (
        *instances.PAPER,
        *instances.SCIKIT,
        "magic-gamma",
        "mixed-20000",
        "rare-4000",
        "wide-300x20",
        "correlated-350x34",
    )
    quick_sets = ("rare-200",)
    time_limit = 3.0
    quick_limit = 0.5

    def options(self, parser: argparse.ArgumentParser) -> None:
        """Which designs, how often."""
        parser.add_argument("--designs", nargs="+", choices=DESIGNS, default=ASKED)
        parser.add_argument("--repeats", type=int, default=1, help="cross-validations, each with other folds")

    def cells(self, arguments: argparse.Namespace) -> Iterable[Row]:
        """One per set with numeric columns, design and cross-validation."""
        for name in arguments.sets:
            if not any(column.kind == "numeric" for column in instances.table_of(name).columns):
                print(f"{name}: left out, as it has no numeric column")
                continue
            for repetition in range(arguments.repeats):
                for design in arguments.designs:
                    yield {
                        "set": name,
                        "design": design,
                        "repetition": repetition,
                        "limit": float(arguments.time_limit),
                        "ooa": ooa.__version__,
                    }

    def hard_limit(self, cell: Row) -> float:
        """Six fits, on a machine that may be busy with others."""
        return 40 * float(cell["limit"]) + 300

    def told(self, row: Row) -> str:
        """Value, accuracy, time."""
        return f"L {number(row.get('L'))}, accuracy {row.get('accuracy')}, {row.get('seconds')} s"

    def measure(self, cell: Row) -> Row:
        """A fit on all rows, and one without each of the folds."""
        warm_up("highs")
        data, folds = instances.load(cell["set"]), outer_folds(cell["set"], int(cell["repetition"]))
        X, y = data.X, data.y.to_numpy()
        began = time.process_time()
        learned, n_cuts = fit(X, y, cell["design"], cell["limit"])
        seconds = time.process_time() - began
        right = []
        for fold in range(FOLDS):
            inside, outside = folds != fold, folds == fold
            rules = fit(X[inside], y[inside], cell["design"], cell["limit"] / 3)[0].rules
            right.append(float((rules.predict(X[outside]).astype(np.int64) == y[outside]).mean()))
        found = learned.certificate
        return {
            "status": found.headline,
            "cuts per column": round(n_cuts, 2),
            "L": float(found.objective),
            "literals": found.literals,
            "seconds": round(seconds, 2),
            "accuracy": round(mean(right), 4),
            "folds": " ".join(f"{share:.4f}" for share in right),
        }

    def summary(self, rows: list[Row]) -> Summary:
        """Both figures for each set and design, and where a design is behind the default."""
        result = Summary()
        by: dict[tuple[str, str], list[Row]] = defaultdict(list)
        for row in rows:
            if row.get("L") not in (None, ""):
                by[row["set"], row["design"]].append(row)
        sets = list(dict.fromkeys(row["set"] for row in rows))
        designs = list(dict.fromkeys(row["design"] for row in rows))
        titles: dict[str, Callable[[list[Row]], str]] = {
            "L on the training rows": lambda some: f"{mean(float(row['L']) for row in some):.4f}",
            "Accuracy, mean(sd) over the folds": lambda some: mean_sd(_folds(some)),
            "Cuts per numeric column": lambda some: f"{mean(float(r['cuts per column']) for r in some):.1f}",
            "Seconds of the fit on all rows": lambda some: f"{mean(float(r['seconds']) for r in some):.1f}",
        }
        for title, told in titles.items():
            result.tables[title] = [
                {"set": name} | {d: told(by[name, d]) for d in designs if by.get((name, d))} for name in sets
            ]
        result.tables[f"Against {BEFORE}"] = [
            _against(design, sets, by) for design in designs if design != BEFORE
        ]
        return result


def fit(X: pd.DataFrame, y: Any, design: str, limit: float) -> tuple[Learned, float]:
    """OOAx over the cuts of a design; and how many cuts a numeric column has."""
    table, chosen = Table.from_any(X, y), DESIGNS[design]
    options = chosen if isinstance(chosen, dict) else {"thresholds": cuts_of(table, chosen)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OOAWarning)
        learned = learn_ooax(table, **options, time_limit=limit, clock=ProcessorClock(), progress=False)
    cuts = numeric_cuts(table, options.get("thresholds", "auto"), OOAxSettings.max_thresholds)
    return learned, mean(map(len, cuts.values()))


def _folds(rows: list[Row]) -> list[float]:
    """The accuracies on all folds."""
    return [float(share) for row in rows for share in str(row["folds"]).split()]


def _against(design: str, sets: list[str], by: dict[tuple[str, str], list[Row]]) -> Row:
    """On how many sets a design is better or worse than the default, in both figures."""
    line: Row = {"design": design}
    pairs = [
        (by[name, BEFORE], by[name, design])
        for name in sets
        if by.get((name, BEFORE)) and by.get((name, design))
    ]
    ratios = [mean(float(r["L"]) for r in now) / mean(float(r["L"]) for r in before) for before, now in pairs]
    line["L lower"] = sum(ratio < 1 - 1e-9 for ratio in ratios)
    line["L higher"] = sum(ratio > 1 + 1e-9 for ratio in ratios)
    line["L, mean ratio"] = f"{float(np.exp(np.mean(np.log(ratios)))):.3f}" if ratios else ""
    gains = [mean(_folds(now)) - mean(_folds(before)) for before, now in pairs]
    line["accuracy higher"] = sum(gain > 1e-9 for gain in gains)
    line["accuracy lower"] = sum(gain < -1e-9 for gain in gains)
    line["accuracy, mean gain"] = f"{mean(gains):+.4f}" if gains else ""
    return line


STUDY = Cuts()

if __name__ == "__main__":
    STUDY.main()
