"""Candidate literals of a table, each with the set of rows it holds for."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from ooa.checks import instance, number_from, truth, whole_number
from ooa.clock import NEVER, Deadline
from ooa.data.bitsets import pack, scattered
from ooa.data.columns import Column
from ooa.data.rows import Attribute, WeightedRows
from ooa.errors import OptionError
from ooa.rules.levels import range_on
from ooa.rules.literal import Equal, IsMissing, Literal, NotEqual, OneOf

from .cutpoints import Cut
from .thresholds import Cutting, Thresholds

__all__ = ["LiteralSet", "candidate_literals"]

MOST_SETS = 10_000  # set literals per attribute
_Words = NDArray[np.uint64]


@dataclass(frozen=True, eq=False, repr=False)
class LiteralSet:
    """Literals over the rows of a table; no two on one attribute hold for the same rows.

    Attributes
    ----------
    literals : tuple of Literal
    attribute : ndarray of int32
        For each literal, the position of its attribute in the table.
    bits : ndarray of uint64, shape (number of literals, words)
        The rows each literal holds for, packed as in `ooa.data.bitsets`.
    complement : ndarray of int32
        For each literal, the position of the one on the same attribute that holds for exactly the other rows;
        -1 if there is none.
    n_rows : int
    note : str
        Why literals are missing for lack of time, if some are.
    """

    literals: tuple[Literal, ...]
    attribute: NDArray[np.int32]
    bits: _Words
    complement: NDArray[np.int32]
    n_rows: int
    note: str = ""

    def __len__(self) -> int:
        return len(self.literals)

    def place_of(self, literal: Literal, rows: WeightedRows) -> int | None:
        """The place of a literal, or None; it is one of those on the same rows, as there may be many."""
        holds = pack(literal.mask(rows.as_frame().column(literal.attribute)))
        alike = np.flatnonzero(self._code == holds @ scattered(len(holds)))
        return next((k for k in alike.tolist() if self.literals[k] == literal), None)

    @cached_property
    def _code(self) -> NDArray[np.uint64]:
        """A number for the rows of each literal, the same for the same rows."""
        code: NDArray[np.uint64] = self.bits @ scattered(self.bits.shape[1])
        return code

    def best(self, number: int, merit: NDArray[np.float64]) -> LiteralSet:
        """The best so many literals by merit, for lack of time for all of them."""
        kept = np.sort(np.argsort(-merit, kind="stable")[:number])
        words = f"only the best {len(kept):,} of {len(self):,} conditions were looked at for lack of time"
        return replace(self.take(kept), note="; ".join(filter(None, (self.note, words))))

    def take(self, kept: NDArray[np.intp]) -> LiteralSet:
        """Some of the literals, by position, ascending."""
        place = np.full(len(self) + 1, -1, dtype=np.int32)
        place[kept] = np.arange(len(kept))
        return LiteralSet(
            tuple(self.literals[i] for i in kept.tolist()),
            self.attribute[kept],
            self.bits[kept],
            place[self.complement[kept]],
            self.n_rows,
            self.note,
        )

    def __repr__(self) -> str:
        return f"LiteralSet({len(self)} literals, {self.n_rows} rows)"


def candidate_literals(
    rows: WeightedRows,
    *,
    thresholds: Thresholds = "auto",
    max_thresholds: int = 15,
    ranges: bool = False,
    negations: bool = False,
    sets: int = 1,
    missing: bool = False,
    deadline: Deadline = NEVER,
    max_bytes: float = math.inf,
) -> LiteralSet:
    """Return the candidate literals of a table.

    Literals that hold for every row or for none are left out, and so is all but the simplest of those on one
    attribute that hold for the same rows.

    Parameters
    ----------
    rows : Table or DistinctRows
    thresholds : {"auto", "distinct", "quantiles", "mdl", "tree", "round"} or dict
        Where numeric attributes are cut: between any two neighbouring values ("distinct"), near quantiles
        of the weight, by entropy and description length ("mdl"), by a small decision tree per attribute, at
        a few round numbers (see `round_numbers`), or at the cuts given per column. "auto" is "distinct"
        for attributes with at most `max_thresholds` + 1 values; for the others it takes the cuts of "mdl",
        those that are best by information gain or by what they gain as a rule, and then quantiles between
        these. Every cut makes two literals, "at most" (for round numbers and given cuts "less than") and
        "at least".
    max_thresholds : int
        The most cuts per attribute.
    ranges : bool
        Whether to add the two-sided range between any two cuts and, where values are missing, the one over
        all values: "has a value", written as "at least the least value".
    negations : bool
        Whether to add "x ≠ v" for every category.
    sets : int
        The most values in literals "x in {v, w, ...}"; 1 for none. A set of all values is one where some are
        missing: there it says "has a value".
    missing : bool
        Whether to add "is missing" for every attribute with missing values, and not only for those whose
        missing values are a category.
    deadline : Deadline
        After which no further column is looked at; where it is too near for all rows, cuts are chosen by some
        of them. `note` then says so.
    max_bytes : float
        Bytes of `bits` after which no further column is looked at; `note` says so.

    Examples
    --------
    >>> from ooa.data.table import Table
    >>> table = Table.from_any({"age": [19, 25, 31, 64], "smoker": [True, False, None, True]}, [0, 0, 1, 1])
    >>> for literal in candidate_literals(table, thresholds={"age": [30]}, missing=True).literals:
    ...     print(literal)
    age < 30
    age ≥ 30
    smoker = false
    smoker = true
    smoker IS MISSING
    """
    instance(rows, "rows", WeightedRows, "an ooa.Table")
    sets = whole_number(sets, "sets")
    ranges, negations = truth(ranges, "ranges"), truth(negations, "negations")
    missing = truth(missing, "missing")
    instance(deadline, "deadline", Deadline, "a Deadline")
    max_bytes = number_from(max_bytes, "max_bytes", finite=False)
    cutting = Cutting(rows, thresholds, max_thresholds, deadline)
    everything = pack(np.ones(rows.n_rows, dtype=bool))
    in_time = deadline.pieces()
    literals: list[Literal] = []
    attribute: list[NDArray[np.int32]] = []
    words: list[NDArray[np.uint64]] = []
    complement: list[NDArray[np.int32]] = []
    notes = (
        [f"cuts were chosen by one row in {cutting.every:,} for lack of time"] if cutting.every > 1 else []
    )
    for j, (described, column) in enumerate(zip(rows.attributes, rows.columns)):
        if not next(in_time):
            notes.append(f"only {j:,} of {len(rows.columns):,} columns were looked at for lack of time")
            break
        if len(literals) * everything.nbytes > max_bytes:
            notes.append(f"only {j:,} of {len(rows.columns):,} columns were looked at for lack of memory")
            break
        if column.kind == "numeric":
            found = _numeric(column, cutting.cuts(column), ranges)
        else:
            found = _categorical(column, sets, negations)
        room = max_bytes - len(literals) * everything.nbytes
        limited = _Limited(chain(found, _missing(described, column, missing)), deadline, room)
        kept = _without_repeats(limited, everything)
        if limited.lacking:
            notes.append(f"only some conditions on {column.name!r} were made for lack of {limited.lacking}")
        own = np.frombuffer(b"".join(kept), dtype=np.uint64).reshape(len(kept), len(everything))
        complement.append(_complements(own, everything, len(literals)))
        literals.extend(kept.values())
        attribute.append(np.full(len(kept), j, dtype=np.int32))
        words.append(own)
    return LiteralSet(
        literals=tuple(literals),
        attribute=np.concatenate([np.empty(0, dtype=np.int32), *attribute]),
        bits=np.concatenate([np.empty((0, len(everything)), dtype=np.uint64), *words]),
        complement=np.concatenate([np.empty(0, dtype=np.int32), *complement]),
        n_rows=rows.n_rows,
        note="; ".join(notes),
    )


def _complements(holds: NDArray[np.uint64], everything: _Words, first: int) -> NDArray[np.int32]:
    """The place of the set of all other rows, counted from `first` on, or -1, for each of different sets."""
    mixing = scattered(len(everything))
    code = holds @ mixing
    others = everything @ mixing - code  # a set within all rows is taken from them without a carry
    order = np.argsort(code, kind="stable")
    ascending = code[order]
    place = np.searchsorted(ascending, others)
    result = np.full(len(holds), -1, dtype=np.int32)
    for i in np.flatnonzero(ascending[np.minimum(place, len(order) - 1)] == others).tolist():
        for k in range(int(place[i]), len(order)):
            if ascending[k] != others[i]:
                break
            if np.array_equal(holds[order[k]], holds[i] ^ everything):  # different sets may have equal codes
                result[i] = first + int(order[k])
                break
    return result


#: Conditions on one column that are made between two looks at the clock, and rows gone through for them.
_MANY, _ROWS = 400, 10_000_000


class _Limited:
    """Literals of one column as long as there is time and memory: one with many values has many ranges.

    Attributes
    ----------
    lacking : what there was not enough of, if it ended early
    """

    def __init__(self, found: Iterable[tuple[Literal, _Words]], deadline: Deadline, max_bytes: float) -> None:
        self._found, self._deadline, self._max_bytes = found, deadline, max_bytes
        self.lacking = ""

    def __iter__(self) -> Iterator[tuple[Literal, _Words]]:
        every = _MANY
        for made, (literal, holds) in enumerate(self._found):
            if made == 0:
                every = max(1, min(_MANY, _ROWS // (64 * len(holds))))
            elif made % every == 0:
                full = made * holds.nbytes > self._max_bytes
                self.lacking = "memory" if full else "time" if self._deadline.passed() else ""
                if self.lacking:
                    return
            yield literal, holds


def _without_repeats(found: Iterable[tuple[Literal, _Words]], everything: _Words) -> dict[bytes, Literal]:
    """Keep the first literal for every set of rows, and none for no rows or all."""
    kept: dict[bytes, Literal] = {}
    for literal, holds in found:
        kept.setdefault(holds.tobytes(), literal)
    for trivial in (everything, everything ^ everything):
        kept.pop(trivial.tobytes(), None)
    return kept


def _numeric(column: Column, cuts: list[Cut], ranges: bool) -> Iterator[tuple[Literal, _Words]]:
    """Yield the one-sided literals of every cut, then the ranges between any two, then "has a value"."""

    def literal(over: Cut | None, under: Cut | None) -> tuple[Literal, _Words]:
        made = range_on(
            column,
            low=None if over is None else over.above,
            high=None if under is None else under.below,
            high_closed=under is None or under.below_closed,
        )
        return made, pack(made.mask(column))

    for cut in cuts:
        yield literal(None, cut)
        yield literal(cut, None)
    if ranges:
        for over, under in combinations(cuts, 2):
            yield literal(over, under)
        if not column.missing.all():
            least = column.values[~column.missing].min().item()
            yield literal(Cut(least, least), None)


def _categorical(column: Column, sets: int, negations: bool) -> Iterator[tuple[Literal, _Words]]:
    """Yield equality with every category, then what it does not equal, then small sets."""
    present = np.unique(column.values[column.values >= 0])
    # A set of all categories says "has a value", and nothing where every row has one.
    most = min(sets, len(present) if column.missing.any() else len(present) - 1)
    if sum(comb(len(present), size) for size in range(2, most + 1)) > MOST_SETS:
        raise OptionError(
            f"makes more than {MOST_SETS} literals of column {column.name!r}, which has {len(present)} "
            "categories",
            option="sets",
            value=sets,
        )
    values = [column.categories[code] for code in present]
    holds = [pack(column.values == code) for code in present]
    known = pack(~column.missing)
    for value, words in zip(values, holds):
        yield Equal(column.name, value), words
    if negations:
        for value, words in zip(values, holds):
            yield NotEqual(column.name, value), known & ~words
    for size in range(2, most + 1):
        for members in combinations(range(len(values)), size):
            union = np.bitwise_or.reduce([holds[i] for i in members])
            yield OneOf(column.name, [values[i] for i in members]), union


def _missing(described: Attribute, column: Column, wanted: bool) -> Iterator[tuple[Literal, _Words]]:
    """Yield "is missing" where it is asked for."""
    if wanted or described.missing_category:
        yield IsMissing(column.name), pack(column.missing)
