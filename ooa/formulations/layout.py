"""The layout of a model: its variables, what each stands for, and what makes them exact."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ooa.model.expressions import FloatArray, Rows
from ooa.model.sparse import sp

from .vocabulary import Vocabulary

__all__ = ["Layout", "columns_of", "tempted"]


class Layout(Vocabulary):
    """The variables of one model, and the words that constraints say with them.

    A subclass adds the variables and rows of its formulation when it is made. Constraints are then handed
    the layout, `pin` makes exact what they speak of, and the model is frozen.
    """

    @abstractmethod
    def pin(self, constraints: Sequence[Rows]) -> None:
        """Add what makes the variables in these rows exact, in the direction that would help to meet them."""

    def completed(self, core: FloatArray, n_columns: int) -> FloatArray:
        """A point from the values of the formulation's own variables: those that words added follow."""
        x = np.zeros(n_columns)
        x[: len(core)] = core
        for variables, value in self._auxiliary:
            x[variables.index] = value(x)
        return x


def tempted(rows: Rows) -> tuple[sp.csr_array, sp.csr_array]:
    """Which columns a solver might raise, and which it might lower, to meet each of some rows."""
    per_entry = np.diff(rows.matrix.indptr)
    from_below = np.repeat(np.isfinite(rows.lower), per_entry)
    from_above = np.repeat(np.isfinite(rows.upper), per_entry)
    grows, falls = rows.matrix.data > 0, rows.matrix.data < 0
    up, down = (
        sp.csr_array(
            (tempting.astype(float), rows.matrix.indices, rows.matrix.indptr), shape=rows.matrix.shape
        )
        for tempting in (
            (grows & from_below) | (falls & from_above),
            (falls & from_below) | (grows & from_above),
        )
    )
    return up, down


def columns_of(matrices: Iterable[sp.csr_array]) -> NDArray[np.int32]:
    """The columns that are not 0 in one of some matrices."""
    found = [matrix.indices[matrix.data != 0] for matrix in matrices]
    return np.unique(np.concatenate([np.zeros(0, dtype=np.int32), *found]))
