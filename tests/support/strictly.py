"""Functions that take every warning for a failure."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def strictly(run: Callable[P, T]) -> Callable[P, T]:
    """The same function, in which a warning is an exception."""

    @functools.wraps(run)
    def strict(*args: P.args, **options: P.kwargs) -> T:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return run(*args, **options)

    return strict
