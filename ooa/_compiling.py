"""Compiled functions, kept on disk between processes where that is possible."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba


def compiled_once(function: Callable[..., Any]) -> Any:
    """Compile a function when it is first called, and keep the result beside the package.

    Where nothing can be written, neither there nor in the user's cache, each process compiles anew.
    """
    try:
        return numba.njit(cache=True)(function)
    except RuntimeError:
        return numba.njit(function)
