"""Constraints on rows as they would be with another value: how many predictions may change, and which way."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ooa.data.table import Table
from ooa.errors import OptionError
from ooa.model.expressions import Rows
from ooa.objective import exact_sum
from ooa.rules.changes import changed_column
from ooa.rules.ruleset import RuleSet

from .base import Constraint, at_most, covered, share_above, weighted

if TYPE_CHECKING:
    from ooa.formulations.vocabulary import Vocabulary


@dataclass(frozen=True)
class _Changing(Constraint):
    attribute: str
    change: Any
    most: float = 0

    def __post_init__(self) -> None:
        self.column(self.attribute)
        if not isinstance(self.change, (str, int, float, np.number)):
            raise OptionError(
                f"{type(self).__name__} needs a number to add, or a category, as its change, "
                f"not {self.change!r:.200}"
            )
        self.number("most", 1)

    #: Whether predictions that become positive count, and those that become negative.
    rising, falling = True, True

    def __call__(self, f: Vocabulary) -> list[Rows]:
        """The rows whose prediction changes weigh at most that share of all."""
        before, after, either = f.changed(self.attribute, self.change)
        limit = self.number("most", 1) * exact_sum(f.weight)
        times = int(self.rising) + int(self.falling)
        changes = either * times - before * int(self.rising) - after * int(self.falling)
        return at_most(limit, weighted(changes, f.weight))

    def _amount(self, table: Table, rules: RuleSet) -> float:
        """The share of the rows whose prediction changes."""
        j = [one.name for one in table.attributes].index(self.attribute)
        columns = list(table.columns)
        columns[j] = changed_column(columns[j], self.change)
        before, after = covered(table, rules), covered(replace(table, columns=tuple(columns)), rules)
        counted: NDArray[np.bool_] = (after & ~before & self.rising) | (before & ~after & self.falling)
        return share_above(exact_sum(table.weight[counted]) / exact_sum(table.weight))


@dataclass(frozen=True)
class unchanged_when(_Changing):
    """The prediction stays the same with another value of an attribute: "age + 5 changes nothing".

    Each row is compared with itself as it would be, which need not be like any row of the table. Rows without
    a value stay as they are.

    Parameters
    ----------
    attribute : name of a column
    change : what is added to a number; of categories, ordered or not, the one that takes their place
    most : share of the rows, by their weight, whose prediction may change, between 0 and 1; none by default

    Examples
    --------
    >>> unchanged_when("age", 5, 0.01)
    unchanged_when(attribute='age', change=5, most=0.01)
    """


@dataclass(frozen=True)
class not_lowered_when(_Changing):
    """No prediction becomes negative with another value of an attribute: it may only rise.

    Parameters
    ----------
    attribute, change : as for `unchanged_when`
    most : share of the rows, by their weight, for which it may be otherwise; none by default

    Examples
    --------
    >>> not_lowered_when("dose", 1)
    not_lowered_when(attribute='dose', change=1, most=0)
    """

    rising = False


@dataclass(frozen=True)
class not_raised_when(_Changing):
    """No prediction becomes positive with another value of an attribute: it may only fall.

    Parameters
    ----------
    attribute, change : as for `unchanged_when`
    most : share of the rows, by their weight, for which it may be otherwise; none by default

    Examples
    --------
    >>> not_raised_when("income", 1000)
    not_raised_when(attribute='income', change=1000, most=0)
    """

    falling = False
