"""Whether the inner loops run as machine code."""

from __future__ import annotations

from .library import core

__all__ = ["compiled", "instruction_set"]


def compiled() -> bool:
    """Whether the compiled core is there."""
    return core() is not None


def instruction_set() -> str | None:
    """The instruction set that the compiled core uses here, or None if there is no core."""
    found = core()
    return None if found is None else found.level
