"""The model builder: blocks of variables and rows from vectorised expressions, frozen into a `Milp`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ooa.errors import ModelError

from .expressions import (
    Algebra,
    BoolArray,
    Expression,
    FloatArray,
    Rows,
    Shape,
    Variables,
    as_numbers,
)
from .milp import Milp
from .names import Names
from .sparse import sp, widened

__all__ = ["Model"]


class _Block(NamedTuple):
    """A block of variables."""

    shape: Shape
    lower: FloatArray
    upper: FloatArray
    cost: FloatArray
    whole: bool
    implied: bool


class Model:
    """Build a `Milp` block by block from vectorised expressions.

    Examples
    --------
    A tiny cover: three patterns, two rows to cover, pay for what is left open.

    >>> import numpy as np
    >>> m = Model("cover")
    >>> used = m.add_binaries("used", 3, cost=[1.0, 1.0, 1.5])
    >>> error = m.add_continuous("error", 2, lower=0, upper=1, cost=5.0)
    >>> W = np.array([[1, 0, 1], [0, 1, 1]])
    >>> m.add_rows("cover", W @ used + error >= 1)
    >>> m.freeze()
    Milp('cover': 5 columns (3 integer), 2 rows, 6 nonzeros)
    """

    def __init__(self, name: str = "model") -> None:
        self.name = name
        self.offset = 0.0
        self._columns: dict[str, _Block] = {}
        self._rows: dict[str, Rows] = {}
        self._extra_cost: list[Expression] = []
        self._n = 0

    @property
    def n_columns(self) -> int:
        """Number of variables so far."""
        return self._n

    def add_binaries(self, name: str, shape: int | Shape = (), cost: Any = 0.0) -> Variables:
        """Add a block of 0-1 variables.

        Parameters
        ----------
        name : of the block
        shape : how many, or the shape of an array of them; () for one
        cost : price of each in the objective, one number or an array
        """
        return self._add(name, shape, 0.0, 1.0, cost, True)

    def add_integers(
        self, name: str, shape: int | Shape = (), lower: Any = 0.0, upper: Any = np.inf, cost: Any = 0.0
    ) -> Variables:
        """Add a block of whole-number variables.

        Parameters
        ----------
        name : of the block
        shape : how many, or the shape of an array of them; () for one
        lower, upper : bounds, one number or an array
        cost : price of each in the objective, one number or an array
        """
        return self._add(name, shape, lower, upper, cost, True)

    def add_continuous(
        self,
        name: str,
        shape: int | Shape = (),
        lower: Any = 0.0,
        upper: Any = np.inf,
        cost: Any = 0.0,
        implied: bool = False,
    ) -> Variables:
        """Add a block of continuous variables.

        Parameters
        ----------
        name : of the block
        shape : how many, or the shape of an array of them; () for one
        lower, upper : bounds, one number or an array
        cost : price of each in the objective, one number or an array
        implied : whether they are whole numbers by implication; see `Milp`
        """
        return self._add(name, shape, lower, upper, cost, False, implied)

    def _add(
        self,
        name: str,
        shape: int | Shape,
        lower: Any,
        upper: Any,
        cost: Any,
        whole: bool,
        implied: bool = False,
    ) -> Variables:
        _check_new(name, self._columns, "variables")
        sizes = (shape,) if isinstance(shape, (int, np.integer)) else tuple(shape)
        if any(int(s) != s or s < 0 for s in sizes):
            raise ModelError(f"variables {name!r}: {shape!r} is no shape")
        sizes = tuple(int(s) for s in sizes)
        filled = []
        for what, value in (("lower", lower), ("upper", upper), ("cost", cost)):
            numbers = as_numbers(value, f"{what} of variables {name!r}")
            try:
                filled.append(np.broadcast_to(numbers, sizes).ravel())
            except ValueError:
                raise ModelError(
                    f"{what} of variables {name!r} has shape {numbers.shape}, expected {sizes}"
                ) from None
        self._columns[name] = _Block(sizes, filled[0], filled[1], filled[2], whole, implied)
        size = int(np.prod(sizes))
        index = np.arange(self._n, self._n + size, dtype=np.int32).reshape(sizes)
        self._n += size
        return Variables(index, self._n)

    def add_rows(self, name: str, rows: Rows) -> None:
        """Add a block of rows made by `<=`, `>=`, `==` or `between`.

        Parameters
        ----------
        name : of the block
        rows : made by comparing expressions
        """
        _check_new(name, self._rows, "rows")
        if not isinstance(rows, Rows):
            raise ModelError(
                f"rows {name!r}: expected a comparison of expressions, got {type(rows).__name__} "
                "(a comparison of plain numbers is not a row)"
            )
        if rows.matrix.shape[1] > self._n:
            raise ModelError(f"rows {name!r} use variables of another model")
        self._rows[name] = rows

    def add_cost(self, expression: Algebra) -> None:
        """Add an expression (summed over its entries) to the objective."""
        self._extra_cost.append(expression.as_expression().sum())

    def freeze(self) -> Milp:
        """Check everything and return the model as arrays."""
        blocks = list(self._columns.values())
        sizes = [block.lower.size for block in blocks]
        c = _joined([block.cost for block in blocks])
        for expression in self._extra_cost:
            c = c + widened(expression.matrix, self._n).toarray().ravel()
        matrices = [widened(rows.matrix, self._n) for rows in self._rows.values()]
        if len(matrices) == 1:
            A = matrices[0]
        else:
            A = sp.vstack(matrices, format="csr") if matrices else sp.csr_array((0, self._n))
        return Milp(
            c=c,
            A=A,
            row_lower=_joined([rows.lower for rows in self._rows.values()]),
            row_upper=_joined([rows.upper for rows in self._rows.values()]),
            lower=_joined([block.lower for block in blocks]),
            upper=_joined([block.upper for block in blocks]),
            integer=_repeated([block.whole for block in blocks], sizes),
            implied=_repeated([block.implied for block in blocks], sizes),
            offset=self.offset + sum(float(e.constant[0]) for e in self._extra_cost),
            columns=Names((name, block.shape) for name, block in self._columns.items()),
            rows=Names((name, rows.shape) for name, rows in self._rows.items()),
            name=self.name,
        )


def _check_new(name: str, taken: Any, what: str) -> None:
    if not isinstance(name, str) or not name:
        raise ModelError(f"a block of {what} needs a name, got {name!r}")
    if name in taken:
        raise ModelError(f"there is already a block of {what} named {name!r}")


def _repeated(marks: list[bool], sizes: list[int]) -> BoolArray:
    return np.repeat(np.array(marks, dtype=bool), np.array(sizes, dtype=int))


def _joined(arrays: list[FloatArray]) -> FloatArray:
    return np.concatenate(arrays) if arrays else np.zeros(0)
