"""Whether the inner loops run as machine code, and what there is without."""

from __future__ import annotations

from .core_files import WITHOUT
from .library import core, core_or_reason

__all__ = ["compiled", "instruction_set", "what_is_missing"]


def compiled() -> bool:
    """Whether the compiled core is there."""
    return core() is not None


def instruction_set() -> str | None:
    """The instruction set that the compiled core uses here, or None if there is no core."""
    found = core()
    return None if found is None else found.level


def what_is_missing() -> str:
    """A sentence that says why there is no compiled core, and what is slower; empty if there is one."""
    found = core_or_reason()
    return f"the compiled core is missing ({found}): {WITHOUT}" if isinstance(found, str) else ""
