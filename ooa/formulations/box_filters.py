"""Constraints on what patterns say, as limits on flags of boxes: which boxes, and sets of them, meet them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ooa.kernels.boxes import Among, Flag, FlagLimit
from ooa.objective import MOST_STEPS, common_step

from .base import ConstraintLike
from .counted import Sum, rounded, sums_of
from .flag_words import FlagWords
from .rank_space import Box, RankSpace
from .task import Task

__all__ = ["NO_FILTERS", "BoxFilters", "OnRows", "read_filters"]

Integers = NDArray[np.int64]
#: Constraints are read with so many boxes at most that stand for any number. One that treats some of them
#: otherwise is not read.
MOST_READ = 4


@dataclass(frozen=True, eq=False)
class OnRows:
    """A sum over the rows that are covered, and its limit.

    Attributes
    ----------
    weight : what every row of the task counts
    limit : the least of it that a box needs by itself, or the most of it that all boxes may have together
    """

    weight: Integers
    limit: int

    def on(self, space: RankSpace) -> Integers:
        """The weight of every row of a rank space."""
        total = np.zeros(space.n_rows, dtype=np.int64)
        np.add.at(total, space.row, self.weight)
        return total


@dataclass(frozen=True, eq=False)
class BoxFilters:
    """What boxes have to keep to, by flags: whatever part of a rule set that does so does so as well.

    Attributes
    ----------
    limits : on sums of flags, in the ranks of a space with all cuts
    supports : of each box, the least that it covers
    covers : of all boxes, the most that they cover; no row counts less than 0
    forbidden : boxes that may not be there
    left : the constraints that say more than this
    """

    limits: tuple[FlagLimit, ...] = ()
    supports: tuple[OnRows, ...] = ()
    covers: tuple[OnRows, ...] = ()
    forbidden: tuple[Box, ...] = ()
    left: tuple[ConstraintLike, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.limits or self.supports or self.covers or self.forbidden)

    @property
    def of_ends(self) -> bool:
        """Whether it matters where ranges begin and end, whichever rows they leave out."""
        ends = any(term[0] in (Flag.BEGINS, Flag.ENDS) for limit in self.limits for term in limit.terms)
        return bool(ends or self.forbidden)

    def need_cuts(self, space: RankSpace, worth: Integers) -> bool:
        """Whether cuts that the best rule set does not need otherwise may be needed to keep to this.

        Parameters
        ----------
        space : the rows in rank space, with all cuts
        worth : of each of its rows: what covering it gains, below 0 for what it costs
        """
        leave = any(bool((one.on(space)[worth <= 0] > 0).any()) for one in self.supports)
        enter = any(bool((one.on(space)[worth >= 0] > 0).any()) for one in self.covers)
        return self.of_ends or leave or enter

    def together(self, boxes: Sequence[Box], space: RankSpace) -> bool:
        """Whether boxes that keep to it one by one do so together."""
        covered = np.zeros(space.n_rows, dtype=bool)
        for box in boxes:
            covered |= space.covers(box)
        if any(int(one.on(space)[covered].sum()) > one.limit for one in self.covers):
            return False
        for limit in self.limits:
            if limit.among is Among.EACH:
                continue
            amount = 0
            for flag, j, rank, by in limit.terms:
                count = sum(_says(box, flag, j, rank) for box in boxes)
                amount += by * (min(count, 1) if limit.among is Among.ANY else count)
            if amount > limit.most:
                return False
        return True


NO_FILTERS = BoxFilters()


def read_filters(
    task: Task, space: RankSpace, single_category: bool, most: int, tolerance: float = 0.0
) -> BoxFilters:
    """Read what the constraints of a task say of patterns, as far as flags say it.

    Parameters
    ----------
    task : whose constraints are read
    space : its rows in rank space, with all cuts
    single_category : whether a categorical literal is about one category
    most : boxes in a rule set
    tolerance : by how much a sum may exceed its limit, relative to the limit where that exceeds 1

    Examples
    --------
    >>> from ooa.constraints import budget, max_false_positives, only_with
    >>> from ooa.data.table import Table
    >>> from ooa.objective import Objective
    >>> table = Table.from_any({"x": [1, 2, 3], "y": [0, 1, 1]}, [0, 1, 1])
    >>> wanted = only_with("x", "y"), budget({"x": 3, "y": 2}, 4), max_false_positives(0)
    >>> task = Task.of(table, Objective.of(0, 0), constraints=wanted)
    >>> found = read_filters(task, RankSpace.of(task.rows), True, most=2)
    >>> for limit in found.limits:
    ...     print(limit.among.name, [(flag.name, j, by) for flag, j, _, by in limit.terms], limit.most)
    EACH [('LITERAL', 0, 1), ('LITERAL', 1, -1)] 0
    ANY [('LITERAL', 0, 3), ('LITERAL', 1, 2)] 4
    >>> found.left, found.of_ends
    ((max_false_positives(most=0),), False)
    """
    words = FlagWords(task, space, min(max(2, most), MOST_READ), single_category)
    reading, left = _Reading(words), []
    for constraint in task.constraints:
        found = sums_of(words, constraint)
        complete = found is not None and reading.add(rounded(found, tolerance))
        if not complete:
            left.append(constraint)
    supports = (_support(task, least) for least in reading.supports)
    return BoxFilters(
        tuple(reading.limits), tuple(supports), forbidden=tuple(reading.forbidden), left=tuple(left)
    )


def _says(box: Box, flag: Flag, j: int, rank: int) -> bool:
    """Whether a flag is 1 of a box."""
    if flag is Flag.USED or j not in box:
        return flag is Flag.USED
    inside, missing = box[j][:-1], bool(box[j][-1])
    if flag is Flag.LITERAL or missing:
        return flag in (Flag.LITERAL, Flag.MISSING)
    if flag is Flag.NAMED:
        return bool(inside[rank])
    return (
        flag in (Flag.BEGINS, Flag.ENDS)
        and not (inside[:rank] if flag is Flag.BEGINS else inside[rank:]).any()
    )


class _Reading:
    """Sums over the columns of words, sorted into what boxes keep to."""

    def __init__(self, words: FlagWords) -> None:
        self._words = words
        self.limits: list[FlagLimit] = []
        self.supports: list[Fraction] = []
        self.forbidden: list[Box] = []

    def add(self, sums: Iterable[Sum]) -> bool:
        """Note some sums; whether what was noted says all of them."""
        complete = True
        by_box: dict[tuple[frozenset[tuple[int, int]], int], set[int]] = {}
        for one in sums:
            complete &= one.exact
            terms = {c: v for c, v in zip(one.column.tolist(), one.value.tolist(), strict=True) if v}
            places = {column: self._words.place(column) for column in terms}
            if all(place is None for place in places.values()):
                complete &= self._beside(terms, one.limit)
                continue
            boxes: dict[int, dict[int, int]] = {}
            for column, place in places.items():
                if place is not None:
                    boxes.setdefault(place[1], {})[place[0]] = terms[column]
            first = next(iter(boxes.values()))
            if None in places.values():
                complete = False
            elif len(boxes) == 1:
                by_box.setdefault((frozenset(first.items()), one.limit), set()).add(next(iter(boxes)))
            elif len(boxes) == self._words.K and all(box == first for box in boxes.values()):
                complete &= self._together(first, one.limit)
            else:
                complete = False
        for (lines, limit), of in by_box.items():
            complete &= len(of) == self._words.K and self._each(dict(lines), limit)
        return complete

    def _beside(self, terms: dict[int, int], limit: int) -> bool:
        """A sum of attributes that occur, or a pattern that may not be there."""
        words, columns = self._words, list(terms)
        if len(columns) == 1 and columns[0] in words.patterns and terms[columns[0]] > limit >= 0:
            self.forbidden.append(words.patterns[columns[0]])
            return True
        if limit < 0 or not all(c in words.occurring and amount > 0 for c, amount in terms.items()):
            return False
        found = sorted((words.occurring[c], amount) for c, amount in terms.items())
        self.limits.append(FlagLimit(Among.ANY, limit, tuple((Flag.LITERAL, j, 0, by) for j, by in found)))
        return True

    def _together(self, lines: dict[int, int], limit: int) -> bool:
        """A sum over all boxes, of what none of them has less than 0 of."""
        if limit < 0 or self._words.support in lines or min(lines.values()) < 0:
            return False
        self.limits.append(FlagLimit(Among.ALL, limit, self._terms(lines)))
        return True

    def _each(self, lines: dict[int, int], limit: int) -> bool:
        """A sum over every box that is used; what is not used has all flags 0."""
        support = self._words.support
        if limit < 0:
            return False
        if support not in lines:
            self.limits.append(FlagLimit(Among.EACH, limit, self._terms(lines)))
            return True
        if lines[support] >= 0 or any(line not in (0, support) for line in lines):
            return False
        least = Fraction(lines.get(0, 0) - limit, -lines[support])
        self.supports.append(least * self._words.whole)
        return True

    def _terms(self, lines: dict[int, int]) -> tuple[tuple[Flag, int, int, int], ...]:
        return tuple((*self._words.flags[line], amount) for line, amount in sorted(lines.items()))


def _support(task: Task, least: Fraction) -> OnRows:
    """A least weight of positives, as the table has them, in whole numbers; rounded so that none is lost."""
    weights = np.where(task.table.y, task.table.weight, 0.0)
    distinct, which = np.unique(weights, return_inverse=True)
    exactly = [Fraction(weight) for weight in distinct.tolist()]
    largest = max(exactly) or Fraction(1)
    step = common_step([weight for weight in exactly if weight] or [largest], largest / MOST_STEPS)
    step = step or largest / MOST_STEPS
    whole = np.array([math.ceil(weight / step) for weight in exactly], dtype=np.int64)
    total = np.zeros(task.rows.n_rows, dtype=np.int64)
    np.add.at(total, task.rows.row, whole[which.reshape(-1)])
    return OnRows(total, math.ceil(least / step))
