"""Sparse matrices that are imported at their first use."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ooa.model.sparse import Deferred, sp


def scipy_modules(code: str) -> str:
    """Which of two modules a new process has after some code."""
    code += "print([name for name in ('scipy', 'scipy.sparse') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_module_is_imported_at_its_first_use() -> None:
    code = "import sys; import ooa.model, ooa.formulations, ooa.solving; from ooa.model.sparse import sp; "
    assert scipy_modules(code) == "[]"
    assert scipy_modules(f"{code}assert sp.eye_array(2).sum() == 2; ") == "['scipy', 'scipy.sparse']"
    assert sp.csr_array is sys.modules["scipy.sparse"].csr_array


def test_what_is_not_there_is_said() -> None:
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        _ = Deferred("no_such_module").anything
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = sp.no_such_name
