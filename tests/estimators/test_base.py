"""What the estimators share: overrides for one call, what is kept, logged, shown and warned of."""

from __future__ import annotations

import logging
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context

from ooa.datasets import monks
from ooa.errors import DataError, OOAWarning
from ooa.estimators import OOAxClassifier
from ooa.rules.ruleset import RuleSet


@pytest.fixture(scope="module")
def data():
    return monks(1)


@pytest.fixture(scope="module")
def fitted(data):
    return OOAxClassifier().fit(data.X, data.y)


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


def test_fits_are_repeatable(data):
    first, second = (OOAxClassifier(C1=0.01, C2=0.01).fit(data.X, data.y) for _ in range(2))
    assert first.rules_ == second.rules_


def test_random_state_may_be_a_generator(data):
    for state in (None, 3, np.random.RandomState(1)):
        assert OOAxClassifier(random_state=state).fit(data.X, data.y).score(data.X, data.y) == 1.0


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
    totals = balanced._rates["weighted"].weight.sum(axis=0)
    assert np.isclose(totals[0], totals[1])


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
        OOAxClassifier(time_limit=0.5, gap=1.0, max_patterns=None, max_length=None).fit(X, y)


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


def test_a_notebook_shows_what_was_learned_below_the_estimator():
    data = monks(1)
    model = OOAxClassifier(max_length=2)
    assert "ooa-rules" not in model._repr_mimebundle_()["text/html"]
    model.fit(data.X, data.y)
    page = model._repr_mimebundle_()["text/html"]
    assert page.endswith(f"<div>{model.rules_._repr_html_()}{model.certificate_._repr_html_()}</div>")
    with config_context(display="text"):
        assert list(model._repr_mimebundle_()) == ["text/plain"]
