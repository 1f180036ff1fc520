"""Prices in one proportion, the rule sets that are best along them, and where one takes the other's place.

Along such a ray the value of a rule set is an affine function of the price: it begins at the share of its
errors and rises with its size. The best of several rule sets follow the lower envelope of their lines.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import count as counting
from typing import NamedTuple

from ooa.learning.certificate import Count
from ooa.objective import Objective
from ooa.rules.ruleset import RuleSet

__all__ = ["Piece", "Ray", "envelope", "roundest"]


@dataclass(frozen=True)
class Ray:
    """Prices in one proportion, from `low` to `high` times it.

    Attributes
    ----------
    C1, C2 : Fraction
        The proportion. It is 1 to 1 where both prices are equal, so that a place on the ray is the price.
    low, high : Fraction

    Examples
    --------
    >>> Ray.down_to(Objective.of(0.01, 0.01), Fraction(1, 3))
    Ray(C1=Fraction(1, 1), C2=Fraction(1, 1), low=Fraction(1, 100), high=Fraction(1, 6))
    >>> Ray.down_to(Objective.of(0.01, 0.03), Fraction(1, 3)).at(Fraction(2))
    Objective(C1=Fraction(1, 50), C2=Fraction(3, 50))
    """

    C1: Fraction
    C2: Fraction
    low: Fraction
    high: Fraction

    @classmethod
    def down_to(cls, end: Objective, positives: Fraction) -> Ray:
        """The prices from where no pattern can pay down to these, in their proportion.

        A pattern saves at most the share of the positives, and costs one literal and one pattern at least.
        """
        equal = end.C1 == end.C2
        C1, C2 = (Fraction(1), Fraction(1)) if equal else (end.C1, end.C2)
        low = end.C1 if equal else Fraction(1)
        return cls(C1, C2, low, max(low, positives / (C1 + C2)))

    def at(self, place: Fraction) -> Objective:
        """The prices at a place."""
        return Objective(place * self.C1, place * self.C2)

    def line(self, counted: Count) -> tuple[Fraction, Fraction]:
        """How fast the value of a rule set rises along the ray, and where it begins."""
        slope = self.C1 * counted.literals + self.C2 * counted.patterns
        return slope, counted.errors / counted.total


class Piece(NamedTuple):
    """A part of a ray on which one rule set is the best of those known."""

    rules: RuleSet
    low: Fraction
    high: Fraction


def envelope(models: Mapping[RuleSet, Count], ray: Ray) -> list[Piece]:
    """The rule sets that are the best of these somewhere along a ray, from the low end to the high one.

    Examples
    --------
    >>> from ooa.data.table import Table
    >>> from ooa.learning.certificate import count
    >>> table, free = Table.from_any({"x": [1, 2, 3, 4, 5]}, [0, 1, 0, 1, 1]), Objective.of(0, 0)
    >>> known = {rules: count(rules, table, free) for rules in (RuleSet([]), RuleSet.parse("x >= 4"))}
    >>> ray = Ray.down_to(Objective.of(0.01, 0.01), Fraction(3, 5))
    >>> [f"{len(rules)} up to {high}" for rules, low, high in envelope(known, ray)]
    ['1 up to 1/5', '0 up to 3/10']
    """
    lines: dict[tuple[Fraction, Fraction], RuleSet] = {}
    for rules, counted in models.items():
        line = ray.line(counted)
        lines[line] = min(lines.get(line, rules), rules)
    place, pieces = ray.low, []
    # Of those that are equally good here, the least steep one is the best from here on.
    here = min(lines, key=lambda line: (line[1] + place * line[0], line[0]), default=None)
    while here is not None:
        end, following = _next(lines, here, ray.high)
        pieces.append(Piece(lines[here], place, end))
        place, here = end, following
    return pieces


def _next(
    lines: Iterable[tuple[Fraction, Fraction]], here: tuple[Fraction, Fraction], high: Fraction
) -> tuple[Fraction, tuple[Fraction, Fraction] | None]:
    """Where a line that is less steep crosses this one first, and which: of several there the least steep.

    If none does below `high`, it is there that this one ends.
    """
    slope, begin = here
    crossings = [((other[1] - begin) / (slope - other[0]), other) for other in lines if other[0] < slope]
    return min((found for found in crossings if found[0] < high), default=(high, None))


def roundest(low: Fraction, high: Fraction) -> Fraction:
    """A number of few digits between two others, near their (geometric) middle.

    Examples
    --------
    >>> roundest(Fraction("0.00217"), Fraction("0.0089")), roundest(Fraction("0.0531"), Fraction("0.0538"))
    (Fraction(1, 250), Fraction(267, 5000))
    """
    middle = math.sqrt(low * high) if low else float(high) / 2
    for digits in counting(1):
        step = Fraction(10) ** (math.floor(math.log10(middle)) + 1 - digits)
        first, last = math.floor(low / step) + 1, math.ceil(high / step) - 1
        if first <= last:
            return min(max(round(middle / float(step)), first), last) * step
    raise AssertionError("there is a decimal between any two numbers")
