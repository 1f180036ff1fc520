"""All rule sets that are nearly as good as the best, by the exact search.

The search goes through all sets of candidates and lists those that cost no more than a limit. Candidates that
cover the same rows are one to it, the shortest of them; what it lists then stands for every choice of one of
each, as far as their literals cost no more than the limit allows.
"""

from __future__ import annotations

import math
import random
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ooa.clock import Deadline
from ooa.data.bitsets import unpack
from ooa.kernels.listing import Listed
from ooa.learning.state import Fit
from ooa.learning.valuation import free_valuation
from ooa.rules.ruleset import RuleSet
from ooa.search.branch_and_bound import Branching
from ooa.search.exchanges import Exchanges
from ooa.search.local_search import Choice
from ooa.solving.solution import Solution

from .coverages import Coverages
from .pool import Pool
from .wanted import Wanted

__all__ = ["Listing"]

Integers = NDArray[np.int64]

#: So many rule sets are listed at most; all are counted.
MOST_LISTED = 10_000
#: So many sets of coverages are kept at most.
MOST_KEPT = 5_000_000


class Listing:
    """The rule sets over the candidates of a pool up to its upper value.

    Parameters
    ----------
    fit : the fit in progress
    pool : candidates, and up to which value rule sets are listed
    wanted : what is asked for
    bound : no rule set that meets the constraints is below this on the grid
    floor : no rule set is, whether it meets them or not

    Attributes
    ----------
    found : list of (Fraction, Choice)
        Values, as they were given, and selections, in order.
    count, counted : int, bool
        How many there are up to the pool's upper value, also where not all are listed, and whether these are
        all that are within the distance asked for. Where not all are listed, no matter the constraints: then
        `met`, how many of them meet these, is None.
    all_listed : bool
        Whether all of them are.
    sample : list of Choice
        Drawn from all there are up to that value, each as likely, with replacement.
    rest : Fraction or None
        No rule set that is not in `found` is below this on the grid; None if nothing is known.
    complete : bool
        Whether nothing that is wanted can be missing.
    """

    solution: Solution | None = None

    def __init__(self, fit: Fit, pool: Pool, wanted: Wanted, bound: Fraction, floor: Fraction) -> None:
        self.fit, self.pool = fit, pool
        self.n, self.within, self.lean, self.by_prediction = (
            wanted.n, wanted.within, wanted.lean, wanted.distinct,
        )  # fmt: skip
        self.sample: list[Choice] = []
        self._draws, self._rng = wanted.sample, random.Random(wanted.settings.seed)
        self.found: list[tuple[Fraction, Choice]] = []
        self.count, self.counted, self.all_listed = 0, False, False
        self.rest: Fraction | None = None
        self.complete = False
        problem, candidates = fit.problem, pool.candidates
        assert pool.upper is not None
        self._unit = problem.step / problem.total
        self._most = math.floor(pool.upper / self._unit)  # that a set may cost
        self._bound, self._floor = math.ceil(bound / self._unit), math.ceil(floor / self._unit)
        price = problem.prices_in_steps(candidates.items.shape[1])[candidates.length]
        self._groups = Coverages(candidates, price, alike=self.lean or self.by_prediction)
        self._valued = free_valuation(problem, candidates.take(self._groups.first))
        self._kept: list[Listed] = []
        self._attempt: Deadline | None = None

    @property
    def best(self) -> Fraction | None:
        """The least value found."""
        return self.found[0][0] if self.found else None

    def rule_set(self, choice: Choice) -> RuleSet:
        """Some candidates as a rule set."""
        like, candidates = self.fit.problem.empty(), self.pool.candidates
        patterns = [candidates.pattern(k) for k in choice]
        return RuleSet(patterns, target=like.target, positive=like.positive, negative=like.negative)

    def wanted(self) -> list[tuple[Fraction, Choice]]:
        """What was found within reach, best first."""
        some = self.found
        if self.within is not None and some:
            reach = some[0][0] + self.within
            some = [pair for pair in some if pair[0] <= reach]
        return some[: self.n]

    def least(self) -> Fraction | None:
        """What no rule set over the candidates is below on the grid, if anything is known."""
        return None if self.rest is None else self._bound * self._unit

    def keep(self, before: Listing) -> None:
        """Take over what was listed up to a lower value, and up to where that was complete."""
        self.rest, there = before.rest, {choice for _, choice in self.found}
        for value, choice in before.found:
            places = [self.pool.candidates.find(pattern) for pattern in before.rule_set(choice)]
            same = tuple(sorted(place for place in places if place is not None))
            if len(same) == len(choice) and same not in there:
                self.found.append((value, same))
            elif len(same) < len(choice) and self.rest is not None:
                self.rest = min(self.rest, self.fit.problem.grid.below(value))
        self.found.sort()

    # -- the search ------------------------------------------------------------------------------

    def run(self, *, brief: bool = False) -> bool:
        """List them; return whether all were gone through.

        A brief run gives up where that takes longer than an attempt, and then keeps nothing.
        """
        target, done, given_up, beyond = self._valued.aim(self._most + 1), False, False, []
        self._attempt = self.fit.timing.deadline.within(self.fit.policy.attempt_seconds) if brief else None
        try:
            done = self._search(target)
            given_up = brief and not done and not self.fit.over
        finally:  # whatever ends it
            if not given_up:
                if target < 0:  # the empty set costs no more
                    nothing = np.full((1, 1), -1, dtype=np.int64)
                    self._kept.append(Listed(nothing, np.zeros(1, dtype=np.int64)))
                beyond = self._expand(target)
        if done:
            self.rest = min([self._most + 1, *beyond]) * self._unit
        return done

    def _search(self, target: int) -> bool:
        """Go through all sets of coverages but the empty one."""
        valued, most = self._valued, self.fit.problem.most_patterns(self.pool.upper)
        if most == 0 or not len(self._groups.first):
            return True
        rows = valued.bits, valued.positive, valued.negative, valued.price
        items, threads = valued.items, self.fit.threads
        sets = Branching(*rows, most or len(self._groups.first), items=items, threads=threads)
        highest = max(valued.everything - self._floor, target)
        # Nothing that is wanted has a redundant pattern then, nor two that the same one dominates.
        dear = int(valued.price.min()) >= highest - target
        if dear:
            sets.drop_dominated(self._go_on)
        if not self._all_above(sets, target, highest):
            return False
        return not dear or self._bring_back(Exchanges(*rows, items=items, threads=threads), target)

    def _all_above(self, sets: Branching, target: int, highest: int) -> bool:
        """All sets of what was not dropped: at once, or with a linear program if that takes long."""
        fit, lean = self.fit, self.lean or self.by_prediction  # the cheapest that predicts the same is lean
        until = fit.timing.deadline.within(fit.policy.attempt_seconds)
        programs = sets.can_add_pair_cuts((1 - fit.policy.patterns_memory) * fit.memory)
        soon = (lambda share: not until.passed() and self._go_on(share)) if programs else self._go_on
        if sets.list_above(target, highest, lean, self._take, soon):
            return True
        if self._attempt is not None or not programs or not self._go_on(0.0):
            return False
        self._kept, self.count = [], 0
        fit.log.line.update("a linear program with pair cuts")
        params = fit.params.changed(time_limit=None, log=None, progress=None, options={}, confirm=False)
        within = fit.timing.deadline.share_of_rest(fit.policy.separation_share)
        highest = min(highest, max(target, sets.add_pair_cuts(target, fit.solver, params, within)))
        return sets.list_above(target, highest, lean, self._take, self._go_on)

    def _bring_back(self, exchanges: Exchanges, target: int) -> bool:
        """The sets with dominated patterns, which take the place of what dominates them one at a time."""
        known = [tuple(row[row >= 0].tolist()) for one in self._kept for row in one.choice]
        self._kept, self.count, width = [], 0, max(map(len, known), default=1)
        for choice, gain in exchanges.reached(known, target):
            padded = np.array([[*choice, *[-1] * (width - len(choice))]], dtype=np.int64)
            self._take(Listed(padded, np.array([gain], dtype=np.int64)))
            if not self._go_on(1.0):
                return False
        return True

    def _take(self, some: Listed) -> None:
        self._kept.append(some)
        self.count += len(some.gain)

    def _go_on(self, share: float) -> bool:
        self.fit.log.line.update(
            f"{self.count} rule sets up to {float(self.pool.upper or 0):.5f}: {share:.0%}"
        )
        if self._attempt is not None and (self._attempt.passed() or self.count > MOST_LISTED):
            return False
        if self.count > MOST_KEPT:
            self.fit.log.notes.append(f"more than {MOST_KEPT} rule sets are too many to be listed")
            return False
        left, many = self.fit.timing.deadline.left(), min(self.count, self._many)
        return left is None or left > many / self.fit.policy.listed_per_second

    # -- from sets of coverages to rule sets -----------------------------------------------------

    def _expand(self, target: int) -> list[int]:
        """Count and list the rule sets that stand behind the sets of coverages; return what others cost."""
        width = max((one.choice.shape[1] for one in self._kept), default=1)
        empty = np.full((0, width), -1, dtype=np.int64)
        padded = (np.pad(c, ((0, 0), (0, width - c.shape[1])), constant_values=-1) for c, _ in self._kept)
        sets = np.concatenate([empty, *padded])
        gain = np.concatenate([empty[:, 0], *(one.gain for one in self._kept)])
        self._kept = []
        everything = self._valued.everything
        if self.by_prediction:
            listed = [(everything - g, self._positions(row)) for row, g in zip(sets, gain.tolist())]
            listed = self._one_of_each_prediction(listed)
            self.sample = self._rng.choices([one for _, one in listed], k=self._draws) if listed else []
        else:
            ways = self._groups.count(sets, gain - target - 1).tolist()
            self.count = sum(ways)
            self.sample = self._drawn(sets, (gain - target - 1).tolist(), ways)
            listed = [
                (one.cost, one.choice)
                for one in self._groups.expanded(sets, everything - gain, self._most, self._many + 1)
            ]
        listed.sort()
        self.all_listed = len(listed) <= self._many and self.count <= len(listed)
        self.found = sorted((self._value(cost, choice), choice) for cost, choice in listed[: self._many])
        if self.fit.problem.constraints:
            self._sift()
        costs = {choice: cost for cost, choice in listed[: self._many]}
        unlisted = [] if self.n is None else [costs[choice] for _, choice in self.found[self.n :]]
        return [*unlisted, *(cost for cost, _ in listed[self._many :])]

    def _drawn(self, sets: Integers, spare: list[int], ways: list[int]) -> list[Choice]:
        """Rule sets by lot, any as likely: first what they cover, then which candidates cover it."""
        if not self._draws or not self.count:
            return []
        places = self._rng.choices(range(len(sets)), ways, k=self._draws)
        groups = ([g for g in sets[k].tolist() if g >= 0] for k in places)
        return [self._groups.drawn(some, spare[k], self._rng) for some, k in zip(groups, places)]

    def _sift(self) -> None:
        """Keep those that meet the constraints; of those drawn, too: any that does is then as likely."""
        several = {choice for _, choice in self.found} | {*self.sample}
        met = {one for one in several if not self.fit.problem.violated(self.rule_set(one))}
        self.found = [pair for pair in self.found if pair[1] in met]
        self.sample = [one for one in self.sample if one in met]
        if self.all_listed:
            self.count = len(self.found)

    @property
    def _many(self) -> int:
        every = self.n is None or bool(self.fit.problem.constraints)
        return MOST_LISTED if every or self.n is None else min(self.n, MOST_LISTED)

    @property
    def met(self) -> int | None:
        """How many there are up to the pool's upper value that meet the constraints, if that is known."""
        return self.count if self.all_listed or not self.fit.problem.constraints else None

    @property
    def enough(self) -> bool:
        """Whether as many are found as were asked for."""
        return self.n is not None and len(self.wanted()) >= self.n

    def _positions(self, row: Integers) -> Choice:
        return tuple(self._groups.first[row[row >= 0]].tolist())

    def _value(self, cost: int, choice: Choice) -> Fraction:
        """L as it was given."""
        problem = self.fit.problem
        if problem.grid.exact:
            return cost * self._unit
        literals = int(self.pool.candidates.length[list(choice)].sum())
        fires = unpack(self._cover(choice), problem.rows.n_rows)
        return problem.grid.values(fires, literals, len(choice))[0]

    def _cover(self, choice: Choice) -> NDArray[np.uint64]:
        some = self.pool.candidates.covered_by(np.array(choice, dtype=np.intp))
        covered: NDArray[np.uint64] = np.bitwise_or.reduce(some, axis=0, initial=np.uint64(0))
        return covered

    def _one_of_each_prediction(self, listed: list[tuple[int, Choice]]) -> list[tuple[int, Choice]]:
        first: dict[bytes, tuple[int, Choice]] = {}
        for pair in sorted(listed):
            first.setdefault(self._cover(pair[1]).tobytes(), pair)
        self.count = len(first)
        return list(first.values())
