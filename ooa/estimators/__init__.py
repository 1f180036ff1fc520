"""The scikit-learn estimators, and one call from a table to a fitted one."""

from .classifiers import OOAClassifier, OOAxClassifier
from .fit_function import fit

__all__ = ["OOAClassifier", "OOAxClassifier", "fit"]
