"""Optimal replacement within a fit: better rule sets over all patterns where mining had to leave some out."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np

from ooa.candidates.candidates import Candidates
from ooa.candidates.generate import LiteralSet
from ooa.clock import Deadline, Patience
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet
from ooa.search.best_pattern import Items, PatternSearch
from ooa.search.replacement import Patterns, Replacement

from .conditions import asked_support
from .mine import longest_of
from .settings import OOAxSettings
from .state import Fit

__all__ = ["Replacing"]


class Replacing:
    """The turns of optimal replacement in one fit; what one of them searched for, the next ones know.

    Parameters
    ----------
    fit : the fit in progress, without constraints
    literals : what patterns are made of
    settings : what was asked for, without a filter
    """

    def __init__(self, fit: Fit, literals: LiteralSet, settings: OOAxSettings) -> None:
        self._fit, self._literals, self._settings = fit, literals, settings
        self._search: Replacement[Items] | None = None
        self._turns = 0

    def in_time(self) -> bool:
        """Whether there is time to lay out its literals."""
        left, policy = self._fit.timing.deadline.left(), self._fit.policy
        return left is None or self._literals.bits.size <= left * policy.literal_words_per_second

    def turn(self) -> Candidates:
        """Improve the best rule set of the fit, and return good patterns met on the way as candidates.

        The turn ends with its share of the time, or sooner, when it was in vain for as long as its last
        success took.
        """
        policy = self._fit.policy
        deadline = self._fit.timing.deadline.share_of_rest(policy.replace_share)
        patience = Patience(policy.replace_idle, 1.0, deadline.clock)
        patience.renew()
        self._run(replace(deadline, patience=patience), policy.replace_rounds, patience)
        assert self._search is not None
        return self._candidates(self._search.collected(policy.collected))

    def use_the_rest(self) -> None:
        """Improve the best rule set with all the time that is left, if there was a turn."""
        limited, made = self._fit.timing.deadline.limited, self._search is not None
        if self._turns and limited and not self._fit.over and (made or self.in_time()):
            self._run(self._fit.timing.deadline, None)

    def _run(self, deadline: Deadline, rounds: int | None, patience: Patience | None = None) -> None:
        fit = self._fit
        self._show()

        def offer(found: Patterns) -> None:
            fit.best.offer(RuleSet([self._pattern(items) for items in found]))
            self._show()
            if patience is not None:
                patience.renew()

        self._search = self._search or self._made()
        self._search.run(
            self._starts(),
            seed=fit.params.seed + self._turns,
            rounds=rounds,
            work=None if deadline.limited else fit.policy.replace_work,
            deadline=deadline,
            improved=offer,
        )
        self._turns += 1
        fit.log.interrupted |= self._search.interrupted
        fit.timing.book("replacement")

    def _show(self) -> None:
        best = self._fit.best.value
        known = "" if best is None else f", best {float(best):.5f}"
        self._fit.log.line.update(f"one pattern after the other is replaced by the best there is{known}")

    def _made(self) -> Replacement[Items]:
        """The search, in the units of the objective's grid."""
        problem, least = self._fit.problem, asked_support(self._fit, self._settings)
        positive, negative = (weights.astype(np.int64) for weights in problem.in_steps())
        price = problem.prices_in_steps(longest_of(self._settings, problem.rows))
        steps = math.ceil(Fraction(least) / problem.step)
        patterns = PatternSearch(self._literals, positive, negative, price, steps)
        return Replacement(patterns, positive, negative, problem.max_patterns)

    def _starts(self) -> list[Patterns]:
        """The best rule set known, if it is made of these literals."""
        number = {literal: k for k, literal in enumerate(self._literals.literals)}
        rules = self._fit.best.rules
        if not all(literal in number for pattern in rules for literal in pattern):
            return []
        return [tuple(tuple(sorted(number[literal] for literal in pattern)) for pattern in rules)]

    def _pattern(self, items: Items) -> Pattern:
        return Pattern(self._literals.literals[k] for k in items)

    def _candidates(self, patterns: list[Items]) -> Candidates:
        """Patterns with their coverage."""
        longest = max((len(items) for items in patterns), default=1)
        items = np.full((len(patterns), longest), -1, dtype=np.int32)
        for k, one in enumerate(patterns):
            items[k, : len(one)] = one
        return Candidates.over(self._literals.literals, self._literals.bits, items, self._fit.problem.rows)
