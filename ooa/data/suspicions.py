"""Columns that look as if something else was meant: IDs, dates as text, the label in disguise and others.

What is found are facts; `ooa.data.advice` says what can be done about them, in the words of an interface.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from ooa.checks import instance, listed_items
from ooa.clock import NEVER, Deadline

from .columns import Column
from .table import Table
from .text_forms import date_form, number_form, sign_form, spellings

__all__ = ["Doubt", "Suspicion", "inspect_table"]

#: Rows of the rarer label that there must be before a column can be called the label in disguise, the share
#: of all rows that it may get wrong, and of those of the rarer label.
FEWEST, WRONG, WRONG_OF_RARER = 10, 0.02, 1 / 3
#: Rows that a category must have on average to tell anything of the label.
ROWS_EACH = 10
#: So many rows, and all of them different, are IDs; so many categories are too many to learn from one by one.
ALL_DIFFERENT, MANY = 20, 100
#: The share of rows with a value of their own from which on many categories are IDs, too.
NEARLY_ALL = 0.9

_CALLED_ID = re.compile(
    r"(?i:(?:^|[\W_])(?:ids?|nr|no|key|uuid|index)$|^id(?=[\W_]))|(?<=[a-z])ID$",
)
_CODE = re.compile(r"0\d+", re.ASCII)
#: Numbers that often stand for no number: beyond all others, or the only one below 0.
_NONE = re.compile(r"-?(?:99+|88+|77+)", re.ASCII)
_BELOW = re.compile(r"-(?:1|9)", re.ASCII)
#: In how many rows such a number must stand.
REPEATED = 2


class Doubt(str, Enum):
    """What is odd about a column; what matters most comes first."""

    DISGUISE = "the label in disguise"
    DECIMALS = "numbers with another decimal mark"
    DATES = "dates as text"
    NUMBERS = "numbers as text"
    SIGNS = "numbers with a sign"
    SENTINEL = "a number that may mean missing"
    UNIQUE = "different in every row"
    MANY = "many categories"
    CODES = "numbers with leading zeros"
    SPELLINGS = "nearly equal categories"
    CONSTANT = "the same in every row"


@dataclass(frozen=True)
class Suspicion:
    """One column, and what is odd about it; print it to read it.

    Attributes
    ----------
    column : str
    doubt : Doubt
    count : int
        Of the label in disguise: the rows it gets wrong. Of categories: how many there are. Of a number that
        may mean missing: in how many rows it stands.
    texts : tuple of str
        What makes it odd, as an example. Of a number that may mean missing: least and largest of the others.
    others : tuple of str
        Of numbers, with a sign or without, and of dates as text: the texts that are none, the most frequent
        first. Or the number that may mean missing.
    how : tuple of str
        Of dates: how they can be read, as "day-first", "month-first" or a format of `strptime`, several if
        these are possible. Of numbers: the decimal mark, both if these are possible.
    alike : tuple of tuples of str
        Of nearly equal categories: those that may be one, the most frequent first.
    """

    column: str
    doubt: Doubt
    count: int = 0
    texts: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    how: tuple[str, ...] = ()
    alike: tuple[tuple[str, ...], ...] = ()

    def __str__(self) -> str:
        from .advice import PYTHON

        return PYTHON.sentence(self)


def inspect_table(
    table: Table, settled: Collection[str] = (), deadline: Deadline = NEVER
) -> tuple[Suspicion, ...]:
    """Find the columns to look at before anything is learned from them, each at most once.

    Parameters
    ----------
    table : Table
    settled : names of columns of which it was said what they are, so that their form raises no doubt
    deadline : after which no further column is looked at

    Returns
    -------
    tuple of Suspicion
        What matters most comes first. Printed, each says what is odd and what can be done.

    Examples
    --------
    >>> X = {"id": [f"p{i}" for i in range(40)], "dose": ["1,5", "2,25"] * 20, "site": ["north"] * 40}
    >>> for suspicion in inspect_table(Table.from_any(X, [0, 0, 0, 1] * 10)):
    ...     print(suspicion)
    Column 'dose' holds numbers as text, such as '1,5': read the data with decimal=','
    Column 'id' has another value in every row, as IDs have: leave it out
    Column 'site' has the same value in every row and so tells nothing: leave it out
    """
    instance(table, "table", Table, "an ooa.Table, as Table.from_any makes it")
    listed_items(settled, "settled", object, "names of columns")
    instance(deadline, "deadline", Deadline, "a Deadline")
    order = list(Doubt)
    looked_at = takewhile(lambda column: not deadline.passed(), table.columns)
    found = (_disguise(column, table.y) or _odd(column, column.name in settled) for column in looked_at)
    return tuple(sorted(filter(None, found), key=lambda one: order.index(one.doubt)))


def _odd(column: Column, settled: bool) -> Suspicion | None:
    """What is odd about a column, whatever the labels are."""
    present = column.values[~column.missing]
    distinct, counts = np.unique(present, return_counts=True)
    if len(distinct) <= 1:
        return Suspicion(column.name, Doubt.CONSTANT)
    if column.levels:
        return None
    if column.kind == "numeric":
        if _are_ids(column, present, len(distinct)):
            return Suspicion(column.name, Doubt.UNIQUE)
        return None if column.time else _sentinel(column.name, distinct, counts)
    values = [column.categories[code] for code in distinct]
    texts = {value: int(n) for value, n in zip(values, counts) if isinstance(value, str)}
    written = None if settled or not texts else _written(column.name, texts)
    if written is not None:
        return written
    if _all_differ(len(distinct), len(present)):
        return Suspicion(column.name, Doubt.UNIQUE)
    if len(distinct) >= MANY:
        return Suspicion(column.name, Doubt.MANY, count=len(distinct))
    alike = spellings(texts)
    return Suspicion(column.name, Doubt.SPELLINGS, alike=tuple(alike)) if alike else None


def _written(name: str, texts: dict[str, int]) -> Suspicion | None:
    """Whether texts are numbers, with a sign or without, dates or codes."""
    dates, numbers = date_form(texts), number_form(texts)
    if dates is not None:
        return Suspicion(name, Doubt.DATES, texts=(dates.example,), others=dates.others, how=dates.how)
    signed = sign_form(texts)
    if signed is not None:
        return Suspicion(name, Doubt.SIGNS, texts=(signed.example,), others=signed.others)
    codes = [text for text in texts if _CODE.fullmatch(text.strip())]
    if numbers is None or (codes and _all_differ(len(texts), sum(texts.values()))):
        return None
    if codes:
        return (
            Suspicion(name, Doubt.CODES, count=len(texts), texts=(codes[0],)) if len(texts) < MANY else None
        )
    kind = Doubt.DECIMALS if numbers.how else Doubt.NUMBERS
    return Suspicion(name, kind, texts=(numbers.example,), others=numbers.others, how=numbers.how)


def _sentinel(name: str, values: NDArray[np.float64], counts: NDArray[np.int64]) -> Suspicion | None:
    """Whether the least or the largest number, such as -1 or 999, is one that means missing.

    That is one that stands in several rows, and farther from the others than these are from each other; or
    the only one below 0.
    """
    for at, rest in ((len(values) - 1, values[:-1]), (0, values[1:])):
        text = f"{values[at]:.15g}"
        if len(rest) < 2 or counts[at] < REPEATED:
            continue
        far = min(abs(values[at] - rest[0]), abs(values[at] - rest[-1])) > np.ptp(rest)
        below = values[at] < 0 <= rest[0] and _BELOW.fullmatch(text)
        if below or (far and _NONE.fullmatch(text)):
            others = f"{rest[0]:.6g}", f"{rest[-1]:.6g}"
            return Suspicion(name, Doubt.SENTINEL, count=int(counts[at]), texts=others, others=(text,))
    return None


def _all_differ(distinct: int, rows: int) -> bool:
    """Whether texts are IDs: each row has one of its own, or of many rows nearly each."""
    return distinct == rows >= ALL_DIFFERENT or (distinct >= MANY and distinct >= NEARLY_ALL * rows)


def _are_ids(column: Column, present: NDArray[np.float64], distinct: int) -> bool:
    """Whether numbers are IDs: whole, all different, and either called so or counted up (or down) by rows."""
    if column.time or distinct < max(len(present), ALL_DIFFERENT) or not np.all(present == np.floor(present)):
        return False
    steps = np.diff(present)
    counted = bool((steps > 0).all() or (steps < 0).all()) and bool(np.ptp(present) < 2 * len(present))
    return counted or _CALLED_ID.search(column.name) is not None


def _disguise(column: Column, y: NDArray[np.bool_]) -> Suspicion | None:
    """Whether a column alone tells the label of (nearly) all rows; a missing value may tell it, too."""
    rarer = int(min(y.sum(), (~y).sum()))
    if rarer < FEWEST:
        return None
    errors = _errors_of_numbers(column, y) if column.kind == "numeric" else _errors_of_categories(column, y)
    if errors is None or errors > min(WRONG * len(y), WRONG_OF_RARER * rarer):
        return None
    return Suspicion(column.name, Doubt.DISGUISE, count=errors)


def _errors_of_categories(column: Column, y: NDArray[np.bool_]) -> int | None:
    """The fewest errors if every category gets a label; None if they are too many for that to mean much."""
    size = len(column.categories) + 1  # missing is a category here
    positives, negatives = (np.bincount(column.values[label] + 1, minlength=size) for label in (y, ~y))
    if np.count_nonzero(positives + negatives) * ROWS_EACH > len(y):
        return None
    return int(np.minimum(positives, negatives).sum())


def _errors_of_numbers(column: Column, y: NDArray[np.bool_]) -> int:
    """The fewest errors of one cut, with either side positive and missing values on either side."""
    missing = column.missing
    values, place = np.unique(column.values[~missing], return_inverse=True)
    known = y[~missing]
    positives, negatives = (
        np.append(0, np.cumsum(np.bincount(place[label], minlength=len(values)))) for label in (known, ~known)
    )
    errors = positives + negatives[-1] - negatives  # at each cut, if what is above it is positive
    aside = int(min((y & missing).sum(), (~y & missing).sum()))
    return int(min(errors.min(), (len(known) - errors).min())) + aside
