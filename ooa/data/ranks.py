"""Ordered categories as numbers: a column of ranks that remembers what its levels are called.

So whatever cuts numbers cuts levels, too, and only those who write a bound need to know what it is called.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ooa.errors import DataError

from .columns import Category, Column, canonical_value
from .frames import Frame
from .rows import Attribute

__all__ = ["as_trained_on", "ordered_levels", "ranked"]


def ordered_levels(native: Any) -> tuple[Category, ...]:
    """The levels of a pandas column that says they are ordered, least first; nothing if it does not.

    Whoever makes an Enum in polars need not mean an order, so that those are categories as others.

    Examples
    --------
    >>> import pandas as pd
    >>> ordered_levels(pd.Series(pd.Categorical(["b"], ["b", "a"], ordered=True)))
    ('b', 'a')
    >>> ordered_levels(pd.Series(pd.Categorical(["b"], ["b", "a"])))
    ()
    """
    dtype: Any = getattr(native, "dtype", None)
    if not getattr(dtype, "ordered", False) or not hasattr(dtype, "categories"):
        return ()
    try:
        return tuple(canonical_value(value) for value in dtype.categories)
    except DataError:  # intervals, dates and the like: no names to compare with
        return ()


def ranked(column: Column, levels: Sequence[Category]) -> Column:
    """Return a categorical column as one of ranks; categories that are no levels come after them all.

    Examples
    --------
    >>> column = ranked(Column("size", "categorical", np.array([0, 1, -1, 2]), ("L", "S", "XXL")), ("S", "L"))
    >>> column.values.tolist(), column.levels
    ([1.0, 0.0, nan, 2.0], ('S', 'L', 'XXL'))
    """
    every = (*levels, *(category for category in column.categories if category not in levels))
    rank = np.array([*(every.index(category) for category in column.categories), np.nan])
    return replace(column, kind="numeric", values=rank[column.values], categories=(), levels=every)


def as_trained_on(frame: Frame, name: str, attribute: Attribute) -> Column:
    """Return a column of other data as it was in training: of the same kind, its levels in the same order.

    Examples
    --------
    >>> from ooa.data.frames import open_frame
    >>> grade = Attribute("grade", "numeric", levels=("low", "high"))
    >>> as_trained_on(open_frame({"grade": ["high", "low"]}), "grade", grade).values.tolist()
    [1.0, 0.0]
    """
    if attribute.levels:
        return ranked(frame.column(name, "categorical"), attribute.levels)
    return frame.column(name, attribute.kind)
