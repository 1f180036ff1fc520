"""Rows that are held out in turn, as scikit-learn's splitters say."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold, check_cv

from ooa.checks import whole_number
from ooa.data.table import Table
from ooa.errors import OptionError
from ooa.explore.cross_validation import Split

__all__ = ["splits_of"]


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
        raise OptionError(f"cv={cv!r:.60} does not split the {table.n_rows} rows: {error}") from None
    return splits
