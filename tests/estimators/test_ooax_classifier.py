"""OOAxClassifier as scikit-learn sees it: its own checks, pipelines, searches and copies."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from ooa.datasets import monks
from ooa.errors import OOAWarning
from ooa.estimators import OOAxClassifier
from ooa.rules.ruleset import RuleSet

# Labels drawn at random on ten columns of noise, as the checks do, make hard programs: short patterns and
# few candidates keep every fit far from its time limit, so that no result depends on the clock.
QUICK = [OOAxClassifier(max_length=2, max_candidates=100)]


@parametrize_with_checks(QUICK)
def test_scikit_learn_checks(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OOAWarning)
        check(estimator)


@pytest.fixture(scope="module")
def data():
    return monks(1)


@pytest.fixture(scope="module")
def fitted(data):
    return OOAxClassifier().fit(data.X, data.y)


def test_two_lines(data):
    model = OOAxClassifier().fit(data.X, data.y)
    assert model.predict(data.X).tolist() == data.y.tolist()
    assert model.rules_ == RuleSet(data.rules, target="monk")
    assert model.certificate_.proved


def test_copies(fitted, data):
    assert not hasattr(clone(fitted), "rules_")
    assert clone(fitted).get_params() == fitted.get_params()
    again = pickle.loads(pickle.dumps(fitted))
    assert again.rules_ == fitted.rules_
    assert again.certificate_ == fitted.certificate_
    assert np.array_equal(again.predict_proba(data.X), fitted.predict_proba(data.X))


def test_pipeline():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    model = make_pipeline(StandardScaler(), OOAxClassifier(max_length=1)).fit(X, X[:, 1] > 0.3)
    assert model.score(X, X[:, 1] > 0.3) > 0.9
    with pytest.warns(OOAWarning, match="empty"):
        model.fit(X, X[:, 1] > 0.3, ooaxclassifier__C1=0.9)
    assert len(model[-1].rules_) == 0


def test_nested_cross_validation(data):
    grid = {"C1": [0.002, 0.2]}
    search = GridSearchCV(OOAxClassifier(max_length=2, time_limit=5), grid, cv=StratifiedKFold(2))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OOAWarning)
        scores = cross_val_score(search, data.X, data.y, cv=StratifiedKFold(2, shuffle=True, random_state=0))
        search.fit(data.X, data.y)
    assert scores.min() > 0.9
    assert search.best_params_["C1"] == 0.002
    assert search.best_estimator_.certificate_.proved


def test_parallel_cross_validation(data):
    scores = cross_val_score(OOAxClassifier(max_length=2), data.X, data.y, cv=2, n_jobs=2)
    assert (scores > 0.7).all()


def test_one_against_the_rest():
    rng = np.random.default_rng(3)
    X = pd.DataFrame({"size": rng.integers(0, 3, 60), "shape": rng.integers(0, 2, 60)})
    y = np.array(["small", "medium", "large"])[X["size"]]
    model = OneVsRestClassifier(OOAxClassifier(max_length=2)).fit(X, y)
    assert model.predict(X).tolist() == y.tolist()
    assert model.predict_proba(X).shape == (60, 3)


def test_metadata_routing(data):
    with sklearn.config_context(enable_metadata_routing=True):
        model = OOAxClassifier(max_length=2).set_fit_request(sample_weight=True)
        pipeline = Pipeline([("rules", model)])
        pipeline.fit(data.X, data.y, sample_weight=np.full(len(data.y), 2.0))
        assert pipeline[-1].certificate_.total == 2 * len(data.y)
