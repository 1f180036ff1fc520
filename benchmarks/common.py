"""Shared by the studies: fresh processes, machine and versions, tables on screen and in CSV files."""

from __future__ import annotations

import csv
import json
import os
import platform
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"


def in_fresh_process(script: str, *arguments: str, timeout: float = 600) -> dict[str, Any]:
    """Run `script arguments...` in a new interpreter; its last line of output is a JSON object."""
    done = subprocess.run(
        [sys.executable, script, *arguments], capture_output=True, text=True, timeout=timeout, check=False
    )
    if done.returncode != 0:
        tail = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        return {"error": tail}
    result: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return result


def machine() -> dict[str, str]:
    """What the figures were taken on."""
    packages = ("ooa", "numpy", "scipy", "highspy", "pyscipopt", "pulp", "linopy", "pyoptinterface")
    found = {}
    for package in packages:
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


def save(name: str, rows: list[dict[str, Any]]) -> Path:
    """Write rows as CSV, and the machine beside it."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.csv"
    columns = list(dict.fromkeys(key for row in rows for key in row))
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(rows)
    (RESULTS / f"{name}.machine.json").write_text(json.dumps(machine(), indent=1) + "\n", encoding="utf-8")
    return path


def show(rows: list[dict[str, Any]]) -> None:
    """Print rows as a table."""
    columns = list(dict.fromkeys(key for row in rows for key in row))
    text = [[str(row.get(column, "")) for column in columns] for row in rows]
    widths = [max(len(column), *(len(line[i]) for line in text)) for i, column in enumerate(columns)]
    for line in [columns, *text]:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())
