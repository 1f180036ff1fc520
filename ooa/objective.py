"""The objective L(A) = errors / N + C1 * literals + C2 * patterns, exactly.

Numbers the user types are taken as the decimals they look like (0.1 is one tenth), weights as the
binary fractions they are, so that two rule sets can be compared and a proof stated without rounding.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from numbers import Rational
from typing import Any

import numpy as np
import numpy.typing as npt

from .errors import OptionError

#: Numbers end where floats do.
_MOST = 10**309
#: Sums count in steps as long as the largest part is at most so many of them.
MOST_STEPS = 10**6
#: Where so few values are among so many weights, the others are compared with them.
_FEW, _LOOKED_AT = 4, 1000


def exact(value: Any, name: str) -> Fraction:
    """The number a user typed, as a fraction: `exact(0.1)` is 1/10, not the nearest binary number.

    Examples
    --------
    >>> exact(0.005, "C1"), exact("1/3", "C1")
    (Fraction(1, 200), Fraction(1, 3))
    """
    try:
        if isinstance(value, bool):
            raise ValueError
        if isinstance(value, np.integer):  # as a Rational it would stay 64 bits wide, and overflow
            number = Fraction(int(value))
        elif isinstance(value, (Rational, Decimal, str)):
            number = Fraction(value)
        elif isinstance(value, (float, np.floating)):
            number = Fraction(str(value))
        else:
            raise ValueError
    except (ValueError, OverflowError, ZeroDivisionError):
        raise OptionError(f"{name} must be a number >= 0, not {value!r:.200}") from None
    if not 0 <= number < _MOST:
        raise OptionError(f"{name} must be a number >= 0, not {value!r:.200}")
    return number


def exact_sum(weights: npt.NDArray[np.float64]) -> Fraction:
    """Sum of weights without rounding.

    Examples
    --------
    >>> exact_sum(np.array([1e16, 1.0, -1e16]))
    Fraction(1, 1)
    """
    most = float(np.abs(weights).max(initial=0.0))
    if most * len(weights) < 2.0**53 and (weights == np.floor(weights)).all():
        return Fraction(int(weights.sum()))  # as mostly: no partial sum is rounded
    # Whole mantissas per power of two, in two halves whose sums stay exact floats (for 2**26 weights).
    mantissa, exponent = np.frexp(weights)
    digits = (mantissa * 2.0**53).astype(np.int64)
    powers, group = np.unique(exponent, return_inverse=True)
    high, low = (np.bincount(group, half) for half in (digits >> 26, digits & (2**26 - 1)))
    sums = ((int(h) << 26) + int(rest) for h, rest in zip(high, low))
    return sum((s * Fraction(2) ** (int(p) - 53) for s, p in zip(sums, powers)), Fraction(0))


def distinct_values(weights: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The different numbers among weights, in ascending order: without sorting all where they are few.

    Examples
    --------
    >>> distinct_values(np.array([1.0, 0.0, 1.0, 0.0])).tolist()
    [0.0, 1.0]
    """
    some = np.unique(weights[:_LOOKED_AT])
    if len(some) <= _FEW:
        known = np.zeros(len(weights), dtype=bool)
        for value in some:
            known |= weights == value
        if known.all():
            return some
    return np.unique(weights)


@dataclass(frozen=True)
class Objective:
    """The two prices of complexity, and everything that follows from them alone.

    Parameters
    ----------
    C1 : share of training errors one literal must save
    C2 : share of training errors one pattern must save

    Examples
    --------
    >>> objective = Objective.of(0.001, 0.002)
    >>> objective.cost(3)
    Fraction(1, 200)
    >>> objective.value(errors=10, total=100, literals=4, patterns=2)
    Fraction(27, 250)
    """

    C1: Fraction
    C2: Fraction

    @classmethod
    def of(cls, C1: Any, C2: Any) -> Objective:
        """Make one from numbers as the user typed them.

        Parameters
        ----------
        C1, C2 : price of a literal and of a pattern, as shares of the rows
        """
        return cls(exact(C1, "C1"), exact(C2, "C2"))

    def cost(self, length: int) -> Fraction:
        """Price c(z) of a pattern with so many literals."""
        return self.C1 * int(length) + self.C2

    def value(self, errors: Fraction | int, total: Fraction | int, literals: int, patterns: int) -> Fraction:
        """L(A) from the counts.

        Parameters
        ----------
        errors : weight of the rows that are predicted wrongly
        total : weight of all rows
        literals, patterns : how many the rule set has
        """
        return Fraction(errors) / Fraction(total) + self.C1 * int(literals) + self.C2 * int(patterns)

    def grid(self, total: Fraction, weights: Iterable[float]) -> Fraction:
        """A step that every value of `total * L(A)` is a multiple of.

        It is the greatest common divisor of the weights and of `total` times both prices.

        Parameters
        ----------
        total : weight of all rows
        weights : of the rows

        Examples
        --------
        >>> Objective.of(0.01, 0.01).grid(Fraction(1372), [1.0])
        Fraction(1, 25)
        """
        values = np.unique(np.fromiter(weights, dtype=np.float64))
        if (values == np.floor(values)).all() and (values < 2.0**53).all():  # as mostly: at once
            step = Fraction(int(np.gcd.reduce(values.astype(np.int64), initial=0)))
            values = values[:0]
        else:
            step = Fraction(0)
        for part in (*map(Fraction, values.tolist()), total * self.C1, total * self.C2):
            step = _gcd(step, part)
        return step


def common_step(values: list[Fraction], least: Fraction) -> Fraction | None:
    """The largest step that all values are multiples of, or None if it is below `least`.

    Examples
    --------
    >>> common_step([Fraction(1, 2), Fraction(3, 4)], Fraction(1, 100))
    Fraction(1, 4)
    """
    step = Fraction(0)
    for value in values:
        bottom = math.lcm(step.denominator, value.denominator)
        step = Fraction(math.gcd(int(step * bottom), int(value * bottom)), bottom)
        if step < least:
            return None
    return step


def round_down(value: Fraction) -> float:
    """The largest float not above a fraction: thresholds rounded this way never exclude too much."""
    try:
        number = float(value)
    except OverflowError:
        return sys.float_info.max if value > 0 else -math.inf
    return number if Fraction(number) <= value else math.nextafter(number, -math.inf)


def round_up(value: Fraction) -> float:
    """The smallest float not below a fraction."""
    return -round_down(-value)


def _gcd(a: Fraction, b: Fraction) -> Fraction:
    return Fraction(
        math.gcd(a.numerator * b.denominator, b.numerator * a.denominator), a.denominator * b.denominator
    )
