"""Why a row is predicted as it is."""

from __future__ import annotations

import datetime
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.strategies import covered, holds, rules_for, tables, texts
from support.sweeps import sweep

from ooa.errors import DataError, RuleError
from ooa.rules.ruleset import RuleSet


class TestExplain:
    RULES = RuleSet.parse(
        "age >= 30 AND bmi > 25 OR colour IN {red, blue} AND since <= 2020-01-01 OR note != x AND flag = true"
        " -> apnea = sick ELSE well"
    )
    ROW: ClassVar[dict[str, Any]] = {
        "age": 24.5,
        "bmi": 25,
        "colour": "light green",
        "since": datetime.datetime(2020, 1, 2, 6),
        "note": "x",
        "flag": None,
    }

    def test_negative(self) -> None:
        why = self.RULES.explain(self.ROW)
        assert why.label == "well"
        assert why.fired == ()
        assert list(why.missed) == list(self.RULES)
        assert str(why).splitlines() == [
            "apnea = well, as no pattern holds:",
            "  (age ≥ 30 AND bmi > 25) fails: age is 24.5, 5.5 too low; "
            "bmi is 25, which is on the open bound",
            "  (colour ∈ {blue, red} AND since ≤ 2020-01-01) fails: "
            "colour is 'light green', not one of {blue, red}; "
            "since is 2020-01-02T06:00:00, 1 day 6 h too late",
            "  (flag = true AND note ≠ x) fails: flag is missing; note is x",
        ]
        age, bmi = why.missed[self.RULES[0]]
        assert (age.value, age.distance, bmi.distance) == (24.5, -5.5, 0.0)

    def test_positive(self) -> None:
        why = self.RULES.explain({**self.ROW, "age": 31, "bmi": 40, "flag": True, "note": "y"})
        assert why.label == "sick"
        assert why.fired == (self.RULES[0], self.RULES[2])
        assert str(why).splitlines() == [
            "apnea = sick, as 2 patterns hold:",
            "  (age ≥ 30 AND bmi > 25): age is 31, bmi is 40",
            "  (flag = true AND note ≠ x): flag is true, note is y",
        ]

    def test_rows_of_any_form(self) -> None:
        frame = pd.DataFrame([{"x0": 1.0, "x1": "a"}, {"x0": 9.0, "x1": "b"}])
        rules = RuleSet.parse("x0 > 5 AND x1 = b")
        for row in (frame.iloc[1], frame.iloc[1:], frame.iloc[1].to_dict(), pl.from_pandas(frame)[1]):
            assert rules.explain(row).label == 1
        assert RuleSet.parse("x0 > 5").explain(np.array([9.0, 2.0])).fired
        assert str(RuleSet().explain({"x": 1})) == "target = 0, as there is no pattern"
        with pytest.raises(DataError, match="One row can be explained at a time, not 2"):
            rules.explain(frame)
        with pytest.raises(RuleError, match="'x1'"):
            rules.explain({"x0": 1})

    @settings(max_examples=sweep(75, of=150))
    @given(st.data())
    def test_agrees_with_predict(self, data: st.DataObject) -> None:
        table = data.draw(tables(names=texts))
        rules = data.draw(rules_for(table))
        for row in table.rows()[:2]:
            try:
                why = rules.explain(row)
            except DataError:  # a value of another kind than the rules name
                continue
            expected = covered(rules, row)
            assert [pattern in why.fired for pattern in rules] == expected
            assert (why.label == rules.positive) == any(expected)
            for misses in why.missed.values():
                assert all(not holds(miss.literal, row[miss.literal.attribute]) for miss in misses)
            assert str(why)
