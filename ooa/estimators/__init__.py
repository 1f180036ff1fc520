"""The scikit-learn estimators, and one call from a table to a fitted one; each imported at its first use."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .light_sklearn import import_without

if TYPE_CHECKING:
    from .fit_function import fit
    from .one_vs_rest import OneVsRestRules
    from .ooa_classifier import OOAClassifier
    from .ooax_classifier import OOAxClassifier
    from .ooax_classifier_cv import OOAxClassifierCV

__all__ = ["OOAClassifier", "OOAxClassifier", "OOAxClassifierCV", "OneVsRestRules", "fit"]

_HOME = {
    "OOAClassifier": "ooa_classifier",
    "OOAxClassifier": "ooax_classifier",
    "OOAxClassifierCV": "ooax_classifier_cv",
    "OneVsRestRules": "one_vs_rest",
    "fit": "fit_function",
}

import_without("sklearn.base", "scipy.stats")  # before any module of this room imports it


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOME[name]}", __name__), name)
