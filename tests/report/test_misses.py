"""The rows that are predicted wrong, and what they lack."""

from __future__ import annotations

import numpy as np
import pandas as pd
from support.report_pages import learned, parts_of, small

from ooa.data.table import Table
from ooa.report.figures import take_stock
from ooa.report.misses import wrong_rows
from ooa.report.page import write_report
from ooa.rules.literal import Equal, Range
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet


def test_wrong_rows_are_named_with_what_they_lack() -> None:
    rules, table = small()
    wrong = wrong_rows(take_stock(*parts_of(learned(rules, table)), table))
    assert (wrong.n_missed, wrong.n_alarms, wrong.by_lack, wrong.by_pattern) == (2, 1, {1: 2}, (0, 1))
    assert [(one.rows, one.pattern, one.as_near, one.lacks) for one in wrong.missed] == [
        ((4,), 1, (2,), ("age is missing",)),
        ((5,), 1, (), ("age is 33, 27 too low",)),
    ]
    assert [(one.rows, one.values, one.patterns) for one in wrong.alarms] == [
        ((6,), {"age": "58", "job": "nurse"}, (2,))
    ]


def test_rows_alike_for_the_rules_are_one_entry_and_the_list_is_bounded() -> None:
    n = 400
    X = pd.DataFrame({"a": ["u", "v"] * (n // 2), "x": np.arange(n) % 40, "other": np.arange(n)})
    table = Table.from_any(X, np.arange(n) % 2)
    one = learned(RuleSet([Pattern([Equal("a", "u")])]), table)
    wrong = wrong_rows(take_stock(*parts_of(one), table))
    assert [(len(group.rows), group.lacks) for group in wrong.missed] == [(200, ("a is v, not u",))]
    assert [len(group.rows) for group in wrong.alarms] == [200]
    many = wrong_rows(take_stock(*parts_of(learned(RuleSet([Pattern([Range("x", low=100)])]), table)), table))
    assert (len(many.missed), many.missed_groups, many.n_missed) == (12, 20, 200)
    assert "1, 3, 5, 7, 9, 11 and 194 more" in write_report(one, table)
