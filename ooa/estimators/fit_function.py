"""One call from a table to a fitted estimator."""

from __future__ import annotations

from typing import Any

from ooa.checks import did_you_mean, few_of, one_of
from ooa.engines.source import is_source
from ooa.errors import DataError, OptionError
from ooa.objective import exact

from .base import RuleSetClassifier
from .ooa_classifier import OOAClassifier
from .ooax_classifier import OOAxClassifier
from .validation import feature_columns, without_column

__all__ = ["fit"]

_METHODS: dict[str, type[RuleSetClassifier]] = {"ooax": OOAxClassifier, "ooa": OOAClassifier}


def fit(
    X: Any,
    y: Any = None,
    *,
    target: str | None = None,
    method: str = "ooax",
    C: Any = None,
    sample_weight: Any = None,
    groups: Any = None,
    **parameters: Any,
) -> RuleSetClassifier:
    """Learn a rule set and return the fitted estimator.

    Parameters
    ----------
    X : frame or array
        A pandas, polars or pyarrow table, an array, or a list of rows or dicts. Or rows that are not read
        into memory: the path of CSV or Parquet files, a lazy frame, an `ooa.Source`.
    y : sequence of two different labels
        For more than two, `ooa.OneVsRestRules` learns a rule set for each.
    target : str, optional
        The column of `X` that holds the labels, in place of `y`.
    method : {"ooax", "ooa"}
        Select among mined patterns, or form the patterns inside one mixed-integer program.
    C : float or "cv", optional
        The price of complexity: a number is short for ``C1=C, C2=C``, and "cv" has cross-validation choose it
        (`OOAxClassifierCV`, whose parameters, such as ``cv=10``, can then be given).
    sample_weight : sequence of float, optional
        What each row counts for; of rows that are not in memory, the name of a column.
    groups : sequence, optional
        With ``C="cv"``: the group of each row, for a splitter `cv` that keeps groups together.
    **parameters
        Those of `OOAxClassifier`, `OOAClassifier` or `OOAxClassifierCV`, such as ``backend="scip"``.

    Examples
    --------
    >>> from ooa.datasets import monks
    >>> data = monks(1)
    >>> model = fit(data.X, data.y, time_limit=60)
    >>> print(model.rules_[0], model.predict(data.X.head(3)))
    jacket_color = red [1 1 1]
    >>> fit(data.X, data.y, C=0.1).rules_.n_literals, fit(data.X, data.y, C="cv", max_length=2).C_
    (1, 0.004)
    >>> fit(data.X, data.y, time_limt=60)
    Traceback (most recent call last):
        ...
    ooa.errors.OptionError: OOAxClassifier has no parameter 'time_limt'; did you mean 'time_limit'?
    """
    kind = _METHODS[one_of(method, "method", _METHODS)]
    chosen = isinstance(C, str) and C == "cv"
    if chosen:
        kind = _chosen_by_cv(method)
    elif C is not None:
        parameters = _with_price(C, parameters)
    if groups is not None and not chosen:
        raise OptionError("groups are for cross-validation: they need C='cv', and a splitter as cv")
    known = kind._get_param_names()
    for name in parameters:
        if name not in known:
            raise OptionError(f"{kind.__name__} has no parameter {name!r}; {did_you_mean(name, known)}")
    X, y = _labelled(X, y, target)
    model: RuleSetClassifier = kind(**parameters)
    if groups is not None:
        return model.fit(X, y, sample_weight=sample_weight, groups=groups)
    return model.fit(X, y, sample_weight=sample_weight)


def _labelled(X: Any, y: Any, target: str | None) -> tuple[Any, Any]:
    """Rows and labels, where these are a column of the rows; an engine finds it by its name."""
    if target is None:
        return X, y
    if y is not None:
        raise OptionError("target names the column of labels in X, and y is the labels: give one of the two")
    if is_source(X):
        return X, target
    columns = feature_columns(X)
    if target not in columns:
        raise DataError(
            f"There is no column {target!r}; the columns are {few_of(map(repr, columns), most=12)}"
        )
    return without_column(X, target, ())


def _chosen_by_cv(method: str) -> type[RuleSetClassifier]:
    if method != "ooax":
        raise OptionError(
            f"C='cv' chooses a price for method='ooax' only, not {method!r}: use the C_ of such a model"
        )
    from .ooax_classifier_cv import OOAxClassifierCV  # brings scikit-learn's model selection with it

    return OOAxClassifierCV


def _with_price(C: Any, parameters: dict[str, Any]) -> dict[str, Any]:
    """One price for literals and patterns; where that is said already, nobody knows which counts."""
    for name in ("C1", "C2"):
        if name in parameters:
            raise OptionError(f"C is short for C1=C, C2=C: give C or {name}, not both")
    try:
        exact(C, "C")
    except OptionError:
        raise OptionError(f"C must be a number >= 0 or 'cv', not {C!r}") from None
    return {"C1": C, "C2": C} | parameters
