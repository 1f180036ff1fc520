"""One call from a table to a fitted estimator, and names that nobody knows."""

from __future__ import annotations

import pytest

import ooa
from ooa.datasets import monks
from ooa.errors import OptionError
from ooa.estimators import OOAClassifier, OOAxClassifier, fit


@pytest.fixture(scope="module")
def data():
    return monks(1)


def test_fit_function(data):
    model = fit(data.X, data.y, method="ooax", time_limit=60, max_patterns=2, sample_weight=[2] * 432)
    assert isinstance(model, OOAxClassifier)
    assert len(model.rules_) == 2
    assert model.certificate_.total == 864


def test_unknown_names_are_refused(data):
    with pytest.raises(OptionError, match="no option 'bakend'; did you mean 'backend'"):
        OOAxClassifier().fit(data.X, data.y, bakend="scip")
    with pytest.raises(OptionError, match="no option 'predict_columns'"):
        OOAxClassifier().fit(data.X, data.y, predict_columns="used")
    with pytest.raises(OptionError, match="no parameter 'max_pattern'; did you mean 'max_patterns'"):
        fit(data.X, data.y, max_pattern=3)
    with pytest.raises(OptionError, match="method must be 'ooax' or 'ooa', not 'oax'"):
        fit(data.X, data.y, method="oax")
    with pytest.raises(OptionError, match="did you mean 'highs'"):
        fit(data.X, data.y, backend="hihgs")
    with pytest.raises(TypeError):
        OOAxClassifier(max_pattern=3)


def test_lazy_names():
    assert ooa.OOAxClassifier is OOAxClassifier
    assert ooa.OOAClassifier is OOAClassifier
    assert ooa.fit is fit
