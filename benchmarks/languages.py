"""Does a larger language cost? The same limit for longer patterns, ranges, negations and every cut.

    OOA_DATA=folder python benchmarks/languages.py               # 10 s of the processor per fit
    python benchmarks/languages.py --sets benign --time-limit 5
    python benchmarks/languages.py --quick

Default settings (patterns up to length 3 over the default cuts, at most 5), then one thing more at a time:
patterns up to length 5, or of any length; ranges; negations; every cut there is; and all of that. "deciles"
is less: it says nothing that "every cut" could not, and is compared with that. Limits are seconds of the
processor, so that it matters little what else the machine is doing.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Iterable
from typing import Any

import instances
from store import Row
from study import FitStudy, Summary
from summary import reached
from warming import ProcessorClock, warm_up

import ooa
from ooa.errors import OOAWarning
from ooa.learning.course import fit_course
from ooa.learning.ooax import learn_ooax

#: What a fit is told, by name.
LANGUAGES: dict[str, dict[str, Any]] = {
    "default": {},
    "length 5": {"max_length": 5},
    "any length": {"max_length": None},
    "ranges": {"ranges": True},
    "negations": {"negations": True},
    "deciles": {"thresholds": "quantiles", "max_thresholds": 9},
    "every cut": {"thresholds": "distinct"},
    "all": {"max_length": None, "ranges": True, "negations": True, "thresholds": "distinct"},
}
#: Which others each of them can say everything of.
SMALLER = {
    "length 5": ("default",),
    "any length": ("default", "length 5"),
    "ranges": ("default",),
    "negations": ("default",),
    "every cut": ("default", "deciles"),
    "all": ("default", "any length", "ranges", "negations", "every cut"),
}


class Languages(FitStudy):
    """L over languages within one another, at the same limit."""

    name = "languages"
    title = "Larger languages"
    key = ("set", "language", "C", "limit", "ooa")
    sets = (
        "endgame-4000",
        "tic-tac-toe",
        "bupa",
        "transfusion",
        "banknote",
        "indian-diabetes",
        "heart",
        "benign",
        "wide-300x20",
        "correlated-350x34",
    )
    quick_sets = ("endgame-200",)
    time_limit = 10.0
    quick_limit = 0.5

    def options(self, parser: argparse.ArgumentParser) -> None:
        """Which languages, at which price."""
        parser.add_argument("--languages", nargs="+", choices=LANGUAGES, default=list(LANGUAGES))
        parser.add_argument("--price", default="0.002", help="of a literal and of a pattern (0.002)")

    def cells(self, arguments: argparse.Namespace) -> Iterable[Row]:
        """One per set and language."""
        for name in arguments.sets:
            for language in arguments.languages:
                cell: Row = {"set": name, "language": language, "C": arguments.price}
                yield cell | {"limit": float(arguments.time_limit), "ooa": ooa.__version__}

    def measure(self, cell: Row) -> Row:
        """One fit."""
        table = instances.table_of(cell["set"])
        warm_up()
        began = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", OOAWarning)
            learned = learn_ooax(
                table,
                C1=cell["C"],
                C2=cell["C"],
                time_limit=cell["limit"],
                clock=ProcessorClock(),
                threads=1,
                progress=False,
                **LANGUAGES[cell["language"]],
            )
        found = learned.certificate
        steps = fit_course(learned.trace, found).incumbent
        return {
            "status": found.headline,
            "L": float(found.objective),
            "seconds": round(time.process_time() - began, 2),
            "final s": round(reached(steps, float(found.objective)) or 0.0, 2),
            "stages": " ".join(f"{stage}:{spent:.2f}" for stage, spent in found.seconds.items()),
        }

    def summary(self, rows: list[Row]) -> Summary:
        """L of all, and where a larger language costs."""
        found = {(row["set"], row["language"]): row for row in rows if row.get("L") not in (None, "")}
        names = list(dict.fromkeys(row["set"] for row in rows))
        result = Summary()
        for title, shown in {"L": _value, "How it ended": lambda row: str(row.get("status", ""))}.items():
            result.tables[title] = [
                {"set": name} | {one: shown(found.get((name, one), {})) for one in LANGUAGES}
                for name in names
            ]
        pairs = [
            (name, larger, smaller)
            for name in names
            for larger, contained in SMALLER.items()
            for smaller in contained
            if (name, larger) in found and (name, smaller) in found
        ]
        worse = [pair for pair in pairs if _cost(found, *pair) > 1e-9]
        result.sentences.append(
            f"{len(pairs)} comparisons; the larger language costs in {len(worse)} of them."
        )
        for name, larger, smaller in worse:
            cost = _cost(found, name, larger, smaller)
            result.sentences.append(f"{name}: {larger} is worse than {smaller} by {cost:.4f}.")
        return result


def _cost(found: dict[tuple[str, str], Row], name: str, larger: str, smaller: str) -> float:
    """By how much L is higher in the larger language."""
    return float(found[name, larger]["L"]) - float(found[name, smaller]["L"])


def _value(row: Row) -> str:
    """L, marked where it is proved."""
    if not row:
        return ""
    return f"{float(row['L']):.4f}{'*' if 'proved' in str(row['status']) else ''}"


STUDY = Languages()

if __name__ == "__main__":
    STUDY.main()
