"""Rows that are held out in turn, as scikit-learn's splitters say."""

from __future__ import annotations

import numbers
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold, check_cv

from ooa.checks import whole_number
from ooa.data.table import Table
from ooa.errors import OptionError
from ooa.explore.held_out import Split

__all__ = ["dealt_into", "folds_of", "splits_of"]

#: So many rows numpy deals out as a whole; more are dealt out one by one.
_MOST_DEALT = 10**9


def splits_of(table: Table, cv: Any, groups: Any, seed: int) -> list[Split]:
    """The folds, as numbers of rows; a mere number of folds shuffles them, as tables often come sorted."""
    try:
        if isinstance(cv, numbers.Integral):
            cv = StratifiedKFold(whole_number(cv, "cv", least=2), shuffle=True, random_state=seed)
        splitter = check_cv(cv, table.y, classifier=True)
        splits = list(splitter.split(np.zeros((table.n_rows, 1)), table.y, groups))
        if not splits:
            raise OptionError("cv has no splits: a number of folds, a splitter or a list of splits is needed")
    except OptionError:
        raise
    except (ValueError, TypeError) as error:
        raise OptionError(f"cv must split the {table.n_rows} rows; {cv!r:.60} does not: {error}") from None
    return splits


def folds_of(table: Table, cv: Any, groups: Any, seed: int) -> tuple[Table, list[Split]]:
    """The folds of a table, and the table that they are of: merged rows are dealt out among them.

    What an engine merged are rows that agree in everything that is learned from, so a random split of them is
    a split of their numbers, and no further look at the rows is needed.
    """
    if isinstance(cv, str) and table.copies is None:
        raise OptionError("names a column, which is for rows that are not in memory", option="cv", value=cv)
    if table.copies is None:
        return table, splits_of(table, cv, groups, seed)
    if isinstance(cv, str) and groups is not None:  # the fold of each row, by that column
        held = [np.flatnonzero(groups == number) for number in range(int(groups.max()) + 1)]
        return table, [(np.flatnonzero(groups != number), rows) for number, rows in enumerate(held)]
    if groups is not None or not isinstance(cv, numbers.Integral):
        raise OptionError("cv must be a number of folds, or a column, where rows were merged by an engine")
    dealt, fold = dealt_into(table, whole_number(cv, "cv", least=2), seed)
    held = [np.flatnonzero(fold == number) for number in range(int(cv))]
    return dealt, [(np.flatnonzero(fold != number), rows) for number, rows in enumerate(held)]


def dealt_into(table: Table, number: int, seed: int) -> tuple[Table, NDArray[np.intp]]:
    """Merged rows dealt out at random into folds with as many of each class, and the fold of each.

    Examples
    --------
    >>> table = Table.of_columns((), (), np.array([True, False]), np.array([4.0, 6.0]), labels=(0, 1),
    ...                          target="y", copies=np.array([4, 6]))
    >>> dealt, fold = dealt_into(table, 2, seed=0)
    >>> dealt.copies.tolist(), dealt.y.tolist(), fold.tolist()
    ([2, 3, 2, 3], [True, False, True, False], [0, 0, 1, 1])
    """
    assert table.copies is not None
    random, left = np.random.default_rng(seed), table.copies.copy()
    taken = []
    for fold in range(number - 1):
        part = np.zeros_like(left)
        for of_class in (table.y, ~table.y):
            part[of_class] = _drawn(random, left[of_class], number - fold)
        taken.append(part)
        left -= part
    taken.append(left)
    rows = [np.flatnonzero(part) for part in taken]
    chosen = np.concatenate(rows)
    copies = np.concatenate([part[some] for part, some in zip(taken, rows)])
    dealt = table.subset(chosen)
    share = copies / table.copies[chosen]
    scaled = {name: getattr(dealt, name) * share for name in ("positive", "negative", "weight")}
    fold_of = np.repeat(np.arange(number), [len(some) for some in rows])
    return replace(dealt, copies=copies, **scaled), fold_of


def _drawn(random: np.random.Generator, left: NDArray[np.int64], parts: int) -> NDArray[np.int64]:
    """One part of so many of the rows that are left, drawn without putting back."""
    total = int(left.sum())
    if total >= _MOST_DEALT:
        return random.binomial(left, 1 / parts)
    return random.multivariate_hypergeometric(left, total // parts, method="marginals")
