"""What is known along a path of prices: rule sets, proofs at some prices, and what follows for the others.

For every single rule set, L is an affine function of the prices (C1, C2). The optimum, the least of
these functions over one and the same family of rule sets, is therefore concave: between two points
where it is known (or bounded from below), it is nowhere below the chord. Where the best rule set known
lies on a chord, it is optimal, and no solver is needed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from ooa.data.table import Table
from ooa.learning.certificate import Certificate, Count, Scope, count
from ooa.learning.problem import FitProblem
from ooa.learning.stock import Stock
from ooa.learning.verdict import Learned, by_counting
from ooa.objective import Objective
from ooa.rules.ruleset import RuleSet
from ooa.solving.solution import Termination

from .breakpoints import Piece, Ray, envelope

__all__ = ["KnownPath"]


class KnownPath:
    """Rule sets, and certificates of the points that were solved.

    Parameters
    ----------
    table : the training data
    start : a rule set to start from where none is known

    Attributes
    ----------
    interrupted : whether Ctrl-C ended it before all was solved
    """

    def __init__(self, table: Table, start: RuleSet | None = None) -> None:
        self._table, self._start = table, start
        self.stock, self.interrupted = Stock(), False
        self._models: dict[RuleSet, Count] = {}
        self._solved: dict[Objective, Certificate] = {}

    @property
    def n_solved(self) -> int:
        """The number of points that were solved."""
        return len(self._solved)

    def add(self, point: Objective, learned: Learned) -> None:
        """Take up a rule set that was learned, and its certificate."""
        self._solved[point] = learned.certificate
        if learned.certificate.feasible:
            self._models.setdefault(learned.rules, count(learned.rules, self._table, point))

    def add_empty(self, point: Objective) -> None:
        """Take up the empty rule set, as the best at a point where no pattern can pay."""
        rules = self._empty()
        self._models[rules] = count(rules, self._table, point)
        self._solved[point] = replace(self._by_counting(rules, point), termination=Termination.OPTIMAL)

    def best(self, point: Objective) -> RuleSet | None:
        """The best rule set known at a point, to start from."""
        if not self._models:
            return self._start
        return min(self._models, key=lambda rules: (self._value(rules, point), rules))

    def settled(self, point: Objective) -> bool:
        """Whether the best rule set known at a point is on a chord, and so optimal."""
        return bool(self._models) and point not in self._solved and self.unknown(point) <= 0

    def proved(self, point: Objective) -> bool:
        """Whether the best rule set known at a point is proved to be optimal there."""
        return self.answer(point)[1].proved

    def waiting(self, ray: Ray) -> list[Objective]:
        """The breakpoints along a ray that are neither solved nor settled, the least certain first.

        Where two rule sets that follow one another are equally good, and only there, a third one can be
        better than both without one of them being known to be beaten somewhere else.
        """
        places = [ray.at(piece.low) for piece in self.pieces(ray)[1:]]
        open_ones = [point for point in places if point not in self._solved and not self.settled(point)]
        return sorted(open_ones, key=lambda point: (-self.unknown(point), point.C1, point.C2))

    def unproved(self, points: Iterable[Objective]) -> list[Objective]:
        """Those of some points that were not solved, and without a proof."""
        return [point for point in points if point not in self._solved and not self.proved(point)]

    def unknown(self, point: Objective) -> Fraction:
        """How far the best value known at a point is above what chords, or counting, prove there."""
        best, chord = self.best(point), self._chord(point)
        assert best in self._models
        assert best is not None
        known = self._by_counting(best, point) if chord is None else chord.certificate
        bound = known.bound if chord is None else chord.bound
        return self._value(best, point) - bound - known.rounding

    def pieces(self, ray: Ray) -> list[Piece]:
        """The best rule sets known along a ray, from its low end to its high one."""
        return envelope(self._models, ray)

    def answer(self, point: Objective) -> tuple[RuleSet, Certificate]:
        """The best rule set known at a point, with the best bound known there."""
        rules = self.best(point) if self._models else self._empty()
        assert rules is not None
        known, chord = count(rules, self._table, point), self._chord(point)
        certificate = self._solved.get(point) or self._by_counting(rules, point, chord)
        if certificate.objective != known.objective:  # what was found there is beaten by another's rule set
            certificate = replace(certificate, pool=None, limits=(), claimed_by="")
        if chord is not None and chord.bound > certificate.bound:
            certificate = certificate.bounded_by(chord.certificate, chord.bound, "concavity")
        if not self._models:
            return rules, replace(certificate, feasible=False)
        return rules, certificate.of_rule_set(known)

    def _empty(self) -> RuleSet:
        negative, positive = self._table.labels
        return RuleSet([], self._table.target, positive, negative)

    def _by_counting(self, rules: RuleSet, point: Objective, chord: Chord | None = None) -> Certificate:
        """What is known about a rule set at a point without any solver."""
        ended = Termination.INTERRUPTED if chord is None else chord.certificate.termination
        return by_counting(FitProblem.of(self._table, point), rules, ended)

    def _value(self, rules: RuleSet, point: Objective) -> Fraction:
        known = self._models[rules]
        return point.value(known.errors, known.total, known.literals, known.patterns)

    def _chord(self, point: Objective) -> Chord | None:
        """The best bound from the chord between two solved points, and the weaker of their certificates."""
        ends = [(at, c) for at, c in self._solved.items() if at != point]
        best: Chord | None = None
        for (a, first), (b, second) in combinations(ends, 2):
            share = _share(a, b, point)
            if share is None:
                continue
            bound = (1 - share) * first.bound + share * second.bound
            if best is None or bound > best.bound:
                # All patterns up to a length is less than all patterns; lower prices meet more of them.
                weaker = max((first, -a.C1 - a.C2), (second, -b.C1 - b.C2), key=_weakness)[0]
                rounding = max(first.rounding, second.rounding)
                best = Chord(bound, replace(weaker, rounding=rounding))
        return best


class Chord(NamedTuple):
    """A bound from the chord between two points, and what is known at the weaker one."""

    bound: Fraction
    certificate: Certificate


def _weakness(end: tuple[Certificate, Fraction]) -> tuple[bool, Fraction]:
    return end[0].scope is not Scope.ALL, end[1]


def _share(a: Objective, b: Objective, point: Objective) -> Fraction | None:
    """Where a point lies between two others, from 0 to 1; None if it does not."""
    across = (b.C1 - a.C1, b.C2 - a.C2)
    along = (point.C1 - a.C1, point.C2 - a.C2)
    if across[0] * along[1] != across[1] * along[0]:
        return None
    share = along[0] / across[0] if across[0] else along[1] / across[1]
    return share if 0 <= share <= 1 else None
