"""OOAx with exclusions: rule sets, or the predictions they make, that may not come back."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from .bitsets import unpack
from .expressions import Algebra, Rows, Variables
from .formulations.ooax import OOAxFormulation
from .incumbent import Choice
from .model import Model


class NoGoodFormulation(OOAxFormulation):
    """The selection ILP, and the rows that exclude single rule sets from it.

    What makes two answers different is a vector of 0s and 1s: of the candidates that are used, or, with
    `by_prediction`, of the predictions for the rows. The row that excludes one such vector v from the
    values of x is the classic one, "something differs"::

        sum of (1 - x[i]) where v[i] = 1  +  sum of x[i] where v[i] = 0  >= 1

    It is dense, so the model has a variable for the sum of all x, and the row reads
    `sum x - 2 (sum of x[i] where v[i] = 1) >= 1 - |v|`. Of a rule set that already has `max_patterns`
    patterns nothing but a subset of the same size can differ, so `sum of x[i] where v[i] = 1 <= |v| - 1`
    says the same, and more to the LP relaxation.

    Parameters
    ----------
    by_prediction : whether rule sets with the same predictions on every row count as one
    *args, **options : see `OOAxFormulation`

    Examples
    --------
    >>> from ooa.candidates import Candidates
    >>> from ooa.objective import Objective
    >>> from ooa.registry import get_backend
    >>> from ooa.rules import Pattern
    >>> from ooa.table import Table
    >>> table = Table.from_any({"x": [1, 2, 3, 4]}, [0, 0, 1, 1])
    >>> own = Candidates.of_patterns(table, [Pattern.parse("x >= 3"), Pattern.parse("x >= 2")])
    >>> formulation = NoGoodFormulation(own, table, Objective.of("1/8", "1/8"))
    >>> with get_backend("highs").open(formulation.milp) as session:
    ...     for _ in range(3):
    ...         solution = session.solve()
    ...         print(solution.objective, formulation.positions(solution.x))
    ...         session.add_rows(formulation.excluding([formulation.positions(solution.x)]))
    1.0 (0,)
    2.0 (1,)
    2.0 ()
    """

    def __init__(self, *args: Any, by_prediction: bool = False, **options: Any) -> None:
        super().__init__(*args, **options)
        self.by_prediction = by_prediction

    def assemble(self, model: Model) -> None:
        """Add the ILP, and the number of ones in what tells answers apart."""
        super().assemble(model)
        telling: Algebra = self.used
        if self.by_prediction:
            _, representative = np.unique(self.row_group[self._row_of(slice(None))], return_index=True)
            telling = self.predicted[representative]
        self._telling = telling
        expression = telling.as_expression()
        self._ones: Variables = model.add_continuous("ones", upper=float(telling.size))
        model.add_rows("ones", self._ones - telling.sum() == 0)
        self._auxiliary.append((self._ones, lambda x: expression.value(x).sum()))

    def pin(self, constraints: Sequence[Rows]) -> None:
        """Pin what the constraints need; predictions that tell answers apart have to be exact both ways."""
        super().pin([*constraints, self._telling.between(0, 1)] if self.by_prediction else constraints)

    def excluding(self, choices: Sequence[Choice]) -> Rows:
        """The rows that exclude some selections (with `by_prediction`: all that predict the same)."""
        self.milp  # noqa: B018  # lays out the variables
        vectors = sp.csr_array(np.array([self._vector(choice) for choice in choices], dtype=np.float64))
        size = np.asarray(vectors.sum(axis=1)).ravel()
        full = np.zeros(len(choices), dtype=bool)
        if not self.by_prediction and self.max_patterns is not None:
            full = size >= self.max_patterns
        others = np.where(full, 0.0, 1.0)
        return others * self._ones - (1.0 + others) * (vectors @ self._telling) >= 1.0 - size

    def key(self, choice: Choice) -> Hashable:
        """What two selections have in common if they count as one."""
        return np.packbits(self._vector(choice)).tobytes() if self.by_prediction else choice

    def positions(self, x: NDArray[np.float64]) -> Choice:
        """The selection of a point."""
        return tuple(np.flatnonzero(x[: len(self.candidates)] > 0.5).tolist())

    def _vector(self, choice: Choice) -> NDArray[np.bool_]:
        if not self.by_prediction:
            vector = np.zeros(len(self.candidates), dtype=bool)
            vector[list(choice)] = True
            return vector
        covered = np.bitwise_or.reduce(self.candidates.bits[list(choice)], axis=0, initial=np.uint64(0))
        fires = unpack(covered, self._rows.n_rows)
        _, first = np.unique(self.row_group, return_index=True)
        return fires[first]
