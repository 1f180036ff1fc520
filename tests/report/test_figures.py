"""What the report counts."""

from __future__ import annotations

import numpy as np
import pytest
from support.report_pages import learned, parts_of

from ooa.data.amounts import amount, percent
from ooa.data.table import Table
from ooa.datasets import apnea_survey
from ooa.learning.certificate import count
from ooa.objective import Objective
from ooa.report.figures import take_stock
from ooa.report.page import write_report
from ooa.rules.ruleset import RuleSet


def test_figures_agree_with_the_statistics_of_the_rules() -> None:
    data = apnea_survey(300)
    table = Table.from_any(data.X, data.y, sample_weight=np.arange(300) % 3 + 0.5)
    assert data.rules is not None
    one = learned(data.rules, table)
    figures = take_stock(*parts_of(one), table)
    expected = one.rules.statistics(data.X, data.y, np.arange(300) % 3 + 0.5)
    for name, mine in {
        "support": [p.support for p in figures.patterns],
        "positives": [p.confusion.found for p in figures.patterns],
        "marginal_coverage": [p.only_found + p.only_alarms for p in figures.patterns],
    }.items():
        assert np.allclose(expected[f"weighted_{name}"], mine), name
    for k, pattern in enumerate(figures.patterns):
        rest = RuleSet([p for p in one.rules if p != one.rules[k]])
        without = count(rest, table, Objective.of(0, 0)).errors
        assert float(without - one.certificate.errors) == pytest.approx(pattern.saves)
    assert figures.confusion.missed + figures.confusion.alarms == pytest.approx(float(one.certificate.errors))
    assert "rows are weighted" in write_report(one, table)


def test_counts_and_shares_never_lie() -> None:
    assert [amount(n) for n in (0.0, 1234.0, 0.5, 1e20)] == ["0", "1,234", "0.5", "1e+20"]
    assert percent(1999, 2000) == "> 99.9 %"
    assert percent(1, 2001) == "< 0.1 %"
