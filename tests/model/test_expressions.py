"""Expressions: products, sums and broadcasting, as in numpy."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from support import small_models
from support.small_models import dense

from ooa.model import Model

# Fixture: assigned, as the tests ask for it by name.
model = small_models.model


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array, sp.csc_array, sp.coo_array, sp.csr_matrix])
def test_matrix_products_of_every_kind(model: Model, kind: object) -> None:
    x = model.add_binaries("x", 2)
    y = model.add_binaries("y", 3)
    W = np.array([[1, 0, 2], [0, 3, 0]])
    model.add_rows("r", kind(W) @ y + x >= 1)  # type: ignore[operator]
    A, _, _ = dense(model)
    assert A.tolist() == [[1, 0, 1, 0, 2], [0, 1, 0, 3, 0]]


def test_matrix_product_of_scattered_and_derived_expressions(model: Model) -> None:
    x = model.add_binaries("x", 4)
    model.add_rows("scattered", np.eye(2) @ x[[3, 1]] >= 0)
    model.add_rows("derived", np.ones((1, 2)) @ (2 * x[:2] + 1) <= 7)
    A, low, high = dense(model)
    assert A.tolist() == [[0, 0, 0, 1], [0, 1, 0, 0], [2, 2, 0, 0]]
    assert high[2] == 5
    assert low[2] == -np.inf


def test_broadcasting_of_blocks(model: Model) -> None:
    x = model.add_binaries("x", (2, 3))
    y = model.add_binaries("y", 2)
    model.add_rows("link", x <= y[:, None])
    A, _, _ = dense(model)
    assert A.shape == (6, 8)
    for i in range(2):
        for j in range(3):
            expected = np.zeros(8)
            expected[3 * i + j], expected[6 + i] = 1, -1
            assert A[3 * i + j].tolist() == expected.tolist()


def test_sums_over_axes(model: Model) -> None:
    x = model.add_binaries("x", (2, 3))
    model.add_rows("rows", x.sum(axis=1) <= 1)
    model.add_rows("columns", (2 * x).sum(axis=-2) <= 1)
    A, _, _ = dense(model)
    assert A.tolist() == [
        [1, 1, 1, 0, 0, 0],
        [0, 0, 0, 1, 1, 1],
        [2, 0, 0, 2, 0, 0],
        [0, 2, 0, 0, 2, 0],
        [0, 0, 2, 0, 0, 2],
    ]


def test_terms_that_cancel_leave_no_coefficient(model: Model) -> None:
    x = model.add_binaries("x", 2)
    model.add_rows("r", x.sum() - x[0] - x[1] <= 1)
    milp = model.freeze()
    assert milp.A.nnz == 0


def test_expressions_made_before_later_variables(model: Model) -> None:
    x = model.add_binaries("x", 1)
    early = x.sum()
    y = model.add_binaries("y", 1)
    model.add_rows("r", early + y.sum() >= 1)
    model.add_rows("s", early <= 1)
    assert dense(model)[0].tolist() == [[1, 1], [1, 0]]


def test_division_and_negation(model: Model) -> None:
    x = model.add_continuous("x", 2)
    model.add_rows("r", -x / 2 >= -1)
    A, low, _ = dense(model)
    assert A.tolist() == [[-0.5, 0], [0, -0.5]]
    assert low.tolist() == [-1, -1]


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_expressions_evaluate_like_numpy(data: st.DataObject) -> None:
    """A random expression over random columns gives the same numbers as numpy on a random point."""
    model = Model()
    sizes = data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=3))
    blocks = [model.add_continuous(f"b{i}", n) for i, n in enumerate(sizes)]
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    point = rng.integers(-5, 6, model.n_columns).astype(float)
    k = data.draw(st.integers(1, 4))
    total, value = None, np.zeros(k)
    for block in blocks:
        W = rng.integers(-3, 4, (k, block.size)).astype(float)
        factor, shift = rng.integers(-2, 3, k).astype(float), rng.integers(-2, 3, k).astype(float)
        term = factor * (W @ block) - shift
        total = term if total is None else total + term
        value = value + factor * (W @ point[block.index]) - shift
    assert total is not None
    expression = total.as_expression()
    found = np.zeros(k)
    found += expression.constant
    matrix = expression.matrix.toarray()
    found += matrix @ point[: matrix.shape[1]]
    assert found.tolist() == value.tolist()


def test_a_sum_of_expressions_that_share_columns() -> None:
    x = Model().add_binaries("x", 4)
    once, often = (2 * x[[0, 1, 3]] + 1).sum(), (x[[3, 1, 3]] * [1.0, 5.0, -1.0] + [0.5, 0.0, 1.0]).sum()
    assert (once.matrix.toarray().tolist(), once.constant.tolist()) == ([[2, 2, 0, 2]], [3])
    assert (often.matrix.toarray().tolist(), often.constant.tolist()) == ([[0, 5, 0, 0]], [1.5])
    assert often.matrix.has_canonical_format
    nothing = x[[]].as_expression().sum()
    assert (nothing.matrix.nnz, nothing.constant.tolist(), nothing.shape) == (0, [0], ())
