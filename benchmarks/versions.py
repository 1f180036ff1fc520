"""Is this tree faster than another one, and never behind it?

    OOA_DATA=folder python benchmarks/versions.py --trees old=../old new=.     # 60 instances, 1 and 2 threads
    OOA_DATA=folder python benchmarks/versions.py --trees old=../old new=. --sets heart bupa --prices 0.005

Two or more source trees of ooa fit the same tables side by side: the same patterns (up to three conditions,
four where all columns are categorical, numbers cut at deciles), the same limit. Every fit is a process of
its own, in the tree's own environment (`.venv`) if it has one, started once before for what a tree compiles
at its first use. It reads a CSV file into lists, or with `--pandas` into a frame. One run gives the time to
the proof, loading included, and the best value and the gap at 1, 10 and 60 s, with one thread and with two.
What a bound is about is noted, as a gap of some patterns that were screened by score is not one of all.
CPU seconds are those of the process and what it started. Cells that were measured are not measured again.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import instances
from cells import run_cell
from cutting import deciles
from store import Row
from study import Study, Summary, duration, number
from summary import relative_gap, value_at

from ooa import Table

CHECKPOINTS = (1.0, 10.0, 60.0)
WORKER = Path(__file__).with_name("version_worker.py")


def tree_of(text: str) -> tuple[str, Path]:
    """A name and a folder from name=folder."""
    name, _, folder = text.partition("=")
    path = Path(folder).resolve()
    if not folder or not (path / "ooa").is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} is not name=folder of a source tree of ooa")
    return name, path


def interpreter(tree: Path) -> str:
    """The tree's own Python, or this one."""
    own = tree / ".venv" / "bin" / "python"
    return str(own) if own.exists() else sys.executable


class Versions(Study):
    """Source trees side by side."""

    name = "versions"
    title = "Versions side by side"
    key = ("set", "C", "K", "threads", "limit", "pandas", "tree")
    sets = (*instances.PAPER, "mushroom")

    def options(self, parser: argparse.ArgumentParser) -> None:
        """Trees, prices, sizes, threads."""
        parser.add_argument("--trees", nargs="+", type=tree_of, default=[("new", Path.cwd())])
        parser.add_argument("--prices", nargs="+", default=["0.01", "0.005", "0.001"], help="C1 = C2")
        parser.add_argument("--sizes", nargs="+", default=["5", "none"], help="most patterns, or none")
        parser.add_argument("--threads", nargs="+", type=int, default=[1, 2])
        parser.add_argument("--pandas", action="store_true", help="tables are read by pandas, not into lists")

    def cells(self, arguments: argparse.Namespace) -> Iterable[Row]:
        """One per instance, number of threads and tree; the trees one right after the other."""
        prices = arguments.prices[:1] if arguments.quick else arguments.prices
        sizes = arguments.sizes[:1] if arguments.quick else arguments.sizes
        found = [
            {
                "set": name,
                "C": C,
                "K": K,
                "threads": threads,
                "limit": float(arguments.time_limit),
                "pandas": arguments.pandas,
                "tree": tree,
                "_folder": str(folder),
            }
            for C in prices
            for name in arguments.sets
            for K in sizes
            for threads in arguments.threads
            for tree, folder in arguments.trees
        ]
        most = duration(sum(cell["limit"] for cell in found))
        print(f"{len(found)} cells, at most {most}, and less where proofs are found", file=sys.stderr)
        for _, folder in arguments.trees:
            _run(folder, {"warm": True}, 600.0)
        return found

    def measure(self, cell: Row) -> Row:
        """Fit once, in the tree's own process."""
        data = instances.load(cell["set"])
        table = Table.from_any(data.X, data.y)
        task = {
            "numeric": [one.name for one in table.attributes if one.kind == "numeric"],
            "pandas": cell["pandas"],
            "C": str(cell["C"]),
            "K": None if cell["K"] == "none" else int(cell["K"]),
            "length": instances.longest_pattern(cell["set"]),
            "threads": cell["threads"],
            "limit": cell["limit"],
            "thresholds": deciles(table),
        }
        with TemporaryDirectory() as folder:
            task["file"] = str(Path(folder) / "table.csv")
            data.X.assign(target=data.y.to_numpy()).to_csv(task["file"], index=False)
            found = _run(Path(cell["_folder"]), task, self.hard_limit(cell))
        if "trace" not in found:
            return found
        return _figures(cell, found)

    def told(self, row: Row) -> str:
        """The status, the times and the gap."""
        return (
            f"{row.get('status')} in {number(row.get('seconds'), 3)} s (CPU {number(row.get('cpu s'), 3)}), "
            f"L {number(row.get('objective'), 5)}, gap {number(row.get('gap'), 3)}"
        )

    def summary(self, rows: list[Row]) -> Summary:
        """Side by side; ratios to the first tree where both have a proof; where a later tree is behind it."""
        return _summary(rows)


def _run(tree: Path, task: dict[str, Any], limit: float) -> Row:
    """What the worker says of a task, in a tree."""
    words = [interpreter(tree), str(WORKER), str(tree), json.dumps(task)]
    # As after an installation: what the first process compiles, Python included, the next ones find.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return run_cell("", {}, limit, command=words, environment=environment)


def _figures(cell: Row, found: Row) -> Row:
    """Values and gaps at the checkpoints, from the course of the fit, since the start of the process."""
    late = found["loading s"]
    values = [(seconds + late, value) for seconds, value, _ in found["trace"] if value is not None]
    bounds = [(seconds + late, bound) for seconds, _, bound in found["trace"] if bound is not None]
    whole = found["seconds"]
    row: Row = {key: found[key] for key in FOUND}
    row["gap"] = relative_gap(found["objective"], found["bound"])
    for instant in CHECKPOINTS:
        ended = whole <= instant or instant >= cell["limit"]
        value = found["objective"] if ended else value_at(values, instant)
        # Bounds on the way may be about fewer patterns than the last one is.
        bound = found["bound"] if ended else min(value_at(bounds, instant) or 0.0, found["bound"])
        row[f"value at {instant:g} s"] = value
        row[f"gap at {instant:g} s"] = relative_gap(value, bound)
    return row


def _summary(rows: list[Row]) -> Summary:
    result = Summary()
    names = list(dict.fromkeys(row["tree"] for row in rows))
    by: dict[tuple[Any, ...], dict[str, Row]] = defaultdict(dict)
    for row in rows:
        by[row["set"], str(row["C"]), str(row["K"]), row["threads"]][row["tree"]] = row
    result.tables["Per instance"] = [
        dict(zip(("set", "C", "K", "threads"), instance))
        | {
            f"{what}, {name}": number(some[name].get(what), 4)
            for name in names
            if name in some
            for what in SHOWN
        }
        for instance, some in by.items()
    ]
    ratios = []
    for name in names[1:]:
        for threads in sorted({instance[3] for instance in by}):
            both = [
                (some[names[0]], some[name])
                for instance, some in by.items()
                if instance[3] == threads
                and all(some.get(n, {}).get("status") == "proved" for n in (names[0], name))
            ]
            line: Row = {"tree": name, "threads": threads, "both prove": len(both)}
            for what in ("seconds", "cpu s"):
                line[f"{names[0]} / {name}, {what}"] = number(_mean_ratio(both, what), 3)
            ratios.append(line)
    result.tables["How many times faster (geometric means)"] = ratios
    result.tables[f"Behind {names[0] if names else ''}"] = [
        line for instance, some in by.items() for line in _behind(instance, some, names)
    ]
    return result


FOUND = ("status", "seconds", "cpu s", "loading s", "objective", "bound", "about")
SHOWN = ("status", "seconds", "cpu s", "objective", "gap", *(f"gap at {t:g} s" for t in CHECKPOINTS))


def _mean_ratio(both: list[tuple[Row, Row]], what: str) -> float | None:
    logs = [math.log(old[what] / new[what]) for old, new in both if old[what] and new[what]]
    return math.exp(sum(logs) / len(logs)) if logs else None


def _behind(instance: tuple[Any, ...], some: dict[str, Row], names: list[str]) -> list[Row]:
    """Checkpoints at which a tree has a worse value or gap than the first."""
    first, found = some.get(names[0], {}), []
    for name in names[1:]:
        for instant in CHECKPOINTS:
            for what in ("value", "gap"):
                column = f"{what} at {instant:g} s"
                old, new = first.get(column), some.get(name, {}).get(column)
                if isinstance(old, (int, float)) and (not isinstance(new, (int, float)) or new > old + 1e-9):
                    line = dict(zip(("set", "C", "K", "threads"), instance))
                    about = first.get("about", "") if what == "gap" else ""
                    line |= {"tree": name, "what": column, names[0]: old, name: new, "its bound": about}
                    found.append(line)
    return found


STUDY = Versions()

if __name__ == "__main__":
    STUDY.main()
