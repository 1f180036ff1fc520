"""The hook of the site that reads blocks of code: the tests of pages read them the same way."""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent


@cache
def code_blocks() -> Any:
    """The hook, as a module."""
    spec = importlib.util.spec_from_file_location("code_blocks", ROOT / "docs" / "theme" / "code_blocks.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
