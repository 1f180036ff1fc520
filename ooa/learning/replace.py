"""Optimal replacement within a fit: better rule sets over all patterns where mining had to leave some out."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np

from ooa.candidates.candidates import Candidates
from ooa.candidates.generate import LiteralSet
from ooa.clock import Deadline, Patience
from ooa.kernels.availability import compiled
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet
from ooa.search.best_pattern import Items, PatternSearch
from ooa.search.branch_and_bound import MOST_UNITS
from ooa.search.replacement import Patterns, Replacement

from .conditions import asked_support
from .mine import longest_of
from .settings import OOAxSettings
from .state import Fit

__all__ = ["Replacing", "replaceable"]


def replaceable(fit: Fit, settings: OOAxSettings) -> bool:
    """Whether single patterns can be searched for: compiled, on the grid, no constraint and no filter."""
    problem, without = fit.problem, {"incumbent", "replacement"}.intersection(settings.without)
    units = problem.total / problem.step * problem.rows.n_rows * (problem.most_patterns(fit.best.upper) or 1)
    barred = bool(fit.best.problem.constraints) or settings.keep is not None or bool(without)
    return compiled() and units <= MOST_UNITS and not barred


class Replacing:
    """The turns of optimal replacement in one fit; what one of them searched for, the next ones know.

    Parameters
    ----------
    fit : the fit in progress, without constraints
    literals : what patterns are made of
    settings : what was asked for, without a filter

    Attributes
    ----------
    literals, settings : the same
    turns : how many there were
    """

    def __init__(self, fit: Fit, literals: LiteralSet, settings: OOAxSettings) -> None:
        self._fit, self.literals, self.settings = fit, literals, settings
        self._finder: PatternSearch | None = None
        self._search: Replacement[Items] | None = None
        self.turns = self._runs = 0

    def in_time(self) -> bool:
        """Whether there is time to lay out its literals."""
        left, policy = self._fit.timing.deadline.left(), self._fit.policy
        return left is None or self.literals.bits.size <= left * policy.literal_words_per_second

    def turn(self, *, brief: bool = False) -> Candidates:
        """Improve the best rule set of the fit, and return good patterns met on the way as candidates.

        The turn ends with its share of the time, or sooner, when it was in vain for as long as its last
        success took, or for some time at least. That is shorter if it is to be `brief`: as the proof, which
        finds what is better, may be near.
        """
        self.look(brief=brief)
        self.turns += 1
        return self.found()

    def look(self, *, brief: bool = True) -> None:
        """A turn that does not count: maybe all patterns can be listed after all."""
        policy = self._fit.policy
        deadline = self._fit.timing.deadline.share_of_rest(policy.replace_share)
        patience = Patience(policy.look_idle if brief else policy.replace_idle, 1.0, deadline.clock)
        patience.renew()
        self._run(replace(deadline, patience=patience), policy.replace_rounds, patience)

    def found(self) -> Candidates:
        """Good patterns met on the way."""
        return self.candidates(self.collected(self._fit.policy.collected))

    def finder(self) -> PatternSearch:
        """What finds single patterns, in the units of the objective's grid."""
        if self._finder is None:
            problem, least = self._fit.problem, asked_support(self._fit, self.settings)
            positive, negative = (weights.astype(np.int64) for weights in problem.in_steps())
            price = problem.prices_in_steps(longest_of(self.settings, problem.rows))
            steps = math.ceil(Fraction(least) / problem.step)
            self._finder = PatternSearch(self.literals, positive, negative, price, steps)
        return self._finder

    def collected(self, most: int) -> list[Items]:
        """The patterns of the best rule set, if they are of these literals, and good ones met on the way."""
        met = [] if self._search is None else self._search.collected(most)
        return list(dict.fromkeys([*(items for start in self._starts() for items in start), *met]))[:most]

    def spend(self, deadline: Deadline, work: int) -> None:
        """Improve the best rule set with so much work, or until then, or until many kicks in a row failed."""
        self._run(deadline, self._fit.policy.replace_rounds, work=work)

    def use_the_rest(self) -> None:
        """Improve the best rule set with all the time that is left, if there was a turn."""
        limited, made = self._fit.timing.deadline.limited, self._search is not None
        if self.turns and limited and not self._fit.over and (made or self.in_time()):
            self._run(self._fit.timing.deadline, None)

    def _run(
        self,
        deadline: Deadline,
        rounds: int | None,
        patience: Patience | None = None,
        work: int | None = None,
    ) -> None:
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
            seed=fit.params.seed + self._runs,
            rounds=rounds,
            work=fit.policy.replace_work if work is None and not deadline.limited else work,
            deadline=deadline,
            improved=offer,
        )
        self._runs += 1
        fit.log.interrupted |= self._search.interrupted
        fit.timing.book("replacement")

    def _show(self) -> None:
        best = self._fit.best.value
        known = "" if best is None else f", best {float(best):.5f}"
        self._fit.log.line.update(f"replacing one pattern at a time by the best{known}")

    def _made(self) -> Replacement[Items]:
        problem = self._fit.problem
        positive, negative = (weights.astype(np.int64) for weights in problem.in_steps())
        return Replacement(self.finder(), positive, negative, problem.max_patterns)

    def _starts(self) -> list[Patterns]:
        """The best rule set known, if it is made of these literals and no pattern is too long."""
        rows, rules = self._fit.problem.rows, self._fit.best.rules
        if any(len(pattern) > longest_of(self.settings, rows) for pattern in rules):
            return []
        number = {one: self.literals.place_of(one, rows) for pattern in rules for one in pattern}
        places = [[number[literal] for literal in pattern] for pattern in rules]
        known = [tuple(sorted(k for k in one if k is not None)) for one in places]
        return [] if any(None in one for one in places) else [tuple(known)]

    def _pattern(self, items: Items) -> Pattern:
        return Pattern(self.literals.literals[k] for k in items)

    def candidates(self, patterns: list[Items]) -> Candidates:
        """Patterns with their coverage."""
        longest = max((len(items) for items in patterns), default=1)
        items = np.full((len(patterns), longest), -1, dtype=np.int32)
        for k, one in enumerate(patterns):
            items[k, : len(one)] = one
        return Candidates.over(self.literals.literals, self.literals.bits, items, self._fit.problem.rows)
