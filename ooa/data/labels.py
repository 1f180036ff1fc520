"""Labels and weights: any two values as negative and positive, and what every row counts for."""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ooa.checks import few_of, number_from, weights
from ooa.errors import DataError, OptionError

from .columns import Category, Column, canonical_value
from .frames import open_frame

__all__ = ["Labels", "read_labels", "read_weights", "row_weights"]

#: What all weights may add up to: sums of them, and of prices for them, are numbers then.
MOST_WEIGHT = 1e305


@dataclass(frozen=True, eq=False)
class Labels:
    """Labels of a two-class problem.

    Attributes
    ----------
    y : ndarray of bool
        True where the label is the positive one.
    negative, positive : str, bool, int or float
        The two labels; whole floats are ints.
    """

    y: NDArray[np.bool_]
    negative: Category
    positive: Category


def read_labels(y: object, *, positive: object = None, name: str = "target") -> Labels:
    """Read labels of any two values.

    Parameters
    ----------
    y : sequence, array, Series or categorical Column
    positive : optional
        The label to predict; by default True, the larger number, or the last in sorted order.
    name : str
        What the labels are called in messages.

    Examples
    --------
    >>> labels = read_labels(["no", "yes", "no"])
    >>> labels.positive, labels.y.tolist()
    ('yes', [False, True, False])
    >>> read_labels([1, 2, 1], positive=1).negative
    2
    """
    column = y if isinstance(y, Column) else open_frame({name: y}).column(name, kind="categorical")
    missing = column.missing
    if missing.any():
        raise DataError(f"The label in row {int(np.argmax(missing))} of {name!r} is missing")
    present = np.unique(column.values)
    classes = [column.categories[code] for code in present]
    if len(classes) < 2:
        only = f"every label is {classes[0]!r}" if classes else "there are no labels"
        raise DataError(f"{name!r} must have two classes, but {only}")
    if len(classes) > 2:
        raise DataError(
            f"{name!r} has {len(classes)} classes ({few_of(map(repr, classes))}) where two are needed: "
            "learn one against the rest, as ooa.OneVsRestRules does for each of them"
        )
    if positive is not None and not _is_label(positive, classes):
        raise OptionError(
            f"is not a label: the labels are {classes[0]!r} and {classes[1]!r}",
            option="positive",
            value=positive,
        )
    chosen = 1 if positive is None else classes.index(positive)
    return Labels(column.values == present[chosen], classes[1 - chosen], classes[chosen])


def _is_label(positive: object, classes: list[Category]) -> bool:
    try:
        return canonical_value(positive) in classes
    except (DataError, OverflowError):
        return False


def read_weights(
    labels: Labels, sample_weight: object = None, class_weight: object = None
) -> NDArray[np.float64]:
    """Return every row's weight: its sample weight times the weight of its class.

    Parameters
    ----------
    labels : Labels
    sample_weight : float or sequence of float, optional
        Not negative, finite, not all zero; by default 1.
    class_weight : "balanced" or dict, optional
        A factor per label (1 for a label not named); "balanced" gives both classes the same total weight and
        leaves the total as it is.

    Examples
    --------
    >>> labels = read_labels([0, 0, 0, 1])
    >>> read_weights(labels, class_weight={1: 3}).tolist()
    [1.0, 1.0, 1.0, 3.0]
    >>> read_weights(labels, class_weight="balanced").round(3).tolist()
    [0.667, 0.667, 0.667, 2.0]
    """
    weight = row_weights(sample_weight, len(labels.y))
    if class_weight is not None:
        negative, positive = _class_factors(class_weight, labels, weight)
        for label, factor in ((labels.negative, negative), (labels.positive, positive)):
            if factor == 0:
                raise OptionError(
                    f"class_weight of {label!r} is 0, but both classes must count for something"
                )
        with np.errstate(over="ignore"):
            weight = weight * np.where(labels.y, positive, negative)
    with np.errstate(over="ignore"):  # what is infinite is too much, and said so
        total = float(weight.sum())
    if not total > 0:
        raise DataError("The weights are all zero: at least one row must count")
    if total > MOST_WEIGHT:
        raise DataError(f"The weights add up to {total:g}, which is too much to count with: divide them all")
    return weight


def row_weights(sample_weight: object, n_rows: int) -> NDArray[np.float64]:
    """Return what every row counts for: 1 by default, one number for all, or one for each.

    Examples
    --------
    >>> row_weights(None, 2).tolist(), row_weights(3, 2).tolist(), row_weights([1, 2.5], 2).tolist()
    ([1.0, 1.0], [3.0, 3.0], [1.0, 2.5])
    """
    if sample_weight is None:
        return np.ones(n_rows)
    if isinstance(sample_weight, numbers.Real):
        return weights(np.full(n_rows, number_from(sample_weight, "sample_weight")), n_rows)
    column = open_frame({"sample_weight": sample_weight}).column("sample_weight", kind="numeric")
    return weights(column.values, n_rows)


def _class_factors(class_weight: object, labels: Labels, weight: NDArray[Any]) -> tuple[float, float]:
    """Return the factors of the negative and the positive class."""
    classes = (labels.negative, labels.positive)
    if isinstance(class_weight, str) and class_weight == "balanced":
        totals = [float(weight[~labels.y].sum()), float(weight[labels.y].sum())]
        if min(totals) <= 0:
            raise DataError(
                f"The rows labelled {classes[int(np.argmin(totals))]!r} weigh nothing: cannot balance"
            )
        return sum(totals) / (2 * totals[0]), sum(totals) / (2 * totals[1])
    if not isinstance(class_weight, Mapping):
        raise OptionError(
            f"class_weight must be 'balanced' or a dict from label to weight, not {class_weight!r:.200}"
        )
    unknown = [label for label in class_weight if label not in classes]
    if unknown:
        raise OptionError(
            f"class_weight names {unknown[0]!r}: the labels are {classes[0]!r} and {classes[1]!r}"
        )
    factors = [class_weight.get(label, 1.0) for label in classes]
    for label, factor in zip(classes, factors):
        number_from(factor, f"class_weight of {label!r}")
    return float(factors[0]), float(factors[1])
