"""Constraints read as sums over a set of candidates: what a search can count, and what it cannot.

A formulation hands a constraint the variables of its model. Here it is handed words whose variables are the
things that a search through sets of candidates counts anyhow: which candidates the set has, which rows it
covers, and flags that some candidates raise ("a pattern on this attribute is there"). The rows it returns are
then sums of these, whoever wrote the constraint.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ooa.candidates.candidates import Candidates
from ooa.data.bitsets import n_words, pack
from ooa.errors import OOAError
from ooa.model.builder import Model
from ooa.model.expressions import Algebra, BoolArray, Expression, FloatArray, Rows
from ooa.model.sparse import sp
from ooa.objective import MOST_STEPS, common_step

from .base import ConstraintLike, constraint_rows
from .candidate_words import CandidateWords
from .task import Task
from .vocabulary import Vocabulary

__all__ = ["Counted", "CountedWords", "NotCounted", "Sum", "read", "rounded", "sums_of"]

#: More sums than this are left to a solver.
MOST_SUMS = 64
#: Up to so many patterns that are asked for, each by itself, are a flag of its own.
MOST_OWN = 64
#: `covers` is said of so many rows and patterns at most.
MOST_COVERS = 10**7

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Counted:
    """Constraints on sets of candidates as sums of whole numbers.

    A set A of candidates meets what was read if all of it is `allowed` and for every sum m::

        sum of on_rows[m, n] over the rows n that A covers
            + sum of on_patterns[m, z] over the candidates z of A <= limit[m]

    Rows are those of the task, padded to whole words, and then the flags, which some candidates "cover".

    Attributes
    ----------
    bits : the rows and flags that each candidate covers, packed
    allowed : the candidates that no constraint excludes whatever else the set has
    on_rows, on_patterns, limit : see above
    exact : whether the sums say just what the constraints say; if not, they say less, as some numbers had to
        be rounded
    left : the constraints that could not be read
    """

    bits: NDArray[np.uint64]
    allowed: BoolArray
    on_rows: Integers
    on_patterns: Integers
    limit: Integers
    exact: bool
    left: tuple[ConstraintLike, ...]

    @property
    def complete(self) -> bool:
        """Whether whatever meets the sums meets all constraints."""
        return self.exact and not self.left

    @property
    def closed_below(self) -> bool:
        """Whether every part of a set within the limits keeps to them as well."""
        return bool((self.on_rows >= 0).all() and (self.on_patterns >= 0).all())

    def amounts(self, covered: BoolArray, chosen: Sequence[int]) -> Integers:
        """What the sums are for some candidates, given the rows and flags that they cover."""
        total: Integers = self.on_rows[:, covered].sum(axis=1) + self.on_patterns[:, list(chosen)].sum(axis=1)
        return total

    def without(self, m: int) -> Counted:
        """The same without one of the sums."""
        rest = np.arange(len(self.limit)) != m
        return replace(
            self, on_rows=self.on_rows[rest], on_patterns=self.on_patterns[rest], limit=self.limit[rest]
        )

    def take(self, chosen: NDArray[np.intp]) -> Counted:
        """The same for some of the candidates."""
        return Counted(
            self.bits[chosen],
            self.allowed[chosen],
            self.on_rows,
            self.on_patterns[:, chosen],
            self.limit,
            self.exact,
            self.left,
        )


def read(
    candidates: Candidates, task: Task, tolerance: float = 0.0, whole: ConstraintLike | None = None
) -> Counted:
    """Read the constraints of a task.

    Parameters
    ----------
    candidates : patterns to choose from, on `task.rows`
    task : whose constraints are read
    tolerance : by how much a sum may exceed its limit, relative to the limit where that exceeds 1
    whole : one of the constraints that is a sum even where it excludes patterns by themselves

    Examples
    --------
    >>> from ooa import Pattern
    >>> from ooa.constraints import budget, max_false_negatives, monotone
    >>> from ooa.data.table import Table
    >>> from ooa.objective import Objective
    >>> table = Table.from_any({"x": [1, 2, 3], "y": [0, 1, 1]}, [0, 1, 1])
    >>> wanted = max_false_negatives(0), budget({"y": 3}, 2), monotone("x", "increasing")
    >>> task = Task.of(table, Objective.of(0, 0), constraints=wanted)
    >>> own = [Pattern.parse(text) for text in ("x >= 2", "x <= 2", "y >= 1")]
    >>> counted = read(Candidates.of_patterns(task.rows, own), task)
    >>> counted.allowed.tolist()
    [True, False, True]
    >>> counted.on_rows[:, :3].tolist(), counted.limit.tolist()  # "covers both positives", "no y"
    ([[0, -1, -1], [0, 0, 0]], [-2, 0])
    """
    words = CountedWords(candidates, task)
    sums: list[Sum] = []
    left: list[ConstraintLike] = []
    allowed = np.ones(len(candidates), dtype=bool)
    for constraint in task.constraints:
        found = sums_of(words, constraint)
        if found is None:
            left.append(constraint)
            continue
        alone, others = np.ones(len(candidates), dtype=bool), found
        if constraint is not whole:
            alone, others = _single(found, words.n_candidates, tolerance)
        many = [*rounded(others, tolerance)] if others.matrix.shape[0] <= MOST_SUMS - len(sums) else None
        if many is None:
            left.append(constraint)
            continue
        allowed &= alone
        sums += many
    return words.counted(sums, allowed, tuple(left))


class NotCounted(OOAError):
    """Something was said that a search does not count."""


class Sum(NamedTuple):
    """A sum over the columns, in whole numbers."""

    column: NDArray[np.int32]
    value: Integers
    limit: int
    exact: bool


class _AtMost(NamedTuple):
    """Rows `matrix @ columns <= limit`."""

    matrix: sp.csr_array
    limit: FloatArray


class CountedWords(CandidateWords):
    """Words over candidates, covered rows and flags, in columns of this order."""

    def __init__(self, candidates: Candidates, task: Task) -> None:
        model = Model("counted")
        super().__init__(model, task.rows, task.table)
        self.candidates, self.n_candidates = candidates, len(candidates)
        self._used = model.add_binaries("used", len(candidates))
        self._covered = model.add_continuous("covered", task.rows.n_rows, upper=1.0)
        self._flags: list[BoolArray] = []
        # What the rows would be covered by if they were others, and the columns of that
        self._others: list[tuple[NDArray[np.uint64], NDArray[np.int64]]] = []

    def counted(self, sums: list[Sum], allowed: BoolArray, left: tuple[ConstraintLike, ...]) -> Counted:
        """What was read, over rows that are padded to whole words, and flags."""
        place, width = self._places()
        on_rows = np.zeros((len(sums), width), dtype=np.int64)
        on_patterns = np.zeros((len(sums), self.n_candidates), dtype=np.int64)
        for m, one in enumerate(sums):
            pattern = one.column < self.n_candidates
            on_patterns[m, one.column[pattern]] = one.value[pattern]
            on_rows[m, place[one.column[~pattern] - self.n_candidates]] = one.value[~pattern]
        own = np.flatnonzero((on_patterns < 0).any(axis=0))
        if (
            len(own) <= MOST_OWN
        ):  # each is a flag that it alone raises: prices then count for what it is to bring
            on_rows = np.concatenate([on_rows, np.minimum(on_patterns[:, own], 0)], axis=1)
            on_patterns = np.maximum(on_patterns, 0)
            self._flags += list(np.arange(self.n_candidates) == own[:, None])
        bits = self.candidates.bits
        if self._flags or self._others:
            flags = [pack(np.array(self._flags).T)] if self._flags else []
            bits = np.concatenate([bits, *(other for other, _ in self._others), *flags], axis=1)
        limit = np.array([one.limit for one in sums], dtype=np.int64)
        exact = all(one.exact for one in sums)
        return Counted(bits, allowed, on_rows, on_patterns, limit, exact, left)

    def _places(self) -> tuple[NDArray[np.int64], int]:
        """Where each column but the candidates' stands among rows and flags, and how many there are of these.

        Rows, padded to whole words, come first, then what they would be as others, and then the flags.
        """
        n = self._rows.n_rows
        place = np.full(self._model.n_columns - self.n_candidates, -1, dtype=np.int64)
        blocks = [self._covered.index.astype(np.int64), *(columns for _, columns in self._others)]
        for i, columns in enumerate(blocks):
            place[columns - self.n_candidates] = 64 * n_words(n) * i + np.arange(n)
        first, flags = 64 * n_words(n) * len(blocks), len(self._flags)
        place[place < 0] = first + np.arange(flags)
        return place, first + flags

    def _covered_by(self, name: str, bits: NDArray[np.uint64]) -> Expression:
        """A flag for every row, which candidates raise that have its bit."""
        flags = self._model.add_continuous(name, self._rows.n_rows, upper=1.0)
        self._others.append((bits, flags.index.astype(np.int64)))
        return flags.as_expression()

    def _error_columns(self, row: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        none = np.full(len(row), -1, dtype=np.int64)
        return none, none

    def _firing_columns(self, row: NDArray[np.int64]) -> NDArray[np.int64]:
        return self._covered.index[row].astype(np.int64)

    def _coverage(self, row: NDArray[np.int64], pattern: NDArray[np.int64]) -> Expression:
        if len(row) * len(pattern) > MOST_COVERS:
            raise NotCounted("too many rows and patterns")
        return super()._coverage(row, pattern)

    def _any(self, name: str, parts: Algebra) -> Expression:
        """A flag that the candidates among the parts raise."""
        matrix = parts.as_expression().matrix
        columns = np.unique(matrix.indices[matrix.data != 0])
        if (columns >= self.n_candidates).any() or parts.as_expression().constant.any():
            raise NotCounted(name)
        raised = np.zeros(self.n_candidates, dtype=bool)
        raised[columns] = True
        self._flags.append(raised)
        return self._model.add_continuous(name, upper=1.0).as_expression()


def sums_of(words: Vocabulary, constraint: ConstraintLike) -> _AtMost | None:
    """All rows of a constraint, as sums that are at most something; None if it cannot be read."""
    try:
        made = [rows for _, rows in constraint_rows(words, [constraint])]
    except Exception:  # whatever it is, it happens again in the formulation, where it has a name
        return None
    width = words._model.n_columns
    blocks: list[sp.csr_array] = [sp.csr_array((0, width))]
    limits: list[FloatArray] = [np.zeros(0)]
    for rows in made:
        for sign, side in ((1.0, rows.upper), (-1.0, -rows.lower)):
            some = np.flatnonzero(np.isfinite(side))
            block = _widened(rows, width)[some] * sign
            blocks.append(block)
            limits.append(side[some])
    matrix = sp.csr_array(sp.vstack(blocks, format="csr"))
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    return _AtMost(matrix, np.concatenate(limits))


def _widened(rows: Rows, width: int) -> sp.csr_array:
    matrix = rows.matrix
    return sp.csr_array((matrix.data, matrix.indices, matrix.indptr), shape=(matrix.shape[0], width))


def _single(found: _AtMost, n_candidates: int, tolerance: float) -> tuple[BoolArray, _AtMost]:
    """Which candidates the rows about one candidate alone allow, and the other rows."""
    matrix, limit = found
    size = np.diff(matrix.indptr)
    one = np.flatnonzero((size == 1) & (limit >= 0))
    column, value = matrix.indices[matrix.indptr[one]], matrix.data[matrix.indptr[one]]
    about = column < n_candidates
    one, column, value = one[about], column[about], value[about]
    allowed = np.ones(n_candidates, dtype=bool)
    allowed[column[value > limit[one] + _slack(limit[one], tolerance)]] = False
    rest = np.ones(len(limit), dtype=bool)
    rest[one] = False
    rest[(size == 0) & (limit >= -_slack(limit, tolerance))] = False  # always met
    kept = np.flatnonzero(rest)
    matrix, limit = matrix[kept], limit[kept]
    needed = np.ones(len(limit), dtype=bool)
    for i in range(min(matrix.shape[0], MOST_SUMS)):  # beyond, they are left to a solver as it is
        some = slice(matrix.indptr[i], matrix.indptr[i + 1])
        column, value = matrix.indices[some], matrix.data[some]
        if (value >= 0).all():  # nothing can make up for it: what is beyond the limit by itself is in no set
            most, own = limit[i] + _slack(limit[i], tolerance), column < n_candidates
            allowed[column[own][value[own] > most]] = False
            needed[i] = bool((~own).any()) or most < 0 or bool(allowed[column[own]].any())
    kept = np.flatnonzero(needed)
    matrix, limit = matrix[kept], limit[kept]
    return allowed, _AtMost(matrix, limit)


def _slack(limit: FloatArray, tolerance: float) -> FloatArray:
    return np.asarray(tolerance * np.maximum(1.0, np.abs(limit)))


def rounded(found: _AtMost, tolerance: float) -> Iterator[Sum]:
    """The rows in whole numbers: exactly where they have a step, else rounded so that nothing is lost."""
    matrix = found.matrix
    for i, side in enumerate(found.limit.tolist()):
        some = slice(matrix.indptr[i], matrix.indptr[i + 1])
        column, value = matrix.indices[some].astype(np.int32), matrix.data[some]
        slack = Fraction(tolerance * max(1.0, abs(side)))
        distinct, which = np.unique(value, return_inverse=True)
        exactly = [Fraction(v) for v in distinct.tolist()]
        largest = max((abs(v) for v in exactly), default=Fraction(1))
        step = common_step(exactly, largest / MOST_STEPS) or (None if exactly else Fraction(1))
        if step is not None:
            limit = Fraction(side) + min(slack, step / 2)  # one step more is too much
            whole, most, exact = [int(v / step) for v in exactly], math.floor(limit / step), True
        else:
            step, limit = largest / MOST_STEPS, Fraction(side) + slack
            whole, most, exact = [math.floor(v / step) for v in exactly], math.ceil(limit / step), False
        values = np.array(whole, dtype=np.int64)[which.reshape(-1)]
        highest, lowest = int(values[values > 0].sum()), int(values[values < 0].sum())
        if most < highest:  # else it is always met
            yield Sum(column, values, max(most, lowest - 1), exact)


def covered_by(bits: NDArray[np.uint64], chosen: Iterable[int]) -> NDArray[np.uint64]:
    """The rows and flags that some candidates cover together, packed."""
    cover: NDArray[np.uint64] = np.bitwise_or.reduce(bits[list(chosen)], axis=0, initial=np.uint64(0))
    return cover
