"""The frozen mixed-integer program: plain, validated, read-only arrays that any solver can be handed.

Always a minimisation: `min c @ x + offset` subject to `row_lower <= A @ x <= row_upper`,
`lower <= x <= upper`, `x[integer]` whole numbers. Infinite sides are `-inf` / `+inf`.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ooa.errors import ModelError, OOAWarning

from .expressions import BoolArray, FloatArray, Rows, as_numbers
from .names import Names
from .sparse import sp, widened

#: Bounds at least this large in size mean "no bound", as in every solver behind the adapters.
INFINITY = 1e20
#: Coefficients and costs beyond this size cannot be represented faithfully by any solver.
HUGE = 1e15
#: Coefficients below this size are dropped by some solvers and kept by others.
TINY = 1e-9


@dataclass(frozen=True, eq=False)
class Milp:
    """A mixed-integer linear program as read-only arrays; checked when it is made.

    Parameters
    ----------
    c : array of n costs (minimised)
    A : sparse matrix, m x n (any scipy format; duplicates are summed, zeros dropped)
    row_lower, row_upper : arrays of m row sides; `-inf` / `inf` for none
    lower, upper : arrays of n bounds; `-inf` / `inf` for none
    integer : boolean array of n
    offset : constant added to the objective
    columns, rows : names; made up (`x`, `row`) when not given
    name : what it is called in files
    implied : boolean array of n: continuous columns that are whole numbers in some optimal point, so that
        they may be declared integer as well; see `with_implied`. It is no part of what the model says, and
        two models that differ in nothing else are equal

    Examples
    --------
    >>> import numpy as np
    >>> milp = Milp([1.0, 2.0], [[1, 1]], [1], [np.inf], [0, 0], [1, 1], [True, True])
    >>> milp.objective([1, 0]), milp.violation([0, 0])
    (1.0, 1.0)
    """

    c: FloatArray
    A: sp.csr_array
    row_lower: FloatArray
    row_upper: FloatArray
    lower: FloatArray
    upper: FloatArray
    integer: BoolArray
    offset: float = 0.0
    columns: Names = field(default_factory=Names)
    rows: Names = field(default_factory=Names)
    name: str = "model"
    implied: BoolArray = field(default_factory=lambda: np.zeros(0, dtype=bool))

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "A", _canonical(self.A))
        m, n = self.A.shape
        if not len(self.columns):
            put(self, "columns", Names([("x", (n,))]))
        if not len(self.rows):
            put(self, "rows", Names([("row", (m,))]))
        for key, size in (("c", n), ("lower", n), ("upper", n), ("row_lower", m), ("row_upper", m)):
            put(self, key, _frozen(getattr(self, key), size, key))
        put(self, "integer", _marks(self.integer, n, "integer"))
        implied = self.implied if len(self.implied) else np.zeros(n, dtype=bool)
        put(self, "implied", _marks(implied, n, "implied"))
        put(self, "offset", float(self.offset))
        for what, names, size in (("columns", self.columns, n), ("rows", self.rows, m)):
            if len(names) != size:
                raise ModelError(f"{len(names)} names for {size} {what}")
        self._validate()

    @property
    def n_columns(self) -> int:
        """Number of variables."""
        return int(self.A.shape[1])

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.A.shape[0])

    def objective(self, x: npt.ArrayLike) -> float:
        """Objective value of a point, offset included."""
        return float(self.c @ self._point(x)) + self.offset

    def violation(self, x: npt.ArrayLike) -> float:
        """Largest violation of any bound, row or integrality at a point; 0.0 when feasible.

        A point with a NaN violates by infinity.
        """
        return self.worst(x)[0]

    def worst(self, x: npt.ArrayLike, relative: bool = False) -> tuple[float, str]:
        """Largest violation at a point and what is violated, in words (`"row cover[3]"`).

        With `relative`, violations are divided by the size of the side they break where that
        exceeds 1, which is how a tolerance has to be read for sides such as 1e6.

        Parameters
        ----------
        x : the point
        relative : whether violations are divided by the size of the side they break
        """
        point = self._point(x)
        if not np.isfinite(point).all():
            return np.inf, f"column {self.columns[int(np.argmin(np.isfinite(point)))]} is not finite"
        activity = self.A @ point
        whole = np.where(self.integer, np.round(point), point)
        amount, where = 0.0, ""
        for excess, side, names, what in (
            (self.row_lower - activity, self.row_lower, self.rows, "row"),
            (activity - self.row_upper, self.row_upper, self.rows, "row"),
            (self.lower - point, self.lower, self.columns, "bound of"),
            (point - self.upper, self.upper, self.columns, "bound of"),
            (np.abs(point - whole), np.ones(1), self.columns, "integrality of"),
        ):
            if relative:
                excess = excess / np.maximum(1.0, np.where(np.isfinite(side), np.abs(side), 1.0))
            if excess.size and excess.max() > amount:
                position = int(np.argmax(excess))
                amount, where = float(excess[position]), f"{what} {names[position]}"
        return amount, where

    def relaxed(self) -> Milp:
        """The same model with every integer variable made continuous.

        Examples
        --------
        >>> bool(Milp([1], [[1]], [1], [1], [0], [1], [True]).relaxed().integer.any())
        False
        """
        none = np.zeros(self.n_columns, dtype=bool)
        return self.replace(integer=none, implied=none)

    def with_implied(self) -> Milp:
        """The same model with every implied integer declared integer, for solvers that know no others.

        Examples
        --------
        >>> half = Milp([1, 1], [[1, 1]], [1], [9], [0, 0], [1, 1], [True, False], implied=[False, True])
        >>> half.with_implied().integer.tolist(), half.with_implied() == half
        ([True, True], False)
        """
        return self.replace(integer=self.integer | self.implied)

    def replace(self, **changes: Any) -> Milp:
        """A copy with some arrays exchanged."""
        values = {key: getattr(self, key) for key in self.__dataclass_fields__}
        return Milp(**(values | changes))

    def with_rows(self, rows: Rows, name: str = "added") -> Milp:
        """A copy with further rows appended.

        Parameters
        ----------
        rows : made by comparing expressions
        name : of the block
        """
        matrix = widened(rows.matrix, self.n_columns)
        return self.replace(
            A=sp.vstack([self.A, matrix], format="csr"),
            row_lower=np.concatenate([self.row_lower, rows.lower]),
            row_upper=np.concatenate([self.row_upper, rows.upper]),
            rows=Names([*self.rows.blocks, (name, (matrix.shape[0],))]),
        )

    def with_columns(
        self,
        cost: npt.ArrayLike,
        matrix: Any,
        lower: npt.ArrayLike,
        upper: npt.ArrayLike,
        name: str = "added",
    ) -> Milp:
        """A copy with further continuous columns appended.

        Parameters
        ----------
        cost, lower, upper : arrays of k numbers, or one number for all
        matrix : their coefficients, n_rows x k, sparse or dense
        name : of the block; its columns are called `name[0]`, `name[1]`, ...

        Examples
        --------
        >>> milp = Milp([1.0], [[1], [2]], [1, 1], [4, 4], [0], [1], [True])
        >>> wider = milp.with_columns([3, 5], [[1, 0], [0, 1]], 0, np.inf, "y")
        >>> wider.c.tolist(), wider.A.toarray().tolist(), wider.columns[-1]
        ([1.0, 3.0, 5.0], [[1.0, 1.0, 0.0], [2.0, 0.0, 1.0]], 'y[1]')
        """
        block = _canonical(matrix, "the matrix of the columns")
        m, k = block.shape
        if m != self.n_rows:
            raise ModelError(
                f"the matrix of the columns has shape {block.shape}, expected ({self.n_rows}, any)"
            )
        c, low, up = (
            _per_column(given, k, what)
            for given, what in ((cost, "cost"), (lower, "lower"), (upper, "upper"))
        )
        return self.replace(
            c=np.concatenate([self.c, c]),
            A=sp.hstack([self.A, block], format="csr"),
            lower=np.concatenate([self.lower, low]),
            upper=np.concatenate([self.upper, up]),
            integer=np.concatenate([self.integer, np.zeros(k, dtype=bool)]),
            implied=np.concatenate([self.implied, np.zeros(k, dtype=bool)]),
            columns=Names([*self.columns.blocks, (name, (k,))]),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Milp):
            return NotImplemented
        arrays = ("c", "row_lower", "row_upper", "lower", "upper", "integer")
        return (
            all(np.array_equal(getattr(self, k), getattr(other, k)) for k in arrays)
            and self.A.shape == other.A.shape
            and np.array_equal(self.A.indptr, other.A.indptr)
            and np.array_equal(self.A.indices, other.A.indices)
            and np.array_equal(self.A.data, other.A.data)
            and self.offset == other.offset
            and self.columns == other.columns
            and self.rows == other.rows
        )

    def __repr__(self) -> str:
        return (
            f"Milp({self.name!r}: {self.n_columns} columns ({int(self.integer.sum())} integer), "
            f"{self.n_rows} rows, {self.A.nnz} nonzeros)"
        )

    def _point(self, x: npt.ArrayLike) -> FloatArray:
        point = np.asarray(x, dtype=np.float64)
        if point.shape != (self.n_columns,):
            raise ModelError(f"a point needs {self.n_columns} values, got shape {point.shape}")
        return point

    def _validate(self) -> None:
        _check_finite(self.c, self.columns, "cost of column")
        if not np.isfinite(self.offset):
            raise ModelError(f"the objective's offset is {self.offset}")
        data = self.A.data
        if data.size:
            size = np.abs(data)
            bad = ~(size <= HUGE)
            if bad.any():
                raise ModelError(f"coefficient of {self._entry(int(np.argmax(bad)))}")
            small = size < TINY
            if small.any():
                entry = self._entry(int(np.argmax(small)))
                warnings.warn(
                    f"{int(small.sum())} coefficient(s) below {TINY} in size, which some solvers drop; "
                    f"the first is of {entry}",
                    OOAWarning,
                    stacklevel=4,
                )
        _check_sides(self.lower, self.upper, self.columns, "column")
        _check_sides(self.row_lower, self.row_upper, self.rows, "row")

    def _entry(self, k: int) -> str:
        row = int(np.searchsorted(self.A.indptr, k, side="right")) - 1
        column = int(self.A.indices[k])
        return f"column {self.columns[column]} in row {self.rows[row]} is {self.A.data[k]}"


def _frozen(values: Any, size: int, what: str) -> FloatArray:
    array = np.array(as_numbers(values, what), dtype=np.float64)  # a copy: the caller keeps its own
    if array.shape != (size,):
        raise ModelError(f"{what} has shape {array.shape}, expected ({size},)")
    if what not in ("c",):
        array[array >= INFINITY] = np.inf
        array[array <= -INFINITY] = -np.inf
    array += 0.0  # -0.0 and 0.0 are the same number but not the same text
    array.flags.writeable = False
    return array


def _marks(values: Any, size: int, what: str) -> BoolArray:
    marks = np.array(values, dtype=bool)
    if marks.shape != (size,):
        raise ModelError(f"{what} has shape {marks.shape}, expected ({size},)")
    marks.flags.writeable = False
    return marks


def _per_column(values: npt.ArrayLike, size: int, what: str) -> FloatArray:
    array = as_numbers(values, what)
    if array.shape not in ((), (size,)):
        raise ModelError(f"{what} has shape {array.shape}, expected ({size},)")
    return np.broadcast_to(array, (size,))


def _canonical(matrix: Any, what: str = "A") -> sp.csr_array:
    try:
        given = sp.csr_array(matrix, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ModelError(f"{what} is no matrix of numbers: {error}") from error
    if given.ndim != 2:
        raise ModelError(f"{what} has shape {given.shape}, expected two dimensions")
    if given.nnz > np.iinfo(np.int32).max:
        raise ModelError(f"{what} has {given.nnz} nonzeros, more than solvers can index")
    try:
        given.check_format(full_check=False)
        if given.nnz and (given.indices.min() < 0 or given.indices.max() >= given.shape[1]):
            raise ValueError("a column index is out of range")
    except ValueError as error:
        raise ModelError(f"{what} is malformed: {error}") from error
    out = sp.csr_array(
        (given.data.copy(), given.indices.astype(np.int32), given.indptr.astype(np.int32)), shape=given.shape
    )
    out.sum_duplicates()
    if out.data.size and (out.data == 0.0).any():
        out.eliminate_zeros()
    for array in (out.data, out.indices, out.indptr):
        array.flags.writeable = False
    return out


def _check_finite(values: FloatArray, names: Names, what: str) -> None:
    bad = ~(np.abs(values) <= HUGE)
    if bad.any():
        i = int(np.argmax(bad))
        raise ModelError(f"{what} {names[i]} is {values[i]}")


def _check_sides(lower: FloatArray, upper: FloatArray, names: Names, what: str) -> None:
    bad = ~(lower <= upper) | (lower == np.inf) | (upper == -np.inf)  # NaN fails the comparison
    if bad.any():
        i = int(np.argmax(bad))
        raise ModelError(f"{what} {names[i]} has lower side {lower[i]} and upper side {upper[i]}")
