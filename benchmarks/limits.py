"""Do fits keep to their time limit, whatever the table, the method, the solver and the constraints?

    python benchmarks/limits.py                              # all cells: about 40 minutes of the processor
    python benchmarks/limits.py --sets 200000x50 --limits 0.1 1
    python benchmarks/limits.py --sets 1000000x1000c         # a table of categories only: 9 GB
    python benchmarks/limits.py --methods ilp                # solvers have nearly all of the time
    python benchmarks/limits.py --pieces                     # and what is done between two looks at the clock
    python benchmarks/limits.py --quick

`1000x500` has 1,000 rows and 500 columns: half of them numbers with many values, a quarter numbers with few,
a quarter categories, with a "c" at its end all of them; the labels follow two patterns and a tenth of them is
flipped. "ilp" is OOAx without its exact search. Every fit runs in a process of its own, on one thread, and on
a clock that counts what this process and its children had of the processor, so that it matters little what
else the machine is doing. "Reading" is what `Table.from_any` takes for the same frame in the same process. A
fit is in time if it takes no longer than its limit, one reading and 0.3 s; it may never take more than 1.2
times its limit and a second, beside the reading.
"""

from __future__ import annotations

import argparse
import resource
import warnings
from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd
from pieces import Pieces
from store import Row
from study import Study, Summary, number
from warming import warm_up

import ooa
from ooa import OOAClassifier, OOAxClassifier
from ooa.clock import Clock
from ooa.constraints import min_sensitivity
from ooa.data.table import Table
from ooa.errors import OOAWarning

LIMITS = (0.1, 1.0, 5.0, 30.0)
#: Seconds beside the limit and the reading that are in time, and what a fit may never exceed.
IN_TIME = 0.3
NEVER_ABOVE = (1.2, 1.0)
METHODS: dict[str, tuple[type[OOAxClassifier | OOAClassifier], dict[str, object]]] = {
    "ooax": (OOAxClassifier, {}),
    "ooa": (OOAClassifier, {}),
    "ilp": (OOAxClassifier, {"selection": "ilp"}),
}
BACKENDS = ("highs", "scip", "cbc")
#: Rows times columns, all but what does not fit into memory; and two of what lies between.
SIZES = (
    *(f"{rows}x{columns}" for rows in (100, 10_000, 200_000) for columns in (5, 50, 200, 1_000)),
    *(f"1000000x{columns}" for columns in (5, 50, 200)),
    "1000x50",
    "1000x500",
)


def seconds_used() -> float:
    """What this process, and those of its children that have ended, had of the processor."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def table_of(name: str) -> tuple[pd.DataFrame, np.ndarray]:
    """The frame and the labels of a size such as "1000x500"."""
    rows, columns = map(int, name.removesuffix("c").split("x"))
    rng = np.random.default_rng(rows + columns)
    made: dict[str, object] = {}
    if name.endswith("c"):
        for j in range(columns):
            codes = rng.integers(0, 5, size=rows, dtype=np.int8)
            made[f"c{j}"] = pd.Categorical.from_codes(codes, list("abcde"))
        a, b = (made[name].codes for name in ("c0", "c1"))
        y = ((a > 1) & (b > 2)) | (made["c2"].codes == 0)
        return pd.DataFrame(made, copy=False), np.where(rng.random(rows) < 0.1, ~y, y)
    for j in range(columns):
        if j % 4 < 2:
            made[f"x{j}"] = rng.normal(size=rows)
        elif j % 4 == 2:
            made[f"n{j}"] = rng.integers(0, 12, size=rows)
        else:
            made[f"c{j}"] = pd.Categorical.from_codes(rng.integers(0, 5, size=rows), list("abcde"))
    frame = pd.DataFrame(made)
    x, n = frame["x0"].to_numpy(), frame["n2"].to_numpy()
    y = ((x > 0.3) & (n > 4)) | (frame["x1"].to_numpy() < -1)
    return frame, np.where(rng.random(rows) < 0.1, ~y, y)


class Limits(Study):
    """What fits take, by size, limit, method, solver and constraints."""

    name = "limits"
    title = "Time limits"
    key = ("set", "limit", "method", "backend", "constraint", "ooa")
    sets = SIZES
    quick_sets = ("100x5",)
    time_limit = 30.0
    quick_limit = 0.1

    def options(self, parser: argparse.ArgumentParser) -> None:
        """Which limits, methods and solvers."""
        parser.add_argument("--limits", nargs="+", type=float, help=f"of a fit, in seconds ({LIMITS})")
        parser.add_argument("--methods", nargs="+", choices=sorted(METHODS), default=["ooa", "ooax"])
        parser.add_argument("--backends", nargs="+", default=BACKENDS)
        parser.add_argument(
            "--pieces",
            action="store_true",
            help="tell the longest pieces of work between two looks at the clock, and what was done in them",
        )

    def available(self, names: Sequence[str]) -> list[str]:
        """All are made here."""
        return list(names)

    def cells(self, arguments: argparse.Namespace) -> Iterable[Row]:
        """Every size, limit and method; solvers take turns, and every other fit has a constraint."""
        limits = arguments.limits or ((arguments.time_limit,) if arguments.quick else LIMITS)
        for limit in limits:
            for i, name in enumerate(arguments.sets):
                for k, method in enumerate(arguments.methods):
                    turn = i + k + round(10 * float(limit))
                    yield {
                        "set": name,
                        "limit": float(limit),
                        "method": method,
                        "backend": arguments.backends[turn % len(arguments.backends)],
                        "constraint": "sensitivity" if turn // 3 % 2 else "",
                        "ooa": ooa.__version__,
                    } | ({"pieces": "told"} if arguments.pieces else {})

    def hard_limit(self, cell: Row) -> float:
        """On a machine that may be busy with others."""
        return 10 * float(cell["limit"]) + 300

    def told(self, row: Row) -> str:
        """What it took beside its limit and the reading."""
        pieces = "".join(f"\n    {piece}" for piece in str(row.get("longest") or "").split(" | ") if piece)
        return f"{number(row.get('beside'), 3)} s beside, {row.get('status')}{pieces}"

    def measure(self, cell: Row) -> Row:
        """One fit."""
        frame, y = table_of(cell["set"])
        warm_up(cell["backend"])
        pieces = Pieces(seconds_used) if cell.get("pieces") else None
        Clock.now = lambda self: seconds_used() if pieces is None else pieces.look()
        began = seconds_used()
        Table.from_any(frame, y)
        reading = seconds_used() - began
        limits = {"sensitivity": min_sensitivity(0.5), "": None}[cell["constraint"]]
        method, options = METHODS[cell["method"]]
        model = method(
            **options,
            time_limit=cell["limit"],
            backend=cell["backend"],
            constraints=() if limits is None else (limits,),
            progress=False,
        )
        began = Clock().now()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", OOAWarning)
            model.fit(frame, y)
        taken, found = Clock().now() - began, model.certificate_
        longest = [] if pieces is None else pieces.stop()
        return {
            "status": found.headline,
            "ended": found.termination.value,
            "left": "left to itself" in str(found.message),
            "L": float(found.objective),
            "patterns": found.patterns,
            "literals": found.literals,
            "reading": round(reading, 3),
            "seconds": round(taken, 3),
            "beside": round(taken - reading - cell["limit"], 3),
            "longest": " | ".join(f"{seconds:.3f} s {place}" for seconds, place in longest),
            "stages": " ".join(f"{stage}:{spent:.2f}" for stage, spent in found.seconds.items()),
        }

    def summary(self, rows: list[Row]) -> Summary:
        """How many are in time, the worst, and those that are not."""
        measured = [row for row in rows if row.get("beside") not in (None, "")]
        factor, more = NEVER_ABOVE
        late = [row for row in measured if float(row["beside"]) > IN_TIME]
        too_late = [
            row for row in measured if float(row["beside"]) > (factor - 1) * float(row["limit"]) + more
        ]
        result = Summary()
        result.sentences.append(
            f"{len(measured) - len(late)} of {len(measured)} fits in time; {len(too_late)} took more than "
            f"{factor:g} times their limit and {more:g} s; {len(rows) - len(measured)} failed."
        )
        for title, some in {"By limit": "limit", "By size": "set", "By solver": "backend"}.items():
            groups = dict.fromkeys(row[some] for row in measured)
            result.tables[title] = [
                _line(some, group, [row for row in measured if row[some] == group]) for group in groups
            ]
        result.tables["Not in time"] = [
            {name: row[name] for name in (*self.key[:-1], "reading", "seconds", "stages")} for row in late
        ]
        return result


def _line(name: str, value: object, rows: list[Row]) -> Row:
    beside = sorted(float(row["beside"]) for row in rows)
    return {
        name: value,
        "fits": len(rows),
        "in time": sum(one <= IN_TIME for one in beside),
        "median s beside": f"{beside[len(beside) // 2]:.2f}",
        "most s beside": f"{beside[-1]:.2f}",
    }


STUDY = Limits()

if __name__ == "__main__":
    STUDY.main()
