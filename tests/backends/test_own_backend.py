"""The adapter that the how-to shows passes the whole suite, as it says there."""

from __future__ import annotations

import sys
import tempfile
from importlib import import_module
from pathlib import Path

import pytest

from ooa.solving import Backend
from ooa.testing import checks

PAGE = Path(__file__).parent.parent.parent / "docs" / "howto" / "own-backend.md"
NAME = "adapter_of_the_how_to"
#: Where the adapter is a module that child processes can import too; gone at the end.
FOLDER = tempfile.TemporaryDirectory(prefix="ooa-how-to-")

pytestmark = pytest.mark.skipif(not PAGE.is_file(), reason="needs the source tree")


def example() -> str:
    """The first program on the page, which is the adapter."""
    return PAGE.read_text(encoding="utf-8").partition("```python\n")[2].partition("```\n")[0]


def made() -> Backend:
    """The adapter."""
    if NAME not in sys.modules:
        (Path(FOLDER.name) / f"{NAME}.py").write_text(example(), encoding="utf-8")
        sys.path.append(FOLDER.name)
    backend: Backend = import_module(NAME).ScipyBackend()
    return backend


def suite() -> list[object]:
    if not PAGE.is_file():
        return []
    return [pytest.param(check, id=check.__name__.removeprefix("check_")) for check in checks(made())]


@pytest.mark.parametrize("check", suite())
def test_the_how_to_passes_its_own_suite(check):
    check(made())
