"""What a fitted model does with its training data: report, path and enumeration; and when it has none."""

from __future__ import annotations

import copy
import pickle
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import ooa
from ooa.constraints import max_false_positives
from ooa.datasets import monks
from ooa.errors import DataError, OptionError
from ooa.estimators import OOAClassifier, OOAxClassifier


@pytest.fixture(scope="module")
def data():
    return monks(1)


@pytest.fixture(scope="module")
def model(data):
    return OOAxClassifier(max_length=2).fit(data.X, data.y)


def words(file) -> str:
    text = re.sub(r"<style>.*?</style>|<[^>]+>", " ", file.read_text(encoding="utf-8"), flags=re.S)
    return " ".join(text.split())


def test_report_on_the_training_data(model, tmp_path):
    file = model.report(tmp_path / "report.html", title="A title")
    assert file == tmp_path / "report.html"
    said = words(file)
    assert "A title" in said
    assert "learned from 432 rows" in said
    assert "Every row is predicted right" in said
    assert "max_length 2" in said
    assert "Seconds per stage" in said


def test_rows_are_numbered_as_they_were_given(tmp_path):
    X = pd.DataFrame({"x": [9.0, 1.0, 5.0, 2.0, 8.0, 0.0]})
    model = OOAxClassifier(C1=0.01, C2=0.01, max_patterns=1).fit(X, [1, 0, 1, 0, 1, 1])
    assert model.predict(X).tolist() == [1, 0, 1, 0, 1, 0]
    said = words(model.report(tmp_path / "report.html"))
    assert "Nearest pattern What it lacks 5 x 0 1" in said


def test_report_on_other_rows_stands_beside_the_training_data(data, model, tmp_path):
    X, y = data.X.iloc[:40], 1 - data.y.iloc[:40]
    said = words(model.report(tmp_path / "other.html", X, y))
    assert "learned from 432 rows with 6 attributes and tried on 40 test rows" in said
    assert "Rate Training Test" in said
    assert "Right in all (accuracy) 100 % 432 of 432 0 % 0 of 40" in said
    assert "on the rows it was learned from, scores" in said
    assert "Seconds per stage" in said


def test_a_short_report(data, model, tmp_path):
    said = words(model.report(tmp_path / "short.html", data.X.iloc[:40], data.y.iloc[:40], short=True))
    assert "Right in all (accuracy) 100 % 432 of 432 100 % 40 of 40" in said
    assert "Seconds per stage" not in said


def test_without_its_training_data_a_report_is_on_other_rows_alone(data, model, tmp_path):
    X, y = data.X.iloc[:40], 1 - data.y.iloc[:40]
    said = words(pickle.loads(pickle.dumps(model)).report(tmp_path / "other.html", X, y))
    assert "tried on 40 test rows" in said
    assert "learned from 432 rows" not in said
    assert "Right in all (accuracy) 0 % 0 of 40" in said
    assert "Seconds per stage" not in said
    assert "max_length 2" in said


@pytest.mark.parametrize("frames", ["pandas", "polars"])
def test_wrong_rows_are_named_by_a_column_that_is_no_feature(frames, tmp_path):
    X = pd.DataFrame({"x": [9.0, 1.0, 5.0, 2.0, 8.0, 0.0]})
    y = [1, 0, 1, 0, 1, 1]
    people = X.assign(patient=["A 1", "B 2", "C 3", "D 4", "E 5", "F 6"])
    if frames == "polars":
        people = pytest.importorskip("polars").DataFrame(people.to_dict("list"))
    model = OOAxClassifier(C1=0.01, C2=0.01, max_patterns=1).fit(X, y)
    for said in (
        words(model.report(tmp_path / "a.html", people, y, ids="patient")),
        words(model.report(tmp_path / "a.html", X, y, ids=people["patient"])),
        words(model.report(tmp_path / "a.html", ids=people["patient"])),
    ):
        assert "Rows are named by patient." in said
        assert "patient Values the rules look at Nearest pattern What it lacks F 6 x 0 1" in said
    assert "What it lacks 0 x 0 1" in words(model.report(tmp_path / "a.html", ids="x"))  # a feature may do
    with pytest.raises(DataError, match="ids names 'patient', which is no column of these rows"):
        model.report(tmp_path / "a.html", ids="patient")
    with pytest.raises(DataError, match="ids has 2 names for 6 rows"):
        model.report(tmp_path / "a.html", ids=[1, 2])


def test_other_rows_may_lack_a_class_and_every_value(tmp_path):
    X = pd.DataFrame({"x": [1.0, 2, 3, 4], "z": ["a", "b", "a", "b"]})
    model = OOAxClassifier(C1=0.01, C2=0.01).fit(X, ["no", "no", "yes", "yes"])
    other = pd.DataFrame({"x": [np.nan, np.nan], "z": ["a", None]})
    said = words(model.report(tmp_path / "other.html", other, ["yes", "yes"], sample_weight=[1, 2]))
    assert "0 of 2 test rows 0 % by weight" in said
    assert "0 % 0 of 2 0 % 0 of 3" in said
    with pytest.raises(DataError, match=r"label of row 1 is 'perhaps', neither 'yes' nor 'no'"):
        model.report(tmp_path / "x.html", other, ["yes", "perhaps"])
    with pytest.raises(DataError, match="no rows"):
        model.report(tmp_path / "x.html", X.iloc[:0], [])
    with pytest.raises(DataError, match="all zero"):
        model.report(tmp_path / "x.html", other, ["yes", "no"], sample_weight=[0, 0])
    with pytest.raises(DataError, match="both X and y"):
        model.report(tmp_path / "x.html", other)
    used = model.set_params(predict_columns="used").report(tmp_path / "used.html", X[["x"]], ["no"] * 4)
    assert "tried on 4 test rows" in words(used)
    alone = pickle.loads(pickle.dumps(model)).report(tmp_path / "used.html", X[["x"]], ["no"] * 4)
    assert "1 attribute. 4 rows:" in words(alone)


def test_report_tells_what_the_fit_was_told(data, tmp_path):
    model = OOAxClassifier(max_length=2).fit(data.X, data.y, C1=0.015625)
    model.set_params(max_length=3)
    said = words(pickle.loads(pickle.dumps(model)).report(tmp_path / "a.html", data.X, data.y))
    assert "C1 0.015625" in said
    assert "max_length 2" in said


def test_report_with_weights_and_a_path(data, tmp_path):
    X, y = data.X.iloc[100:], data.y.iloc[100:]
    model = OOAxClassifier(C1=0.01, C2=0.01, max_length=1, class_weight="balanced").fit(X, y)
    said = words(model.report(tmp_path / "a.html", path_frame=model.path([0.1, 0.02])))
    assert "Accuracy against complexity" in said
    assert "Errors, by weight Accuracy, by weight" in said
    both = words(model.report(tmp_path / "a.html", X, y, path_frame=model.path([0.1])))
    assert "Accuracy against complexity" in both
    with pytest.raises(OptionError, match="path_frame is about the rows learned from"):
        pickle.loads(pickle.dumps(model)).report(tmp_path / "a.html", X, y, path_frame=model.path([0.1]))


def test_copies_carry_no_training_data(data, model, tmp_path):
    assert model._training.n_rows == 432
    for other in (copy.copy(model), copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        with pytest.raises(DataError, match=r"copied or unpickled.*pass X and y"):
            other.report(tmp_path / "a.html")
        with pytest.raises(DataError, match="fit it again"):
            other.path([0.1])
        with pytest.raises(DataError, match="fit it again"):
            other.enumerate_optimal(2)
    assert model._training.n_rows == 432
    with pytest.raises(NotFittedError):
        clone(model).report(tmp_path / "a.html")
    with pytest.raises(NotFittedError):
        clone(model).path()


def test_a_pickle_does_not_grow_with_the_rows():
    X = np.arange(40_000.0).reshape(-1, 1)
    sizes = []
    for n in (400, 40_000):
        fitted = OOAxClassifier(max_length=1).fit(X[:n], np.arange(n) >= n / 2)
        sizes.append(len(pickle.dumps(fitted)))
    assert sizes[1] < 1.5 * sizes[0]


def test_path_is_that_of_the_function(data, model):
    frame = model.path([0.1, 0.01])
    table = ooa.Table.from_any(data.X, data.y)
    same = ooa.path(table, [0.1, 0.01], max_length=2)
    assert frame["objective"].tolist() == same["objective"].tolist()
    assert frame["proved"].all()
    with pytest.raises(OptionError, match="path has no option 'time_limt'; did you mean 'time_limit'"):
        model.path(time_limt=3)
    with pytest.raises(OptionError, match="path takes C1 from C_grid"):
        model.path([0.1], C1=0.1)
    with pytest.raises(OptionError, match="give class_weight to fit"):
        model.path(class_weight="balanced")


def test_path_of_ooa():
    X = np.array([[1], [2], [3], [4], [5], [6], [7], [8]])
    model = OOAClassifier(C1=0.01, C2=0.01).fit(X, [0, 0, 1, 1, 1, 1, 0, 0])
    frame = model.path([0.3, 0.01])
    assert frame["literals"].tolist() == [0, 1]
    assert frame["proved"].all()


def test_enumerate_optimal_follows_the_settings(data):
    model = OOAxClassifier(max_length=2, C1=0.01, C2=0.01).fit(data.X, data.y)
    near = model.enumerate_optimal(3)
    assert len(near.rules) == 3
    assert near.rules[0] == model.rules_
    assert near.certificates[0].objective == model.certificate_.objective
    assert len(model.enumerate_optimal(within=0, max_patterns=1).rules[0]) <= 1
    with pytest.raises(OptionError, match="gap must be 0"):
        model.enumerate_optimal(3, gap=0.1)


def test_constraints_hold_along_the_path(data):
    model = OOAxClassifier(max_length=1, C1=0.01, C2=0.01, constraints=[max_false_positives(0)])
    model.fit(data.X, data.y)
    for rules in model.path([0.01, 0.002]).rule_sets:
        assert not (rules.predict(data.X) > data.y).any()
