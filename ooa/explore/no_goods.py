"""OOAx with exclusions: rule sets, or the predictions they make, that may not come back."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ooa.data.bitsets import unpack
from ooa.formulations.ooax import OOAxFormulation
from ooa.model.builder import Model
from ooa.model.expressions import Expression, Rows, Variables
from ooa.search.local_search import Choice


class NoGoodFormulation(OOAxFormulation):
    """The selection ILP, and the rows that exclude single rule sets from it.

    The row that excludes one rule set A is the classic one, "something differs"::

        sum of (1 - used[k]) over A  +  sum of used[k] outside A  >= 1

    It is dense, so the model has a variable for the number of patterns, and the row reads
    `n_patterns - 2 (sum of used[k] over A) >= 1 - |A|`. If A already has `max_patterns` patterns,
    `sum of used[k] over A <= |A| - 1` says the same, and more to the LP relaxation.

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

    def __init__(self, *args: Any, by_prediction: bool = False, **options: Any) -> None:
        super().__init__(*args, **options)
        self.by_prediction = by_prediction
        _, self._first = np.unique(self.row_group, return_index=True)  # a row of each group

    def assemble(self, model: Model) -> None:
        """Add the ILP, and what exclusions are said with."""
        super().assemble(model)
        if self.by_prediction:
            _, row = np.unique(self.row_group[self._row_of(slice(None))], return_index=True)
            self._covered: Expression = self.predicted[row]
        else:
            n = len(self.candidates)
            self._size: Variables = model.add_continuous("n_patterns", upper=float(n))
            model.add_rows("n_patterns", self._size - self.used.sum() == 0)
            self._auxiliary.append((self._size, lambda x: x[:n].sum()))

    def pin(self, constraints: Sequence[Rows]) -> None:
        """Pin what the constraints need; an exclusion tempts to call rows uncovered that are not."""
        super().pin([*constraints, -self._covered >= -1] if self.by_prediction else constraints)

    def excluding(self, choices: Sequence[Choice]) -> Rows:
        """The rows that exclude some selections (with `by_prediction`: all that predict the same)."""
        self.milp  # noqa: B018  # lays out the variables
        if self.by_prediction:
            inside = np.array([self._fires_at(choice) for choice in choices])
            outside = np.array([self._reaching_beyond(choice) for choice in choices])
            uncovered = sp.csr_array(inside * 1.0) @ (1 - self._covered)
            return uncovered + sp.csr_array(outside * 1.0) @ self.used >= 1.0
        members = np.zeros((len(choices), len(self.candidates)))
        for i, choice in enumerate(choices):
            members[i, list(choice)] = 1.0
        size: NDArray[np.float64] = members.sum(axis=1)
        full = size >= (np.inf if self.max_patterns is None else self.max_patterns)
        others = np.where(full, 0.0, 1.0)
        within = sp.csr_array(members) @ self.used
        return self._size * others - within * (1.0 + others) >= 1.0 - size

    def key(self, choice: Choice) -> Hashable:
        """What two selections have in common if they count as one."""
        return np.packbits(self._fires_at(choice)).tobytes() if self.by_prediction else choice

    def positions(self, x: NDArray[np.float64]) -> Choice:
        """The selection of a point."""
        return tuple(np.flatnonzero(x[: len(self.candidates)] > 0.5).tolist())

    def cover(self, choice: Choice) -> NDArray[np.uint64]:
        """The (distinct) rows that a selection covers, packed."""
        bits = self.candidates.bits[list(choice)]
        covered: NDArray[np.uint64] = np.bitwise_or.reduce(bits, axis=0, initial=np.uint64(0))
        return covered

    def _fires_at(self, choice: Choice) -> NDArray[np.bool_]:
        """For a row of each group, whether the selection covers it."""
        return unpack(self.cover(choice), self._rows.n_rows)[self._first]

    def _reaching_beyond(self, choice: Choice) -> NDArray[np.bool_]:
        """For every candidate, whether it covers a row that the selection does not."""
        return np.asarray((self.candidates.bits & ~self.cover(choice)).any(axis=1))
