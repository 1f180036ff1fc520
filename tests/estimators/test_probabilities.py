"""Probabilities: counted by hand on random tables, and never on the other side of the prediction."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ooa.estimators.probabilities import MARGIN, FiringRates


@given(st.integers(0, 4), st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_rates_are_the_shares_of_equal_rows(n_patterns, n_rows, seed):
    rng = np.random.default_rng(seed)
    holds = rng.random((n_rows, n_patterns)) < 0.4
    label, weight = rng.random(n_rows) < 0.5, rng.integers(1, 4, n_rows).astype(float)
    rates = FiringRates.count(holds, np.where(label, weight, 0), np.where(label, 0, weight))
    new = rng.random((20, n_patterns)) < 0.4
    for row, found in zip(new, rates.probability(new)):
        alike = (holds == row).all(axis=1)
        if not alike.any():
            alike = (holds & row).any(axis=1)
        if not alike.any():
            alike = np.ones(n_rows, dtype=bool)
        share = weight[alike & label].sum() / weight[alike].sum()
        side = max(share, 0.5 + MARGIN) if row.any() else min(share, 0.5 - MARGIN)
        assert np.isclose(found, side, rtol=1e-12)


def test_rows_of_no_weight_do_not_count():
    holds = np.array([[True], [False]])
    rates = FiringRates.count(holds, np.array([0.0, 0.0]), np.array([0.0, 1.0]))
    assert rates.probability(holds).tolist() == [0.5 + MARGIN, 0.0]


def test_many_patterns():
    holds = np.eye(100, dtype=bool)
    rates = FiringRates.count(holds, np.ones(100), np.zeros(100))
    assert rates.probability(holds).tolist() == [1.0] * 100
