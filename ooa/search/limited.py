"""The best set of candidates that meets constraints, exactly: branch and bound that keeps to their limits."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ooa.candidates.row_weights import RowWeights
from ooa.data.bitsets import n_words
from ooa.formulations.counted import Counted
from ooa.kernels.bits import reorder
from ooa.kernels.dominance import Dominance
from ooa.kernels.limited import LimitedSearch, Limits, SearchWithin
from ooa.kernels.sets import PricedPatterns

from .branch_and_bound import MOST_UNITS, WORK, GoOn, PairMultipliers
from .constrained import Valued
from .row_copies import Copies

__all__ = ["LimitedSets", "Penalised", "PricedSets", "undominated"]

Integers = NDArray[np.int64]

#: Rows that differ in what they count for are in words of their own: so many times the words without, and so
#: many more, at most.
MOST_TIMES, MOST_MORE = 3, 64


class Penalised(NamedTuple):
    """What rows and candidates are worth with whole prices on sums, all times a scale.

    With f what a set gains, `scale * f = (value of the rows it covers) - (price) + (penalty * amounts)`.
    """

    value: Integers
    price: Integers
    penalty: Integers
    scale: int


class LimitedSets:
    """Search through the sets of at most so many candidates that keep to the limits of constraints.

    Parameters
    ----------
    counted : the constraints; all candidates are allowed
    penalised : what rows and candidates are worth
    max_patterns : most patterns in a set

    Attributes
    ----------
    best, choice : what the best set found gains, if that is above what was known, and its candidates

    Examples
    --------
    >>> from ooa.data.bitsets import pack
    >>> bits = pack([[1, 1, 1, 1], [1, 1, 0, 0], [0, 0, 1, 0]])
    >>> on_rows, on_patterns = np.array([[0, 0, 1, 1]]), np.zeros((1, 3), int)
    >>> few = Counted(bits, np.ones(3, bool), on_rows, on_patterns, np.array([1]), True, ())
    >>> worth = Penalised(np.array([3, 3, 3, 3]), np.array([1, 1, 1]), np.array([0]), 1)
    >>> sets = LimitedSets(few, worth, 2)
    >>> sets.run(known=0, go_on=lambda share: True), sets.best, sets.choice
    (True, 7, (1, 2))
    """

    def __init__(self, counted: Counted, penalised: Penalised, max_patterns: int) -> None:
        self._counted, self._penalised, self._most = counted, penalised, max_patterns
        value = penalised.value
        if np.abs(value).sum(dtype=np.float64) * len(value) * max_patterns > MOST_UNITS:
            raise ValueError("weights too large for an exact search")
        right, wrong = (_Side.of(counted, value, side) for side in (value > 0, value <= 0))
        self._patterns = PricedPatterns(
            right.rows, right.factor, wrong.rows, wrong.factor, penalised.price, right.weight, wrong.weight
        )
        sums = counted.on_patterns, counted.limit, penalised.penalty
        self._limits = Limits(right.sums, wrong.sums, *sums, _must_add(counted, penalised))
        self._copies = right.copies, wrong.copies
        self._constant = int(penalised.penalty @ counted.limit)
        self.best, self.choice = 0, ()
        self.nodes = 0

    choice: tuple[int, ...]

    @staticmethod
    def possible(counted: Counted, value: Integers) -> bool:
        """Whether rows can be laid out so that those of a word count alike."""
        kinds, size = np.unique(np.vstack([value, counted.on_rows]), axis=1, return_counts=True)
        words = sum(n_words(n) for n, kind in zip(size.tolist(), kinds.T) if kind.any())
        return bool(words <= MOST_TIMES * counted.bits.shape[1] + MOST_MORE)

    @property
    def words(self) -> int:
        """How many words all candidates have."""
        return int(self._patterns.right.size + self._patterns.wrong.size)

    def run(self, known: int, go_on: GoOn) -> bool:
        """Look for the best set that gains more than `known`; return whether all were gone through.

        Parameters
        ----------
        known : what a set has to gain more than
        go_on : asked from time to time, with the share of the candidates done, whether to go on
        """
        scale, search = self._penalised.scale, self._begun(self._penalised.scale * known)
        self.best, self.choice = known, ()
        done = False
        while not done and go_on(search.share):
            done = search.advance(WORK)
            worth, choice = search.best()
            if len(choice):
                self.best, self.choice = worth // scale, tuple(choice.tolist())
        self.nodes = int(np.sum(search.nodes))
        return done

    def _begun(self, known: int) -> LimitedSearch | SearchWithin:
        """A search for what is worth more than this."""
        return LimitedSearch(
            self._patterns,
            self._limits,
            most=self._most,
            scale=self._penalised.scale,
            constant=self._constant,
            known=known,
        )


class PricedSets(LimitedSets):
    """The same through all sets that gain enough with the prices, of which few are left if these are good.

    Patterns stand in for others here, as in `Branching`, and limits count only where a set is complete: that
    is better for a proof, and worse where no set keeps to the limits.

    Parameters
    ----------
    counted, penalised, max_patterns : see `LimitedSets`
    highest : what no set gains with the prices, in their units, if something is known
    multipliers : what a linear program for the same prices found
    threads : how many work on it; the answer does not depend on it
    free : see `Branching`

    Examples
    --------
    >>> from ooa.data.bitsets import pack
    >>> bits = pack([[1, 1, 1, 1], [1, 1, 0, 0], [0, 0, 1, 0]])
    >>> on_rows, on_patterns = np.array([[0, 0, 1, 1]]), np.zeros((1, 3), int)
    >>> few = Counted(bits, np.ones(3, bool), on_rows, on_patterns, np.array([1]), True, ())
    >>> worth = Penalised(np.array([3, 3, 1, 1]), np.array([1, 1, 1]), np.array([2]), 1)
    >>> sets = PricedSets(few, worth, 2)
    >>> sets.run(known=0, go_on=lambda share: True), sets.best, sets.choice
    (True, 7, (1, 2))
    """

    def __init__(
        self,
        counted: Counted,
        penalised: Penalised,
        max_patterns: int,
        *,
        highest: int | None = None,
        multipliers: PairMultipliers | None = None,
        threads: int = 1,
        free: bool = False,
    ) -> None:
        super().__init__(counted, penalised, max_patterns)
        self._all = int(np.maximum(penalised.value, 0).sum())
        self._highest = self._all if highest is None else min(highest, self._all)
        self._at_root = None if multipliers is None else multipliers.on(*self._copies)
        self._threads, self._free = threads, free

    def _begun(self, known: int) -> SearchWithin:
        search = SearchWithin(
            self._patterns,
            self._limits,
            most=self._most,
            scale=self._penalised.scale,
            constant=self._constant,
            known=known,
            highest=self._highest,
            goal=self._all // 20,
            threads=self._threads,
            free=self._free,
        )
        if self._at_root is not None:
            search.filter(self._at_root)
        return search


def _must_add(counted: Counted, penalised: Penalised) -> Integers:
    """What positives a candidate has to add more of, or else any set is as good, and as feasible, without it.

    Where no sum ever falls, and prices on sums leave the positives as they are, a candidate has to pay. Where
    only positives make sums fall, it has to add one. Otherwise there is no such amount: -1.
    """
    value = penalised.value
    plain = value + penalised.penalty @ counted.on_rows  # without the prices on sums
    falls = (counted.on_rows < 0).any(axis=0)
    if (counted.on_patterns < 0).any() or (plain[value <= 0] > 0).any() or (falls & (value <= 0)).any():
        return np.full(len(penalised.price), -1, dtype=np.int64)
    if falls.any() or (plain[value > 0] != value[value > 0]).any():
        return np.zeros(len(penalised.price), dtype=np.int64)
    true: Integers = penalised.price - penalised.penalty @ counted.on_patterns
    return true


def undominated(counted: Counted, valued: Valued, go_on: GoOn, threads: int = 1) -> NDArray[np.intp]:
    """The candidates that no other one can stand in for, as far as `go_on` allows.

    Putting z' in place of z must never break a limit, and never cost: of what z covers and z' does not,
    nothing counts below 0 in any sum, of what z' covers and z does not, nothing above 0; z' counts no more by
    itself, and z not below 0, as z' may be there already; and z costs at least as much more as the positives
    lost and the negatives gained weigh.

    Parameters
    ----------
    counted : the constraints
    valued : what sets gain
    go_on : asked from time to time, with the share done, whether to go on
    threads : that compare; the answer does not depend on it
    """
    everything = np.arange(len(valued.price))
    if not _follow_price(counted.on_patterns, valued.price):
        return everything
    never = int(np.abs(valued.value).sum() + valued.price.max(initial=0)) + 1
    lost = np.maximum(valued.value, 0) + never * (counted.on_rows < 0).any(axis=0)
    gained = np.maximum(-valued.value, 0) + never * (counted.on_rows > 0).any(axis=0)
    right, wrong = (RowWeights(weight.astype(np.float64), counted.bits) for weight in (lost, gained))
    weights = [side.weigh(side.rows).astype(np.int64) for side in (right, wrong)]
    order = np.lexsort((weights[1], -weights[0], valued.price))
    patterns = PricedPatterns(
        right.rows[order], right.word_factors.astype(np.int64), wrong.rows[order],
        wrong.word_factors.astype(np.int64), valued.price[order], weights[0][order], weights[1][order],
    )  # fmt: skip
    search, done = Dominance(patterns, threads), 0
    while done < len(order) and go_on(done / len(order)):
        done = search.advance(WORK)
    return np.sort(np.concatenate([order[search.kept()], order[done:]]))


def _follow_price(on_patterns: Integers, price: Integers) -> bool:
    """Whether by itself none counts below 0 in any sum, no cheaper one more, and equally dear ones alike."""
    order = np.argsort(price, kind="stable")
    step, counts = np.diff(price[order]), np.diff(on_patterns[:, order], axis=1)
    return bool((on_patterns >= 0).all() and ((counts == 0) | ((counts > 0) & (step > 0))).all())


class _Side(NamedTuple):
    """Rows of one sign, those that count alike in words of their own."""

    rows: NDArray[np.uint64]
    factor: Integers
    sums: Integers
    weight: Integers
    copies: Copies

    @classmethod
    def of(cls, counted: Counted, value: Integers, side: NDArray[np.bool_]) -> _Side:
        key = np.vstack([value, counted.on_rows])
        some = np.flatnonzero(side & key.any(axis=0))
        kinds, which = np.unique(key[:, some], axis=1, return_inverse=True)
        absent = counted.on_rows.shape[1]
        order, words = [np.zeros(0, dtype=np.int64)], []
        for kind in range(kinds.shape[1]):
            rows = some[which.reshape(-1) == kind]
            order.append(np.append(rows, np.full(-len(rows) % 64, absent)))
            words.append(n_words(len(rows)))
        repeated = np.repeat(kinds, words, axis=1)
        laid_out = reorder(counted.bits, np.concatenate(order), absent)
        factor = np.abs(repeated[0])
        weight = np.bitwise_count(laid_out).astype(np.int64) @ factor
        source = np.concatenate(order)
        copies = Copies(np.where(source == absent, -1, source), np.repeat(factor, 64).astype(np.float64))
        return cls(laid_out, factor, repeated[1:], weight, copies)
