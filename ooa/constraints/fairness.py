"""Constraints on groups of rows: rates of positive predictions that must not differ much, or not be low."""

from __future__ import annotations

from dataclasses import dataclass, fields
from fractions import Fraction
from itertools import permutations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ooa.data.columns import Column
from ooa.data.frames import open_frame
from ooa.data.table import Table
from ooa.errors import OptionError
from ooa.model.expressions import FloatArray, Rows
from ooa.objective import exact_sum
from ooa.rules.ruleset import RuleSet

from .base import Constraint, at_most, covered, share_above, share_below, weighted

if TYPE_CHECKING:
    from ooa.formulations.vocabulary import Vocabulary

#: Every two groups are compared, so that more groups than this are a column that holds no groups.
MOST_GROUPS = 100


@dataclass(frozen=True, repr=False)
class _Grouped(Constraint):
    group: Any

    def __post_init__(self) -> None:
        if not isinstance(self.group, str):
            codes = _numbered(open_frame({"group": self.group}).column("group"))
            object.__setattr__(self, "group", tuple(codes.tolist()))  # hashes, compares and pickles

    def __repr__(self) -> str:
        group = repr(self.group)
        if not isinstance(self.group, str):
            group = f"<{len(self.group)} rows in {len(set(self.group) - {-1})} groups>"
        limit = fields(self)[1].name
        return f"{type(self).__name__}(group={group}, {limit}={getattr(self, limit)!r})"

    def at(self, limit: float) -> Constraint:
        """The same constraint with another limit, about the same groups."""
        made = super().at(limit)
        object.__setattr__(made, "group", self.group)  # whose numbers are no values: -1 is no group
        return made

    def among(self, label: NDArray[np.bool_]) -> list[NDArray[np.bool_]]:
        """The kinds of rows of which a share is taken in every group: all rows, unless it says otherwise."""
        return [np.ones(len(label), dtype=bool)]

    def shares(self, table: Table) -> list[list[tuple[FloatArray, Fraction]]]:
        """For every kind of rows and group with any, what they weigh, and 1 by what they weigh together."""
        codes, found = self._codes(table), []
        for kind in self.among(table.y):
            weights = (table.weight * (kind & (codes == code)) for code in np.unique(codes[codes >= 0]))
            found.append([(weight, 1 / exact_sum(weight)) for weight in weights if weight.any()])
        return found

    def rates(self, table: Table, rules: RuleSet) -> list[list[Fraction]]:
        """For every kind of rows and group with any, the share of them that is covered."""
        fires = covered(table, rules)
        return [[share * exact_sum(weight[fires]) for weight, share in kind] for kind in self.shares(table)]

    def _codes(self, table: Table) -> NDArray[np.int64]:
        """The number of every row's group; -1 where it has none."""
        if isinstance(self.group, str):
            column = next((one for one in table.columns if one.name == self.group), None)
            if column is None:
                raise OptionError(f"{self.group!r} is not a column of the table")
            codes = _numbered(column)
        else:
            codes = np.array(self.group, dtype=np.int64)
        if len(codes) != table.n_rows:
            raise OptionError(f"group has {len(codes)} values for {table.n_rows} rows")
        found = len(np.unique(codes[codes >= 0]))
        if found > MOST_GROUPS:
            raise OptionError(f"group has {found} different values, more than the {MOST_GROUPS} allowed")
        return codes


@dataclass(frozen=True, repr=False)
class _Gap(_Grouped):
    gap: float

    def __post_init__(self) -> None:
        self.number("gap", 1)
        super().__post_init__()

    def _amount(self, table: Table, rules: RuleSet) -> float:
        """The largest difference."""
        gaps = (max(rates) - min(rates) for rates in self.rates(table, rules) if rates)
        return share_above(max(gaps, default=Fraction(0)))

    def __call__(self, f: Vocabulary) -> list[Rows]:
        """For every two groups, the rate of the one less the rate of the other is at most `gap`."""
        rows = []
        for kind in self.shares(f.table):
            for (one, share), (other, other_share) in permutations(kind, 2):
                terms = weighted(f.predicted, one, share), weighted(f.predicted, other, -other_share)
                rows += at_most(self.number("gap"), *terms)
        return rows


@dataclass(frozen=True, repr=False)
class _Floor(_Grouped):
    least: float

    def __post_init__(self) -> None:
        self.number("least", 1)
        super().__post_init__()

    def _amount(self, table: Table, rules: RuleSet) -> float:
        """The least share."""
        rates = (rate for kind in self.rates(table, rules) for rate in kind)
        return share_below(min(rates, default=Fraction(1)), Fraction(1))

    def __call__(self, f: Vocabulary) -> list[Rows]:
        """In every group, the share that is covered is at least so large."""
        rows = []
        for kind in self.shares(f.table):
            for weight, share in kind:
                rows += at_most(-self.number("least"), weighted(f.predicted, weight, -share))
        return rows


@dataclass(frozen=True, repr=False)
class demographic_parity(_Gap):
    """The share predicted positive differs by at most `gap` between any two groups.

    Parameters
    ----------
    group : name of a column of the table, or one value for every training row (a list, array or Series);
        it need not be a feature. Rows without a value belong to no group.
    gap : largest difference, between 0 and 1

    Examples
    --------
    >>> demographic_parity("sex", 0.1)
    demographic_parity(group='sex', gap=0.1)
    >>> demographic_parity(["f", "m", None, "f"], 0.1)
    demographic_parity(group=<4 rows in 2 groups>, gap=0.1)
    """


@dataclass(frozen=True, repr=False)
class equal_opportunity(_Gap):
    """The share of the positives that is covered differs by at most `gap` between any two groups.

    A group without positives does not count.

    Parameters
    ----------
    group, gap : as for `demographic_parity`

    Examples
    --------
    >>> equal_opportunity("sex", 0.1)
    equal_opportunity(group='sex', gap=0.1)
    """

    def among(self, label: NDArray[np.bool_]) -> list[NDArray[np.bool_]]:
        """The positives."""
        return [label]


@dataclass(frozen=True, repr=False)
class predictive_equality(_Gap):
    """The share of the negatives that is covered differs by at most `gap` between any two groups.

    A group without negatives does not count.

    Parameters
    ----------
    group, gap : as for `demographic_parity`

    Examples
    --------
    >>> predictive_equality("sex", 0.1)
    predictive_equality(group='sex', gap=0.1)
    """

    def among(self, label: NDArray[np.bool_]) -> list[NDArray[np.bool_]]:
        """The negatives."""
        return [~label]


@dataclass(frozen=True, repr=False)
class equalized_odds(_Gap):
    """The shares of the positives and of the negatives that are covered each differ by at most `gap`.

    That is `equal_opportunity` and `predictive_equality` at once, between any two groups. A group without
    positives, or without negatives, does not count for these.

    Parameters
    ----------
    group, gap : as for `demographic_parity`

    Examples
    --------
    >>> equalized_odds("sex", 0.1)
    equalized_odds(group='sex', gap=0.1)
    """

    def among(self, label: NDArray[np.bool_]) -> list[NDArray[np.bool_]]:
        """The positives, and the negatives."""
        return [label, ~label]


@dataclass(frozen=True, repr=False)
class min_coverage(_Floor):
    """In every group at least this share is predicted positive.

    Parameters
    ----------
    group : as for `demographic_parity`
    least : share of every group, between 0 and 1

    Examples
    --------
    >>> min_coverage("hospital", 0.1)
    min_coverage(group='hospital', least=0.1)
    """


@dataclass(frozen=True, repr=False)
class min_group_sensitivity(_Floor):
    """In every group at least this share of the positives is covered.

    A group without positives does not count.

    Parameters
    ----------
    group : as for `demographic_parity`
    least : share of the positives of every group, between 0 and 1

    Examples
    --------
    >>> min_group_sensitivity("hospital", 0.8)
    min_group_sensitivity(group='hospital', least=0.8)
    """

    # A pattern that dominates another one covers all of its positives, of whatever group.
    allows_dominance = True

    def among(self, label: NDArray[np.bool_]) -> list[NDArray[np.bool_]]:
        """The positives."""
        return [label]


def _numbered(column: Column) -> NDArray[np.int64]:
    """Number the distinct values of a column; -1 where it has none."""
    codes = np.full(len(column), -1, dtype=np.int64)
    codes[~column.missing] = np.unique(column.values[~column.missing], return_inverse=True)[1].reshape(-1)
    return codes
