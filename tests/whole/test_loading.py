"""What is imported when: a fit waits for nothing that it does not use (names, not seconds)."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ooa.kernels.availability import compiled, what_is_missing

#: A table that the exact search settles, with rows in columns of plain numbers.
TABLE = """
import sys
import numpy as np
import ooa
rng = np.random.default_rng(0)
X = rng.integers(0, 4, size=(200, 6))
y = ((X[:, 0] > 1) & (X[:, 3] < 2) | (X[:, 5] == 3)) ^ (rng.random(200) < 0.05)
"""


def imported(code: str) -> set[str]:
    """The modules that a new process has after some code."""
    code = f"{code}\nprint('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


@pytest.mark.skipif(not compiled(), reason=what_is_missing())
def test_a_proof_by_the_exact_search_imports_nothing_that_takes_long() -> None:
    code = f"{TABLE}assert ooa.learn_ooax(ooa.Table.from_any(X, y), C1=0.01, C2=0.01).certificate.proved"
    seen = imported(code)
    assert {"numpy", "ooa.learning.ooax"} <= seen
    assert not {"scipy", "sklearn", "pandas", "joblib", "highspy", "matplotlib", "asyncio"} & seen


@pytest.mark.skipif(not compiled(), reason=what_is_missing())
def test_lists_of_plain_values_need_no_library_of_frames() -> None:
    lists = "X = {'x': X[:, 0].tolist(), 't': [None, *map(str, X[1:, 3])]}\ny = y.tolist()\n"
    code = f"{TABLE}{lists}assert ooa.learn_ooax(ooa.Table.from_any(X, y), C1=0.01).certificate.proved"
    seen = imported(code)
    assert not {"narwhals", "pandas", "pyarrow", "multiprocessing", "email", "difflib"} & seen


@pytest.mark.skipif(not compiled(), reason=what_is_missing())
def test_a_first_fit_imports_of_scikit_learn_what_an_estimator_needs() -> None:
    code = f"{TABLE}assert ooa.fit(X, y, C=0.01).certificate_.proved"
    seen = imported(code)
    assert {"sklearn.base", "ooa.estimators.ooax_classifier"} <= seen
    heavy = {"scipy.stats", "scipy.optimize", "scipy.spatial", "sklearn.model_selection", "sklearn.metrics"}
    assert not (heavy | {"highspy", "matplotlib"}) & seen
