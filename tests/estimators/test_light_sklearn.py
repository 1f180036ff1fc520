"""scikit-learn without all of scipy: only while it is imported, and only for who does not look."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from ooa.estimators.light_sklearn import StandIn, import_without


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package `wide` with a heavy part, as scipy has them, and room for others beside it."""
    package = tmp_path / "wide"
    package.mkdir()
    package.joinpath("__init__.py").write_text(
        "from importlib import import_module\n"
        "def __getattr__(name):\n"
        "    if name != 'heavy': raise AttributeError(name)\n"
        "    return import_module('wide.heavy')\n"
    )
    package.joinpath("heavy.py").write_text("VALUE = 7\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for name in ("wide", "wide.heavy", "user"):
        sys.modules.pop(name, None)


def write(modules: Path, code: str) -> None:
    modules.joinpath("user.py").write_text(code)
    importlib.invalidate_caches()


def test_who_only_names_it_does_without_until_it_is_used(modules: Path) -> None:
    write(modules, "import wide\nimport wide.heavy\ndef late(): return wide.heavy.VALUE\n")
    import_without("user", "wide.heavy")
    assert "user" in sys.modules
    assert "wide.heavy" not in sys.modules
    assert sys.modules["user"].late() == 7
    assert not isinstance(sys.modules["wide.heavy"], StandIn)


@pytest.mark.parametrize(
    "code",
    [
        "from wide.heavy import VALUE\n",
        "import wide.heavy as heavy\nVALUE = heavy.VALUE\n",
        "from wide import heavy\nVALUE = heavy.VALUE\n",
    ],
)
def test_who_uses_it_gets_it(modules: Path, code: str) -> None:
    write(modules, code)
    import_without("user", "wide.heavy")
    assert sys.modules["user"].VALUE == 7
    assert sys.modules["wide.heavy"].VALUE == 7
    assert not isinstance(sys.modules["wide.heavy"], StandIn)


def test_who_keeps_it_can_use_it_later(modules: Path) -> None:
    write(modules, "import wide.heavy as heavy\ndef late(): return heavy.VALUE\n")
    import_without("user", "wide.heavy")
    assert sys.modules["user"].late() == 7


def test_what_is_there_stays_and_what_fails_leaves_nothing_behind(modules: Path) -> None:
    write(modules, "import wide.heavy\nraise ImportError('broken')\n")
    import_without("user", "wide.heavy")
    assert not {"user", "wide.heavy"} & set(sys.modules)
    heavy = importlib.import_module("wide.heavy")
    import_without("user", "wide.heavy")
    assert sys.modules["wide.heavy"] is heavy
    with pytest.raises(ImportError, match="broken"):
        importlib.import_module("user")


def test_scipy_is_whole_afterwards() -> None:
    code = (
        "import sys, ooa; ooa.OOAxClassifier; assert 'scipy.stats' not in sys.modules\n"
        "import scipy.stats, sklearn.utils.fixes, sklearn.model_selection\n"
        "assert scipy.stats.mode([1, 2, 2]).mode == 2\n"
        "assert sklearn.utils.fixes.scipy.stats is scipy.stats\n"
        "assert type(scipy.stats) is type(sys)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
