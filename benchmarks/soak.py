"""Does anything break in the long run? Thousands of tables every way, hundreds of fits, solvers that fail.

    python benchmarks/soak.py --sets fuzz            # 10,000 tables against brute force
    python benchmarks/soak.py --sets fuzz --batches 40-49    # the last 2,000 of them
    python benchmarks/soak.py --sets mixtures        # 10,000 tables with several constraints each
    python benchmarks/soak.py --sets lists           # near-optimal sets of 6,000 tables
    python benchmarks/soak.py --sets steady --many 100
    python benchmarks/soak.py --sets faults kills
    python benchmarks/soak.py --quick

"fuzz" compares every formulation and learner, on the solvers in turn, with brute force on tiny tables with
awkward weights, missing values, languages and constraints. "mixtures" has two to four constraints on every
table. "lists" compares lists of near-optimal rule sets, with and without redundant patterns, the best so
many, and one for each prediction, with all there are. "steady" fits again and again in one process and
looks at its memory, handles and threads. "faults" fits with a solver that raises, lies or stops at random.
"kills" interrupts and terminates fits at random moments. What was done is in the CSV file, so that a run
that was stopped goes on; seeds are fixed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from soak_parts import BATCH, backends, faults, fuzz, kills, lists, mixtures, steady
from store import Row
from study import Study, Summary

import ooa

# What the tests compare with is what is compared with here.
sys.path.append(str(Path(__file__).parent.parent / "tests"))

#: How many tables or fits each part has, and how many in a quick look.
PARTS: dict[str, tuple[Callable[[Row], Row], int, int]] = {
    "fuzz": (fuzz, 10_000, 20),
    "mixtures": (mixtures, 10_000, 20),
    "lists": (lists, 6_000, 20),
    "steady": (steady, 500, 10),
    "faults": (faults, 1000, 20),
    "kills": (kills, 100, 2),
}


def span(text: str) -> range:
    """The numbers of "3-7", or of "5" alone."""
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


class Soak(Study):
    """Long runs, part by part."""

    name = "soak"
    title = "Long runs"
    key = ("part", "backend", "number", "size", "ooa")
    sets = tuple(PARTS)
    quick_sets = sets

    def options(self, parser: argparse.ArgumentParser) -> None:
        """How many."""
        usual = ", ".join(f"{name} {many:,}" for name, (_, many, _) in PARTS.items())
        parser.add_argument("--many", type=int, help=f"tables or fits of each part ({usual})")
        parser.add_argument(
            "--batches",
            type=span,
            default=range(1 << 30),
            metavar="A-B",
            help=f"only these batches of {BATCH} tables (fuzz, mixtures, lists, faults), from 0 on",
        )

    def available(self, names: Sequence[str]) -> list[str]:
        """Parts, not data sets."""
        unknown = [name for name in names if name not in PARTS]
        if unknown:
            raise SystemExit(f"{unknown[0]}: no part; there are {', '.join(PARTS)}")
        return list(names)

    def cells(self, arguments: argparse.Namespace) -> Iterable[Row]:
        """Batches of tables, and for many fits in one process a cell per solver."""
        for part in arguments.sets:
            _, usual, few = PARTS[part]
            many = arguments.many or (few if arguments.quick else usual)
            cell = {"part": part, "backend": "", "number": 0, "size": many, "ooa": ooa.__version__}
            if part == "steady":
                yield from (cell | {"backend": name} for name in backends())
            elif part == "kills":
                yield cell
            else:
                for number in range(-(-many // BATCH)):
                    if number not in arguments.batches:
                        continue
                    yield cell | {"number": number, "size": min(BATCH, many - number * BATCH)}

    def hard_limit(self, cell: Row) -> float:
        """On a machine that may be busy with others."""
        return 3600

    def told(self, row: Row) -> str:
        """What was found."""
        return f"{row.get('done')} done, {row.get('wrong')} wrong {row.get('first', '')}".rstrip()

    def measure(self, cell: Row) -> Row:
        """One batch."""
        began = time.process_time()
        found = PARTS[cell["part"]][0](cell)
        return found | {"seconds": round(time.process_time() - began, 1)}

    def summary(self, rows: list[Row]) -> Summary:
        """How many were done, and what was wrong."""
        table = []
        for part in dict.fromkeys(row["part"] for row in rows):
            own = [row for row in rows if row["part"] == part]
            table.append(
                {"part": part}
                | {
                    name: sum(int(row.get(name) or 0) for row in own)
                    for name in ("done", "ways", "constrained", "met", "nodes", "branched")
                }
                | {"wrong": sum(int(row.get("wrong") or 0) for row in own)}
                | {"not finished": sum(bool(row.get("error")) for row in own)}
            )
        return Summary(tables={"What was done, and what was wrong": table})


STUDY = Soak()

if __name__ == "__main__":
    STUDY.main()
