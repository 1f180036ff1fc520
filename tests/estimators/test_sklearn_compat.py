"""Callbacks of scikit-learn, where it has them."""

from __future__ import annotations

import warnings

import pytest
from sklearn.model_selection import GridSearchCV

from ooa.datasets import monks
from ooa.estimators import OOAxClassifier


@pytest.fixture(scope="module")
def data():
    return monks(1)


class Recorder:
    """A callback that remembers what it was told."""

    def __init__(self):
        self.seen = []

    def setup(self, estimator, context):
        self.seen.append("setup")

    def teardown(self, estimator, context):
        self.seen.append("teardown")

    def on_fit_task_begin(self, estimator, context):
        self.seen.append("begin")

    def on_fit_task_end(self, estimator, context, *, X, fitted_estimator):
        self.seen.append(("end", fitted_estimator and fitted_estimator.predict(X).mean()))


def test_callbacks_of_scikit_learn(data):
    pytest.importorskip("sklearn.callback")
    recorder = Recorder()
    OOAxClassifier().set_callbacks(recorder).fit(data.X, data.y)
    assert recorder.seen == ["setup", "begin", ("end", data.y.mean()), "teardown"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a search warns about estimators that support no callbacks
        search = GridSearchCV(OOAxClassifier(max_length=2), {"C1": [0.002]}, cv=2)
        search.set_callbacks(Recorder()).fit(data.X, data.y)
