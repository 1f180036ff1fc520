"""Rows held out in turn: what a task finds in every fold, side by side if asked for."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from numpy.typing import NDArray

from ooa.checks import listed_items
from ooa.data.table import Table
from ooa.errors import DataError, OptionError
from ooa.learning.settings import FitSettings

__all__ = ["INTERRUPTED", "Split", "in_folds", "read_splits"]

_T = TypeVar("_T")

#: The numbers of the rows to learn from, and of those held out.
Split = tuple[NDArray[np.intp], NDArray[np.intp]]
#: What is said where columns of rows held out would have been.
INTERRUPTED = "Ctrl-C came before all folds were through: columns about rows held out are left out"


def read_splits(given: Any, rows: int) -> list[Split]:
    """Folds as they were given, checked."""
    return [_read_split(one, rows) for one in listed_items(given, "splits", object, "folds")]


def _read_split(given: Any, rows: int) -> Split:
    """The numbers of the rows to learn from and of those held out."""
    try:
        train, test = (np.asarray(part) for part in given)
        whole = all(part.ndim == 1 and part.dtype.kind in "iu" for part in (train, test))
        if whole and all(((part >= 0) & (part < rows)).all() for part in (train, test)):
            return train.astype(np.intp), test.astype(np.intp)
    except (TypeError, ValueError):
        pass
    raise OptionError(
        f"splits must hold pairs of arrays with numbers of rows below {rows}, not {given!r:.60}"
    )


def in_folds(
    table: Table,
    splits: Sequence[Split],
    task: Callable[[Table, Table, FitSettings], tuple[_T, bool]],
    settings: FitSettings,
    *,
    jobs: int | None = None,
    tell: Callable[[str], None] = lambda words: None,
) -> tuple[list[_T], bool]:
    """What a task finds in every fold, given the rows to learn from, those held out, and the settings.

    And whether that is all: Ctrl-C ends the folds. What the fold in which it was pressed has found counts
    only if it is the first.

    Parameters
    ----------
    table : all rows, as they were given
    splits : the folds
    task : says, too, whether Ctrl-C cut it short; handed to other processes where there are several jobs
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
    results: list[_T] = []
    try:
        for found, stopped in _parallel(jobs)(tasks):
            if stopped:
                return results or [found], False
            results.append(found)
            tell(f"cross-validation: {len(results)} of {len(splits)} folds")
    except KeyboardInterrupt:
        if not results:
            raise
        return results, False
    return results, True


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
    task: Callable[[Table, Table, FitSettings], tuple[_T, bool]],
    train: Table,
    test: Table,
    settings: FitSettings,
) -> tuple[_T, bool]:
    """What a task finds in one fold, or why it cannot be done there."""
    if not test.weight.sum() > 0:
        raise DataError("The rows held out in a fold weigh nothing: no score can be counted on them")
    try:
        return task(train, test, settings)
    except OptionError as error:
        if not settings.constraints:
            raise
        raise OptionError(f"The constraints must make sense for the rows of a fold alone: {error}") from None
