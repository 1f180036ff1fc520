"""What ready-made constraints are made of: their base class, checks of arguments, and exact rows."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ooa.data.table import Table
from ooa.errors import OptionError
from ooa.model.expressions import Expression, FloatArray, Rows
from ooa.objective import MOST_STEPS, common_step, exact
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet

if TYPE_CHECKING:
    from ooa.formulations.vocabulary import Vocabulary


#: Arguments that are limits, and the sign of what makes them tighter.
_LIMITS = {"least": 1, "most": -1, "gap": -1}


@dataclass(frozen=True)
class Constraint:
    """Base of the ready-made constraints: values that compare, print and pickle.

    What a fit asks a constraint, besides its rows, is explained in `ooa.constraints`.
    """

    allows_removal: ClassVar[bool] = False
    allows_dominance: ClassVar[bool] = False
    #: Whether the limit is a factor of what is counted, and not only what that is compared with.
    limit_is_factor: ClassVar[bool] = False

    @property
    def by_literal(self) -> bool:
        """Whether it says of each literal by itself whether it may be there, and no more than that."""
        return False

    @property
    def required_patterns(self) -> tuple[Pattern, ...]:
        """Patterns that a rule set must have to meet it, so that they have to be among the candidates."""
        return ()

    def __call__(self, f: Vocabulary) -> Rows | list[Rows]:
        """The rows that say it in the formulation's model."""
        raise TypeError(f"{type(self).__name__} says nothing")

    def just_met(self, table: Table, rules: RuleSet) -> Constraint | None:
        """The same constraint at the limit that a rule set just meets; None if there is no such single limit.

        Parameters
        ----------
        table : the rows
        rules : the rule set

        Examples
        --------
        >>> from ooa.constraints import max_false_positives
        >>> table = Table.from_any({"x": [1, 2, 3, 4]}, [0, 1, 0, 1])
        >>> max_false_positives(0).just_met(table, RuleSet.parse("x >= 2"))
        max_false_positives(most=1)
        """
        amount = None if self.limit is None else self._amount(table, rules)
        return None if amount is None else self.at(amount)

    @property
    def limit(self) -> str | None:
        """The name of the argument that is a limit, if there is one."""
        return next((one.name for one in fields(self) if one.name in _LIMITS), None)

    @property
    def tighter(self) -> int:
        """1 if a larger limit is a tighter one, -1 if a smaller one is."""
        return _LIMITS[self.limit or "most"]

    def at(self, limit: float) -> Constraint:
        """The same constraint with another limit.

        Examples
        --------
        >>> from ooa.constraints import min_precision
        >>> min_precision(0.9).at(0.8)
        min_precision(least=0.8)
        """
        return self if self.limit is None else replace(self, **{self.limit: limit})

    def _amount(self, table: Table, rules: RuleSet) -> float | None:
        """How much there is of what the constraint limits; None if it is not one amount."""
        return None

    def implies(self, other: object) -> bool:
        """Whether whatever meets this one meets the other: the same constraint, and no limit of it looser.

        Parameters
        ----------
        other : another constraint

        Examples
        --------
        >>> from ooa.constraints import max_uses, min_sensitivity
        >>> min_sensitivity(0.9).implies(min_sensitivity(0.8)), min_sensitivity(0.8).implies(max_uses("x", 1))
        (True, False)
        """
        if not isinstance(other, Constraint) or type(other) is not type(self):
            return False
        for one in fields(self):
            sign = _LIMITS.get(one.name)
            if sign is None:
                if getattr(self, one.name) != getattr(other, one.name):
                    return False
            elif sign * self.number(one.name) < sign * other.number(one.name):
                return False
        return True

    def number(self, field: str, most: int | None = None) -> Fraction:
        """An argument as the decimal it looks like, checked to be at least 0, and at most `most`.

        Parameters
        ----------
        field : name of the argument
        most : the largest value allowed, or None
        """
        value = getattr(self, field)
        wanted = "at least 0" if most is None else f"between 0 and {most}"
        try:
            number = exact(value, field)
        except OptionError:
            number = Fraction(-1)
        if number < 0 or (most is not None and number > most):
            raise OptionError(f"{type(self).__name__}: {field} must be a number {wanted}, not {value!r}")
        return number

    def whole_number(self, field: str) -> int:
        """An argument that counts something, checked."""
        number = self.number(field)
        if number.denominator != 1:
            raise OptionError(
                f"{type(self).__name__}: {field} must be a whole number, not {getattr(self, field)!r}"
            )
        return int(number)

    def column(self, name: Any) -> str:
        """The name of a column, checked to be one."""
        if not isinstance(name, str):
            raise OptionError(
                f"{type(self).__name__} needs the name of a column as its attribute, not {name!r:.200}"
            )
        return name


class Term(NamedTuple):
    """A part of a row: `factor * weight[i]` times an expression that is 0 or 1, for every i."""

    expression: Expression
    weight: FloatArray
    factor: Fraction


def weighted(expression: Expression, weight: FloatArray, factor: Fraction = Fraction(1)) -> Term:
    """The part of a row about those entries that weigh anything."""
    some = np.flatnonzero(weight)
    return Term(expression[some], weight[some], factor)


def at_most(limit: Fraction, *terms: Term) -> list[Rows]:
    """The row that says that some terms add up to at most `limit`; none if there is nothing to add.

    The row counts in the largest step that all coefficients are multiples of, and its right-hand side
    is the largest number of steps within the limit. So it holds exactly for what meets the limit
    exactly, whatever rounding does to 0.05 * 20. Where there is no such step worth the name, as with
    weights of many digits, it holds within the solver's tolerance. Where nothing may be left of things that
    are never below 0 and all count, they count alike: nothing is too light to be seen.
    """
    terms = tuple(term for term in terms if len(term.weight) and term.factor)
    if not terms:
        return []
    if limit == 0 and all(term.factor > 0 and (term.weight > 0).all() for term in terms):
        return [sum((term.expression.sum() for term in terms[1:]), terms[0].expression.sum()) <= 0.0]
    exactly = [_fractions(term) for term in terms]
    largest = max(abs(value) for values, _ in exactly for value in values)
    step = common_step([value for values, _ in exactly for value in values], largest / MOST_STEPS)
    scale, side = (step, Fraction(math.floor(limit / step))) if step else (largest, limit / largest)
    row: Any = 0
    for term, (values, place) in zip(terms, exactly):
        row = row + (term.expression * np.array([float(value / scale) for value in values])[place]).sum()
    return [row <= float(side)]


def _fractions(term: Term) -> tuple[list[Fraction], Any]:
    """The distinct coefficients of a term, exactly, and which of them every entry has."""
    distinct, place = np.unique(term.weight, return_inverse=True)
    return [term.factor * Fraction(value) for value in distinct.tolist()], place.reshape(-1)


def covered(table: Table, rules: RuleSet) -> NDArray[np.bool_]:
    """The rows of a table that a rule set covers."""
    return np.asarray(rules.covers(table.as_frame()).any(axis=1))


def plain(number: Fraction) -> int | float:
    """A number as people write it."""
    return int(number) if number.denominator == 1 else float(number)


def share_above(share: Fraction) -> float:
    """A share with four decimals, none too few."""
    return math.ceil(10_000 * share) / 10_000


def share_below(part: Fraction, whole: Fraction) -> float:
    """A share with four decimals, none too many."""
    return math.floor(10_000 * part / whole) / 10_000 if whole else 1.0
