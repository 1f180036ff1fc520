"""One fit of one source tree, in a process of its own: what it took, and how it went (see versions.py).

Nothing here may need a module that only some versions have: modules have moved, `ooa` itself has not. The
table is read from a CSV file into lists, or by pandas; whatever a tree imports besides is its own business.
"""

from __future__ import annotations

import csv
import json
import os
import resource
import sys
import time
from pathlib import Path
from typing import Any


def main() -> None:
    """Run the task of the command line in the tree of the command line."""
    began = time.monotonic()
    tree, task = Path(sys.argv[1]), json.loads(sys.argv[2])
    sys.path[0] = str(tree)  # not this folder
    import ooa

    if Path(ooa.__file__).resolve().parent.parent != tree.resolve():
        raise SystemExit(f"{ooa.__file__} is not of {tree}")
    if task.get("warm"):
        small = ooa.Table.from_any({"x": [1, 2, 3, 4], "y": [1, 2, 1, 2]}, [0, 1, 1, 0])
        ooa.learn_ooax(small, C1=0, C2=0, selection="search", time_limit=300, progress=False)
        print(json.dumps({"status": "warm"}))
        return
    read = _with_pandas if task["pandas"] else _as_lists
    table = ooa.Table.from_any(*read(task["file"], task["numeric"]))
    loaded = time.monotonic() - began
    learned = ooa.learn_ooax(
        table,
        C1=task["C"],
        C2=task["C"],
        max_patterns=task["K"],
        max_length=task["length"],
        time_limit=task["limit"],
        threads=task["threads"],
        thresholds=task["thresholds"],
        progress=False,
    )
    whole = time.monotonic() - began
    print("\n" + json.dumps(_told(learned, whole, loaded)))


def _as_lists(path: str, numeric: list[str]) -> tuple[Any, Any]:
    """Columns of text, None where a cell is empty, or of numbers; the last one is the label."""
    with open(path, newline="", encoding="utf-8") as file:
        names, *rows = csv.reader(file)
    columns: dict[str, list[Any]] = {}
    for name, cells in zip(names, zip(*rows)):
        columns[name] = [float(cell or "nan") if name in numeric else cell or None for cell in cells]
    return columns, [int(cell) for cell in columns.pop(names[-1])]


def _with_pandas(path: str, numeric: list[str]) -> tuple[Any, Any]:
    """A frame of text as categories and of numbers, and the labels."""
    import pandas as pd

    head = pd.read_csv(path, nrows=0).columns
    kinds: dict[Any, Any] = {name: "float64" if name in numeric else "category" for name in head[:-1]}
    text = {name: "str" for name in head[:-1] if name not in numeric}
    frame = pd.read_csv(path, keep_default_na=False, na_values=[""], dtype=text)
    return frame[list(kinds)].astype(kinds), frame[head[-1]]


def _told(learned: Any, whole: float, loaded: float) -> dict[str, Any]:
    found = learned.certificate
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return {
        "status": "proved" if found.proved else found.termination.value.replace("_", " "),
        "seconds": round(whole, 3),
        "loading s": round(loaded, 3),
        "cpu s": round(sum(one.ru_utime + one.ru_stime for one in usage), 3),
        "objective": float(found.objective),
        "bound": float(found.bound),
        "about": found.statement,
        "trace": [(one.seconds, one.incumbent, one.bound) for one in learned.trace],
        "level": os.environ.get("OOA_KERNELS", ""),
    }


if __name__ == "__main__":
    main()
