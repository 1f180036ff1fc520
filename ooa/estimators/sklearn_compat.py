"""What differs between the versions of scikit-learn that the estimators run on: 1.5 to 1.9 and later."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

from sklearn.base import BaseEstimator

__all__ = ["CallbackSupport", "Tagged", "validate", "with_callbacks"]

Method = TypeVar("Method", bound=Callable[..., Any])

try:  # 1.9 brought callbacks: progress bars and monitors that meta-estimators hand on to what they fit
    from sklearn import callback

    CallbackSupport: type = callback.CallbackSupportMixin
    _decorate: Callable[[Any], Any] | None = callback.with_callbacks
except ImportError:

    class _NoCallbacks:
        """Nothing to support."""

    CallbackSupport, _decorate = _NoCallbacks, None


try:  # 1.6 made this a function, renamed an option and replaced the tags
    from sklearn.utils.validation import validate_data

    _FINITE = "ensure_all_finite"
    Tagged: type = BaseEstimator
except ImportError:
    _FINITE = "force_all_finite"

    class _OldTags(BaseEstimator):  # type: ignore[misc]
        """An estimator that says in the old way what it can take."""

        _several_classes: ClassVar[bool] = False

        def _more_tags(self) -> dict[str, Any]:
            only_two = not self._several_classes
            return {"binary_only": only_two, "allow_nan": True, "X_types": ["2darray", "string"]}

    def _validate(estimator: Any, X: Any, *, skip_check_array: bool = False, **options: Any) -> Any:
        """Check data by the method that 1.6 made a function."""
        if skip_check_array:
            options["cast_to_ndarray"] = False
        return estimator._validate_data(X, **options)

    Tagged, validate_data = _OldTags, _validate


def with_callbacks(method: Method) -> Method:
    """Return a method that tells callbacks of its end, where there are callbacks."""
    decorated: Method = method if _decorate is None else _decorate(method)
    return decorated


def validate(estimator: Any, X: Any, *, array: bool = True, **options: Any) -> Any:
    """Check data as scikit-learn does, infinite values excepted.

    Parameters
    ----------
    estimator : the estimator whose `n_features_in_` and `feature_names_in_` are set or compared
    X : the features
    array : whether X has to become an array; otherwise only its names and their number are looked at
    options : `reset`, and what `sklearn.utils.check_array` takes
    """
    if not array:
        return validate_data(estimator, X, skip_check_array=True, **options)
    return validate_data(estimator, X, **{_FINITE: False}, **options)
