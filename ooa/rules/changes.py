"""Values of columns as constraints name them: bounds, categories, and columns with values changed."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from ooa.checks import few_of
from ooa.data.columns import Column
from ooa.errors import OptionError, RuleError
from ooa.objective import exact

from .levels import rank_in
from .values import check_category

__all__ = ["bound_on", "category_code", "changed_column", "signed"]


def category_code(column: Column, category: Any) -> int:
    """The position of a category, or of a level of ordered ones; any that is written so will do.

    Examples
    --------
    >>> colour = Column("colour", "categorical", np.array([1, 0]), ("blue", "red"))
    >>> category_code(colour, "red")
    1
    >>> category_code(colour, "green")
    Traceback (most recent call last):
        ...
    ooa.errors.OptionError: 'green' is not a category of 'colour': 'blue', 'red'
    """
    if not column.names:
        raise OptionError(f"{column.name!r} is numeric, where a categorical column is needed")
    try:
        code = rank_in(column.names, check_category("a category", category))
    except RuleError:
        code = -1
    if code < 0:
        code = next((i for i, one in enumerate(column.names) if str(one) == str(category)), -1)
    if code < 0:
        known = few_of(map(repr, column.names))
        raise OptionError(f"{category!r:.200} is not a category of {column.name!r}: {known}")
    return code


def bound_on(column: Column, value: Any) -> float:
    """A bound on a numeric column as a number: of ordered categories, the rank of the level.

    Examples
    --------
    >>> bound_on(Column("age", "numeric", np.array([19.0])), "60")
    60.0
    """
    if column.levels:
        return float(category_code(column, value))
    if column.time:
        raise OptionError(f"{column.name!r} is a time, where a numeric column is needed")
    return float(signed(value, f"a bound on {column.name!r}"))


def changed_column(column: Column, change: Any) -> Column:
    """A column after a change: a number added, or a category in place of all; missing values stay.

    Numbers are added as the decimals they look like.

    Examples
    --------
    >>> changed_column(Column("dose", "numeric", np.array([0.7, np.nan])), 0.1).values.tolist()
    [0.8, nan]
    >>> colour = Column("colour", "categorical", np.array([1, -1], np.int32), ("blue", "red"))
    >>> changed_column(colour, "blue").values.tolist()
    [0, -1]
    """
    if column.names:
        code = category_code(column, change)
        return replace(
            column, values=np.where(column.missing, column.values, code).astype(column.values.dtype)
        )
    if column.time:
        raise OptionError(f"{column.name!r} is a time, and times cannot be changed here")
    step = signed(change, f"the change of {column.name!r}")
    present = ~column.missing
    distinct, place = np.unique(column.values[present], return_inverse=True)
    moved = np.array([float(Fraction(repr(value)) + step) for value in distinct.tolist()])
    values = column.values.copy()
    values[present] = moved[place.reshape(-1)]
    return replace(column, values=values)


def signed(value: Any, name: str) -> Fraction:
    """The number a user typed, of either sign, as the decimal it looks like.

    Examples
    --------
    >>> signed(-0.1, "change"), signed("5", "change")
    (Fraction(-1, 10), Fraction(5, 1))
    """
    text = str(value).strip()
    try:
        if isinstance(value, str):
            return -exact(text[1:], name) if text.startswith("-") else exact(text, name)
        return -exact(-value, name) if text.startswith("-") else exact(value, name)
    except (OptionError, TypeError):
        raise OptionError(f"{name} must be a number, not {value!r:.200}") from None
