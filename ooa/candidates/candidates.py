"""Candidate patterns with their coverage: what mining finds, screening reduces and the ILP selects from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ooa.data.bitsets import n_words, pack, scattered, weighted_count
from ooa.data.rows import WeightedRows
from ooa.errors import RuleError
from ooa.objective import Objective, round_down
from ooa.rules.literal import Literal
from ooa.rules.pattern import Pattern

from .row_weights import intersections


@dataclass(frozen=True, eq=False, repr=False)
class Candidates:
    """Patterns over literals, and the rows they cover.

    Attributes
    ----------
    literals : tuple of Literal
    items : ndarray of int32, shape (P, longest)
        Indices of each pattern's literals, filled up with -1.
    length : ndarray of int64, shape (P,)
    positive, negative : ndarray of float64, shape (P,)
        Weight of the positives and negatives a pattern covers.
    holds : ndarray of uint64, shape (number of literals, W)
        The rows each literal holds for, packed. What patterns cover is made of these when it is asked for: so
        there is one copy of it at most, and none where there would be too much of it.

    Examples
    --------
    >>> from ooa import Pattern
    >>> from ooa.data.table import Table
    >>> table = Table.from_any({"age": [19, 25, 31], "smokes": ["no", "yes", "yes"]}, [0, 0, 1])
    >>> own = Candidates.of_patterns(table, [Pattern.parse("age >= 30 AND smokes = yes")])
    >>> print(own.pattern(0), own.positive, own.negative)
    age ≥ 30 AND smokes = yes [1.] [0.]
    """

    literals: tuple[Literal, ...]
    items: NDArray[np.int32]
    length: NDArray[np.int64]
    positive: NDArray[np.float64]
    negative: NDArray[np.float64]
    holds: NDArray[np.uint64]
    _numbers: _Numbers | None = None

    def __post_init__(self) -> None:
        if self._numbers is None or self._numbers.literals is not self.literals:
            object.__setattr__(self, "_numbers", _Numbers(self.literals))

    @classmethod
    def of_patterns(cls, rows: WeightedRows, patterns: Iterable[Pattern]) -> Candidates:
        """Candidates from patterns given one by one, repetitions dropped."""
        given = list(dict.fromkeys(patterns))
        for pattern in given:
            if not isinstance(pattern, Pattern):
                raise RuleError(f"candidates are patterns, not {pattern!r}")
        number: dict[Literal, int] = {}
        for pattern in given:
            for literal in pattern:
                number.setdefault(literal, len(number))
        frame = rows.as_frame()
        holds = np.zeros((len(number), n_words(rows.n_rows)), dtype=np.uint64)
        for literal, i in number.items():
            holds[i] = pack(literal.mask(frame.column(literal.attribute)))
        longest = max((len(pattern) for pattern in given), default=1)
        items = np.full((len(given), longest), -1, dtype=np.int32)
        for k, pattern in enumerate(given):
            chosen = sorted(number[literal] for literal in pattern)
            items[k, : len(chosen)] = chosen
        return cls.over(tuple(number), holds, items, rows)

    @classmethod
    def over(
        cls,
        literals: tuple[Literal, ...],
        holds: NDArray[np.uint64],
        items: NDArray[np.int32],
        rows: WeightedRows,
    ) -> Candidates:
        """Candidates from literals, the rows these hold for, and which of them each pattern has."""
        bits = intersections(holds, items)
        return cls(
            literals=literals,
            items=items,
            length=(items >= 0).sum(axis=1, dtype=np.int64),
            positive=weighted_count(bits, rows.positive),
            negative=weighted_count(bits, rows.negative),
            holds=holds,
        )

    def __len__(self) -> int:
        return len(self.length)

    def __repr__(self) -> str:
        return f"Candidates({len(self)} patterns over {len(self.literals)} literals)"

    @cached_property
    def bits(self) -> NDArray[np.uint64]:
        """The rows each pattern covers, packed, shape (P, W); kept once they were asked for."""
        return intersections(self.holds, self.items)

    @property
    def words(self) -> int:
        """The number of words that `bits` has."""
        return len(self) * int(self.holds.shape[1])

    def covered_by(self, chosen: slice | NDArray[np.intp]) -> NDArray[np.uint64]:
        """The rows that some of the patterns cover, packed; they are not kept."""
        return intersections(self.holds, self.items[chosen])

    def pattern(self, k: int) -> Pattern:
        """The k-th pattern."""
        return Pattern(self.literals[i] for i in self.items[k] if i >= 0)

    def take(self, chosen: NDArray[np.intp] | NDArray[np.bool_]) -> Candidates:
        """Some of the candidates, by position or mask."""
        names = ("items", "length", "positive", "negative")
        return replace(self, **{name: getattr(self, name)[chosen] for name in names})

    def joined(self, other: Candidates) -> Candidates:
        """These candidates, then the other's that are not among them."""
        width = max(self.items.shape[1], other.items.shape[1])
        ours, theirs = (_padded_left(one, width) for one in (self._sorted_items, other._numbered_by(self)))
        # Equal patterns have equal codes, so few are left to be compared one by one.
        code = scattered(width).view(np.int64)
        alike = np.isin(ours @ code, theirs @ code)
        known = {items.tobytes() for items in ours[alike]}
        fresh = other.take(np.array([items.tobytes() not in known for items in theirs], dtype=bool))
        if not len(fresh):
            return self
        numbers = dict(self._literal_number)
        added: list[int] = []
        for i in np.unique(fresh.items[fresh.items >= 0]).tolist():
            if fresh.literals[i] not in numbers:
                numbers[fresh.literals[i]] = len(self.literals) + len(added)
                added.append(i)
        renumbered = np.array([*(numbers.get(one, -1) for one in fresh.literals), -1])[fresh.items]
        return Candidates(
            literals=self.literals + tuple(fresh.literals[i] for i in added),
            items=np.vstack([_padded(self.items, width), _padded(renumbered.astype(np.int32), width)]),
            length=np.concatenate([self.length, fresh.length]),
            positive=np.concatenate([self.positive, fresh.positive]),
            negative=np.concatenate([self.negative, fresh.negative]),
            holds=np.vstack([self.holds, fresh.holds[added]]) if added else self.holds,
        )

    def find(self, pattern: Pattern) -> int | None:
        """Position of a pattern, or None."""
        numbers = sorted(self._literal_number.get(literal, -2) for literal in pattern)
        width = self.items.shape[1]
        if len(numbers) > width:
            return None
        wanted = [-1] * (width - len(numbers)) + numbers
        found = np.flatnonzero((self._sorted_items == wanted).all(axis=1))
        return int(found[0]) if len(found) else None

    @property
    def _literal_number(self) -> dict[Literal, int]:
        assert self._numbers is not None
        return self._numbers.of

    @cached_property
    def _sorted_items(self) -> NDArray[np.int64]:
        return self._numbered_by(self)

    def _numbered_by(self, other: Candidates) -> NDArray[np.int64]:
        """The literals of each pattern by the other's numbers, ascending after -1s; what it lacks last."""
        numbers, lacking = other._literal_number, len(other.literals)
        if self.literals is other.literals and len(numbers) == lacking:
            return np.sort(self.items.astype(np.int64), axis=1)
        mine = [numbers.get(literal, lacking + i) for i, literal in enumerate(self.literals)]
        return np.sort(np.array([*mine, -1], dtype=np.int64)[self.items], axis=1)


class _Numbers:
    """The place of each literal, shared by candidates that are taken from others: there may be many."""

    def __init__(self, literals: tuple[Literal, ...]) -> None:
        self.literals = literals

    @cached_property
    def of(self) -> dict[Literal, int]:
        """The first place of every literal."""
        numbers: dict[Literal, int] = {}
        for i, literal in enumerate(self.literals):
            numbers.setdefault(literal, i)
        return numbers


def prices(candidates: Candidates, objective: Objective, total: Fraction) -> NDArray[np.float64]:
    """Price of each candidate in units of weight: `total` times c(z), rounded down."""
    longest = int(candidates.length.max(initial=0))
    by_length = np.array([round_down(total * objective.cost(n)) for n in range(longest + 1)])
    return by_length[candidates.length]


def _padded_left(items: NDArray[np.int64], width: int) -> NDArray[np.int64]:
    return np.pad(items, ((0, 0), (width - items.shape[1], 0)), constant_values=-1)


def _padded(items: NDArray[np.int32], width: int) -> NDArray[np.int32]:
    return np.pad(items, ((0, 0), (0, width - items.shape[1])), constant_values=-1)
