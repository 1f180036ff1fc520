"""The IR: expressions, the builder, validation and the frozen program."""

import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from ooa.errors import ModelError, OOAWarning
from ooa.model import Milp, Model, Names


def dense(model: Model) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    milp = model.freeze()
    return milp.A.toarray(), milp.row_lower, milp.row_upper


@pytest.fixture
def model() -> Model:
    return Model("m")


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


def test_objective_offset_and_extra_cost(model: Model) -> None:
    x = model.add_integers("x", 2, lower=-3, upper=4, cost=[1, -2])
    model.offset = 10
    model.add_cost(3 * x[0] + 0.5)
    milp = model.freeze()
    assert milp.c.tolist() == [4, -2]
    assert milp.offset == 10.5
    assert milp.objective([1, 2]) == 10.5
    assert milp.integer.all()


def test_division_and_negation(model: Model) -> None:
    x = model.add_continuous("x", 2)
    model.add_rows("r", -x / 2 >= -1)
    A, low, _ = dense(model)
    assert A.tolist() == [[-0.5, 0], [0, -0.5]]
    assert low.tolist() == [-1, -1]


def test_a_model_without_anything() -> None:
    milp = Model().freeze()
    assert (milp.n_columns, milp.n_rows) == (0, 0)
    assert milp.objective([]) == 0.0
    assert milp.violation([]) == 0.0


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


# -- validation ------------------------------------------------------------------------------------


def plain(**changes: object) -> Milp:
    values: dict = {
        "c": [1.0, 2.0],
        "A": [[1.0, 1.0]],
        "row_lower": [1.0],
        "row_upper": [np.inf],
        "lower": [0.0, 0.0],
        "upper": [1.0, 1.0],
        "integer": [True, False],
    }
    return Milp(**(values | changes))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"c": [np.nan, 1]}, r"cost of column x\[0\] is nan"),
        ({"c": [1, np.inf]}, r"cost of column x\[1\] is inf"),
        ({"c": [1]}, r"c has shape \(1,\), expected \(2,\)"),
        ({"c": ["a", "b"]}, "c must be a number"),
        ({"A": [[np.nan, 1]]}, r"column x\[0\] in row row\[0\] is nan"),
        ({"A": [[1, np.inf]]}, r"column x\[1\] in row row\[0\] is inf"),
        ({"A": [[1, 1e16]]}, r"column x\[1\] in row row\[0\] is 1e\+16"),
        ({"A": np.zeros((2, 2, 2))}, "two dimensions|no matrix|dimension"),
        ({"row_lower": [np.nan]}, r"row row\[0\] has lower side nan"),
        ({"row_lower": [np.inf]}, r"row row\[0\] has lower side inf"),
        (
            {"row_upper": [-np.inf], "row_lower": [-np.inf]},
            r"row row\[0\] has lower side -inf and upper side -inf",
        ),
        ({"row_lower": [2.0], "row_upper": [1.0]}, r"row row\[0\] has lower side 2.0 and upper side 1.0"),
        ({"lower": [0, np.nan]}, r"column x\[1\] has lower side nan"),
        ({"upper": [-1, 1]}, r"column x\[0\] has lower side 0.0 and upper side -1.0"),
        ({"lower": [np.inf, 0], "upper": [np.inf, 1]}, r"column x\[0\] has lower side inf"),
        ({"integer": [True]}, r"integer has shape \(1,\)"),
        ({"offset": np.nan}, "offset is nan"),
        ({"columns": Names([("z", (3,))])}, "3 names for 2 columns"),
    ],
)
def test_bad_arrays_are_named(changes: dict, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        plain(**changes)


def test_errors_name_block_and_index(model: Model) -> None:
    model.add_binaries("zeta", (2, 2))
    xi = model.add_continuous("xi", 3, upper=[1, 1, np.nan])
    model.add_rows("r", xi >= 0)
    with pytest.raises(ModelError, match=r"column xi\[2\] has lower side 0.0 and upper side nan"):
        model.freeze()


def test_malformed_sparse_input() -> None:
    bad = sp.csr_array((1, 2))
    bad.data, bad.indices, bad.indptr = np.ones(1), np.array([7]), np.array([0, 1])
    with pytest.raises(ModelError, match="malformed"):
        plain(A=bad)


def test_tiny_coefficients_warn_and_zeros_vanish() -> None:
    with pytest.warns(OOAWarning, match=r"below 1e-09 .* column x\[0\] in row row\[0\] is 1e-12"):
        plain(A=[[1e-12, 1.0]])
    assert plain(A=[[0.0, 1.0]]).A.nnz == 1


def test_duplicates_are_summed_and_huge_bounds_are_infinite() -> None:
    twice = sp.coo_array(([1.0, 2.0], ([0, 0], [1, 1])), shape=(1, 2))
    milp = plain(A=twice, upper=[1e20, 1e300], row_lower=[-1e25])
    assert milp.A.toarray().tolist() == [[0, 3]]
    assert np.isposinf(milp.upper).all()
    assert np.isneginf(milp.row_lower).all()


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


# -- the frozen program ----------------------------------------------------------------------------


def test_violation_says_what_is_violated() -> None:
    milp = plain()
    assert milp.violation([1, 0]) == 0.0
    assert milp.worst([0.25, 0]) == (0.75, "row row[0]")
    assert milp.worst([0.5, 0.5]) == (0.5, "integrality of x[0]")
    assert milp.worst([1, 3]) == (2.0, "bound of x[1]")
    assert milp.violation([np.nan, 1]) == np.inf
    with pytest.raises(ModelError, match="2 values"):
        milp.violation([1])


def test_relative_violation_measures_by_the_side() -> None:
    milp = Milp([0.0], [[1.0]], [1e6], [np.inf], [0], [np.inf], [False])
    assert milp.worst([1e6 - 1])[0] == 1.0
    assert milp.worst([1e6 - 1], relative=True)[0] == pytest.approx(1e-6)


def test_the_callers_arrays_stay_as_they_were() -> None:
    c, A = np.array([1.0, -0.0]), sp.csr_array(np.array([[1.0, 0.0], [2.0, 3.0]]))
    upper = np.array([1e21, 1.0])
    before = (c.copy(), A.toarray(), upper.copy())
    milp = Milp(c, A, [0, 0], [1, 1], [0, 0], upper, [True, True])
    c[0], upper[1] = 7, 7
    A.data[0] = 7
    assert milp.c.tolist() == [1, 0]
    assert milp.A.toarray().tolist() == before[1].tolist()
    assert milp.upper.tolist() == [np.inf, 1]
    assert A.data.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        milp.c[0] = 3


def test_pickling_and_equality(model: Model) -> None:
    x = model.add_binaries("x", (2, 2), cost=1)
    model.add_rows("r", x.sum(axis=0) >= 1)
    milp = model.freeze()
    assert pickle.loads(pickle.dumps(milp)) == milp
    assert milp != milp.replace(offset=1.0)
    assert milp.with_rows(x.sum() <= 3, "more").rows[-1] == "more[0]"


def test_with_columns(model: Model) -> None:
    x = model.add_binaries("x", 2, cost=1)
    model.add_rows("r", x.sum() >= 1)
    model.add_rows("s", x[0] - x[1] <= 0)
    milp = model.freeze()
    wider = milp.with_columns([2, 3], sp.coo_array([[0, 4], [5, 0]]), -1, [1e20, 7], "y")
    assert wider.A.toarray().tolist() == [[1, 1, 0, 4], [1, -1, 5, 0]]
    assert wider.c.tolist() == [1, 1, 2, 3]
    assert wider.lower.tolist() == [0, 0, -1, -1]
    assert wider.upper.tolist() == [1, 1, np.inf, 7]
    assert wider.integer.tolist() == [True, True, False, False]
    assert list(wider.columns) == ["x[0]", "x[1]", "y[0]", "y[1]"]
    assert milp.with_columns([], np.zeros((2, 0)), 0, 1) == milp
    for wrong, message in (
        (([1], [[1]], 0, 1), r"shape \(1, 1\), expected \(2, any\)"),
        (([1], [1, 1], 0, 1), "the matrix of the columns has shape"),
        (([1], [["a"], ["b"]], 0, 1), "the matrix of the columns is no matrix of numbers"),
        (([1, 2], [[1], [1]], 0, 1), r"cost has shape \(2,\), expected \(1,\)"),
        (([1], [[1], [1]], "low", 1), "lower must be a number"),
        (([1], [[1], [1]], 2, 1), r"column added\[0\] has lower side 2.0 and upper side 1.0"),
        (([np.inf], [[1], [1]], 0, 1), r"cost of column added\[0\] is inf"),
    ):
        with pytest.raises(ModelError, match=message):
            milp.with_columns(*wrong)


def test_names() -> None:
    names = Names([("a", (2,)), ("b", ()), ("c", (2, 2)), ("none", (0,))])
    assert list(names) == ["a[0]", "a[1]", "b", "c[0,0]", "c[0,1]", "c[1,0]", "c[1,1]"]
    assert [names[i] for i in range(len(names))] == list(names)
    assert names[1:3] == ["a[1]", "b"]
    assert names == Names([(name, ()) for name in names])
    with pytest.raises(IndexError):
        names[7]
