"""Values that a model does not know, in the columns its rules look at."""

import json

import pandas as pd
import pytest
from support import cli_running

from ooa.cli import main
from ooa.cli.unseen import Unseen, unseen_values
from ooa.rules.ruleset import RuleSet

# Fixtures: assigned, as the tests ask for them by name.
ooa = cli_running.ooa
ROWS = [("Gynäkologie", "ja"), ("Chirurgie", "nein"), ("Innere", "nein")] * 20


def table(rows, encoding="utf-8"):
    return "".join(f"{ward};{label}\n" for ward, label in [("Station", "y"), *rows]).encode(encoding)


@pytest.fixture
def learned(tmp_path, monkeypatch):
    """A folder with a model learned from cp1252, and the same table in UTF-8."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "c.csv").write_bytes(table(ROWS, "cp1252"))
    (tmp_path / "u.csv").write_bytes(table(ROWS))
    fit = ("fit", "c.csv", "--target", "y", "--positive", "ja", "--encoding", "cp1252", "--c1", "0.01")
    assert main([*fit, "--save", "m.json", "--quiet"]) == 0
    return tmp_path


def test_text_in_utf_8_is_read_as_such_whatever_the_model_learned_from(learned, ooa):
    answer = ooa("evaluate", "m.json", "u.csv", "--json")
    assert answer.err == "note: u.csv is UTF-8 text, and is read as such; the model learned from cp1252\n"
    assert answer.document["sensitivity"] == 1
    assert ooa("evaluate", "m.json", "c.csv", "--json").err == ""
    said = ooa("evaluate", "m.json", "u.csv", "--encoding", "cp1252", "--json")  # heeded, and not silently
    assert "u.csv is UTF-8 text, too: without --encoding cp1252 it is read as such" in said.err
    assert [one["value"] for one in said.document["unseen"]] == ["GynÃ¤kologie"]
    (learned / "ascii.csv").write_bytes(table(ROWS[1:3]))
    assert ooa("predict", "m.json", "ascii.csv", "--json").err == ""
    fit = ooa("fit", "u.csv", "--target", "y", "--encoding", "latin-1", "--c1", "0.01")
    assert "u.csv is UTF-8 text, too: without --encoding iso8859-1 it is read as such" in fit.err
    tested = ooa("fit", "c.csv", "--target", "y", "--encoding", "cp1252", "--test", "u.csv", "--json")
    assert tested.document["test"]["errors"] == 0


def test_a_file_in_another_encoding_than_utf_8_is_refused_by_a_model_that_learned_from_it(learned, ooa):
    assert (
        ooa("fit", "u.csv", "--target", "y", "--encoding", "utf-8", "--save", "u.json", "--quiet").code == 0
    )
    answer = ooa("predict", "u.json", "c.csv")
    assert answer.code == 1
    assert "c.csv, line 2: this is not text in utf-8; files from Excel" in answer.err
    assert "--encoding cp1252" in answer.err
    assert ooa("evaluate", "u.json", "c.csv", "--encoding", "cp1252", "--json").document["errors"] == 0


@pytest.mark.parametrize("encoding", ["cp1252", "utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_predict_writes_a_file_and_a_pipe_alike_as_the_table_was(learned, capsysbinary, encoding, end):
    text = table(ROWS[:3]).decode("utf-8").replace("\n", end)
    (learned / "in.csv").write_bytes(text.encode(encoding))
    capsysbinary.readouterr()
    assert main(["predict", "m.json", "in.csv"]) == 0
    piped, notes = capsysbinary.readouterr()
    assert (b"and is read as such" in notes) == (encoding != "cp1252")
    expected = text.replace(f"y{end}", f"y;predicted_y{end}").replace(f"ja{end}", f"ja;ja{end}")
    assert piped == expected.replace(f"nein{end}", f"nein;nein{end}").encode(encoding)
    assert main(["predict", "m.json", "in.csv", "-o", "out.csv"]) == 0
    assert (learned / "out.csv").read_bytes() == piped


def test_unseen_spellings_are_named_with_what_may_be_meant(learned, ooa):
    rows = [
        ("gynäkologie ", "ja"),
        ("GYNÄKOLOGIE", "ja"),
        ("Chirugie", "nein"),
        ("Urologie", "nein"),
        ("", "ja"),
    ]
    (learned / "neu.csv").write_bytes(table(rows, "cp1252"))
    sentence = (
        "note: Column 'Station' has values that the model does not know: 'Chirugie' (1 row; did you mean "
        "'Chirurgie'?), 'GYNÄKOLOGIE' (1 row; did you mean 'Gynäkologie'?), 'gynäkologie ' (1 row; did you "
        "mean 'Gynäkologie'?), 'Urologie' (1 row)\n"
    )
    for words in (["predict", "m.json"], ["evaluate", "m.json"], ["compare", "m.json", "m.json"]):
        answer = ooa(*words, "neu.csv", "--json")
        assert answer.err.count(sentence) == 1
        assert answer.document["unseen"][3] == {
            "column": "Station",
            "value": "Urologie",
            "rows": 1,
            "near": None,
        }
        place = ["-o", "out.csv"] if words[0] == "predict" else []
        assert sentence in ooa(*words, "neu.csv", *place).err
    one = ooa("explain", "m.json", "neu.csv", "--row", "3", "--json")
    assert [found["value"] for found in one.document["unseen"]] == ["Urologie"]
    assert "'Urologie' (1 row)" in one.err
    fit = ooa("fit", "c.csv", "--target", "y", "--encoding", "cp1252", "--c1", "0.01", "--test", "neu.csv")
    assert sentence in fit.err


def test_the_values_of_the_columns_that_rules_use_are_saved_and_read_with_care(learned, ooa):
    document = json.loads((learned / "m.json").read_text())
    assert document["schema"]["columns"] == [
        {"name": "Station", "kind": "categorical", "values": ["Chirurgie", "Gynäkologie", "Innere"]}
    ]
    for wrong in ("Innere", [["Innere"]], [None]):
        document["schema"]["columns"][0]["values"] = wrong
        (learned / "wrong.json").write_text(json.dumps(document))
        answer = ooa("predict", "wrong.json", "c.csv")
        assert (
            answer.err == "ooa: wrong.json: schema.columns: the values of 'Station' are not expected there\n"
        )
    document["schema"]["columns"][0] = {"name": ["Station"], "values": []}
    (learned / "wrong.json").write_text(json.dumps(document))
    said = ooa("predict", "wrong.json", "c.csv").err
    assert said == "ooa: wrong.json: schema.columns: the values of ['Station'] are not expected there\n"


def test_blanks_that_do_not_count_are_remembered(learned, ooa):
    (learned / "blanks.csv").write_bytes(table([(f" {ward} ", label) for ward, label in ROWS]))
    fit = ("fit", "u.csv", "--target", "y", "--positive", "ja", "--c1", "0.01", "--quiet")
    for more, errors, unseen in (((), 20, 3), (("--strip",), 0, 0)):
        assert ooa(*fit, *more, "--save", "s.json").code == 0
        found = ooa("evaluate", "s.json", "blanks.csv", "--json").document
        assert (found["errors"], len(found["unseen"])) == (errors, unseen)
    told = ooa("evaluate", "m.json", "blanks.csv", "--strip", "--json").document
    assert (told["errors"], told["unseen"]) == (0, [])


def test_without_the_training_values_only_what_is_nearly_known_is_named():
    rules = RuleSet.parse("smokes = yes AND sex IN {f, d} -> sick = 1 ELSE 0")
    frame = pd.DataFrame({"smokes": ["yes ", "no", None], "sex": ["F", "m", "m"]})
    assert unseen_values(rules, frame, {}) == [
        Unseen("sex", "F", 1, "f"),
        Unseen("smokes", "yes ", 1, "yes"),
    ]
    assert unseen_values(rules, frame.iloc[1:], {"sex": ["m"]}) == []
    levels = RuleSet.parse("grade >= mid -> y = 1 ELSE 0 WITH grade: low < mid < top")
    odd = pd.DataFrame({"grade": ["mid", "huge", "huge"]})
    assert unseen_values(levels, odd, {}) == [Unseen("grade", "huge", 2)]
