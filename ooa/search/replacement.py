"""Local search over rule sets by optimal replacement: one pattern at a time, the exact best for the rest.

Where patterns are too many to be listed, a rule set is improved without a list: given all patterns but one,
the best possible one for the rows they leave is found exactly (`PatternSearch` over literals, `BoxSearch`
over all ranges and categories), round and round until no pattern can be replaced, added or left out with
profit. Kicks lead away from there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from itertools import repeat
from typing import Generic, Protocol

import numpy as np
from numpy.typing import NDArray

from ooa.clock import NEVER, Deadline

from .best_pattern import WORK, AnyItems, FoundPattern, Integers, Items

#: A rule set by the literals of its patterns.
Patterns = tuple[Items, ...]

#: How many positives a negative counts in growth: net gain alone falls for broad patterns.
_HARSHNESS = (1, 2, 5, 1 << 20)
_KICK_HARSHNESS = (1, 1, 2, 3, 5, 20)
#: Share of the time and of the work left that one search for a pattern may take.
_ONE_SEARCH = 0.25
#: Words of rows that a search counts as at least, and looking up what one found before.
_SEARCH, _LOOK_UP = WORK >> 2, WORK >> 6
#: Searches that are remembered, and patterns met, at most: long before memory ends.
_MOST_HELD = 100_000
#: Most patterns that a kick takes out.
_MOST_OUT = 3


class Finder(Protocol[AnyItems]):
    """What finds single patterns: `PatternSearch`, `BoxSearch`."""

    @property
    def n_rows(self) -> int:
        """How many rows there are."""

    def covers(self, items: AnyItems, /) -> NDArray[np.bool_]:
        """Which rows a pattern holds for."""

    def price(self, items: AnyItems, /) -> int:
        """What a pattern costs."""

    def run(
        self, left: NDArray[np.bool_], known: int, harshness: int, go_on: Callable[[], bool]
    ) -> FoundPattern[AnyItems]:
        """Return the best pattern for the rows that are left, if it gains more than what is known."""


class Replacement(Generic[AnyItems]):
    """Search for a rule set that gains much; the same seed gives the same answer as long as time suffices.

    A rule set gains the weight of the positives it covers, less that of the negatives it covers, less its
    prices. It is a heuristic: every single step is the best possible one, their sequence need not be.

    Parameters
    ----------
    patterns : what finds the best pattern for the rows that are left
    positive, negative : weight of each row in its class, whole numbers
    max_patterns : most patterns in a rule set, or None

    Attributes
    ----------
    gain, best : of the best rule set found, and its patterns
    searches : how many searches for a pattern it took
    interrupted : whether Ctrl-C ended the search; the best until then is returned

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from ooa.data.bitsets import pack
    >>> from ooa.search.best_pattern import PatternSearch
    >>> x, y = np.arange(8) % 4, np.arange(8) // 4
    >>> bits = pack([x >= 1, x >= 2, x <= 1, y >= 1, y < 1])
    >>> literals = SimpleNamespace(attribute=np.array([0, 0, 0, 1, 1]), bits=bits, n_rows=8)
    >>> label = (x >= 2) & (y >= 1) | (x <= 1) & (y < 1)
    >>> weights = 9 * label, 9 * ~label
    >>> search = Replacement(PatternSearch(literals, *weights, np.array([0, 1, 2])), *weights)
    >>> search.run(), search.gain
    (((1, 3), (2, 4)), 32)
    """

    def __init__(
        self,
        patterns: Finder[AnyItems],
        positive: Integers,
        negative: Integers,
        max_patterns: int | None = None,
    ) -> None:
        self._patterns, self._limit = patterns, max_patterns
        self._worth = positive.astype(np.int64) - negative.astype(np.int64)
        self._known: dict[tuple[bytes, int], tuple[int, AnyItems | tuple[()]]] = {}
        self._short: dict[AnyItems, int] = {}
        self._met: list[AnyItems] = []
        self._improved: Callable[[tuple[AnyItems, ...]], None] | None = None
        self._deadline, self._most_work, self._work = NEVER, math.inf, 0
        self.gain, self.best = 0, ()
        self.searches = 0
        self.interrupted = False

    best: tuple[AnyItems, ...]

    def run(
        self,
        starts: Iterable[tuple[AnyItems, ...]] = (),
        *,
        seed: int = 0,
        rounds: int | None = 200,
        work: int | None = None,
        deadline: Deadline = NEVER,
        improved: Callable[[tuple[AnyItems, ...]], None] | None = None,
    ) -> tuple[AnyItems, ...]:
        """Return the best rule set found; what earlier runs found counts.

        Parameters
        ----------
        starts : rule sets to improve on, beside the empty one
        seed : of the kicks
        rounds : how many kicks in a row may fail before the search ends; None for any number
        work : about how many words of rows it may go through, a limit that is the same on every machine
        deadline : when it ends in any case
        improved : told of every rule set that is better than all before
        """
        self._deadline, self._improved, self._work = deadline, improved, 0
        self._most_work = math.inf if work is None else work
        rng = np.random.default_rng(seed)
        try:
            for start in starts:
                self._descend(self._offered(start))
            for harshness in _HARSHNESS:
                self._descend(self._grow((), repeat(harshness)))
            here, failures = self.best, 0
            while self._met and not self._over() and (rounds is None or failures < rounds):
                before, trial = self.gain, self._descend(self._kicked(here, rng))
                failures = 0 if self.gain > before else failures + 1
                if self.gain_of(trial) >= self.gain_of(here):
                    here = trial  # a plateau is gone along
        except KeyboardInterrupt:
            self.interrupted = True
        return self.best

    def collected(self, most: int) -> list[AnyItems]:
        """Good patterns met on the way: at most so many, those nearest to the best one in their place."""
        return sorted(self._short, key=lambda items: (self._short[items], items))[:most]

    def gain_of(self, patterns: tuple[AnyItems, ...]) -> int:
        """What a rule set gains."""
        worth = int(self._worth[self._covered(patterns)].sum())
        return worth - sum(map(self._patterns.price, patterns))

    def _covered(self, patterns: tuple[AnyItems, ...]) -> NDArray[np.bool_]:
        union = np.zeros(self._patterns.n_rows, dtype=bool)
        for items in patterns:
            union |= self._patterns.covers(items)
        return union

    def _offered(self, patterns: tuple[AnyItems, ...]) -> tuple[AnyItems, ...]:
        """The same patterns, noted if they are the best so far."""
        gain = self.gain_of(patterns)
        if gain > self.gain:
            self.gain, self.best = gain, patterns
            if self._improved is not None:
                self._improved(patterns)
        return patterns

    def _best_beside(
        self, others: tuple[AnyItems, ...], known: int = 0, harshness: int = 1
    ) -> AnyItems | tuple[()]:
        """The best pattern beside the others, if it gains more than what is known; else nothing."""
        covered = self._covered(others)
        from hashlib import blake2b

        key = blake2b(np.packbits(covered).tobytes(), digest_size=16).digest(), harshness
        self._work += _LOOK_UP
        value, items = self._known.get(key, (1 << 62, ()))
        if value <= known or items:
            return items if value > known else ()
        self.searches += 1
        self._work += _SEARCH
        until = self._deadline.share_of_rest(_ONE_SEARCH)
        most = self._work + _ONE_SEARCH * (self._most_work - self._work)

        def go_on() -> bool:
            self._work += WORK
            return not until.passed() and self._work < most

        found = self._patterns.run(~covered, known, harshness, go_on)
        if found.exact:
            if len(self._known) >= _MOST_HELD:
                self._known.clear()
            self._known[key] = found.value, found.items
        for gain, one in found.good:
            if one not in self._short:
                self._met.append(one)
            short = found.value - gain
            self._short[one] = min(short, self._short.get(one, short))
        if len(self._met) > _MOST_HELD:
            self._met = self.collected(_MOST_HELD // 2)
            self._short = {one: self._short[one] for one in self._met}
        return found.items

    def _grow(self, patterns: tuple[AnyItems, ...], harshness: Iterator[int]) -> tuple[AnyItems, ...]:
        """Add the best pattern as long as one pays and there is room."""
        while self._room_beside(patterns) and not self._over():
            items = self._best_beside(patterns, harshness=next(harshness))
            if not items:
                break
            patterns = self._offered((*patterns, items))
        return patterns

    def _room_beside(self, patterns: tuple[AnyItems, ...]) -> bool:
        return self._limit is None or len(patterns) < self._limit

    def _descend(self, patterns: tuple[AnyItems, ...]) -> tuple[AnyItems, ...]:
        """Replace, add and leave out one pattern at a time until nothing of that pays."""
        place = idle = 0
        while idle <= len(patterns) and not self._over():
            place %= len(patterns) + 1
            others = patterns[:place] + patterns[place + 1 :]
            own = self.gain_of(patterns) - self.gain_of(others)  # 0 beyond the last: one more is looked for
            room = place < len(patterns) or self._room_beside(patterns)
            items = self._best_beside(others, max(own, 0)) if room else ()
            idle += 1
            if items:
                patterns, idle = self._offered((*others[:place], items, *others[place:])), 0
            elif own <= 0 and place < len(patterns):
                patterns, idle = self._offered(others), 0
                continue
            place += 1
        return patterns

    def _over(self) -> bool:
        return self._work >= self._most_work or self._deadline.passed()

    def _kicked(self, patterns: tuple[AnyItems, ...], rng: np.random.Generator) -> tuple[AnyItems, ...]:
        """Take some patterns out, perhaps put in one that was good elsewhere, and grow again."""
        out = min(len(patterns), int(rng.integers(1, _MOST_OUT + 1)))
        stay = np.sort(rng.permutation(len(patterns))[out:])
        kept = tuple(patterns[k] for k in stay.tolist())
        if self._met and rng.random() < 0.5:
            kept = (*kept, self._met[int(rng.integers(len(self._met)))])
        return self._grow(kept, (int(rng.choice(_KICK_HARSHNESS)) for _ in repeat(None)))
