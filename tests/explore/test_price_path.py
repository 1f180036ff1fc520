"""The path along prices: the same optima as separate fits, chords, grids, options."""

from __future__ import annotations

import inspect
import pickle
from dataclasses import fields
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from support.strictly import strictly
from support.tiny_tables import tiny_table

from ooa.constraints import max_false_negatives
from ooa.data.table import Table
from ooa.errors import InfeasibleConstraints, OOAError, OptionError
from ooa.explore import price_grid as module
from ooa.explore.price_path import path
from ooa.learning.certificate import Standing, count
from ooa.learning.ooa import learn_ooa
from ooa.learning.ooax import learn_ooax
from ooa.learning.settings import OOASettings, OOAxSettings
from ooa.objective import Objective
from ooa.rules.ruleset import RuleSet

COLUMNS = [
    "C1",
    "C2",
    "errors",
    "error_rate",
    "sensitivity",
    "specificity",
    "literals",
    "patterns",
    "objective",
    "bound",
    "gap",
]
COLUMNS += ["proved", "scope", "rules"]

quietly = strictly(path)


def test_the_frame(small):
    frame = quietly(small, [0.1, 0.02, (0.02, 0.05)])
    assert isinstance(frame, pd.DataFrame)
    assert list(frame.columns) == COLUMNS
    assert frame["C1"].tolist() == [0.1, 0.02, 0.02]
    assert frame["C2"].tolist() == [0.1, 0.02, 0.05]
    assert frame["proved"].all()
    assert (frame["gap"] == 0).all()
    assert frame["scope"].tolist() == [proof.statement for proof in frame.certificates]
    assert not frame.complete  # nobody asked what is between the prices of the grid
    for line, rules, proof in zip(frame.itertuples(), frame.rule_sets, frame.certificates):
        counted = count(rules, small, Objective.of(line.C1, line.C2))
        assert counted.objective == proof.objective
        assert (line.errors, line.literals, line.patterns) == (
            counted.errors, counted.literals, counted.patterns,
        )  # fmt: skip
        assert line.error_rate == float(counted.errors / counted.total)
        fires = rules.covers(small.as_frame()).any(axis=1)
        assert line.sensitivity == pytest.approx(fires[small.y].mean())
        assert line.specificity == pytest.approx(1 - fires[~small.y].mean())
        assert RuleSet.parse(line.rules) == rules
    derived = frame[frame["proved"]]
    assert type(derived) is pd.DataFrame
    assert pickle.loads(pickle.dumps(frame)).rule_sets == frame.rule_sets


@pytest.mark.parametrize("seed", range(4))
def test_the_same_objectives_as_separate_fits(seed):
    rng = np.random.default_rng(seed)
    grids = [
        ["1/3", "1/5", "1/10", "1/20", "1/40", "1/80", 0],
        [("1/10", 0), ("1/10", "1/20"), ("1/10", "1/10"), (0, "1/10"), ("1/20", "1/20")],
    ]
    for grid in grids:
        table = tiny_table(rng)
        frame = quietly(table, grid, max_length=2)
        for point, proof in zip(grid, frame.certificates):
            C1, C2 = point if isinstance(point, tuple) else (point, point)
            alone = learn_ooax(table, C1=C1, C2=C2, max_length=2).certificate
            assert proof.objective == alone.objective
            assert proof.proved == alone.proved
            assert proof.bound <= proof.objective


def test_points_between_two_equal_answers_need_no_solver(small, monkeypatch):
    calls = []

    def counting(table, settings, stock):
        calls.append(settings.C1)
        return learn_ooax(table, settings, stock=stock)

    monkeypatch.setattr(module, "learn", counting)
    grid = [Fraction(k, 1000) for k in range(40, 101)]
    frame = quietly(small, grid)
    assert frame["proved"].all()
    assert len(calls) < 30
    proofs = [proof.proof for proof in frame.certificates]
    assert "concavity" in proofs
    for k in (3, 17, 40, 59):
        alone = learn_ooax(small, C1=grid[k], C2=grid[k]).certificate
        assert frame.certificates[k].objective == alone.objective
    # The value is concave and grows with the price; errors grow and literals shrink.
    value = [proof.objective for proof in frame.certificates]
    assert all(a + c <= 2 * b for a, b, c in zip(value, value[1:], value[2:]))
    assert frame["objective"].is_monotonic_increasing


def test_what_holds_over_some_candidates_proves_nothing(small):
    grid = [Fraction(k, 400) for k in range(6, 12)]
    few, true = (quietly(small, grid, selection="ilp", max_candidates=most) for most in (4, None))
    assert any(proof.standing is Standing.POOL for proof in few.certificates)
    for some, proof in zip(few.certificates, true.certificates):
        assert some.bound <= proof.objective


def test_each_starts_from_the_best_of_the_others(small, monkeypatch):
    starts = []

    def watching(table, settings, stock):
        starts.append(settings.start)
        return learn_ooax(table, settings, stock=stock)

    monkeypatch.setattr(module, "learn", watching)
    quietly(small, [0.1, 0.05, 0.001])
    assert starts[0] is None
    assert all(isinstance(start, RuleSet) for start in starts[1:])
    mine = RuleSet.parse("a >= 1 AND b >= 1 AND c >= 1 AND v = p")
    starts.clear()
    frame = quietly(small, [0.1, 0.05], start=mine)
    assert starts[0] == mine
    assert frame["proved"].all()


def test_ooa_along_a_path():
    table = Table.from_any({"x": [1, 2, 3, 4, 5, 6], "c": list("rbrrbr")}, [1, 1, 0, 0, 1, 1])
    frame = quietly(table, ["1/5", "1/20"], method="ooa", max_patterns=2)
    for C, proof in zip(("1/5", "1/20"), frame.certificates):
        assert proof.objective == learn_ooa(table, C1=C, C2=C, max_patterns=2).certificate.objective


def test_constraints_hold_along_the_path(small):
    frame = quietly(small, [0.3, 0.05], constraints=[max_false_negatives(3)])
    for rules in frame.rule_sets:
        fires = rules.covers(small.as_frame()).any(axis=1)
        assert (small.y & ~fires).sum() <= 3
    with pytest.raises(InfeasibleConstraints):
        path(small, [0.3], constraints=[max_false_negatives(0)], max_length=1, max_patterns=1)


@pytest.mark.parametrize(
    ("grid", "options", "message"),
    [
        ([], {}, "C_grid"),
        ([(1, 2, 3)], {}, "pairs"),
        ([-0.1], {}, "C_grid"),
        (["cheap"], {}, "cheap"),
        ([0.1], {"C1": 0.1}, "C_grid"),
        ([0.1], {"method": "magic"}, "method"),
    ],
)
def test_a_wrong_grid_is_named(small, grid, options, message):
    with pytest.raises(OOAError, match=message):
        path(small, grid, **options)


def test_settings_say_the_same_as_options(small):
    told = quietly(small, [0.1, 0.02], settings=OOAxSettings(C1=0.9, max_length=1, max_patterns=2))
    assert told.equals(quietly(small, [0.1, 0.02], max_length=1, max_patterns=2))
    changed = quietly(small, [0.1, 0.02], settings=OOAxSettings(max_length=1), max_patterns=2)
    assert changed.equals(told)
    formed = quietly(small, [0.2], settings=OOASettings(max_patterns=1))
    assert formed.equals(quietly(small, [0.2], method="ooa", max_patterns=1))
    with pytest.raises(OptionError, match="method='ooax' takes OOAxSettings, not OOASettings"):
        path(small, [0.2], method="ooax", settings=OOASettings())
    with pytest.raises(OptionError, match="path has no option 'max_lenth'; did you mean 'max_length'"):
        path(small, [0.2], max_lenth=1)
    with pytest.raises(OptionError, match="path has no option 'max_length'"):
        path(small, [0.2], method="ooa", max_length=1)


def test_the_signature_has_every_option():
    options = inspect.signature(path).parameters
    names = {field.name for kind in (OOAxSettings, OOASettings) for field in fields(kind)}
    assert options.keys() - {"table", "C_grid", "splits", "jobs", "method", "settings"} == names
    assert options["max_length"].default == OOAxSettings.max_length


def test_a_path_begins_with_a_pattern_that_is_allowed(small):
    plain = quietly(small, max_length=1, max_patterns=1)
    scarce = quietly(small, max_length=1, max_patterns=1, min_support=0.7)
    assert scarce["patterns"].tolist() == plain["patterns"].tolist() == [1]
    assert scarce["objective"][0] > plain["objective"][0]
    fires = scarce.rule_sets[0].covers(small.as_frame()).any(axis=1)
    assert small.positive[fires].sum() >= 0.7 * small.positive.sum()
