"""Probabilities: counted by hand on random tables, and never on the other side of the prediction."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ooa.datasets import monks
from ooa.errors import OptionError
from ooa.estimators import OOAxClassifier
from ooa.estimators.probabilities import MARGIN, FiringRates, lead_by


@given(st.integers(0, 4), st.integers(1, 40), st.integers(2, 4), st.integers(0, 2**32 - 1))
def test_rates_are_the_shares_of_equal_rows(n_patterns, n_rows, n_classes, seed):
    rng = np.random.default_rng(seed)
    holds = rng.random((n_rows, n_patterns)) < 0.4
    label, weight = rng.integers(0, n_classes, n_rows), rng.integers(1, 4, n_rows).astype(float)
    of_class = label[:, None] == np.arange(n_classes)
    rates = FiringRates.count(holds, weight[:, None] * of_class)
    new = rng.random((20, n_patterns)) < 0.4
    for row, found in zip(new, rates.shares(new)):
        alike = (holds == row).all(axis=1)
        if not alike.any():
            alike = (holds & row).any(axis=1)
        if not alike.any():
            alike = np.ones(n_rows, dtype=bool)
        wanted = [weight[alike & (label == k)].sum() / weight[alike].sum() for k in range(n_classes)]
        assert np.allclose(found, wanted, rtol=1e-12)


@given(st.integers(1, 20), st.integers(2, 4), st.integers(0, 2**32 - 1))
def test_the_predicted_class_leads_and_no_more_than_it_must(n_rows, n_classes, seed):
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.full(n_classes, 0.4), n_rows)
    predicted = rng.integers(0, n_classes, n_rows)
    led = lead_by(shares, predicted)
    assert np.allclose(led.sum(axis=1), 1)
    assert (led >= 0).all()
    for before, after, k in zip(shares, led, predicted):
        others = np.delete(after, k)
        assert after[k] - others.max() >= 2 * MARGIN - 1e-12
        if before[k] - np.delete(before, k).max() >= 2 * MARGIN:
            assert np.array_equal(before, after)
        else:
            assert np.isclose(after[k] - others.max(), 2 * MARGIN)
            assert np.allclose(others / others.sum(), np.delete(before, k) / np.delete(before, k).sum())
    if n_classes == 2:
        sides = np.where(predicted, shares[:, 1].clip(min=0.5 + MARGIN), shares[:, 1].clip(max=0.5 - MARGIN))
        assert np.allclose(led[:, 1], sides)


def test_rows_of_no_weight_do_not_count():
    holds = np.array([[True], [False]])
    rates = FiringRates.count(holds, np.array([[0.0, 0.0], [1.0, 0.0]]))
    led = lead_by(rates.shares(holds), np.array([1, 0]))
    assert np.allclose(led[:, 1], [0.5 + MARGIN, 0.0], rtol=1e-12)


def test_many_patterns():
    holds = np.eye(100, dtype=bool)
    rates = FiringRates.count(holds, np.column_stack([np.zeros(100), np.ones(100)]))
    assert rates.shares(holds)[:, 1].tolist() == [1.0] * 100


# -- of estimators ---------------------------------------------------------------------------------


def rare():
    """Few positives, in one corner of the table, beside more negatives."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 10, (400, 2))
    y = (X[:, 0] >= 7) & (rng.random(400) < 0.3)
    return X, y.astype(int)


@pytest.mark.parametrize("positive", [0, 1])
def test_balanced_weights_and_rows_as_they_come(positive):
    X, y = rare()
    model = OOAxClassifier(
        C1=0.02, C2=0.02, max_length=1, max_patterns=1, class_weight="balanced", positive=positive
    )
    model.fit(X, y)
    fires = model.predict(X) == 1
    assert fires.any()
    assert not fires.all()
    weighted, counted = (
        model.set_params(probabilities=which).predict_proba(X) for which in ("weighted", "unweighted")
    )
    factor = np.where(y, len(y) / (2 * y.sum()), len(y) / (2 * (1 - y).sum()))
    for group in (fires, ~fires):
        assert np.allclose(weighted[group, 1], (factor * y)[group].sum() / factor[group].sum())
        assert np.allclose(counted[group, 1], y[group].mean())
    # By weight the rule set is right to predict what it predicts; most of those rows are of the other class.
    assert (weighted[fires, 1] > 0.5).all()
    assert (counted[fires, 1] < 0.5).all()
    assert np.array_equal(model.decision_function(X) > 0, fires)
    assert np.allclose(counted.sum(axis=1), 1)


def test_without_weights_both_are_the_same():
    data = monks(1)
    model = OOAxClassifier(C1=0.1, C2=0.1).fit(data.X, data.y)
    by_weight = model.predict_proba(data.X)
    assert np.array_equal(model.set_params(probabilities="unweighted").predict_proba(data.X), by_weight)


def test_rows_of_no_weight_count_in_neither():
    X, y = rare()
    weight = np.where(np.arange(len(y)) < 200, 0, 2)
    model = OOAxClassifier(max_length=1, class_weight="balanced", probabilities="unweighted")
    model.fit(X, y, sample_weight=weight)
    fires, late = model._holds(X).any(axis=1), np.arange(len(y)) >= 200
    if model.rules_.patterns and len(model.rules_) == 1:
        assert np.allclose(model.predict_proba(X)[fires, 1], y[fires & late].mean())
    assert np.allclose(
        model.predict_proba(X[late])[:, 1].sum(), y[late].sum()
    )  # shares of groups add up to their members


def test_an_unknown_kind_is_refused():
    data = monks(1)
    with pytest.raises(OptionError, match="probabilities must be 'weighted' or 'unweighted', not 'both'"):
        OOAxClassifier(max_length=1, probabilities="both").fit(data.X, data.y)
