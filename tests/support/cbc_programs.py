"""Programs in the place of CBC, and models for it."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import numpy as np
import pytest

from ooa.model import Milp, Model
from ooa.solving import Backend, get_backend

adapter = sys.modules[type(get_backend("cbc")).__module__]
binary, output = adapter.binary, adapter.output

posix_only = pytest.mark.skipif(os.name != "posix", reason="uses shell scripts and signals")


@pytest.fixture
def cbc() -> Backend:
    return get_backend("cbc")


def knapsacks(n: int = 40, rows: int = 5, seed: int = 1) -> Milp:
    rng = np.random.default_rng(seed)
    m = Model()
    x = m.add_binaries("x", n, cost=-rng.integers(5, 30, n))
    m.add_rows("k", rng.integers(3, 30, (rows, n)) @ x <= 3 * n)
    return m.freeze()


def long_one() -> Milp:
    """Points come at once, the proof of optimality takes hours."""
    rng = np.random.default_rng(3)
    m = Model()
    x = m.add_binaries("x", 300, cost=-rng.integers(50, 300, 300))
    m.add_rows("k", rng.integers(30, 300, (25, 300)) @ x <= 5500)
    return m.freeze()


def script(tmp_path: Path, body: str) -> str:
    """A stand-in for CBC."""
    path = tmp_path / "fake-cbc"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


FAKE_HEADER = "echo 'Welcome to the CBC MILP Solver'; echo 'Version: 0.0'"
