"""Good rule sets over a large language: rounds of optimal replacement over it and over smaller ones."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from ooa.candidates.candidates import Candidates
from ooa.candidates.generate import LiteralSet
from ooa.clock import Deadline
from ooa.logs import logger

from .conditions import literals_of
from .improve import local_search
from .replace import Replacing, replaceable
from .settings import OOAxSettings
from .smaller import Smaller, looked_at_first
from .state import Fit

__all__ = ["Rounds", "begun_rounds", "rounds_of"]


def rounds_of(fit: Fit, literals: LiteralSet, settings: OOAxSettings, replacing: Replacing) -> Rounds | None:
    """The rounds of a fit, if there are smaller languages, and single patterns can be searched for."""
    if not replaceable(fit, settings):
        return None
    smaller = looked_at_first(fit.problem.rows, literals, settings)
    return Rounds(fit, literals, replacing, smaller) if smaller else None


def begun_rounds(
    fit: Fit, literals: LiteralSet, settings: OOAxSettings, replacing: Replacing
) -> Rounds | None:
    """The rounds of a fit, if there are any, after the early ones."""
    rounds = rounds_of(fit, literals, settings, replacing)
    if rounds is not None:
        rounds.early()
    return rounds


class Rounds:
    """Replacement over languages in turn, from small to large, in rounds that grow.

    In a smaller language a search for a pattern takes less time, in a larger one more can be said; each
    begins with the best rule set that any has found. A language has a turn in each round once all smaller
    ones had one more, and a turn has twice the work of one in the round before. Turns are by work and not by
    time, so that what a fit does first does not depend on how much time it has: one with more time goes the
    same way, and further.

    Parameters
    ----------
    fit : the fit in progress, without constraints
    literals : what patterns of the language asked for are made of
    replacing : replaces patterns in that language
    smaller : the languages before it
    """

    def __init__(
        self, fit: Fit, literals: LiteralSet, replacing: Replacing, smaller: Sequence[Smaller]
    ) -> None:
        self._fit, self._literals, self._replacing = fit, literals, replacing
        self._smaller = tuple(smaller)
        self._turns: list[Replacing | None] = []
        self._round = 0

    def early(self) -> None:
        """Rounds with a share of the time, until one of them brings nothing in any language."""
        fit = self._fit
        until = fit.timing.deadline.share_of_rest(fit.policy.rounds_share)
        while not self._over(until) and (self._one(until) or not self._all_there):
            pass
        fit.timing.begin_anew()
        fit.log.heed()

    def use_the_rest(self) -> None:
        """Rounds with all the time that is left."""
        until = self._fit.timing.deadline
        while until.limited and not self._over(until):
            self._one(until)
            if self._all_there and not any(self._turns):
                break  # there is no language that there is time for: more rounds would do nothing
        self._fit.log.heed()

    @property
    def _all_there(self) -> bool:
        return len(self._turns) > len(self._smaller)

    def _over(self, until: Deadline) -> bool:
        return self._fit.over or until.passed()

    def _one(self, until: Deadline) -> bool:
        """One round; whether it brought anything."""
        fit, before, times = self._fit, self._fit.best.value, 2**self._round
        if not self._all_there:
            self._turns.append(self._next(until))
        for number, turn in enumerate(self._turns):
            if turn is not None and not self._over(until):
                share = 1 / (len(self._smaller) + 1 - number)
                turn.spend(until.share_of_rest(share), times * fit.policy.round_work)
        self._round += 1
        self._combine(until)
        return fit.best.value != before

    def _combine(self, until: Deadline) -> None:
        """Rule sets of good patterns that were met in any of the languages."""
        fit, met = self._fit, [turn.found() for turn in self._turns if turn is not None]
        if met and not self._over(until):
            local_search(fit, reduce(Candidates.joined, met), until.share_of_rest(fit.policy.search_share))
            fit.timing.book("incumbent")

    def _next(self, until: Deadline) -> Replacing | None:
        """The next larger language, if there is time for it and it is not the same as another."""
        fit, number = self._fit, len(self._turns)
        if number == len(self._smaller):
            return self._replacing if self._replacing.in_time() else None
        smaller, literals = self._smaller[number], self._literals
        logger.info("plan: first %s", smaller.words)
        if smaller.fewer:
            deadline = until.share_of_rest(fit.policy.literals_share)
            literals = literals_of(smaller.settings, fit.problem, deadline)
            fit.timing.book("literals")
        shorter = smaller.settings.max_length != self._replacing.settings.max_length
        same = len(literals) >= len(self._literals) and not shorter
        if same or not len(literals) or literals.note:  # labels need not ask for any cut
            return None
        replacing = Replacing(fit, literals, smaller.settings)
        return replacing if replacing.in_time() else None
