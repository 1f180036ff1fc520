"""Boxes generated within a fit: a bound over all of them by a linear program that asks for the best one."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from ooa.clock import Deadline
from ooa.search.boxes import BoxSearch, RankBox
from ooa.search.branch_and_bound import MOST_PAIRS
from ooa.search.generation import Generation

from .state import Fit

__all__ = ["BoxGeneration"]

#: Up to this gap, what boxes are worth by the program's multipliers narrows families of them, too.
REDUCED = 0.2


class BoxGeneration:
    """The linear program over some boxes, of which more are generated as it asks for them.

    Parameters
    ----------
    fit : the fit in progress, without constraints
    boxes : what finds the box that is worth most
    worth : of each of its rows: what covering it gains, below 0 for negatives
    most : how many boxes a rule set has at most

    Attributes
    ----------
    ended : whether there is nothing left to do, as no box would lower the bound or nothing can be solved
    """

    def __init__(self, fit: Fit, boxes: BoxSearch, worth: NDArray[np.int64], most: int) -> None:
        self._fit, self._boxes, self._everything = fit, boxes, int(worth[worth > 0].sum())
        pairs = int((worth > 0).sum()) * int((worth < 0).sum())
        self.ended = not 0 < pairs <= MOST_PAIRS or not any(fit.policy.box_generation)
        params = fit.params.changed(time_limit=None, log=None, progress=None, options={}, confirm=False)
        self._search: Generation[RankBox] = Generation(boxes, worth, most, fit.solver, params)

    @property
    def bound(self) -> int:
        """What boxes gain at most, by the program alone."""
        return self._search.bound

    def chosen(self) -> list[RankBox]:
        """The boxes that the program's last solution has most of, as many as a rule set may have."""
        amount = self._search.chosen
        most = np.argsort(-amount, kind="stable")[: self._search.max_patterns].tolist()
        return [self._search.pool[k] for k in most if amount[k] > 0]

    def turn(
        self,
        start: Iterable[RankBox],
        needed: int,
        until: Deadline,
        improved: Callable[[int], None],
        rounds: int | None = None,
    ) -> None:
        """Go on until no set can gain more than is needed, nothing lowers the bound, or time is over.

        Parameters
        ----------
        start : boxes to begin with, or to add
        needed : no more is asked for than to exclude gains above this
        until : when to stop
        improved : called with what boxes gain at most, whenever less is known to be possible
        rounds : how often the program is solved at most, where there is a limit of time
        """
        fit, search = self._fit, self._search
        if self.ended or until.passed():
            return
        fit.log.line.update("a linear program, boxes generated as it asks for them")
        search.add(start)
        limited = fit.timing.deadline.limited
        rounds = rounds if limited else fit.policy.box_generation_rounds
        search.run(needed, until, lambda: improved(search.bound), rounds)
        self.ended = search.final or not limited
        if search.best is not None and search.bound - needed <= REDUCED * (self._everything - needed):
            self._boxes.reduce(search.best.values, search.best.given, search.most)
        fit.log.interrupted |= search.interrupted
        fit.timing.book("generation")
        fit.log.heed()
