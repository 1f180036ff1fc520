"""Where numbers are cut: by every strategy, and by hand."""

from __future__ import annotations

import datetime as dt
import math

import numpy as np
import pandas as pd
import pytest
from support.literal_tables import made, micro, names

from ooa.candidates.generate import candidate_literals
from ooa.candidates.thresholds import LEAST_ROWS, Cutting, numeric_cuts
from ooa.clock import Deadline, WorkClock
from ooa.data.table import Table
from ooa.errors import OptionError
from ooa.learning.ooax import learn_ooax
from ooa.rules.literal import Range


def test_auto_takes_every_value_or_what_labels_and_quantiles_ask_for() -> None:
    y = np.arange(100) >= 42
    table = made({"few": np.arange(100) % 10, "many": np.arange(100)}, y)
    cuts = numeric_cuts(table, "auto", 9)
    assert [c.above for c in cuts["few"]] == list(range(1, 10))
    assert 42 in [c.above for c in cuts["many"]]
    assert len(cuts["many"]) == 9
    assert len(numeric_cuts(table, "distinct", 9)["many"]) == 99
    assert [c.above for c in numeric_cuts(table, "quantiles", 3)["many"]] == [25, 50, 75]


def test_auto_has_the_cut_that_one_look_at_the_column_shows() -> None:
    """A column of 14 values, most rows at the lowest, whose rule is >= 9."""
    rng = np.random.default_rng(4)
    x = np.where(rng.random(400) < 0.9, rng.integers(0, 3, 400), rng.integers(3, 14, 400))
    table = made({"x": x, "noise": rng.random(400)}, x >= 9)
    for limit in (1, 9, 15):
        assert 9 in [c.above for c in numeric_cuts(table, "auto", limit)["x"]]
    assert 9 not in [c.above for c in numeric_cuts(table, "quantiles", 9)["x"]]
    learned = learn_ooax(table, progress=False)
    assert str(learned.rules.patterns[0]) == "x ≥ 9"
    assert learned.certificate.proved


def test_auto_has_the_cuts_of_mdl() -> None:
    rng = np.random.default_rng(5)
    X = {f"x{j}": rng.random(120).round(2) for j in range(30)}
    table = made(X, (X["x0"] > 0.3) & (X["x0"] < 0.6) ^ (X["x1"] > 0.8))
    for limit in (2, 9, 15):
        chosen, by_labels = (numeric_cuts(table, way, limit) for way in ("auto", "mdl"))
        assert all(set(by_labels[name]) <= set(chosen[name]) for name in X)
        assert any(by_labels.values())
        assert all(len(cuts) == limit for cuts in chosen.values())


def test_quantiles_follow_the_weights() -> None:
    table = made({"x": [1, 2, 3, 4, 5, 6]}, sample_weight=[10, 1, 1, 1, 1, 1])
    assert [c.above for c in numeric_cuts(table, "quantiles", 1)["x"]] == [2]
    skewed = made({"x": [0] * 95 + [1, 2, 3, 4, 5]})
    assert [c.above for c in numeric_cuts(skewed, "quantiles", 4)["x"]] == [1]


def test_supervised_cuts_find_the_change_of_label() -> None:
    rng = np.random.default_rng(0)
    x, noise = np.arange(200.0), rng.random(200)
    table = made({"x": x, "noise": noise}, (x >= 60) & (x < 130))
    for strategy in ("mdl", "tree"):
        assert [c.above for c in numeric_cuts(table, strategy, 2)["x"]] == [60, 130]
        best = numeric_cuts(table, strategy, 1)["x"]
        assert [c.above for c in best] in ([60], [130])
    assert numeric_cuts(table, "mdl", 9)["noise"] == []


def naive_mdl(values: list[float], labels: list[bool]) -> list[float]:
    """Fayyad and Irani's recursion, one row at a time; returns the value after every accepted cut."""

    def entropy(part: list[bool]) -> float:
        p = sum(part) / len(part)
        return -sum(q * math.log2(q) for q in (p, 1 - p) if q > 0)

    n = len(values)
    cuts = [i for i in range(1, n) if values[i - 1] < values[i]]
    if not cuts:
        return []
    gain = {
        i: entropy(labels) - i / n * entropy(labels[:i]) - (n - i) / n * entropy(labels[i:]) for i in cuts
    }
    best = max(cuts, key=lambda i: (round(gain[i], 12), -i))
    left, right = labels[:best], labels[best:]
    k, k1, k2 = (len(set(part)) for part in (labels, left, right))
    delta = math.log2(3**k - 2) - (k * entropy(labels) - k1 * entropy(left) - k2 * entropy(right))
    if gain[best] <= (math.log2(n - 1) + delta) / n:
        return []
    below = naive_mdl(values[:best], left)
    return [*below, values[best], *naive_mdl(values[best:], right)]


def test_mdl_against_the_recursion() -> None:
    rng = np.random.default_rng(3)
    accepted = 0
    for _ in range(90):
        n = int(rng.integers(4, 60))
        x = np.sort(rng.integers(0, 12, n)).astype(float)
        y = (rng.random(n) < 0.15) ^ (x > rng.integers(0, 12)) ^ (x > rng.integers(0, 12))
        if y.all() or not y.any():
            continue
        cuts = numeric_cuts(made({"x": x}, y), "mdl", 99)["x"]
        expected = naive_mdl(x.tolist(), y.tolist())
        observed = [float(x[x >= cut.above].min()) for cut in cuts]
        assert observed == expected
        accepted += len(expected)
    assert accepted > 20


def test_tree_tells_close_values_apart() -> None:
    x = np.array([1.0, np.nextafter(1, 2), 1e300, np.nextafter(1e300, np.inf)])
    table = made({"x": np.tile(x, 5)}, np.tile([0, 1, 1, 0], 5))
    assert [c.above for c in numeric_cuts(table, "tree", 9)["x"]] == [x[1], x[3]]


def test_times_are_cut_at_calendar_units_where_round_numbers_are_asked_for() -> None:
    days = pd.date_range("2020-01-01", periods=400)
    table = made({"day": days})
    assert numeric_cuts(table, "round", 9) == numeric_cuts(table, "auto", 9)


def test_cuts_by_hand() -> None:
    table = made({"age": [10, 20, 30, 40], "bmi": [1.5, 2.5, 3.5, 4.5], "c": ["a", "b", "c", "d"]})
    literals = candidate_literals(table, thresholds={"age": [30, 15, 30.0, 99]}, ranges=True)
    assert names(literals)[:5] == ["age < 15", "age ≥ 15", "age < 30", "age ≥ 30", "15 ≤ age < 30"]
    assert sum(literals.attribute == 1) == 9  # the other column is cut as usual: 3 cuts, 3 ranges
    for thresholds, message in [
        ({"z": [1]}, "thresholds names 'z', which is not a numeric column"),
        ({"c": [1]}, "thresholds names 'c'"),
        ({"age": 5}, "of 'age' must be a list"),
        ({"age": ["5"]}, "The threshold '5' of 'age' is not a finite number"),
        ({"age": [math.nan]}, "not a finite number"),
        ({"age": [True]}, "not a finite number"),
        ("deciles", "thresholds='deciles' must be one of auto, distinct"),
    ]:
        with pytest.raises(OptionError, match=message):
            candidate_literals(table, thresholds=thresholds)
    for limit in (0, 1.5, True):
        with pytest.raises(OptionError, match="max_thresholds"):
            candidate_literals(table, max_thresholds=limit)


def test_cuts_by_hand_of_times() -> None:
    table = made({"t": pd.to_datetime(["2020-01-01", "2020-06-01", "2021-01-01"]).tz_localize("Asia/Tokyo")})
    expected = Range("t", low=micro(2020, 3, 1), time=True)
    zoned = dt.datetime(2020, 3, 1, 1, tzinfo=dt.timezone(dt.timedelta(hours=1)))
    for cut in ("2020-03-01", dt.datetime(2020, 3, 1), np.datetime64("2020-03-01"), micro(2020, 3, 1), zoned):
        assert candidate_literals(table, thresholds={"t": [cut]}).literals[1] == expected
    assert "t ≤ 2020-01-01" in names(
        candidate_literals(made({"t": pd.to_datetime(["2020-01-01", "2020-01-02"])}))
    )
    with pytest.raises(OptionError, match="The threshold 'soon' of 't' is not a time"):
        candidate_literals(table, thresholds={"t": ["soon"]})


def test_cuts_are_chosen_by_some_rows_where_there_is_no_time_for_all() -> None:
    x = np.random.default_rng(0).random(40_000)
    table = Table.from_any({"x": x, "y": x[::-1]}, x > 0.3)
    hurry, ease = (Deadline.after(seconds, WorkClock(1e-6)) for seconds in (0.001, 1.0))
    found = Cutting(table, "auto", 5, hurry)
    assert found.every == 40_000 // LEAST_ROWS
    assert any(abs(cut.above - 0.3) < 0.01 for cut in found.cuts(table.columns[0]))
    assert Cutting(table, "auto", 5, ease).every == 1
    some = table.subset(np.arange(LEAST_ROWS))
    assert Cutting(some, "auto", 5, Deadline.after(0.0, WorkClock())).every == 1  # few rows take no time
    assert "one row in 4" in candidate_literals(table, deadline=hurry).note
    assert candidate_literals(table, deadline=ease).note == ""
