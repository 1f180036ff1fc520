"""Whether constraints can be met, and how nearly: by search, and by going through all rule sets."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from support.brute_constraints import all_rules, evaluate, meets
from support.clocks import HandClock

from ooa.candidates.candidates import Candidates
from ooa.clock import NEVER, Deadline
from ooa.constraints import (
    budget,
    demographic_parity,
    equal_opportunity,
    forbid_together,
    max_false_negatives,
    max_false_positives,
    max_total_literals,
    max_uses,
    min_coverage,
    min_group_sensitivity,
    min_precision,
    min_sensitivity,
    min_specificity,
    not_raised_when,
    require_attribute,
    unchanged_when,
)
from ooa.data.table import Table
from ooa.errors import InfeasibleConstraints
from ooa.kernels.availability import compiled
from ooa.learning.meeting import can_be_met, nearest
from ooa.learning.ooax import learn_ooax
from ooa.learning.settings import OOAxSettings
from ooa.learning.state import Fit
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet
from ooa.search.constrained import ConstrainedSearch

pytestmark = pytest.mark.skipif(not compiled(), reason="the core was not compiled")

TEXTS = (
    "a >= 1",
    "a >= 2",
    "a <= 1",
    "b = u",
    "b = v",
    "a >= 1 AND b = u",
    "a >= 2 AND b = v",
    "a <= 1 AND b = v",
)
MOST = 3


def drawn(seed: int) -> tuple[Table, list]:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(6, 16))
    weight = rng.integers(1, 4, n) if seed % 2 else None
    columns = {"a": rng.integers(0, 4, n), "b": rng.choice(["u", "v"], n)}
    label = rng.random(n) < 0.5
    label[:2] = True, False
    table = Table.from_any(columns, label, sample_weight=weight)
    kinds = [
        lambda: min_sensitivity(round(float(rng.uniform(0.4, 1)), 2)),
        lambda: min_specificity(round(float(rng.uniform(0.4, 1)), 2)),
        lambda: max_false_positives(int(rng.integers(0, 4))),
        lambda: max_false_negatives(int(rng.integers(0, 4))),
        lambda: max_total_literals(int(rng.integers(0, 4))),
        lambda: max_uses("a", int(rng.integers(0, 2))),
        lambda: budget({"a": 2, "b": 1}, int(rng.integers(0, 3))),
        lambda: min_precision(round(float(rng.uniform(0.4, 1)), 2)),
        lambda: demographic_parity("b", round(float(rng.uniform(0, 0.4)), 2)),
        lambda: require_attribute("b"),
        lambda: forbid_together(["a", "b"]),
    ]
    chosen = rng.choice(len(kinds), int(rng.integers(1, 5)), replace=False)
    return table, [kinds[k]() for k in chosen]


def begun(table: Table, constraints: list) -> tuple[Fit, Candidates, list]:
    fit = Fit.of(table, OOAxSettings(C1="1/50", C2="1/50", max_patterns=MOST, constraints=constraints))
    patterns = [Pattern.parse(text) for text in TEXTS]
    return fit, Candidates.of_patterns(fit.problem.rows, patterns), all_rules(table, patterns, MOST)


@pytest.mark.parametrize("seed", range(30))
def test_it_says_what_going_through_all_says(seed):
    table, constraints = drawn(seed)
    fit, candidates, sets = begun(table, constraints)
    possible = any(all(meets(rules, one) for one in constraints) for rules in sets)
    told = can_be_met(fit, candidates, constraints, NEVER)
    assert told in (possible, None)
    if told:  # a rule set that meets them is known now
        assert fit.best.upper is not None
        assert all(meets(evaluate(table, tuple(fit.best.rules)), one) for one in constraints)


@pytest.mark.parametrize("seed", range(30))
def test_so_it_does_where_local_search_finds_nothing(seed, monkeypatch):
    """A set that just meets its limits is then the exact search's to find, unless it is empty."""
    monkeypatch.setattr(ConstrainedSearch, "run", lambda self, *some, **options: None)
    table, constraints = drawn(seed)
    fit, candidates, sets = begun(table, [*constraints, require_attribute("b")])
    told = can_be_met(fit, candidates, fit.problem.constraints, NEVER)
    possible = any(all(meets(rules, one) for one in fit.problem.constraints) for rules in sets)
    assert told in (possible, None)


def test_most_answers_are_known():
    told = []
    for seed in range(60):
        table, constraints = drawn(seed)
        fit, candidates, _ = begun(table, constraints)
        told.append(can_be_met(fit, candidates, constraints, NEVER))
    assert told.count(None) <= 2
    assert told.count(False) >= 8
    assert told.count(True) >= 20


def amount(rules: RuleSet, table: Table, one: object) -> Fraction:
    """How much of what the constraint limits; what is to be large counts below 0."""
    own = evaluate(table, tuple(rules))
    match one:
        case max_false_positives():
            return own.weigh(own.fires & ~table.y)
        case max_total_literals():
            return Fraction(sum(map(len, own.patterns)))
        case min_sensitivity():
            return -own.weigh(own.fires & table.y)
    raise AssertionError(one)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("one", [min_sensitivity(1), max_false_positives(0), max_total_literals(0)], ids=repr)
def test_the_nearest_is_that_of_going_through_all(seed, one):
    table, constraints = drawn(1000 + seed)
    others = [other for other in constraints if type(other) is not type(one)]
    fit, candidates, sets = begun(table, [*others, one])
    left = [RuleSet(rules.patterns) for rules in sets if all(meets(rules, other) for other in others)]
    found = nearest(fit, candidates, [*others, one], one, NEVER)
    if not left:
        assert found is None
        return
    rules, proved = found
    assert proved
    assert amount(rules, table, one) == min(amount(other, table, one) for other in left)
    limit = one.just_met(table, rules)
    met = evaluate(table, tuple(rules))
    assert meets(met, limit)
    assert all(meets(met, other) for other in others)


NOT_ON_ONE_SUM = [
    min_precision(1),
    demographic_parity("b", 0),
    equal_opportunity("b", 0),
    min_coverage("b", 1),
    min_group_sensitivity("b", 1),
]


@pytest.mark.parametrize("one", NOT_ON_ONE_SUM, ids=repr)
def test_the_nearest_limit_that_is_not_on_one_sum(one):
    conflicts = 0
    for seed in range(2000, 2003):
        table, constraints = drawn(seed)
        told = type(one), min_sensitivity, max_false_positives
        others = [other for other in constraints[:1] if not isinstance(other, told)]
        others += [min_sensitivity(0.6), max_false_positives(2)]
        fit, candidates, sets = begun(table, [*others, one])
        left = [RuleSet(rules.patterns) for rules in sets if all(meets(rules, other) for other in others)]
        if not left or any(meets(evaluate(table, tuple(rules)), one) for rules in left):
            continue  # nothing to come near to
        conflicts += 1
        found = nearest(fit, candidates, [*others, one], one, NEVER)
        assert found is not None
        rules, proved = found
        assert proved
        limits = [one.just_met(table, other).number(one.limit) for other in left]
        best = max(limits) if one.tighter == 1 else min(limits)
        assert one.just_met(table, rules).number(one.limit) == best
        assert all(meets(evaluate(table, tuple(rules)), other) for other in others)
    assert conflicts >= 1


def test_without_time_nothing_is_claimed():
    table, _ = drawn(3)
    wanted = [min_sensitivity(1), max_false_positives(0), max_total_literals(1)]
    fit, candidates, _ = begun(table, wanted)
    assert can_be_met(fit, candidates, wanted, Deadline.after(0.0, HandClock())) is None


def test_just_met_is_the_limit_itself():
    table = Table.from_any({"x": [1, 2, 3, 4], "y": [0, 1, 1, 0]}, [0, 1, 0, 1], sample_weight=[1, 2, 3, 1])
    rules = RuleSet.parse("x >= 3 OR (x >= 2 AND y = 1)")
    limits = {
        max_false_positives(0): max_false_positives(3),
        max_false_negatives(9): max_false_negatives(0),
        min_sensitivity(0.1): min_sensitivity(1.0),
        min_specificity(0): min_specificity(0.25),
        max_uses("x", 0): max_uses("x", 2),
        max_total_literals(0): max_total_literals(3),
        budget({"x": 1.5, "z": 7}, 0): budget({"x": 1.5, "z": 7}, 1.5),
        min_precision(0.1): min_precision(0.5),
        demographic_parity("y", 0): demographic_parity("y", 0.5),
        min_coverage("y", 1): min_coverage("y", 0.5),
        unchanged_when("x", -1): unchanged_when("x", -1, 0.2858),
        not_raised_when("x", -1, 1): not_raised_when("x", -1, 0.0),
    }
    assert {one: one.just_met(table, rules) for one in limits} == limits
    assert require_attribute("x").just_met(table, rules) is None


def test_a_fit_says_how_far_off_it_is():
    table = Table.from_any({"x": [1, 2, 3, 4, 5, 6, 7, 8]}, [0, 1, 0, 0, 0, 1, 1, 1])
    told = {"C1": "1/50", "C2": "1/50", "max_patterns": 1}
    with pytest.raises(InfeasibleConstraints) as caught:
        learn_ooax(table, constraints=[min_sensitivity(1), max_false_positives(2)], **told)
    said = str(caught.value)
    assert "together: min_sensitivity(least=1) and max_false_positives(most=2)" in said
    assert "met beside the other is min_sensitivity(least=0.75); the nearest to max_false_positives" in said
    assert "met beside the other is max_false_positives(most=3)" in said
    alone = [max_total_literals(0), min_sensitivity(0.5), max_false_positives(3)]
    with pytest.raises(InfeasibleConstraints, match=r"max_total_literals\(most=0\) and min_sensitivity"):
        learn_ooax(table, constraints=alone, **told)


def test_what_was_looked_at_in_part_is_not_said_of_all(monkeypatch):
    """An ILP over some of the candidates that nothing meets says nothing about the others."""
    rng = np.random.default_rng(5)
    columns = {name: rng.integers(0, 6, 80) for name in "abcd"}
    label = (columns["a"] >= 3) | (columns["b"] >= 4)
    table = Table.from_any(columns, label)
    settings = OOAxSettings(
        C1="1/500", C2="1/500", max_candidates=1, selection="ilp", max_length=1, max_patterns=2
    )
    wanted = replace(settings, constraints=[min_sensitivity(1), max_false_positives(0)])
    monkeypatch.setattr("ooa.learning.ooax.improve_by_plan", lambda *args: None)  # nothing is known before
    with pytest.raises(InfeasibleConstraints, match="candidates that were looked at"):
        learn_ooax(table, replace(wanted, without=("incumbent",)))


@pytest.mark.parametrize("kind", [demographic_parity, min_coverage])
def test_rows_without_a_group_are_none_at_another_limit(kind):
    table = Table.from_any({"x": [1, 2, 3, 4]}, [0, 1, 0, 1])
    group = ["f", "m", None, "f"]
    one = kind(group, 0)
    assert one.at(0.5) == kind(group, 0.5)
    assert one.at(0.5).rates(table, RuleSet.parse("x >= 3")) == [[Fraction(1, 2), Fraction(0)]]
    assert one.just_met(table, RuleSet.parse("x >= 4")) in (kind(group, 0.5), kind(group, 0.0))
