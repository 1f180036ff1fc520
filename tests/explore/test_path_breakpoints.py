"""The path without a grid: every rule set that is best at some price, and no claim without a proof."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from support.every_rule_set import Every
from support.strictly import strictly
from support.tiny_tables import tiny_table
from support.weighted_tables import KINDS, best_value, weighted_table

from ooa.constraints import max_false_negatives
from ooa.data.table import Table
from ooa.explore import price_grid as module
from ooa.explore.price_path import path
from ooa.learning.certificate import count
from ooa.learning.ooax import learn_ooax
from ooa.learning.policy import POLICY
from ooa.learning.settings import OOAxSettings
from ooa.objective import Objective, exact_sum

quietly = strictly(path)


def best_sizes(every, C1, C2, low, high):
    """(size, errors) of all rule sets that are the best, by plain counting, over a stretch of prices.

    The prices are multiples of C1 and C2. Between two neighbouring crossings of lines the best are the same
    everywhere, so it is enough to look at one place between each two.
    """
    lines = {
        (C1 * sum(map(len, rules)) + C2 * len(rules), errors / every.total)
        for rules, errors in every.errors.items()
    }
    places = {(b - a) / (s - t) for s, a in lines for t, b in lines if s != t}
    places = sorted({low, high, *(place for place in places if low < place < high)})
    found = set()
    for left, right in itertools.pairwise(places):
        place = (left + right) / 2
        least = min(a + s * place for s, a in lines)
        found |= {(s, a) for s, a in lines if a + s * place == least}
    return found


@pytest.mark.parametrize("seed", range(6))
def test_no_rule_set_is_missing(seed):
    rng = np.random.default_rng(seed)
    for C1, C2 in ((1, 1), (1, 3), (2, 0), (0, 1), (1, 1)):
        table = tiny_table(rng, most_rows=6)
        low = Fraction(int(rng.integers(1, 4)), int(rng.integers(40, 90)))
        options = {"max_patterns": int(rng.integers(1, 4)), "max_length": 2}
        every = Every(table, C1=0, C2=0, **options)
        if len(every.patterns) > 24:
            continue
        frame = quietly(table, C1=low * C1, C2=low * C2, **options)
        assert frame.complete
        assert frame["proved"].all()
        high = max(low, Fraction(exact_sum(table.positive)) / every.total / (C1 + C2))
        got = {
            (C1 * found.literals + C2 * found.patterns, found.errors / found.total)
            for found in frame.certificates
        }
        wanted = best_sizes(every, C1, C2, low, high)
        if high == low:
            assert len(frame) == 1
            continue
        none = (0, exact_sum(table.positive) / every.total)
        assert got == (wanted - {none} or {none})
        assert len(frame) == len(got)
        for rules, found in zip(frame.rule_sets, frame.certificates):
            assert count(rules, table, Objective.of(0, 0)).errors == found.errors


@pytest.mark.parametrize("kind", KINDS)
def test_weights_without_a_common_step(kind):
    """With a grid and without, every row is proved, and says up to what."""
    for seed in range(3):
        rng = np.random.default_rng([seed, 11])
        table = weighted_table(kind, rng, most_rows=6)
        if any(column.missing.any() for column in table.columns):
            continue
        told = {"max_patterns": 2, "max_length": None, "thresholds": "distinct", "ranges": True}
        for frame in (
            path(table, [0.2, 0.11, 0.1, 0.05, 0.02], **told),
            path(table, C1="1/50", C2="1/50", **told),
        ):
            for rules, found, C1, C2 in zip(frame.rule_sets, frame.certificates, frame["C1"], frame["C2"]):
                prices = Objective.of(C1, C2)
                best = best_value(table, prices, 2)
                assert found.objective == count(rules, table, prices).objective
                assert found.proved
                assert found.bound <= best <= found.objective <= found.bound + found.rounding
                assert found.rounding <= 1e-5
        assert frame.complete


def test_it_ends_with_the_prices_of_the_model_and_begins_where_a_pattern_pays(robots, small):
    for table in (robots, small):
        frame = quietly(table, max_patterns=3, max_length=2)
        assert frame.complete
        assert frame["proved"].all()
        assert frame["C1"].is_monotonic_decreasing
        assert (frame["C1"] == frame["C2"]).all()
        assert frame["C1"].iloc[-1] == OOAxSettings.C1
        assert frame["patterns"][0] >= 1
        assert len(set(frame.rule_sets)) == len(frame)
        sizes = frame["literals"] + frame["patterns"]
        assert sizes.is_monotonic_increasing
        assert sizes.is_unique
        for line, proof in zip(frame.itertuples(), frame.certificates):
            alone = learn_ooax(table, C1=line.C1, C2=line.C2, max_patterns=3, max_length=2)
            assert alone.certificate.objective == proof.objective
    deeper = quietly(small, settings=OOAxSettings(C1=0.001, C2=0.001, max_patterns=3, max_length=2))
    assert deeper["C1"].iloc[-1] == 0.001
    assert set(frame.rule_sets[:-1]) <= set(deeper.rule_sets)


def test_prices_are_round_and_in_the_proportion_of_the_model(small):
    frame = quietly(small, C1=0.002, C2=0.004, max_patterns=3)
    assert frame["C2"].tolist() == pytest.approx((2 * frame["C1"]).tolist())
    frame = quietly(small, max_patterns=3)
    assert all(len(f"{price:.6f}".strip("0.")) <= 3 for price in frame["C1"])


def test_a_price_that_admits_nothing_is_a_path_of_one_row(small):
    frame = quietly(small, C1=0.4, C2=0.4)
    assert frame["C1"].tolist() == [0.4]
    assert frame["patterns"].tolist() == [0]
    assert frame.complete


def test_constraints_without_a_grid(small):
    frame = quietly(small, constraints=[max_false_negatives(3)], max_length=2, max_patterns=3)
    assert frame.complete
    for rules in frame.rule_sets:
        fires = rules.covers(small.as_frame()).any(axis=1)
        assert (small.y & ~fires).sum() <= 3


def test_breakpoints_without_a_proof_are_no_claim(small):
    frame = quietly(small, max_candidates=4, selection="ilp", time_limit=0)
    assert not frame.complete
    assert (frame["bound"] <= frame["objective"]).all()


def test_no_more_points_than_the_policy_says(small, monkeypatch):
    calls = []

    def counting(table, settings, stock):
        calls.append(settings.C1)
        return learn_ooax(table, settings, stock=stock)

    monkeypatch.setattr(module, "learn", counting)
    whole = quietly(small)
    assert whole.complete
    assert len(calls) > 3
    calls.clear()
    part = quietly(small, policy=replace(POLICY, path_points=2))
    assert len(calls) == 2
    assert not part.complete
    assert set(part["errors"]) <= set(whole["errors"]) | set(part["errors"][part["gap"] > 0])


@pytest.mark.parametrize(
    ("columns", "label"), [({"x": [1, 1, 1]}, [0, 1, 1]), ({"x": [1, 2, 1, 2]}, [0, 1, 1, 0])]
)
def test_where_nothing_gains_the_empty_rule_set_is_all_there_is(columns, label):
    frame = quietly(Table.from_any(columns, label))
    assert frame["patterns"].tolist() == [0]
    assert frame["proved"].all()
