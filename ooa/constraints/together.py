"""Constraints on what stands together: attributes in a pattern, and patterns on a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ooa.errors import OptionError
from ooa.model.expressions import Rows

from .base import Constraint

if TYPE_CHECKING:
    from ooa.formulations.vocabulary import Vocabulary


@dataclass(frozen=True)
class only_with(Constraint):
    """Every pattern that uses an attribute uses another one as well.

    Parameters
    ----------
    attribute : name of a column
    other : name of the column that it is used only with

    Examples
    --------
    >>> only_with("snores", "age")
    only_with(attribute='snores', other='age')
    """

    attribute: str
    other: str
    allows_removal = True

    def __post_init__(self) -> None:
        self.column(self.attribute)
        if not isinstance(self.other, str) or self.other == self.attribute:
            raise OptionError(f"only_with needs another column as its other, not {self.other!r:.200}")

    def __call__(self, f: Vocabulary) -> Rows:
        return f.uses(self.attribute) - f.uses(self.other) <= 0


@dataclass(frozen=True)
class max_overlap(Constraint):
    """No row is covered by more than so many patterns; with 1, patterns exclude one another on the rows.

    Parameters
    ----------
    most : how many patterns may cover a row

    Examples
    --------
    >>> max_overlap(1)
    max_overlap(most=1)
    """

    most: int
    # Without a pattern no row is covered by more.
    allows_removal = True

    def __post_init__(self) -> None:
        self.whole_number("most")

    def __call__(self, f: Vocabulary) -> Rows:
        return f.covers[:, :].sum(axis=1) <= float(self.whole_number("most"))
