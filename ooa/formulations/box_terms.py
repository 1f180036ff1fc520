"""One box in the compact form: its variables by key, and linear expressions over them.

A key names a block of variables, an attribute, and a threshold or category:

===================  =====================================================================
("lower", j, t)      the range on attribute j begins at rank t or above
("upper", j, t)      it ends below rank t
("category", j, v)   category v is among those that the literal names
("missing", j, 0)    the literal is "is missing"
("literal", j, 0)    there is a literal on attribute j
===================  =====================================================================
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cached_property
from itertools import chain
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ooa.model.sparse import sp

from .rank_space import Box, RankSpace
from .scales import NumericScale

__all__ = ["NOWHERE", "BoxTerms", "Key", "Terms"]

#: A variable of one box: its block, its attribute, and its threshold or category.
Key: TypeAlias = tuple[str, int, int]
#: A linear expression over the variables of one box; variables that do not exist count as 0.
Terms: TypeAlias = dict[Key, float]
#: No variable.
NOWHERE: Key = ("", -1, -1)


class BoxTerms:
    """The variables of one box in a rank space.

    Attributes
    ----------
    lower, upper : dict
        For every numeric attribute, the ranks at which a range may begin, and before which it may end.
    keys : dict
        The variables of one box: their keys, block by block.

    Examples
    --------
    >>> from ooa.data.table import Table
    >>> space = RankSpace.of(Table.from_any({"x": [1, 2, 3]}, [0, 1, 1]))
    >>> terms = BoxTerms(space)
    >>> terms.keys["lower"], terms.keys["upper"]
    ([('lower', 0, 1), ('lower', 0, 2)], [('upper', 0, 1), ('upper', 0, 2)])
    >>> terms.begins_by(0, 1)
    ('lower', 0, 1)
    >>> box = {0: np.array([False, True, True, False])}  # x >= 2
    >>> [key for key in terms.keys["lower"] if terms.holds(box, key)]
    [('lower', 0, 1)]
    >>> terms.box({("lower", 0, 1), ("literal", 0, 0)})[0].tolist()
    [False, True, True, False]
    """

    def __init__(self, space: RankSpace) -> None:
        self._space = space
        self.lower: dict[int, list[int]] = {}
        self.upper: dict[int, list[int]] = {}
        for j, scale in enumerate(space.scales):
            if isinstance(scale, NumericScale):
                self.lower[j] = (np.flatnonzero(scale.lower) + 1).tolist()
                self.upper[j] = (np.flatnonzero(scale.upper) + 1).tolist()
        scales = list(enumerate(space.scales))
        self.keys: dict[str, list[Key]] = {
            "lower": [("lower", j, t) for j, ranks in self.lower.items() for t in ranks],
            "upper": [("upper", j, t) for j, ranks in self.upper.items() for t in ranks],
            "category": [
                ("category", j, v) for j, scale in scales if j not in self.lower for v in range(scale.size)
            ],
            "missing": [("missing", j, 0) for j, scale in scales if scale.missing_literal],
            "literal": [("literal", j, 0) for j, _ in scales],
        }
        self._column = {key: c for c, key in enumerate(chain(*self.keys.values()))}

    def begins_by(self, j: int, rank: int) -> Key:
        """The variable that says that a range begins at a rank or above."""
        t = bisect_left(self.lower[j], rank)
        return ("lower", j, self.lower[j][t]) if t < len(self.lower[j]) else NOWHERE

    def ends_by(self, j: int, rank: int) -> Key:
        """The variable that says that a range ends below a rank."""
        t = bisect_right(self.upper[j], rank)
        return ("upper", j, self.upper[j][t - 1]) if t > 0 else NOWHERE

    def matrix(self, rows: list[Terms]) -> sp.csr_array:
        """Expressions over the variables of one box as a matrix; its columns are the keys, block by block."""
        entries = [
            (i, self._column[key], value)
            for i, terms in enumerate(rows)
            for key, value in terms.items()
            if key in self._column
        ]
        table = np.array(entries, dtype=np.float64).reshape(-1, 3)
        place = table[:, 0].astype(np.intp), table[:, 1].astype(np.intp)
        return sp.csr_array((table[:, 2], place), shape=(len(rows), len(self._column)))

    @cached_property
    def left_out(self) -> sp.csr_array:
        """For every attribute, what leaves out each of its ranks, and then a missing value, one line each."""
        lines: list[Terms] = []
        for j, scale in enumerate(self._space.scales):
            literal, missing = ("literal", j, 0), ("missing", j, 0)
            for rank in range(scale.size):
                if j in self.lower:
                    lines.append({self.begins_by(j, rank + 1): 1.0, self.ends_by(j, rank): 1.0, missing: 1.0})
                else:
                    lines.append({literal: 1.0, ("category", j, rank): -1.0})
            lines.append({literal: 1.0, missing: -1.0})
        return self.matrix(lines)

    @cached_property
    def line(self) -> NDArray[np.int64]:
        """The line of `left_out` for every row and attribute."""
        sizes = np.array([scale.size for scale in self._space.scales], dtype=np.int64)
        start = np.cumsum([0, *(sizes + 1)])[:-1]
        rank = self._space.rank
        return np.asarray(start + np.where(rank >= 0, rank, sizes), dtype=np.int64)

    @staticmethod
    def holds(box: Box, key: Key) -> bool:
        """The value of a variable in a box."""
        block, j, place = key
        if j not in box or block == "literal":
            return j in box
        inside, is_missing = box[j][:-1], bool(box[j][-1])
        if block == "missing" or is_missing:
            return is_missing and block == "missing"
        if block == "category":
            return bool(inside[place])
        # A range begins at a rank or above if nothing below it is inside; likewise for its end
        return not inside[:place].any() if block == "lower" else not inside[place:].any()

    def box(self, chosen: set[Key]) -> Box:
        """The box in which just these variables are 1."""
        box: Box = {}
        for j, scale in enumerate(self._space.scales):
            if ("literal", j, 0) not in chosen:
                continue
            box[j] = np.zeros(scale.size + 1, dtype=bool)
            if ("missing", j, 0) in chosen:
                box[j][-1] = True
            elif j in self.lower:
                first = max((t for t in self.lower[j] if ("lower", j, t) in chosen), default=0)
                end = min((t for t in self.upper[j] if ("upper", j, t) in chosen), default=scale.size)
                box[j][first:end] = True
            else:
                box[j][[v for v in range(scale.size) if ("category", j, v) in chosen]] = True
        return box
