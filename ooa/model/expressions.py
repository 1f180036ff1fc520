"""Vectorised linear expressions over a model's columns: what a user writes, as sparse arrays.

`Variables` is a handle on columns of a model, `Expression` an array of affine functions of them and
`Rows` an array of two-sided inequalities. All three are thin wrappers round one CSR matrix, so a
block of 20,000 rows costs a handful of array operations, not 20,000 objects.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ooa.errors import ModelError

from .sparse import sp, widened

BoolArray: TypeAlias = npt.NDArray[np.bool_]
FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int32]
Shape: TypeAlias = tuple[int, ...]


class Algebra:
    """Operators shared by variables and expressions."""

    # numpy must hand `array + x` and `array @ x` to our reflected methods instead of looping over them;
    # scipy does the same for anything that is no sequence, hence no `__len__` here.
    __array_ufunc__ = None

    shape: Shape

    def as_expression(self) -> Expression:
        """Return the same thing as an `Expression`."""
        raise TypeError(f"{type(self).__name__} has no linear form")

    @property
    def size(self) -> int:
        """How many scalar expressions this array holds."""
        return int(np.prod(self.shape))

    def __neg__(self) -> Expression:
        return self.as_expression()._times(-1.0)

    def __add__(self, other: Any) -> Expression:
        return self.as_expression()._plus(other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Expression:
        if isinstance(other, Algebra):
            return self.as_expression()._plus(other.as_expression() * -1.0)
        return self.as_expression()._plus(-as_numbers(other, "a constant"))

    def __rsub__(self, other: Any) -> Expression:
        return self.as_expression()._times(-1.0)._plus(other)

    def __mul__(self, factor: Any) -> Expression:
        return self.as_expression()._times(factor)

    __rmul__ = __mul__

    def __truediv__(self, divisor: Any) -> Expression:
        return self * (1.0 / as_numbers(divisor, "a divisor"))

    def __rmatmul__(self, matrix: Any) -> Expression:
        return self.as_expression()._left_multiplied(matrix)

    def sum(self, axis: int | None = None) -> Expression:
        """Sum over one axis, or over everything.

        Examples
        --------
        >>> from ooa.model import Model
        >>> x = Model().add_binaries("x", (2, 3))
        >>> x.sum().shape, x.sum(axis=0).shape
        ((), (3,))
        """
        expression = self.as_expression()
        if axis is None:
            return expression._added_up()
        axis = axis % len(self.shape)
        shape = self.shape[:axis] + self.shape[axis + 1 :]
        kept = np.arange(int(np.prod(shape)), dtype=np.int32).reshape(shape)
        target = np.broadcast_to(np.expand_dims(kept, axis), self.shape).ravel()
        rows = int(np.prod(shape))
        adder = sp.csr_array(
            (np.ones(self.size), (target, np.arange(self.size, dtype=np.int32))), shape=(rows, self.size)
        )
        constant = np.zeros(rows)
        np.add.at(constant, target, expression.constant)
        return Expression(adder @ expression.matrix, constant, shape)

    def __le__(self, other: Any) -> Rows:
        return _compare(self - other, -np.inf, 0.0)

    def __ge__(self, other: Any) -> Rows:
        return _compare(self - other, 0.0, np.inf)

    def __eq__(self, other: Any) -> Rows:  # type: ignore[override]
        return _compare(self - other, 0.0, 0.0)

    def __lt__(self, other: Any) -> Rows:
        raise ModelError("a model has no strict inequalities; write <= or >=")

    def __gt__(self, other: Any) -> Rows:
        raise ModelError("a model has no strict inequalities; write <= or >=")

    def __ne__(self, other: Any) -> Rows:  # type: ignore[override]
        raise ModelError("a model has no rows of the kind !=; write <=, >= or ==")

    def between(self, lower: Any, upper: Any) -> Rows:
        """Rows `lower <= self <= upper` (ranged rows).

        Examples
        --------
        >>> from ooa.model import Model
        >>> x = Model().add_binaries("x", 4)
        >>> x.sum().between(1, 2)
        Rows(1)
        """
        expression = self.as_expression()
        low = np.broadcast_to(as_numbers(lower, "a lower side"), self.shape).ravel()
        high = np.broadcast_to(as_numbers(upper, "an upper side"), self.shape).ravel()
        return Rows(expression.matrix, low - expression.constant, high - expression.constant, self.shape)


class Variables(Algebra):
    """A handle on some columns of a model; index it like a numpy array.

    Parameters
    ----------
    index : which columns, in the shape of the array
    width : how many columns the model has

    Examples
    --------
    >>> from ooa.model import Model
    >>> m = Model()
    >>> x = m.add_binaries("x", (2, 3))
    >>> x[0].shape, x[:, 1].shape, x[1, 2].shape
    ((3,), (2,), ())
    """

    def __init__(self, index: IntArray, width: int) -> None:
        self.index = index
        self.shape = tuple(index.shape)
        self._width = width

    def __getitem__(self, key: Any) -> Variables:
        return Variables(np.asarray(self.index[key], dtype=np.int32), self._width)

    def __repr__(self) -> str:
        return f"Variables{self.shape}"

    def as_expression(self) -> Expression:
        """One expression per variable, with coefficient 1."""
        n = self.size
        matrix = sp.csr_array(
            (np.ones(n), self.index.ravel(), np.arange(n + 1, dtype=np.int32)), shape=(n, self._width)
        )
        return Expression(matrix, np.zeros(n), self.shape)

    def __rmatmul__(self, matrix: Any) -> Expression:
        # The hot path: no product is computed, the matrix's own arrays become the rows' arrays.
        left = _checked_matrix(matrix, self.shape)
        flat = self.index
        start = int(flat[0]) if flat.size else 0
        if np.array_equal(flat, np.arange(start, start + flat.size)):
            columns = left.indices if start == 0 else left.indices + np.int32(start)
        else:
            columns = flat[left.indices]
        lifted = sp.csr_array((left.data, columns, left.indptr), shape=(left.shape[0], self._width))
        return Expression(lifted, np.zeros(left.shape[0]), (left.shape[0],))


class Expression(Algebra):
    """An array of affine expressions: row i is `matrix[i] @ columns + constant[i]`.

    Parameters
    ----------
    matrix : coefficients, one row for each expression
    constant : what is added to each
    shape : of the array of expressions
    """

    def __init__(self, matrix: sp.csr_array, constant: FloatArray, shape: Shape) -> None:
        self.matrix = matrix
        self.constant = constant
        self.shape = shape

    def __repr__(self) -> str:
        return f"Expression{self.shape}"

    def as_expression(self) -> Expression:
        """The expression itself."""
        return self

    def value(self, x: FloatArray) -> FloatArray:
        """The values of the expressions at a point of the model.

        Examples
        --------
        >>> from ooa.model import Model
        >>> x = Model().add_continuous("x", 2)
        >>> (2 * x + 1).value(np.array([3.0, 4.0]))
        array([7., 9.])
        """
        values = self.matrix @ x[: self.matrix.shape[1]] + self.constant
        return np.asarray(values).reshape(self.shape)

    def __getitem__(self, key: Any) -> Expression:
        picked = np.asarray(np.arange(self.size).reshape(self.shape)[key])
        return self._take(picked)

    def _take(self, positions: npt.NDArray[np.intp]) -> Expression:
        flat = positions.ravel()
        return Expression(self.matrix[flat], self.constant[flat], tuple(positions.shape))

    def _broadcast(self, shape: Shape) -> Expression:
        if shape == self.shape:
            return self
        return self._take(np.broadcast_to(np.arange(self.size).reshape(self.shape), shape))

    def _plus(self, other: Any) -> Expression:
        if isinstance(other, Algebra):
            right = other.as_expression()
            shape = _joint_shape(self.shape, right.shape)
            a, b = self._broadcast(shape), right._broadcast(shape)
            width = max(a.matrix.shape[1], b.matrix.shape[1])
            return Expression(
                widened(a.matrix, width) + widened(b.matrix, width), a.constant + b.constant, shape
            )
        numbers = as_numbers(other, "a constant")
        shape = _joint_shape(self.shape, numbers.shape)
        a = self._broadcast(shape)
        return Expression(a.matrix, a.constant + np.broadcast_to(numbers, shape).ravel(), shape)

    def _times(self, factor: Any) -> Expression:
        if isinstance(factor, Algebra):
            raise ModelError("the product of two expressions is not linear")
        numbers = as_numbers(factor, "a factor")
        if numbers.ndim == 0:
            return Expression(self.matrix * float(numbers), self.constant * float(numbers), self.shape)
        shape = _joint_shape(self.shape, numbers.shape)
        a = self._broadcast(shape)
        flat = np.broadcast_to(numbers, shape).ravel()
        scaled = sp.csr_array(
            (a.matrix.data * np.repeat(flat, np.diff(a.matrix.indptr)), a.matrix.indices, a.matrix.indptr),
            shape=a.matrix.shape,
        )
        return Expression(scaled, a.constant * flat, shape)

    def _added_up(self) -> Expression:
        """The sum of all expressions: column by column, as a product of matrices takes much longer."""
        there, added, width = self.matrix.indices, self.matrix.data, self.matrix.shape[1]
        if (there[1:] <= there[:-1]).any():  # else every column occurs once at most
            by_column, there = np.bincount(there, added, width), np.unique(there)
            added = by_column[there]
        row = sp.csr_array((added, there, np.array([0, len(there)], dtype=np.int32)), shape=(1, width))
        return Expression(row, np.bincount(np.zeros(self.size, int), self.constant, 1).astype(np.float64), ())

    def _left_multiplied(self, matrix: Any) -> Expression:
        left = _checked_matrix(matrix, self.shape)
        return Expression(left @ self.matrix, left @ self.constant, (left.shape[0],))


class Rows:
    """An array of rows `lower <= matrix @ columns <= upper`, ready for `Model.add_rows`.

    Parameters
    ----------
    matrix : coefficients
    lower, upper : sides; infinite for none
    shape : of the array of rows
    """

    def __init__(self, matrix: sp.csr_array, lower: FloatArray, upper: FloatArray, shape: Shape) -> None:
        self.matrix = matrix
        self.lower = lower
        self.upper = upper
        self.shape = shape

    def __repr__(self) -> str:
        return f"Rows({self.matrix.shape[0]})"

    def __bool__(self) -> bool:
        raise ModelError(
            "a block of rows has no truth value; write x.between(a, b) instead of a <= x <= b, "
            "and pass the rows to Model.add_rows"
        )


def _compare(difference: Expression, lower: float, upper: float) -> Rows:
    # 0.0 - constant rather than -constant, so that no bound is ever -0.0
    return Rows(difference.matrix, lower - difference.constant, upper - difference.constant, difference.shape)


def total(parts: Sequence[Algebra]) -> Expression:
    """The sum of expressions of one shape.

    Examples
    --------
    >>> from ooa.model import Model
    >>> x = Model().add_binaries("x", (2, 3))
    >>> total([x[0], x[1]]).shape
    (3,)
    """
    added = parts[0].as_expression()
    for part in parts[1:]:
        added = added + part
    return added


def as_numbers(value: Any, what: str) -> FloatArray:
    """`value` as a float array, or a `ModelError` that says what it should have been."""
    try:
        return np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ModelError(f"{what} must be a number or an array of numbers, not {value!r}") from error


def _joint_shape(a: Shape, b: Shape) -> Shape:
    try:
        return tuple(np.broadcast_shapes(a, b))
    except ValueError:
        raise ModelError(f"shapes {a} and {b} do not fit together") from None


def _checked_matrix(matrix: Any, shape: Shape) -> sp.csr_array:
    if len(shape) != 1:
        raise ModelError(f"matrix @ x needs a one-dimensional x, not one of shape {shape}")
    csr = sp.csr_array(matrix)
    if csr.ndim != 2 or csr.shape[1] != shape[0]:
        raise ModelError(f"matrix of shape {csr.shape} @ x of shape {shape} does not fit")
    if csr.dtype != np.float64:
        csr = csr.astype(np.float64)
    if csr.indices.dtype != np.int32:
        csr = sp.csr_array(
            (csr.data, csr.indices.astype(np.int32), csr.indptr.astype(np.int32)), shape=csr.shape
        )
    return csr
