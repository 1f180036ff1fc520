"""Compiled code: made once, from the present sources, and not when there is no time for it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from branching_cases import noisy

from ooa import branching
from ooa.compilation import compiled
from ooa.ooax import learn_ooax

pytestmark = pytest.mark.skipif(not compiled(), reason="numba is not installed")


def test_what_was_compiled_from_other_sources_is_not_used(tmp_path):
    from ooa._compiling import _folder

    source = tmp_path / "_kernel.py"
    source.write_text("a = 1")
    first = _folder(tmp_path)
    first.mkdir(parents=True)
    (first / "code").touch()
    assert _folder(tmp_path) == first
    source.write_text("a = 2")
    second = _folder(tmp_path)
    assert second != first
    assert not first.exists()


def test_a_first_use_under_a_short_limit_does_not_compile(monkeypatch):
    table = noisy(np.random.default_rng(13), 40)
    monkeypatch.setattr("ooa.exact_search.ready", lambda: False)
    found = learn_ooax(table, C1=0.02, C2=0.02, max_length=2, time_limit=20, progress=False).certificate
    assert found.proof == "selection"
    assert "not compiled yet" in found.message


def test_compiled_functions_survive_a_place_that_cannot_be_written(tmp_path):
    script = "from ooa._popcount import popcount; import numpy as np; print(popcount(np.uint64(255)))"
    copy = tmp_path / "ooa"
    copy.mkdir()
    for name in ("__init__", "_compiling", "_popcount"):
        (copy / f"{name}.py").write_text((Path(branching.__file__).parent / f"{name}.py").read_text())
    (copy / "__pycache__").touch()  # where the cache would go
    nowhere = {"HOME": "/proc/nowhere", "XDG_CACHE_HOME": "/proc/nowhere", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path), **nowhere},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == "8", done.stderr
