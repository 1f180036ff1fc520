"""Cells as typed columns: what is a number, a date, true or false, a code, or missing."""

import datetime

import numpy as np
import pandas as pd
import pytest

from ooa.cli.cells import Reading, typed_column
from ooa.errors import DataError, OptionError


def typed(cells, wanted=None, **said):
    return typed_column("c", np.array(cells, dtype=object), Reading(**said), wanted)


def plain(column):
    return [None if value is None or value != value else value for value in column.tolist()]


@pytest.mark.parametrize(
    ("cells", "said", "values"),
    [
        (["1", "2.5", " 3 ", "-4e2"], {}, [1, 2.5, 3, -400]),
        (["1", "", "  ", None], {}, [1, None, None, None]),
        (["1", "NA", " ? "], {"na": ("NA", "?")}, [1, None, None]),
        (["1,5", "2"], {"decimal": ","}, [1.5, 2]),
        (["1.234,5", "12"], {"decimal": ","}, [1234.5, 12]),
        (["1,234.5", "12"], {"decimal": "."}, [1234.5, 12]),
        (["1,234.5", "12"], {}, ["1,234.5", "12"]),  # nothing was said: it may be a text
        (["1.23,4"], {"decimal": ","}, ["1.23,4"]),
        (["1,5"], {}, ["1,5"]),
        (["007", "7"], {}, ["007", "7"]),
        (["0", "0.5"], {}, [0, 0.5]),
        (["True", "false", ""], {}, [True, False, None]),
        (["true", "1"], {}, ["true", "1"]),
        (["nan", "1"], {}, ["nan", "1"]),
        (["٣", "1"], {}, ["٣", "1"]),  # digits of other scripts are texts
        (["a", " b"], {}, ["a", " b"]),
    ],
)
def test_cells_decide_what_a_column_is(cells, said, values):
    assert plain(typed(cells, **said)) == values


@pytest.mark.parametrize(
    ("cells", "dates", "first"),
    [
        (["2024-05-31", ""], None, "2024-05-31"),
        (["2024-05-31T14:30:15.25Z"], None, "2024-05-31T14:30:15.250000"),
        (["2024-05-31 14:30+0200"], None, "2024-05-31T12:30:00"),
        (["31.5.2024", "1.06.2024"], "day-first", "2024-05-31"),
        (["5/31/2024"], "month-first", "2024-05-31"),
        (["31.5.2024 9:05"], "day-first", "2024-05-31T09:05:00"),
        (["31.05.24"], "%d.%m.%y", "2024-05-31"),
        (["31.5.2024", "2024-06-01"], "day-first", "2024-05-31"),  # both at once
    ],
)
def test_dates(cells, dates, first):
    column = typed(cells, dates=dates)
    assert str(column.dtype) == "datetime64[us]"
    assert column[0] == pd.Timestamp(first)


@pytest.mark.parametrize(
    ("cells", "dates"), [(["31.5.2024"], None), (["31.13.2024"], "day-first"), (["x"], "%d")]
)
def test_what_is_no_date_stays_text(cells, dates):
    assert typed(cells, dates=dates).tolist() == cells


def test_large_whole_numbers_are_kept_exactly():
    assert typed([str(2**60), str(2**60 + 1), ""]).tolist() == [2**60, 2**60 + 1, None]
    assert typed(["1", "2"]).dtype == np.float64


@pytest.mark.parametrize(
    ("cells", "wanted", "values"),
    [
        (["1", "2"], "text", ["1", "2"]),
        (["007", "7"], "number", [7, 7]),
        (["true", "false"], "number", [True, False]),
        (["", ""], "number", [None, None]),
        (["true"], "text", ["true"]),
    ],
)
def test_what_is_wanted_decides(cells, wanted, values):
    assert plain(typed(cells, wanted)) == values


@pytest.mark.parametrize(
    ("cells", "wanted", "words"),
    [
        (["1", "", "x y"], "number", "row 2: 'x y' is not a number; if it means missing: --na x y"),
        (["2024-05-31", "?"], "time", "row 1: '\\?' is not a date"),
        (["true", "yes"], "bool", "row 1: 'yes' is not true or false"),
        (["1", "true"], "number", "row 0"),  # each would do, but not both
    ],
)
def test_cells_that_are_not_what_is_wanted_are_named(cells, wanted, words):
    with pytest.raises(DataError, match=f"column 'c', {words}"):
        typed(cells, wanted)


def test_cells_of_a_spreadsheet():
    day = datetime.datetime(2024, 5, 31)
    assert typed([1, 2.5, None]).tolist()[:2] == [1, 2.5]
    assert typed([day, None])[0] == pd.Timestamp(day)
    assert typed([True, False]).tolist() == [True, False]
    assert plain(typed([1, "?", 2.5], na=("?",))) == [1, None, 2.5]
    assert plain(typed([1.5, "2,5"], decimal=",")) == [1.5, 2.5]
    assert typed([7, "x", 1.0, day]).tolist() == ["7", "x", "1", "2024-05-31T00:00:00"]
    assert typed([7, 8], "text").tolist() == ["7", "8"]


def test_what_is_said_of_a_table_wins_over_what_a_model_was_taught():
    learned = Reading(na=("?",), decimal=",", dates="day-first", sep=";", encoding="cp1252")
    assert Reading().for_model(learned) == learned
    assert Reading(sep=",", encoding="utf-8").for_model(learned).sep == ","
    assert Reading(na=("-",), decimal=",").for_model(learned).na == ("?", "-")
    assert Reading(decimal=",").for_model(Reading()).decimal == ","
    assert Reading(decimal=".").for_model(learned).decimal == "."
    with pytest.raises(OptionError, match="--dates month-first contradicts the model"):
        Reading(dates="month-first").for_model(learned)


@pytest.mark.parametrize(
    ("cell", "decimal", "other"), [("8.21", ",", "."), ("0.125", ",", "."), ("8,2", None, ",")]
)
def test_numbers_with_another_decimal_mark_are_not_called_missing(cell, decimal, other):
    with pytest.raises(DataError) as error:
        typed(["1", cell], "number", decimal=decimal)
    assert str(error.value).endswith(f"if that is {other!r} here: --decimal {other}")
    assert "--na" not in str(error.value)
    assert typed([cell], "number", decimal=other)[0] < 10
