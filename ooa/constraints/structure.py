"""Constraints on the form of a rule set: which attributes and patterns it uses, how often, and how."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

import numpy as np

from ooa.checks import one_of
from ooa.data.table import Table
from ooa.errors import OptionError, RuleError
from ooa.model.expressions import Expression, Rows, total
from ooa.objective import MOST_STEPS, common_step, exact
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet

from .base import Constraint, Term, at_most, plain

if TYPE_CHECKING:
    from ooa.formulations.vocabulary import Vocabulary


@dataclass(frozen=True)
class max_uses(Constraint):
    """At most so many patterns use an attribute; none with 0.

    Parameters
    ----------
    attribute : name of a column
    most : in how many patterns it may occur; 0 for none

    Examples
    --------
    >>> max_uses("age", 1)
    max_uses(attribute='age', most=1)
    """

    attribute: str
    most: int
    allows_removal = True

    def __post_init__(self) -> None:
        self.column(self.attribute)
        self.whole_number("most")

    @property
    def by_literal(self) -> bool:
        """Whether the attribute is not used at all."""
        return self.whole_number("most") == 0

    def _amount(self, table: Table, rules: RuleSet) -> float:
        """In how many patterns it occurs."""
        return sum(self.attribute in pattern.attributes for pattern in rules)

    def __call__(self, f: Vocabulary) -> Rows:
        return f.uses(self.attribute).sum() <= self.whole_number("most")


@dataclass(frozen=True)
class _Several(Constraint):
    attributes: Sequence[str]
    allows_removal = True

    def __post_init__(self) -> None:
        names = self.attributes
        several = isinstance(names, (list, tuple, set, frozenset)) and len(set(map(str, names))) > 1
        if not several:
            raise OptionError(
                f"{type(self).__name__} needs at least two columns as its attributes, not {names!r:.200}"
            )
        object.__setattr__(self, "attributes", tuple(dict.fromkeys(self.column(name) for name in names)))


@dataclass(frozen=True)
class at_most_one_of(_Several):
    """At most one of these attributes occurs in the rule set.

    Parameters
    ----------
    attributes : names of columns

    Examples
    --------
    >>> at_most_one_of(["weight", "bmi"])
    at_most_one_of(attributes=('weight', 'bmi'))
    """

    def __call__(self, f: Vocabulary) -> Rows:
        return total([f.occurs(name) for name in self.attributes]) <= 1


@dataclass(frozen=True)
class forbid_together(_Several):
    """No pattern uses two of these attributes.

    Parameters
    ----------
    attributes : names of columns

    Examples
    --------
    >>> forbid_together(["weight", "bmi"])
    forbid_together(attributes=('weight', 'bmi'))
    """

    def __call__(self, f: Vocabulary) -> Rows:
        return total([f.uses(name) for name in self.attributes]) <= 1


@dataclass(frozen=True)
class require_attribute(Constraint):
    """Some pattern uses this attribute, if only one that covers nothing: see `min_support_per_pattern`.

    Parameters
    ----------
    attribute : name of a column

    Examples
    --------
    >>> require_attribute("age")
    require_attribute(attribute='age')
    """

    attribute: str

    def __post_init__(self) -> None:
        self.column(self.attribute)

    def __call__(self, f: Vocabulary) -> Rows:
        return f.occurs(self.attribute) >= 1


@dataclass(frozen=True)
class _OnePattern(Constraint):
    pattern: Pattern | str

    def __post_init__(self) -> None:
        pattern = self.pattern
        if isinstance(pattern, str):
            object.__setattr__(self, "pattern", Pattern.parse(pattern))
        elif not isinstance(pattern, Pattern):
            raise OptionError(f"{type(self).__name__} needs a pattern, not {pattern!r}")

    def present(self, f: Vocabulary) -> Expression:
        """1 if the rule set has it."""
        assert isinstance(self.pattern, Pattern)
        return f.has(self.pattern)


@dataclass(frozen=True)
class require_pattern(_OnePattern):
    """This pattern, or one that says the same on the training data, is in the rule set.

    Parameters
    ----------
    pattern : a `Pattern`, or its text

    Examples
    --------
    >>> require_pattern("age >= 60 AND snores = yes")
    require_pattern(pattern=Pattern.parse('age ≥ 60 ∧ snores = yes'))
    """

    @property
    def required_patterns(self) -> tuple[Pattern, ...]:
        """The pattern."""
        assert isinstance(self.pattern, Pattern)
        return (self.pattern,)

    def __call__(self, f: Vocabulary) -> Rows:
        return self.present(f) >= 1


@dataclass(frozen=True)
class forbid_pattern(_OnePattern):
    """This pattern, or any that says the same on the training data, is not in the rule set.

    Parameters
    ----------
    pattern : a `Pattern`, or its text

    Examples
    --------
    >>> forbid_pattern("age >= 60")
    forbid_pattern(pattern=Pattern.parse('age ≥ 60'))
    """

    allows_removal = True

    def __call__(self, f: Vocabulary) -> list[Rows]:
        try:
            return [self.present(f) <= 0]
        except RuleError:  # the model has no such pattern in the first place
            return []


@dataclass(frozen=True)
class budget(Constraint):
    """The attributes in the rule set cost at most `most` together, each counted once.

    Parameters
    ----------
    costs : what each attribute costs; attributes without a cost are free
    most : what the rule set may cost

    Examples
    --------
    >>> budget({"mri": 500, "blood": 20}, 100)
    budget(costs={'mri': 500, 'blood': 20}, most=100)
    """

    costs: Mapping[str, float] = field(hash=False)
    most: float
    allows_removal = True

    def __post_init__(self) -> None:
        if not isinstance(self.costs, Mapping):
            raise OptionError(f"budget: costs must be a cost by column, not {self.costs!r}")
        object.__setattr__(self, "costs", dict(self.costs))
        self._exact_costs()
        self.number("most")

    def _exact_costs(self) -> dict[str, Fraction]:
        costs = {}
        for name, cost in self.costs.items():
            try:
                costs[self.column(name)] = exact(cost, "cost")
            except OptionError:
                raise OptionError(
                    f"budget: the cost of {name!r} must be a number at least 0, not {cost!r}"
                ) from None
        return costs

    def _amount(self, table: Table, rules: RuleSet) -> float:
        """What the attributes cost."""
        costs = self._exact_costs()
        return plain(sum((costs.get(name, Fraction(0)) for name in rules.attributes), Fraction(0)))

    def __call__(self, f: Vocabulary) -> list[Rows]:
        costs = self._exact_costs()
        for name in costs:
            f.attribute_number(name)
        terms = [Term(f.occurs(name)[None], np.ones(1), cost) for name, cost in costs.items() if cost]
        return at_most(self.number("most"), *terms)


@dataclass(frozen=True)
class max_total_literals(Constraint):
    """At most so many literals in all.

    Parameters
    ----------
    most : how many

    Examples
    --------
    >>> max_total_literals(4)
    max_total_literals(most=4)
    """

    most: int
    allows_removal = True
    allows_dominance = True

    def __post_init__(self) -> None:
        self.whole_number("most")

    def _amount(self, table: Table, rules: RuleSet) -> float:
        """How many there are."""
        return rules.n_literals

    def __call__(self, f: Vocabulary) -> Rows:
        return f.n_literals <= self.whole_number("most")


@dataclass(frozen=True)
class min_support_per_pattern(Constraint):
    """Every pattern covers at least so much weight of positives.

    Parameters
    ----------
    least : weight of positives; rows, if none has a weight

    Examples
    --------
    >>> min_support_per_pattern(10)
    min_support_per_pattern(least=10)
    """

    least: float
    allows_removal = True
    allows_dominance = True

    def __post_init__(self) -> None:
        self.number("least")

    def __call__(self, f: Vocabulary) -> Rows:
        least, weights = self.number("least"), np.unique(f.weight[f.label & (f.weight > 0)])
        exactly = [Fraction(weight) for weight in weights.tolist()]
        largest = max(exactly, default=Fraction(1))
        step = common_step(exactly, largest / MOST_STEPS)
        if step:  # half a step below the least number of steps that will do, so that no rounding matters
            scale, side = step, math.ceil(least / step) - Fraction(1, 2)
        else:
            scale, side = least or largest, Fraction(1 - 1e-7 if least else 0)
        return f.positive_support / float(scale) - f.used * float(side) >= 0


@dataclass(frozen=True)
class monotone(Constraint):
    """A numeric attribute only counts in one direction.

    With "increasing", a larger value never makes the prediction negative: no pattern bounds the
    attribute from above. With "decreasing", none bounds it from below.

    Parameters
    ----------
    attribute : name of a numeric column
    direction : "increasing" or "decreasing"

    Examples
    --------
    >>> monotone("age", "increasing")
    monotone(attribute='age', direction='increasing')
    """

    attribute: str
    direction: Literal["increasing", "decreasing"]
    allows_removal = True

    @property
    def by_literal(self) -> bool:
        """It says nothing else."""
        return True

    def __post_init__(self) -> None:
        self.column(self.attribute)
        one_of(self.direction, "monotone: direction", ("increasing", "decreasing"))

    def __call__(self, f: Vocabulary) -> Rows:
        side: Literal["below", "above"] = "above" if self.direction == "increasing" else "below"
        return f.bounded(self.attribute, side).sum() <= 0
