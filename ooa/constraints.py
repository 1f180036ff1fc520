"""Constraints on rule sets, ready-made; each is a function from a formulation to rows of its model.

A constraint of your own is any function `f -> rows`, written with the words of
`ooa.formulation.Formulation`, and holds for OOA and OOAx alike::

    def few_missed_in_the_north(f):
        return f.error[f.table.y & north].sum() <= 3

Counts are weighted counts. Every constraint is checked again on the rule set's own predictions.
The two attributes say which reductions stay valid beside a constraint: `allows_removal` if a rule
set that meets it still does when a pattern is taken out, `allows_dominance` if it still does when a
pattern makes way for one that covers no fewer positives, no more negatives and is no longer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from .errors import OptionError
from .expressions import Expression, Rows
from .patterns import Pattern

if TYPE_CHECKING:
    from .formulation import Formulation

__all__ = [
    "at_most_one_of",
    "budget",
    "demographic_parity",
    "equal_opportunity",
    "forbid_pattern",
    "forbid_together",
    "max_false_negatives",
    "max_false_positives",
    "max_total_literals",
    "max_uses",
    "min_precision",
    "min_sensitivity",
    "min_specificity",
    "min_support_per_pattern",
    "monotone",
    "predictive_equality",
    "require_attribute",
    "require_pattern",
]


@dataclass(frozen=True)
class Constraint:
    """Base of the ready-made constraints: values that compare, print and pickle."""

    allows_removal: ClassVar[bool] = False
    allows_dominance: ClassVar[bool] = False

    def __call__(self, f: Formulation) -> Rows | list[Rows]:
        """The rows that say it in the formulation's model."""
        raise TypeError(f"{type(self).__name__} says nothing")


# -- errors ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class max_false_negatives(Constraint):
    """At most so much weight of positives is missed."""

    most: float
    allows_dominance = True

    def __post_init__(self) -> None:
        _check("max_false_negatives", self.most, 0)

    def __call__(self, f: Formulation) -> Rows:
        return _weighted(f.error, f.weight * f.label) <= self.most


@dataclass(frozen=True)
class max_false_positives(Constraint):
    """At most so much weight of negatives is covered."""

    most: float
    allows_removal = True
    allows_dominance = True

    def __post_init__(self) -> None:
        _check("max_false_positives", self.most, 0)

    def __call__(self, f: Formulation) -> Rows:
        return _weighted(f.error, f.weight * ~f.label) <= self.most


@dataclass(frozen=True)
class min_sensitivity(Constraint):
    """At least this share of the positives is covered."""

    least: float
    allows_dominance = True

    def __post_init__(self) -> None:
        _check("min_sensitivity", self.least, 0, 1)

    def __call__(self, f: Formulation) -> Rows:
        weight = f.weight * f.label
        return _weighted(f.error, weight) <= float((1 - self.least) * weight.sum())


@dataclass(frozen=True)
class min_specificity(Constraint):
    """At least this share of the negatives is not covered."""

    least: float
    allows_removal = True
    allows_dominance = True

    def __post_init__(self) -> None:
        _check("min_specificity", self.least, 0, 1)

    def __call__(self, f: Formulation) -> Rows:
        weight = f.weight * ~f.label
        return _weighted(f.error, weight) <= float((1 - self.least) * weight.sum())


@dataclass(frozen=True)
class min_precision(Constraint):
    """At least this share of what is predicted positive is positive; the empty rule set meets it."""

    least: float
    allows_dominance = True

    def __post_init__(self) -> None:
        _check("min_precision", self.least, 0, 1)

    def __call__(self, f: Formulation) -> Rows:
        # TP >= p (TP + FP), with TP = positives - missed
        positives, negatives = f.weight * f.label, f.weight * ~f.label
        missed, wrong = _weighted(f.error, positives), _weighted(f.error, negatives)
        return missed * (1 - self.least) + wrong * self.least <= float((1 - self.least) * positives.sum())


# -- attributes and patterns -----------------------------------------------------------------------


@dataclass(frozen=True)
class max_uses(Constraint):
    """At most so many patterns use an attribute."""

    attribute: str
    most: int
    allows_removal = True

    def __post_init__(self) -> None:
        _check("max_uses", self.most, 0)

    def __call__(self, f: Formulation) -> Rows:
        return f.uses(self.attribute).sum() <= self.most


@dataclass(frozen=True)
class at_most_one_of(Constraint):
    """At most one of these attributes occurs in the rule set."""

    attributes: Sequence[str]
    allows_removal = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "attributes", _names("at_most_one_of", self.attributes))

    def __call__(self, f: Formulation) -> Rows:
        return _total([f.occurs(name) * 1.0 for name in self.attributes]) <= 1


@dataclass(frozen=True)
class forbid_together(Constraint):
    """No pattern uses two of these attributes."""

    attributes: Sequence[str]
    allows_removal = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "attributes", _names("forbid_together", self.attributes))

    def __call__(self, f: Formulation) -> Rows:
        return _total([f.uses(name) for name in self.attributes]) <= 1


@dataclass(frozen=True)
class require_attribute(Constraint):
    """Some pattern uses this attribute."""

    attribute: str

    def __call__(self, f: Formulation) -> Rows:
        return f.uses(self.attribute).sum() >= 1


@dataclass(frozen=True)
class require_pattern(Constraint):
    """This very pattern is in the rule set; given as a `Pattern` or as text."""

    pattern: Pattern | str

    def __post_init__(self) -> None:
        object.__setattr__(self, "pattern", _pattern(self.pattern))

    def __call__(self, f: Formulation) -> Rows:
        return f.has(_pattern(self.pattern)) >= 1


@dataclass(frozen=True)
class forbid_pattern(Constraint):
    """This very pattern is not in the rule set; given as a `Pattern` or as text."""

    pattern: Pattern | str
    allows_removal = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "pattern", _pattern(self.pattern))

    def __call__(self, f: Formulation) -> Rows:
        return f.has(_pattern(self.pattern)) <= 0


@dataclass(frozen=True)
class budget(Constraint):
    """The attributes in the rule set cost at most `most` together, each counted once."""

    costs: Mapping[str, float]
    most: float
    allows_removal = True

    def __post_init__(self) -> None:
        for name, cost in self.costs.items():
            _check(f"budget: the cost of {name!r}", cost, 0)
        _check("budget", self.most, 0)

    def __call__(self, f: Formulation) -> Rows:
        return _total([f.occurs(name) * cost for name, cost in self.costs.items()]) <= self.most


@dataclass(frozen=True)
class max_total_literals(Constraint):
    """At most so many literals in all."""

    most: int
    allows_removal = True
    allows_dominance = True

    def __post_init__(self) -> None:
        _check("max_total_literals", self.most, 0)

    def __call__(self, f: Formulation) -> Rows:
        return f.n_literals <= self.most


@dataclass(frozen=True)
class min_support_per_pattern(Constraint):
    """Every pattern covers at least so much weight of positives."""

    least: float
    allows_removal = True
    allows_dominance = True

    def __post_init__(self) -> None:
        _check("min_support_per_pattern", self.least, 0)

    def __call__(self, f: Formulation) -> Rows:
        return f.positive_support - f.used * self.least >= 0


@dataclass(frozen=True)
class monotone(Constraint):
    """A numeric attribute only counts in one direction.

    With "increasing", larger values never make the prediction negative: no pattern bounds the
    attribute from above. With "decreasing", none bounds it from below.
    """

    attribute: str
    direction: Literal["increasing", "decreasing"]
    allows_removal = True

    def __post_init__(self) -> None:
        if self.direction not in ("increasing", "decreasing"):
            raise OptionError(f"monotone: direction is 'increasing' or 'decreasing', not {self.direction!r}")

    def __call__(self, f: Formulation) -> Rows:
        side: Literal["below", "above"] = "above" if self.direction == "increasing" else "below"
        return f.bounded(self.attribute, side).sum() <= 0


# -- fairness --------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Gap(Constraint):
    """Rates of positive predictions in groups of rows differ by at most `gap`.

    Parameters
    ----------
    group : name of a column of the table, or one value per training row (it need not be a feature)
    gap : largest difference between any two groups, between 0 and 1
    """

    group: Any
    gap: float

    def __post_init__(self) -> None:
        _check(type(self).__name__, self.gap, 0, 1)

    def among(self, f: Formulation) -> NDArray[np.bool_]:
        """The rows whose predictions count."""
        return np.ones(len(f.label), dtype=bool)

    def __call__(self, f: Formulation) -> list[Rows]:
        codes = f.groups(self.group)
        rates = []
        for code in np.unique(codes[codes >= 0]):
            weight = f.weight * (self.among(f) & (codes == code))
            if weight.sum() > 0:  # a group without such rows has no rate
                rates.append(_weighted(f.predicted, weight / weight.sum()))
        return [(a - b).between(-self.gap, self.gap) for a, b in combinations(rates, 2)]


class demographic_parity(_Gap):
    """The share predicted positive differs by at most `gap` between groups."""


class equal_opportunity(_Gap):
    """The share of positives that is covered differs by at most `gap` between groups."""

    def among(self, f: Formulation) -> NDArray[np.bool_]:
        """The positives."""
        return f.label


class predictive_equality(_Gap):
    """The share of negatives that is covered differs by at most `gap` between groups."""

    def among(self, f: Formulation) -> NDArray[np.bool_]:
        """The negatives."""
        return ~f.label


# -- helpers ---------------------------------------------------------------------------------------


def _weighted(expression: Expression, weight: NDArray[np.float64]) -> Expression:
    """The weighted sum over the rows that weigh anything."""
    rows = np.flatnonzero(weight)
    return (expression[rows] * weight[rows]).sum()


def _total(parts: list[Expression]) -> Expression:
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total


def _check(name: str, value: Any, least: float, most: float = np.inf) -> None:
    number = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    if not number or not least <= value <= most:
        wanted = f"at least {least:g}" if most == np.inf else f"between {least:g} and {most:g}"
        raise OptionError(f"{name} must be a number {wanted}, not {value!r}")


def _names(name: str, attributes: Sequence[str]) -> tuple[str, ...]:
    if isinstance(attributes, str) or len(attributes) < 2:
        raise OptionError(f"{name} needs at least two attributes, got {attributes!r}")
    return tuple(attributes)


def _pattern(pattern: Pattern | str) -> Pattern:
    return Pattern.parse(pattern) if isinstance(pattern, str) else pattern
