"""Generation: a bound over all patterns of a language, which are priced and not listed.

Where patterns are too many to be listed, the linear program with pair cuts (`ooa.search.pair_program`) has
some of them, and its multipliers say what a pattern has to be like for the program to gain from it. The best
such pattern *of all there are* is found exactly: with multipliers e_p of the positives and a_pr of the pairs a
pattern is worth

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

import numpy as np
from numpy.typing import NDArray

from ooa.clock import NEVER, Deadline
from ooa.errors import OOAError
from ooa.logs import logger
from ooa.solving.backend import Backend
from ooa.solving.params import SolveParams

from .best_pattern import FoundPattern, Integers, Items, PatternSearch, Values
from .pair_program import PairProgram

__all__ = ["Generation", "Multipliers"]

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]

#: Into so many parts the weight of an average row is divided by multipliers.
PARTS = 32
#: Share of the multipliers of the best bound in those that patterns are priced by: they swing less.
KEPT = 0.5
#: Patterns that join the program in a round at most.
JOINING = 40
#: Share of the time left that one search for a pattern may take.
ONE_SEARCH = 0.3


@dataclass(frozen=True)
class Multipliers:
    """Multipliers in whole units, and what follows from them.

    Attributes
    ----------
    values : what patterns are worth by them
    given : what is gained at most beside the worth of patterns
    """

    values: Values
    given: int

    def threshold(self, gain: int, most: int, patterns: int) -> int:
        """The least worth of every pattern in a set of at most so many that gains as much.

        No pattern is worth more than `most`.
        """
        return self.values.scale * gain - self.given - (patterns - 1) * max(0, most)


class Generation:
    """A bound on what sets of at most so many patterns gain, with patterns generated as they are needed.

    Parameters
    ----------
    patterns : what finds the pattern that is worth most
    worth : of each row: what covering it gains, below 0 for negatives, whole numbers
    max_patterns : most patterns in a set
    solver, params : solve the linear programs

    Attributes
    ----------
    bound : no set gains more
    pool : the patterns that were generated or given
    best : the multipliers of the bound, once there is one
    most : no pattern is worth more by them
    final : whether nothing is left that would lower the bound
    interrupted : whether Ctrl-C ended it
    """

    def __init__(
        self,
        patterns: PatternSearch,
        worth: Integers,
        max_patterns: int,
        solver: Backend,
        params: SolveParams,
    ) -> None:
        self._patterns, self._worth, self._K = patterns, worth, max_patterns
        self._here, self._there = np.flatnonzero(worth > 0), np.flatnonzero(worth < 0)
        self._positive = worth[self._here].astype(np.float64)
        self._negative = -worth[self._there].astype(np.float64)
        average = max(1.0, float(np.abs(worth).sum()) / max(1, np.count_nonzero(worth)))
        self._scale = max(1, round(PARTS / average))
        self._unit = max(1, int(self._scale * average / PARTS))
        self._program = PairProgram(self._positive, self._negative, max_patterns, solver, params)
        self._covers = np.zeros((0, len(worth)), dtype=bool)
        self.pool: list[Items] = []
        self._known: set[Items] = set()
        self.bound = int(worth[self._here].sum())
        self.best: Multipliers | None = None
        self.most = 0
        self.final = self.interrupted = False

    def add(self, patterns: Iterable[Items]) -> int:
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
        self, needed: int, deadline: Deadline = NEVER, improved: Callable[[], None] = lambda: None
    ) -> None:
        """Go on until the bound is what is needed, no pattern would lower it, or time is over.

        Parameters
        ----------
        needed : no more is asked for than to exclude gains above this
        deadline : when to stop
        improved : called whenever the bound is better
        """
        try:
            while self.bound > needed and not deadline.passed():
                if not self._program.solve(deadline.left()):
                    break
                if not self._round(deadline, improved):
                    self.final = not deadline.passed()
                    break
        except KeyboardInterrupt:
            self.interrupted = True
        except OOAError as error:
            logger.info("no more linear programs: %s", error)
        finally:
            self._program.close()

    def _round(self, deadline: Deadline, improved: Callable[[], None]) -> bool:
        """Price patterns by the program's multipliers, or by such between these and the best known.

        Returns whether anything changed: patterns that the program gains from, or its cuts.
        """
        return True
