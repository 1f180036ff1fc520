"""Learn Or's of And's classifiers by mixed-integer programming, with a proof of how good they are.

Names are imported when they are first used, so that `import ooa` costs next to nothing and never
imports a solver.
"""

from __future__ import annotations

from .version import __version__

# Not typing's, which takes longer to import than all of this: whoever presses Ctrl-C at the very start of
# the command is to be answered by it, and not by Python.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .candidates.generate import candidate_literals
    from .data.suspicions import Suspicion, inspect_table
    from .data.table import Table
    from .engines.source import Source
    from .errors import OOAError, OOAWarning
    from .estimators import OneVsRestRules, OOAClassifier, OOAxClassifier, OOAxClassifierCV, fit
    from .explore.enumerate import enumerate_optimal
    from .explore.operating_curve import operating_curve
    from .explore.price_path import path
    from .explore.rashomon import RashomonSet
    from .explore.trade_off import trade_off
    from .learning.certificate import Certificate, Scope
    from .learning.ooa import learn_ooa
    from .learning.ooax import learn_ooax
    from .learning.verdict import Learned
    from .model import Milp, Model
    from .objective import Objective
    from .plots import (
        plot_ambiguity,
        plot_benchmark,
        plot_cv,
        plot_operating_curve,
        plot_path,
        plot_progress,
        plot_reliance,
        plot_rules,
        plot_trade_off,
    )
    from .rules.levels import LevelRange
    from .rules.literal import Equal, IsMissing, NotEqual, OneOf, Range
    from .rules.pattern import Pattern
    from .rules.ruleset import RuleSet
    from .rules.trees.equivalence import Equivalent, forest_rules, tree_rules
    from .solving import Backend, Solution, SolveParams, Termination, available_backends, get_backend
    from .theory.bounds_report import BoundsReport, bounds_report
    from .theory.capacity import EfficientSet, VCDimension, maximum_efficient_set, vc_dimension
    from .theory.generalisation import Generalisation, generalisation_statement

_HOME = {
    "candidates.generate": ("candidate_literals",),
    "data.suspicions": ("Suspicion", "inspect_table"),
    "data.table": ("Table",),
    "engines.source": ("Source",),
    "errors": ("OOAError", "OOAWarning"),
    "estimators": ("OOAClassifier", "OOAxClassifier", "OOAxClassifierCV", "OneVsRestRules", "fit"),
    "explore.enumerate": ("enumerate_optimal",),
    "explore.operating_curve": ("operating_curve",),
    "explore.price_path": ("path",),
    "explore.rashomon": ("RashomonSet",),
    "explore.trade_off": ("trade_off",),
    "learning.certificate": ("Certificate", "Scope"),
    "learning.ooa": ("learn_ooa",),
    "learning.ooax": ("learn_ooax",),
    "learning.verdict": ("Learned",),
    "model": ("Milp", "Model"),
    "objective": ("Objective",),
    "plots": (
        "plot_ambiguity",
        "plot_benchmark",
        "plot_cv",
        "plot_operating_curve",
        "plot_path",
        "plot_progress",
        "plot_reliance",
        "plot_rules",
        "plot_trade_off",
    ),
    "rules.levels": ("LevelRange",),
    "rules.literal": ("Equal", "IsMissing", "NotEqual", "OneOf", "Range"),
    "rules.pattern": ("Pattern",),
    "rules.ruleset": ("RuleSet",),
    "rules.trees.equivalence": ("Equivalent", "forest_rules", "tree_rules"),
    "solving": ("Backend", "Solution", "SolveParams", "Termination", "available_backends", "get_backend"),
    "theory.bounds_report": ("BoundsReport", "bounds_report"),
    "theory.capacity": ("EfficientSet", "VCDimension", "maximum_efficient_set", "vc_dimension"),
    "theory.generalisation": ("Generalisation", "generalisation_statement"),
}
_MODULE = {name: module for module, names in _HOME.items() for name in names}
#: Modules that are public as such: `import ooa; ooa.constraints.max_uses`.
_PUBLIC_MODULES = (
    "constraints",
    "datasets",
    "errors",
    "export",
    "formulations",
    "model",
    "solving",
    "testing",
)

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
    "LevelRange",
    "Milp",
    "Model",
    "NotEqual",
    "OOAClassifier",
    "OOAError",
    "OOAWarning",
    "OOAxClassifier",
    "OOAxClassifierCV",
    "Objective",
    "OneOf",
    "OneVsRestRules",
    "Pattern",
    "Range",
    "RashomonSet",
    "RuleSet",
    "Scope",
    "Solution",
    "SolveParams",
    "Source",
    "Suspicion",
    "Table",
    "Termination",
    "VCDimension",
    "__version__",
    "available_backends",
    "bounds_report",
    "candidate_literals",
    "enumerate_optimal",
    "fit",
    "forest_rules",
    "generalisation_statement",
    "get_backend",
    "inspect_table",
    "learn_ooa",
    "learn_ooax",
    "maximum_efficient_set",
    "operating_curve",
    "path",
    "plot_ambiguity",
    "plot_benchmark",
    "plot_cv",
    "plot_operating_curve",
    "plot_path",
    "plot_progress",
    "plot_reliance",
    "plot_rules",
    "plot_trade_off",
    "trade_off",
    "tree_rules",
    "vc_dimension",
]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in _PUBLIC_MODULES:
        return import_module(f".{name}", __name__)
    if name not in _MODULE:
        raise AttributeError(f"module 'ooa' has no attribute {name!r}")
    return getattr(import_module(f".{_MODULE[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if name.startswith("__")), *__all__, *_PUBLIC_MODULES})
