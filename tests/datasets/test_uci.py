"""UCI sets: from a folder, from OpenML, or a sentence that says what to do."""

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
from ooa.errors import DataError

SPECS = {spec.name: spec for spec in UCI_SETS}
FOLDER = os.environ.get("OOA_DATA")
needs_folder = pytest.mark.skipif(not FOLDER, reason="OOA_DATA names no folder with the UCI sets")


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
