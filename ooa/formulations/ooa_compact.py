"""OOA in a compact form: ordered threshold variables, and none for every row, box and attribute.

Whether a box leaves out a row because of one attribute is a sum of at most three variables of the box, so the
form needs no variable for it. With ranks 0, ..., m - 1 of a numeric attribute, for box k,

- ``lower[k, t]`` says that the range begins at rank t or above, ``upper[k, t]`` that it ends below rank t;
  both are ordered in t, and not both 1, so that the range is not empty;
- rank r is left out if ``lower[k, r + 1] + upper[k, r] = 1`` (below the range or above it, never both).

A category v is left out if ``literal[k, j] - category[k, v] = 1``, a missing value if
``literal[k, j] - missing[k, j] = 1``. Positives need ``covers`` from above only, negatives from below only,
so negatives need no such variable at all; ``covers`` and the errors are whole numbers by themselves.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property, partial
from itertools import chain, pairwise
from typing import Any, TypeAlias

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ooa.model.builder import Model
from ooa.model.expressions import Expression, FloatArray, Rows, Variables

from .base import columns_of, tempted
from .boxes import BoolArray, BoxFormulation, per_box
from .rank_space import Box
from .scales import NumericScale

#: A variable of one box: its block, its attribute, and its threshold or category.
Key: TypeAlias = tuple[str, int, int]
#: A linear expression over the variables of one box; variables that do not exist count as 0.
Terms: TypeAlias = dict[Key, float]
#: No variable.
NOWHERE: Key = ("", -1, -1)


class CompactFormulation(BoxFormulation):
    """The compact MIP over K boxes; it has the same rule sets and the same optimum as `OOAFormulation`.

    In the words of `BoxFormulation`, with `left_out` as in this module's first lines::

        min   sum w missed + sum w wrong + N (C1 sum literal + C2 sum used)
        positives   missed[n] + sum_k covers[n, k] >= 1
                    covers[n, k] <= used[k],  covers[n, k] <= 1 - left_out[n, k, j]
        negatives   wrong[n] >= used[k] - sum_j left_out[n, k, j]

    Examples
    --------
    >>> from ooa.objective import Objective
    >>> from ooa import RuleSet
    >>> from ooa.data.table import Table
    >>> table = Table.from_any({"x": [1.5, 2, 3, 4], "colour": ["red", "red", "red", "blue"]}, [0, 1, 1, 0])
    >>> formulation = CompactFormulation(table, Objective.of("1/16", "1/16"), K=2)
    >>> formulation.milp
    Milp('ooa-compact': 30 columns (22 integer), 50 rows, 130 nonzeros)
    >>> point = formulation.encode(RuleSet.parse("1.7 < x < 10 AND colour = red"))
    >>> formulation.milp.objective(point), formulation.milp.violation(point)
    (0.75, 0.0)
    >>> print(formulation.decode(point).to_text(compact=True))
    (colour = red ∧ x ≥ 2) → target = 1 ELSE 0
    """

    name = "ooa-compact"
    rows_first = frozenset({"covers"})

    def lay_out(self) -> None:
        """Find the thresholds and number the variables of one box."""
        # Thresholds of every numeric attribute: ranks at which a range may begin, or before which it may end
        self._lower: dict[int, list[int]] = {}
        self._upper: dict[int, list[int]] = {}
        for j, scale in enumerate(self.space.scales):
            if isinstance(scale, NumericScale):
                self._lower[j] = (np.flatnonzero(scale.lower) + 1).tolist()
                self._upper[j] = (np.flatnonzero(scale.upper) + 1).tolist()
        # The variables of one box: their keys, block by block
        scales = list(enumerate(self.space.scales))
        self._keys: dict[str, list[Key]] = {
            "lower": [("lower", j, t) for j, ranks in self._lower.items() for t in ranks],
            "upper": [("upper", j, t) for j, ranks in self._upper.items() for t in ranks],
            "category": [
                ("category", j, v) for j, scale in scales if j not in self._lower for v in range(scale.size)
            ],
            "missing": [("missing", j, 0) for j, scale in scales if scale.missing_literal],
            "literal": [("literal", j, 0) for j, _ in scales],
        }
        self._column = {key: c for c, key in enumerate(chain(*self._keys.values()))}

    def assemble(self, model: Model) -> None:
        """Add the variables and rows."""
        space, K = self.space, self.K
        v = self._blocks
        v["used"] = model.add_binaries("used", K, cost=self.pattern_price)
        v["literal"] = model.add_binaries("literal", (K, len(space.scales)), cost=self.literal_price)
        for name in ("lower", "upper", "category", "missing"):
            v[name] = model.add_binaries(name, (K, len(self._keys[name])))
        v["covers"] = model.add_continuous("covers", (len(self.missed), K), upper=1.0)
        v["missed"] = model.add_continuous("missed", len(self.missed), upper=1.0, cost=self.missed_price)
        v["wrong"] = model.add_continuous("wrong", len(self.wrong), upper=1.0, cost=self.wrong_price)
        own = self.signature
        self._add_literal_rows(model, own)
        self._add_cover_rows(model)
        used, literal = v["used"], v["literal"]
        model.add_rows("used_by_literal", used[:, None] - literal >= 0)
        model.add_rows("used_needs_literal", used - literal.sum(axis=1) <= 0)
        self.add_order(model, used, literal)

    def _add_literal_rows(self, model: Model, own: Variables) -> None:
        """What makes a range, a category or "is missing", and a literal, of the variables of a box."""
        order, apart, by_range, needs_range = [], [], [], []
        for j in self._lower:
            lower = [("lower", j, t) for t in self._lower[j]]
            upper = [("upper", j, t) for t in self._upper[j]]
            # Beginning at t or above means beginning at any earlier threshold or above; ending likewise
            order += [{one: 1.0, other: -1.0} for one, other in pairwise(lower)]
            order += [{other: 1.0, one: -1.0} for one, other in pairwise(upper)]
            apart += [{key: 1.0, self._ends_by(j, key[2]): 1.0} for key in lower]
            first, last = lower[:1], upper[-1:]
            ends = [*first, *last] or [NOWHERE]
            by_range += [{("literal", j, 0): 1.0, key: -1.0, ("missing", j, 0): -1.0} for key in ends]
            if not self.space.scales[j].has_missing:  # else the range over all ranks says "has a value"
                needs_range.append({("literal", j, 0): 1.0} | dict.fromkeys([*first, *last], -1.0))
        by_category, needs_category, some = [], [], []
        for j, scale in enumerate(self.space.scales):
            if j in self._lower:
                continue
            keys = [("category", j, v) for v in range(scale.size)]
            missing = ("missing", j, 0)
            needs_category.append({("literal", j, 0): 1.0} | dict.fromkeys([*keys, missing], -1.0))
            by_category += [{("literal", j, 0): 1.0, key: -1.0, missing: -1.0} for key in keys]
            some.append(dict.fromkeys(keys, 1.0))
        most = [self.most_categories(j) for j in range(len(self.space.scales)) if j not in self._lower]
        rows = partial(self._per_box, own)
        model.add_rows("threshold_order", rows(order) >= 0)
        model.add_rows("nonempty", rows(apart) <= 1)
        model.add_rows("literal_by_range", rows(by_range) >= 0)
        model.add_rows("literal_needs_range", rows(needs_range) <= 0)
        if self.single_category:
            model.add_rows("literal_is_category", rows(needs_category) == 0)
        else:
            model.add_rows("literal_by_category", rows(by_category) >= 0)
            model.add_rows("literal_needs_category", rows(needs_category) <= 0)
        model.add_rows("categories", rows(some) <= np.array(most, dtype=np.float64))

    def _add_cover_rows(self, model: Model) -> None:
        """Which rows a box covers, and the errors."""
        v = self._blocks
        self._bound_covers(model, "covers", v["covers"], self.missed)
        model.add_rows("missed", v["missed"] + v["covers"].sum(axis=1) >= 1)
        model.add_rows("wrong", v["wrong"][:, None] - self.surely(self.wrong) >= 0)

    def _bound_covers(self, model: Model, name: str, covers: Variables, row: NDArray[np.int64]) -> None:
        """Bound variables for rows and boxes from above: 0 unless the box is used and covers the row."""
        left_out, lines = self._left_out, self._where[row]
        place, attribute = np.nonzero(np.diff(left_out.indptr)[lines])  # nothing leaves out the others
        outside = per_box(left_out[lines[place, attribute]], self.signature)
        model.add_rows(f"{name}_used", covers - self.used <= 0)
        model.add_rows(f"{name}_inside", covers[place, np.arange(self.K)[:, None]] + outside <= 1)

    @property
    def used(self) -> Variables:
        """For every box, 1 if it is used."""
        return self._blocks["used"]

    @property
    def literal(self) -> Variables:
        """For every box and attribute, 1 if the box has a literal on it."""
        return self._blocks["literal"]

    @property
    def signature(self) -> Variables:
        """All variables of every box but `used` and `covers`."""
        blocks = [self._blocks[name].index for name in self._keys]
        return Variables(np.concatenate(blocks, axis=1), self._model.n_columns)

    def limits(self, j: int) -> tuple[Expression, Expression]:
        """For every box, 1 if it leaves out the least, and the greatest, rank of a numeric attribute."""
        begins, ends = self._begins_by(j, 1), self._ends_by(j, self.space.scales[j].size - 1)
        sides = self._per_box(self.signature, [{begins: 1.0}, {ends: 1.0}])
        return sides[:, 0], sides[:, 1]

    def says_missing(self, j: int) -> Expression:
        """For every box, 1 if its literal on the attribute is "is missing"."""
        return self._per_box(self.signature, [{("missing", j, 0): 1.0}])[:, 0]

    def surely(self, row: NDArray[np.int64]) -> Expression:
        """For rows and boxes, 1 if the box covers the row, and at most 0 if not."""
        lines = self._where[row]
        counts = np.arange(0, lines.size + 1, max(1, lines.shape[1]))
        total = sp.csr_array(
            (np.ones(lines.size), lines.ravel(), counts), shape=(len(lines), self._left_out.shape[0])
        )
        matrix = sp.csr_array(sp.kron(total @ self._left_out, sp.eye_array(self.K), format="csr"))
        index = self.signature.index.T.ravel()
        left_out = matrix @ Variables(index, self._model.n_columns)
        return self.used - Expression(left_out.matrix, left_out.constant, (len(row), self.K))

    def possibly(self, row: NDArray[np.int64]) -> Expression:
        """For rows and boxes, a variable that is at most 1 if the box covers the row, and 0 if not."""
        column = self._once("column", self._cover_columns)
        fresh = row[column[row, 0] < 0]
        if len(fresh):
            name = f"inside {len(self._further)}"
            inside = self._model.add_continuous(name, (len(fresh), self.K), upper=1.0)
            self._bound_covers(self._model, name, inside, fresh)
            surely = self.surely(fresh)
            self._auxiliary.append((inside, lambda x: surely.value(x) > 0.5))
            self._further.append(inside.index)
            column[fresh] = inside.index
        return Variables(column[row], self._model.n_columns).as_expression()

    def _cover_columns(self) -> NDArray[np.int32]:
        """The columns of `covers` for every row and box; -1 where there is none."""
        column = np.full((self.space.n_rows, self.K), -1, dtype=np.int32)
        column[self.missed] = self._blocks["covers"].index
        return column

    def pin(self, constraints: Sequence[Rows]) -> None:
        """Bound what rows boxes cover from below, too, where a constraint could profit."""
        super().pin(constraints)
        column = self._once("column", self._cover_columns)
        lowered = columns_of(tempted(rows)[1] for rows in constraints)
        some = np.flatnonzero(np.isin(column, lowered).any(axis=1))
        if len(some):
            covers = self.possibly(some)
            self._model.add_rows("covers exactly", covers - self.surely(some) >= 0)

    @cached_property
    def _left_out(self) -> sp.csr_array:
        """For every attribute, what leaves out each of its ranks, and then a missing value, one line each."""
        lines: list[Terms] = []
        for j, scale in enumerate(self.space.scales):
            literal, missing = ("literal", j, 0), ("missing", j, 0)
            for rank in range(scale.size):
                if j in self._lower:
                    lines.append(
                        {self._begins_by(j, rank + 1): 1.0, self._ends_by(j, rank): 1.0, missing: 1.0}
                    )
                else:
                    lines.append({literal: 1.0, ("category", j, rank): -1.0})
            lines.append({literal: 1.0, missing: -1.0})
        return self._matrix(lines)

    @cached_property
    def _where(self) -> NDArray[np.int64]:
        """The line of `_left_out` for every row and attribute."""
        sizes = np.array([scale.size for scale in self.space.scales], dtype=np.int64)
        start = np.cumsum([0, *(sizes + 1)])[:-1]
        rank = self.space.rank
        return np.asarray(start + np.where(rank >= 0, rank, sizes), dtype=np.int64)

    def _begins_by(self, j: int, rank: int) -> Key:
        """The variable that says that a range begins at a rank or above."""
        t = bisect_left(self._lower[j], rank)
        return ("lower", j, self._lower[j][t]) if t < len(self._lower[j]) else NOWHERE

    def _ends_by(self, j: int, rank: int) -> Key:
        """The variable that says that a range ends below a rank."""
        t = bisect_right(self._upper[j], rank)
        return ("upper", j, self._upper[j][t - 1]) if t > 0 else NOWHERE

    def _per_box(self, own: Variables, rows: list[Terms]) -> Expression:
        """Expressions over the variables of one box, for every box."""
        return per_box(self._matrix(rows), own)

    def _matrix(self, rows: list[Terms]) -> sp.csr_array:
        """Expressions over the variables of one box as a matrix."""
        entries = [
            (i, self._column[key], value)
            for i, terms in enumerate(rows)
            for key, value in terms.items()
            if key in self._column
        ]
        table = np.array(entries, dtype=np.float64).reshape(-1, 3)
        place = table[:, 0].astype(np.intp), table[:, 1].astype(np.intp)
        return sp.csr_array((table[:, 2], place), shape=(len(rows), len(self._column)))

    def values(self, boxes: list[Box], covers: BoolArray) -> dict[str, Any]:
        """The values of every block of variables."""
        point = {
            name: np.array([[self._holds(box, key) for key in keys] for box in boxes]).reshape(
                self.K, len(keys)
            )
            for name, keys in self._keys.items()
        }
        fires = np.asarray(covers.any(axis=1))
        return point | {
            "used": [bool(box) for box in boxes],
            "covers": covers[self.missed],
            "missed": ~fires[self.missed],
            "wrong": fires[self.wrong],
        }

    @staticmethod
    def _holds(box: Box, key: Key) -> bool:
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

    def selections(self, solved: dict[str, FloatArray], k: int) -> Box:
        """The selections of one box."""
        chosen = {
            key
            for name, keys in self._keys.items()
            for key, value in zip(keys, solved[name][k].tolist())
            if value > 0.5
        }
        box: Box = {}
        for j, scale in enumerate(self.space.scales):
            if ("literal", j, 0) not in chosen:
                continue
            box[j] = np.zeros(scale.size + 1, dtype=bool)
            if ("missing", j, 0) in chosen:
                box[j][-1] = True
            elif j in self._lower:
                first = max((t for t in self._lower[j] if ("lower", j, t) in chosen), default=0)
                end = min((t for t in self._upper[j] if ("upper", j, t) in chosen), default=scale.size)
                box[j][first:end] = True
            else:
                box[j][[v for v in range(scale.size) if ("category", j, v) in chosen]] = True
        return box
