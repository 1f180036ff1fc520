"""What limits cost: the same optima as by brute force, what settles what, limits that nothing meets."""

from __future__ import annotations

import pickle
import warnings
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from support.brute_constraints import all_patterns, all_rules, best
from support.clocks import HandClock
from support.fake_backends import BruteForce

from ooa.constraints import (
    demographic_parity,
    max_false_negatives,
    max_false_positives,
    max_total_literals,
    min_precision,
    min_sensitivity,
    require_pattern,
)
from ooa.data.table import Table
from ooa.errors import LicenseLimit, OOAWarning, OptionError, SolverError
from ooa.explore import trade_off as module
from ooa.explore.trade_off import trade_off
from ooa.learning.ooax import learn_ooax
from ooa.objective import Objective
from ooa.rules.ruleset import RuleSet
from ooa.solving import RawResult, Termination

COLUMNS = ["limit", "errors", "false_negatives", "false_positives", "literals", "patterns", "objective"]
COLUMNS += ["price", "bound", "gap", "proved", "known", "scope", "rules"]
KINDS = {
    "sensitivity": (min_sensitivity, [0.3, 0.5, 0.7, 0.9, 1.0]),
    "false positives": (max_false_positives, [5, 2, 1, 0]),
    "precision": (min_precision, [0.5, 0.8, 1.0]),
    "literals": (max_total_literals, [4, 2, 1, 0]),
    "parity": (lambda gap: demographic_parity("b", gap), [1, 0.5, 0.2, 0.0]),
    "both": (lambda most: [max_false_positives(most), max_false_negatives(most)], [8, 4, 3, 1, 0]),
}


def tiny(seed: int) -> Table:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(8, 16))
    columns = {"a": rng.integers(0, 4, n), "b": rng.choice(["u", "v"], n)}
    label = (columns["a"] >= 2) ^ (rng.random(n) < 0.3)
    label[:2] = True, False
    return Table.from_any(columns, label)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_every_point_is_that_of_brute_force(kind, seed):
    constraint, grid = KINDS[kind]
    table, prices = tiny(seed), Objective.of("1/40", "1/50")
    told = {"C1": "1/40", "C2": "1/50", "max_patterns": 2, "max_length": 2, "thresholds": "distinct"}
    frame = trade_off(table, constraint, grid, ranges=True, **told)
    sets = all_rules(table, all_patterns(table), 2)
    for line, rules, found in zip(frame.itertuples(), frame.rule_sets, frame.certificates):
        made = constraint(line.limit)
        least, _ = best(sets, prices, made if isinstance(made, list) else [made])
        assert line.proved
        if least is None:
            assert rules is None
            assert line.known == "no rule set meets it"
            assert line.bound == np.inf
        else:
            assert found.objective == least / table.n_rows
            assert found.bound == found.objective
            assert line.price == pytest.approx(float(found.objective - frame.free.certificate.objective))
    values = [
        found.objective for found, rules in zip(frame.certificates, frame.rule_sets) if rules is not None
    ]
    assert values == sorted(values)  # from loose to tight


def test_the_frame():
    table = tiny(1)
    frame = trade_off(table, max_false_positives, [0, 2], C1="1/40", C2="1/50")
    assert list(frame.columns) == COLUMNS
    assert frame["limit"].tolist() == [0, 2]  # in the order of the grid
    assert frame.constraint == "max_false_positives"
    for line, rules, found in zip(frame.itertuples(), frame.rule_sets, frame.certificates):
        fires = rules.covers(table.as_frame()).any(axis=1)
        assert line.false_positives == (fires & ~table.y).sum() <= line.limit
        assert line.false_negatives == (~fires & table.y).sum()
        assert line.errors == line.false_positives + line.false_negatives == float(found.errors)
        assert RuleSet.parse(line.rules) == rules
        assert line.scope == found.statement
    assert "2 limits of max_false_positives, 2 of them settled" in frame._repr_html_()
    assert type(frame[frame["proved"]]) is pd.DataFrame
    assert pickle.loads(pickle.dumps(frame)).rule_sets == frame.rule_sets
    lambdas = trade_off(table, lambda gap: demographic_parity("b", gap), [0.5], C1="1/40", C2="1/50")
    assert lambdas.constraint == "demographic_parity"


def counted(monkeypatch) -> list[tuple]:
    """The constraints of every fit."""
    told = []

    def learn(table, settings, stock=None):
        told.append(settings.constraints)
        return real(table, settings, stock)

    real = module.learn
    monkeypatch.setattr(module, "learn", learn)
    return told


def test_what_others_settle_is_not_solved(monkeypatch):
    table = Table.from_any({"x": [1, 2, 3, 4, 5, 6, 7, 8]}, [0, 1, 0, 0, 0, 1, 1, 1])
    told = counted(monkeypatch)
    frame = trade_off(table, min_sensitivity, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 1.0], C1="1/50", C2="1/50")
    assert frame["proved"].all()
    # Three of four positives, or all of them: a fit without the constraint, and one at the tightest limit.
    assert told == [(), (min_sensitivity(1.0),)]
    assert {found.proof for found in frame.certificates[:7]} == {"looser limit"}
    assert frame["false_negatives"].tolist() == [1] * 7 + [0]


def test_functions_of_ones_own_hand_on_rule_sets_but_no_bounds(monkeypatch):
    table = Table.from_any({"x": [1, 2, 3, 4, 5, 6, 7, 8]}, [0, 0, 0, 1, 0, 1, 1, 1])
    told = counted(monkeypatch)

    def few(limit):
        return lambda f: f.error[~f.label].sum() <= limit

    own = trade_off(table, few, [3, 0, 1], C1="1/40", C2="1/50", max_length=2)
    ready = trade_off(table, max_false_positives, [3, 0, 1], C1="1/40", C2="1/50", max_length=2)
    assert own["objective"].tolist() == ready["objective"].tolist()
    assert own["proved"].all()
    assert own.constraint == "few"
    assert [len(constraints) for constraints in told] == [0, 1, 0, 1]  # at 0 alone the free one does not do


def test_required_patterns_are_candidates_everywhere():
    """One family of rule sets for all limits: otherwise what is proved without a pattern is not about it."""
    table = Table.from_any({"x": [1, 2, 3, 4, 5, 6], "y": [0, 1, 0, 1, 0, 1]}, [0, 0, 1, 1, 1, 1])
    told = {"C1": "1/100", "C2": "1/100", "thresholds": {"x": [100], "y": [100]}, "max_length": 1}
    frame = trade_off(table, require_pattern, ["x >= 3", "x >= 2"], **told)
    assert frame["errors"].tolist() == [0, 1]
    assert frame.free.certificate.errors == 0
    for found in frame.certificates:
        assert found.bound <= found.objective
    assert (frame["price"] >= 0).all()


@pytest.mark.parametrize("stocked", [True, False])
def test_what_one_limit_requires_is_a_candidate_at_another(stocked, monkeypatch):
    """Also where patterns are too many to be mined once for all fits, so that every fit sees to itself."""
    if not stocked:
        monkeypatch.setattr(module.Stock, "fill", lambda self, table, settings: True)
    rows = [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)] * 3
    table = Table.from_any(dict(zip("abc", zip(*rows))), [int(a and b) for a, b, _ in rows])
    told = {"C1": "1/100", "C2": "1/100", "max_length": 1}
    frame = trade_off(table, require_pattern, ["c >= 1", "a >= 1 AND b >= 1"], **told)
    assert frame["patterns"].tolist() == [2, 1]  # "c >= 1" is wrong about 9 rows, and 3 positives are left
    assert frame["errors"].tolist() == [9, 0]
    assert frame["proved"].all()
    assert frame.free.certificate.errors == 0


def test_patterns_that_do_not_pay_without_the_constraint_are_candidates():
    table = Table.from_any({"x": range(1, 13)}, [1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1])
    told = {"C1": "1/10", "C2": "1/10", "max_length": 1}
    frame = trade_off(table, min_sensitivity, [0.5, 1.0], **told)
    assert frame["errors"].tolist() == [1, 0]  # "x <= 1" covers one positive, and costs 2.4 errors
    assert frame["proved"].all()
    alone = learn_ooax(table, constraints=[min_sensitivity(1.0)], **told).certificate
    assert frame.certificates[1].objective == alone.objective


def test_other_constraints_hold_at_every_limit():
    table = tiny(2)
    told = {"C1": "1/40", "C2": "1/50", "constraints": [max_total_literals(1)], "max_length": 2}
    frame = trade_off(table, min_sensitivity, [0.5, 1.0], **told)
    assert all(rules is None or rules.n_literals <= 1 for rules in frame.rule_sets)
    assert frame.free.rules.n_literals <= 1
    nothing = trade_off(table, min_sensitivity, [0.5, 1.0], **told | {"constraints": [max_total_literals(0)]})
    assert nothing["known"].tolist() == ["no rule set meets it"] * 2
    assert nothing["proved"].all()
    assert nothing.rule_sets == (None, None)
    assert "max_total_literals" in nothing["scope"][0]


def test_without_time_what_is_known_is_returned():
    table = tiny(4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        frame = trade_off(table, min_sensitivity, [0.9, 0.0], time_limit=0, clock=HandClock())
    assert not frame["proved"].any()
    assert frame.rule_sets[1] is not None
    assert frame.certificates[1].bound < frame.certificates[1].objective


def test_a_start_is_known_at_every_limit_that_it_meets():
    table = tiny(5)
    start = RuleSet.parse("a >= 0")  # everything
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        frame = trade_off(table, min_sensitivity, [1.0], time_limit=0, clock=HandClock(), start=start)
    assert frame.rule_sets[0] is not None
    assert frame["false_negatives"].tolist() == [0]


@pytest.mark.parametrize(
    ("constraint", "grid", "words"),
    [
        (3, [1], "constraint must be a function of the limit, not 3"),
        (demographic_parity, [0.1], "constraint must be a function of the limit alone"),
        (lambda limit: limit, [0.1], "constraint must return a constraint or a list of them, not 0.1"),
        (min_sensitivity, [], "grid has no limits"),
        (min_sensitivity, 0.5, "grid must be a collection of limits"),
        (min_sensitivity, [2.0], "least must be a number between 0 and 1"),
        (min_sensitivity, [0.5, [0.9]], r"grid has a limit that cannot be one, \[0.9\]"),
    ],
)
def test_what_cannot_be_meant_is_refused(constraint, grid, words):
    with pytest.raises(OptionError, match=words):
        trade_off(tiny(0), constraint, grid)


def test_limits_that_cannot_be_compared():
    frame = trade_off(tiny(0), min_precision, ["1/2", 0.6])
    assert frame["limit"].tolist() == ["1/2", 0.6]
    assert frame["proved"].all()


def test_a_limit_implies_looser_ones():
    assert min_sensitivity("0.9").implies(min_sensitivity(0.9))
    assert not min_sensitivity(0.8).implies(min_sensitivity(0.9))
    assert max_false_positives(3).implies(max_false_positives(4))
    assert not max_false_positives(3).implies(max_false_negatives(4))
    gap = demographic_parity("b", 0.1)
    assert gap.implies(replace(gap, gap=Fraction(1, 2)))
    assert not gap.implies(demographic_parity("a", 0.5))
    assert not require_pattern("a >= 2").implies(require_pattern("a >= 3"))


def sensitivity(rules: RuleSet, table: Table) -> float:
    return float(rules.covers(table.as_frame()).any(axis=1)[table.y].mean())


FAULTS = {
    "raises": SolverError("it broke"),
    "no memory": MemoryError(),
    "Ctrl-C": KeyboardInterrupt(),
    "too large": LicenseLimit("too large"),
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
@pytest.mark.parametrize("number", [1, 2])
def test_a_fit_that_fails_loses_nothing_of_the_others(small, monkeypatch, fault, number):
    """Without the constraint, and at the first limit."""
    limits = [0.5, 0.7, 1.0]
    whole = trade_off(small, min_sensitivity, limits, C1=0.01, C2=0.01)
    calls = []

    def learn(*told):
        calls.append(told)
        if len(calls) == number:
            raise fault
        return learn_of_all(*told)

    learn_of_all = module.learn
    monkeypatch.setattr(module, "learn", learn)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        frame = trade_off(small, min_sensitivity, limits, C1=0.01, C2=0.01)
    told = [str(one.message) for one in caught if issubclass(one.category, OOAWarning)]
    assert len(told) == (not isinstance(fault, KeyboardInterrupt))
    assert all("nothing was found" in words for words in told)
    assert len(frame) == 3
    for limit, rules, certificate, least in zip(
        limits, frame.rule_sets, frame.certificates, whole["objective"], strict=True
    ):
        assert certificate.bound <= least + 1e-9
        if rules is not None:
            assert sensitivity(rules, small) >= limit
            assert certificate.objective >= least - 1e-9
            assert not certificate.proved or certificate.objective == pytest.approx(least)


@pytest.mark.parametrize("fault", ["raises", "no memory", "lies", "nothing"])
@pytest.mark.parametrize("method", ["ooax", "ooa"])
def test_a_solver_that_fails_leaves_what_is_known_and_labelled(small, fault, method):
    class Fails(BruteForce):
        def run(self, params, start, monitor):
            if fault in ("raises", "no memory"):
                raise FAULTS[fault]
            if fault == "nothing":
                return None
            return RawResult(Termination.INFEASIBLE, "infeasible")

    how = {"selection": "ilp"} if method == "ooax" else {"decompose": False, "max_patterns": 2}
    how |= {"C1": 0.01, "C2": 0.01, "method": method, "time_limit": 2}
    limits = [0.5, 1.0]
    proved = trade_off(small, min_sensitivity, limits, C1=0.01, C2=0.01, ranges=True)
    frame = trade_off(small, min_sensitivity, limits, **how, backend=Fails())
    for limit, rules, certificate, least in zip(
        limits, frame.rule_sets, frame.certificates, proved["bound"], strict=True
    ):
        assert sensitivity(rules, small) >= limit
        assert certificate.objective >= least - 1e-9
        assert certificate.bound <= certificate.objective
        assert not certificate.proved
