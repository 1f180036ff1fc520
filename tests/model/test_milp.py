"""The frozen program: its arrays are checked, and it says what a point violates."""

import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from support import small_models

from ooa.errors import ModelError, OOAWarning
from ooa.model import Milp, Model, Names, Rows

# Fixture: assigned, as the tests ask for it by name.
model = small_models.model


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


def test_implied_integers_are_marks_and_no_part_of_the_model() -> None:
    plain = Milp([1, 1, 1], [[1, 2, 1]], [1], [9], [0] * 3, [4] * 3, [True, False, False])
    marked = plain.replace(implied=[False, True, False])
    assert marked == plain
    assert marked.with_implied().integer.tolist() == [True, True, False]
    assert plain.with_implied() == plain
    assert not marked.relaxed().with_implied().integer.any()
    assert marked.with_columns([1], [[1]], 0, 1).implied.tolist() == [False, True, False, False]
    assert marked.with_rows(Rows(plain.A, np.zeros(1), np.ones(1), (1,))).implied.tolist() == [
        False,
        True,
        False,
    ]
    assert pickle.loads(pickle.dumps(marked)).implied.tolist() == [False, True, False]
    with pytest.raises(ModelError, match=r"implied has shape \(2,\), expected \(3,\)"):
        plain.replace(implied=[True, False])
