"""OOA over all ranges and lengths: what do families of boxes prove, and how soon, beside the MIP alone?

    OOA_DATA=folder python benchmarks/boxes.py                      # the paper's sets, 60 s of the processor
    python benchmarks/boxes.py --sets bupa heart --most 1 2 --prices 0.01
    python benchmarks/boxes.py --quick

"boxes" is `learn_ooa` as it is; "MIP" the same with `decompose=False`: OOAx for a start, then the compact
formulation on HiGHS. Limits are seconds of the processor on one thread, so that it matters little what else
the machine is doing.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Iterable
from typing import Any

import instances
from store import Row
from study import FitStudy, Summary, number
from summary import reached
from warming import ProcessorClock, warm_up

import ooa
from ooa.errors import OOAWarning
from ooa.learning.course import fit_course
from ooa.learning.ooa import learn_ooa

PRICES = ("0.01", "0.005")
MOST = (1, 2, 5)
#: By name, what the fit is told.
METHODS: dict[str, dict[str, Any]] = {"boxes": {}, "MIP": {"decompose": False}}


class Boxes(FitStudy):
    """Values, gaps and times to the proof by number of patterns and price."""

    name = "boxes"
    title = "OOA by boxes"
    key = ("set", "price", "most", "method", "limit", "ooa")
    quick_limit = 5.0

    def options(self, parser: argparse.ArgumentParser) -> None:
        """Which prices and numbers of patterns."""
        parser.add_argument(
            "--prices", nargs="+", default=PRICES, help=f"of a literal and a pattern ({PRICES})"
        )
        parser.add_argument("--most", nargs="+", type=int, default=MOST, help=f"most patterns ({MOST})")
        parser.add_argument("--methods", nargs="+", choices=METHODS, default=tuple(METHODS))

    def cells(self, arguments: argparse.Namespace) -> Iterable[Row]:
        """One per set, price, number of patterns and method."""
        for name in arguments.sets:
            for price in arguments.prices:
                for most in arguments.most:
                    for method in arguments.methods:
                        cell = {"set": name, "price": price, "most": most, "method": method}
                        yield cell | {"limit": float(arguments.time_limit), "ooa": ooa.__version__}

    def measure(self, cell: Row) -> Row:
        """One fit."""
        table = instances.table_of(cell["set"])
        warm_up()
        began = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", OOAWarning)
            learned = learn_ooa(
                table,
                C1=cell["price"],
                C2=cell["price"],
                max_patterns=int(cell["most"]),
                time_limit=cell["limit"],
                threads=1,
                clock=ProcessorClock(),
                progress=False,
                **METHODS[cell["method"]],
            )
        found = learned.certificate
        steps = fit_course(learned.trace, found).incumbent
        return {
            "status": found.headline,
            "L": float(found.objective),
            "gap": float(found.gap),
            "proof": found.proof,
            "seconds": round(time.process_time() - began, 2),
            "final s": round(reached(steps, float(found.objective)) or 0.0, 2),
            "stages": " ".join(f"{stage}:{spent:.2f}" for stage, spent in found.seconds.items()),
        }

    def summary(self, rows: list[Row]) -> Summary:
        """By price: L, and the time to the proof or the gap."""
        result = Summary()
        for price in dict.fromkeys(row["price"] for row in rows):
            own = [row for row in rows if row["price"] == price]
            result.tables[f"C1 = C2 = {price}"] = [
                {"set": name}
                | {
                    f"at most {row['most']}, {row['method']}": _ended(row)
                    for row in own
                    if row["set"] == name
                }
                for name in dict.fromkeys(row["set"] for row in own)
            ]
        return result


def _ended(row: Row) -> str:
    """L, and the seconds to the proof or the gap that is left."""
    if row.get("L") in (None, ""):
        return ""
    proved = float(row["gap"]) == 0.0
    end = f"{number(row['seconds'], 3)} s" if proved else f"{100 * float(row['gap']):.0f} %"
    return f"{float(row['L']):.5f} ({end})"


STUDY = Boxes()

if __name__ == "__main__":
    STUDY.main()
