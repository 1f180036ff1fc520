"""The exact best single pattern over the literals at hand, for the rows that are left."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from ooa.candidates.mining import Literals
from ooa.candidates.row_weights import RowWeights
from ooa.data.bitsets import count, unpack, weighted_count
from ooa.kernels.best_pattern import BestPattern, PricedLiterals
from ooa.kernels.bits import chains, reorder

Integers = NDArray[np.int64]
#: A pattern by the positions of its literals, ascending.
Items = tuple[int, ...]
#: How a search calls a pattern: something to compare and to remember, empty where there is none.
AnyItems = TypeVar("AnyItems", bound=tuple[object, ...])

#: Words of rows looked at between two looks at the clock: a few milliseconds.
WORK = 1 << 22
#: How many patterns are grown at a time, of each kind; see core/beam.h.
WIDTHS = (4, 16, 64)
#: Up to so many patterns on different attributes are noted beside the best.
SLOTS = 64
#: Up to about twice so many literals are weighed to say which attributes tell the classes apart best.
_WEIGHED = 20_000


@dataclass(frozen=True)
class FoundPattern(Generic[AnyItems]):
    """What one search for a pattern found.

    Attributes
    ----------
    value : gain of the best pattern, or what was known
    items : its literals; none if no pattern gains more than was known
    good : gains and literals of good patterns met on the way, no two on the same attributes, best first
    exact : whether provably no pattern gains more; False if the search was told to stop
    bound : no pattern gains more, where that is known
    """

    value: int
    items: AnyItems
    good: tuple[tuple[int, AnyItems], ...]
    exact: bool
    bound: int | None = None


@dataclass(frozen=True)
class RowValues:
    """What a pattern is worth: its rows, less the pairs of rows that it holds for, less its price.

    Attributes
    ----------
    own : of each row, not below 0
    pairs : of rows, shape (n, 2)
    amount : of each pair, what a pattern loses that holds for both rows, not below 0
    scale : by which prices are multiplied
    """

    own: Integers
    pairs: Integers
    amount: Integers
    scale: int = 1


class PatternSearch:
    """Search for the pattern that gains most on some of the rows.

    A pattern gains the weight of the positives it covers, less that of the negatives it covers, less its
    price. ooa/kernels/core/best_pattern.h has the search, and why nothing is missed. Where it takes long,
    ooa/kernels/core/beam.h looks for a good pattern beside it.

    Parameters
    ----------
    literals : what patterns are made of, at most one literal per attribute
    positive, negative : weight of each row in its class, whole numbers
    price : of a pattern by its length, whole numbers, entry 0 unused; a literal more never costs less than
        the one before. The last entry is that of the longest pattern allowed.
    least : weight of the positives that a pattern must cover, among all rows

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from ooa.data.bitsets import pack
    >>> bits = pack([[1, 1, 1, 0, 1], [1, 0, 0, 0, 0], [1, 1, 0, 1, 0]])
    >>> literals = SimpleNamespace(attribute=np.array([0, 0, 1]), bits=bits, n_rows=5)
    >>> label = np.array([1, 1, 0, 0, 0])
    >>> search = PatternSearch(literals, 6 * label, 6 - 6 * label, np.array([0, 2, 3]))
    >>> found = search.run(np.ones(5, dtype=bool))
    >>> found.value, found.items, found.exact
    (9, (0, 2), True)
    >>> search.run(label == 0).items  # nothing to gain
    ()
    """

    def __init__(
        self, literals: Literals, positive: Integers, negative: Integers, price: Integers, least: int = 0
    ) -> None:
        self._order, self._chain = _in_chains(literals, positive, negative)
        self._given = literals.bits
        self._bits = np.ascontiguousarray(literals.bits[self._order])
        self._attribute = literals.attribute[self._order].astype(np.int64)
        self._positive, self._negative = positive.astype(np.float64), negative.astype(np.float64)
        longest = min(len(price) - 1, len(np.unique(literals.attribute)))
        self._price, self._least = price[: longest + 1].astype(np.int64), least
        support = RowWeights(self._positive if least > 0 else 0 * self._positive, self._bits, fast=True)
        self._support, self._support_factor = support.rows, support.word_factors.astype(np.int64)

    def run(
        self,
        left: NDArray[np.bool_],
        known: int = 0,
        harshness: int = 1,
        go_on: Callable[[], bool] = lambda: True,
    ) -> FoundPattern[Items]:
        """Return the best pattern for the rows that are left, if it gains more than what is known.

        Parameters
        ----------
        left : the rows that count
        known : what the pattern has to gain more than, not below 0
        harshness : how many positives a negative counts as much as
        go_on : asked from time to time whether to go on
        """
        right = RowWeights(np.where(left, self._positive, 0.0), self._bits, fast=True)
        wrong = RowWeights(np.where(left, self._negative, 0.0), self._bits, fast=True)
        return self._found(right, wrong, self._price, (harshness, known), go_on)

    def most_valuable(
        self, values: RowValues, known: int = 0, go_on: Callable[[], bool] = lambda: True
    ) -> FoundPattern[Items]:
        """Return the pattern that is worth most, if that is more than what is known.

        A pair counts as a row that a literal holds for if it does for both rows of the pair: so it is the
        same search, and chains stay chains.
        """
        absent = len(values.own)
        places = np.append(values.pairs, np.full((-len(values.pairs) % 64, 2), absent), axis=0)
        first, second = (reorder(self._bits, np.ascontiguousarray(side), absent) for side in places.T)
        right = RowWeights(values.own.astype(np.float64), self._bits, fast=True)
        wrong = RowWeights(values.amount.astype(np.float64), first & second, fast=True)
        return self._found(right, wrong, values.scale * self._price, (1, known), go_on)

    def _found(
        self,
        right: RowWeights,
        wrong: RowWeights,
        price: Integers,
        asked: tuple[int, int],
        go_on: Callable[[], bool],
    ) -> FoundPattern[Items]:
        """The best pattern for rows of two kinds; asked: how much the second counts, and what is known."""
        harshness, known = asked
        literals = PricedLiterals(
            right=right.rows,
            right_factor=right.word_factors.astype(np.int64),
            wrong=wrong.rows,
            wrong_factor=harshness * wrong.word_factors.astype(np.int64),
            support=self._support,
            support_factor=self._support_factor,
            least=self._least,
            attribute=self._attribute,
            chain=self._chain,
            price=price,
        )
        search = BestPattern(literals, slots=SLOTS, known=known, negatives=harshness * int(wrong.total))
        turns, longest, everything, done = _turns(search), len(price) - 1, int(right.total), True
        # Short patterns take next to no time, and what they gain rules out most of the longer ones.
        reached = max(1, min(2, longest))
        for length in range(reached, longest + 1):
            if not done or (length > 2 and everything - price[length] <= search.best()[0]):
                break
            reached = length
            search.begin(length)
            done = search.advance(WORK)
            while not done and go_on():
                done = next(turns)
        value, items = search.best()
        bound = value if done else search.bound(anew=reached < longest)
        noted = ((worth, self._items(places)) for worth, places in search.noted())
        return FoundPattern(value, self._items(items), tuple(sorted(noted, reverse=True)), done, bound)

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return len(self._positive)

    def covers(self, items: Items) -> NDArray[np.bool_]:
        """Which rows a pattern holds for."""
        return unpack(np.bitwise_and.reduce(self._given[list(items)], axis=0), self.n_rows)

    def price(self, items: Items) -> int:
        """What a pattern costs."""
        return int(self._price[len(items)])

    def _items(self, places: Integers) -> Items:
        return tuple(sorted(self._order[places].tolist()))


def _turns(search: BestPattern) -> Iterator[bool]:
    """Turns of a search that takes longer, each with so much work; whether the search has come to its end.

    Every other one grows patterns, few at a time and then more: long ones, too, which the search may not
    get to. It goes through fewer for what they gain.
    """
    for width in WIDTHS:
        search.begin_beam(width)
        grown = False
        while not grown:
            grown = search.advance_beam(WORK)
            yield False
            yield search.advance(WORK)
    while True:
        yield search.advance(WORK)


def _in_chains(literals: Literals, positive: Integers, negative: Integers) -> tuple[Integers, Integers]:
    """The order of the literals, and for each its chain: whatever follows in a chain holds on fewer rows.

    Attributes that tell the classes apart best come first: what is found with them rules out most others.
    """
    attribute, size = np.asarray(literals.attribute), count(literals.bits)
    order, chain, n = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)], 0
    for j in _strongest_first(literals, positive, negative):
        own = np.flatnonzero(attribute == j)
        own = own[np.argsort(-size[own], kind="stable")]
        found = chains(literals.bits, own)
        together = np.argsort(found, kind="stable")
        order.append(own[together])
        chain.append(n + found[together])
        n += int(found.max()) + 1
    return np.concatenate(order), np.concatenate(chain)


def _strongest_first(literals: Literals, positive: Integers, negative: Integers) -> list[int]:
    """The attributes, by the share of the positives less that of the negatives of their best literal.

    Of very many literals some tell that well enough: it is an order only.
    """
    attribute = np.asarray(literals.attribute)
    some = slice(None, None, 1 + len(attribute) // _WEIGHED)
    right, wrong = (
        weighted_count(literals.bits[some], weight.astype(np.float64)) / max(1, weight.sum())
        for weight in (positive, negative)
    )
    best = dict.fromkeys(attribute.tolist(), 0.0)
    for j, merit in zip(attribute[some].tolist(), np.abs(right - wrong).tolist(), strict=True):
        best[j] = max(best[j], merit)
    return sorted(best, key=lambda j: (-best[j], j))
