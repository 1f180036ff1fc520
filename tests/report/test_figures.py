"""What the report counts."""

from __future__ import annotations

import numpy as np
import pytest
from support.report_pages import Page, learned, parts_of, small

from ooa.data.amounts import amount, percent
from ooa.data.table import Table
from ooa.datasets import apnea_survey
from ooa.learning.certificate import count
from ooa.objective import Objective
from ooa.report.figures import take_stock
from ooa.report.page import write_report
from ooa.rules.confusion import Confusion
from ooa.rules.ruleset import RuleSet
from ooa.rules.tally import Tally


def test_figures_agree_with_the_statistics_of_the_rules() -> None:
    data = apnea_survey(300)
    weight = np.arange(300) % 3 * 0.75
    table = Table.from_any(data.X, data.y, sample_weight=weight)
    assert data.rules is not None
    one = learned(data.rules, table)
    figures = take_stock(*parts_of(one), table)
    expected = one.rules.statistics(data.X, data.y, weight)
    training = figures.training
    assert training is not None
    assert training.weighed is not None
    for prefix, tally in (("", training.rows), ("weighted_", training.weighed)):
        for name, mine in {
            "support": [p.support for p in tally.patterns],
            "positives": [p.confusion.found for p in tally.patterns],
            "marginal_coverage": [p.alone for p in tally.patterns],
        }.items():
            assert np.allclose(expected[f"{prefix}{name}"], mine), name
    for k, pattern in enumerate(training.weighed.patterns):
        rest = RuleSet([p for p in one.rules if p != one.rules[k]])
        without = count(rest, table, Objective.of(0, 0)).errors
        assert float(without - one.certificate.errors) == pytest.approx(pattern.saves)
    assert training.weighed.confusion.errors == pytest.approx(float(one.certificate.errors))
    assert training.rows.confusion.errors == one.certificate.wrong_rows


def test_training_and_test_stand_side_by_side() -> None:
    data = apnea_survey(300)
    assert data.rules is not None
    rows = [slice(0, 200), slice(200, 300)]
    known, others = (Table.from_any(data.X.iloc[part], data.y.iloc[part]) for part in rows)
    one = learned(data.rules, known)
    figures = take_stock(*parts_of(one), known, others)
    assert [tally.name for tally in figures.tallies] == ["Training", "Test"]
    page = Page(write_report(one, known, test=others))
    for part, tally in zip(rows, figures.tallies):
        predicted = np.asarray(data.rules.predict(data.X.iloc[part])) == data.rules.positive
        actual = np.asarray(data.y.iloc[part]) == data.rules.positive
        assert tally.confusion == Confusion.of(predicted, actual)
    for name in ("accuracy", "sensitivity", "specificity", "ppv", "npv"):
        cells = "".join(cell(tally, name) for tally in figures.tallies)
        assert cells in page.words, cells
    for k in range(len(data.rules)):
        first, second = (tally.patterns[k] for tally in figures.tallies)
        support = f"{k + 1}{amount(first.support)}{amount(second.support)}"
        precision = "".join(percent(p.confusion.found, p.support) for p in (first, second))
        assert support + precision in page.words


def cell(tally: Tally, name: str) -> str:
    part, whole = tally.confusion.rates[name]
    return f"{percent(part, whole)}{amount(part)} of {amount(whole)}"


def test_people_are_counted_before_weights() -> None:
    # Every positive counts for seven: of 22 rows covered 2 are positive, and by weight 14 of 34.
    X = {"x": [1] * 22 + [0] * 76}
    y = [1] * 2 + [0] * 20 + [1] * 6 + [0] * 70
    table = Table.from_any(X, y, class_weight={1: 7, 0: 1})
    page = Page(write_report(learned(RuleSet.parse("x >= 1"), table), table))
    assert "Right when predicting positive9.1 %2 of 22 rows41.2 % by weight" in page.words
    assert "covers 22 rows, 9.1 % of them positive (by weight 41.2 %)" in page.words
    assert "Of 98 rows, 8 are target = 1: 2 found, 6 missed." in page.words
    assert "by weight for 56 and 90" in page.words
    assert "for a weight of 62 wrong of 146 (26 of 98 rows)" in page.words
    assert "RateRowsBy weightRight in all (accuracy)73.5 %72 of 9857.5 %84 of 146" in page.words
    plain = Page(write_report(learned(RuleSet.parse("x >= 1"), Table.from_any(X, y)), Table.from_any(X, y)))
    assert "weight" not in plain.words.replace("SHA-256 of columns, labels and weights", "")


def test_errors_that_nothing_avoids_are_rows() -> None:
    table = Table.from_any({"x": [1, 1, 1, 0]}, [1, 0, 0, 0], sample_weight=[5, 1, 1, 1])
    figures = take_stock(*parts_of(learned(RuleSet.parse("x >= 1"), table)), table)
    assert figures.main.unavoidable == 1
    rules, plain = small()
    assert take_stock(*parts_of(learned(rules, plain)), plain).main.unavoidable == 0


def test_counts_and_shares_never_lie() -> None:
    assert [amount(n) for n in (0.0, 1234.0, 0.5, 1e20)] == ["0", "1,234", "0.5", "1e+20"]
    assert percent(1999, 2000) == "> 99.9 %"
    assert percent(1, 2001) == "< 0.1 %"
