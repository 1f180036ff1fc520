"""OOAClassifier: scikit-learn's checks, and what it can say that mined patterns cannot."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from ooa.errors import OOAWarning
from ooa.estimators import OOAClassifier, OOAxClassifier, fit
from ooa.kernels.availability import compiled
from ooa.rules.ruleset import RuleSet


# With a gap of 1 any rule set will do and few cuts make small programs: no result depends on the clock.
@parametrize_with_checks([OOAClassifier(max_patterns=2, gap=1.0, thresholds="quantiles", max_thresholds=3)])
def test_scikit_learn_checks(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OOAWarning)
        check(estimator)


X = np.array([[1, 5], [2, 1], [3, 4], [4, 2], [5, 5], [6, 1], [7, 3], [8, 2]])
Y = [0, 0, 1, 1, 1, 1, 0, 0]


@pytest.mark.parametrize("formulation", ["compact", "paper"])
def test_two_sided_ranges_between_any_values(formulation):
    model = OOAClassifier(C1=0.01, C2=0.01, max_patterns=1, formulation=formulation).fit(X, Y)
    assert len(model.rules_) == 1
    assert model.rules_.attributes == ("x0",)
    assert model.predict(X).tolist() == Y
    assert model.certificate_.proved
    assert model.predict([[3.5, 0], [1.5, 0], [7.5, 0]]).tolist() == [1, 0, 0]


@pytest.mark.skipif(not compiled(), reason="the core was not compiled")
def test_by_boxes_where_patterns_cannot_be_listed():
    """As it is by default, and with sets of categories; the language is said."""
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"x": rng.random(120), "y": rng.random(120), "c": rng.choice(list("abc"), 120)})
    label = ((frame["x"] > 0.3) & (frame["c"] != "a")).astype(int)
    said = {True: "single categories", False: "sets of categories"}
    for single, words in said.items():
        model = OOAClassifier(C1=0.01, C2=0.01, max_patterns=1, single_category=single, time_limit=None)
        found = model.fit(frame, label).certificate_
        assert (found.proved, found.proof) == (True, "boxes")
        assert (
            found.statement
            == f"sets of at most 1 pattern (ranges of numbers, {words}; one condition per column)"
        )


def test_sets_of_categories():
    frame = pd.DataFrame({"colour": ["red", "green", "blue", "white"] * 2})
    y = [1, 1, 0, 0] * 2
    single = OOAClassifier(max_patterns=2).fit(frame, y)
    several = OOAClassifier(max_patterns=2, single_category=False).fit(frame, y)
    assert (len(single.rules_), len(several.rules_)) == (2, 1)
    assert single.predict(frame).tolist() == several.predict(frame).tolist() == y


def test_starts_from_another_model():
    mined = OOAxClassifier(C1=0.01, C2=0.01).fit(X, Y)
    formed = OOAClassifier(C1=0.01, C2=0.01, max_patterns=2, start=mined.rules_).fit(X, Y)
    assert formed.certificate_.objective <= mined.certificate_.objective
    parsed = RuleSet.parse("x0 >= 3")
    assert OOAClassifier(C1=0.01, C2=0.01, max_patterns=1).fit(X, Y, start=parsed).certificate_.errors == 0


def test_empty_rule_set_is_explained():
    with pytest.warns(OOAWarning, match="C1 = C2 below"):
        model = fit(X, Y, method="ooa", C1=0.5, C2=0.5)
    assert isinstance(model, OOAClassifier)
    assert len(model.rules_) == 0
