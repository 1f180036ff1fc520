"""Exact search for the best few patterns among very many: branch and bound on bitsets.

The ILP's relaxation is weak where data are noisy: fractions of many overlapping patterns cover every
positive and share out every negative. A rule set of a handful of patterns, each of which has to earn
its price, is found, and proved best, by going through the sets themselves: choose a pattern, count
what every other one still adds on the rows that are left, rule out what cannot lead above the best
set known, go on. The compiled core does that (ooa/kernels/core: walk.h, counting.h, multipliers.h); the
bounds and their proofs stand in docs/formulation.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ooa.candidates.row_weights import RowWeights, intersections
from ooa.clock import NEVER, Deadline
from ooa.data.bitsets import unpack
from ooa.kernels.dominance import Dominance
from ooa.kernels.listing import Listed, SetListing
from ooa.kernels.sets import MANY, PricedPatterns, RowMultipliers, SetSearch
from ooa.solving.backend import Backend
from ooa.solving.params import SolveParams

from .pair_bound import Separation
from .parts import MOST_BYTES, Question, search_parts
from .row_copies import Alike, Copies, of_rows, spread_pairs

Integers = NDArray[np.int64]
GoOn = Callable[[float], bool]

#: Amounts times rows times patterns in a set up to here, so that rounding in the bounds of the linear
#: program, which add up so many numbers for every pattern, stays below half a unit.
MOST_UNITS = 1 << 48
#: Up to so many pairs of rows, and truth values (patterns times rows), `Branching.add_pair_cuts` can be had.
MOST_PAIRS, MOST_TRUTHS = 4_000_000, 200_000_000
#: How often a search with a crew looks at the clock before it hands out what is left.
ALONE = 100
#: Patterns looked at between two looks at the clock, but fewer where they go through more words than these.
WORK, MOST_WORDS = 1 << 19, 1 << 25


class Branching:
    """Depth-first search over the sets of at most so many patterns.

    A set gains the weight of the positives it covers, less that of the negatives it covers, less its
    prices.

    Parameters
    ----------
    bits : coverage of the patterns, packed, shape (P, W); of the literals, if there are `items`
    positive, negative : weight of each row in its class, whole numbers; their sum times the number of rows
        and `max_patterns` may not exceed `MOST_UNITS`
    price : of each pattern, whole numbers, not negative
    max_patterns : most patterns in a set
    items : the literals of each pattern, filled up with -1
    multipliers : whether to use the bounds by multipliers
    threads : how many work on it; the answer does not depend on it

    Attributes
    ----------
    names : the patterns not dropped, by their positions in `bits`
    settled : of the others, those that were dropped as all sets with them were gone through
    free : whether threads share what they find at once: among several best sets, it may be any that is found
    crew : workers of a cluster that are handed what takes long; see `ooa.search.parts`
    quick : whether bounds are to take half the time and be weaker, as long as there are no pair cuts
    best, choice : gain of the best set found above what was known, and the patterns in it
    bound : no set gains more, as far as the last run got
    nodes : how many sets of 0, 1, 2, ... patterns were looked into
    pair_multipliers : what `add_pair_cuts` found

    Examples
    --------
    >>> from ooa.data.bitsets import pack
    >>> bits = pack([[1, 1, 0, 0, 1], [0, 1, 1, 0, 0], [1, 1, 1, 0, 1]])
    >>> weights = np.array([1.0, 1, 1, 1, 0]), np.array([0.0, 0, 0, 0, 2])
    >>> search = Branching(bits, *weights, np.array([0, 1, 1]), max_patterns=2)
    >>> search.run(target=0, known=0, go_on=lambda share: True), search.best, search.choice
    (True, 1, (1,))
    """

    def __init__(
        self,
        bits: NDArray[np.uint64],
        positive: NDArray[np.float64],
        negative: NDArray[np.float64],
        price: Integers,
        max_patterns: int,
        *,
        items: NDArray[np.int32] | None = None,
        multipliers: bool = True,
        threads: int = 1,
    ) -> None:
        if (positive.sum() + negative.sum()) * len(positive) * max_patterns > MOST_UNITS:
            raise ValueError("weights too large for an exact search")
        right, wrong = (RowWeights(some, bits, threads=threads) for some in (positive, negative))
        self._bits, self._copies = bits, (_copies_of(right), _copies_of(wrong))
        self._items = np.arange(len(bits), dtype=np.int32)[:, None] if items is None else items
        self._weights = positive, negative
        self._laid_out = right.rows, wrong.rows  # of what patterns are made of
        self._right_factor = right.word_factors.astype(np.int64)
        self._wrong_factor = wrong.word_factors.astype(np.int64)
        self._threads, self.free, self.quick, self.crew = threads, False, False, 0
        self._lay_out()
        self._positive = right.weigh(self._right).astype(np.int64)
        self._negative = wrong.weigh(self._wrong).astype(np.int64)
        self._price = price.astype(np.int64)
        self._all, self._max_patterns, self.multipliers = int(positive.sum()), max_patterns, multipliers
        self.names = np.arange(len(price))
        self.settled = np.zeros(0, dtype=np.int64)
        self._unfinished: SetSearch | None = None
        self._excluded, self._least = 0, -1  # by the last run; and what no target may be below any more
        self._at_root: RowMultipliers | None = None
        self.pair_multipliers: PairMultipliers | None = None
        self.best, self.choice, self.bound = 0, (), self._all
        self.nodes = np.zeros(max_patterns, dtype=np.int64)

    choice: tuple[int, ...]
    _right: NDArray[np.uint64]
    _wrong: NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self._price)

    @property
    def words(self) -> int:
        """How many words all patterns have."""
        return len(self) * (len(self._right_factor) + len(self._wrong_factor))

    def _work(self) -> int:
        """Patterns looked at between two looks at the clock."""
        return max(1, min(WORK, MOST_WORDS * len(self) // max(1, self.words)))

    def drop_hopeless(self, known: int) -> None:
        """Drop the patterns that do not pay, and those that no set that gains more than `known` can have."""
        pays = self._positive > self._price
        self._take(np.flatnonzero(pays & (self._all - self._negative - self._price > known)))

    def drop_dominated(self, go_on: GoOn) -> None:
        """Drop the patterns that a cheaper one dominates, as far as `go_on` allows.

        Any set gains at least as much with the other in its place, so the best set loses nothing.
        """
        if not len(self):
            return
        self._take(np.lexsort((self._negative, -self._positive, self._price)))
        search, done, work = Dominance(self._patterns(), self._threads), 0, self._work()
        while done < len(self) and go_on(done / len(self)):
            done = search.advance(work)
        self._take(np.concatenate([np.sort(search.kept()), np.arange(done, len(self))]))

    def can_add_pair_cuts(self, most_bytes: float = np.inf) -> bool:
        """Whether the table is small enough for `add_pair_cuts`, which takes a byte per pattern and row."""
        right, wrong = (int(np.count_nonzero(weight)) for weight in self._weights)
        most = min(MOST_TRUTHS, most_bytes / 2)  # once for all rows, once by class
        return right * wrong <= MOST_PAIRS and len(self) * (right + wrong) <= most

    def add_pair_cuts(
        self, known: int, solver: Backend, params: SolveParams, deadline: Deadline = NEVER
    ) -> int:
        """Find pairs of a positive and a negative that few patterns separate, by a linear program.

        A bound on all gains is returned. Patterns that are in no set that gains more than `known` are
        dropped, and from now on `run` starts from the multipliers of that program.

        Parameters
        ----------
        known : gain of the best set known
        solver, params : for the linear programs; see `ooa.search.pair_bound`
        deadline : when to stop
        """
        right, wrong = self._alike()
        sides = right.covers, wrong.covers, right.weight, wrong.weight
        search = Separation(*sides, self._price, self._max_patterns, solver, params)
        search.run(known, deadline)
        n_rows = len(self._weights[0])
        self.start_from(
            PairMultipliers(*of_rows(search.own, search.pairs, search.amount, right, wrong, n_rows))
        )
        self._take(search.names)
        return max(known, self._least, int(np.floor(search.bound + 0.5)))

    def pairs_told_apart(self) -> int:
        """How many pairs of a positive and a negative there are, where rows alike are one."""
        right, wrong = self._alike()
        return len(right.weight) * len(wrong.weight)

    def _alike(self) -> tuple[Alike, Alike]:
        """The positives and the negatives that any pattern covers."""
        n_rows = len(self._weights[0])
        bits = intersections(self._bits, self._items, threads=self._threads)
        some = unpack(np.bitwise_or.reduce(bits, axis=0, initial=np.uint64(0)), n_rows)
        covers = unpack(bits, n_rows)
        right, wrong = (Alike.of(covers, some & (weight > 0), weight) for weight in self._weights)
        return right, wrong

    def start_from(self, multipliers: PairMultipliers) -> None:
        """Let `run` start from these multipliers, which `add_pair_cuts` has found; any are valid."""
        self.pair_multipliers = multipliers
        self._at_root = multipliers.on(*self._copies)

    def _take(self, chosen: Integers) -> None:
        for name in ("_items", "_positive", "_negative", "_price", "names"):
            setattr(self, name, getattr(self, name)[chosen])
        self._lay_out()

    def _lay_out(self) -> None:
        """The rows of the patterns, by class: made anew, so that there are never two copies of them."""
        right, wrong = self._laid_out
        self._right = self._wrong = right[:0]
        self._right = intersections(right, self._items, threads=self._threads)
        self._wrong = intersections(wrong, self._items, threads=self._threads)

    def run(self, target: int, known: int, go_on: GoOn) -> bool:
        """Look for sets that gain more than `target`; return whether there is provably none.

        Parameters
        ----------
        target : what is to be excluded; a set that gains more is the new target
        known : gain of the best set known; `best` and `choice` tell of anything above it
        go_on : asked from time to time, with the share of the patterns done, whether to go on
        """
        if target < self._least:
            raise ValueError(f"patterns were dropped whose sets may gain up to {self._least}")
        self.best, self.choice, self.nodes[:] = known, (), 0
        search = SetSearch(
            self._patterns(),
            most=self._max_patterns,
            target=target,
            known=known,
            goal=self._all // 20,
            many=MANY if self.multipliers else len(self) + 1,
            threads=self._threads,
            free=self.free,
            quick=self.quick and self._at_root is None,
        )
        if self._at_root is not None:
            search.filter(self._at_root)
        done, work, turns = False, self._work(), 0
        alone = ALONE if self.crew and 8 * self.words < MOST_BYTES else None
        while not done and turns != alone and go_on(search.share):
            done = search.advance(work)
            best, choice = search.best()
            turns += 1
            if len(choice):
                self.best, self.choice = best, tuple(self.names[choice].tolist())
        if not done and turns == alone:
            question = Question(
                self._patterns(),
                self._at_root,
                self._max_patterns,
                target,
                self._all // 20,
                MANY if self.multipliers else len(self) + 1,
                self.quick and self._at_root is None,
            )
            done, self.best, choice = search_parts(question, search.left(), self.best, self.crew, go_on)
            if len(choice):
                self.choice = tuple(self.names[choice].tolist())
        self.nodes[:] = search.nodes
        self.bound = min(self._all, max(target, self.best) if done else search.bound)
        self._unfinished, self._excluded = None if done else search, max(target, self.best)
        return done

    def drop_settled(self, least: int) -> None:
        """Drop the patterns all of whose sets the last run has gone through, if it was cut short.

        No set with one of them gains more than its target, or than the best it has found. So nothing is
        dropped unless `least`, which no later target may be below, is as high.
        """
        if self._unfinished is None or least < self._excluded:
            return
        left = np.sort(self._unfinished.left())
        self.settled = np.concatenate([self.settled, np.delete(self.names, left)])
        self._least, self._unfinished = max(self._least, self._excluded), None
        self._take(left)

    def list_above(
        self, target: int, highest: int, lean: bool, take: Callable[[Listed], None], go_on: GoOn
    ) -> bool:
        """List all sets but the empty one that gain more than `target`; return whether all were gone through.

        Dominated patterns may not have been dropped.

        Parameters
        ----------
        target : sets that gain more are listed
        highest : what no set gains more than
        lean : whether every pattern of a set has to cover a row of some weight that no other one of it does
        take : gets the sets as they are found, by their positions in `bits`
        go_on : asked from time to time, with the share of the patterns done, whether to go on
        """
        listing = SetListing(
            self._patterns(),
            most=self._max_patterns,
            target=target,
            below=highest - target,
            lean=lean,
            goal=self._all // 20,
            threads=self._threads,
        )
        if self._at_root is not None:
            listing.filter(self._at_root)
        done, work, names = False, self._work(), np.append(self.names, -1)
        while not done and go_on(listing.share):
            done = listing.advance(work)
            choice, gain = listing.take()
            if len(gain):
                take(Listed(names[choice], gain))
        return done

    def _patterns(self) -> PricedPatterns:
        return PricedPatterns(
            self._right,
            self._right_factor,
            self._wrong,
            self._wrong_factor,
            self._price,
            self._positive,
            self._negative,
        )


class PairMultipliers(NamedTuple):
    """Multipliers of rows that count as positives, and of pairs of one with one that counts as negative."""

    own: NDArray[np.float64]
    pairs: Integers
    amount: NDArray[np.float64]

    def on(self, right: Copies, wrong: Copies) -> RowMultipliers:
        """Those of the copies of rows in a search."""
        own, pairs, n_rows = self.own, self.pairs, len(self.own)
        weight = np.bincount(right.row.clip(0), np.where(right.row < 0, 0.0, right.weight), n_rows)
        part = np.zeros(len(right.row))
        np.divide(right.weight, weight[right.row], out=part, where=right.row >= 0)
        copied, share = spread_pairs(pairs, self.amount / weight[pairs[:, 0]], right, wrong, n_rows)
        first, second = np.ascontiguousarray(copied.T)
        return RowMultipliers(own[right.row] * part, first, second, share * right.weight[first])


def _copies_of(weights: RowWeights) -> Copies:
    return Copies(weights.source, np.repeat(weights.word_factors, 64))
