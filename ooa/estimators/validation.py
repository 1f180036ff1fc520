"""What a scikit-learn estimator is given, checked: features by name or position, labels, weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.utils import assert_all_finite, check_consistent_length, column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from ooa.checks import few_of
from ooa.data.columns import Column
from ooa.data.families import family_of
from ooa.data.frames import Frame, open_frame, refuse_lazy, unmasked
from ooa.data.labels import row_weights
from ooa.data.ranks import as_trained_on
from ooa.data.rows import Attribute
from ooa.errors import DataError

from .sklearn_compat import validate

__all__ = [
    "accuracy",
    "as_trained",
    "check_classes",
    "check_lengths",
    "feature_columns",
    "read_classes",
    "read_features",
    "read_target",
    "read_weight",
    "without_column",
]


def read_features(estimator: Any, X: Any, *, reset: bool) -> Any:
    """Return features that `open_frame` reads, checked as scikit-learn checks them.

    Frames stay as they are, with their types. A list of dicts or a dict of columns becomes a frame,
    everything else an array. Missing values are fine; infinite ones are left to others to find.
    """
    X = _framed(X)
    if _is_frame(X):
        # Old versions do not find the names in every frame; they look at nothing else.
        names = list(open_frame(X).names)
        validate(estimator, pd.DataFrame(columns=names), reset=reset, array=False)
        return X
    if isinstance(X, (list, tuple)):
        X = np.array(X, dtype=object)  # cell by cell: numpy would make text of [1, "a"]
    try:
        return validate(estimator, unmasked(X), reset=reset, dtype=None)
    except DataError:
        raise
    except (ValueError, TypeError) as error:
        raise DataError(f"X: {error}") from error


def read_classes(estimator: Any, y: Any) -> tuple[NDArray[Any], NDArray[Any], str]:
    """Return the labels, the classes in ascending order, two at least, and what the label is called."""
    if y is None:
        raise DataError(f"{type(estimator).__name__} requires y to be passed, but the target y is None")
    refuse_lazy(y)
    name = getattr(y, "name", None) or getattr(y, "_name", None)
    series = nw.from_native(y, series_only=True, pass_through=True)
    if isinstance(series, nw.Series) and not series.implementation.is_pandas_like():
        y = series.to_numpy()
    _check_one_family(y)
    try:
        labels = np.asarray(column_or_1d(unmasked(y), warn=True))
    except (ValueError, TypeError) as error:
        raise DataError(f"y: {error}") from error
    missing = pd.isna(labels)
    if missing.any():
        raise DataError(f"The label in row {int(np.argmax(missing))} of y is missing")
    try:
        assert_all_finite(labels, input_name="y")
    except ValueError as error:
        raise DataError(str(error)) from error
    if labels.dtype == object and len(labels) and not isinstance(labels[0], str):
        plain = np.array(labels.tolist())  # numbers or true/false that only came as objects
        labels = plain if plain.dtype.kind in "biuf" and plain.ndim == 1 else labels
    check_classes(labels)
    classes = np.unique(labels)
    if len(classes) < 2:
        only = f"1 class ({classes.tolist()[0]!r})" if len(classes) else "0 classes"
        raise DataError(f"The labels have {only} where two are needed")
    return labels, classes, name if isinstance(name, str) else "target"


def check_classes(labels: NDArray[Any]) -> None:
    """Raise if labels are fractions, which scikit-learn takes for numbers rather than for classes."""
    try:
        check_classification_targets(labels)
    except (ValueError, TypeError) as error:
        raise DataError(f"y: {error}") from error


def _check_one_family(y: Any) -> None:
    """Raise if labels are of several families: numpy would make text of 1 and "1", and a number of true."""
    if isinstance(y, (list, tuple)) or str(getattr(y, "dtype", "")) == "object":
        labels = np.fromiter(y, dtype=object, count=len(y))
        missing = np.array([not np.isscalar(label) or label != label for label in labels], dtype=bool)
        family_of("y", labels, missing, 0)


def accuracy(y: Any, predicted: Any, sample_weight: Any) -> float:
    """Return the share of the labels that is predicted right, by weight, as scikit-learn counts it."""
    from sklearn.metrics import accuracy_score  # which a fit has no need of

    try:
        return float(accuracy_score(y, predicted, sample_weight=sample_weight))
    except (ValueError, TypeError, nw.exceptions.DuplicateError) as error:
        raise DataError(f"y or sample_weight: {error}") from error


def check_lengths(features: Any, labels: Any) -> None:
    """Raise unless there are as many labels as rows."""
    try:
        check_consistent_length(features, labels)
    except ValueError as error:
        raise DataError(f"X and y: {error}") from None


def read_target(estimator: Any, y: Any) -> tuple[NDArray[Any], NDArray[Any], str]:
    """Return the labels, the two classes in ascending order, and what the label is called."""
    labels, classes, name = read_classes(estimator, y)
    if len(classes) > 2:
        raise DataError(
            f"Only binary classification is supported. The labels have {len(classes)} classes "
            f"({few_of(map(repr, classes.tolist()))}): ooa.OneVsRestRules learns a rule set for each of them"
        )
    return labels, classes, name


def read_weight(sample_weight: Any, labels: NDArray[Any]) -> NDArray[np.float64] | None:
    """Return the weights of the rows, checked; both classes must keep some."""
    if sample_weight is None:
        return None
    weight = row_weights(sample_weight, len(labels))
    counting = np.unique(labels[weight != 0]).tolist()
    if len(counting) == 1:
        raise DataError(
            f"The labels have 1 class where sample_weight is not zero ({counting[0]!r}), and two classes "
            "are needed"
        )
    return weight


def as_trained(
    estimator: Any, X: Any, attributes: Sequence[Attribute], used: Sequence[str] | None = None
) -> Frame:
    """Return new data as a frame of the attributes of the training table, of the same kinds.

    Parameters
    ----------
    estimator : the fitted estimator
    X : the data, with all columns of the training data in the same order, checked by scikit-learn; or,
        if `used` is given and both have names, with the columns named there anywhere among others
    attributes : the attributes of the training table
    used : the attributes that are needed
    """
    X = _framed(X)
    named = _is_frame(X) and hasattr(estimator, "feature_names_in_")
    by_name = named and used is not None
    try:
        frame = open_frame(X if by_name else read_features(estimator, X, reset=False))
    except ValueError as error:
        if not named:
            raise
        raise DataError(f"{error}predict_columns='used' asks only for the columns of the rules") from None
    if by_name:
        found = [(attribute, attribute.name) for attribute in attributes if attribute.name in frame.names]
    else:
        found = list(zip(attributes, frame.names))

    def fetch(j: int, rows: slice) -> Column:
        attribute, source = found[j]
        part = frame.slice(rows.start, rows.stop)
        return _finite(as_trained_on(part, source, attribute), rows.start)

    return Frame([attribute.name for attribute, _ in found], frame.n_rows, fetch)


def without_column(X: Any, name: str, known: Sequence[str]) -> tuple[Any, Any]:
    """Return a frame without one of its columns, and that column; what the model knows stays where it is.

    Examples
    --------
    >>> X, ids = without_column(pd.DataFrame({"patient": [7, 8], "age": [70, 41]}), "patient", ["age"])
    >>> list(X), list(ids)
    (['age'], [7, 8])
    """
    X = _framed(X)
    frame = nw.from_native(X, eager_only=True, pass_through=True)
    if name in known or not isinstance(frame, nw.DataFrame) or name not in frame.columns:
        return X, name
    return frame.drop(name).to_native(), frame.get_column(name).to_native()


def feature_columns(X: Any) -> tuple[str, ...]:
    """The names of the columns of data in memory."""
    return open_frame(_framed(X)).names


def _framed(X: Any) -> Any:
    """Return a list of dicts, a dict of columns or an array of records as a frame, anything else as it is."""
    refuse_lazy(X)
    if isinstance(X, np.ndarray) and X.dtype.names and X.ndim == 1:
        X = {name: X[name] for name in X.dtype.names}
    if isinstance(X, (list, tuple)) and len(X) > 0 and all(isinstance(row, Mapping) for row in X):
        return pd.DataFrame([dict(row) for row in X], dtype=object)
    if isinstance(X, Mapping) and not issparse(X):  # one of scipy's formats is a dict
        open_frame(X)  # pandas would fill columns that differ in length, and repeat what is no column
        return pd.DataFrame(_columns(X))
    return X


def _columns(X: Mapping[Any, Any]) -> dict[Any, Any]:
    """Return a dict of columns of which pandas makes no floats where values are missing, row by row."""

    def column(values: Any) -> Any:
        if isinstance(values, pd.Series):
            return values.reset_index(drop=True)  # pandas would put rows in the order of the index
        return (
            pd.Series(list(values), dtype=object) if isinstance(values, (list, tuple)) else unmasked(values)
        )

    return {name: column(values) for name, values in X.items()}


def _is_frame(X: Any) -> bool:
    return nw.dependencies.is_into_dataframe(X)


def _finite(column: Column, first_row: int) -> Column:
    """Refuse infinite values, as in training."""
    if column.kind == "numeric" and np.isinf(column.values).any():
        row = first_row + int(np.argmax(np.isinf(column.values)))
        raise DataError(f"Column {column.name!r}, row {row}: the value is infinite (inf)")
    return column
