"""How does the time of a fit grow with the table?

    python benchmarks/scaling.py
    python benchmarks/scaling.py --sets planted-1000000x40 --time-limit 300
    python benchmarks/scaling.py --quick

The tables are generated: yes/no columns, labels by three patterns of three conditions, 5 % of the labels
flipped. `planted-1000x40` has 1,000 rows, and 40 literals (two for each of 20 columns). C1 = C2 = 0.01,
patterns up to length 3, at most 5. The seconds are of `learn_ooax` from the table on, reading it apart.
"""

from __future__ import annotations

import argparse
import re
import time
from collections import defaultdict
from collections.abc import Iterable

import instances
from plots import plot
from store import Row
from study import Study, Summary, number
from summary import reached
from warming import warm_up

import ooa
from ooa.data.table import Table
from ooa.learning.course import fit_course
from ooa.learning.ooax import learn_ooax

ROWS = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
LITERALS = (20, 40, 100, 200, 400, 1_000, 2_000)
#: What stays the same along a curve.
ROWS_OF_CURVE, LITERALS_OF_CURVE = 2_000, 40
PRICE = "0.01"


class Scaling(Study):
    """Time, memory and gap as rows and literals grow."""

    name = "scaling"
    title = "How the cost grows"
    key = ("set", "method", "backend", "limit", "ooa")
    sets = tuple(
        dict.fromkeys(
            [f"planted-{n}x{LITERALS_OF_CURVE}" for n in ROWS]
            + [f"planted-{ROWS_OF_CURVE}x{m}" for m in LITERALS]
        )
    )
    quick_sets = ("planted-200x20", "planted-400x20", "planted-200x40")
    time_limit = 120.0

    def options(self, parser: argparse.ArgumentParser) -> None:
        """Which solver."""
        parser.add_argument("--backend", default="highs")

    def cells(self, arguments: argparse.Namespace) -> Iterable[Row]:
        """One per set."""
        for name in arguments.sets:
            yield {
                "set": name,
                "method": "OOAx",
                "backend": arguments.backend,
                "limit": float(arguments.time_limit),
                "ooa": ooa.__version__,
            }

    def hard_limit(self, cell: Row) -> float:
        """Generating and reading a million rows takes its time too."""
        return 2 * float(cell["limit"]) + 300

    def told(self, row: Row) -> str:
        """Status, time, memory."""
        return f"{row.get('status')} in {number(row.get('seconds'), 3)} s, {row.get('peak MB')} MB"

    def measure(self, cell: Row) -> Row:
        """One fit."""
        data = instances.load(cell["set"])
        warm_up(cell["backend"])
        began = time.monotonic()
        table = Table.from_any(data.X, data.y)
        read = time.monotonic() - began
        began = time.monotonic()
        learned = learn_ooax(
            table,
            C1=PRICE,
            C2=PRICE,
            max_candidates=None,
            backend=cell["backend"],
            time_limit=cell["limit"],
            progress=False,
        )
        seconds = time.monotonic() - began
        found = learned.certificate
        steps = fit_course(learned.trace, found).incumbent
        return {
            "status": "proved" if found.proved else found.termination.value.replace("_", " "),
            "rows": len(data.X),
            "literals of the table": found.counts.get("literals", 0),
            "read s": round(read, 3),
            "seconds": round(seconds, 3),
            "final s": round(reached(steps, float(found.objective)) or seconds, 3),
            "objective": float(found.objective),
            "bound": float(found.bound),
            "gap": found.gap,
            "scope": found.statement,
            "planted": data.rules is not None and learned.rules.patterns == data.rules.patterns,
            "stages": " ".join(f"{stage}:{spent:.2f}" for stage, spent in found.seconds.items()),
        }

    def summary(self, rows: list[Row]) -> Summary:
        """A table and the curves."""
        result = Summary()
        result.tables["Each size"] = [
            {
                "set": row["set"],
                "status": row["status"],
                "read s": number(row.get("read s"), 3),
                "fit s": number(row.get("seconds"), 3),
                "final L at s": number(row.get("final s"), 3),
                "L": number(row.get("objective"), 5),
                "gap %": number(100 * float(row["gap"]), 3) if row.get("gap") not in (None, "") else "",
                "planted found": "yes" if row.get("planted") is True else "no",
                "MB": number(row.get("peak MB"), 4),
                "proof among": str(row.get("scope", "")),
            }
            for row in rows
        ]
        sizes: dict[str, tuple[int, int]] = {}
        for row in rows:
            found = re.fullmatch(r"planted-(\d+)x(\d+)", row["set"])
            if found and row.get("seconds") not in (None, ""):
                sizes[row["set"]] = (int(found[1]), int(found[2]))
        for axis, what in ((0, "rows"), (1, "literals")):
            curves: dict[str, list[tuple[float, float]]] = defaultdict(list)
            for row in rows:
                if row["set"] in sizes:
                    fixed = sizes[row["set"]][1 - axis]
                    other = f"{fixed:,} {'literals' if axis == 0 else 'rows'}"
                    x = float(sizes[row["set"]][axis])
                    curves[f"to the end, {other}"].append((x, float(row["seconds"])))
                    curves[f"to the final rule set, {other}"].append((x, float(row["final s"])))
            longer = {name: sorted(points) for name, points in curves.items() if len(points) > 1}
            if longer:
                title = f"Seconds of a fit against the number of {what}"
                result.pictures[title] = plot(longer, what, "seconds", title, log_x=True, log_y=True)
        return result


STUDY = Scaling()

if __name__ == "__main__":
    STUDY.main()
