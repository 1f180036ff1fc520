"""One call from a table to a fitted estimator."""

from __future__ import annotations

from typing import Any

from ooa.checks import did_you_mean, one_of
from ooa.errors import OptionError

from .base import RuleSetClassifier
from .ooa_classifier import OOAClassifier
from .ooax_classifier import OOAxClassifier

__all__ = ["fit"]

_METHODS: dict[str, type[RuleSetClassifier]] = {"ooax": OOAxClassifier, "ooa": OOAClassifier}


def fit(
    X: Any, y: Any, *, method: str = "ooax", sample_weight: Any = None, **parameters: Any
) -> RuleSetClassifier:
    """Learn a rule set and return the fitted estimator.

    Parameters
    ----------
    X : frame or array
    y : sequence of two different labels
    method : {"ooax", "ooa"}
        Select among mined patterns, or form the patterns inside one mixed-integer program.
    sample_weight : sequence of float, optional
        What each row counts for.
    **parameters
        Those of `OOAxClassifier` or `OOAClassifier`, such as ``backend="scip"``.

    Examples
    --------
    >>> from ooa.datasets import monks
    >>> data = monks(1)
    >>> model = fit(data.X, data.y, time_limit=60)
    >>> print(model.rules_[0], model.predict(data.X.head(3)))
    jacket_color = red [1 1 1]
    >>> fit(data.X, data.y, time_limt=60)
    Traceback (most recent call last):
        ...
    ooa.errors.OptionError: OOAxClassifier has no parameter 'time_limt'; did you mean 'time_limit'?
    """
    kind = _METHODS[one_of(method, "method", _METHODS)]
    known = kind._get_param_names()
    for name in parameters:
        if name not in known:
            raise OptionError(f"{kind.__name__} has no parameter {name!r}; {did_you_mean(name, known)}")
    model: RuleSetClassifier = kind(**parameters)
    model.fit(X, y, sample_weight=sample_weight)
    return model
