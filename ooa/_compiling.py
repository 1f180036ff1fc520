"""Compiled functions, kept on disk between processes where that is possible."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numba


def compiled_once(function: Callable[..., Any]) -> Any:
    """Compile a function when it is first called, and keep the result beside the package.

    Where nothing can be written, neither there nor in the user's cache, each process compiles anew.
    """
    return _compiled(function, fastmath=False)


def compiled_loosely(function: Callable[..., Any]) -> Any:
    """Compile a function whose sums may be added up in any order, which is several times as fast."""
    return _compiled(function, fastmath=True)


def _compiled(function: Callable[..., Any], fastmath: bool) -> Any:
    try:
        made = numba.njit(cache=True, fastmath=fastmath)(function)
    except RuntimeError:
        return numba.njit(fastmath=fastmath)(function)
    _forget_stale(function, Path(made.stats.cache_path))
    return made


def _forget_stale(function: Callable[..., Any], cache: Path) -> None:
    """Drop what was compiled before any of the package's compiled modules changed.

    numba looks at the file of the function alone, but functions of other files are compiled into it.
    """
    newest = max(file.stat().st_mtime for file in Path(__file__).parent.glob("_*.py"))
    with suppress(OSError):
        for index in cache.glob(f"{function.__module__.rpartition('.')[2]}.{function.__name__}-*.nbi"):
            if index.stat().st_mtime < newest:
                index.unlink()
