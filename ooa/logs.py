"""What the library says beside its results: one logger, `ooa`, a way to hear it, and warnings."""

from __future__ import annotations

import logging
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from .errors import OOAWarning

__all__ = ["audible", "logger", "user_warn"]

logger = logging.getLogger("ooa")
#: Packages whose lines are between the user's and the place where a warning arises.
_BETWEEN = ("ooa", "sklearn", "joblib", "contextlib")


@contextmanager
def audible(verbose: int) -> Iterator[None]:
    """Let messages of level INFO through while the block runs, if `verbose` is above 0.

    They go to the handlers that are configured; only if there are none, to standard error.
    """
    if verbose <= 0:
        yield
        return
    level, handler = logger.level, None
    if not logger.isEnabledFor(logging.INFO):
        logger.setLevel(logging.INFO)
    if not logger.hasHandlers():
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("%(name)s: %(message)s"))
        logger.addHandler(handler)
    try:
        yield
    finally:
        logger.setLevel(level)
        if handler is not None:
            logger.removeHandler(handler)


def user_warn(message: str) -> None:
    """Warn at the line of whoever called the library, through scikit-learn or not."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] in _BETWEEN:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, OOAWarning, stacklevel=level)
