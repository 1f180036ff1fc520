"""What a fit is to solve: values counted exactly, constraints checked on the rules' own predictions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from support.tiny_tables import tiny_objective, tiny_table

from ooa.constraints import max_false_positives, max_uses, min_sensitivity, monotone
from ooa.data.table import Table
from ooa.errors import OptionError, RuleError
from ooa.learning.problem import FitProblem
from ooa.objective import Objective
from ooa.rules.ruleset import RuleSet

TABLE = Table.from_any({"x": [1, 2, 3, 4, 4], "c": list("aabba")}, [0, 0, 1, 1, 0])


def problem(*constraints, table=TABLE, most=None, prices=("1/10", "1/20")) -> FitProblem:
    return FitProblem.of(table, Objective.of(*prices), most, constraints)


def test_values_on_distinct_rows_are_those_on_all_rows():
    for seed in range(50):
        rng = np.random.default_rng([1, seed])
        table, objective = tiny_table(rng), tiny_objective(rng)
        one = FitProblem.of(table, objective, None, ())
        name = table.attributes[0].name
        for text in (f"{name} IS MISSING", ""):
            rules = RuleSet.parse(text) if text else one.empty()
            assert one.value(rules) == one.count(rules).objective
        assert one.total == sum(map(Fraction, table.weight.tolist()))
        assert one.trivial <= one.value(one.empty())


def test_what_is_violated_is_named():
    rules = RuleSet.parse("x >= 3")  # one false positive
    one = problem(max_false_positives(0), min_sensitivity(0.5), max_uses("x", 0))
    assert one.violated(rules) == ["max_false_positives(most=0)", "max_uses(attribute='x', most=0)"]
    assert one.violated(one.empty()) == ["min_sensitivity(least=0.5)"]


def test_what_meets_all_constraints_violates_none():
    seen = set()
    texts = ("", "x >= 3", "x <= 3", "x >= 2", "x <= 1 OR x >= 3", "x >= 2 OR x <= 1")
    limited = max_false_positives(0), min_sensitivity(0.5)
    for constraints in (
        limited,
        (monotone("x", "increasing"), *limited),
        (max_uses("x", 0),),
        (max_uses("x", 1),),
    ):
        one = problem(*constraints)
        for text in texts * 2:  # what was told of a pattern is remembered
            rules = RuleSet.parse(text) if text else one.empty()
            assert one.meets(rules) == (one.violated(rules) == []), (constraints, text)
            seen.add(one.meets(rules))
    assert seen == {True, False}


def test_a_function_of_ones_own_is_checked_too():
    def no_error_on_the_first_row(f):
        return f.error[:1].sum() <= 0

    one = problem(no_error_on_the_first_row)
    assert one.violated(RuleSet.parse("x >= 3")) == []
    assert one.violated(RuleSet.parse("x <= 3")) == ["no_error_on_the_first_row"]
    assert not one.allows_removal
    assert not one.allows_dominance


def test_reductions_hold_beside_what_allows_them():
    free = problem()
    assert free.allows_removal
    assert free.allows_dominance
    assert problem(max_false_positives(1)).allows_removal
    assert not problem(min_sensitivity(0.5)).allows_removal
    assert not problem(max_false_positives(1), min_sensitivity(0.5)).allows_removal


def test_how_many_patterns_a_better_rule_set_can_have():
    assert problem(prices=(0, 0)).most_patterns(Fraction(1, 2)) is None
    assert problem(most=3, prices=(0, 0)).most_patterns(Fraction(1, 2)) == 3
    assert problem(most=3).most_patterns(None) == 3
    # 0.4 / (0.1 + 0.05), and no rule set is sure to err
    assert problem().most_patterns(Fraction(2, 5)) == 2
    assert problem(most=1).most_patterns(Fraction(2, 5)) == 1


def test_errors_that_nothing_avoids_are_counted_once():
    # The last two rows agree in everything; what is best beside that error takes two patterns.
    table = Table.from_any({"c": list("abzz")}, [1, 1, 1, 0])
    one = problem(table=table, prices=(0, "1/16"))
    best = one.value(RuleSet.parse("c = a OR c = b"))
    assert best == Fraction(3, 8)
    assert one.most_patterns(best) == 2


def test_a_start_that_cannot_be_one_is_refused():
    with pytest.raises(OptionError, match="start must be a RuleSet"):
        problem().check_start("x >= 3")
    with pytest.raises(RuleError, match="column 'z', which the table does not have"):
        problem().check_start(RuleSet.parse("z >= 3"))
    with pytest.raises(RuleError, match="2 patterns where at most 1 are allowed"):
        problem(most=1).check_start(RuleSet.parse("x >= 3 OR c = a"))
    problem(most=2).check_start(RuleSet.parse("x >= 3 OR c = a"))


def test_the_step_divides_every_weight_and_price():
    for seed in range(50):
        rng = np.random.default_rng([2, seed])
        table, objective = tiny_table(rng), tiny_objective(rng)
        one = FitProblem.of(table, objective, None, ())
        if one.step > 0:
            weights = [*one.rows.positive.tolist(), *one.rows.negative.tolist()]
            amounts = [*map(Fraction, weights), *(one.total * objective.cost(k) for k in range(1, 4))]
            assert all((amount / one.step).denominator == 1 for amount in amounts)
