"""How well the rule set of each price does on rows that it was not learned from.

In every fold the rule sets of all prices are learned in one go, as `path` does: patterns are mined once, each
fit starts from the best that is known, and what lies on a chord is not solved again. A fit ends where no
better rule set is in sight: nobody asks for proofs here. Nothing is handed on from the whole table to a fold:
that would tell it about the rows held out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ooa.data.table import Table
from ooa.learning.settings import FitSettings
from ooa.objective import Objective

from .held_out import Split, in_folds
from .price_grid import path_on
from .rates import Rates, mean_over_folds, rates_of, standard_error

__all__ = ["CrossValidated", "cross_validate"]


@dataclass(frozen=True, eq=False)
class CrossValidated:
    """What rule sets of each price do on rows held out.

    Attributes
    ----------
    prices : tuple of Objective
        From dear to cheap.
    scores : ndarray of float64, shape (folds, prices)
        The share of the weight held out that is classified right.
    literals, patterns : ndarray of float64, shape (folds, prices)
        The size of the rule set.
    objectives : ndarray of float64, shape (folds, prices)
        Its L on the rows that it was learned from.
    rates : sequence of sequence of Rates, folds by prices
        What it does with the rows of each class that are held out.
    whole : bool
        Whether these are all folds, none of them cut short: Ctrl-C ends them.

    Examples
    --------
    >>> prices = tuple(Objective.of(C, C) for C in (0.1, 0.01, 0.001))
    >>> scores = np.array([[0.70, 0.84, 0.86], [0.70, 0.80, 0.80]])
    >>> found = CrossValidated(prices, scores, *np.ones((3, 2, 3)))
    >>> found.mean.round(2).tolist(), found.error.round(2).tolist()
    ([0.7, 0.82, 0.83], [0.0, 0.02, 0.03])
    >>> found.best(one_standard_error=True), found.best(one_standard_error=False)
    (1, 2)
    """

    prices: tuple[Objective, ...]
    scores: NDArray[np.float64]
    literals: NDArray[np.float64]
    patterns: NDArray[np.float64]
    objectives: NDArray[np.float64]
    rates: Sequence[Sequence[Rates]] = ()
    whole: bool = True

    @property
    def mean(self) -> NDArray[np.float64]:
        """The mean score of each price."""
        return mean_over_folds(self.scores)

    @property
    def error(self) -> NDArray[np.float64]:
        """The standard error of each mean; 0 if there is one fold only."""
        return standard_error(self.scores)

    def best(self, one_standard_error: bool) -> int:
        """The number of the price to take: of equally good ones, the highest.

        With `one_standard_error` all are equally good that are not below the best by more than its error.
        """
        top = int(np.argmax(self.mean))
        enough = self.mean[top] - (self.error[top] if one_standard_error else 0.0)
        return int(np.argmax(self.mean >= enough - 1e-12))

    def as_dict(self) -> dict[str, Any]:
        """What `cv_results_` is elsewhere in scikit-learn, with the standard errors and the sizes."""
        numbers = [float(point.C1) for point in self.prices]
        rank = np.array([1 + (self.mean > one + 1e-12).sum() for one in self.mean])
        return {
            "param_C": np.array(numbers),
            "params": [{"C": number} for number in numbers],
            **{f"split{k}_test_score": scores for k, scores in enumerate(self.scores)},
            "mean_test_score": self.mean,
            "std_test_score": self.scores.std(axis=0),
            "se_test_score": self.error,
            "rank_test_score": rank,
            "mean_literals": self.literals.mean(axis=0),
            "mean_patterns": self.patterns.mean(axis=0),
            "mean_objective": self.objectives.mean(axis=0),
        }


def cross_validate(
    table: Table,
    splits: Sequence[Split],
    prices: Sequence[Objective],
    settings: FitSettings,
    *,
    jobs: int | None = None,
    tell: Callable[[str], None] = lambda words: None,
) -> CrossValidated:
    """Learn the rule sets of all prices in every fold, and count on the rows held out.

    Parameters
    ----------
    table : all rows, as they were given
    splits : the folds
    prices : from dear to cheap
    settings : what every fit is told; its time limit is for all folds together
    jobs : folds at a time, as joblib counts them
    tell : is told how far it is
    """
    found, whole = in_folds(table, splits, partial(_fold, prices=prices), settings, jobs=jobs, tell=tell)
    scores = np.array([[rates.accuracy for rates, *_ in fold] for fold in found])
    sizes = np.array([[size for _, *size in fold] for fold in found], dtype=np.float64)
    rates = [[rates for rates, *_ in fold] for fold in found]
    literals, patterns, objectives = np.moveaxis(sizes, 2, 0)
    return CrossValidated(tuple(prices), scores, literals, patterns, objectives, rates, whole)


def _fold(
    train: Table, test: Table, settings: FitSettings, prices: Sequence[Objective]
) -> tuple[list[tuple[Rates, float, float, float]], bool]:
    """Rates, size and L of the rule set of each price, learned from some rows and tried on others."""
    frame = path_on(train, list(prices), settings)
    found: list[tuple[Rates, float, float, float]] = [
        (rates_of(rules, test), rules.n_literals, len(rules), objective)
        for rules, objective in zip(frame.rule_sets, frame["objective"])
    ]
    return found, frame.interrupted
