"""Constraints on errors: how much may be missed or covered wrongly, as weights or as shares."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from ooa.data.table import Table
from ooa.errors import OptionError
from ooa.model.expressions import FloatArray, Rows
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
class max_cost(Constraint):
    """What predictions cost is at most `most`: misses (FN), false alarms (FP), and also being right (TP, TN).

    Parameters
    ----------
    most : of the costs of all rows, each times its weight
    false_negative, false_positive : cost of a positive that is missed, and of a negative that is covered
    true_positive, true_negative : cost of being right (a treatment costs something, too), no larger than
        that of being wrong about the same row

    Examples
    --------
    >>> max_cost(120, false_negative=10)
    max_cost(most=120, false_negative=10, false_positive=1, true_positive=0, true_negative=0)
    """

    most: float
    false_negative: float = 1
    false_positive: float = 1
    true_positive: float = 0
    true_negative: float = 0
    # A pattern that dominates another one is right wherever that one is, and being right costs no more.
    allows_dominance = True

    def __post_init__(self) -> None:
        self.number("most")
        for right, wrong in (("true_positive", "false_negative"), ("true_negative", "false_positive")):
            if self.number(right) > self.number(wrong):
                raise OptionError(
                    f"max_cost: {right} must cost no more than {wrong}, not "
                    f"{getattr(self, right)!r} and {getattr(self, wrong)!r}"
                )

    def _anyway(self, positive: FloatArray, negative: FloatArray) -> Fraction:
        """What it costs to be right about every row."""
        right = self.number("true_positive") * exact_sum(positive)
        return right + self.number("true_negative") * exact_sum(negative)

    def _more(self) -> tuple[Fraction, Fraction]:
        """What it costs more to miss a positive, and to cover a negative, than to be right about it."""
        missed = self.number("false_negative") - self.number("true_positive")
        return missed, self.number("false_positive") - self.number("true_negative")

    def _amount(self, table: Table, rules: RuleSet) -> float:
        """What predictions cost."""
        fires, (missed, wrong) = covered(table, rules), self._more()
        errors = missed * exact_sum(table.positive[~fires]) + wrong * exact_sum(table.negative[fires])
        return plain(self._anyway(table.positive, table.negative) + errors)

    def __call__(self, f: Vocabulary) -> list[Rows]:
        """What errors cost more is at most what is left of the limit."""
        positive, negative = f.weight * f.label, f.weight * ~f.label
        missed, wrong = self._more()
        left = self.number("most") - self._anyway(positive, negative)
        if left < 0:
            return [f.n_patterns <= -1.0]  # no rule set costs so little
        return at_most(left, weighted(f.error, positive, missed), weighted(f.error, negative, wrong))


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
