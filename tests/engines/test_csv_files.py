"""CSV files read by DuckDB are what they are in memory, whatever their cells look like."""

from __future__ import annotations

import csv
import datetime
import math
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from support.sweeps import sweep

import ooa
from ooa.cli.cells import Reading
from ooa.cli.reading import open_source
from ooa.engines.source import open_files
from ooa.errors import DataError, OOAError

NUMBERS = [
    "1",
    "+1",
    "-2",
    "+1.5",
    ".5",
    "5.",
    "1e3",
    "1E-2",
    " 3 ",
    "0",
    "0.5",
    "-0",
    "12345",
    "1e400",
    "0e5",
]
ODD_NUMBERS = [
    "nan",
    "NaN",
    "inf",
    "-Infinity",
    "1_000",
    "0x10",
    "007",
    "-007",
    "1,5",
    "1.234,5",
    "1 2",
    "1d",
]
TIMES = [
    "2020-01-01",
    "2020-01-02T10:00",
    "2020-01-02 10:00:00.25",
    "2020-01-02T10:00:00Z",
    "2020-01-02T10:00:00+02:00",
    "2020-01-02 10:00:00-0530",
    "0001-01-03",
    "2020-06-01 02:30:00.1234569",
]
ODD_TIMES = [
    "2020-1-1",
    "02/01/2020",
    "2020-02-30",
    "0000-01-01",
    "10:00:00",
    "2020-01-01 24:00:00",
    "20200101",
]
FLAGS = ["true", "FALSE", "True ", "false"]
TEXTS = [
    "yes",
    "no",
    "T",
    "f",
    "NULL",
    "NA",
    "\\N",
    "'a'",
    'say "é"',
    "a,b",
    "two\nlines",
    "# no",
    " x ",
    "a b",
]
EMPTY = ["", " ", "?", " ? "]
GROUPS = [
    NUMBERS,
    NUMBERS + ODD_NUMBERS,
    TIMES,
    TIMES + ODD_TIMES,
    FLAGS,
    FLAGS + TEXTS,
    TEXTS,
    EMPTY,
    ["1", "2", "3"],
]


def here(path: Path, reading: Reading) -> pd.DataFrame:
    """As a file is read into memory by the command line."""
    return open_source(str(path), reading).frame()


def there(path: Path, reading: Reading) -> tuple[dict[str, str], dict[str, list[Any]]]:
    """As DuckDB reads it: the types, and the values."""
    said = {"sep": reading.sep, "decimal": reading.decimal, "na_values": reading.na}
    relation = open_files(str(path), {name: value for name, value in said.items() if value})
    rows = relation.fetchall()
    kinds = dict(zip(relation.columns, map(str, relation.types)))
    return kinds, {name: [row[j] for row in rows] for j, name in enumerate(relation.columns)}


def plain(value: Any) -> Any:
    """One name for each value, whatever it is kept in."""
    if value is None or value is pd.NaT or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, bool):
        return ("flag", value)
    if isinstance(value, (datetime.datetime, pd.Timestamp)):
        return ("time", pd.Timestamp(value))
    if isinstance(value, datetime.date):
        return ("time", pd.Timestamp(value))
    return ("text", value) if isinstance(value, str) else ("number", float(value))


def write(path: Path, columns: dict[str, list[str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_MINIMAL)
        rows.writerow(columns)
        rows.writerows(zip(*columns.values()))


@st.composite
def columns_of_cells(draw: st.DrawFn) -> dict[str, list[str]]:
    size = draw(st.integers(1, 8))
    columns = {"place": [str(row) for row in range(size)]}
    for number in range(draw(st.integers(1, 4))):
        group = draw(st.sampled_from(GROUPS))
        few = draw(st.lists(st.sampled_from(group), min_size=1, max_size=3))
        cells = st.sampled_from(few + draw(st.sampled_from([[], EMPTY])))
        columns[f"c{number}"] = draw(st.lists(cells, min_size=size, max_size=size))
    return columns


@settings(max_examples=sweep(30, of=60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    columns=columns_of_cells(), na=st.sampled_from([(), ("?",)]), decimal=st.sampled_from([None, ",", "."])
)
@example(columns={"place": ["0", "1"], "c": ["1", "nan"]}, na=(), decimal=None)
@example(columns={"place": ["0", "1"], "c": ["2020-01-02T10:00:00+02:00", "2020-01-02"]}, na=(), decimal=None)
def test_as_in_memory(
    columns: dict[str, list[str]], na: tuple[str, ...], decimal: str | None, tmp_path: Path
) -> None:
    path, reading = tmp_path / "rows.csv", Reading(na=na, decimal=decimal, sep=",")
    write(path, columns)
    expected = here(path, reading)
    _, found = there(path, reading)
    assert list(found) == list(expected.columns)
    for name in expected:
        assert [*map(plain, found[name])] == [*map(plain, expected[name].tolist())], name


def test_names(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    for head, words in (
        ("A,a,y", "The columns 'A' and 'a' differ only by case or blanks, which DuckDB does not tell apart"),
        ("x,x ,y", "The columns 'x' and 'x ' differ only by case or blanks"),
        ("x,x,y", "Two columns are called 'x'; column names must differ"),
    ):
        path.write_text(f"{head}\n1,2,0\n3,4,1\n")
        with pytest.raises(DataError, match=words):
            ooa.fit(path, target="y")
    path.write_text('\ufeff A ;"b;c";y\n1;2;0\n3;4;1\n', encoding="utf-8")
    assert list(there(path, Reading())[1]) == [" A ", "b;c", "y"] == list(here(path, Reading()))


def test_columns_of_several_files_are_matched_by_name(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x,z,y\n" + "1,7,0\n2,7,1\n" * 10)
    (tmp_path / "b.csv").write_text("z,x,y\n" + "7,1,0\n7,2,1\n" * 10)
    model = ooa.fit(f"{tmp_path}/*.csv", target="y")
    assert model.certificate_.errors == 0
    assert model.rules_.attributes == ("x",)


@pytest.mark.parametrize(
    ("first", "late", "words"),
    [
        ("1", "nan", "Column 'x' holds whole numbers in its first .* and elsewhere 'nan'"),
        ("1", "007", "holds whole numbers in .* and elsewhere '007'"),
        ("1", "1.5", "holds whole numbers in .* and elsewhere '1.5'"),
        ("1.5", "inf", "holds numbers in .* and elsewhere 'inf'"),
        ("1.5", " 1_000", "holds numbers in .* and elsewhere ' 1_000'"),
        ("1.5", "12345678901234567890", "numbers beyond 2.*53, which a float does not keep"),
        ("true", "yes", "holds true and false in .* and elsewhere 'yes'"),
        ("2020-01-01", "2020-01-01 10:00:00", "holds dates in .* and elsewhere"),
        ("2020-01-01 10:00:00", "01/02/2020", "holds times in .* and elsewhere '01/02/2020'"),
    ],
)
def test_cells_of_another_kind_further_down(
    first: str, late: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ooa.engines.csv_files.HEAD", 40)
    other = {"1": "2", "1.5": "2.5", "true": "false"}.get(first, first.replace("2020", "2021"))
    path = tmp_path / "rows.csv"
    path.write_text("x,y\n" + f"{first},0\n{other},1\n" * 20 + f"{late},1\n")
    with pytest.raises(OOAError, match=words) as caught:
        ooa.fit(path, target="y")
    assert "\n" not in str(caught.value)
    if late == " 1_000" or late == "1.5":
        return
    path.write_text("x,y\n" + f"{first},0\n{other},1\n" * 30)
    assert ooa.fit(path, target="y").certificate_.errors == 0


def test_types_that_are_said(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("a,b,y\n007,1,0\n7,2,1\n")
    types = {"a": "DOUBLE", "b": "VARCHAR", "gone": "DOUBLE"}
    assert open_files(str(path), {}, types).fetchall() == [(7.0, "1", 0), (7.0, "2", 1)]
    with pytest.raises(Exception, match="Column 'b' was said to hold true and false, and elsewhere '1'"):
        open_files(str(path), {}, {"b": "BOOLEAN"}).fetchall()


def test_what_is_no_table(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    for text in ("", "x,y\n", "x,y\n1,0\n2\n3,1\n"):
        path.write_text(text)
        with pytest.raises(DataError) as caught:
            ooa.fit(path, target="y")
        assert "\n" not in str(caught.value)
