"""Ctrl-C where many fits are made: what they found is kept, and no other fit or fold is begun."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import ooa.explore.operating_curve as curve_module
import ooa.learning.verdict as verdict_module
from ooa.constraints import min_sensitivity
from ooa.errors import OOAWarning
from ooa.estimators import OOAxClassifierCV
from ooa.explore import price_grid as module
from ooa.explore import trade_off as trade_module
from ooa.explore.price_path import path
from ooa.learning.ooax import learn_ooax
from ooa.solving import Termination


def halves(table):
    even = np.arange(table.n_rows) % 2 == 0
    return [(np.flatnonzero(~held), np.flatnonzero(held)) for held in (even, ~even, even, ~even)]


def pressed_at(number, monkeypatch, module, *, outside=False):
    """Ctrl-C in so manieth fit of all: it says so, or nothing comes of it at all; how many fits there are."""
    calls = []

    def learn(*told):
        calls.append(told)
        if len(calls) == number and outside:
            raise KeyboardInterrupt
        learned = learn_ooax(told[0], told[1])
        ended = replace(learned.certificate, termination=Termination.INTERRUPTED)
        return replace(learned, certificate=ended) if len(calls) == number else learned

    monkeypatch.setattr(module, "learn", learn)
    return calls


@pytest.mark.parametrize("outside", [False, True])
@pytest.mark.parametrize("number", [1, 3, 4, 6])
def test_ctrl_c_ends_the_folds_of_a_path(number, outside, small, monkeypatch):
    """Two fits over all rows, and two in each of four folds: no later one is begun."""
    calls = pressed_at(number, monkeypatch, module, outside=outside)
    with pytest.warns(OOAWarning, match="columns about rows held out are left out"):
        frame = path(small, [0.1, 0.01], splits=halves(small), time_limit=5)
    assert len(calls) == number
    assert "cv_accuracy" not in frame
    assert frame.interrupted == (number == 1)
    assert len(frame) == 2


@pytest.mark.parametrize("outside", [False, True])
@pytest.mark.parametrize("number", [1, 4, 6])
def test_ctrl_c_ends_the_folds_of_an_operating_curve(number, outside, small, monkeypatch):
    """Two fits over all rows, and two in each of four folds, of which the one at hand is rounded off."""
    calls = pressed_at(number, monkeypatch, curve_module, outside=outside)
    with pytest.warns(OOAWarning, match="columns about rows held out are left out"):
        frame = curve_module.operating_curve(small, [1, 4], splits=halves(small), time_limit=5)
    assert len(calls) <= number + 1 + outside
    assert "cv_accuracy" not in frame
    assert all(told[1].seconds == 0.0 for told in calls[number:])
    assert len(frame) == 2
    if number == 1:
        assert frame.certificates[0].termination is Termination.INTERRUPTED


def test_ctrl_c_while_a_certificate_is_made_is_that_of_the_fit(small, monkeypatch):
    plain, calls = verdict_module.Certificate.of, []

    def of(*told, **options):
        calls.append(told)
        if len(calls) == 1:
            raise KeyboardInterrupt
        return plain(*told, **options)

    monkeypatch.setattr(verdict_module.Certificate, "of", of)
    learned = learn_ooax(small, C1=0.01, C2=0.01)
    assert learned.certificate.termination is Termination.INTERRUPTED
    assert len(learned.rules)


def test_ctrl_c_before_a_fit_of_a_trade_off_keeps_what_others_found(small, monkeypatch):
    calls = pressed_at(2, monkeypatch, trade_module, outside=True)
    frame = trade_module.trade_off(small, min_sensitivity, [0.5, 0.7, 1.0], time_limit=5)
    assert len(calls) == 2
    assert len(frame) == 3
    assert len(frame.free.rules)


@pytest.mark.parametrize("number", [3, 4])
def test_ctrl_c_ends_the_folds_of_an_estimator(number, noisy, monkeypatch):
    """The price is chosen by the folds that were through, or by the one at hand if it is the first."""
    calls = pressed_at(number, monkeypatch, module)
    monkeypatch.setattr("ooa.estimators.base.learn", lambda table, told: learn_ooax(table, told))
    model = OOAxClassifierCV([0.1, 0.01], cv=4, max_length=1, time_limit=5)
    with pytest.warns(OOAWarning, match=r"C is chosen by [123] of 4 folds"):
        model.fit(*noisy)
    assert len(calls) == number
    assert model.n_splits_ < 4
    assert len(model.rules_)


@pytest.mark.parametrize("outside", [False, True])
def test_ctrl_c_before_any_fold_of_an_estimator(outside, noisy, monkeypatch):
    pressed_at(1, monkeypatch, module, outside=outside)
    with pytest.raises(KeyboardInterrupt):
        OOAxClassifierCV([0.1, 0.01], cv=4, max_length=1, time_limit=5).fit(*noisy)


@pytest.fixture(scope="module")
def noisy():
    rng = np.random.default_rng(7)
    X = {name: rng.integers(0, 4, 120) for name in "ab"}
    return X, (X["a"] >= 2) ^ (rng.random(120) < 0.1)
