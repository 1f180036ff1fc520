"""OneVsRestRules: scikit-learn's checks, names in the rules, who counts where several or none hold."""

from __future__ import annotations

import pickle
import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from ooa.errors import DataError, OOAWarning, OptionError
from ooa.estimators import OneVsRestRules, OOAClassifier, OOAxClassifier, OOAxClassifierCV, fit
from ooa.learning.ooax import learn_ooax
from ooa.solving import Termination


# Single literals make every fit short: no result depends on the clock.
@parametrize_with_checks([OneVsRestRules(OOAxClassifier(max_length=1, max_candidates=50, time_limit=None))])
def test_scikit_learn_checks(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OOAWarning)
        check(estimator)


@pytest.fixture(scope="module")
def flowers():
    data = load_iris(as_frame=True)
    species = data.target.map(dict(enumerate(data.target_names))).rename("species")
    return data.data.rename(columns=lambda name: name.removesuffix(" (cm)").replace(" ", "_")), species


SHORT = OOAxClassifier(C1=0.01, C2=0.01, max_length=2, time_limit=None)


@pytest.fixture(scope="module")
def model(flowers):
    return OneVsRestRules(SHORT).fit(*flowers)


def test_class_names_stand_in_the_rules(flowers, model):
    assert set(model.rules_) == set(flowers[1])
    for name, rules in model.rules_.items():
        assert f"THEN predict species = {name}\nELSE predict species = other" in str(rules)
        assert f"THEN predict species = {name}" in str(model.rules_)
    assert str(model.rules_).splitlines()[-1] == f"ELSE predict species = {model.rules_.default}"
    assert model.classes_.tolist() == ["setosa", "versicolor", "virginica"]


def test_each_class_has_its_certificate_and_its_estimator(flowers, model):
    X, y = flowers
    for name, one in zip(model.classes_, model.estimators_):
        proof = model.certificates_[name]
        assert proof is one.certificate_
        assert proof.proved
        rules = model.rules_[name]
        wrong = (rules.covers(X).any(axis=1) != (y == name)).sum()
        assert proof.errors == wrong
        assert one.rules_ == rules
        alone = fit(X, y == name, C=0.01, max_length=2, time_limit=None)
        assert alone.certificate_.objective == proof.objective
        assert one.predict(X).tolist() == rules.predict(X).tolist()
        assert set(one.predict(X)) == {name, "other"}


def test_an_estimator_of_a_class_reports_in_its_words(model, tmp_path):
    page = model.estimators_[0].report(tmp_path / "setosa.html").read_text(encoding="utf-8")
    assert "setosa" in page
    assert "other" in page


def recount(model, X, y, weight):
    """Who is predicted, by the rule in the docstring, from the rule sets alone."""
    classes = model.classes_
    holds = np.column_stack([model.rules_[name].covers(X).any(axis=1) for name in classes.tolist()])
    y = np.asarray(y)
    right = [(weight * (y == c))[holds[:, k]].sum() for k, c in enumerate(classes)]
    right = np.array(right) / np.maximum(weight @ holds, 1e-300)
    none = ~holds.any(axis=1)
    left = weight * none if (weight * none).any() else weight
    default = classes[np.argmax([(left * (y == c)).sum() for c in classes])]
    best = [max(np.flatnonzero(row), key=lambda k: (right[k], -k), default=None) for row in holds]
    return np.array([default if k is None else classes[k] for k in best]), holds


@pytest.mark.parametrize("seed", range(6))
def test_who_counts_where_several_hold_or_none(seed):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.integers(0, 6, 150), "b": rng.integers(0, 6, 150)})
    y = np.array(["u", "v", "w"])[np.clip((X.a + rng.integers(0, 5, 150)) // 4, 0, 2)]
    weight = rng.integers(0, 3, 150).astype(float)
    model = OneVsRestRules(OOAxClassifier(C1=0.005, C2=0.005, max_length=2, class_weight="balanced"))
    model.fit(X, y, sample_weight=weight)
    wanted, holds = recount(model, X, y, weight)
    assert (holds.sum(axis=1) > 1).any()
    assert model.predict(X).tolist() == wanted.tolist() == model.rules_.predict(X).tolist()
    proba = model.predict_proba(X)
    assert np.allclose(proba.sum(axis=1), 1)
    assert model.classes_[proba.argmax(axis=1)].tolist() == wanted.tolist()
    for which in np.unique(holds, axis=0):
        alike = (holds == which).all(axis=1) & (weight > 0)
        if alike.any():
            shares = [weight[alike & (y == c)].sum() / weight[alike].sum() for c in model.classes_]
            if model.classes_[np.argmax(shares)] == wanted[alike][0]:
                assert np.allclose(proba[alike], shares, atol=1e-5)


@pytest.mark.parametrize(
    "labels", [np.array([3, 1, 7]), np.array([0.5, 1.0, 2.5]), np.array([b"x", b"y", b"z"]).astype(str)]
)
def test_labels_of_other_types_keep_theirs(labels):
    X = pd.DataFrame({"size": list("sml") * 20})
    y = labels[[0, 1, 2] * 20]
    if y.dtype.kind == "f":
        y = y * 2  # scikit-learn takes other numbers for a regression
    model = OneVsRestRules().fit(X, y)
    assert model.predict(X).tolist() == y.tolist()
    assert model.predict(X).dtype == y.dtype
    for label in y[:3].tolist():
        assert model.rules_[label].positive == label
    assert set(model.certificates_) == set(y.tolist())


def test_a_class_called_other():
    X = pd.DataFrame({"size": list("sml") * 20})
    y = np.array(["other", "big", "rest"] * 20)
    model = OneVsRestRules().fit(X, y)
    assert model.predict(X).tolist() == y.tolist()
    assert model.rules_["big"].negative == "none of these"


def test_two_classes_have_two_rule_sets(flowers):
    X, y = flowers[0], flowers[1] == "setosa"
    model = OneVsRestRules(SHORT).fit(X, y)
    assert model.score(X, y) > 0.98
    assert list(model.rules_) in ([True, False], [False, True])


def test_any_frame(flowers):
    X, y = flowers
    model = OneVsRestRules(SHORT).fit(pl.from_pandas(X), pl.Series("species", y.to_list()))
    assert model.rules_.target == "species"
    assert (model.predict(pl.from_pandas(X)) == model.predict(X)).all()
    assert model.feature_names_in_.tolist() == list(X.columns)


def test_in_pipelines_and_searches(flowers):
    X, y = flowers
    scores = cross_val_score(make_pipeline(StandardScaler(), OneVsRestRules(SHORT)), X, y, cv=3)
    assert scores.min() > 0.85
    search = GridSearchCV(OneVsRestRules(SHORT), {"estimator__max_length": [1, 2]}, cv=3).fit(X, y)
    assert search.best_score_ > 0.85
    again = pickle.loads(pickle.dumps(search.best_estimator_))
    assert again.predict(X).tolist() == search.predict(X).tolist()


@pytest.mark.parametrize(
    "estimator",
    [OOAClassifier(C1=0.05, C2=0.05, max_patterns=1), OOAxClassifierCV([0.05, 0.01], cv=2, max_length=1)],
)
def test_with_the_other_estimators(flowers, estimator):
    X, y = flowers
    model = OneVsRestRules(estimator).fit(X[["petal_width"]], y)
    assert model.score(X[["petal_width"]], y) > 0.9


def test_scikit_learns_own_wrapper_works_too(flowers, model):
    X, y = flowers
    theirs = OneVsRestClassifier(SHORT).fit(X, y)
    assert theirs.score(X, y) > 0.94
    for one, other in zip(theirs.estimators_, model.estimators_):
        assert one.certificate_.objective == other.certificate_.objective


def test_three_classes_without_it_name_it(flowers):
    for learn in (fit, OOAxClassifier().fit, OOAClassifier().fit):
        with pytest.raises(DataError, match=r"3 classes .*'setosa'.*ooa\.OneVsRestRules learns a rule set"):
            learn(*flowers)


def test_warnings_say_of_which_class_they_are():
    X = pd.DataFrame({"size": list("sml") * 20})
    y = pd.Series(list("sml") * 20, name="kind")
    with pytest.warns(OOAWarning) as caught:
        OneVsRestRules(OOAxClassifier(C1=0.4, C2=0.4)).fit(X, y)
    assert sorted(str(one.message).partition(":")[0] for one in caught) == [
        "kind = l",
        "kind = m",
        "kind = s",
    ]


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        (DummyClassifier(), "takes an OOAxClassifier"),
        (OOAxClassifier(positive="setosa"), "positive must be None"),
        (OOAxClassifier(class_weight={"setosa": 2}), "class_weight must be None or 'balanced'"),
    ],
)
def test_what_has_no_meaning_is_refused(flowers, estimator, message):
    with pytest.raises(OptionError, match=message):
        OneVsRestRules(estimator).fit(*flowers)


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("outside", [False, True])
def test_ctrl_c_ends_the_class_at_hand_and_later_ones_have_no_time(flowers, number, outside, monkeypatch):
    """Ctrl-C in so manieth fit: it says so, or nothing comes of it at all."""
    whole = OneVsRestRules(SHORT).fit(*flowers)
    limits = []

    def learn(table, told, *others):
        limits.append(told.seconds)
        if len(limits) == number and outside:
            raise KeyboardInterrupt
        learned = learn_ooax(table, told)
        ended = replace(learned.certificate, termination=Termination.INTERRUPTED)
        return replace(learned, certificate=ended) if len(limits) == number else learned

    monkeypatch.setattr("ooa.estimators.base.learn", learn)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = OneVsRestRules(SHORT).fit(*flowers)
    assert limits == [None] * number + [0.0] * (3 - number + outside)
    assert set(model.certificates_) == set(model.classes_)
    assert any("Ctrl-C came at species" in str(one.message) for one in caught) == (number < 3)
    known = [one.rules_ for one in whole.estimators_[: number - outside]]
    assert [one.rules_ for one in model.estimators_[: number - outside]] == known
    assert len(model.predict(flowers[0])) == len(flowers[1])
