"""A stock of patterns that are mined once for several fits over the same rows, such as those of a path.

Theorem 2 asks a pattern to cover more positives the dearer literals and patterns are. So what is mined at one
pair of prices has everything that an optimal rule set can have there, and at all prices that are no lower:
there one leaves out what covers too few, and nothing that would have been mined is missing.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ooa.data.table import Table

from .conditions import asked_support, literals_of
from .mine import Mining, least_supports, mine_patterns, mining_budget
from .problem import FitProblem
from .settings import OOAxSettings
from .state import Fit

__all__ = ["Stock"]


class Stock:
    """What fits over one and the same table have mined, for those that follow.

    All of them must be told the same but for prices, start, time and policy.

    Examples
    --------
    >>> from ooa.datasets import monks
    >>> from ooa.data.table import Table
    >>> from ooa.learning.ooax import learn_ooax
    >>> data, stock = monks(1), Stock()
    >>> table = Table.from_any(data.X, data.y)
    >>> low, high = (learn_ooax(table, C1=C, C2=C, stock=stock) for C in (0.001, 0.02))
    >>> low.certificate.counts["mined"], high.certificate.counts["mined"]
    (557, 73)
    """

    def __init__(self) -> None:
        self._kept: tuple[FitProblem, Mining] | None = None

    def fill(self, table: Table, settings: OOAxSettings) -> bool:
        """Mine for all fits that are to come, at prices no lower than these, within these seconds in all.

        If there are too many patterns, or it would take too long, every fit sees to itself. Ctrl-C is no
        exception: what is returned is whether to go on.
        """
        fit = Fit.of(table, settings)
        with fit.log.line, fit.log.interruptible():
            literals, least = literals_of(settings, fit.problem), least_supports(fit, settings)
            budget, left = mining_budget(fit, settings), fit.timing.deadline.left()
            with fit.timing.within(None if left is None else fit.policy.stock_share * left):
                self.add(fit, mine_patterns(fit, literals, settings, least, budget, all_or_none=True))
        return not fit.log.interrupted

    def add(self, fit: Fit, mined: Mining) -> None:
        """Keep what a fit has mined, if that is all there is."""
        if mined.complete:
            self._kept = fit.problem, mined

    def take(self, fit: Fit, settings: OOAxSettings) -> Mining | None:
        """What a fit would mine; None if it has to do so itself."""
        if self._kept is None or not _serves(self._kept[0], fit.problem):
            return None
        mined = self._kept[1]
        least = np.maximum(least_supports(fit, settings), asked_support(fit, settings))
        chosen = mined.candidates.take(mined.candidates.positive >= least[mined.candidates.length])
        return replace(mined, candidates=chosen, longest=int(chosen.length.max(initial=0)))


def _serves(problem: FitProblem, other: FitProblem) -> bool:
    """Whether what was mined for one problem is enough for another: equal rows, and prices no lower."""
    rows, others = problem.rows, other.rows
    equal = np.array_equal(rows.positive, others.positive) and np.array_equal(rows.negative, others.negative)
    dearer = other.objective.C1 >= problem.objective.C1 and other.objective.C2 >= problem.objective.C2
    return equal and dearer
