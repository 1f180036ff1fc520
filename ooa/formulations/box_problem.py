"""K boxes in rank space as both OOA formulations see them: patterns as boxes, and what they cost."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ooa.errors import RuleError
from ooa.model.expressions import BoolArray, FloatArray
from ooa.rules.levels import LevelRange
from ooa.rules.literal import Range
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet

from .rank_space import Box, RankSpace
from .scales import CategoryScale

__all__ = ["BoxProblem"]


@dataclass(frozen=True, eq=False)
class BoxProblem:
    """At most K boxes in a rank space.

    Attributes
    ----------
    space : the rows in rank space
    K : the number of boxes
    single_category : whether a categorical literal is about one category
    literal_price, pattern_price : price of a literal, and of a pattern without its literals, in the model
    unit : the weight that counts as 1 in the model
    either_bound : the attributes of which "has a value" can be written with either bound, for constraints

    Examples
    --------
    >>> from ooa.data.table import Table
    >>> table = Table.from_any({"x": [1, 2, 3], "colour": ["red", "red", "blue"]}, [0, 1, 1])
    >>> problem = BoxProblem(RankSpace.of(table), 2, True, literal_price=0.1, pattern_price=0.1)
    >>> boxes = problem.boxes(RuleSet.parse("x >= 2 OR colour = blue AND x >= 1"))
    >>> [list(box) for box in boxes]  # the attributes that each restricts
    [[1], [0]]
    >>> problem.covers(boxes).tolist()
    [[False, False], [False, True], [True, True]]
    """

    space: RankSpace
    K: int
    single_category: bool
    literal_price: float
    pattern_price: float
    unit: float = 1.0
    either_bound: tuple[int, ...] = ()

    @cached_property
    def missed(self) -> NDArray[np.intp]:
        """The rows that can be missed."""
        return np.flatnonzero(self.space.positive > 0)

    @cached_property
    def wrong(self) -> NDArray[np.intp]:
        """The rows that can be covered wrongly."""
        return np.flatnonzero(self.space.negative > 0)

    @property
    def missed_price(self) -> FloatArray:
        """Price of every row in `missed`, in the model."""
        return self.space.positive[self.missed] / self.unit

    @property
    def wrong_price(self) -> FloatArray:
        """Price of every row in `wrong`, in the model."""
        return self.space.negative[self.wrong] / self.unit

    def most_categories(self, j: int) -> int:
        """Number of categories that one substantive literal can name."""
        scale = self.space.scales[j]
        most = scale.size if scale.has_missing else scale.size - 1
        return min(most, 1) if self.single_category else most

    def boxes(self, rules: RuleSet) -> list[Box]:
        """The boxes of a rule set, in the model's order."""
        return [box for box, _ in self.written(rules)]

    def written(self, rules: RuleSet) -> list[tuple[Box, frozenset[int]]]:
        """The boxes of a rule set, each with the attributes that it says "has a value" of from above."""
        boxes = [(self.box(pattern), self._from_above(pattern)) for pattern in rules]
        kept = [(box, above) for box, above in boxes if box is not None]
        if len(kept) > self.K:
            raise RuleError(f"{len(kept)} patterns where at most {self.K} are allowed")
        return sorted(kept, key=lambda one: -sum(j + 1 for j in one[0]))

    def _from_above(self, pattern: Pattern) -> frozenset[int]:
        """The attributes of which a pattern says "has a value" by a bound from above alone."""
        found = set()
        for j in self.either_bound:
            scale = self.space.scales[j]
            for literal in pattern:
                if literal.attribute == scale.name and isinstance(literal, (Range, LevelRange)):
                    one_sided = literal.low is None and literal.high is not None
                    if one_sided and scale.select(literal)[:-1].all():
                        found.add(j)
        return frozenset(found)

    def box(self, pattern: Pattern) -> Box | None:
        """A pattern's box, checked for literals about several categories; None if it covers nothing."""
        box = self.space.box(pattern)
        for j, selection in (box or {}).items():
            scale = self.space.scales[j]
            if self.single_category and isinstance(scale, CategoryScale) and selection.sum() > 1:
                literal = next(literal for literal in pattern if literal.attribute == scale.name)
                raise RuleError(
                    f"'{literal}' holds for several categories of {scale.name!r}, where one is allowed"
                )
        return box

    def covers(self, boxes: list[Box]) -> BoolArray:
        """For every row, and every one of K boxes, whether the row is covered; boxes not given cover none."""
        covers = np.zeros((self.space.n_rows, self.K), dtype=bool)
        for k, box in enumerate(boxes):
            covers[:, k] = self.space.covers(box)
        return covers
