"""A model reads the file it was learned from as it did then, whatever was said of it."""

import datetime

import pytest
from support import cli_running

# Fixtures: assigned, as the tests ask for them by name.
people, folder, ooa = cli_running.people, cli_running.folder, cli_running.ooa

ROWS = range(60)
DAY = datetime.date(2021, 1, 1)


def _table(head, cells, sep=","):
    return "\n".join([head, *(sep.join(map(str, cells(i))) for i in ROWS)]) + "\n"


def _label(i):
    return "ill" if i % 7 < 3 else "well"


def _noise(i):
    return (i * 37) % 11


def _day(i):
    return DAY + datetime.timedelta(days=(i % 7) * 40 + i % 5)


#: By option: what is said, and a file that would be read otherwise without it.
CASES = {
    "na": (
        ["--na=-9,k.A.", "--missing", "literal"],
        _table("x,n,y", lambda i: ("-9" if i % 7 < 3 else i % 4, _noise(i), _label(i))),
    ),
    "na of text": (
        ["--na", "k.A.", "--missing", "category"],
        _table("x,n,y", lambda i: ("k.A." if i % 7 < 3 else "ab"[i % 2], _noise(i), _label(i))),
    ),
    "na as number": (
        ["--na", "999", "--missing", "literal"],
        _table("x,n,y", lambda i: (999 if i % 7 < 3 else _noise(i), _noise(i + 1), _label(i))),
    ),
    "decimal": (
        ["--decimal", ","],
        _table("x;n;y", lambda i: (f"{i % 7},5", f"1.{_noise(i):03},25", _label(i)), ";"),
    ),
    "decimal point": (
        ["--decimal", ".", "--sep", ";"],
        _table("x;n;y", lambda i: (f"{i % 7},000.5", _noise(i), _label(i)), ";"),
    ),
    "dates": (
        ["--dates", "day-first"],
        _table("x,n,y", lambda i: (_day(i).strftime("%d.%m.%Y"), _noise(i), _label(i))),
    ),
    "months first": (
        ["--dates", "month-first"],
        _table("x,n,y", lambda i: (_day(i).strftime("%m/%d/%Y"), _noise(i), _label(i))),
    ),
    "a format of dates": (
        ["--dates", "%y%m%d"],
        _table("x,n,y", lambda i: (_day(i).strftime("%y%m%d"), _noise(i), _label(i))),
    ),
    "distant dates": (
        [],
        _table(
            "x,n,y",
            lambda i: (f"9999-12-31 23:59:59.99999{9 if i % 7 < 3 else 8}", _noise(i), _label(i)),
        ),
    ),
    "sep": (["--sep", "#"], _table("x#n#y", lambda i: (i % 7, _noise(i), _label(i)), "#")),
    "encoding": (
        ["--encoding", "cp1252"],
        _table("größe,n,y", lambda i: ("groß" if i % 7 < 3 else "süß", _noise(i), _label(i))),
    ),
    "categorical": (
        ["--categorical", "x"],
        _table("x,n,y", lambda i: ("7" if i % 7 < 3 else "7.0", _noise(i), _label(i))),
    ),
    "large codes": (
        ["--categorical", "x"],
        _table(
            "x,n,y",
            lambda i: (["", 2**53, 2**53 + 1][i % 3] if i % 7 > 2 else 2**53 + 2, 1 + i % 2, _label(i)),
        ),
    ),
    "numeric": (
        ["--numeric", "x"],
        _table("x,n,y", lambda i: (f"{i % 7:03}", _noise(i), _label(i))),
    ),
    "ordered": (
        ["--ordered", "x=low,mid,high"],
        _table("x,n,y", lambda i: (["low", "mid", "high"][(i % 7) // 3], _noise(i), _label(i))),
    ),
    "ordered numbers": (
        ["--ordered", "x=10,9,08"],
        _table("x,n,y", lambda i: (["10", "9", "08"][(i % 7) // 3], _noise(i), _label(i))),
    ),
    "labels as text": (
        ["--categorical", "y", "--positive", "1"],
        _table("x,n,y", lambda i: (i % 7, _noise(i), "1" if i % 7 < 3 else "1.0")),
    ),
    "against the rest": (
        ["--positive", "1"],
        _table("x,n,y", lambda i: (i % 7, _noise(i), "1.0" if i % 7 < 3 else 2 + i % 2)),
    ),
    "columns put aside": (
        ["--drop", "id", "--weight", "w"],
        _table("id,x,w,y", lambda i: (i, i % 7, 1 + i % 2, _label(i))),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_file_it_was_learned_from_gives_the_errors_of_the_certificate(folder, ooa, case):
    said, text = CASES[case]
    encoding = said[said.index("--encoding") + 1] if "--encoding" in said else "utf-8"
    (folder / "t.csv").write_bytes(text.encode(encoding))
    fitted = ooa("fit", "t.csv", "--target", "y", *said, "--save", "m.json", "--time-limit", 10, "--json")
    assert fitted.code == 0, fitted.err
    certificate, rules = fitted.document["certificate"], fitted.document["text"]
    assert certificate["patterns"], "something is learned"
    assert '"x"' in rules or " x " in rules or "(x " in rules or "größe" in rules, rules
    predicted = ooa("predict", "m.json", "t.csv", "--json")
    assert predicted.document["labelled"]["errors"] == certificate["wrong_rows"], predicted.err
    evaluated = ooa("evaluate", "m.json", "t.csv", "--json").document
    assert evaluated["errors"] == certificate["wrong_rows"]
    assert evaluated["rows"] == len(ROWS)
    explained = ooa(
        "explain", "m.json", "t.csv", *(w for i in range(9) for w in ("--row", i)), "--json"
    ).document
    assert [row["label"] for row in explained["rows"]] == predicted.document["predictions"][:9]
    assert ooa("compare", "m.json", "m.json", "t.csv", "--json").document["differ"] == []
    written = ooa("predict", "m.json", "t.csv", "-o", "out.csv")
    assert written.code == 0, written.err
    again = ooa("predict", "m.json", "out.csv", "--json").document
    assert again["predictions"] == predicted.document["predictions"]


@pytest.mark.parametrize(
    ("case", "said", "words"),
    [
        ("decimal", ["--decimal", "."], "is not a number with the decimal mark '.'"),
        (
            "dates",
            ["--dates", "month-first"],
            "contradicts the model, which was learned with --dates day-first",
        ),
        ("ordered", ["--na", "mid"], "--na mid contradicts the model, for which 'mid' is a value of"),
        ("categorical", ["--na", "7.0"], "--na 7.0 contradicts the model"),
        ("na", ["--na", "ill"], "--na ill contradicts the model, for which 'ill' is a value of column 'y'"),
    ],
)
@pytest.mark.parametrize("command", ["predict", "evaluate", "explain", "compare"])
def test_a_contradiction_is_refused(folder, ooa, case, said, words, command):
    learned, text = CASES[case]
    (folder / "t.csv").write_text(text)
    ooa("fit", "t.csv", "--target", "y", *learned, "--save", "m.json", "--time-limit", 10, "--quiet")
    models = ["m.json"] * (1 + (command == "compare"))
    answer = ooa(command, *models, "t.csv", *(["--row", 0] if command == "explain" else []), *said)
    assert answer.code != 0
    assert words in answer.err
