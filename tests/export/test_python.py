"""Python: the written function predicts the same."""

from __future__ import annotations

import datetime
import decimal
import math
import random
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.exporting import cases, python_function
from support.strategies import EPOCH

from ooa.rules.literal import Range
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet


def test_python_predicts_the_same() -> None:
    rng = random.Random(7)
    for case in [*cases(True), *cases(False)[:20]]:
        frame_rows = case.frame.to_dict("records")  # NaT, NA, Timestamp
        for rules, expected in zip(case.rules, case.expected):
            predict = python_function(rules)
            rows = [
                {k: v for k, v in row.items() if v is not None or rng.random() < 0.5} for row in case.rows()
            ]
            for given in (rows, frame_rows):
                labels = [predict(row) for row in given]
                assert labels == expected
                assert list(map(type, labels)) == list(map(type, expected))


def test_python_reads_every_kind_of_cell_as_predict_does() -> None:
    rules = [RuleSet.parse(text) for text in ("x = 1", "x = true", "x = '1'", "x != 1", "x IS MISSING")]
    cells: list[Any] = [
        1,
        1.0,
        np.int8(1),
        np.float32(1),
        decimal.Decimal(1),
        True,
        np.True_,
        "1",
        np.str_("1"),
        None,
    ]
    cells += [math.nan, np.float64("nan"), pd.NA, pd.NaT, np.datetime64("NaT"), decimal.Decimal("NaN")]
    cells += [2, "2", False, datetime.date(2020, 1, 1), datetime.datetime(2020, 1, 1)]
    for each in rules:
        predict = python_function(each)
        for cell in cells:
            # `predict` itself refuses cells of another kind than the rules name.
            assert predict({"x": cell}) == each.covers({"x": [cell]}).any(), (each, cell)
    times = python_function(RuleSet([Pattern([Range("t", 0.0, 0.0, time=True)])]))
    east = datetime.timezone(datetime.timedelta(hours=1))
    for cell in (
        datetime.date(1970, 1, 1),
        EPOCH,
        np.datetime64("1970-01-01"),
        np.datetime64("1970-01-01", "ns"),
    ):
        assert times({"t": cell}) == 1
    assert times({"t": datetime.datetime(1970, 1, 1, 1, tzinfo=east)}) == 1
    assert times({"t": pd.Timestamp("1970-01-01 00:00:00.000001")}) == times({"t": pd.NaT}) == times({}) == 0
    for wrong in ("30", EPOCH):
        with pytest.raises(TypeError, match="'x' must be a number"):
            python_function(RuleSet.parse("x >= 3"))({"x": wrong})
    with pytest.raises(TypeError, match="'t' must be a time"):
        times({"t": 0})
