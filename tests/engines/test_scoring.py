"""Rule sets evaluated by an engine say what they say in memory, of every value."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa
import pytest
from support.engines import as_arrow, for_engine, installed, lazily, mixed_rows

import ooa
from ooa.engines.scoring import fires, predicted
from ooa.errors import DataError

RULES = [
    "number >= 0.3",
    "number < -0.5 OR number > 1",
    "-3 <= whole <= 7",
    "whole > 12",
    'text = "it\'s"',
    'text != ""',
    'text in {"NULL", " x"} AND flag = true',
    "flag != true",
    "flag IS MISSING OR number IS MISSING",
    "when >= 2020-01-10 AND whole > 0",
    "day > 2021-01-10",
    "day <= 2021-01-05",
    "whole = 3",
    "price >= 0.25 AND price < 1.5",
    "price = 1.25 OR price IS MISSING",
    "stamp > 2022-03-27T01:30:00",
]


@pytest.mark.parametrize("engine", installed())
def test_as_in_memory(engine: str) -> None:
    rows = for_engine(engine, as_arrow(mixed_rows(11))).append_column("place", pa.array(range(120)))
    frame = nw.from_native(lazily(engine, rows))
    parsed = [ooa.RuleSet.parse(text) for text in RULES]
    parsed = [rules for rules in parsed if set(rules.attributes) <= set(rows.column_names)]
    asked = {f"rule{k}": fires(rules, frame) for k, rules in enumerate(parsed)}
    found = frame.with_columns(**asked).collect()
    order = np.argsort(found.get_column("place").to_numpy())
    for k, rules in enumerate(parsed):
        there = np.asarray(found.get_column(f"rule{k}").to_list())[order]
        here = rules.covers(rows).any(axis=1)
        assert there.tolist() == here.tolist(), rules


@pytest.mark.parametrize("engine", installed())
def test_predictions_and_scores_stay_with_the_rows(engine: str) -> None:
    rows = for_engine(engine, as_arrow(mixed_rows(12)))
    X, y = rows.drop_columns(["label"]), rows["label"].to_numpy()
    model = ooa.fit(X, y, C1=0.01, C2=0.01, max_length=2, max_thresholds=4)
    lazy: Any = lazily(engine, rows)
    out = nw.from_native(model.predict(lazy))
    assert isinstance(out, nw.LazyFrame)
    labels = out.collect().get_column("prediction").to_list()
    assert sorted(labels) == sorted(model.predict(X).tolist())
    assert model.score(lazy, "label") == pytest.approx(model.score(X, y))
    there = model._labelled_rows(lazy, "label")
    assert there.row_numbers.sum() == len(y)
    fires = there.row_numbers[model.rules_.covers(there.as_frame()).any(axis=1)].sum()
    assert fires == (model.predict(X) == model.rules_.positive).sum()


@pytest.mark.parametrize("engine", ["duckdb", "polars"])
def test_bounds_on_columns_that_are_no_numbers(engine: str) -> None:
    """As in memory: true counts as 1, text is an error of ours, whatever engine would compare it."""
    rules = ooa.RuleSet.parse("x >= 1")
    flags = nw.from_native(lazily(engine, pa.table({"x": [True, False, None]})))
    assert sorted(predicted(rules, flags).collect()["prediction"].to_list()) == [0, 0, 1]
    for value, words in ("a", "text"), (b"a", "values of type Binary"), ([1], "values of type List"):
        frame = nw.from_native(lazily(engine, pa.table({"x": [value]})))
        with pytest.raises(DataError, match=f"Column 'x' holds {words}.*needs numbers"):
            predicted(rules, frame)


def test_what_cannot_be_predicted() -> None:
    model = ooa.fit({"x": [1, 2, 3, 4] * 9, "z": [0, 1, 0, 1] * 9}, [0, 0, 1, 1] * 9)
    with pytest.raises(DataError, match=r"The data lack the column\(s\) 'x'"):
        model.predict(lazily("polars", pa.table({"z": [1]})))
    with pytest.raises(DataError, match="have a column 'prediction' already"):
        model.predict(lazily("polars", pa.table({"x": [1], "prediction": [1]})))


@pytest.mark.parametrize("engine", installed())
def test_numbers_that_a_short_float_would_be_rounded_to(engine: str) -> None:
    """0.3 is none of the floats of single precision, and large numbers are no longer than floats."""
    if engine == "sqlite":
        pytest.skip("SQLite has no floats of single precision")
    rows = pa.table({"x": pa.array([0.3, 0.5, 16777216.0, None, -0.0], pa.float32()), "place": range(5)})
    frame = nw.from_native(lazily(engine, rows))
    cases = [
        ooa.RuleSet([ooa.Pattern([made])])
        for made in (
            ooa.Equal("x", 0.3),
            ooa.NotEqual("x", 0.3),
            ooa.OneOf("x", [0.5, 16777217, 0]),
            ooa.Equal("x", 10**300),
            ooa.Equal("x", float(np.float32(0.3))),
        )
    ]
    found = frame.with_columns(**{f"r{k}": fires(rules, frame) for k, rules in enumerate(cases)})
    there = found.collect().sort("place")
    for k, rules in enumerate(cases):
        here = rules.covers(rows).any(axis=1)
        assert [bool(one) for one in there[f"r{k}"].to_list()] == here.tolist(), rules
