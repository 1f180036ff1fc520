"""The scikit-learn estimators, and one call from a table to a fitted one."""

from .fit_function import fit
from .one_vs_rest import OneVsRestRules
from .ooa_classifier import OOAClassifier
from .ooax_classifier import OOAxClassifier
from .ooax_classifier_cv import OOAxClassifierCV

__all__ = ["OOAClassifier", "OOAxClassifier", "OOAxClassifierCV", "OneVsRestRules", "fit"]
