"""What the two OOA formulations share: K boxes in rank space, and their translation from and to rule sets."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ooa.candidates.thresholds import Thresholds
from ooa.data.rows import WeightedRows
from ooa.data.table import Table
from ooa.errors import OptionError, RuleError
from ooa.model.builder import Model
from ooa.model.expressions import Expression, FloatArray, Variables
from ooa.objective import Objective
from ooa.rules.literal import Literal, Range
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet

from .base import ConstraintLike, unit_of
from .box_words import BoxWords
from .rank_space import Box, RankSpace
from .scales import CategoryScale, NumericScale, RankSelection

BoolArray = NDArray[np.bool_]


class BoxFormulation(BoxWords):
    """A model whose points are K boxes, each unused or one pattern; see the two concrete classes.

    Any rule set whose patterns these boxes can say has a point, and `encode` finds it: literals are taken for
    what they select on the rows at hand, whatever their kind and their bounds (so `x ≠ a` is the same as
    `x = b` where there are two categories).

    - A literal that holds for every row is not substantive, and left out. A pattern that has no other literal
      is a RuleError: the model has no box without literals.
    - A pattern with a literal that holds for no row covers nothing, and is left out.
    - With `merge`, a range is moved off cuts that no optimal rule set needs.

    In these three cases the point costs no more than the rule set, in all others exactly `total * L / unit`.

    Boxes can be exchanged without changing the rule set, so they are put in order: the sum of the numbers
    1, ..., J of the attributes that a box restricts never grows from one box to the next, and unused boxes
    come last.

    Parameters
    ----------
    rows : the training data
    objective : the prices
    K : the number of boxes, which is the most patterns there can be
    single_category : whether a categorical literal is about one category; else `x in {a, b}` is one literal
    missing : whether "is missing" is a literal of every attribute with missing values, and not only of those
        whose missing values are a category
    thresholds, max_thresholds : where numeric attributes may be cut; see `ooa.candidate_literals`
    merge : leave out cuts that no optimal rule set needs (see `needed_cuts`); not with constraints
    constraints, table, template : see `Formulation`
    """

    def __init__(
        self,
        rows: WeightedRows,
        objective: Objective,
        K: int,
        *,
        single_category: bool = True,
        missing: bool = False,
        thresholds: Thresholds = "distinct",
        max_thresholds: int = 9,
        merge: bool = False,
        constraints: Iterable[ConstraintLike] = (),
        table: Table | None = None,
        template: RuleSet | None = None,
    ) -> None:
        if isinstance(K, bool) or not isinstance(K, (int, np.integer)) or K < 1:
            raise OptionError(f"K must be a whole number >= 1, not {K!r}")
        super().__init__(rows, objective, constraints=constraints, table=table, template=template)
        if merge and self.constraints:
            raise OptionError("merge=True leaves out cuts that a rule set may need to meet the constraints")
        self.K = int(K)
        self.single_category = single_category
        self.space = RankSpace.of(
            rows, thresholds=thresholds, max_thresholds=max_thresholds, merge=merge, missing=missing
        )
        self.unit = unit_of(np.concatenate([rows.positive, rows.negative]))
        self.missed = np.flatnonzero(self.space.positive > 0)  # rows that can be missed
        self.wrong = np.flatnonzero(self.space.negative > 0)  # rows that can be covered wrongly
        self._blocks: dict[str, Variables] = {}
        self.lay_out()

    @property
    def literal_price(self) -> float:
        """Price of a literal in the model."""
        return float(self.total / self.unit * self.objective.C1)

    @property
    def pattern_price(self) -> float:
        """Price of a pattern, without its literals, in the model."""
        return float(self.total / self.unit * self.objective.C2)

    @property
    def missed_price(self) -> FloatArray:
        """Price of every row in `missed`, in the model."""
        return self.space.positive[self.missed] / float(self.unit)

    @property
    def wrong_price(self) -> FloatArray:
        """Price of every row in `wrong`, in the model."""
        return self.space.negative[self.wrong] / float(self.unit)

    def most_categories(self, j: int) -> int:
        """Number of categories that one substantive literal can name."""
        scale = self.space.scales[j]
        most = scale.size if scale.has_missing else scale.size - 1
        return min(most, 1) if self.single_category else most

    def add_order(self, model: Model, used: Variables, delta: Variables) -> None:
        """Put the boxes in order, which any rule set's can be."""
        numbers = np.arange(1.0, delta.shape[1] + 1)
        place = (delta * numbers).sum(axis=1)
        model.add_rows("used_first", used[:-1] - used[1:] >= 0)
        model.add_rows("box_order", place[:-1] - place[1:] >= 0)

    def boxes(self, rules: RuleSet) -> list[Box]:
        """The boxes of a rule set, in the model's order."""
        boxes = [self._box(pattern) for pattern in rules]
        kept = [box for box in boxes if box is not None]
        if len(kept) > self.K:
            raise RuleError(f"{len(kept)} patterns where at most {self.K} are allowed")
        return sorted(kept, key=lambda box: -sum(j + 1 for j in box))

    def _box(self, pattern: Pattern) -> Box | None:
        """A pattern's box, checked for literals about several categories."""
        box = self.space.box(pattern)
        for j, selection in (box or {}).items():
            scale = self.space.scales[j]
            if self.single_category and isinstance(scale, CategoryScale) and selection.sum() > 1:
                literal = next(literal for literal in pattern if literal.attribute == scale.name)
                raise RuleError(
                    f"'{literal}' holds for several categories of {scale.name!r}, where one is allowed"
                )
        return box

    def point(self, rules: RuleSet) -> FloatArray:
        """The values of all variables for a rule set.

        Raises
        ------
        RuleError
            If the rule set has too many patterns, an unknown column, or a pattern that no box says.
        """
        self.milp  # noqa: B018  # lays out the blocks
        return self._point_of(self.boxes(rules))

    def _point_of(self, boxes: list[Box]) -> FloatArray:
        """The values of all variables for boxes in the model's order."""
        x = np.zeros(self._model.n_columns)
        covers = np.zeros((self.space.n_rows, self.K), dtype=bool)
        for k, box in enumerate(boxes):
            covers[:, k] = self.space.covers(box)
        filled = [*boxes, *({} for _ in range(self.K - len(boxes)))]
        for name, values in self.values(filled, covers).items():
            x[self._blocks[name].index] = values
        return x

    def _signature_of(self, pattern: Pattern) -> BoolArray:
        box = self._box(pattern)
        if box is None:
            raise RuleError(f"pattern '{pattern}' holds for no row, and no box says that")
        return np.asarray(self._point_of([box])[self.signature.index[0]] > 0.5)

    def decode(self, x: FloatArray) -> RuleSet:
        """The rule set of a feasible point, without literals that hold for every row."""
        assert self.milp.n_columns == len(x)
        solved = {name: x[block.index] for name, block in self._blocks.items()}
        patterns = []
        for k in range(self.K):
            box = self.selections(solved, k)
            kept = {j: s for j, s in box.items() if not self.space.scales[j].is_trivial(s)}
            if kept and all(s.any() for s in kept.values()):
                patterns.append(Pattern(self._literal_of(j, s) for j, s in kept.items()))
        like = self.template
        return RuleSet(patterns, target=like.target, positive=like.positive, negative=like.negative)

    def _literal_of(self, j: int, selection: RankSelection) -> Literal:
        """The literal that selects some ranks; "has a value" leaves free the side constraints are about."""
        scale = self.space.scales[j]
        if (
            isinstance(scale, NumericScale)
            and selection[:-1].all()
            and self._free_side(j, "above") == "below"
        ):
            return Range(scale.name, high=float(scale.values[-1]), time=scale.time)
        return scale.literal(selection)

    @abstractmethod
    def lay_out(self) -> None:
        """Work out, from the rank space, what the concrete form needs to build and to translate."""

    @abstractmethod
    def values(self, boxes: list[Box], covers: BoolArray) -> dict[str, Any]:
        """The values of every block of variables, given all K boxes and the rows each covers."""

    @abstractmethod
    def selections(self, solved: dict[str, FloatArray], k: int) -> Box:
        """The selections of one box, from the values of every block of variables."""


def per_box(matrix: sp.csr_array, block: Variables) -> Expression:
    """`matrix @ block[k]` for every box k, as an array of shape (K, rows of the matrix)."""
    K, width = block.shape
    flat = block[np.repeat(np.arange(K), width), np.tile(np.arange(width), K)]
    product = sp.csr_array(sp.kron(sp.eye_array(K), matrix, format="csr")) @ flat
    return Expression(product.matrix, product.constant, (K, matrix.shape[0]))
