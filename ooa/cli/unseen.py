"""Values that a model does not know, in the columns of its rules: a new file may spell them otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from ooa.data.columns import Category
from ooa.data.frames import open_frame
from ooa.data.text_forms import spellings
from ooa.rules.levels import LevelRange
from ooa.rules.literal import Equal, NotEqual, OneOf
from ooa.rules.ruleset import RuleSet

from .output import note

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Unseen", "compared_with", "show_unseen", "unseen_values"]

#: Values of a column that are named; `--json` has them all.
NAMED = 5
#: How much more frequent a known value is taken to be than a new one: what is known is no slip of the pen.
_OFTEN = 1000


@dataclass(frozen=True)
class Unseen:
    """A value that the model does not know.

    Attributes
    ----------
    column, value : where, and what
    rows : how many rows have it
    near : the value that may be meant, if one is nearly equal
    """

    column: str
    value: Category
    rows: int
    near: Category | None = None

    def __str__(self) -> str:
        rows = f"{self.rows:,} row{'s' if self.rows != 1 else ''}"
        meant = "" if self.near is None else f"; did you mean {self.near!r}?"
        return f"{self.value!r} ({rows}{meant})"


def compared_with(rules: RuleSet) -> dict[str, set[Category]]:
    """The categories that rules compare columns with, by column."""
    found: dict[str, set[Category]] = {}
    for literal in (literal for pattern in rules for literal in pattern):
        match literal:
            case Equal() | NotEqual():
                found.setdefault(literal.attribute, set()).add(literal.value)
            case OneOf():
                found.setdefault(literal.attribute, set()).update(literal.values)
            case LevelRange():
                found.setdefault(literal.attribute, set()).update(literal.levels)
    return found


def unseen_values(
    rules: RuleSet, frame: pd.DataFrame, known: Mapping[str, Iterable[Category]]
) -> list[Unseen]:
    """The values that a model does not know; those that are nearly known ones first, then the frequent ones.

    Parameters
    ----------
    rules, frame : what is applied to what
    known : the values that there were in training, by column; of other columns no more is known than what
        the rules compare with, and so only what is nearly that is found

    Examples
    --------
    >>> import pandas as pd
    >>> rules = RuleSet.parse("smokes = yes -> sick = 1 ELSE 0")
    >>> new = pd.DataFrame({"smokes": ["YES", "no", "no"]})
    >>> print(*unseen_values(rules, new, {}))
    'YES' (1 row; did you mean 'yes'?)
    >>> print(*unseen_values(rules, new, {"smokes": ["yes"]}))
    'YES' (1 row; did you mean 'yes'?) 'no' (2 rows)
    """
    found: list[Unseen] = []
    ordered = {
        literal.attribute for pattern in rules for literal in pattern if isinstance(literal, LevelRange)
    }
    for name, asked in compared_with(rules).items():
        if name not in frame.columns:
            continue  # the rules themselves will say so
        column = open_frame(frame).column(name, kind="categorical")
        counts = np.bincount(column.values[~column.missing], minlength=len(column.categories))
        seen = asked | set(known.get(name, ()))
        new = {value: int(n) for value, n in zip(column.categories, counts) if n and value not in seen}
        near = {value: _near(value, seen) for value in new}
        listed = [value for value in new if name in known or name in ordered or near[value] is not None]
        listed.sort(key=lambda value: (near[value] is None, -new[value]))
        found += [Unseen(name, value, new[value], near[value]) for value in listed]
    return found


def _near(value: Category, seen: set[Category]) -> Category | None:
    """The known value that is the same but for case, blanks or a letter."""
    if not isinstance(value, str):
        return None
    texts = dict.fromkeys(sorted(text for text in seen if isinstance(text, str)), _OFTEN)
    alike = (group for group in spellings(texts | {value: 1}) if value in group)
    return next((text for group in alike for text in group if text != value), None)


def show_unseen(found: Iterable[Unseen]) -> None:
    """Say it, a sentence for each column, on standard error."""
    for column, of_column in groupby(found, key=lambda one: one.column):
        values = list(of_column)
        more = f" and {len(values) - NAMED:,} more" if len(values) > NAMED else ""
        listed = ", ".join(map(str, values[:NAMED])) + more
        note(f"Column {column!r} has values that the model does not know: {listed}")
