"""The same table, seed and versions give the same bytes: of model file, printed text and report.

Two processes with different hash seeds go through the same fits, one of them backwards; all clocks stand
still, so that the seconds in the files are the same, too.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from ooa.kernels.availability import compiled
from ooa.solving import available_backends

SCRIPT = """
import contextlib, json, sys
from ooa.clock import Clock
Clock.now = lambda self: 0.0
from ooa.cli import main
ways, folder = json.loads(sys.argv[1]), sys.argv[2]
for name, words in ways:
    files = ["--save", f"{folder}/{name}.json", "--report", f"{folder}/{name}.html"]
    with open(f"{folder}/{name}.txt", "w", encoding="utf-8") as out, contextlib.redirect_stdout(out):
        assert main(["fit", "people.csv", "--target", "sick", "--time-limit", "none", *files, *words]) == 0
"""
PRICES = ["--c1", "0.02", "--c2", "0.02", "--max-patterns", "2"]
OOA = ["--method", "ooa", "--drop", "x", "--thresholds", "mdl", *PRICES]


def ways() -> dict[str, list[str]]:
    """Fits of every kind, by name."""
    found = {
        "auto": ["--json"],
        "constrained": ["--constraint", "min_sensitivity=0.8", "--missing", "category", *PRICES],
        "weighted": ["--class-weight", "balanced", "--negations", "--ranges", *PRICES],
        "tested": ["--test-share", "0.3", "--sets", "2", "--seed", "7", *PRICES],
    }
    if compiled():
        found["search"] = ["--selection", "search"]
    for name, backend in available_backends().items():
        if backend.ok:
            found[f"ooax-{name}"] = ["--selection", "ilp", "--backend", name, *PRICES]
            found[f"ooa-{name}"] = [*OOA, "--backend", name, "--json"]
    return found


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """What each of two processes wrote."""
    rng, n = np.random.default_rng(1), 40
    age, smokes = rng.integers(20, 80, n), rng.choice(["yes", "no"], n)
    sick = ((age > 50) | (smokes == "yes")) ^ (rng.random(n) < 0.15)
    columns = {"age": age, "smokes": smokes, "sex": rng.choice(["f", "m", ""], n), "x": rng.integers(0, 9, n)}
    folders, some = [], list(ways().items())
    for seed, order in (("1", some), ("2", some[::-1])):
        folder = tmp_path_factory.mktemp(f"hash{seed}")
        pd.DataFrame(columns | {"sick": sick}).to_csv(folder / "people.csv", index=False)
        ran = subprocess.run(
            [sys.executable, "-c", SCRIPT, json.dumps(order), "."],
            cwd=folder,
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=False,
            capture_output=True,
            text=True,
        )
        assert ran.returncode == 0, ran.stderr
        folders.append(folder)
    return folders


@pytest.mark.parametrize("name", ways())
def test_the_same_bytes(name: str, written: list[Path]) -> None:
    for suffix in ("json", "txt", "html"):
        one, other = ((folder / f"{name}.{suffix}").read_bytes() for folder in written)
        assert len(one) > 100
        assert one == other, suffix
