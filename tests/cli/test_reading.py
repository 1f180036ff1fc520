"""Files of every form: what is read, and what is said of those that cannot be."""

import sys

import pandas as pd
import pytest
from support import cli_running
from support.cli_running import FIT, rules_of

from ooa.cli.cells import Reading
from ooa.cli.delimited import check_head
from ooa.cli.reading import open_source
from ooa.errors import DataError

# Fixtures: assigned, as the tests ask for them by name.
people, folder, ooa = cli_running.people, cli_running.folder, cli_running.ooa


def test_excel_gives_the_same_rules_as_csv(folder, ooa, people):
    pytest.importorskip("openpyxl")
    typed = people.assign(seen=pd.to_datetime(people["seen"]))
    typed.to_excel("people.xlsx", index=False)
    assert rules_of(ooa("fit", "people.xlsx", *FIT[2:], "--json")) == rules_of(ooa(*FIT, "--json"))
    ooa(*FIT, "--save", "m.json", "--quiet")
    from_excel = ooa("predict", "m.json", "people.xlsx", "--json").document
    assert from_excel == ooa("predict", "m.json", "people.csv", "--json").document
    written = ooa("predict", "m.json", "people.xlsx")
    assert written.out.splitlines()[0].endswith(",sick,predicted_sick")
    refused = ooa("predict", "m.json", "people.xlsx", "-o", "out.xlsx")
    assert refused.err == "ooa: --output out.xlsx: the name must end in .csv, .tsv or .parquet\n"


def test_the_first_of_several_sheets_is_read_and_named(folder, ooa, people):
    pytest.importorskip("openpyxl")
    with pd.ExcelWriter("two.xlsx") as book:
        people.to_excel(book, sheet_name="Patients", index=False)
        people.head(2).to_excel(book, sheet_name="Notes", index=False)
    answer = ooa("fit", "two.xlsx", *FIT[2:], "--json")
    assert answer.err == "note: two.xlsx has 2 sheets; the first one, 'Patients', is read\n"
    assert answer.document["schema"]["rows"] == 120


def test_spreadsheets_with_odd_cells(folder):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in (
        ["age", "code", "when", None],
        [31, "007", "31.5.2024"],
        [None, None],
        ["?", "7", "1.6.2024"],
    ):
        book.active.append(row)
    book.save("odd.xlsx")
    frame = open_source("odd.xlsx", Reading(na=("?",), dates="day-first")).frame()
    assert list(frame.columns) == ["age", "code", "when"]
    assert frame["age"].tolist()[0] == 31
    assert frame["code"].tolist() == ["007", "7"]
    assert str(frame["when"].dtype) == "datetime64[us]"


def test_without_openpyxl_it_is_said_what_is_needed(folder, ooa, monkeypatch):
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    (folder / "t.xlsx").write_bytes(b"PK\x03\x04 and so on")
    answer = ooa("fit", "t.xlsx", "--target", "y")
    assert answer.err == "ooa: t.xlsx: reading Excel needs openpyxl (pip install openpyxl)\n"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "t.csv is an old Excel file: save it as .xlsx or .csv"),
        (b'{"format": "ooa.rules", "version": 1}', "t.csv is a model, and a table is needed here"),
        (b'{\n  "format": "ooa.model"', "t.csv is a model, and a table is needed here"),
        ("a;b\nä;1\n".encode("latin-1"), "t.csv, line 2: this is not UTF-8 text; files from Excel or older"),
    ],
)
def test_other_files_are_told_from_tables(folder, content, words):
    (folder / "t.csv").write_bytes(content)
    with pytest.raises(DataError, match=words):
        open_source("t.csv").frame()


def test_a_zip_that_is_no_workbook(folder):
    pytest.importorskip("openpyxl")
    (folder / "t.zip").write_bytes(b"PK\x03\x04nonsense")
    with pytest.raises(DataError, match="neither an Excel file nor another table"):
        open_source("t.zip").frame()


def test_rows_with_too_few_cells_are_named(folder, capsys):
    (folder / "t.csv").write_text('a,b,y\n1,"two\nlines",1\n2,3\n4,5,0\n6\n')
    frame = open_source("t.csv").frame()
    assert frame["y"].isna().tolist() == [False, True, False, True]
    assert capsys.readouterr().err == (
        "note: t.csv, line 4 has 2 of 3 cells (so have 1 more): what lacks is missing\n"
    )
    (folder / "full.csv").write_text("a,y\n1,\n,\n")
    open_source("full.csv").frame()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252", "latin-1"])
def test_encodings(folder, encoding):
    (folder / "t.csv").write_bytes("größe;n\nklein;1\n".encode(encoding))
    said = encoding if encoding in ("cp1252", "latin-1") else None  # the others are known by themselves
    frame = open_source("t.csv", Reading(encoding=said)).frame()
    assert list(frame.columns) == ["größe", "n"]
    assert frame["n"].tolist() == [1]
    with pytest.raises(DataError, match="this is not text in ascii"):
        open_source("t.csv", Reading(encoding="ascii")).frame()


def test_separators(folder):
    (folder / "t.csv").write_text('"a, b, c";d\n1;2\n')
    assert list(open_source("t.csv").frame().columns) == ["a, b, c", "d"]  # commas in quotes do not count
    (folder / "u.csv").write_text("a#b\n1#2\n")
    assert list(open_source("u.csv", Reading(sep="#")).frame().columns) == ["a", "b"]


def test_only_columns_that_are_needed_are_read(folder):
    (folder / "t.csv").write_text("a,b\n1,x\n2,y\n")
    source = open_source("t.csv")
    assert list(source.frame(columns={"b", "gone"}).columns) == ["b"]
    with pytest.raises(DataError, match=r"t\.csv, column 'b', row 0: 'x' is not a number"):
        source.frame({"b": "number"})
    assert source.frame({"b": "number"}, {"a"})["a"].tolist() == [1, 2]


def test_text_in_parquet_is_text_unless_something_is_said(folder):
    pytest.importorskip("pyarrow")
    pd.DataFrame({"a": ["1,5", "?"], "b": [1, 2]}).to_parquet("t.parquet")
    assert open_source("t.parquet").frame()["a"].tolist() == ["1,5", "?"]
    read = open_source("t.parquet", Reading(na=("?",), decimal=",")).frame()
    assert read["a"].tolist()[0] == 1.5
    assert read["b"].tolist() == [1, 2]


def test_columns_without_any_value_are_left_out(folder, ooa):
    (folder / "t.csv").write_text("a,b,y\n" + "1,,no\n2,,yes\n" * 20)
    answer = ooa("fit", "t.csv", "--target", "y", "--json")
    assert answer.err.startswith("note: no row has a value in 'b': left out\n")
    assert [column["name"] for column in answer.document["schema"]["columns"]] == ["a"]


def test_very_long_names(folder):
    name = "n" * 200_000
    (folder / "t.csv").write_text(f'"{name}",y\n1,2\n')
    assert list(open_source("t.csv").frame().columns) == [name, "y"]
    (folder / "t.csv").write_text(f"{name},{name}\n1,2\n")
    with pytest.raises(DataError, match="two columns are called 'nnn") as caught:
        open_source("t.csv").frame()
    assert len(str(caught.value)) < 200


class Named(str):
    """A name that counts how often it is compared."""

    __slots__ = ()
    compared = 0

    def __eq__(self, other):
        Named.compared += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_names_are_checked_in_linear_time():
    check_head("t.csv", [Named(f"c{j}") for j in range(20_000)])
    assert Named.compared < 20_000


def test_many_columns(folder, ooa):
    columns = range(3_000)
    lines = [",".join(str((i * 7 + j) % 13) for j in columns) + f",{i % 2}" for i in range(20)]
    (folder / "wide.csv").write_text("\n".join([",".join(f"c{j}" for j in columns) + ",y", *lines]) + "\n")
    frame = open_source("wide.csv").frame()
    assert frame.shape == (20, 3_001)
    assert frame["c2999"].tolist() == [(i * 7 + 2_999) % 13 for i in range(20)]


@pytest.mark.parametrize("option", ["--drop", "--na", "--categorical"])
def test_lists_that_are_said_twice_are_put_together(folder, ooa, people, option):
    one, other = ("0", "1") if option == "--na" else [name for name in people.columns if name != "sick"][:2]
    twice = ooa(*FIT, option, one, option, other, "--json").document
    at_once = ooa(*FIT, option, f"{one},{other}", "--json").document
    assert twice["schema"] == at_once["schema"]
    assert twice["rules"] == at_once["rules"]
