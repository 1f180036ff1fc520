"""The estimators as scikit-learn sees them: its own checks, pipelines, searches, copies and callbacks."""

from __future__ import annotations

import logging
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import ooa
from ooa.datasets import monks
from ooa.errors import DataError, OOAWarning, OptionError
from ooa.estimators import OOAClassifier, OOAxClassifier, fit
from ooa.rules.ruleset import RuleSet

# Labels drawn at random on ten columns of noise, as the checks do, make hard programs: short patterns and
# few candidates keep every fit far from its time limit, so that no result depends on the clock.
QUICK = [OOAxClassifier(max_length=2, max_candidates=100)]


@parametrize_with_checks(QUICK)
def test_scikit_learn_checks(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OOAWarning)
        check(estimator)


@pytest.fixture(scope="module")
def data():
    return monks(1)


@pytest.fixture(scope="module")
def fitted(data):
    return OOAxClassifier().fit(data.X, data.y)


def test_two_lines(data):
    model = OOAxClassifier().fit(data.X, data.y)
    assert model.predict(data.X).tolist() == data.y.tolist()
    assert model.rules_ == RuleSet(data.rules, target="monk")
    assert model.certificate_.proved


def test_init_only_stores():
    odd = object()
    assert OOAxClassifier(C1=odd).C1 is odd


def test_fitted_attributes(fitted, data):
    assert fitted.n_features_in_ == 6
    assert fitted.feature_names_in_.tolist() == list(data.X.columns)
    assert fitted.classes_.tolist() == [0, 1]
    assert fitted.classes_.dtype == data.y.dtype
    assert fitted.explanation_ is None
    assert fitted.score(data.X, data.y) == 1.0
    assert "OOAxClassifier" in fitted._repr_html_()


def test_copies(fitted, data):
    assert not hasattr(clone(fitted), "rules_")
    assert clone(fitted).get_params() == fitted.get_params()
    again = pickle.loads(pickle.dumps(fitted))
    assert again.rules_ == fitted.rules_
    assert again.certificate_ == fitted.certificate_
    assert np.array_equal(again.predict_proba(data.X), fitted.predict_proba(data.X))


def test_fits_are_repeatable(data):
    first, second = (OOAxClassifier(C1=0.01, C2=0.01).fit(data.X, data.y) for _ in range(2))
    assert first.rules_ == second.rules_


def test_random_state_may_be_a_generator(data):
    for state in (None, 3, np.random.RandomState(1)):
        assert OOAxClassifier(random_state=state).fit(data.X, data.y).score(data.X, data.y) == 1.0


def test_pipeline():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    model = make_pipeline(StandardScaler(), OOAxClassifier(max_length=1)).fit(X, X[:, 1] > 0.3)
    assert model.score(X, X[:, 1] > 0.3) > 0.9
    with pytest.warns(OOAWarning, match="empty"):
        model.fit(X, X[:, 1] > 0.3, ooaxclassifier__C1=0.9)
    assert len(model[-1].rules_) == 0


def test_nested_cross_validation(data):
    grid = {"C1": [0.002, 0.2]}
    search = GridSearchCV(OOAxClassifier(max_length=2, time_limit=5), grid, cv=StratifiedKFold(2))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OOAWarning)
        scores = cross_val_score(search, data.X, data.y, cv=StratifiedKFold(2, shuffle=True, random_state=0))
        search.fit(data.X, data.y)
    assert scores.min() > 0.9
    assert search.best_params_["C1"] == 0.002
    assert search.best_estimator_.certificate_.proved


def test_parallel_cross_validation(data):
    scores = cross_val_score(OOAxClassifier(max_length=2), data.X, data.y, cv=2, n_jobs=2)
    assert (scores > 0.7).all()


def test_one_against_the_rest():
    rng = np.random.default_rng(3)
    X = pd.DataFrame({"size": rng.integers(0, 3, 60), "shape": rng.integers(0, 2, 60)})
    y = np.array(["small", "medium", "large"])[X["size"]]
    model = OneVsRestClassifier(OOAxClassifier(max_length=2)).fit(X, y)
    assert model.predict(X).tolist() == y.tolist()
    assert model.predict_proba(X).shape == (60, 3)


def test_three_classes_are_refused_by_name():
    with pytest.raises(ValueError, match="Only binary classification is supported") as caught:
        OOAxClassifier().fit(np.zeros((3, 1)), ["red", "green", "blue"])
    assert "'blue', 'green', 'red'" in str(caught.value)
    assert "OneVsRestClassifier" in str(caught.value)


def test_weights_count(data):
    weight = np.where(data.X["jacket_color"] == "red", 0, 1)
    model = OOAxClassifier().fit(data.X, data.y, sample_weight=weight)
    assert "jacket_color" not in model.rules_.attributes
    assert model.certificate_.total == weight.sum()
    heavy = OOAxClassifier(class_weight={1: 2}).fit(data.X, data.y)
    assert heavy.certificate_.total == len(data.y) + data.y.sum()
    balanced = OOAxClassifier(class_weight="balanced").fit(
        data.X, data.y, sample_weight=np.where(data.y, 3, 1)
    )
    assert np.isclose(balanced._rates.positive.sum(), balanced._rates.total.sum() / 2)


def test_metadata_routing(data):
    with sklearn.config_context(enable_metadata_routing=True):
        model = OOAxClassifier(max_length=2).set_fit_request(sample_weight=True)
        pipeline = Pipeline([("rules", model)])
        pipeline.fit(data.X, data.y, sample_weight=np.full(len(data.y), 2.0))
        assert pipeline[-1].certificate_.total == 2 * len(data.y)


def test_fit_takes_overrides_for_one_call(data):
    model = OOAxClassifier(C1=0.001, C2=0.001)
    before = model.get_params()
    with pytest.warns(OOAWarning, match="empty"):
        model.fit(data.X, data.y, C1=0.5, C2=0.5)
    assert len(model.rules_) == 0
    assert model.get_params() == before
    assert len(model.fit(data.X, data.y).rules_) == 4


def test_backend_of_one_call(data):
    pytest.importorskip("pyscipopt")
    noisy = np.where(np.arange(len(data.y)) % 9 == 0, 1 - data.y, data.y)
    model = OOAxClassifier(max_length=1, max_patterns=1).fit(data.X, noisy, backend="scip")
    assert model.certificate_.backend == "scip"
    assert model.backend == "highs"


def test_unknown_names_are_refused(data):
    with pytest.raises(OptionError, match="no option 'bakend'; did you mean 'backend'"):
        OOAxClassifier().fit(data.X, data.y, bakend="scip")
    with pytest.raises(OptionError, match="no option 'predict_columns'"):
        OOAxClassifier().fit(data.X, data.y, predict_columns="used")
    with pytest.raises(OptionError, match="no parameter 'max_pattern'; did you mean 'max_patterns'"):
        fit(data.X, data.y, max_pattern=3)
    with pytest.raises(OptionError, match="method must be 'ooax' or 'ooa', not 'oax'"):
        fit(data.X, data.y, method="oax")
    with pytest.raises(OptionError, match="did you mean 'highs'"):
        fit(data.X, data.y, backend="hihgs")
    with pytest.raises(TypeError):
        OOAxClassifier(max_pattern=3)


@pytest.mark.parametrize(
    "option", [{"gap": -1}, {"verbose": "yes"}, {"time_limit": -1}, {"C1": "cheap"}, {"max_length": 0}]
)
def test_bad_values_are_refused_by_name(data, option):
    with pytest.raises(OptionError, match=next(iter(option))):
        OOAxClassifier(**option).fit(data.X, data.y)


def test_fit_function(data):
    model = fit(data.X, data.y, method="ooax", time_limit=60, max_patterns=2, sample_weight=[2] * 432)
    assert isinstance(model, OOAxClassifier)
    assert len(model.rules_) == 2
    assert model.certificate_.total == 864


def test_start(data):
    start = RuleSet.parse(
        "jacket_color = red AND head_shape = round AND body_shape = round AND has_tie = yes"
    )
    model = OOAxClassifier().fit(data.X, data.y, start=start)
    assert model.certificate_.proved


def test_constraints_are_passed_on(data):
    def one_pattern(formulation):
        return formulation.n_patterns <= 1

    model = OOAxClassifier(constraints=[one_pattern]).fit(data.X, data.y)
    assert str(model.rules_[0]) == "jacket_color = red"
    assert len(model.rules_) == 1
    with pytest.warns(OOAWarning, match="under these constraints is empty"):
        OOAxClassifier(C1=0.9, constraints=[one_pattern]).fit(data.X, data.y)


def test_time_limit_warns_once_with_the_gap():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(300, 8)), rng.integers(0, 2, 300)
    with pytest.warns(OOAWarning) as caught:
        model = OOAxClassifier(time_limit=0.5).fit(X, y)
    assert len(caught) == 1
    assert "time limit of 0.5 s ended the fit" in str(caught[0].message)
    assert f"gap {100 * model.certificate_.gap:.1f} %" in str(caught[0].message)
    with warnings.catch_warnings():
        warnings.simplefilter("error", OOAWarning)
        OOAxClassifier(time_limit=0.5, gap=1.0).fit(X, y)


def test_verbose_logs_the_stages(data, caplog):
    OOAxClassifier().fit(data.X, data.y)
    assert not caplog.records
    OOAxClassifier(verbose=1).fit(data.X, data.y)
    said = [record.getMessage() for record in caplog.records if record.name == "ooa"]
    for word in ("Table(432 rows", "mining", "solving", "proved optimal"):
        assert any(word in line for line in said)
    assert logging.getLogger("ooa").level == logging.NOTSET


def test_verbose_speaks_without_any_configuration(data, capsys, monkeypatch):
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    OOAxClassifier(verbose=1).fit(data.X, data.y)
    assert "ooa: proved optimal among" in capsys.readouterr().err
    assert not logging.getLogger("ooa").handlers


def test_verbose_two_passes_the_solver_log_on(caplog):
    rng = np.random.default_rng(1)
    OOAxClassifier(verbose=2, max_length=1, time_limit=5).fit(rng.normal(size=(60, 3)), rng.random(60) < 0.3)
    assert any("HiGHS" in record.getMessage() for record in caplog.records)


def test_progress_shows_a_line(capsys):
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(300, 8)), rng.integers(0, 2, 300)
    for progress in (False, True):
        with pytest.warns(OOAWarning, match="time limit"):
            OOAxClassifier(time_limit=2, progress=progress).fit(X, y)
        assert ("\r" in capsys.readouterr().err) == progress


class Recorder:
    """A callback that remembers what it was told."""

    def __init__(self):
        self.seen = []

    def setup(self, estimator, context):
        self.seen.append("setup")

    def teardown(self, estimator, context):
        self.seen.append("teardown")

    def on_fit_task_begin(self, estimator, context):
        self.seen.append("begin")

    def on_fit_task_end(self, estimator, context, *, X, fitted_estimator):
        self.seen.append(("end", fitted_estimator and fitted_estimator.predict(X).mean()))


def test_callbacks_of_scikit_learn(data):
    pytest.importorskip("sklearn.callback")
    recorder = Recorder()
    OOAxClassifier().set_callbacks(recorder).fit(data.X, data.y)
    assert recorder.seen == ["setup", "begin", ("end", data.y.mean()), "teardown"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a search warns about estimators that support no callbacks
        search = GridSearchCV(OOAxClassifier(max_length=2), {"C1": [0.002]}, cv=2)
        search.set_callbacks(Recorder()).fit(data.X, data.y)


def test_a_column_of_another_kind_is_refused_by_name(tmp_path):
    X = pd.DataFrame({"zip": ["10", "20", "10", "20"], "age": [1, 2, 3, 4]})
    model = OOAxClassifier(C1=0.01, C2=0.01).fit(X, [0, 1, 0, 1])
    assert model.rules_.attributes == ("zip",)
    numbers = X.assign(zip=[10, 20, 10, 20])
    for use in (
        model.predict,
        model.predict_proba,
        lambda other: model.report(tmp_path / "a", other, [0] * 4),
    ):
        with pytest.raises(DataError, match="Column 'zip' holds numbers, but the rules compare it with text"):
            use(numbers)
    with pytest.raises(DataError, match=r"Column 'zip'.*text"):
        OOAxClassifier(C1=0.01, C2=0.01).fit(numbers, [0, 1, 0, 1]).predict(X)
    assert model.predict(X.assign(zip=None)).tolist() == [0] * 4
    assert model.predict(X.assign(zip=["30", None, "20", "10"])).tolist() == [0, 0, 1, 0]


@pytest.mark.parametrize("labels", [["x", None, "y", "y"], [0, None, 1, 1], [0, np.nan, 1, 1]])
def test_a_missing_label_is_named_by_its_row(labels):
    with pytest.raises(DataError, match="The label in row 1 of y is missing"):
        OOAxClassifier().fit(pd.DataFrame({"a": [1, 2, 3, 4]}), labels)


def test_two_columns_of_one_name():
    twice = pd.DataFrame([[1, 2, 0], [3, 4, 0]], columns=["a", "b", "b"])
    with pytest.raises(DataError, match="Two columns are called 'b'"):
        OOAxClassifier().fit(twice, [0, 1])
    with pytest.raises(DataError, match="Two columns are called 'b'"):
        ooa.Table.from_any(twice, [0, 1])


def test_lazy_names():
    assert ooa.OOAxClassifier is OOAxClassifier
    assert ooa.OOAClassifier is OOAClassifier
    assert ooa.fit is fit
