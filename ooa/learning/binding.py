"""Limits that bind: by how much L would fall at least if one more pattern, or a longer one, were allowed.

What is found by adding to the rule set at hand is a rule set too, so its value is a fact and not a guess; the
optimum under the wider limit may be lower still.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from ooa.candidates.candidates import Candidates, prices
from ooa.candidates.generate import LiteralSet
from ooa.data.bitsets import pack, weighted_count
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet
from ooa.search.local_search import LocalSearch

from .wording import PYTHON, Wording

if TYPE_CHECKING:
    from .problem import FitProblem

__all__ = ["BindingLimit", "length_limit", "patterns_limit"]

#: Patterns that are added at most to see what a limit on their number costs.
_MOST_ADDED = 30


@dataclass(frozen=True)
class BindingLimit:
    """A limit of the user's that keeps the rule set from being better.

    Attributes
    ----------
    option : its name
    wider : a value at which a better rule set is known
    gain : by how much L is lower there, at least
    """

    option: str
    wider: int
    gain: Fraction

    def sentence(self, wording: Wording = PYTHON) -> str:
        """Say it, with what to do.

        Examples
        --------
        >>> BindingLimit("max_patterns", 12, Fraction(3, 100)).sentence()
        'a limit binds: with max_patterns=12, L would fall by at least 0.03'
        """
        wider = wording.option(self.option, self.wider)
        return f"a limit binds: with {wider}, L would fall by at least {float(self.gain):.3g}"


def patterns_limit(
    problem: FitProblem, rules: RuleSet, candidates: Candidates, work: int
) -> BindingLimit | None:
    """What more patterns would bring, by a short local search that may use more of them.

    Parameters
    ----------
    problem, rules : what was to be learned, and what was
    candidates : patterns to choose from
    work : how many words of coverage the search may go through
    """
    most = problem.max_patterns
    if most is None or len(rules) < most:
        return None
    among = candidates.joined(Candidates.of_patterns(problem.rows, rules))
    price = prices(among, problem.objective, problem.total)
    search = LocalSearch(among.bits, problem.rows.positive, problem.rows.negative, price, most + _MOST_ADDED)
    known = tuple(k for pattern in rules if (k := among.find(pattern)) is not None)
    grown = RuleSet([among.pattern(k) for k in search.run(known, rounds=0, work=work)])
    return _limit(problem, "max_patterns", len(grown), rules, grown)


def length_limit(
    problem: FitProblem, rules: RuleSet, literals: LiteralSet, longest: int | None
) -> BindingLimit | None:
    """What longer patterns would bring: those of the greatest length get one more literal where it pays."""
    if longest is None or not len(literals):
        return None
    rows, grown = problem.rows, list(rules)
    price = float(problem.objective.C1 * problem.total)
    names = np.array([literal.attribute for literal in literals.literals])
    for k, pattern in enumerate(grown):
        if len(pattern) < longest:
            continue
        rest = RuleSet([other for i, other in enumerate(grown) if i != k])
        alone = _cover(problem, RuleSet([pattern])) & ~_cover(problem, rest)
        lost = alone & ~literals.bits
        saved = weighted_count(lost, rows.negative) - weighted_count(lost, rows.positive) - price
        saved[np.isin(names, [literal.attribute for literal in pattern])] = -np.inf
        best = int(np.argmax(saved))
        if saved[best] > 0:
            grown[k] = Pattern([*pattern, literals.literals[best]])
    return _limit(problem, "max_length", longest + 1, rules, RuleSet(grown))


def _cover(problem: FitProblem, rules: RuleSet) -> np.ndarray:
    """The distinct rows on which some pattern holds, as bits."""
    return pack(rules.covers(problem.rows.as_frame()).any(axis=1))


def _limit(
    problem: FitProblem, option: str, wider: int, rules: RuleSet, grown: RuleSet
) -> BindingLimit | None:
    """The limit, if what was found beyond it is better by the exact count and meets the constraints."""
    gain = problem.value(rules) - problem.value(grown)
    return BindingLimit(option, wider, gain) if gain > 0 and not problem.violated(grown) else None
