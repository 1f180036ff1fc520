"""A good rule set in milliseconds: greedy growth, then remove-and-regrow local search on bitsets."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ooa.candidates.row_weights import RowWeights, intersections
from ooa.clock import NEVER, Deadline
from ooa.kernels.availability import compiled
from ooa.kernels.bits import gains

Choice = tuple[int, ...]
_HARSHNESS = (1.0, 2.0, 5.0, 1e6)


class LocalSearch:
    """Search for a cheap selection of candidates; the same seed gives the same answer.

    Parameters
    ----------
    bits : the rows that each candidate covers, packed; that each literal holds for, if there are `items`
    positive, negative : weight of the positives, and of the negatives, of every row
    price : price of each candidate, in units of weight (N times c(z))
    max_patterns : most patterns in a selection, or None
    items : the literals of each candidate, filled up with -1
    fast : whether gains are counted by compiled code; None does so where it is there
    threads : that count gains, in compiled code; the answer does not depend on it

    Notes
    -----
    Costs are floating-point sums here: good enough to search by. What is finally reported is counted
    again, exactly, from the rules.
    """

    def __init__(
        self,
        bits: NDArray[np.uint64],
        positive: NDArray[np.float64],
        negative: NDArray[np.float64],
        price: NDArray[np.float64],
        max_patterns: int | None = None,
        *,
        items: NDArray[np.int32] | None = None,
        fast: bool | None = None,
        threads: int = 1,
    ) -> None:
        if items is not None:
            bits, items = _named(bits, items)
        self._positive, self._negative = (
            RowWeights(weight, bits, threads=threads) for weight in (positive, negative)
        )
        self._good, self._bad = self._positive.rows, self._negative.rows
        if items is not None:
            self._good = intersections(self._good, items, threads=threads)
            self._bad = intersections(self._bad, items, threads=threads)
        self._price = price
        self._limit = len(price) if max_patterns is None else min(max_patterns, len(price))
        self._open = float(positive.sum())
        #: Gains below this are rounding.
        self._epsilon = 1e-12 * float(positive.sum() + negative.sum())
        self._fast = compiled() if fast is None else fast
        self._threads = threads
        self._improved: Callable[[Choice], None] | None = None
        self._seen: Callable[[Choice], None] | None = None
        self._work = 0
        self._most_work: int | None = None
        self._deadline = NEVER
        self._best: Choice = ()
        self._value = self._open
        #: Whether Ctrl-C ended the search; the best selection until then is returned.
        self.interrupted = False

    def run(
        self,
        start: Choice = (),
        *,
        seed: int = 0,
        rounds: int = 30,
        work: int | None = None,
        deadline: Deadline = NEVER,
        improved: Callable[[Choice], None] | None = None,
        seen: Callable[[Choice], None] | None = None,
    ) -> Choice:
        """Return the best selection found, as sorted positions.

        Parameters
        ----------
        start : a selection to improve on
        seed : of the random kicks
        rounds : how many kicks in a row may fail before the search ends
        work : how many words of coverage it may go through, a limit that is the same on every machine
        deadline : when it ends in any case
        improved : told of every selection that is better than all before
        seen : told of every selection that could have been
        """
        self._best, self._value = tuple(sorted(start)), self.cost(start)
        self._work, self._most_work, self._deadline = 0, work, deadline
        self._improved, self._seen = improved, seen
        try:
            # Growing by net gain alone falls for broad patterns; counting negatives more makes them pure.
            for origin, harshness in product(dict.fromkeys((start, ())), _HARSHNESS):
                grown = self.grow(self._pruned(self.grow(origin, harshness)))
                self._offer(grown)
                self._offer(self._polish(grown))
                if self._over():
                    break
            rng = np.random.default_rng(seed) if rounds else None  # random numbers take a while to import
            failures = 0
            while rng is not None and failures < rounds and len(self._price) and not self._over():
                trial = self._polish(self.grow(self._kicked(self._best, rng)))
                failures = 0 if self._offer(trial) else failures + 1
        except KeyboardInterrupt:
            self.interrupted = True
        return tuple(sorted(self._best))

    def _offer(self, chosen: Choice) -> bool:
        if self._seen is not None:
            self._seen(chosen)
        cost = self.cost(chosen)
        better = cost < self._value - self._epsilon
        if better:
            self._best, self._value = chosen, cost
            if self._improved is not None:
                self._improved(chosen)
        return better

    def cost(self, chosen: Choice) -> float:
        """Errors plus prices of a selection, in units of weight."""
        good, bad = self._cover(chosen)
        covered = float(self._positive.weigh(good[None])[0])
        wrong = float(self._negative.weigh(bad[None])[0])
        return self._open - covered + wrong + float(self._price[list(chosen)].sum())

    def _cover(self, chosen: Choice) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        picked = list(chosen)
        return (
            np.bitwise_or.reduce(self._good[picked], axis=0, initial=np.uint64(0)),
            np.bitwise_or.reduce(self._bad[picked], axis=0, initial=np.uint64(0)),
        )

    def _gains(self, chosen: Choice, harshness: float = 1.0) -> NDArray[np.float64]:
        """What each candidate would save if it were added."""
        self._work += self._good.size + self._bad.size
        good, bad = self._cover(chosen)
        if self._fast:
            factors = self._positive.word_factors, self._negative.word_factors
            sets = self._good, factors[0], self._bad, factors[1]
            gain = gains(*sets, good, bad, self._price, harshness, self._threads)
        else:
            right = self._positive.weigh(self._good & ~good)
            wrong = self._negative.weigh(self._bad & ~bad)
            gain = right - harshness * wrong - self._price
        gain[list(chosen)] = -np.inf
        return gain

    def grow(self, chosen: Choice, harshness: float = 1.0) -> Choice:
        """Add the best candidate while that helps, each negative counting `harshness` positives."""
        while len(chosen) < self._limit and len(self._price):
            if chosen and self._deadline.passed():
                break
            gain = self._gains(chosen, harshness)
            best = int(np.argmax(gain))
            if gain[best] <= self._epsilon:
                break
            chosen = (*chosen, best)
        return chosen

    def _pruned(self, chosen: Choice) -> Choice:
        """Take out patterns, one after the other, that it is no worse without."""
        value, place = self.cost(chosen), 0
        while True:
            costs = self._costs_without_each(chosen)
            idle = np.flatnonzero(costs[place:] <= value + self._epsilon)
            if not len(idle):
                return chosen
            place += int(idle[0])
            value = float(costs[place])
            chosen = chosen[:place] + chosen[place + 1 :]

    def _costs_without_each(self, chosen: Choice) -> NDArray[np.float64]:
        """What a selection costs without its first pattern, without its second, and so on."""
        picked = list(chosen)
        good, bad = _others(self._good[picked]), _others(self._bad[picked])
        price = self._price[picked]
        errors = self._open - self._positive.weigh(good) + self._negative.weigh(bad)
        result: NDArray[np.float64] = errors + price.sum() - price
        return result

    def _polish(self, chosen: Choice) -> Choice:
        """Take out one pattern and grow again, as long as something gets better."""
        value = self.cost(chosen)
        improved = True
        while improved:
            improved = False
            for k in chosen:
                if self._over():
                    break
                trial = self._pruned(self.grow(tuple(i for i in chosen if i != k)))
                cost = self.cost(trial)
                if cost < value - self._epsilon:
                    chosen, value, improved = trial, cost, True
                    break
        return chosen

    def _kicked(self, chosen: Choice, rng: np.random.Generator) -> Choice:
        """Drop a random part and put in something that is good but not best."""
        kept = tuple(k for k in chosen if rng.random() < 0.6)
        if len(kept) < self._limit:
            gain = self._gains(kept)
            pool = np.argsort(-gain, kind="stable")[:30]
            kept = (*kept, int(rng.choice(pool[np.isfinite(gain[pool])])))
        return kept

    def _over(self) -> bool:
        if self._most_work is not None and self._work >= self._most_work:
            return True
        return self._deadline.passed()


def _others(rows: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """For each of some row sets the union of the others."""
    result = np.zeros_like(rows)
    if len(rows) > 1:
        result[1:] = np.bitwise_or.accumulate(rows, axis=0)[:-1]
        result[:-1] |= np.bitwise_or.accumulate(rows[::-1], axis=0)[::-1][1:]
    return result


def _named(
    bits: NDArray[np.uint64], items: NDArray[np.int32]
) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    """The sets that candidates name, and their places among these: to lay out others would be in vain."""
    used = np.unique(items[items >= 0])
    if len(used) == len(bits):
        return bits, items
    place = np.full(len(bits) + 1, -1, dtype=np.int32)  # the last is that of -1
    place[used] = np.arange(len(used))
    return bits[used], place[items]
