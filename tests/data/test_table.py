"""Tables: attributes, kinds, labels and weights together, and what is said of those that cannot be."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.two_rows import table

from ooa.data.frames import open_frame
from ooa.data.rows import Attribute
from ooa.errors import DataError, OptionError


def test_attributes_and_kinds() -> None:
    frame = pd.DataFrame(
        {"n": [1, 2], "s": ["1", "2"], "f": [True, True], "t": pd.to_datetime(["2020", "2021"])}
    )
    assert table(frame).attributes == (
        Attribute("n", "numeric"),
        Attribute("s", "categorical", ("1", "2")),
        Attribute("f", "categorical", (False, True)),
        Attribute("t", "numeric", time=True),
    )
    forced = table(frame, categorical=["n"], numeric=["f"])
    assert forced.attributes[0] == Attribute("n", "categorical", (1, 2))
    assert forced.columns[2].values.tolist() == [1.0, 1.0]
    assert table(pd.DataFrame({0: [1, 2]}), categorical=[0]).attributes[0].kind == "categorical"


def test_target_is_the_name_of_the_labels() -> None:
    assert table().target == "target"
    assert table(y=pd.Series([0, 1], name="ill")).target == "ill"
    inside = table({"a": [1, 2], "ill": ["no", "yes"]}, "ill")
    assert inside.target == "ill"
    assert inside.labels == ("no", "yes")
    assert [a.name for a in inside.attributes] == ["a"]


def test_missing_as_a_category() -> None:
    X = {"c": ["u", None], "d": [None, "v"], "n": [1, None]}
    assert [a.missing_category for a in table(X).attributes] == [False, False, False]
    assert [a.missing_category for a in table(X, missing="category").attributes] == [True, True, False]
    assert [a.missing_category for a in table(X, missing=["d"]).attributes] == [False, True, False]
    for missing, message in [
        (["z"], "missing names 'z', which is not a column"),
        (["n"], "missing names 'n', which is numeric"),
        ("yes", "missing='yes' must be"),
    ]:
        with pytest.raises(OptionError, match=message):
            table(X, missing=missing)


@pytest.mark.parametrize(
    ("X", "y", "options", "error", "message"),
    [
        (None, [1, 1], {}, DataError, "'target' must have two classes, but every label is 1"),
        (None, [True, True], {}, DataError, "every label is True"),
        (None, [], {}, DataError, "there are no labels"),
        (None, [0, 1, 0], {}, DataError, "'target' has 3 labels for 2 rows"),
        (None, [0, None], {}, DataError, "The label in row 1 of 'target' is missing"),
        (None, [0, "a"], {}, DataError, "'target' mixes numbers and text"),
        ({"a": [1, 2, 3]}, ["a", "b", "c"], {}, DataError, "3 classes .'a', 'b', 'c'.*OneVsRestRules"),
        ({"a": range(30)}, range(30), {}, DataError, r"30 classes \(0, 1, .*9, \.\.\.\)"),
        (None, np.zeros((2, 2)), {}, DataError, "'target' is not a sequence"),
        (None, None, {"positive": 7}, OptionError, "positive=7 is not a label: the labels are 0 and 1"),
        (np.zeros((0, 2)), [], {}, DataError, "no rows"),
        (np.zeros((2, 0)), None, {}, DataError, "no columns"),
        ({"t": [0, 1]}, "t", {}, DataError, "no columns"),
        ({"a": [0, 1]}, "t", {}, DataError, "no column 't'"),
        ({"a": [None, None], "b": [np.nan, np.nan], "c": [1, 2]}, None, {}, DataError, "column.* 'a', 'b'"),
        ({"a": [1, np.inf]}, None, {}, DataError, "Column 'a', row 1: the value is infinite"),
        ({"a": [-np.inf, 1]}, None, {"categorical": ["a"]}, DataError, "Column 'a', row 0: the value is inf"),
        (
            {"a": [1, "x"]},
            None,
            {},
            DataError,
            "Column 'a' mixes numbers and text: the first to differ is row 1",
        ),
        ({"a": [[1], [2]]}, None, {}, DataError, "Column 'a', row 0: a value of type list"),
        (pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"]), None, {}, DataError, "'a'"),
        (None, None, {"categorical": ["z"]}, OptionError, "categorical names 'z', which is not a column"),
        (None, None, {"categorical": "a"}, OptionError, "categorical='a' must be a list"),
        (None, None, {"numeric": ["a"], "categorical": ["a"]}, OptionError, "'a' is named both"),
        (None, None, {"numeric": ["b"]}, DataError, "Column 'b' holds text"),
        (None, None, {"sample_weight": [1]}, DataError, "sample_weight has 1 values for 2 rows"),
        (None, None, {"sample_weight": [1, -1]}, DataError, "sample_weight in row 1 is -1"),
        (None, None, {"sample_weight": [np.nan, 1]}, DataError, "sample_weight in row 0 is nan"),
        (None, None, {"sample_weight": [1, np.inf]}, DataError, "sample_weight in row 1 is inf"),
        (None, None, {"sample_weight": ["a", "b"]}, DataError, "'sample_weight' holds text"),
        (None, None, {"sample_weight": [0, 0]}, DataError, "weights are all zero"),
        (
            None,
            None,
            {"sample_weight": [0, 1], "class_weight": "balanced"},
            DataError,
            "labelled 0 weigh nothing",
        ),
        (None, None, {"class_weight": "even"}, OptionError, "'balanced' or a dict"),
        (None, None, {"class_weight": {2: 1}}, OptionError, "class_weight names 2"),
        (
            None,
            None,
            {"class_weight": {1: -1}},
            OptionError,
            "class_weight of 1 must be a number >= 0, not -1",
        ),
        (
            None,
            None,
            {"class_weight": {1: "x"}},
            OptionError,
            "class_weight of 1 must be a number >= 0, not 'x'",
        ),
    ],
)
def test_errors(X: Any, y: Any, options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        table(X, y, **options)


def test_constant_column_is_kept() -> None:
    assert len(table({"a": [1, 1], "b": ["x", "x"]}).attributes) == 2


def test_the_table_does_not_share_the_callers_memory() -> None:
    X, y = np.array([[1.0], [2.0]]), np.array([False, True])
    made = table(X, y)
    X[:], y[:] = 0, False
    assert made.columns[0].values.tolist() == [1, 2]
    assert made.y.tolist() == [False, True]


def test_as_frame_and_pickle() -> None:
    made = pickle.loads(pickle.dumps(table({"a": [1, None], "b": ["u", "v"]})))
    frame = open_frame(made)
    assert frame.names == ("a", "b")
    assert frame.slice(1, 2).column("b").values.tolist() == [1]
    assert repr(made) == "Table(2 rows, 2 attributes, weight 1 positive, 1 negative)"


def test_take_finds_columns_by_name() -> None:
    fitted = table({"a": [1, 2], "b": ["u", "v"], "c": [3, 4]}, categorical=["c"])
    taken = fitted.take({"z": [0], "c": [9.0], "b": ["new"], "a": [5]})
    assert taken.names == ("a", "b", "c")
    assert taken.column("b").categories == ("new",)
    assert taken.column("c").categories == (9,)
    assert fitted.take({"c": [1, 2], "z": [1, 2]}, ["c"]).slice(1, 2).column("c").categories == (2,)
    with pytest.raises(DataError, match=r"lack the column.* 'a', 'c'"):
        fitted.take({"b": ["u"]})
    with pytest.raises(OptionError, match="'z' is not an attribute"):
        fitted.take({"b": ["u"]}, ["z"])
