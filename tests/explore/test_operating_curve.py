"""The best rule set for every weight of a positive row: brute force, rates, folds, limits."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from support.clocks import HandClock
from support.every_rule_set import Every
from support.strictly import strictly
from support.tiny_tables import tiny_table

from ooa.constraints import max_total_literals
from ooa.data.table import Table
from ooa.errors import DataError, OOAError
from ooa.explore import operating_curve as module
from ooa.explore.operating_curve import WEIGHTS, operating_curve, reweighted
from ooa.explore.operating_frame import not_beaten
from ooa.explore.rates import Rates
from ooa.learning.ooax import learn_ooax
from ooa.solving import Termination

quietly = strictly(operating_curve)
RATES = ["sensitivity", "specificity"]


@pytest.mark.parametrize("seed", range(8))
def test_every_weight_has_the_optimum_of_the_reweighted_table(seed):
    table = tiny_table(np.random.default_rng([61, seed]), most_rows=6)
    options = {"C1": "1/20", "C2": "1/20", "max_length": 2, "max_patterns": 2}
    frame = quietly(table, ["1/3", 1, 2.5], **options)
    assert frame["weight"].tolist() == pytest.approx([1 / 3, 1, 2.5])
    for weight, rules, proof in zip((Fraction(1, 3), 1, Fraction(5, 2)), frame.rule_sets, frame.certificates):
        every = Every(reweighted(table, Fraction(weight)), **options)
        assert proof.proved
        assert proof.objective == min(every.value.values()) == every.value[frozenset(rules)]


def test_rates_are_those_of_the_rules_and_rise_and_fall(small):
    frame = quietly(small)
    assert len(frame) == len(WEIGHTS)
    for row, rules in zip(frame.to_dict("records"), frame.rule_sets):
        fires = rules.covers(small.as_frame()).any(axis=1)
        assert row["sensitivity"] == pytest.approx(fires[small.y].mean())
        assert row["specificity"] == pytest.approx(1 - fires[~small.y].mean())
    # What is missed for its weight, and its size for the weight of all rows: the more a positive row counts
    # against what rows weigh together, the fewer are missed, at prices that do not matter.
    free = quietly(small, C1=0, C2=0)
    assert free["sensitivity"].is_monotonic_increasing
    assert free["specificity"].is_monotonic_decreasing
    assert "from specific to sensitive" in frame.headline
    assert "held out" not in frame._repr_html_()


def test_a_weight_is_a_class_weight():
    rng = np.random.default_rng(3)
    X = {name: rng.integers(0, 3, 50) for name in "ab"}
    y = (X["a"] == 2) ^ (rng.random(50) < 0.2)
    frame = quietly(Table.from_any(X, y), [3], C1=0.01, C2=0.01)
    alone = learn_ooax(Table.from_any(X, y, class_weight={True: 3, False: 1}), C1=0.01, C2=0.01)
    assert frame.certificates[0].objective == alone.certificate.objective


def test_folds_are_counted_on_rows_that_were_not_learned_from(small):
    rows = np.arange(small.n_rows)
    splits = [(rows[rows % 3 != k], rows[rows % 3 == k]) for k in range(3)]
    frame = quietly(small, [0.5, 2], splits=splits, C1=0.02, C2=0.02)
    for weight, row in zip((Fraction(1, 2), Fraction(2)), frame.to_dict("records")):
        found, missed = [], []
        for train, test in splits:
            learned = learn_ooax(reweighted(small.subset(train).ordered(), weight), C1=0.02, C2=0.02)
            held = small.subset(test)
            fires = learned.rules.covers(held.as_frame()).any(axis=1)
            found.append(fires[held.y].mean())
            missed.append(1 - fires[~held.y].mean())
        # Rule sets that are equally good may do otherwise with other rows.
        assert row["cv_sensitivity"] == pytest.approx(np.mean(found), abs=0.1)
        assert row["cv_specificity"] == pytest.approx(np.mean(missed), abs=0.1)
        assert row["cv_sensitivity_se"] >= 0
    assert "held out: sensitivity" in frame._repr_html_()
    nothing = [(rows, rows[:0])]
    with pytest.raises(DataError, match="held out in a fold weigh nothing"):
        operating_curve(small, [1], splits=nothing)


def test_constraints_hold_at_every_weight(small):
    frame = quietly(small, [0.5, 2], constraints=[max_total_literals(1)])
    assert (frame["literals"] <= 1).all()


def test_each_starts_from_the_best_of_the_others_and_time_is_for_all(small, monkeypatch):
    clock, told, starts = HandClock(), [], []

    def learn(table, settings):
        told.append(settings.time_limit)
        starts.append(settings.start)
        clock.move(told[-1])
        return learn_ooax(table, C1=0.01, C2=0.01)

    monkeypatch.setattr(module, "learn", learn)
    quietly(small, [1, 2, 4], time_limit=9.0, clock=clock)
    assert told == [3.0, 3.0, 3.0]
    assert clock.now() == 9.0
    assert starts[0] is None
    assert all(len(start) for start in starts[1:])


def test_ctrl_c_leaves_a_rule_set_for_every_weight(small, monkeypatch):
    from dataclasses import replace

    limits = []

    def pressed(table, settings):
        limits.append(settings.time_limit)
        learned = learn_ooax(table, settings)
        ended = replace(learned.certificate, termination=Termination.INTERRUPTED)
        return replace(learned, certificate=ended)

    monkeypatch.setattr(module, "learn", pressed)
    frame = operating_curve(small, [1, 2, 4], time_limit=60)
    assert len(frame) == 3
    assert limits[1:] == [0.0, 0.0]


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([], "weights has none"),
        ([0], "above 0"),
        ([-1], "a weight must be a number"),
        (["much"], "'much'"),
        ([1e6], "between 1/1000 and 1000"),
        ("13", "weights"),
        (3, "weights"),
    ],
)
def test_a_wrong_weight_is_named(small, weights, message):
    with pytest.raises(OOAError, match=message):
        operating_curve(small, weights)


def test_rates_of_a_class_that_is_not_there():
    rates = Rates(Fraction(0), Fraction(0), Fraction(1), Fraction(2))
    assert np.isnan(rates.sensitivity)
    assert rates.specificity == 0.5


def test_prices_and_weights_have_their_optimum_and_the_envelope_is_not_beaten():
    table = tiny_table(np.random.default_rng(67), most_rows=6)
    options = {"max_length": 2, "max_patterns": 2}
    frame = quietly(table, [0.5, 2], C_grid=["1/50", "1/5"], **options)
    assert frame["C1"].tolist() == pytest.approx([0.2, 0.2, 0.02, 0.02])
    assert frame["weight"].tolist() == [0.5, 2, 0.5, 2]
    for row, proof in zip(frame.to_dict("records"), frame.certificates):
        price = Fraction(row["C1"]).limit_denominator(100)
        every = Every(reweighted(table, Fraction(row["weight"])), C1=price, C2=price, **options)
        assert proof.objective == min(every.value.values())
    assert "2 weights and 2 prices" in frame.headline
    assert "<th>C1" in frame._repr_html_() or "C1" in frame._repr_html_()


@pytest.mark.parametrize("seed", range(5))
def test_the_envelope_by_its_definition(seed):
    random = np.random.default_rng([71, seed])
    columns = ("sensitivity", "specificity", "literals", "patterns")
    frame = pd.DataFrame({name: random.integers(0, 4, 12).astype(float) for name in columns})
    rows = list(frame.itertuples(index=False))

    def beats(one, other):
        good = one[0] >= other[0] and one[1] >= other[1]
        shorter = one[2] <= other[2] and one[3] <= other[3] and one[2:] != other[2:]
        return good and (one[:2] != other[:2] or shorter)

    wanted = [not any(beats(one, other) for one in rows) for other in rows]
    assert not_beaten(frame, "").tolist() == wanted


def test_prices_of_a_grid_are_not_given_twice(small):
    with pytest.raises(OOAError, match="operating_curve takes C1 from C_grid"):
        operating_curve(small, [1], C_grid=[0.1], C1=0.1)
