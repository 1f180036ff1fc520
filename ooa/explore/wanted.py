"""What an enumeration is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ooa.errors import OptionError
from ooa.learning.settings import OOAxSettings
from ooa.objective import exact

__all__ = ["Distance", "Wanted"]


@dataclass(frozen=True)
class Distance:
    """How far above the best: an amount, or a share of what the best is worth.

    Examples
    --------
    >>> Distance.of("5%").from_best(Fraction(1, 2)), Distance.of(0.1).from_best(Fraction(1, 2))
    (Fraction(1, 40), Fraction(1, 10))
    """

    amount: Fraction
    relative: bool = False

    @classmethod
    def of(cls, within: Any) -> Distance | None:
        """What a user typed; None stays None."""
        if within is None:
            return None
        if isinstance(within, str) and within.rstrip().endswith("%"):
            try:
                return cls(exact(within.rstrip()[:-1], "within") / 100, relative=True)
            except OptionError:
                raise OptionError(
                    f"within must be a number >= 0, or a percentage such as '5%', not {within!r:.200}"
                ) from None
        return cls(exact(within, "within"))

    def from_best(self, best: Fraction | None) -> Fraction:
        """As an amount; of a best that is not known, which is 1 at most, it is the most that it can be."""
        return self.amount * (Fraction(1) if best is None else best) if self.relative else self.amount


@dataclass(frozen=True)
class Wanted:
    """What is to be listed: at most `n` rule sets, up to `within` above the best, by prediction or not.

    With `lean`, those that only add a redundant pattern are left out. `sample` are drawn from all there are.
    """

    settings: OOAxSettings
    n: int | None
    within: Fraction | None
    distinct: bool
    lean: bool
    sample: int = 0
