"""Shared by the studies: machine and versions, tables on screen and in CSV files."""

from __future__ import annotations

import argparse
import csv
import json
import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"
#: Gurobi's licence allows measuring it but not publishing the figures: they are shown, never saved.
PRIVATE = frozenset({"gurobi"})
_PACKAGES = [
    "ooa",
    "numpy",
    "scipy",
    "pandas",
    "scikit-learn",
    "highspy",
    "pyscipopt",
    "pulp",
    "linopy",
    "pyoptinterface",
    "mip",
    "cvxpy",
    "wittgenstein",
    "imodels",
    "ruleopt",
    "aix360",
    "pystreed",
    "pydl8.5",
    "gosdt",
    "Orange3",
]


def machine() -> dict[str, str]:
    """What the figures were taken on."""
    found = {}
    for package in _PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return {
        "python": platform.python_version(),
        "platform": platform.platform(),
        "cores": str(os.cpu_count()),
        **found,
    }


def save_machine(path: Path) -> None:
    """Write what the figures were taken on beside the figures."""
    path.with_suffix(".machine.json").write_text(json.dumps(machine(), indent=1) + "\n", encoding="utf-8")


def columns_of(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """All columns of some rows, in order of appearance."""
    return list(dict.fromkeys(key for row in rows for key in row))


def save(name: str, rows: list[dict[str, Any]]) -> Path:
    """Write rows as CSV, and the machine beside it."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns_of(rows))
        writer.writeheader()
        writer.writerows(rows)
    save_machine(path)
    return path


def show(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print rows as a table, in Markdown."""
    columns = columns_of(rows)
    text = [[str(row.get(column, "")) for column in columns] for row in rows]
    widths = [max(len(column), *(len(line[i]) for line in text)) for i, column in enumerate(columns)]
    for line in [columns, ["-" * width for width in widths], *text]:
        print("| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths)) + " |")


def parser_of(
    description: str | None, instances: Iterable[str], seconds: float, quick: str
) -> argparse.ArgumentParser:
    """The options that studies of one table each have.

    Parameters
    ----------
    description : what the study is about
    instances : the names of its tables
    seconds : the time limit by default
    quick : what `--quick` does
    """
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help=f"{quick}; nothing is saved")
    parser.add_argument("--seconds", type=float, default=seconds, help="time limit of every run")
    names = list(instances)
    parser.add_argument("--sets", nargs="+", choices=sorted(names), default=names)
    return parser
