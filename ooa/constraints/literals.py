"""Constraints on literals: where a number may be cut, and which categories may be named, alone or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from ooa.checks import one_of
from ooa.errors import OptionError
from ooa.model.expressions import Rows

from .base import Constraint

if TYPE_CHECKING:
    from ooa.formulations.vocabulary import Vocabulary


@dataclass(frozen=True)
class no_cut(Constraint):
    """No pattern bounds a numeric attribute beyond a value: "no cut on age above 60".

    Bounds are taken as they are written, and one at the value itself is allowed; so is one that leaves out no
    value of the training data, as in `age >= 0`.

    Parameters
    ----------
    attribute : name of a numeric column, or of one with ordered categories
    side : "above" or "below" the value
    value : a number, or one of the ordered categories

    Examples
    --------
    >>> no_cut("age", "above", 60)
    no_cut(attribute='age', side='above', value=60)
    """

    attribute: str
    side: Literal["above", "below"]
    value: Any
    allows_removal = True

    @property
    def by_literal(self) -> bool:
        """It says nothing else."""
        return True

    def __post_init__(self) -> None:
        self.column(self.attribute)
        one_of(self.side, "no_cut: side", ("above", "below"))

    def __call__(self, f: Vocabulary) -> Rows:
        return f.cuts(self.attribute, self.side, self.value) <= 0


@dataclass(frozen=True)
class no_category(Constraint):
    """No pattern has a literal that holds for a category: "never job = unknown".

    Parameters
    ----------
    attribute : name of a categorical column
    category : one of its categories

    Examples
    --------
    >>> no_category("job", "unknown")
    no_category(attribute='job', category='unknown')
    """

    attribute: str
    category: Any
    allows_removal = True

    @property
    def by_literal(self) -> bool:
        """It says nothing else."""
        return True

    def __post_init__(self) -> None:
        self.column(self.attribute)

    def __call__(self, f: Vocabulary) -> Rows:
        return f.names(self.attribute, self.category) <= 0


@dataclass(frozen=True)
class category_only_with(Constraint):
    """Every pattern with a literal that holds for a category uses another attribute as well.

    Parameters
    ----------
    attribute : name of a categorical column
    category : one of its categories
    other : name of the column that it is used only with

    Examples
    --------
    >>> category_only_with("snores", "yes", "age")
    category_only_with(attribute='snores', category='yes', other='age')
    """

    attribute: str
    category: Any
    other: str
    allows_removal = True

    def __post_init__(self) -> None:
        self.column(self.attribute)
        if not isinstance(self.other, str) or self.other == self.attribute:
            raise OptionError(
                f"category_only_with needs another column as its other, not {self.other!r:.200}"
            )

    def __call__(self, f: Vocabulary) -> Rows:
        return f.names(self.attribute, self.category) - f.uses(self.other) <= 0
