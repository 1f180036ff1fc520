"""Rule sets as mixed-integer programs: OOA in two forms, OOAx, and the words of constraints."""

from .base import ConstraintLike, Formulation
from .ooa_compact import CompactFormulation
from .ooa_paper import OOAFormulation
from .ooax import OOAxFormulation
from .vocabulary import Vocabulary

__all__ = [
    "CompactFormulation",
    "ConstraintLike",
    "Formulation",
    "OOAFormulation",
    "OOAxFormulation",
    "Vocabulary",
]
