"""What a proof on rows drawn at random says about all rows: Hoeffding's inequality over a whole language.

Let n rows be drawn at random, without looking at them, and let a language have M rule sets, fixed before. By
Hoeffding's inequality, which holds for drawing without putting back as well, the share of errors of one rule
set on the drawn rows is above that on all rows by eps or more with a probability of exp(-2 n eps^2) at most,
so for any of the M with one of M exp(-2 n eps^2) at most. That is 1 - confidence for

    eps = sqrt(ln(M / (1 - confidence)) / (2 n)).

The price of a rule set does not depend on rows, so the same holds for L, and where no rule set of the
language has an L below b on the drawn rows, none has one below b - eps on all rows, with that confidence.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ooa.candidates.cutpoints import Cut
from ooa.data.columns import Column
from ooa.theory.capacity import rule_sets

__all__ = ["Language", "hoeffding"]


@dataclass(frozen=True)
class Language:
    """How many conditions there are, from what was known before rows were drawn.

    Attributes
    ----------
    cuts : of each numeric column, how many
    categories : of each other column, how many; levels of ordered ones are categories as well
    """

    cuts: tuple[int, ...]
    categories: tuple[int, ...]

    @classmethod
    def of(cls, columns: Sequence[Column], cuts: dict[str, list[Cut]]) -> Language:
        """The language of columns that are cut like this."""
        numeric = [one for one in columns if one.kind == "numeric" and not one.levels]
        return cls(
            tuple(len(cuts[one.name]) for one in numeric),
            tuple(max(len(one.names), 1) for one in columns if one not in numeric),
        )

    def literals(self, *, ranges: bool = False, negations: bool = False, sets: int = 1) -> int:
        """At least as many conditions as `ooa.candidate_literals` makes, "is missing" among them.

        Examples
        --------
        >>> Language(cuts=(3,), categories=(4,)).literals()
        20
        """
        found = 0
        for number in self.cuts:
            found += 2 * number + 1 + (number * number if ranges else 0)
        for number in self.categories:  # equal to one, and of levels those on either side of one
            several = sum(math.comb(number, size) for size in range(2, min(sets, number) + 1))
            found += 3 * number + 1 + several
            found += number + several if negations else 0
            found += number * number if ranges else 0
        return found

    def rule_sets(self, max_patterns: int, max_length: int, **options: Any) -> int:
        """At least as many rule sets as there are within limits; for the options see `literals`.

        Examples
        --------
        >>> Language(cuts=(1,), categories=()).rule_sets(1, 2)
        7
        """
        literals = self.literals(**options)
        patterns = sum(math.comb(literals, size) for size in range(1, max_length + 1))
        return rule_sets(patterns, max_patterns)


def hoeffding(n_rows: int, n_rule_sets: int, confidence: float = 0.95) -> float:
    """By how much L may be lower on all rows than on so many drawn at random, for each of so many rule sets.

    Examples
    --------
    >>> round(hoeffding(100_000, 1), 4), round(hoeffding(100_000, 10**30), 4)
    (0.0039, 0.019)
    """
    return math.sqrt((math.log(n_rule_sets) - math.log(1 - confidence)) / (2 * n_rows))
