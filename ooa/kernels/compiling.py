"""Compiled functions, kept on disk between processes where that is possible."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import numba


def _folder(package: Path) -> Path:
    """Where the machine code of these very sources is kept.

    numba looks whether the file of a function has changed, but functions of other files are compiled into
    it. So what was compiled from other sources is never looked at, and removed.
    """
    sources = b"".join(file.read_bytes() for file in sorted(package.glob("*.py")))
    folder = package / "__pycache__" / f"compiled-{sha256(sources).hexdigest()[:16]}"
    if not folder.exists():
        for other in folder.parent.glob("compiled-*"):
            shutil.rmtree(other, ignore_errors=True)
    return folder


_FOLDER = _folder(Path(__file__).parent)


def compiled_once(function: Callable[..., Any]) -> Any:
    """Compile a function when it is first called, and keep the result beside the package.

    Where nothing can be written there, nor in the user's cache, each process compiles anew.
    """
    return _compiled(function, fastmath=False)


def compiled_loosely(function: Callable[..., Any]) -> Any:
    """Compile a function whose sums may be added up in any order, which is several times as fast."""
    return _compiled(function, fastmath=True)


def _compiled(function: Callable[..., Any], fastmath: bool) -> Any:
    usual = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = usual or str(_FOLDER)
    try:
        return numba.njit(cache=True, fastmath=fastmath)(function)
    except RuntimeError:  # nowhere to write
        return numba.njit(fastmath=fastmath)(function)
    finally:
        numba.config.CACHE_DIR = usual
