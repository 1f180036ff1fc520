"""How well the rule set of each price does on rows that it was not learned from.

In every fold the rule sets of all prices are learned in one go, as `path` does: patterns are mined once, each
fit starts from the best that is known, and what lies on a chord is not solved again. A fit ends where no
better rule set is in sight: nobody asks for proofs here. Nothing is handed on from the whole table to a fold:
that would tell it about the rows held out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from numpy.typing import NDArray

from ooa.data.table import Table
from ooa.errors import DataError, OptionError
from ooa.learning.certificate import count
from ooa.learning.settings import FitSettings, OOAxSettings
from ooa.objective import Objective

from .price_path import path

__all__ = ["CrossValidated", "Split", "cross_validate", "in_folds"]

_T = TypeVar("_T")

#: The numbers of the rows to learn from, and of those held out.
Split = tuple[NDArray[np.intp], NDArray[np.intp]]


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

    @property
    def mean(self) -> NDArray[np.float64]:
        """The mean score of each price."""
        mean: NDArray[np.float64] = self.scores.mean(axis=0)
        return mean

    @property
    def error(self) -> NDArray[np.float64]:
        """The standard error of each mean; 0 if there is one fold only."""
        folds = len(self.scores)
        if folds < 2:
            return np.zeros(len(self.prices))
        error: NDArray[np.float64] = self.scores.std(axis=0, ddof=1) / math.sqrt(folds)
        return error

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
    settings: OOAxSettings,
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
    task = partial(_fold, prices=prices)
    scores = in_folds(table, splits, task, settings, jobs=jobs, tell=tell)
    return CrossValidated(tuple(prices), *np.moveaxis(np.array(scores), 2, 0))


def in_folds(
    table: Table,
    splits: Sequence[Split],
    task: Callable[[Table, Table, FitSettings], _T],
    settings: FitSettings,
    *,
    jobs: int | None = None,
    tell: Callable[[str], None] = lambda words: None,
) -> list[_T]:
    """What a task finds in every fold, given the rows to learn from, those held out, and the settings.

    Parameters
    ----------
    table : all rows, as they were given
    splits : the folds
    task : is handed to other processes where there are several jobs
    settings : what every fit is told; its time limit is for all folds together
    jobs : folds at a time, as joblib counts them
    tell : is told how far it is
    """
    told = replace(settings, policy=settings.policy.in_a_fold())
    if told.seconds is not None:  # and less where nothing better is in sight, whoever set the limit
        rounds = math.ceil(len(splits) / effective_n_jobs(jobs))
        told = replace(told, time_limit="auto").within(told.seconds / rounds)
    tasks = (
        delayed(_in_fold)(task, _part(table, train, told), table.subset(test), told) for train, test in splits
    )
    results = []
    for done, found in enumerate(_parallel(jobs)(tasks), 1):
        results.append(found)
        tell(f"cross-validation: {done} of {len(splits)} folds")
    return results


def _parallel(jobs: int | None) -> Any:
    """One by one as they are done; but clusters such as Spark hand over all at the end."""
    try:
        return Parallel(n_jobs=jobs, return_as="generator")
    except ValueError:
        return Parallel(n_jobs=jobs)


def _part(table: Table, rows: NDArray[np.intp], settings: FitSettings) -> Table:
    """The rows to learn from, in the order in which a fit would have them."""
    part = table.subset(rows)
    return part if settings.constraints else part.ordered()


def _in_fold(
    task: Callable[[Table, Table, FitSettings], _T], train: Table, test: Table, settings: FitSettings
) -> _T:
    """What a task finds in one fold, or why it cannot be done there."""
    if not test.weight.sum() > 0:
        raise DataError("The rows held out in a fold weigh nothing: no score can be counted on them")
    try:
        return task(train, test, settings)
    except OptionError as error:
        if not settings.constraints:
            raise
        raise OptionError(f"The constraints must make sense for the rows of a fold alone: {error}") from None


def _fold(
    train: Table, test: Table, settings: FitSettings, prices: Sequence[Objective]
) -> list[tuple[float, float, float, float]]:
    """Score, size and L of the rule set of each price, learned from some rows and tried on others."""
    frame = path(train, [(point.C1, point.C2) for point in prices], settings=settings)
    found = [count(rules, test, point) for rules, point in zip(frame.rule_sets, prices)]
    return [
        (float(1 - one.errors / one.total), one.literals, one.patterns, objective)
        for one, objective in zip(found, frame["objective"])
    ]
