"""The log of the library: one logger, `ooa`, and a way to hear it without configuring anything."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["audible", "logger"]

logger = logging.getLogger("ooa")


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
