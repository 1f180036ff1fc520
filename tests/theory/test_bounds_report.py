"""The report of bounds: every number against its theorem, and optimal rule sets against them all."""

import json
from fractions import Fraction

import numpy as np
import pytest
from support.tiny_tables import tiny_objective, tiny_table

from ooa.data.table import Table
from ooa.errors import OptionError
from ooa.learning.ooax import learn_ooax
from ooa.rules.ruleset import RuleSet
from ooa.theory.bounds_report import bounds_report


@pytest.fixture
def table():
    X = {"a": np.arange(40) % 4, "b": np.arange(40) // 10, "c": ["x", "y"] * 20}
    return Table.from_any(X, np.arange(40) < 10)


def test_the_numbers_are_those_of_the_theorems(table):
    report = bounds_report(table, 0.01, 0.02)
    assert (report.total, report.positive, report.upper) == (40, 10, Fraction(1, 4))
    assert report.most_patterns == report.most_patterns_paper == 8  # (10/40) / 0.03
    assert report.most_literals == 23  # (0.25 - 0.02) / 0.01
    assert report.longest == 3  # no more attributes; 40 * 0.05 positives would do
    assert report.frame.index.tolist() == [1, 2, 3]
    np.testing.assert_allclose(report.frame.price, [0.03, 0.04, 0.05])
    np.testing.assert_allclose(report.frame.positive_above, [1.2, 1.6, 2.0])
    np.testing.assert_allclose(report.frame.positive_above_paper, [1.2] * 3)
    np.testing.assert_allclose(report.frame.negative_at_most, [8.8, 8.4, 8.0])
    np.testing.assert_allclose(report.frame.negative_at_most_paper, [8.8] * 3)


def test_a_known_rule_set_makes_them_sharper_and_a_bad_one_does_not(table):
    report = bounds_report(table, 0.01, 0.02, known=RuleSet.parse("b <= 0"))
    assert report.upper == Fraction(3, 100)  # no error, one literal, one pattern
    assert (report.most_patterns, report.most_patterns_paper, report.longest) == (1, 8, 1)
    np.testing.assert_allclose(report.frame.negative_at_most, [0.0])
    assert "at most 1 (8)" in str(report)
    assert bounds_report(table, 0.01, 0.02, known=RuleSet.parse("b >= 1")).upper == Fraction(1, 4)


def test_useful_literals_cover_enough_positives(table):
    report = bounds_report(table, 0.05, 0.05)
    # more than 4 of 10 positives, which have b = 0: a and c split them 3, 3, 2, 2 and 5, 5
    assert (report.useful_literals, report.literals) == (8, 14)


def test_prices_of_nothing_and_of_too_much(table):
    free = bounds_report(table, 0, 0)
    assert free.most_patterns is free.most_literals is None
    assert "no bound" in str(free)
    dear = bounds_report(table, 0.2, 0.2)
    assert (dear.most_patterns, dear.longest, len(dear.frame)) == (0, 0, 0)
    assert "the empty rule set is optimal" in str(dear)
    with pytest.raises(OptionError, match="max_length"):
        bounds_report(table, max_length=0)


def test_max_length_and_wide_tables():
    X = np.random.default_rng(0).random((30, 14))
    table = Table.from_any(X, X[:, 0] > 0.5)
    report = bounds_report(table, 0.001, 0.001)
    assert report.longest == 14
    assert len(report.frame) == 10
    assert len(bounds_report(table, 0.001, 0.001, max_length=12).frame) == 12


def test_json(table):
    for prices in ((0, 0), (0.01, 0.02), (1, 1)):
        document = json.loads(json.dumps(bounds_report(table, *prices).to_dict(), allow_nan=False))
        assert document["longest"] == len(document["by_length"])


@pytest.mark.parametrize("seed", range(25))
def test_an_optimal_rule_set_meets_every_bound(seed):
    rng = np.random.default_rng(seed)
    table, objective = tiny_table(rng), tiny_objective(rng)
    learned = learn_ooax(table, C1=objective.C1, C2=objective.C2, max_patterns=None, max_length=None)
    assert learned.certificate.proved
    for known in (None, learned.rules):
        report = bounds_report(table, objective.C1, objective.C2, known=known)
        assert report.most_patterns is None or len(learned.rules) <= report.most_patterns
        assert report.most_literals is None or learned.rules.n_literals <= report.most_literals
        counts = learned.rules.covers(table)
        for pattern, covered in zip(learned.rules, counts.T):
            assert len(pattern) <= report.longest
            row = report.frame.loc[len(pattern)]
            assert table.positive[covered].sum() > row.positive_above
            assert table.negative[covered].sum() <= row.negative_at_most
