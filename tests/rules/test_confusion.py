"""Confusion matrices: counted one row at a time."""

from __future__ import annotations

import numpy as np
import pytest

from ooa.rules.confusion import Confusion


def test_counts_and_rates_agree_with_counting_row_by_row() -> None:
    rng = np.random.default_rng(4)
    fires, positive = rng.random((2, 300)) < [[0.3], [0.1]]
    weight = rng.random(300) * 5
    for weights in (None, weight):
        counted = dict.fromkeys(("found", "missed", "alarms", "spared"), 0.0)
        for row in range(300):
            name = ("found" if fires[row] else "missed") if positive[row] else None
            name = name or ("alarms" if fires[row] else "spared")
            counted[name] += 1 if weights is None else weights[row]
        got = Confusion.of(fires, positive, weights)
        for name, value in counted.items():
            assert getattr(got, name) == pytest.approx(value)
        assert got.total == pytest.approx(sum(counted.values()))
        assert got.errors == pytest.approx(counted["missed"] + counted["alarms"])
        assert got.sensitivity == pytest.approx(counted["found"] / got.positives)
        assert got.specificity == pytest.approx(counted["spared"] / got.negatives)
        assert got.ppv == pytest.approx(counted["found"] / got.flagged)
        assert got.npv == pytest.approx(counted["spared"] / (counted["spared"] + counted["missed"]))
        assert got.accuracy == pytest.approx(1 - got.errors / got.total)
        for name, (part, whole) in got.rates.items():
            assert getattr(got, name) == part / whole


def test_rates_of_nothing_are_unknown() -> None:
    nobody = np.zeros(3, dtype=bool)
    counted = Confusion.of(nobody, nobody)
    assert (counted.sensitivity, counted.ppv, counted.specificity, counted.npv) == (None, None, 1.0, 1.0)
    empty = Confusion.of(nobody[:0], nobody[:0])
    assert (empty.accuracy, empty.specificity) == (None, None)
