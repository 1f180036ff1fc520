"""Constraints on errors: how much may be missed or covered wrongly, as weights or as shares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ooa.data.table import Table
from ooa.model.expressions import Rows
from ooa.objective import exact_sum
from ooa.rules.ruleset import RuleSet

from .base import Constraint, at_most, covered, plain, share_below, weighted

if TYPE_CHECKING:
    from ooa.formulations.vocabulary import Vocabulary


@dataclass(frozen=True)
class max_false_negatives(Constraint):
    """At most so much weight of positives is missed.

    Parameters
    ----------
    most : weight of the positives that may be missed; rows, if none has a weight

    Examples
    --------
    >>> max_false_negatives(2)
    max_false_negatives(most=2)
    """

    most: float
    allows_dominance = True

    def __post_init__(self) -> None:
        self.number("most")

    def _amount(self, table: Table, rules: RuleSet) -> float:
        """What is missed."""
        return plain(exact_sum(table.positive[~covered(table, rules)]))

    def __call__(self, f: Vocabulary) -> list[Rows]:
        """The missed weigh at most so much."""
        return at_most(self.number("most"), weighted(f.error, f.weight * f.label))


@dataclass(frozen=True)
class max_false_positives(Constraint):
    """At most so much weight of negatives is covered.

    Parameters
    ----------
    most : weight of the negatives that may be covered; rows, if none has a weight

    Examples
    --------
    >>> max_false_positives(2)
    max_false_positives(most=2)
    """

    most: float
    allows_removal = True
    allows_dominance = True

    def __post_init__(self) -> None:
        self.number("most")

    def _amount(self, table: Table, rules: RuleSet) -> float:
        """What is covered wrongly."""
        return plain(exact_sum(table.negative[covered(table, rules)]))

    def __call__(self, f: Vocabulary) -> list[Rows]:
        """The wrongly covered weigh at most so much."""
        return at_most(self.number("most"), weighted(f.error, f.weight * ~f.label))


@dataclass(frozen=True)
class min_sensitivity(Constraint):
    """At least this share of the positives is covered.

    Parameters
    ----------
    least : share of the positives, between 0 and 1

    Examples
    --------
    >>> min_sensitivity(0.95)
    min_sensitivity(least=0.95)
    """

    least: float
    allows_dominance = True

    def __post_init__(self) -> None:
        self.number("least", 1)

    def _amount(self, table: Table, rules: RuleSet) -> float:
        """The share of the positives that is covered."""
        found = exact_sum(table.positive[covered(table, rules)])
        return share_below(found, exact_sum(table.positive))

    def __call__(self, f: Vocabulary) -> list[Rows]:
        """The missed weigh at most the rest of the positives."""
        weight = f.weight * f.label
        return at_most((1 - self.number("least")) * exact_sum(weight), weighted(f.error, weight))


@dataclass(frozen=True)
class min_specificity(Constraint):
    """At least this share of the negatives is not covered.

    Parameters
    ----------
    least : share of the negatives, between 0 and 1

    Examples
    --------
    >>> min_specificity(0.95)
    min_specificity(least=0.95)
    """

    least: float
    allows_removal = True
    allows_dominance = True

    def __post_init__(self) -> None:
        self.number("least", 1)

    def _amount(self, table: Table, rules: RuleSet) -> float:
        """The share of the negatives that is not covered."""
        spared = exact_sum(table.negative[~covered(table, rules)])
        return share_below(spared, exact_sum(table.negative))

    def __call__(self, f: Vocabulary) -> list[Rows]:
        """The wrongly covered weigh at most the rest of the negatives."""
        weight = f.weight * ~f.label
        return at_most((1 - self.number("least")) * exact_sum(weight), weighted(f.error, weight))


@dataclass(frozen=True)
class min_precision(Constraint):
    """At least this share of what is predicted positive is positive; a rule set that covers nothing meets it.

    Taking out a pattern can violate it: what is left may be the worse part.

    Parameters
    ----------
    least : share of what is predicted positive, between 0 and 1

    Examples
    --------
    >>> min_precision(0.9)
    min_precision(least=0.9)
    """

    least: float
    allows_dominance = True
    limit_is_factor = True

    def __post_init__(self) -> None:
        self.number("least", 1)

    def _amount(self, table: Table, rules: RuleSet) -> float:
        """The share of what is covered that is positive."""
        fires = covered(table, rules)
        found = exact_sum(table.positive[fires])
        return share_below(found, found + exact_sum(table.negative[fires]))

    def __call__(self, f: Vocabulary) -> list[Rows]:
        """TP >= p (TP + FP), with TP = positives - missed."""
        p, positives = self.number("least"), f.weight * f.label
        missed = weighted(f.error, positives, 1 - p)
        return at_most((1 - p) * exact_sum(positives), missed, weighted(f.error, f.weight * ~f.label, p))
