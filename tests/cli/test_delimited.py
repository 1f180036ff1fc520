"""Delimited text: wide tables are read apart from pandas, to the same cells, in so much for each column."""

import io
import random
import sys
from collections import Counter

import pandas as pd
import pytest

from ooa.cli import delimited
from ooa.cli.delimited import cells_of_text
from ooa.cli.reading import open_source
from ooa.data.suspicions import inspect_table
from ooa.data.table import Table
from ooa.errors import DataError

PLAIN = ("a", "", "1", "x ", " x", "a'b", "é", "\t", "\x0b", "\u2028", "\xa0")
QUOTED = ('"q"', '"a,b"', '"l\nm"', '"d""d"', 'a"b')


def by_pandas(text, delimiter):
    """Head line and rows as pandas reads them."""
    written = {"sep": delimiter, "dtype": object, "na_filter": False}
    head = pd.read_csv(io.StringIO(text), header=None, nrows=1, skip_blank_lines=False, **written)
    rows = pd.read_csv(io.StringIO(text), **written)
    return [head.iloc[0].fillna("").tolist(), *rows.to_numpy().tolist()]


def drawn(seed):
    """A delimiter, and a text of more columns than lines, whose head line has only plain names."""
    dice = random.Random(seed)
    delimiter, end = dice.choice(",;\t|"), dice.choice(["\n", "\r\n", "\r"])
    width = dice.randint(10, 14)
    rows = [[f"c{j}" for j in range(width)]]
    cells = [cell.replace(",", delimiter) for cell in PLAIN + QUOTED if cell != delimiter]
    rows += [[dice.choice(cells) for _ in range(width)] for _ in range(dice.randint(1, 2))]
    text = end.join(delimiter.join(row) for row in rows) + dice.choice(["", end])
    return delimiter, text


def test_wide_tables_have_the_cells_that_pandas_reads():
    apart = 0
    for seed in range(400):
        delimiter, text = drawn(seed)
        frame = cells_of_text("t.csv", text, delimiter)
        assert [list(frame.columns), *frame.to_numpy().tolist()] == by_pandas(text, delimiter), seed
        apart += delimited._plain_rows(text, delimiter) is not None
    assert apart > 200


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("\ufeffa,b,c,d,e\n1,2,3,4,5\n", [["1", "2", "3", "4", "5"]]),
        ("a,b,c,d,e\n\n1,2,3,4,5\n", [["1", "2", "3", "4", "5"]]),
        ("a,b,c,d,e\n1,2\n", [["1", "2", "", "", ""]]),
        ('a,b,c,d,e\n1,"2"2,3,4,5\n', [["1", "22", "3", "4", "5"]]),
    ],
    ids=["mark", "blank line", "short", "quote within"],
)
def test_what_is_odd_is_left_to_pandas(text, rows, monkeypatch):
    frame = cells_of_text("t.csv", text, ",")
    assert list(frame.columns) == list("abcde")
    assert frame.to_numpy().tolist() == rows
    monkeypatch.setattr(pd, "read_csv", None)
    with pytest.raises(TypeError):
        cells_of_text("t.csv", text, ",")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a,b,c,d,a\n1,2,3,4,5\n", "t.csv: two columns are called 'a'"),
        (",,,,\n1,2,3,4,5\n", "t.csv: there is no head line"),
        ('a,b,c,d,e\n1,2,3,4,"5\n', "t.csv: EOF inside string"),
        ("a,b,c,d,e\n1,2,3,4,5,6\n", "t.csv: the rows have more cells"),
    ],
)
def test_wide_tables_are_refused_with_the_same_words(text, words):
    with pytest.raises(DataError, match=words):
        cells_of_text("t.csv", text, ",")


def calls_to_read(tmp_path, columns):
    """The calls of functions, of Python's and of others', by which a table of 20 rows is read."""
    dice, path = random.Random(columns), tmp_path / f"{columns}.csv"
    rows = [[f"c{j}" for j in range(columns)]]
    rows += [[f"{dice.gauss(0, 1):.3f}" for _ in range(columns)] for _ in range(20)]
    path.write_text("\n".join(",".join(row) for row in rows))
    counted = Counter()
    sys.setprofile(lambda frame, event, _: counted.update({event: 1}))
    try:
        table = Table.from_any(open_source(str(path)).frame(), [0, 1] * 10)
        inspect_table(table)
    finally:
        sys.setprofile(None)
    return counted["call"] + counted["c_call"]


def test_every_further_column_costs_the_same(tmp_path):
    calls_to_read(tmp_path, 50)  # what is done once
    few, some, many = (calls_to_read(tmp_path, columns) for columns in (200, 400, 1600))
    each = (some - few) / 200
    assert (many - some) / 1200 == pytest.approx(each, rel=0.05)
    assert each < 900  # 20 cells and their column; a series of pandas for every column would be 200 more
