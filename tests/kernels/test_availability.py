"""Compiled code: made once, from the present sources, and not when there is no time for it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from support.branching_cases import noisy

import ooa.kernels as kernels
from ooa.kernels.availability import compiled
from ooa.learning.ooax import learn_ooax

pytestmark = pytest.mark.skipif(not compiled(), reason="numba is not installed")


def test_what_was_compiled_from_other_sources_is_not_used(tmp_path):
    from ooa.kernels.compiling import _folder

    source = tmp_path / "kernel.py"
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
    monkeypatch.setattr("ooa.learning.plan.ready", lambda: False)
    found = learn_ooax(table, C1=0.02, C2=0.02, max_length=2, time_limit=20, progress=False).certificate
    assert found.proof == "selection"
    assert "not compiled yet" in found.message


def test_another_process_knows_what_is_compiled_already():
    script = "from ooa.kernels.availability import ready; print(ready())"
    table = noisy(np.random.default_rng(13), 40)
    learn_ooax(table, C1=0.02, C2=0.02, max_length=2, selection="search", progress=False)  # compiles
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True"


def test_compiled_functions_survive_a_place_that_cannot_be_written(tmp_path):
    script = "from ooa.kernels.popcount import popcount; import numpy as np; print(popcount(np.uint64(255)))"
    copy = tmp_path / "ooa" / "kernels"
    copy.mkdir(parents=True)
    for name in ("__init__", "compiling", "popcount"):
        (copy / f"{name}.py").write_text((Path(kernels.__file__).parent / f"{name}.py").read_text())
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


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="who may write where is no matter of bits here")
def test_a_folder_that_everyone_can_write_to_is_not_trusted(tmp_path):
    from ooa.kernels.compiling import trusted

    kept = tmp_path / "outer" / "kept"
    kept.mkdir(parents=True)
    for folder in (kept, kept.parent):
        assert trusted(kept)
        folder.chmod(0o777)
        assert not trusted(kept)
        folder.chmod(0o1777)  # only what is one's own, as in /tmp
        assert trusted(kept) == (folder != kept)
        folder.chmod(0o755)
    assert trusted(kept / "not" / "made" / "yet")


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="who may write where is no matter of bits here")
def test_code_in_such_a_folder_is_neither_read_nor_written(tmp_path, monkeypatch, caplog):
    import numba

    from ooa.kernels.compiling import compiled_once

    def one():
        return 1

    tmp_path.chmod(0o777)
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    made = compiled_once(one)
    assert made() == 1
    assert not list(tmp_path.rglob("*.nbi"))
    assert "can be written by others" in caplog.text
    tmp_path.chmod(0o700)
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    assert compiled_once(one)() == 1
    assert list(tmp_path.rglob("*.nbi"))
