"""Learn Or's of And's classifiers by mixed-integer programming, with a proof of how good they are.

Names are imported when they are first used, so that `import ooa` costs next to nothing and never
imports a solver.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from .api import fit
    from .bounds_table import BoundsReport, bounds_report
    from .capacity import EfficientSet, VCDimension, maximum_efficient_set, vc_dimension
    from .certificate import Certificate, Scope
    from .equivalence import Equivalent, forest_rules, tree_rules
    from .errors import OOAError, OOAWarning
    from .estimators import OOAClassifier, OOAxClassifier
    from .generalisation import Generalisation, generalisation_statement
    from .literals import candidate_literals
    from .milp import Milp
    from .model import Model
    from .objective import Objective
    from .ooa_fit import learn_ooa
    from .ooax import Learned, learn_ooax
    from .plots import plot_benchmark, plot_path, plot_progress, plot_rules
    from .price_path import path
    from .rashomon import RashomonSet
    from .registry import available_backends, get_backend
    from .rules import Equal, IsMissing, NotEqual, OneOf, Pattern, Range, RuleSet
    from .several import enumerate_optimal
    from .solving import Backend, Solution, SolveParams, Termination
    from .table import Table

_HOME = {
    "api": ("fit",),
    "bounds_table": ("BoundsReport", "bounds_report"),
    "capacity": ("EfficientSet", "VCDimension", "maximum_efficient_set", "vc_dimension"),
    "certificate": ("Certificate", "Scope"),
    "equivalence": ("Equivalent", "forest_rules", "tree_rules"),
    "errors": ("OOAError", "OOAWarning"),
    "estimators": ("OOAClassifier", "OOAxClassifier"),
    "generalisation": ("Generalisation", "generalisation_statement"),
    "literals": ("candidate_literals",),
    "milp": ("Milp",),
    "model": ("Model",),
    "objective": ("Objective",),
    "ooa_fit": ("learn_ooa",),
    "ooax": ("Learned", "learn_ooax"),
    "plots": ("plot_benchmark", "plot_path", "plot_progress", "plot_rules"),
    "price_path": ("path",),
    "rashomon": ("RashomonSet",),
    "registry": ("available_backends", "get_backend"),
    "rules": ("Equal", "IsMissing", "NotEqual", "OneOf", "Pattern", "Range", "RuleSet"),
    "several": ("enumerate_optimal",),
    "solving": ("Backend", "SolveParams", "Solution", "Termination"),
    "table": ("Table",),
}
_MODULE = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "Backend",
    "BoundsReport",
    "Certificate",
    "EfficientSet",
    "Equal",
    "Equivalent",
    "Generalisation",
    "IsMissing",
    "Learned",
    "Milp",
    "Model",
    "NotEqual",
    "OOAClassifier",
    "OOAError",
    "OOAWarning",
    "OOAxClassifier",
    "Objective",
    "OneOf",
    "Pattern",
    "Range",
    "RashomonSet",
    "RuleSet",
    "Scope",
    "Solution",
    "SolveParams",
    "Table",
    "Termination",
    "VCDimension",
    "available_backends",
    "bounds_report",
    "candidate_literals",
    "enumerate_optimal",
    "fit",
    "forest_rules",
    "generalisation_statement",
    "get_backend",
    "learn_ooa",
    "learn_ooax",
    "maximum_efficient_set",
    "path",
    "plot_benchmark",
    "plot_path",
    "plot_progress",
    "plot_rules",
    "tree_rules",
    "vc_dimension",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULE:
        raise AttributeError(f"module 'ooa' has no attribute {name!r}")
    return getattr(import_module(f".{_MODULE[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
