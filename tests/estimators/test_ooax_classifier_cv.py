"""OOAxClassifierCV: scikit-learn's checks, scores counted again, the choice, weights, groups, limits."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.model_selection import GridSearchCV, GroupKFold, StratifiedKFold
from sklearn.utils.estimator_checks import parametrize_with_checks

from ooa.constraints import demographic_parity, max_false_negatives
from ooa.data.table import Table
from ooa.datasets import monks
from ooa.errors import DataError, OOAWarning, OptionError
from ooa.estimators import OOAxClassifier, OOAxClassifierCV
from ooa.explore.price_path import path
from ooa.learning.ooax import learn_ooax


# Two folds, two prices and single literals: no result depends on the clock.
@parametrize_with_checks(
    [OOAxClassifierCV([0.1, 0.01], cv=2, max_length=1, max_candidates=50, time_limit=None)]
)
def test_scikit_learn_checks(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OOAWarning)
        check(estimator)


@pytest.fixture(scope="module")
def noisy():
    """A concept of two patterns behind a tenth of wrong labels, and columns that say nothing."""
    rng = np.random.default_rng(7)
    X = pd.DataFrame({name: rng.integers(0, 4, 240) for name in "abcd"})
    truth = (X.a >= 2) & (X.b <= 1) | (X.c == 3)
    return X, (truth ^ (rng.random(240) < 0.1)).astype(int).rename("ill")


FOLDS = StratifiedKFold(4, shuffle=True, random_state=1)
GRID = [0.2, 0.05, 0.02, 0.005, 0.001]
SMALL = {"max_length": 2, "max_patterns": 3, "time_limit": None}


@pytest.fixture(scope="module")
def model(noisy):
    return OOAxClassifierCV(cv=FOLDS, **SMALL).fit(*noisy)


def test_the_scores_are_those_of_optimal_rule_sets_on_the_rows_held_out(noisy):
    X, y = noisy
    model = OOAxClassifierCV(GRID, cv=FOLDS, **SMALL).fit(X, y)
    results = model.cv_results_
    assert results["param_C"].tolist() == GRID
    assert results["params"] == [{"C": C} for C in GRID]
    for k, (train, test) in enumerate(FOLDS.split(X, y)):
        table = Table.from_any(X.iloc[train], y.iloc[train]).ordered()
        frame = path(table, GRID, max_length=2, max_patterns=3)
        for i, (C, rules) in enumerate(zip(GRID, frame.rule_sets)):
            right = (rules.predict(X.iloc[test]) == y.iloc[test]).mean()
            assert results[f"split{k}_test_score"][i] == pytest.approx(right)
            alone = learn_ooax(table, C1=C, C2=C, max_length=2, max_patterns=3)
            assert frame.certificates[i].objective == alone.certificate.objective
    split = np.array([results[f"split{k}_test_score"] for k in range(4)])
    assert np.allclose(results["mean_test_score"], split.mean(axis=0))
    assert np.allclose(results["std_test_score"], split.std(axis=0))
    assert np.allclose(results["se_test_score"], split.std(axis=0, ddof=1) / 2)
    assert results["rank_test_score"].min() == 1
    assert (np.diff(results["mean_literals"]) >= 0).all()


def test_by_default_there_is_a_price_for_every_rule_set(noisy, model):
    X, y = noisy
    assert model.path_.complete
    assert len(model.path_) == len(model.cv_results_["param_C"])
    assert model.path_["C1"].tolist() == model.cv_results_["param_C"].tolist()
    assert len(set(model.path_.rule_sets)) == len(model.path_)
    assert model.path_["patterns"][0] == 0  # to predict one label is a choice too
    assert model.n_splits_ == 4
    assert model.score(X, y) > 0.85


def test_the_last_fit_is_one_at_the_price_chosen(noisy, model):
    alone = OOAxClassifier(C1=model.C_, C2=model.C_, **SMALL).fit(*noisy)
    assert model.certificate_.objective == alone.certificate_.objective
    assert model.certificate_.proved
    chosen = model.path_["C1"].tolist().index(model.C_)
    assert model.path_.certificates[chosen].objective == alone.certificate_.objective
    assert model.rules_.target == "ill"
    near = model.enumerate_optimal(2)
    assert near.certificates[0].objective == alone.certificate_.objective
    assert model.path()["C1"].iloc[-1] == model.C_
    with pytest.raises(OptionError, match="enumerate_optimal has no option 'cv'"):
        model.enumerate_optimal(2, cv=3)


def test_one_standard_error(noisy):
    results = {}
    for simple in (True, False):
        model = OOAxClassifierCV(GRID, cv=FOLDS, one_standard_error=simple, **SMALL).fit(*noisy)
        mean, error = model.cv_results_["mean_test_score"], model.cv_results_["se_test_score"]
        best = int(np.argmax(mean))
        enough = mean[best] - (error[best] if simple else 0)
        assert max(C for C, score in zip(GRID, mean) if score >= enough - 1e-12) == model.C_
        results[simple] = model
    assert results[True].C_ >= results[False].C_
    assert results[True].rules_.n_literals <= results[False].rules_.n_literals


def test_the_same_price_as_a_grid_search(noisy):
    X, y = noisy
    wide = [0.2, 0.04, 0.0005]  # far enough apart for no tie to decide
    search = GridSearchCV(OOAxClassifier(**SMALL), [{"C1": [C], "C2": [C]} for C in wide], cv=FOLDS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OOAWarning)
        search.fit(X, y)
    model = OOAxClassifierCV(wide, cv=FOLDS, one_standard_error=False, **SMALL).fit(X, y)
    assert search.best_params_["C1"] == model.C_


def test_folds_in_parallel_are_the_same(noisy):
    one, two = (OOAxClassifierCV(GRID, cv=FOLDS, n_jobs=n, **SMALL).fit(*noisy) for n in (None, 2))
    for name, values in one.cv_results_.items():
        assert np.array_equal(values, two.cv_results_[name]), name
    assert one.C_ == two.C_


def test_a_number_of_folds_shuffles_rows_that_come_sorted():
    data = monks(1)  # sorted by its columns: without shuffling, folds hold values never seen
    model = OOAxClassifierCV(max_length=2, random_state=3, time_limit=None).fit(data.X, data.y)
    assert model.score(data.X, data.y) == 1.0
    assert model.n_splits_ == 5
    again = OOAxClassifierCV(max_length=2, random_state=3, time_limit=None).fit(data.X, data.y)
    assert again.cv_results_["mean_test_score"].tolist() == model.cv_results_["mean_test_score"].tolist()


def test_groups_go_to_the_splitter(noisy):
    X, y = noisy
    groups = np.arange(len(y)) % 7
    model = OOAxClassifierCV(GRID, cv=GroupKFold(3), **SMALL)
    with pytest.raises(ValueError, match="groups"):
        model.fit(X, y)
    model.fit(X, y, groups=groups)
    by_hand = OOAxClassifierCV(GRID, cv=list(GroupKFold(3).split(X, y, groups)), **SMALL).fit(X, y)
    assert model.n_splits_ == 3
    assert np.array_equal(model.cv_results_["mean_test_score"], by_hand.cv_results_["mean_test_score"])
    with sklearn.config_context(enable_metadata_routing=True):
        asks = model.set_fit_request(groups=True, sample_weight=True)
        assert asks.get_metadata_routing().fit.requests["groups"] is True


def test_weights_count_in_folds_and_scores(noisy):
    X, y = noisy
    weight = np.where(np.arange(len(y)) % 3, 1, 4)
    folds = list(FOLDS.split(X, y))
    weighted = OOAxClassifierCV(GRID, cv=folds, **SMALL).fit(X, y, sample_weight=weight)
    rows = np.repeat(np.arange(len(y)), weight)
    place = [np.flatnonzero(np.isin(rows, test)) for _, test in folds]
    others = [np.flatnonzero(~np.isin(rows, test)) for _, test in folds]
    repeated = OOAxClassifierCV(GRID, cv=list(zip(others, place)), **SMALL).fit(X.iloc[rows], y.iloc[rows])
    for name in ("mean_test_score", "mean_literals"):
        assert np.allclose(weighted.cv_results_[name], repeated.cv_results_[name]), name
    assert weighted.rules_ == repeated.rules_


def test_where_nothing_can_be_learned_that_is_said():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.integers(0, 3, 90), "b": rng.integers(0, 3, 90)})
    model = OOAxClassifierCV(cv=3, **SMALL)
    with pytest.warns(OOAWarning, match="no rule set does better on rows held out than predicting one label"):
        model.fit(X, rng.random(90) < 0.2)
    assert len(model.rules_) == 0
    assert "cv_results_" in model.explanation_


def test_balanced_weights_are_those_of_the_scores():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.integers(0, 10, 500), "b": rng.integers(0, 10, 500)})
    y = ((X.a >= 7) & (rng.random(500) < 0.3)).astype(int)  # to predict none is the most accurate
    model = OOAxClassifierCV(cv=3, class_weight="balanced", **SMALL).fit(X, y)
    assert model.rules_.attributes == ("a",)
    # One label for all is right for half of the weight, not for nine rows of ten.
    assert model.cv_results_["mean_test_score"][0] == pytest.approx(0.5, abs=0.02)
    assert model.cv_results_["mean_test_score"].max() > 0.75


def test_a_time_limit_is_for_everything(noisy):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OOAWarning)
        nothing = OOAxClassifierCV(cv=FOLDS, time_limit=0).fit(*noisy)
    assert nothing.predict(noisy[0]).shape == (240,)
    assert len(nothing.cv_results_["param_C"]) == len(nothing.path_)


def test_constraints_hold_in_every_fold(noisy):
    X, y = noisy
    strict = OOAxClassifierCV(GRID, cv=FOLDS, constraints=[max_false_negatives(20)], **SMALL).fit(X, y)
    assert ((strict.predict(X) == 0) & (y == 1)).sum() <= 20
    assert (strict.cv_results_["mean_patterns"] >= 1).all()
    by_row = demographic_parity(np.arange(len(y)) % 2, 0.5)
    with pytest.raises(OptionError, match=r"make sense for the rows of a fold alone: .*group has 240 values"):
        OOAxClassifierCV(GRID, cv=FOLDS, constraints=[by_row], **SMALL).fit(X, y)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"C_grid": []}, "C_grid has no prices"),
        ({"C_grid": 0.1}, "C_grid must be a collection of numbers, not 0.1"),
        ({"C_grid": "auto"}, "C_grid must be a collection of numbers, not 'auto'"),
        ({"C_grid": [(0.1, 0.2)]}, "a price of C_grid must be a number"),
        ({"C_grid": [-1]}, "a price of C_grid must be a number"),
    ],
)
def test_wrong_prices_are_named(noisy, parameters, message):
    with pytest.raises(OptionError, match=message):
        OOAxClassifierCV(**parameters).fit(*noisy)


def test_a_fold_that_weighs_nothing_is_said(noisy):
    X, y = noisy
    weight = np.ones(len(y))
    weight[:60] = 0
    folds = [(np.arange(60, 240), np.arange(60))]
    with pytest.raises(DataError, match="weigh nothing"):
        OOAxClassifierCV(GRID, cv=folds, **SMALL).fit(X, y, sample_weight=weight)


def test_it_can_be_saved_and_reported_on(noisy, model, tmp_path):
    again = pickle.loads(pickle.dumps(model))
    assert again.C_ == model.C_
    assert again.path_.rule_sets == model.path_.rule_sets
    assert np.array_equal(again.predict(noisy[0]), model.predict(noisy[0]))
    page = model.report(tmp_path / "report.html", path_frame=model.path_).read_text(encoding="utf-8")
    assert f"{model.C_:g}" in page


def test_overrides_are_for_one_call(noisy):
    model = OOAxClassifierCV(cv=FOLDS, **SMALL)
    model.fit(*noisy, C_grid=[0.05, 0.01], cv=2)
    assert model.cv_results_["param_C"].tolist() == [0.05, 0.01]
    assert model.n_splits_ == 2
    assert model.C_grid is None
    with pytest.raises(OptionError, match="fit has no option 'C1'"):
        model.fit(*noisy, C1=0.1)


def test_progress_shows_a_line(noisy, capsys, monkeypatch):
    from ooa import live_line

    monkeypatch.setattr(live_line, "PATIENCE_ASKED", 0.0)
    monkeypatch.setattr(live_line, "_EVERY", 0.0)
    OOAxClassifierCV(GRID, cv=FOLDS, progress=True, **SMALL).fit(*noisy)
    said = capsys.readouterr().err
    assert "the path over all rows" in said
    assert "cross-validation: 4 of 4 folds" in said
