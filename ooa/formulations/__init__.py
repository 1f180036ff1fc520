"""Rule sets as mixed-integer programs: OOA in two forms, OOAx, and the words of constraints."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .base import ConstraintLike, Formulation
from .vocabulary import Vocabulary

if TYPE_CHECKING:
    from .ooa_compact import CompactFormulation
    from .ooa_paper import OOAFormulation
    from .ooax import OOAxFormulation

__all__ = [
    "CompactFormulation",
    "ConstraintLike",
    "Formulation",
    "OOAFormulation",
    "OOAxFormulation",
    "Vocabulary",
]

#: What is imported when it is first used, as many a fit needs no program.
_LATER = {"CompactFormulation": "ooa_compact", "OOAFormulation": "ooa_paper", "OOAxFormulation": "ooax"}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_LATER[name]}", __name__), name)
