"""Wide tables: what is a fit worth whose patterns are too many to be mined, and what does replacement bring?

    OOA_DATA=folder python benchmarks/wide.py               # 1, 5 and 20 s of the processor per fit
    python benchmarks/wide.py --sets benign --limits 5
    python benchmarks/wide.py --quick

Default cuts, but every one ("distinct") on indian-diabetes; C1 = C2 = 0.002, patterns up to length 3, at most
5. "Without" is the same fit without optimal replacement, which looks for the best single pattern over all of
them, given the other patterns of a rule set. Limits are seconds of the processor, so that it matters little
what else the machine is doing.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Iterable

import instances
from store import Row
from study import FitStudy, Summary, number
from summary import reached
from warming import ProcessorClock, warm_up

import ooa
from ooa.errors import OOAWarning
from ooa.learning.course import fit_course
from ooa.learning.ooax import learn_ooax

PRICE = "0.002"
LIMITS = (1.0, 5.0, 20.0)
#: By name, the techniques that a fit does without.
METHODS = {"with": (), "without": ("replacement",)}


class Wide(FitStudy):
    """Values at several limits, with and without optimal replacement."""

    name = "wide"
    title = "Wide tables"
    key = ("set", "method", "limit", "ooa")
    sets = ("benign", "wine", "digits", "indian-diabetes", "wide-2000x60", "wide-50000x20")
    quick_sets = ("wide-300x20",)
    time_limit = 5.0
    quick_limit = 1.0

    def options(self, parser: argparse.ArgumentParser) -> None:
        """Which limits."""
        parser.add_argument("--limits", nargs="+", type=float, help=f"of a fit, in seconds ({LIMITS})")

    def cells(self, arguments: argparse.Namespace) -> Iterable[Row]:
        """One per set, limit and method."""
        limits = arguments.limits or ((arguments.time_limit,) if arguments.quick else LIMITS)
        for name in arguments.sets:
            for limit in limits:
                for method in METHODS:
                    yield {"set": name, "method": method, "limit": float(limit), "ooa": ooa.__version__}

    def measure(self, cell: Row) -> Row:
        """One fit."""
        table = instances.table_of(cell["set"])
        warm_up()
        began = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", OOAWarning)
            learned = learn_ooax(
                table,
                C1=PRICE,
                C2=PRICE,
                max_patterns=5,
                thresholds="distinct" if cell["set"] == "indian-diabetes" else "auto",
                time_limit=cell["limit"],
                without=METHODS[cell["method"]],
                clock=ProcessorClock(),
                progress=False,
            )
        found = learned.certificate
        steps = fit_course(learned.trace, found).incumbent
        return {
            "status": found.headline,
            "literals of the table": found.counts.get("literals", 0),
            "L": float(found.objective),
            "patterns": found.patterns,
            "literals": found.literals,
            "seconds": round(time.process_time() - began, 2),
            "final s": round(reached(steps, float(found.objective)) or 0.0, 2),
            "stages": " ".join(f"{stage}:{spent:.2f}" for stage, spent in found.seconds.items()),
        }

    def summary(self, rows: list[Row]) -> Summary:
        """L of both, limit by limit, and when it was reached."""
        found = {(row["set"], float(row["limit"]), row["method"]): row for row in rows}
        limits = sorted({float(row["limit"]) for row in rows})
        result = Summary()
        for title, shown in {"L": _value, "How it ended": lambda row: str(row.get("status", ""))}.items():
            result.tables[title] = [
                {"set": name}
                | {
                    f"{limit:g} s, {method}": shown(found.get((name, limit, method), {}))
                    for limit in limits
                    for method in METHODS
                }
                for name in dict.fromkeys(row["set"] for row in rows)
            ]
        return result


def _value(row: Row) -> str:
    """L, and after how many seconds it was known."""
    return "" if row.get("L") in (None, "") else f"{float(row['L']):.4f} ({number(row['final s'], 2)} s)"


STUDY = Wide()

if __name__ == "__main__":
    STUDY.main()
