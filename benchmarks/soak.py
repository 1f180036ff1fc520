"""Does anything break in the long run? Thousands of tables every way, hundreds of fits, solvers that fail.

    python benchmarks/soak.py --sets fuzz            # 10,000 tables against brute force
    python benchmarks/soak.py --sets steady --fits 500
    python benchmarks/soak.py --sets faults kills
    python benchmarks/soak.py --quick

"fuzz" compares every formulation and learner, on the solvers in turn, with brute force on tiny tables with
awkward weights, missing values, languages and constraints. "steady" fits again and again in one process and
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

from store import Row
from study import Study, Summary

import ooa
from ooa.solving import available_backends

# What the tests compare with is what is compared with here.
sys.path.append(str(Path(__file__).parent.parent / "tests"))

#: Tables in all and in one process; fits of the other parts.
TABLES, BATCH = 10_000, 200
FITS, FAULTS, KILLS = 500, 1000, 100


def backends() -> list[str]:
    """The solvers at hand."""
    return [name for name, found in available_backends().items() if found.ok]


def fuzz(cell: Row) -> Row:
    """A batch of tables; the solvers take turns."""
    from support.agreement import Case

    names, ways, constrained, wrong = backends(), 0, 0, []
    first = int(cell["number"]) * BATCH
    for seed in range(first, first + int(cell["size"])):
        case = Case([0, seed])
        constrained += bool(case.constraints)
        try:
            told = list(case.check(names[seed % len(names)]))
        except Exception as error:  # whatever it is, it is found
            told = [f"raised: {type(error).__name__}: {error} (seed {case.seed})"]
        ways += len(told)
        wrong += [one for one in told if ":" in one]
    return {"done": int(cell["size"]), "ways": ways, "constrained": constrained, **_found(wrong)}


def _found(wrong: Sequence[str]) -> Row:
    return {"wrong": len(wrong), "first": wrong[0][:300] if wrong else ""}


PARTS: dict[str, Callable[[Row], Row]] = {"fuzz": fuzz}


class Soak(Study):
    """Long runs, part by part."""

    name = "soak"
    title = "Long runs"
    key = ("part", "backend", "number", "size", "ooa")
    sets = tuple(PARTS)
    quick_sets = sets

    def options(self, parser: argparse.ArgumentParser) -> None:
        """How many."""
        parser.add_argument("--tables", type=int, help=f"of fuzz ({TABLES})")

    def available(self, names: Sequence[str]) -> list[str]:
        """Parts, not data sets."""
        unknown = [name for name in names if name not in PARTS]
        if unknown:
            raise SystemExit(f"{unknown[0]}: no part; there are {', '.join(PARTS)}")
        return list(names)

    def cells(self, arguments: argparse.Namespace) -> Iterable[Row]:
        """Batches of tables, and a cell per solver for the other parts."""
        own = {"ooa": ooa.__version__}
        if "fuzz" in arguments.sets:
            tables = arguments.tables or (20 if arguments.quick else TABLES)
            for number in range(-(-tables // BATCH)):
                size = min(BATCH, tables - number * BATCH)
                yield {"part": "fuzz", "backend": "", "number": number, "size": size} | own

    def hard_limit(self, cell: Row) -> float:
        """On a machine that may be busy with others."""
        return 3600

    def told(self, row: Row) -> str:
        """What was found."""
        return f"{row.get('done')} done, {row.get('wrong')} wrong {row.get('first', '')}".rstrip()

    def measure(self, cell: Row) -> Row:
        """One batch."""
        began = time.process_time()
        found = PARTS[cell["part"]](cell)
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
                    for name in ("done", "ways", "constrained")
                }
                | {"wrong": sum(int(row.get("wrong") or 0) for row in own)}
                | {"not finished": sum(bool(row.get("error")) for row in own)}
            )
        return Summary(tables={"What was done, and what was wrong": table})


STUDY = Soak()

if __name__ == "__main__":
    STUDY.main()
