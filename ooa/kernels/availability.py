"""Whether the inner loops can run as machine code, and whether that is there already."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

__all__ = ["compiled", "loaded", "ready"]


def compiled() -> bool:
    """Whether numba is there to compile the search."""
    return find_spec("numba") is not None


def ready() -> bool:
    """Whether the searches are compiled already, in this process or on disk: otherwise that takes a while."""
    from . import best_pattern, walk

    return all(_made(kernel) for kernel in (walk, best_pattern))


def loaded() -> bool:
    """Whether the search has run in this process, so that more compiled code is loaded in no time."""
    walk = sys.modules.get(f"{__package__}.walk")
    return walk is not None and bool(getattr(walk.advance, "signatures", ()))


def _made(kernel: ModuleType) -> bool:
    """Whether the function of a module that calls all others of it is compiled."""
    if not hasattr(kernel.advance, "signatures"):
        return True  # NUMBA_DISABLE_JIT
    kept = kernel.advance.stats.cache_path
    made = Path(kept).glob(f"{Path(str(kernel.__file__)).stem}.advance-*.nbi") if kept else ()
    return bool(kernel.advance.signatures) or any(True for _ in made)
