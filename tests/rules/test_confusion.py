"""Right and wrong in four numbers."""

from __future__ import annotations

import numpy as np
from sklearn.metrics import accuracy_score, confusion_matrix, precision_score, recall_score

from ooa.rules.confusion import Confusion


def test_counts_and_rates_are_those_of_others() -> None:
    rng = np.random.default_rng(7)
    fires, actual, weight = rng.random(200) < 0.3, rng.random(200) < 0.4, rng.integers(0, 5, 200)
    for mine, counts in (
        (Confusion.count(fires, actual), np.ones(200)),
        (Confusion.count(fires, actual, weight), weight),
    ):
        (spared, alarms), (missed, found) = confusion_matrix(actual, fires, sample_weight=counts).tolist()
        assert mine == Confusion(found, missed, alarms, spared)
        rates = {name: part / whole for name, (part, whole) in mine.rates.items()}
        for name, theirs in {
            "accuracy": accuracy_score(actual, fires, sample_weight=counts),
            "sensitivity": recall_score(actual, fires, sample_weight=counts),
            "specificity": recall_score(~actual, ~fires, sample_weight=counts),
            "ppv": precision_score(actual, fires, sample_weight=counts),
            "npv": precision_score(~actual, ~fires, sample_weight=counts),
        }.items():
            assert np.isclose(rates[name], theirs), name
        assert (mine.right + mine.wrong, mine.covered) == (mine.total, counts[fires].sum())
