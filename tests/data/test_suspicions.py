"""Columns that look as if something else was meant, and those that do not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from ooa.cli.wording import TypedAdvice
from ooa.clock import Deadline, WorkClock
from ooa.data.suspicions import WRONG, Doubt, inspect_table
from ooa.data.table import Table
from ooa.datasets import load_dataset

N = 400
RNG = np.random.default_rng(5)
Y = RNG.random(N) < 0.1
DAYS = [f"{d}.{m}.2023" for d, m in zip(RNG.integers(1, 28, N), RNG.integers(1, 13, N))]


def doubts(column: Any, y: Any = Y, name: str = "c", **options: Any) -> list[Doubt]:
    table = Table.from_any({name: column, "other": RNG.permutation(N) / 7}, y)
    return [one.doubt for one in inspect_table(table, **options)]


@pytest.mark.parametrize(
    ("column", "doubt"),
    [
        ([f"p{i}" for i in range(N)], Doubt.UNIQUE),
        ([f"p{i // 2 if i < 40 else i}" for i in range(N)], Doubt.UNIQUE),  # a few rows twice
        (list(range(1000, 1000 + N)), Doubt.UNIQUE),
        ([f"{i:05d}" for i in range(N)], Doubt.UNIQUE),
        (["1,5", "2,25", "12,0", "3"] * 100, Doubt.DECIMALS),
        (DAYS, Doubt.DATES),
        ([*DAYS[:-3], "unknown", "unknown", "?"], Doubt.DATES),
        (["1.5", "2.5", "3", "?"] * 100, Doubt.NUMBERS),
        (["1", "2", "3", "4"] * 100, Doubt.NUMBERS),
        (["18.2%", "9 %", "-0.5%", "n/a"] * 100, Doubt.SIGNS),
        ([f"${1000 + i:,}" for i in range(N)], Doubt.SIGNS),
        (["01067", "80331"] * 200, Doubt.CODES),
        ([f"d{i % 200}" for i in range(N)], Doubt.MANY),
        ([f"{i % 200:04d}" for i in range(N)], Doubt.MANY),
        ([*["cook", "driver"] * 199, "cook", "Cook"], Doubt.SPELLINGS),
        (["DE"] * N, Doubt.CONSTANT),
        ([1.0] * N, Doubt.CONSTANT),
        (["a", None] * 200, Doubt.CONSTANT),
        (np.where(Y, "W", "N").tolist(), Doubt.DISGUISE),
        (Y.astype(int).tolist(), Doubt.DISGUISE),
        (np.where(Y, 5.0, RNG.random(N)).tolist(), Doubt.DISGUISE),
        ([3.0 if positive else None for positive in Y], Doubt.DISGUISE),  # only they have a value
    ],
)
def test_odd_columns_are_found(column: Any, doubt: Doubt) -> None:
    assert doubts(column) == [doubt]


@pytest.mark.parametrize(
    "column",
    [
        RNG.normal(size=N),
        RNG.permutation(N),  # whole numbers, all different, in no order: an amount can be so
        RNG.integers(0, 5, N),
        RNG.choice(["a", "b", "c"], N),
        RNG.random(N) < 0.5,
        pd.date_range("2020-01-01", periods=N),
        pd.Categorical(RNG.choice(["low", "high"], N), ["low", "high"], ordered=True),
        np.where(RNG.random(N) < 0.1, ~Y, Y).astype(int),  # tells much, but not all
    ],
)
def test_plain_columns_are_left_alone(column: Any) -> None:
    assert doubts(column) == []


def test_a_number_called_id_is_one_in_whatever_order() -> None:
    numbers = RNG.permutation(N)
    for name in ("id", "patient_id", "PatientID", "case no", "Fall-ID"):
        assert doubts(numbers, name=name) == [Doubt.UNIQUE], name
    for name in ("acid", "period", "kidney", "piano"):
        assert doubts(numbers, name=name) == [], name


def test_the_label_in_disguise_may_err_a_little_and_must_have_rows_to_tell() -> None:
    y = np.arange(N) < 100
    nearly, most = y.copy(), int(WRONG * N)
    nearly[:most] = False
    assert doubts(nearly.astype(int), y) == [Doubt.DISGUISE]
    nearly[: most + 1] = False
    assert doubts(nearly.astype(int), y) == []
    few = np.arange(N) < 9
    assert doubts(few.astype(int), few) == []
    rare, half = np.arange(N) < 12, np.arange(N) < 6  # right for nearly all rows, as saying no would be
    assert doubts(half.astype(int), rare) == []


@pytest.mark.parametrize(
    ("odd", "others", "sentence"),
    [
        (999, (18, 95), "has 999 in 3 rows, and otherwise 18 to 95; if that means missing: --na 999"),
        (-1, (0, 40), "has -1 in 3 rows, and otherwise 0 to 40; if that means missing: --na -1"),
        (-9999, (-20, 40), "has -9999 in 3 rows, and otherwise -20 to 40; if that means missing: --na -9999"),
        (9999, (0.5, 80), "has 9999 in 3 rows, and otherwise 0.5 to 80; if that means missing: --na 9999"),
        (1000, (18, 95), None),  # no number of this kind
        (99, (18, 95), None),  # not far from the others
        (-1, (-20, 40), None),  # one of many below 0
    ],
)
def test_numbers_that_may_mean_missing(odd: float, others: tuple[float, float], sentence: str | None) -> None:
    values = np.linspace(*others, N - 3).round(1)
    values[1::7] = others[0]
    y = np.random.default_rng(5).random(N) < 0.4
    found = inspect_table(Table.from_any({"x": np.r_[values, [odd] * 3]}, y))
    assert [TypedAdvice().sentence(one) for one in found] == ([f"Column 'x' {sentence}"] if sentence else [])
    once = inspect_table(Table.from_any({"x": np.r_[values, values[:2], odd]}, y))
    assert once == ()


def test_days_that_do_not_exist_are_named_among_dates() -> None:
    texts = [f"{1 + i % 28:02d}.{1 + i % 12:02d}.2023" for i in range(N - 3)]
    y = np.random.default_rng(5).random(N) < 0.4
    texts[3] = "31.12.2023"
    found = inspect_table(Table.from_any({"x": [*texts, "31.02.2023", "00.00.0000", "00.00.0000"]}, y))
    assert [TypedAdvice().sentence(one) for one in found] == [
        "Column 'x' holds dates as text, such as '01.01.2023': --dates day-first; if '00.00.0000' or "
        "'31.02.2023' means missing: --na 00.00.0000,31.02.2023"
    ]


@pytest.mark.parametrize("cut", [3, 17])
def test_the_errors_of_the_best_cut_agree_with_brute_force(cut: int) -> None:
    from ooa.data.suspicions import _errors_of_numbers

    rng = np.random.default_rng(cut)
    for _ in range(50):
        values = rng.integers(0, 6, 30).astype(float)
        values[rng.random(30) < 0.2] = np.nan
        y = rng.random(30) < 0.4
        column = Table.from_any({"x": values}, y).columns[0] if not np.isnan(values).all() else None
        assert column is not None
        best = 30
        for at in np.arange(-0.5, 7):
            for above in (True, False):
                for missing in (True, False):
                    said = np.where(np.isnan(values), missing, (values > at) == above)
                    best = min(best, int((said != y).sum()))
        assert _errors_of_numbers(column, y) == best


def test_what_was_settled_raises_no_doubt_about_its_form() -> None:
    assert doubts(["01067", "80331"] * 200, settled=["c"]) == []
    assert doubts(["1", "2", "3", "4"] * 100, settled=["c"]) == []
    assert doubts(["DE"] * N, settled=["c"]) == [Doubt.CONSTANT]


def test_what_matters_most_comes_first_and_each_column_once() -> None:
    X = {"site": ["DE"] * N, "id": [f"p{i}" for i in range(N)], "code": np.where(Y, "W", "N"), "day": DAYS}
    found = inspect_table(Table.from_any(X, Y))
    assert [one.column for one in found] == ["code", "day", "id", "site"]
    order = list(Doubt)
    assert [order.index(one.doubt) for one in found] == sorted(order.index(one.doubt) for one in found)


@pytest.mark.parametrize("name", ["monks1", "tic-tac-toe", "apnea-survey"])
def test_clean_data_sets_raise_no_doubts(name: str) -> None:
    data = load_dataset(name)
    assert inspect_table(Table.from_any(data.X, data.y)) == ()


def test_columns_are_looked_at_as_long_as_there_is_time():
    table = Table.from_any({f"c{j}": [1] * 40 for j in range(10)}, [0, 0, 0, 1] * 10)
    assert len(inspect_table(table)) == 10
    assert [one.column for one in inspect_table(table, (), Deadline.after(3.5, WorkClock()))] == [
        "c0",
        "c1",
        "c2",
    ]
