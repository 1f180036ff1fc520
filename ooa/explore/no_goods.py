"""OOAx with exclusions: rule sets, or the predictions they make, that may not come back."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ooa.data.bitsets import unpack
from ooa.formulations.ooax import OOAxFormulation
from ooa.formulations.ooax_layout import OOAxLayout
from ooa.model.builder import Model
from ooa.model.expressions import BoolArray, FloatArray, Rows
from ooa.model.sparse import sp
from ooa.search.local_search import Choice

from .redundancy import Beside, cover_of

__all__ = ["NoGoodFormulation"]


class NoGoodFormulation(OOAxFormulation):
    """The selection ILP, and the rows that exclude single rule sets from it.

    The row that excludes one rule set A is the classic one, "something differs"::

        sum of (1 - used[k]) over A  +  sum of used[k] outside A  >= 1

    It is dense, so the model has a variable for the number of patterns, and the row reads
    `n_patterns - 2 (sum of used[k] over A) >= 1 - |A|`. If A already has `max_patterns` patterns,
    `sum of used[k] over A <= |A| - 1` says the same, and more to the LP relaxation.

    All rule sets with a redundant pattern are excluded kind by kind: where the patterns B together cover
    whatever each of S covers, S has no business beside B, and with at most M of S in a rule set

        sum of used[k] over S  +  M (sum of used[k] over B)  <=  M |B|

    With `by_prediction` it excludes all rule sets that cover just the rows that A covers: one of these
    rows is not covered, or some pattern covers another::

        sum of (1 - predicted[n]) where A covers n  +  sum of used[k] that cover what A does not  >= 1

    Parameters
    ----------
    by_prediction : whether rule sets with the same predictions on every row count as one
    *args, **options : see `OOAxFormulation`

    Examples
    --------
    >>> from ooa.candidates.candidates import Candidates
    >>> from ooa.objective import Objective
    >>> from ooa.solving.registry import get_backend
    >>> from ooa import Pattern
    >>> from ooa.data.table import Table
    >>> table = Table.from_any({"x": [1, 2, 3, 4]}, [0, 0, 1, 1])
    >>> own = Candidates.of_patterns(table, [Pattern.parse("x >= 3"), Pattern.parse("x >= 2")])
    >>> formulation = NoGoodFormulation(own, table, Objective.of("1/8", "1/10"))
    >>> with get_backend("highs").open(formulation.milp) as session:
    ...     for _ in range(3):
    ...         solution = session.solve()
    ...         print(round(solution.objective, 2), formulation.positions(solution.x))
    ...         session.add_rows(formulation.excluding([formulation.positions(solution.x)]))
    0.9 (0,)
    1.9 (1,)
    2.0 ()
    """

    layout: RuleSetExclusions | PredictionExclusions

    def __init__(self, *args: Any, by_prediction: bool = False, **options: Any) -> None:
        super().__init__(*args, **options)
        self.by_prediction = by_prediction

    def lay_out(self, model: Model) -> RuleSetExclusions | PredictionExclusions:
        """Add the ILP, and what exclusions are said with."""
        kind = PredictionExclusions if self.by_prediction else RuleSetExclusions
        return kind(model, self.rows, self.table, self.problem, self.form)

    def excluding(self, choices: Sequence[Choice]) -> Rows:
        """The rows that exclude some selections (with `by_prediction`: all that predict the same)."""
        return self.layout.excluding(choices)

    def beside(self, found: Sequence[Beside]) -> Rows:
        """The rows that exclude all selections with a redundant pattern of these kinds."""
        assert isinstance(self.layout, RuleSetExclusions)
        return self.layout.beside(found)

    def key(self, choice: Choice) -> Hashable:
        """What two selections have in common if they count as one."""
        return self.cover(choice).tobytes() if self.by_prediction else choice

    def positions(self, x: FloatArray) -> Choice:
        """The selection of a point."""
        return tuple(np.flatnonzero(x[: len(self.candidates)] > 0.5).tolist())

    def cover(self, choice: Choice) -> NDArray[np.uint64]:
        """The (distinct) rows that a selection covers, packed."""
        return cover_of(self.candidates, choice)


class RuleSetExclusions(OOAxLayout):
    """The selection ILP with a variable for the number of patterns, to exclude single rule sets with."""

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        n = len(self.candidates)
        self._size = self._model.add_continuous("n_patterns", upper=float(n), implied=True)
        self._model.add_rows("n_patterns", self._size - self.used.sum() == 0)
        self._auxiliary.append((self._size, lambda x: x[:n].sum()))

    def excluding(self, choices: Sequence[Choice]) -> Rows:
        """The rows that exclude some selections."""
        members = np.zeros((len(choices), len(self.candidates)))
        for i, choice in enumerate(choices):
            members[i, list(choice)] = 1.0
        size: FloatArray = members.sum(axis=1)
        most = self.problem.max_patterns
        others = np.where(size >= (np.inf if most is None else most), 0.0, 1.0)
        within = sp.csr_array(members) @ self.used
        return self._size * others - within * (1.0 + others) >= 1.0 - size

    def beside(self, found: Sequence[Beside]) -> Rows:
        """For each: none of the others if all of the patterns are used. One row, as there are many others."""
        most = self.problem.max_patterns
        coefficients = np.zeros((len(found), len(self.candidates)))
        side = np.zeros(len(found))
        for i, (patterns, others) in enumerate(found):
            many = len(others) if most is None else min(most, len(others))
            coefficients[i, others] = 1.0
            coefficients[i, list(patterns)] = many
            side[i] = many * len(patterns)
        return -(sp.csr_array(coefficients) @ self.used) >= -side


class PredictionExclusions(OOAxLayout):
    """The selection ILP with exact predictions, to exclude all rule sets that make the same ones with."""

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        _, row = np.unique(self.problem.group[self._row_of(slice(None))], return_index=True)
        self._covered = self.predicted[row]  # for every group
        _, self._first = np.unique(self.problem.group, return_index=True)  # a row of each group

    def pin(self, constraints: Sequence[Rows]) -> None:
        """Pin what the constraints need; an exclusion tempts to call rows uncovered that are not."""
        super().pin([*constraints, -self._covered >= -1])

    def excluding(self, choices: Sequence[Choice]) -> Rows:
        """The rows that exclude all selections that predict the same as one of these."""
        covers = [cover_of(self.candidates, choice) for choice in choices]
        inside = np.array([self._fires_at(cover) for cover in covers])
        beyond = np.array([(self.candidates.bits & ~cover).any(axis=1) for cover in covers])
        uncovered = sp.csr_array(inside * 1.0) @ (1 - self._covered)
        return uncovered + sp.csr_array(beyond * 1.0) @ self.used >= 1.0

    def _fires_at(self, cover: NDArray[np.uint64]) -> BoolArray:
        """For every group, whether it is among some rows."""
        return unpack(cover, self._rows.n_rows)[self._first]
