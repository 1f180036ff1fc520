"""Generation: a bound over all patterns of a language, which are priced and not listed.

Where patterns are too many to be listed, the linear program with pair cuts (`ooa.search.pair_program`) has
some of them, and its multipliers say what a pattern has to be like for the program to gain from it. The best
such pattern *of all there are* is found exactly: with multipliers e_p of the positives and a_pr of the pairs
a pattern is worth

    the sum of e_p + sum_r a_pr over its positives p, less the a_pr of the pairs it covers both rows of,
    less its price,

which is a search for the best single pattern (`PatternSearch.most_valuable`) with pairs as rows that count
against it. No K patterns gain more than

    sum_p max(0, w_p - e_p - sum_r a_pr)  +  sum_r max(0, sum_p a_pr - w_r)  +  K times the worth of the best,

whatever the multipliers, so a bound holds for all patterns in every round; docs/formulation.md has the proof.
Multipliers are rounded to whole units first, so that nothing depends on a solver's tolerances.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import count
from typing import Generic, Protocol

import numpy as np
from numpy.typing import NDArray

from ooa.clock import NEVER, Deadline
from ooa.errors import OOAError
from ooa.logs import logger
from ooa.solving.backend import Backend
from ooa.solving.params import SolveParams

from .best_pattern import AnyItems, FoundPattern, Integers, RowValues

__all__ = ["Generation", "Multipliers"]

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]

#: Into so many parts the weight of an average row is divided by multipliers.
PARTS = 32
#: Share of the multipliers of the best bound in those that patterns are priced by: they swing less.
KEPT = 0.5
#: Cuts that join the program in a round at most: a quarter as many as there are rows, but not below this.
FEW_CUTS = 50
#: Patterns that join the program in a round at most.
JOINING = 40
#: Share of the time left that one search for a pattern may take.
ONE_SEARCH = 0.3


class Pricer(Protocol[AnyItems]):
    """What finds the pattern that is worth most: `PatternSearch`."""

    def covers(self, items: AnyItems, /) -> NDArray[np.bool_]:
        """Which rows a pattern holds for."""

    def price(self, items: AnyItems, /) -> int:
        """What a pattern costs."""

    def most_valuable(
        self, values: RowValues, known: int, go_on: Callable[[], bool]
    ) -> FoundPattern[AnyItems]:
        """Return the pattern that is worth most, if that is more than what is known, and a bound on it."""


@dataclass(frozen=True)
class Multipliers:
    """Multipliers in whole units, and what follows from them.

    Attributes
    ----------
    values : what patterns are worth by them
    given : what is gained at most beside the worth of patterns
    """

    values: RowValues
    given: int

    def threshold(self, gain: int, most: int, patterns: int) -> int:
        """The least worth of every pattern in a set of at most so many that gains as much.

        No pattern is worth more than `most`.
        """
        return self.values.scale * gain - self.given - (patterns - 1) * max(0, most)


class Generation(Generic[AnyItems]):
    """A bound on what sets of at most so many patterns gain, with patterns generated as they are needed.

    Parameters
    ----------
    patterns : what finds the pattern that is worth most
    worth : of each row: what covering it gains, below 0 for negatives, whole numbers
    max_patterns : most patterns in a set
    solver, params : solve the linear programs

    Attributes
    ----------
    max_patterns : the same
    bound : no set gains more
    pool : the patterns that were generated or given
    best : the multipliers of the bound, once there is one
    most : no pattern is worth more by them
    final : whether nothing is left that would lower the bound
    interrupted : whether Ctrl-C ended it

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from ooa.data.bitsets import pack
    >>> from ooa.search.best_pattern import PatternSearch
    >>> from ooa.solving.registry import get_backend
    >>> x, y = np.arange(8) % 4, np.arange(8) // 4
    >>> bits = pack([x >= 1, x >= 2, x <= 1, y >= 1, y < 1])
    >>> literals = SimpleNamespace(attribute=np.array([0, 0, 0, 1, 1]), bits=bits, n_rows=8)
    >>> label = (x >= 2) & (y >= 1) | (x <= 1) & (y < 1)
    >>> patterns = PatternSearch(literals, 9 * label, 9 * ~label, np.array([0, 1, 2]))
    >>> search = Generation(patterns, np.where(label, 9, -9), 2, get_backend("highs"), SolveParams())
    >>> search.run(needed=32)
    >>> search.bound, (1, 3) in search.pool  # 4 times 9 less 2 and 2
    (32, True)
    """

    def __init__(
        self,
        patterns: Pricer[AnyItems],
        worth: Integers,
        max_patterns: int,
        solver: Backend,
        params: SolveParams,
    ) -> None:
        from .pair_program import PairProgram  # with what talks to solvers

        self._patterns, self._worth, self.max_patterns = patterns, worth, max_patterns
        self._here, self._there = np.flatnonzero(worth > 0), np.flatnonzero(worth < 0)
        self._positive = worth[self._here].astype(np.float64)
        self._negative = -worth[self._there].astype(np.float64)
        average = max(1.0, float(np.abs(worth).sum() / max(1, np.count_nonzero(worth))))
        self._scale = max(1, round(PARTS / average))
        self._unit = max(1, int(self._scale * average / PARTS))
        self._program = PairProgram(self._positive, self._negative, max_patterns, solver, params)
        self._program.most_added = max(FEW_CUTS, (len(self._here) + len(self._there)) // 4)
        self._covers = np.zeros((0, len(worth)), dtype=bool)
        self.pool: list[AnyItems] = []
        self._known: set[AnyItems] = set()
        self._centre = self._positive, np.zeros(0)  # the multipliers of the bound
        self.bound = self._everything = int(worth[self._here].sum())
        self.best: Multipliers | None = None
        self.most = 0
        self.final = self.interrupted = self._exact = False

    @property
    def chosen(self) -> Floats:
        """How much of each pattern of the pool, of those that came first, the program's solution has."""
        return self._program.chosen

    def add(self, patterns: Iterable[AnyItems]) -> int:
        """Add patterns to the pool; return how many are new."""
        fresh = [one for one in dict.fromkeys(patterns) if one not in self._known]
        if fresh:
            covers = np.array([self._patterns.covers(one) for one in fresh])
            price = np.array([self._patterns.price(one) for one in fresh], dtype=np.int64)
            self._program.add_patterns(covers[:, self._here], covers[:, self._there], price)
            self._covers = np.vstack([self._covers, covers])
            self._known.update(fresh)
            self.pool += fresh
        return len(fresh)

    def run(
        self,
        needed: int,
        deadline: Deadline = NEVER,
        improved: Callable[[], None] = lambda: None,
        rounds: int | None = None,
    ) -> None:
        """Go on until the bound is what is needed, no pattern would lower it, or time is over.

        Parameters
        ----------
        needed : no more is asked for than to exclude gains above this
        deadline : when to stop
        improved : called whenever the bound is better
        rounds : how often the program is solved at most
        """
        try:
            for turn in count():
                if self.bound <= needed or deadline.passed() or turn == rounds:
                    break
                if not self._program.solve(deadline.left()):
                    break
                if not self._round(deadline, improved):
                    self.final = self._exact and not deadline.passed()
                    break
        except KeyboardInterrupt:
            self.interrupted = True
        except OOAError as error:
            logger.info("no more linear programs: %s", error)
        finally:
            self._program.close()

    def _round(self, deadline: Deadline, improved: Callable[[], None]) -> bool:
        """Price patterns by multipliers between the program's and the best known, then by the program's.

        Returns whether anything changed: patterns that the program gains from, or its cuts.
        """
        program = self._program
        asked = self._whole(program.cover, program.cuts)
        least = self._most_in_pool(asked.values)
        settled = self.bound < self._everything  # before, the best known are none to keep to
        for kept in (KEPT, 0.0) if settled else (0.0,):
            cover, cuts = self._between(kept)
            now = asked if not kept else self._whole(cover, cuts)
            found = self._priced(now, deadline)
            self._exact = found.exact
            assert found.bound is not None
            bound = (now.given + self.max_patterns * found.bound) // now.values.scale
            if bound < self.bound or self.best is None:
                self.bound, self.best, self.most = min(bound, self.bound), now, found.bound
                self._centre = cover, cuts
                improved()
            fresh = [items for _, items in found.good if items not in self._known]
            fresh += [found.items] if found.items else []
            value = self._worths(np.array([self._patterns.covers(z) for z in fresh]), fresh, asked.values)
            best = np.argsort(-value, kind="stable")[:JOINING].tolist()
            if self.add(fresh[k] for k in best if value[k] > least):
                return True
        return program.added > 0

    def _between(self, kept: float) -> tuple[Floats, Floats]:
        """Multipliers of the program, with a share of those of the best bound."""
        cover, cuts = self._program.cover, self._program.cuts
        if not kept:
            return cover, cuts
        own, amount = self._centre
        amount = np.append(amount, np.zeros(len(cuts) - len(amount)))
        return kept * own + (1 - kept) * cover, kept * amount + (1 - kept) * cuts

    def _whole(self, cover: Floats, cuts: Floats) -> Multipliers:
        """Multipliers in whole units; any are as valid as those that the program has."""
        scale, unit = self._scale, self._unit
        own = unit * np.rint(scale / unit * cover).astype(np.int64)
        amount = unit * np.rint(scale / unit * cuts).astype(np.int64)
        some = np.flatnonzero(amount)
        pairs, amount = self._program.pairs[some], amount[some]
        np.add.at(own, pairs[:, 0], amount)
        charged = np.zeros(len(self._there), dtype=np.int64)
        np.add.at(charged, pairs[:, 1], amount)
        wrong, right = -scale * self._worth[self._there], scale * self._worth[self._here]
        given = int((right - own).clip(0).sum() + (charged - wrong).clip(0).sum())
        whole = np.zeros(len(self._worth), dtype=np.int64)
        whole[self._here] = own
        rows = np.column_stack([self._here[pairs[:, 0]], self._there[pairs[:, 1]]])
        return Multipliers(RowValues(whole, rows, amount, scale), given)

    def _priced(self, now: Multipliers, deadline: Deadline) -> FoundPattern[AnyItems]:
        """The pattern that is worth most, if it is worth more than all in the pool."""
        until = deadline.share_of_rest(ONE_SEARCH)
        known = self._most_in_pool(now.values)
        return self._patterns.most_valuable(now.values, known, lambda: not until.passed())

    def _most_in_pool(self, values: RowValues) -> int:
        return max(0, int(self._worths(self._covers, self.pool, values).max(initial=0)))

    def _worths(self, covers: Truths, patterns: list[AnyItems], values: RowValues) -> Integers:
        """What patterns are worth that cover these rows."""
        if not patterns:
            return np.zeros(0, dtype=np.int64)
        price = np.array([self._patterns.price(one) for one in patterns])
        first, second = values.pairs.T
        both = covers[:, first] & covers[:, second]
        worth: Integers = covers @ values.own - both @ values.amount - values.scale * price
        return worth
