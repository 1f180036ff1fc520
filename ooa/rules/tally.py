"""What a rule set does on some rows, and each of its patterns: counted in rows, or by weight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .confusion import Confusion

if TYPE_CHECKING:
    from .pattern import Pattern
    from .ruleset import RuleSet

__all__ = ["PatternFigures", "Tally"]


@dataclass(frozen=True)
class PatternFigures:
    """What one pattern does; `only_` counts the rows that no other pattern covers."""

    pattern: Pattern
    confusion: Confusion
    only_found: float
    only_alarms: float

    @property
    def support(self) -> float:
        """The rows it covers."""
        return self.confusion.flagged

    @property
    def alone(self) -> float:
        """The rows that it covers and no other pattern does."""
        return self.only_found + self.only_alarms

    @property
    def saves(self) -> float:
        """By how much the errors of the rule set would grow without this pattern."""
        return self.only_found - self.only_alarms


@dataclass(frozen=True)
class Tally:
    """What the rules do on some rows, counted in one way: every row as one, or for what it weighs.

    Attributes
    ----------
    confusion : of the rule set
    patterns : one entry per pattern, in order
    name : what rows these are, and how they were counted

    Examples
    --------
    >>> from ooa.rules.ruleset import RuleSet
    >>> rules = RuleSet.parse("x >= 2 OR y >= 2")
    >>> holds, positive = rules.covers({"x": [2, 2, 0], "y": [2, 0, 0]}), np.array([True, False, True])
    >>> tally = Tally.of(rules, holds, positive, np.ones(3))
    >>> tally.confusion.errors, [one.support for one in tally.patterns], [one.saves for one in tally.patterns]
    (2.0, [2.0, 1.0], [-1.0, 0.0])
    """

    confusion: Confusion
    patterns: tuple[PatternFigures, ...]
    name: str = ""

    @classmethod
    def of(
        cls,
        rules: RuleSet,
        holds: NDArray[np.bool_],
        positive: NDArray[np.bool_],
        counts: NDArray[Any],
        name: str = "",
    ) -> Tally:
        """Count rows.

        Parameters
        ----------
        rules : the rule set
        holds : for each row and each pattern, whether it holds
        positive : for each row, whether it is positive
        counts : what each row counts for
        name : what rows these are, and how they are counted
        """
        once = holds.sum(axis=1) == 1
        patterns = []
        for k, pattern in enumerate(rules):
            whole = Confusion.of(holds[:, k], positive, counts)
            alone = Confusion.of(holds[:, k] & once, positive, counts)
            patterns.append(PatternFigures(pattern, whole, alone.found, alone.alarms))
        fires: NDArray[np.bool_] = np.asarray(holds.any(axis=1))
        return cls(Confusion.of(fires, positive, counts), tuple(patterns), name)
