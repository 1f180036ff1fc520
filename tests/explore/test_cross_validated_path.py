"""A path tried on rows held out: what is counted there, its spread, folds that cannot be, limits."""

from __future__ import annotations

import numpy as np
import pytest
from support.clocks import HandClock
from support.strictly import strictly

from ooa.errors import DataError, OOAError
from ooa.explore import cross_validation
from ooa.explore.price_grid import path_on, read_grid
from ooa.explore.price_path import path
from ooa.learning.settings import OOAxSettings

quietly = strictly(path)
RATES = ("accuracy", "sensitivity", "specificity")


def thirds(table):
    rows = np.arange(table.n_rows)
    return [(rows[rows % 3 != k], rows[rows % 3 == k]) for k in range(3)]


def test_rule_sets_are_counted_on_rows_that_they_were_not_learned_from(small):
    splits, prices = thirds(small), [0.1, 0.03, 0.01]
    frame = quietly(small, prices, splits=splits)
    told = OOAxSettings()
    told = told.__class__(policy=told.policy.in_a_fold())
    right = {rate: np.empty((3, len(prices))) for rate in RATES}
    for k, (train, test) in enumerate(splits):
        learned = path_on(small.subset(train).ordered(), read_grid(prices), told)
        held = small.subset(test)
        for m, rules in enumerate(learned.rule_sets):
            fires = rules.covers(held.as_frame()).any(axis=1)
            right["accuracy"][k, m] = (fires == held.y).mean()
            right["sensitivity"][k, m] = fires[held.y].mean()
            right["specificity"][k, m] = 1 - fires[~held.y].mean()
    for rate, values in right.items():
        assert frame[f"cv_{rate}"].to_numpy() == pytest.approx(values.mean(axis=0))
        spread = values.std(axis=0, ddof=1) / np.sqrt(3)
        assert frame[f"cv_{rate}_se"].to_numpy() == pytest.approx(spread)
    assert "held out: sensitivity" in frame._repr_html_()
    assert frame.columns[-1] == "rules"


def test_prices_that_are_found_are_tried_and_the_path_is_the_same(small):
    plain, tried = quietly(small), quietly(small, splits=thirds(small))
    assert tried.complete
    assert tried["C1"].tolist() == plain["C1"].tolist()
    assert tried["objective"].tolist() == plain["objective"].tolist()
    assert tried["cv_accuracy"].between(0, 1).all()


def test_a_fold_without_positives_says_nothing_of_them(small):
    rows, negatives = np.arange(small.n_rows), np.flatnonzero(~small.y)
    alone = [(np.setdiff1d(rows, negatives[:5]), negatives[:5])]
    frame = quietly(small, [0.02], splits=alone)
    assert np.isnan(frame["cv_sensitivity"][0])
    assert frame["cv_accuracy"][0] == frame["cv_specificity"][0]
    assert frame["cv_accuracy_se"][0] == 0
    both = quietly(small, [0.02], splits=[*alone, *thirds(small)])
    assert both["cv_sensitivity"][0] == quietly(small, [0.02], splits=thirds(small))["cv_sensitivity"][0]


def test_the_order_of_the_rows_changes_nothing(small):
    shuffled = np.random.default_rng(5).permutation(small.n_rows)
    place = np.argsort(shuffled)
    moved = [(place[train], place[test]) for train, test in thirds(small)]
    one = quietly(small, [0.1, 0.01], splits=thirds(small))
    other = quietly(small.subset(shuffled), [0.1, 0.01], splits=moved)
    assert one["cv_accuracy"].tolist() == other["cv_accuracy"].tolist()


def test_folds_that_cannot_be_are_said(small):
    with pytest.raises(OOAError, match="splits must hold pairs"):
        path(small, [0.1], splits=[(np.arange(3), np.array([small.n_rows]))])
    with pytest.raises(DataError, match="held out in a fold weigh nothing"):
        path(small, [0.1], splits=[(np.arange(small.n_rows), np.arange(0))])


def test_the_time_limit_is_for_path_and_folds_together(small, monkeypatch):
    clock, told = HandClock(), []
    true = cross_validation.path_on

    def spending(table, grid, wanted):
        told.append(wanted.seconds)
        clock.move(wanted.seconds)
        return true(table, grid, wanted)

    monkeypatch.setattr(cross_validation, "path_on", spending)
    path(small, [0.1], splits=thirds(small), time_limit=10.0, clock=clock)
    assert sum(told) <= 10.0
