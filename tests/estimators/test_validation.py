"""What the estimators take: frames of every kind, labels of every type, missing and unseen values."""

from __future__ import annotations

import datetime
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp

from ooa.data.table import Table
from ooa.errors import DataError, OOAWarning, OptionError, RuleError
from ooa.estimators import OneVsRestRules, OOAClassifier, OOAxClassifier

AGE = [25, 61, 47, 70, 33, 58, 29, 66, None, 40]
SMOKES = ["no", "no", "yes", "yes", "no", "yes", None, "no", "yes", "no"]
NOISE = [1.5, 2.5, 1.5, 2.5, 2.5, 1.5, 1.5, 2.5, 1.5, 2.5]
ILL = [0, 1, 1, 1, 0, 1, 0, 1, 1, 0]  # age > 50 or smokes = yes
COLUMNS = {"age": AGE, "smokes": SMOKES, "noise": NOISE}
MAKERS = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
    "dicts": lambda columns: [dict(zip(columns, row)) for row in zip(*columns.values())],
    "dict": dict,
}


def learn(X, y=ILL, **parameters):
    return OOAxClassifier(C1=0.01, C2=0.01, **parameters).fit(X, y)


@pytest.mark.parametrize("maker", MAKERS)
def test_frames(maker):
    X = MAKERS[maker](COLUMNS)
    model = learn(X)
    assert model.feature_names_in_.tolist() == list(COLUMNS)
    assert model.rules_.attributes == ("age", "smokes")
    assert model.predict(X).tolist() == ILL
    assert model.certificate_.errors == 0
    for other in MAKERS.values():
        assert model.predict(other(COLUMNS)).tolist() == ILL


def test_lists_of_mixed_rows_keep_their_types():
    rows = [list(row) for row in zip(AGE, SMOKES, NOISE)]
    model = learn(rows)
    assert model.predict(rows).tolist() == ILL
    assert model.rules_.attributes == ("x0", "x1")
    assert not hasattr(model, "feature_names_in_")
    array = np.array(rows, dtype=object)
    assert learn(array).rules_ == model.rules_
    assert model.predict(array).tolist() == ILL


def test_unseen_categories_and_missing_values_are_no_match():
    model = learn(pd.DataFrame(COLUMNS))
    new = pd.DataFrame({"age": [None, 20.0], "smokes": ["pipe", None], "noise": [None, None]})
    assert model.predict(new).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("labels", "dtype"),
    [
        (np.array(["well", "ill"]), "U"),
        (np.array(["well", "ill"], dtype=object), "O"),
        (np.array([False, True]), "b"),
        (np.array([-1, 1], dtype=np.int8), "i"),
        (np.array([0.0, 1.0]), "f"),
        (pd.Categorical(["well", "ill"]), "O"),
        (np.array([1, 2], dtype=object), "i"),
    ],
)
def test_labels_keep_their_type(labels, dtype):
    model = learn(pd.DataFrame(COLUMNS), labels[ILL], positive=np.asarray(labels)[1])
    assert model.classes_.dtype.kind in (dtype, "T")
    predicted = model.predict(pd.DataFrame(COLUMNS))
    assert predicted.dtype == model.classes_.dtype
    assert predicted.tolist() == np.asarray(labels)[ILL].tolist()
    assert model.score(pd.DataFrame(COLUMNS), np.array(labels.tolist())[ILL]) == 1.0


@pytest.mark.parametrize(
    "wrap",
    [
        lambda y: pd.Series(y, name="ill"),
        lambda y: pl.Series("ill", y),
        lambda y: pd.Series(y, name="ill", dtype="string"),
        lambda y: pd.Series(y, name="ill", dtype="category"),
    ],
)
def test_series_of_labels(wrap):
    y = ["yes" if ill else "no" for ill in ILL]
    model = learn(pd.DataFrame(COLUMNS), wrap(y))
    assert model.rules_.target == "ill"
    assert model.predict(pd.DataFrame(COLUMNS)).tolist() == y


def test_nullable_and_arrow_labels():
    for y in (pd.Series(ILL, dtype="Int64"), pd.Series(ILL, dtype="boolean"), pa.chunked_array([ILL])):
        model = learn(pd.DataFrame(COLUMNS), y)
        assert model.predict(pd.DataFrame(COLUMNS)).astype(int).tolist() == ILL


def test_positive_label():
    X = pd.DataFrame(COLUMNS)
    model = learn(X, positive=0)
    assert model.rules_.positive == 0
    assert model.classes_.tolist() == [0, 1]
    proba = model.predict_proba(X)
    assert np.array_equal(model.classes_[proba.argmax(axis=1)], model.predict(X))
    assert np.array_equal(model.decision_function(X) > 0, model.predict(X) == 1)
    with pytest.raises(OptionError, match="positive=2 is not a label"):
        learn(X, positive=2)


def test_bad_labels():
    X = pd.DataFrame(COLUMNS)
    for y, words in [
        ([1] * 10, "1 class"),
        (ILL[:-1], "inconsistent numbers of samples"),
        (None, "requires y"),
        (np.linspace(0, 1, 10), "y: Unknown label type"),
        ([{}] * 10, "y: Unknown label type"),
        ([np.inf] + [0.0] * 9, "Input y contains infinity"),
        ([np.nan, *ILL[1:]], "row 0 of y is missing"),
    ]:
        with pytest.raises(DataError, match=words):
            learn(X, y)


@pytest.mark.parametrize(
    ("b", "words"),
    [
        (["x"], "The columns differ in length: 'a' 6, 'b' 1"),
        ("xyxyxy", "Column 'b' is not a sequence of values, one per row"),
        (7, "Column 'b' is not a sequence of values, one per row"),
    ],
)
def test_what_is_no_column_of_the_table_is_neither_filled_nor_repeated(b, words):
    a, y = [1, 2, 3, 4, 5, 6], [0, 0, 0, 1, 1, 1]
    with pytest.raises(DataError, match=words):
        OOAxClassifier().fit({"a": a, "b": b}, y)
    model = OOAxClassifier().fit({"a": a, "b": list("xyxyxy")}, y)
    with pytest.raises(DataError, match=words):
        model.predict({"a": a, "b": b})


def test_series_in_a_dict_are_columns_row_by_row_whatever_their_index():
    a, y = np.arange(6), [0, 0, 0, 1, 1, 1]
    X = {"a": pd.Series(a, index=a[::-1]), "b": pd.Series(list("xyxyxy"), index=a + 100)}
    model = OOAxClassifier().fit(X, y)
    assert model.predict(X).tolist() == model.rules_.predict(X).tolist() == y


def test_bad_weights():
    X = pd.DataFrame(COLUMNS)
    for weight, words in [
        (ILL, "1 class"),
        ([0] * 10, "zero"),
        ([-1] + [1] * 9, "negative"),
        ([1] * 9, "sample_weight"),
        ([np.nan] + [1] * 9, "sample_weight in row 0 is nan"),
        ([1e308] * 10, "add up to inf, which is too much"),
        ([1e306] * 10, r"add up to 1e\+307, which is too much"),
    ]:
        with pytest.raises(DataError, match=words):
            OOAxClassifier().fit(X, ILL, sample_weight=weight)


def test_weights_of_classes_that_are_too_much_to_count_with():
    X = pd.DataFrame(COLUMNS)
    for of_class in ({True: 1e308, False: 1e308}, {True: 1e300, False: 1e-300}):
        with pytest.raises(DataError, match=r"The weights add up to .* too much to count with"):
            OOAxClassifier(class_weight=of_class).fit(X, ILL, sample_weight=[1e10] * 10)


def test_infinite_values_are_refused_where_they_are_used():
    X = pd.DataFrame(COLUMNS)
    with pytest.raises(DataError, match="'age', row 2: the value is infinite"):
        learn(X.assign(age=[1.0, 2, np.inf, 4, 5, 6, 7, 8, 9, 10]))
    model = learn(X)
    for bad in (X.assign(age=np.inf), X.assign(age=np.inf).to_numpy()):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            with pytest.raises(DataError, match="row 0: the value is infinite"):
                model.predict(bad)


def test_columns_are_checked_as_scikit_learn_does():
    X = pd.DataFrame(COLUMNS)
    model = learn(X)
    with pytest.raises(ValueError, match="must be in the same order"):
        model.predict(X[["noise", "smokes", "age"]])
    with pytest.raises(ValueError, match="yet now missing:\n- noise"):
        model.predict(X[["age", "smokes"]])
    with pytest.raises(ValueError, match="predict_columns='used'"):
        model.predict_proba(X[["age", "smokes"]])
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        assert model.predict(X.to_numpy()).tolist() == ILL


@pytest.mark.parametrize("maker", MAKERS)
def test_only_used_columns_are_needed_if_wished(maker):
    model = learn(pd.DataFrame(COLUMNS)).set_params(predict_columns="used")
    X = MAKERS[maker]({"smokes": SMOKES, "other": NOISE, "age": AGE})
    assert model.predict(X).tolist() == ILL
    assert model.predict_proba(X).argmax(axis=1).tolist() == ILL
    with pytest.raises(RuleError, match="use 'smokes', but the data have no such column"):
        model.predict(MAKERS[maker]({"age": AGE}))
    with pytest.warns(UserWarning, match="valid feature names"), pytest.raises(ValueError, match="X has 2"):
        model.predict(np.zeros((1, 2)))
    with pytest.raises(OptionError, match="must be 'all' or 'used', not 'some'"):
        model.set_params(predict_columns="some").predict(X)


def test_columns_named_by_numbers():
    X = pd.DataFrame({3: AGE, 1: NOISE})
    y = [int(age is not None and age > 50) for age in AGE]
    model = learn(X, y)
    assert model.rules_.attributes == ("3",)
    assert model.predict(X).tolist() == y
    assert model.predict(X.to_numpy()).tolist() == y  # by position, as nothing else is known


def test_kinds_can_be_overridden():
    X = np.array([[1, 5], [2, 5], [3, 6], [1, 6], [2, 7], [3, 7]] * 2)
    y = (X[:, 0] == 2).astype(int)
    by_position = learn(X, y, categorical=[0])
    assert str(by_position.rules_[0]) == "x0 = 2"
    assert by_position.predict(X).tolist() == y.tolist()
    assert learn(X, y, categorical=["x0"]).rules_ == by_position.rules_
    frame = pd.DataFrame(X, columns=["a", "b"])
    assert str(learn(frame, y, categorical=[0]).rules_[0]) == "a = 2"
    flags = pd.DataFrame({"flag": X[:, 0] == 2, "b": X[:, 1]})
    assert str(learn(flags, y, numeric=["flag"]).rules_[0]) == "flag ≥ 1"
    with pytest.raises(OptionError, match="'c', which is not a column"):
        learn(frame, y, categorical=["c"])
    with pytest.raises(OptionError, match="must be a list"):
        learn(frame, y, categorical="a")


def test_missing_values_as_category_or_literal():
    X = pd.DataFrame({"a": ["u", None, "v", None] * 3, "n": [1.0, 2.0, np.nan, 4.0] * 3})
    blank = X["a"].isna().astype(int).to_numpy()
    for missing in ("category", ["a"], "literal"):
        model = learn(X, blank, missing=missing)
        assert str(model.rules_[0]) == "a IS MISSING"
        assert model.predict(X).tolist() == blank.tolist()
    model = learn(X, X["n"].isna().astype(int), missing="literal", max_length=1)
    assert model.certificate_.errors == 0
    with pytest.raises(OptionError, match="missing='never' must be"):
        learn(X, blank, missing="never")


def test_order_and_weightless_rows_do_not_matter():
    rng = np.random.default_rng(5)
    X = pd.DataFrame({"a": rng.normal(size=30), "b": rng.choice(["u", "v"], 30), "c": rng.normal(size=30)})
    y, weight = rng.integers(0, 2, 30), rng.integers(0, 3, 30)
    rules = OOAxClassifier(max_length=2).fit(X.loc[np.repeat(X.index, weight)], np.repeat(y, weight)).rules_
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(30)
        model = OOAxClassifier(max_length=2).fit(X.iloc[order], y[order], sample_weight=weight[order])
        assert model.rules_ == rules


def test_column_without_values_where_rows_count():
    X = pd.DataFrame({"a": [1.0, np.nan, np.nan, np.nan, np.nan], "b": [1, 1, 1, 2, 2]})
    model = OOAxClassifier().fit(X, [0, 0, 0, 1, 1], sample_weight=[0, 1, 1, 1, 1])
    assert model.rules_.attributes == ("b",)


def test_dates():
    days = [datetime.date(2024, 1, 1) + datetime.timedelta(days=30 * i) for i in range(10)]
    X = pl.DataFrame({"day": days})
    y = [int(i >= 6) for i in range(10)]
    model = learn(X, y)
    assert model.predict(X).tolist() == y
    assert "2024-06" in str(model.rules_[0])


def test_refusals():
    with pytest.raises(DataError, match="0 classes"):
        learn(pd.DataFrame({"a": []}), [])
    with pytest.raises(DataError, match="no columns"):
        learn(pd.DataFrame(index=range(4)), [0, 1, 0, 1])
    with pytest.raises(DataError, match="Every value is missing in column"):
        learn(pd.DataFrame({"a": [None] * 4, "b": [1, 2, 3, 4]}), [0, 1, 0, 1])
    with pytest.raises(ValueError, match="Expected 2D array"):
        learn([[1, 2], [3]], [0, 1])
    with pytest.raises(DataError, match="dense data is required"):
        learn(sp.eye_array(4), [0, 1, 0, 1])


def test_constant_columns_are_explained():
    with pytest.warns(OOAWarning, match="no column has two different values"):
        model = learn(np.ones((6, 2)), [0, 1, 0, 1, 0, 1])
    assert model.predict(np.ones((2, 2))).tolist() == [0, 0]
    assert np.allclose(model.predict_proba(np.ones((1, 2))), 0.5, atol=1e-5)


def test_three_classes_are_refused_by_name():
    with pytest.raises(ValueError, match="Only binary classification is supported") as caught:
        OOAxClassifier().fit(np.zeros((3, 1)), ["red", "green", "blue"])
    assert "'blue', 'green', 'red'" in str(caught.value)
    assert "ooa.OneVsRestRules" in str(caught.value)


@pytest.mark.parametrize("labels", [["x", None, "y", "y"], [0, None, 1, 1], [0, np.nan, 1, 1]])
def test_a_missing_label_is_named_by_its_row(labels):
    with pytest.raises(DataError, match="The label in row 1 of y is missing"):
        OOAxClassifier().fit(pd.DataFrame({"a": [1, 2, 3, 4]}), labels)


def test_two_columns_of_one_name():
    twice = pd.DataFrame([[1, 2, 0], [3, 4, 0]], columns=["a", "b", "b"])
    with pytest.raises(DataError, match="Two columns are called 'b'"):
        OOAxClassifier().fit(twice, [0, 1])
    with pytest.raises(DataError, match="Two columns are called 'b'"):
        Table.from_any(twice, [0, 1])


@pytest.mark.parametrize("dtype", [float, int, object])
def test_masked_values_are_missing_in_fit_and_predict(dtype):
    hidden = [[False, False], [True, False], [False, False], [False, True]] * 5
    X = np.ma.masked_array(np.array([[1, 5], [9, 5], [9, 5], [9, 6]] * 5, dtype=dtype), mask=hidden)
    y = [0, 0, 1, 1] * 5
    model = OOAxClassifier(time_limit=10).fit(X, y)
    assert model.predict(X).tolist() == model.rules_.predict(X).tolist() == y
    assert model.predict_proba(X).argmax(axis=1).tolist() == y
    columns = {name: X[:, j] for j, name in enumerate("ab")}
    named = OOAxClassifier(time_limit=10).fit(columns, y)
    assert named.predict(columns).tolist() == named.rules_.predict(columns).tolist() == y


def test_records_are_read_by_name():
    records = np.array([(1, "u"), (9, "v"), (9, "u"), (1, "v")] * 4, dtype=[("size", "f8"), ("colour", "O")])
    model = OOAxClassifier(C1=0.01, C2=0.01).fit(records, [0, 1, 1, 0] * 4)
    assert model.feature_names_in_.tolist() == ["size", "colour"]
    assert model.rules_.attributes == ("size",)
    hidden = np.ma.masked_array(records, mask=[(True, False)] * 2 + [(False, True)] * 14)
    for given in (records, hidden):
        assert model.predict(given).tolist() == model.rules_.predict(given).tolist()
    assert model.predict(hidden)[:4].tolist() == [0, 0, 1, 0]


def test_a_masked_label_is_missing():
    with pytest.raises(DataError, match="The label in row 1 of y is missing"):
        OOAxClassifier().fit([[1], [2], [3]], np.ma.masked_array([0, 1, 1], mask=[False, True, False]))


@pytest.mark.parametrize("kind", [OOAxClassifier, OOAClassifier, OneVsRestRules])
@pytest.mark.parametrize("labels", [[1, "1"], ["1", 1], [1, True], [2, "b"], [True, "True"]])
@pytest.mark.parametrize("make", [list, tuple, lambda y: np.array(y, dtype=object), pd.Series])
def test_labels_of_two_families_are_refused(kind, labels, make):
    with pytest.raises(DataError, match=r"Column 'y' mixes .*: the first to differ is row 1"):
        kind().fit([[1], [2]] * 5, make(labels * 5))


@pytest.mark.parametrize("kind", [OOAxClassifier, OOAClassifier])
def test_a_class_without_weight_is_refused(kind):
    with pytest.raises(OptionError, match="class_weight of 1 is 0, but both classes must count"):
        kind(class_weight={0: 1, 1: 0}).fit([[1], [2]] * 5, [0, 1] * 5)


@pytest.mark.parametrize("make", [list, lambda rows: {"code": [row["code"] for row in rows]}])
def test_rows_and_columns_of_python_keep_large_codes_apart(make):
    X = make([{"code": code} for code in (2**53, 2**53 + 1, None)] * 5)
    y = [1, 0, 0] * 5
    model = OOAxClassifier(categorical=["code"], time_limit=10).fit(X, y)
    assert model.predict(X).tolist() == model.rules_.predict(X).tolist() == y


def test_views_of_text_in_arrow():
    X = pa.table({"s": pa.array(["a", "b", None, "a"] * 5, pa.string_view())})
    y = pa.chunked_array([pa.array(["p", "n", "n", "p"] * 5, pa.string_view())])
    model = OOAxClassifier(time_limit=10).fit(X, y)
    assert model.predict(X).tolist() == model.rules_.predict(X).tolist() == y.to_pylist()
