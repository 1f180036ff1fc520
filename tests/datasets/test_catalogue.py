"""Generated sets against what is known of them; UCI sets from a folder, from OpenML, and from nowhere."""

from __future__ import annotations

import os
from types import SimpleNamespace
from urllib.error import URLError

import numpy as np
import pandas as pd
import pytest
import sklearn.datasets

from ooa.datasets import catalogue as datasets
from ooa.datasets.uci_sets import UCI_SETS
from ooa.errors import DataError, OptionError

SPECS = {spec.name: spec for spec in UCI_SETS}
FOLDER = os.environ.get("OOA_DATA")
needs_folder = pytest.mark.skipif(not FOLDER, reason="OOA_DATA names no folder with the UCI sets")


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
    with pytest.raises(OptionError, match="n is 0"):
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


def no_network(*args, **kwargs):
    raise URLError("no network")


def made_up(spec, rng):
    """A table with the documented counts and random values."""
    columns = {
        name: rng.integers(0, 50, spec.rows)
        if name in spec.numeric
        else rng.choice(["none", "NA", "7"], spec.rows)
        for name in spec.columns
    }
    frame = pd.DataFrame(columns).astype({n: object for n in spec.columns if n not in spec.numeric})
    frame.loc[frame.index[: spec.incomplete_rows], spec.columns[-1]] = None
    return frame.assign(target=rng.permutation(np.arange(spec.rows) < spec.positives).astype(int))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("OOA_DATA", str(tmp_path))
    monkeypatch.setattr(sklearn.datasets, "fetch_openml", no_network)
    return tmp_path


def test_folder_is_read_with_our_kinds_and_only_empty_is_missing(folder):
    frame = made_up(SPECS["heart_cleveland"], np.random.default_rng(0))
    frame.to_csv(folder / "heart_cleveland.csv", index=False)
    data = datasets.load_dataset("heart-cleveland")
    assert data.name == "heart_cleveland"
    assert data.y.name == "heart_disease"
    assert data.y.tolist() == frame["target"].tolist()
    assert data.X["age"].dtype == np.float64
    assert isinstance(data.X["sex"].dtype, pd.CategoricalDtype)
    assert set(data.X["sex"].unique()) == {"none", "NA", "7"}  # text stays text
    assert data.X["thal"].isna().sum() == 6


def test_empty_votes_are_a_value_of_their_own(folder):
    made_up(SPECS["votes"], np.random.default_rng(0)).to_csv(folder / "votes.csv", index=False)
    X = datasets.load_dataset("votes").X
    assert not X.isna().any(axis=None)
    assert (X.iloc[:, -1] == "neither").sum() == 203
    assert all(isinstance(dtype, pd.CategoricalDtype) for dtype in X.dtypes)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda frame: frame.iloc[1:], "99 rows"),
        (lambda frame: frame.assign(target=1 - frame["target"]), "32 positive"),
        (lambda frame: frame.assign(lmt=None), "100 with a missing cell"),
        (lambda frame: frame.drop(columns="topic"), "no column 'topic'"),
        (lambda frame: frame.assign(target=frame["target"] + 1), "'target'"),
    ],
)
def test_a_bad_copy_is_refused(folder, change, message):
    change(made_up(SPECS["blogger"], np.random.default_rng(0))).to_csv(folder / "blogger.csv", index=False)
    with pytest.raises(DataError, match=message):
        datasets.load_dataset("blogger")


def test_text_in_a_numeric_column_is_named(folder):
    frame = made_up(SPECS["bupa"], np.random.default_rng(0)).astype({"drinks": object})
    frame.loc[3, "drinks"] = "a lot"
    frame.to_csv(folder / "bupa.csv", index=False)
    with pytest.raises(DataError, match="'drinks'"):
        datasets.load_dataset("bupa")


def test_without_folder_and_network_one_sentence_says_what_to_do(monkeypatch, tmp_path):
    monkeypatch.delenv("OOA_DATA", raising=False)
    monkeypatch.setattr(sklearn.datasets, "fetch_openml", no_network)
    with pytest.raises(DataError, match=r"openml.org .*set OOA_DATA to a folder that holds votes.csv"):
        datasets.load_dataset("votes")
    monkeypatch.setenv("OOA_DATA", str(tmp_path))  # a folder without the set is no better
    with pytest.raises(DataError, match=r"openml.org"):
        datasets.load_dataset("votes")
    monkeypatch.setenv("OOA_DATA", str(tmp_path / "absent"))
    with pytest.raises(DataError, match="not a folder"):
        datasets.load_dataset("votes")


def openml(monkeypatch, data, target):
    """Put a table where scikit-learn would have downloaded it; returns what was asked of it."""
    monkeypatch.delenv("OOA_DATA", raising=False)
    asked = {}

    def fetch(**options):
        asked.update(options)
        return SimpleNamespace(data=data, target=target)

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", fetch)
    return asked


def test_openml_names_and_codes_become_ours(monkeypatch):
    spec, rng = SPECS["heart"], np.random.default_rng(0)
    codes = {
        name: [float(pair.split("=")[0]) for pair in text.split()] for name, text in spec.codes.items()
    }  # OpenML has them all as real numbers
    data = pd.DataFrame(
        {
            theirs: rng.choice(codes.get(ours, [1.5, 2.0]), spec.rows)
            for ours, theirs in zip(spec.columns, spec.openml_columns)
        }
    )
    label = pd.Series(np.where(np.arange(spec.rows) < spec.positives, "present", "absent"), dtype="category")
    asked = openml(monkeypatch, data[data.columns[::-1]], label)
    heart = datasets.load_dataset("heart")
    assert asked["data_id"] == 53
    assert list(heart.X.columns) == list(spec.columns)
    assert heart.y.tolist() == [1] * 120 + [0] * 150
    assert (heart.X["sex"] == "male").tolist() == (data["sex"] == 1).tolist()
    assert set(heart.X["thal"]) == {"normal", "fixed_defect", "reversible_defect"}
    assert heart.X["oldpeak"].dtype == np.float64

    data.loc[5, "chest"] = 9
    openml(monkeypatch, data, label)
    with pytest.raises(DataError, match=r"'chest_pain_type'.*'9'"):
        datasets.load_dataset("heart")
    openml(monkeypatch, data.drop(columns="chest"), label)
    with pytest.raises(DataError, match="no column 'chest'"):
        datasets.load_dataset("heart")


def test_openml_escapes_in_names_and_numeric_labels(monkeypatch):
    spec = SPECS["mushroom"]
    first = {name: text.split("=")[0] for name, text in spec.codes.items()}
    data = pd.DataFrame(
        {name.replace("_", "-").replace("bruises", "bruises%3F"): code for name, code in first.items()},
        index=range(spec.rows),
    ).astype("category")
    data.loc[: spec.incomplete_rows - 1, "stalk-root"] = np.nan
    openml(monkeypatch, data, pd.Series(np.where(np.arange(spec.rows) < spec.positives, "p", "e")))
    mushroom = datasets.load_dataset("mushroom")
    assert set(mushroom.X["bruises"]) == {"yes"}
    assert mushroom.X["stalk_root"].isna().sum() == 2480

    spec = SPECS["heart_cleveland"]
    columns = {name: np.full(spec.rows, 1.0) for name in spec.openml_columns} | {
        "thal": np.full(spec.rows, 3.0)
    }
    columns["ca"][:6] = np.nan
    severity = pd.Series(np.where(np.arange(spec.rows) < spec.positives, 1.0 + np.arange(spec.rows) % 4, 0.0))
    openml(monkeypatch, pd.DataFrame(columns), severity)
    assert datasets.load_dataset("heart_cleveland").y.sum() == 139


def test_bupas_label_is_not_openmls_default(monkeypatch):
    spec = SPECS["bupa"]
    data = pd.DataFrame({name: np.arange(spec.rows) for name in spec.columns})
    label = pd.Series(np.where(np.arange(spec.rows) < spec.positives, "2", "1"))
    asked = openml(monkeypatch, data, label)
    assert datasets.load_dataset("bupa").y.sum() == 200
    assert asked["target_column"] == "selector"


@needs_folder
@pytest.mark.parametrize("name", sorted(SPECS))
def test_real_set(name):
    data, spec = datasets.load_dataset(name), SPECS[name]
    assert data.X.shape == (spec.rows, len(spec.columns))
    assert int(data.y.sum()) == spec.positives
    numeric = [column for column in data.X if data.X[column].dtype == np.float64]
    assert set(numeric) == spec.numeric


@needs_folder
def test_enumerated_sets_equal_the_files():
    for name, file in (("tic-tac-toe", "tic-tac-toe.csv"), ("monks1", "monks1_test.csv")):
        ours = datasets.load_dataset(name)
        theirs = pd.read_csv(os.path.join(FOLDER, file), keep_default_na=False)
        rows = ours.X.astype(str).assign(y=ours.y.to_numpy())
        assert set(map(tuple, rows.to_numpy().tolist())) == set(map(tuple, theirs.to_numpy().tolist()))
