"""Labels of any two values, and weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from support.two_rows import table


@pytest.mark.parametrize(
    ("y", "positive", "labels", "expected"),
    [
        ([0, 1, 0], None, (0, 1), [0, 1, 0]),
        ([1.0, 2.0, 1.0], None, (1, 2), [0, 1, 0]),
        ([-1, 1, -1], -1, (1, -1), [1, 0, 1]),
        (["b", "a", "b"], None, ("a", "b"), [1, 0, 1]),
        (["b", "a", "b"], "a", ("b", "a"), [0, 1, 0]),
        (np.array([True, False, True]), None, (False, True), [1, 0, 1]),
        (pd.Series(["no", "yes", "no"], dtype="category"), None, ("no", "yes"), [0, 1, 0]),
        (pd.Series([1, 0, 1], dtype="Int64"), None, (0, 1), [1, 0, 1]),
        (pl.Series([1.5, 0.5, 1.5]), 0.5, (1.5, 0.5), [0, 1, 0]),
        (pd.Index([3, 4, 3]), np.int64(3), (4, 3), [1, 0, 1]),
    ],
)
def test_labels_of_any_two_values(
    y: Any, positive: Any, labels: tuple[Any, Any], expected: list[int]
) -> None:
    result = table({"a": [1, 2, 3]}, y, positive=positive)
    assert result.labels == labels
    assert [type(label) for label in result.labels] == [type(label) for label in labels]
    assert result.y.dtype == bool
    assert result.y.tolist() == [bool(v) for v in expected]


def test_weights() -> None:
    X, y = {"a": [1, 2, 3, 4]}, ["n", "n", "n", "p"]
    assert table(X, y).weight.tolist() == [1, 1, 1, 1]
    weighted = table(X, y, sample_weight=[1, 0, 2, 5], class_weight={"p": 2})
    assert weighted.weight.tolist() == [1, 0, 2, 10]
    assert weighted.positive.tolist() == [0, 0, 0, 10]
    assert weighted.negative.tolist() == [1, 0, 2, 0]
    balanced = table(X, y, sample_weight=[1, 0, 2, 5], class_weight="balanced")
    assert balanced.positive.sum() == pytest.approx(4)
    assert balanced.negative.sum() == pytest.approx(4)


def test_balanced_agrees_with_sklearn() -> None:
    from sklearn.utils.class_weight import compute_sample_weight

    y = [0, 0, 1, 0, 0, 1, 0]
    np.testing.assert_allclose(
        table({"a": y}, y, class_weight="balanced").weight, compute_sample_weight("balanced", y)
    )
