"""How long does it take to list all rule sets that are nearly as good as the best?

    OOA_DATA=folder python benchmarks/listing.py
    python benchmarks/listing.py --sets planted-200x20 --within 0.02
    python benchmarks/listing.py --quick

All rule sets without redundant patterns whose L is above the optimum by at most a share of it, at C1 = C2 =
0.005, by the exact search ("search") and by one program after the other: over the best candidates and then
over more of them ("programs"), which is what there was before, or over those of the search from the beginning
("same"). Where the limit ends the list, it is known up to which value it is complete. Seconds, those of the
limit too, are the processor's, on one thread, the optimum included: how busy the machine is does not matter.
What the first list of a process loads is not counted.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable
from typing import Any

import instances
from store import Row
from study import Study, Summary, number
from warming import ProcessorClock, warm_up

import ooa
from ooa.data.table import Table

WAYS: dict[str, dict[str, Any]] = {
    "search": {"selection": "auto"},
    "programs": {"selection": "ilp"},
    "same": {"selection": "ilp", "max_candidates": None},
}


class ListingRuleSets(Study):
    """Seconds, and how many rule sets are listed."""

    name = "listing"
    title = "All rule sets near the best"
    key = ("set", "way", "within", "limit", "ooa")
    sets = ("votes", "transfusion", "heart", "tic-tac-toe", "banknote")

    def options(self, parser: argparse.ArgumentParser) -> None:
        """Which ways, and how near."""
        parser.add_argument("--ways", nargs="+", choices=WAYS, default=list(WAYS))
        parser.add_argument("--within", type=float, default=0.05, help="share of the optimum")

    def cells(self, arguments: argparse.Namespace) -> Iterable[Row]:
        """The ways side by side, set after set."""
        for name in arguments.sets:
            for way in arguments.ways:
                limit, within = float(arguments.time_limit), arguments.within
                yield {"set": name, "way": way, "within": within, "limit": limit, "ooa": ooa.__version__}

    def hard_limit(self, cell: Row) -> float:
        """The fit that says what the optimum is, and the list, while others have the machine."""
        return 20 * float(cell["limit"]) + 60

    def told(self, row: Row) -> str:
        """How many, and how long."""
        end = "all" if row.get("complete") else f"complete up to {number(row.get('share'), 3)}"
        return f"{row.get('listed')} rule sets ({end}) in {number(row.get('cpu'), 3)} s of CPU"

    def measure(self, cell: Row) -> Row:
        """List them."""
        data, way = instances.load(cell["set"]), WAYS[cell["way"]]
        table = Table.from_any(data.X, data.y)
        told = {
            "C1": 0.005,
            "C2": 0.005,
            "time_limit": cell["limit"],
            "threads": 1,
            "clock": ProcessorClock(),
        }
        warm_up()
        small = Table.from_any({"x": [1, 2, 3, 4]}, [0, 1, 0, 1])
        ooa.enumerate_optimal(small, within=0.1, C1=0.01, C2=0.01, **way)
        spent = time.process_time()
        best = ooa.learn_ooax(table, **told).certificate.objective
        fit = time.process_time() - spent
        within = float(best) * float(cell["within"])
        began, spent = time.monotonic(), time.process_time()
        found = ooa.enumerate_optimal(table, within=within, **way, **told)
        seconds, cpu = time.monotonic() - began, time.process_time() - spent
        least = found.certificates[0].objective
        upto = within if found.complete else max(0.0, float((found.rest or least) - least))
        return {
            "status": "done",
            "seconds": round(seconds, 3),
            "cpu": round(cpu, 3),
            "fit": round(fit, 3),
            "L": float(least),
            "listed": len(found),
            "total": found.total,
            "complete": found.complete,
            "share": round(upto / float(least), 4),
            "candidates": found.certificates[0].counts.get("within the bounds", ""),
        }

    def summary(self, rows: list[Row]) -> Summary:
        """Set by set."""
        result = Summary()
        by_set: dict[tuple[str, str], dict[str, Row]] = {}
        for row in rows:
            if row.get("seconds") not in (None, ""):
                by_set.setdefault((row["set"], row["within"]), {})[row["way"]] = row
        lines = []
        for (name, within), of_set in by_set.items():
            line: Row = {"set": name, "within": within}
            for way, row in of_set.items():
                line[f"{way}: candidates"] = row["candidates"]
                line[f"{way}: CPU s"] = number(row["cpu"], 3)
                line["optimum by the search: CPU s"] = number(row["fit"], 3)
                line[f"{way}: rule sets"] = row["listed"]
                line[f"{way}: complete up to"] = number(row["share"], 3)
            lines.append(line)
        result.tables["Each set"] = lines
        return result


STUDY = ListingRuleSets()

if __name__ == "__main__":
    STUDY.main()
