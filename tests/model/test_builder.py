"""The builder: rows, costs and blocks become the arrays of a model."""

import numpy as np
import pytest
from support import small_models
from support.small_models import dense

from ooa.errors import ModelError
from ooa.model import Model

# Fixture: assigned, as the tests ask for it by name.
model = small_models.model


def test_one_sided_rows(model: Model) -> None:
    x = model.add_binaries("x", 2)
    model.add_rows("a", x >= [1, 0])
    model.add_rows("b", 2 * x[0] + 3 <= x[1])
    A, low, high = dense(model)
    assert A.tolist() == [[1, 0], [0, 1], [2, -1]]
    assert low.tolist() == [1, 0, -np.inf]
    assert high.tolist() == [np.inf, np.inf, -3]


def test_equality_and_range(model: Model) -> None:
    x = model.add_continuous("x", 3, lower=-np.inf)
    model.add_rows("eq", x.sum() == 2)
    model.add_rows("range", (x[:2] - 1).between([0, -1], 4))
    A, low, high = dense(model)
    assert A.tolist() == [[1, 1, 1], [1, 0, 0], [0, 1, 0]]
    assert low.tolist() == [2, 1, 0]
    assert high.tolist() == [2, 5, 5]


def test_numbers_and_arrays_on_the_left(model: Model) -> None:
    x = model.add_binaries("x", 2)
    model.add_rows("a", np.array([1.0, 2.0]) - x >= 0)
    model.add_rows("b", 1 <= np.array([3.0, 4.0]) * x)  # noqa: SIM300
    model.add_rows("c", np.array([1.0, 1.0]) + x == np.array([2.0, 1.0]))
    A, low, high = dense(model)
    assert A.tolist() == [[-1, 0], [0, -1], [3, 0], [0, 4], [1, 0], [0, 1]]
    assert low.tolist() == [-1, -2, 1, 1, 1, 0]
    assert high[:4].tolist() == [np.inf] * 4
    assert high[4:].tolist() == [1, 0]


def test_objective_offset_and_extra_cost(model: Model) -> None:
    x = model.add_integers("x", 2, lower=-3, upper=4, cost=[1, -2])
    model.offset = 10
    model.add_cost(3 * x[0] + 0.5)
    milp = model.freeze()
    assert milp.c.tolist() == [4, -2]
    assert milp.offset == 10.5
    assert milp.objective([1, 2]) == 10.5
    assert milp.integer.all()


def test_a_model_without_anything() -> None:
    milp = Model().freeze()
    assert (milp.n_columns, milp.n_rows) == (0, 0)
    assert milp.objective([]) == 0.0
    assert milp.violation([]) == 0.0


def test_errors_name_block_and_index(model: Model) -> None:
    model.add_binaries("zeta", (2, 2))
    xi = model.add_continuous("xi", 3, upper=[1, 1, np.nan])
    model.add_rows("r", xi >= 0)
    with pytest.raises(ModelError, match=r"column xi\[2\] has lower side 0.0 and upper side nan"):
        model.freeze()


def test_builder_errors(model: Model) -> None:
    x = model.add_binaries("x", 3)
    with pytest.raises(ModelError, match="already a block of variables named 'x'"):
        model.add_binaries("x", 1)
    model.add_rows("r", x >= 0)
    with pytest.raises(ModelError, match="already a block of rows named 'r'"):
        model.add_rows("r", x >= 0)
    with pytest.raises(ModelError, match="needs a name"):
        model.add_binaries("")
    with pytest.raises(ModelError, match="no shape"):
        model.add_binaries("y", -1)
    with pytest.raises(ModelError, match=r"cost of variables 'y' has shape \(2,\), expected \(3,\)"):
        model.add_binaries("y", 3, cost=[1, 2])
    with pytest.raises(ModelError, match="cost of variables 'y' must be a number"):
        model.add_binaries("y", 3, cost="much")
    with pytest.raises(ModelError, match="expected a comparison"):
        model.add_rows("s", True)  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="shapes"):
        x + x[:2]
    with pytest.raises(ModelError, match="does not fit"):
        np.ones((2, 2)) @ x
    with pytest.raises(ModelError, match="one-dimensional"):
        np.ones((2, 2)) @ model.add_binaries("w", (2, 2))
    with pytest.raises(ModelError, match="not linear"):
        x * x
    for compare in (lambda: x < 1, lambda: x.sum() > 1, lambda: x != 1):
        with pytest.raises(ModelError, match="write <="):
            compare()
    with pytest.raises(ModelError, match="between"):
        bool(0 <= x <= 1)


def test_rows_of_another_model_are_refused() -> None:
    other = Model()
    y = other.add_binaries("y", 9)
    model = Model()
    model.add_binaries("x", 2)
    with pytest.raises(ModelError, match="another model"):
        model.add_rows("r", y >= 0)


def test_implied_integers_are_marked_by_block() -> None:
    m = Model()
    m.add_binaries("used", 2)
    m.add_continuous("error", 2, implied=True)
    m.add_continuous("rest")
    assert m.freeze().implied.tolist() == [False, False, True, True, False]
