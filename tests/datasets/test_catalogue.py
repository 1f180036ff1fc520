"""The data sets: generated ones are what they say, and all are found by name."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from ooa.datasets import catalogue as datasets
from ooa.errors import OptionError


# Generated
def test_tic_tac_toe_is_every_final_board():
    data = datasets.tic_tac_toe()
    assert data.X.shape == (958, 9)
    assert int(data.y.sum()) == 626
    assert not data.X.duplicated().any()
    text = data.X.astype(str)
    assert set(text.to_numpy().ravel()) == {"x", "o", "b"}
    assert (data.X.columns[0], data.X.columns[-1]) == ("top_left", "bottom_right")
    extra = (text == "x").sum(axis=1) - (text == "o").sum(axis=1)
    assert set(extra) == {0, 1}
    assert (extra[data.y == 1] == 1).all()  # x has just moved
    np.testing.assert_array_equal(data.rules.predict(data.X), data.y)


@pytest.mark.parametrize(("problem", "positives", "patterns"), [(1, 216, 4), (2, 142, 15), (3, 228, 2)])
def test_monks_grids(problem, positives, patterns):
    data = datasets.monks(problem)
    X, y = data.X.astype(str), data.y.astype(bool)
    assert X.shape == (432, 6)
    assert not X.duplicated().any()
    assert int(y.sum()) == positives
    assert len(data.rules) == patterns
    if problem == 1:
        expected = (X["head_shape"] == X["body_shape"]) | (X["jacket_color"] == "red")
    elif problem == 2:
        first = dict(zip(X.columns, ["round", "round", "yes", "sword", "red", "yes"]))
        expected = sum((X[name] == value).astype(int) for name, value in first.items()) == 2
    else:
        expected = ((X["jacket_color"] == "green") & (X["holding"] == "sword")) | (
            (X["jacket_color"] != "blue") & (X["body_shape"] != "octagon")
        )
    assert (y == expected).all()
    with pytest.raises(OptionError, match="problem is 4"):
        datasets.monks(4)


def test_apnea_survey_has_the_papers_shape_and_signal():
    data = datasets.apnea_survey()
    assert data.X.shape == (1922, 112)
    assert all(dtype.kind == "b" for dtype in data.X.dtypes)
    assert "SYNTHETIC" in data.description
    assert 0.5 < data.y.mean() < 0.75
    for seed in range(3):
        other = datasets.apnea_survey(seed=seed)
        assert (other.rules.predict(other.X) == other.y).mean() == pytest.approx(0.80, abs=0.025)
    assert (data.X["age_40_or_more"] <= data.X["age_30_or_more"]).all()
    pd.testing.assert_frame_equal(data.X, datasets.apnea_survey(seed=0).X)
    assert not data.X.equals(datasets.apnea_survey(seed=1).X)
    assert datasets.apnea_survey(50).X.shape == (50, 112)
    with pytest.raises(OptionError, match="n must be a whole number >= 1, not 0"):
        datasets.apnea_survey(0)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(
    "kinds", [("binary",), ("categorical",), ("numeric",), ("numeric", "binary", "categorical")]
)
def test_planted_rule_set_explains_the_labels(seed, kinds):
    n_patterns, length = 1 + seed % 4, 1 + seed % 3
    data = datasets.planted_dnf(300, 8, n_patterns, length, kinds=kinds, seed=seed)
    assert len(data.rules) == n_patterns
    assert all(len(pattern) == length for pattern in data.rules)
    np.testing.assert_array_equal(data.rules.predict(data.X), data.y)
    noisy = datasets.planted_dnf(300, 8, n_patterns, length, kinds=kinds, seed=seed, noise=0.1)
    assert int((noisy.rules.predict(noisy.X) != noisy.y).sum()) == 30
    assert noisy.rules == data.rules
    again = datasets.planted_dnf(300, 8, n_patterns, length, kinds=kinds, seed=seed, noise=0.1)
    pd.testing.assert_series_equal(noisy.y, again.y)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"length": 9, "n_attributes": 8}, "length is 9"),
        ({"noise": 0.5}, "noise is 0.5"),
        ({"n_patterns": 0}, "n_patterns"),
        ({"kinds": ("colour",)}, "'colour'"),
        ({"n": 4, "n_patterns": 6}, "No 6 patterns"),
    ],
)
def test_planted_dnf_refuses(options, message):
    with pytest.raises(OptionError, match=message):
        datasets.planted_dnf(**options)


# By name
def test_names():
    listed = datasets.list_datasets()
    assert listed.index.is_unique
    assert {"tic-tac-toe", "monks1", "votes", "heart_cleveland", "magic-gamma"} <= set(listed.index)
    assert datasets.load_dataset("Tic_Tac_Toe").name == "tic-tac-toe"
    assert datasets.load_dataset("monks3").y.sum() == 228
    with pytest.raises(OptionError, match="did you mean 'votes'"):
        datasets.load_dataset("vote")
    with pytest.raises(OptionError, match="known: tic-tac-toe, monks1"):
        datasets.load_dataset("zzzzzz")
