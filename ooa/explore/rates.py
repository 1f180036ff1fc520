"""What rule sets do with the rows of each class, and how that spreads over folds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ooa.data.table import Table
from ooa.objective import exact_sum
from ooa.rules.ruleset import RuleSet

__all__ = ["Rates", "held_out_columns", "mean_over_folds", "rates_of", "standard_error"]

Floats = NDArray[np.float64]


class Rates(NamedTuple):
    """The weight of the positives found and of all, of the negatives taken for positive and of all."""

    found: Fraction
    positives: Fraction
    alarms: Fraction
    negatives: Fraction

    @property
    def accuracy(self) -> float:
        """The share of the rows that is classified right; not a number if there are none."""
        total = self.positives + self.negatives
        return float((self.found + self.negatives - self.alarms) / total) if total else math.nan

    @property
    def sensitivity(self) -> float:
        """The share of the positives that is found; not a number if there are none."""
        return float(self.found / self.positives) if self.positives else math.nan

    @property
    def specificity(self) -> float:
        """The share of the negatives that is left alone; not a number if there are none."""
        return float(1 - self.alarms / self.negatives) if self.negatives else math.nan


def rates_of(rules: RuleSet, table: Table) -> Rates:
    """What a rule set does with the rows of a table.

    Examples
    --------
    >>> table = Table.from_any({"x": [1, 2, 3, 4]}, [0, 0, 1, 1])
    >>> rates = rates_of(RuleSet.parse("x >= 2"), table)
    >>> rates.accuracy, rates.sensitivity, rates.specificity
    (0.75, 1.0, 0.5)
    """
    fires: NDArray[np.bool_] = np.asarray(rules.covers(table.as_frame()).any(axis=1))
    sums = (table.positive[fires], table.positive, table.negative[fires], table.negative)
    return Rates(*map(exact_sum, sums))


def mean_over_folds(values: Floats) -> Floats:
    """The mean of each column over the folds that have a value; not a number where none has.

    Examples
    --------
    >>> mean_over_folds(np.array([[0.5, np.nan, np.nan], [1.0, 1.0, np.nan]])).tolist()
    [0.75, 1.0, nan]
    """
    known = np.isfinite(values)
    some: Floats = known.sum(axis=0).astype(np.float64)
    sums: Floats = np.where(known, values, 0.0).sum(axis=0)
    mean: Floats = np.divide(sums, some, out=np.full(len(some), np.nan), where=some > 0)
    return mean


def standard_error(values: Floats) -> Floats:
    """The standard error of each of these means; 0 where one fold alone has a value.

    Examples
    --------
    >>> standard_error(np.array([[0.5, np.nan, np.nan], [1.0, 1.0, np.nan]])).tolist()
    [0.25, 0.0, nan]
    """
    known = np.isfinite(values)
    some: Floats = known.sum(axis=0).astype(np.float64)
    squares: Floats = np.where(known, (values - mean_over_folds(values)) ** 2, 0.0).sum(axis=0)
    error: Floats = np.sqrt(squares / np.maximum(some - 1, 1) / np.maximum(some, 1))
    return np.where(some > 0, error, np.nan)


def held_out_columns(folds: Sequence[Sequence[Rates]]) -> dict[str, Floats]:
    """Mean and standard error over the folds of what is right on rows held out: a value for every rule set.

    Parameters
    ----------
    folds : for every fold, the rates of the rule sets on the rows held out

    Examples
    --------
    >>> one, other = (Rates(Fraction(k), Fraction(4), Fraction(1), Fraction(4)) for k in (2, 4))
    >>> columns = held_out_columns([[one], [other]])
    >>> [f"{name} {value[0]:.3g}" for name, value in columns.items()][:4]
    ['cv_accuracy 0.75', 'cv_accuracy_se 0.125', 'cv_sensitivity 0.75', 'cv_sensitivity_se 0.25']
    """
    columns = {}
    for name in ("accuracy", "sensitivity", "specificity"):
        values = np.array([[getattr(rates, name) for rates in fold] for fold in folds], dtype=np.float64)
        columns[f"cv_{name}"] = mean_over_folds(values)
        columns[f"cv_{name}_se"] = standard_error(values)
    return columns
