"""The path along prices: the same optima as separate fits, chords, grids, limits."""

from __future__ import annotations

import inspect
import itertools
import pickle
import warnings
from dataclasses import fields, replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from support.clocks import HandClock
from support.every_rule_set import Every
from support.tiny_tables import tiny_table
from support.weighted_tables import KINDS, best_value, weighted_table

from ooa.constraints import max_false_negatives
from ooa.data.table import Table
from ooa.datasets import monks
from ooa.errors import InfeasibleConstraints, OOAError, OptionError
from ooa.explore import price_path as module
from ooa.explore.path_frame import PathFrame
from ooa.explore.price_path import path
from ooa.learning.certificate import Standing, count
from ooa.learning.ooa import learn_ooa
from ooa.learning.ooax import learn_ooax
from ooa.learning.policy import POLICY
from ooa.learning.settings import OOASettings, OOAxSettings
from ooa.objective import Objective, exact_sum
from ooa.rules.ruleset import RuleSet
from ooa.solving import Termination

COLUMNS = ["C1", "C2", "errors", "error_rate", "literals", "patterns", "objective", "bound", "gap"]
COLUMNS += ["proved", "scope", "rules"]


@pytest.fixture(scope="module")
def robots():
    data = monks(1)
    return Table.from_any(data.X, data.y)


@pytest.fixture(scope="module")
def small():
    rng = np.random.default_rng(1)
    columns = {name: rng.integers(0, 3, 60) for name in "abc"} | {"v": rng.choice(["p", "q", "r"], 60)}
    label = (columns["a"] >= 1) & (columns["v"] == "p") | (columns["b"] == 2) & (columns["c"] <= 1)
    return Table.from_any(columns, label ^ (rng.random(60) < 0.08))


def quietly(*args, **options) -> PathFrame:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return path(*args, **options)


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


# -- without a grid --------------------------------------------------------------------------------


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
    assert options.keys() - {"table", "C_grid", "method", "settings"} == names
    assert options["max_length"].default == OOAxSettings.max_length


def test_a_path_begins_with_a_pattern_that_is_allowed(small):
    plain = quietly(small, max_length=1, max_patterns=1)
    scarce = quietly(small, max_length=1, max_patterns=1, min_support=0.7)
    assert scarce["patterns"].tolist() == plain["patterns"].tolist() == [1]
    assert scarce["objective"][0] > plain["objective"][0]
    fires = scarce.rule_sets[0].covers(small.as_frame()).any(axis=1)
    assert small.positive[fires].sum() >= 0.7 * small.positive.sum()


def test_a_time_limit_is_for_the_whole_path(robots, monkeypatch):
    clock, told = HandClock(), []

    def learn(table, settings, stock):
        told.append(settings.time_limit)
        clock.move(told[-1] if len(told) > 1 else 0.0)  # the first takes no time, the others all of theirs
        return learn_ooax(table, replace(settings, time_limit=0), stock=stock)

    monkeypatch.setattr(module, "learn", learn)
    frame = quietly(robots, [0.02, 0.01, 0.005, 0.002, 0.001], time_limit=10.0, clock=clock)
    assert told == [2.0, 2.5, 2.5, 2.5, 2.5]
    assert clock.now() == 10.0
    assert len(frame) == 5
    assert (frame["bound"] <= frame["objective"]).all()


def test_a_time_limit_is_for_all_breakpoints(small, monkeypatch):
    clock, told = HandClock(), []

    def learn(table, settings, stock):
        told.append(settings.time_limit)
        clock.move(told[-1])
        return learn_ooax(table, replace(settings, time_limit=None), stock=stock)

    monkeypatch.setattr(module, "learn", learn)
    quietly(small, time_limit=9.0, clock=clock)
    assert told[0] == 3.0
    assert len(told) > 2
    assert all(later < sooner for sooner, later in itertools.pairwise(told))
    assert clock.now() < 9.0


def test_no_time_at_all_leaves_a_row_for_every_price(robots):
    nothing = path(robots, [0.02, 0.001], time_limit=0)
    assert len(nothing) == 2
    assert (nothing["gap"] >= 0).all()


def test_ctrl_c_ends_the_path_with_what_is_known(small, monkeypatch):
    from dataclasses import replace

    def pressed(table, settings, stock):
        learned = learn_ooax(table, settings, stock=stock)
        ended = replace(learned.certificate, termination=Termination.INTERRUPTED)
        return replace(learned, certificate=ended)

    monkeypatch.setattr(module, "learn", pressed)
    frame = quietly(small, [0.1, 0.05, 0.01])
    assert frame["proved"].tolist()[1:] == [False, False]
    assert (frame["patterns"] == frame["patterns"][0]).all()
    assert frame.certificates[2].termination is Termination.INTERRUPTED
    assert (frame["bound"] <= frame["objective"]).all()


def test_ctrl_c_while_patterns_are_mined_for_all_ends_the_path(small, monkeypatch):
    import ooa.learning.stock as stock_module

    def pressed(*args, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(stock_module, "mine_patterns", pressed)
    monkeypatch.setattr(module, "learn", pressed)  # which is not called any more
    for grid in ([0.1, 0.01], None):
        frame = quietly(small, grid)
        assert not len(frame.rule_sets[0])
        assert not frame["proved"].any()
        assert (frame["bound"] <= frame["objective"]).all()


def test_patterns_are_mined_once_for_all_prices(small, monkeypatch):
    import ooa.learning.mine as mine_module

    mined = []
    true = mine_module.mine

    def counting(*args, **options):
        mined.append(options["max_length"])
        return true(*args, **options)

    monkeypatch.setattr(mine_module, "mine", counting)
    grid = [0.1, 0.03, 0.01, 0.003]
    frame = quietly(small, grid)
    assert len(mined) == 1
    for price, proof in zip(grid, frame.certificates):
        alone = learn_ooax(small, C1=price, C2=price).certificate
        assert (proof.objective, proof.proved, proof.scope) == (alone.objective, alone.proved, alone.scope)
