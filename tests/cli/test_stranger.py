"""The first hour with a stranger's file, from the first error to a rule set that is known to be good."""

import json
import re

import pandas as pd
import pytest
from support import cli_running
from support.ugly_table import SAID, WRITTEN, N, write_ugly

from ooa.cli import main
from ooa.rules.ruleset import RuleSet

# Fixtures: assigned, as the tests ask for them by name.
ooa = cli_running.ooa

#: What is learned is small and soon proved, so that no limit decides what comes out.
SMALL = ("--max-length", "2", "--max-patterns", "2", "--c1", "0.01", "--c2", "0.01", "--time-limit", "none")
FIT = ("fit", "faelle.csv", *WRITTEN, *SAID, *SMALL)
WEIGHED = (*FIT, "--class-weight", "ja=10")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with two files, and a model learned from one."""
    folder = tmp_path_factory.mktemp("ugly")
    write_ugly(folder / "faelle.csv")
    write_ugly(folder / "neu.csv", seed=8, rows=300)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert main([*WEIGHED, "--save", "m.json", "--quiet"]) == 0
    return folder


@pytest.fixture
def ugly(place, monkeypatch):
    monkeypatch.chdir(place)
    return place


@pytest.fixture
def frame(ugly):
    """The file as one reads it who knows it."""
    found = pd.read_csv("faelle.csv", sep=";", encoding="cp1252", decimal=",", na_values=["?", "k.A."])
    return found.assign(Aufnahme=pd.to_datetime(found["Aufnahme"], format="%d.%m.%Y"))


def test_one_error_after_the_other_says_what_to_do(ugly, ooa):
    answer = ooa("fit", "faelle.csv", "--target", "Wiederaufnahme")
    assert answer.err.startswith("ooa: faelle.csv, line ")
    assert (
        "this is not UTF-8 text; files from Excel or older programs often need --encoding cp1252"
        in answer.err
    )
    answer = ooa("fit", "faelle.csv", "--encoding", "cp1252", "--target", "wiederaufname")
    assert (
        answer.err
        == "ooa: --target names 'wiederaufname', which is not a column; did you mean 'Wiederaufnahme'?\n"
    )


def test_odd_columns_are_named_before_the_fit_each_in_a_line(ugly, ooa):
    words = ("fit", "faelle.csv", "--encoding", "cp1252", "--target", "Wiederaufnahme", *SMALL)
    answer = ooa(*words)
    notes = [line for line in answer.err.splitlines() if line.startswith("note: Column ")]
    said = {re.search(r"Column '(.*?)'", line)[1]: line for line in notes}
    assert len(said) == len(notes)
    assert next(iter(said)) == "Abrechnung"
    for column, option in {
        "Abrechnung": "--drop Abrechnung",
        "CRP": "--decimal ,; if 'k.A.' means missing: --na k.A.",
        "Dosis": "--decimal ,",
        "Aufnahme": "--dates day-first",
        "Alter": "if '?' means missing: --na '?'",
        "Fall-ID": "--drop Fall-ID",
        "Diagnose": " categories, and so few rows for each: group them, or --drop Diagnose",
        "PLZ": "--numeric PLZ",
        "Station": "'Kardiologie' and 'kardiologie', 'Chirurgie' and 'Chirugie'",
        "Land": "--drop Land",
    }.items():
        assert option in said.pop(column)
    assert not said
    assert (
        "% of the rows are 'nein', and the rules describe them; to describe the others: --positive ja"
        in answer.err
    )
    quiet = ooa(*words, "--quiet")
    assert "Column" not in quiet.err
    assert len(ooa(*words, "--json").document["suspicions"]) == len(notes)


def test_following_the_advice_leads_to_typed_columns(ugly, ooa, frame):
    document = json.loads((ugly / "m.json").read_text())
    kinds = {column["name"]: column["kind"] for column in document["schema"]["columns"]}
    assert kinds == {
        "Alter": "numeric",
        "Geschlecht": "categorical",
        "Station": "categorical",
        "PLZ": "categorical",
        "Aufnahme": "time",
        "CRP": "numeric",
        "Dosis": "numeric",
        "Schweregrad": "categorical",
    }
    rules = RuleSet.from_dict(document["rules"])
    fires = rules.covers(frame.assign(PLZ=frame["PLZ"].map("{:05d}".format))).any(axis=1)
    positive = (frame["Wiederaufnahme"] == "ja").to_numpy()
    counted = document["training"]
    assert counted["found"] == (fires & positive).sum()
    assert counted["alarms"] == (fires & ~positive).sum()
    assert counted["errors"] == (fires != positive).sum() == document["certificate"]["wrong_rows"]
    assert counted["sensitivity"] > 0.5


def test_class_weights_show_people_first_and_weights_as_such(ugly, ooa, frame):
    words = (*FIT, "--time-limit", "3", "--class-weight", "balanced")
    document = ooa(*words, "--json").document
    rules = RuleSet.from_dict(document["rules"])
    covers = rules.covers(frame.assign(PLZ=frame["PLZ"].map("{:05d}".format)))
    positive = (frame["Wiederaufnahme"] == "ja").to_numpy()
    heavy = N / (2 * positive.sum())
    for k, pattern in enumerate(document["patterns"]):
        rows, found = int(covers[:, k].sum()), int((covers[:, k] & positive).sum())
        assert (pattern["rows"], pattern["positives"]) == (rows, found)
        assert pattern["ppv"] == pytest.approx(found / rows)
        assert pattern["sensitivity"] == pytest.approx(found / positive.sum())
        light = N / (2 * (~positive).sum())
        assert pattern["weighted"]["rows"] == pytest.approx(found * heavy + (rows - found) * light)
    answer = ooa(*WEIGHED)
    head = next(line for line in answer.out.splitlines() if line.startswith("pattern"))
    assert re.sub(" +", " ", head) == "pattern rows positive PPV sensitivity only this weight weighted PPV"
    saved = json.loads((ugly / "m.json").read_text())
    assert re.search(f"sensitivity +{saved['training']['found']} of {positive.sum()} = ", answer.out)
    assert saved["certificate"]["total"] == 10 * positive.sum() + (~positive).sum()
    assert document["certificate"]["total"] == pytest.approx(N)
    wrong = ooa(*words[:-1], "Ja=5")
    assert wrong.err.endswith("ooa: --class-weight names 'Ja': the labels are 'ja', 'nein'\n")


def test_rare_labels_that_end_in_nothing_are_told_of_class_weights(ugly, ooa):
    dear = ooa(*FIT, "--c1", "0.02", "--c2", "0.02")
    assert "IF   FALSE" in dear.out
    assert "--class-weight balanced gives the rows labelled 'ja' more weight" in dear.err
    assert "--constraint min_sensitivity=0.8 asks for rules that find 80 % of them" in dear.err
    assert "would admit the pattern" not in dear.err


def test_how_good_it_is_on_other_rows(ugly, ooa):
    shared = ooa(*WEIGHED, "--test-share", "0.3", "--save", "shared.json")
    assert "faelle.csv: 420 rows" in shared.out
    assert "180 other rows to test on" in shared.out
    assert re.search(r"^ +training +test$", shared.out, re.MULTILINE)
    saved = json.loads((ugly / "shared.json").read_text())
    total = saved["training"]["positives"] + saved["test"]["positives"]
    assert saved["test"]["positives"] == round(0.3 * total)  # of each label the same share
    assert (saved["training"]["rows"], saved["test"]["rows"]) == (420, 180)
    again = ooa(*WEIGHED, "--test-share", "0.3", "--json").document
    assert again["test"] == saved["test"]  # the same rows by the same seed
    other = ooa(*WEIGHED, "--test-share", "0.3", "--seed", "1", "--json").document
    assert other["test"] != saved["test"]
    by_file = ooa(*WEIGHED, "--test", "neu.csv", "--json").document
    evaluated = ooa("evaluate", "m.json", "neu.csv", "--json").document
    assert {key: evaluated[key] for key in by_file["test"]} == by_file["test"]


def test_the_model_knows_how_to_read(ugly, ooa):
    reading = json.loads((ugly / "m.json").read_text())["schema"]["reading"]
    assert reading == {
        "na": ["?", "k.A."],
        "decimal": ",",
        "dates": "day-first",
        "sep": ";",
        "encoding": "cp1252",
        "strip": False,
    }
    for command in (("predict", "m.json"), ("evaluate", "m.json"), ("compare", "m.json", "m.json")):
        answer = ooa(*command, "neu.csv", "--json")
        assert answer.code == 0, answer.err
    assert ooa("explain", "m.json", "neu.csv", "--row", "3").code == 0
    assert ooa("predict", "m.json", "neu.csv", "-o", "out.csv").code == 0
    out = pd.read_csv("out.csv", sep=";", encoding="cp1252", dtype=str, keep_default_na=False)
    given = pd.read_csv("neu.csv", sep=";", encoding="cp1252", dtype=str, keep_default_na=False)
    assert out[given.columns].equals(given)
    text = (ugly / "neu.csv").read_bytes().decode("cp1252").replace(";", "|")
    (ugly / "utf.csv").write_text(text, encoding="utf-8")
    rewritten = ooa("evaluate", "m.json", "utf.csv", "--sep", "|", "--encoding", "utf-8", "--json").document
    same = ooa("evaluate", "m.json", "neu.csv", "--json").document
    assert {**rewritten, "data": ""} == {**same, "data": ""}
    unsaid = ooa("evaluate", "m.json", "utf.csv", "--sep", "|", "--json")
    assert {**unsaid.document, "data": ""} == {**same, "data": ""}
    assert unsaid.err == "note: utf.csv is UTF-8 text, and is read as such; the model learned from cp1252\n"


def test_another_decimal_mark_is_advised_and_can_be_said(ugly, ooa):
    (ugly / "points.csv").write_bytes((ugly / "neu.csv").read_bytes().replace(b",", b"."))
    rules = RuleSet.parse("CRP >= 20.5 -> Wiederaufnahme = ja ELSE nein")
    document = json.loads((ugly / "m.json").read_text()) | {"rules": rules.to_dict()}
    (ugly / "crp.json").write_text(json.dumps(document))
    refused = ooa("evaluate", "crp.json", "points.csv")
    assert refused.code == 1
    assert refused.err.endswith("with the decimal mark ','; if that is '.' here: --decimal .\n")
    told = ooa("evaluate", "crp.json", "points.csv", "--decimal", ".", "--json").document
    same = ooa("evaluate", "crp.json", "neu.csv", "--json").document
    assert {**told, "data": ""} == {**same, "data": ""}


def test_a_cell_that_is_no_number_is_named(ugly, ooa):
    rules = RuleSet.from_dict(json.loads((ugly / "m.json").read_text())["rules"])
    assert "Alter" in rules.attributes
    lines = (ugly / "neu.csv").read_bytes().decode("cp1252").splitlines()
    cells = lines[3].split(";")
    cells[1] = "alt"
    (ugly / "odd.csv").write_bytes("\n".join([*lines[:3], ";".join(cells), *lines[4:]]).encode("cp1252"))
    answer = ooa("predict", "m.json", "odd.csv")
    assert (
        answer.err
        == "ooa: odd.csv, column 'Alter', row 2: 'alt' is not a number; if it means missing: --na alt\n"
    )
    assert ooa("predict", "m.json", "odd.csv", "--na", "alt", "--json").code == 0


def test_levels_that_were_put_in_order(ugly, ooa):
    order = "Schweregrad=leicht,mittel,schwer"
    others = "Fall-ID,Abrechnung,Land,Diagnose,Alter,Station,CRP,Dosis,Aufnahme,PLZ"
    words = (*WEIGHED, "--drop", others, "--ordered", order)
    answer = ooa(*words, "--save", "ordered.json")
    assert answer.code == 0, answer.err
    assert "1 ordered" in answer.out
    assert "Schweregrad ≥ mittel" in answer.out
    assert "WITH Schweregrad: leicht < mittel < schwer" in answer.out
    saved = json.loads((ugly / "ordered.json").read_text())
    column = next(one for one in saved["schema"]["columns"] if one["name"] == "Schweregrad")
    assert column == {"name": "Schweregrad", "kind": "ordered", "levels": ["leicht", "mittel", "schwer"]}
    again = ooa("evaluate", "ordered.json", "faelle.csv", "--json").document
    assert {key: again[key] for key in saved["training"]} == saved["training"]
    lacking = ooa(*words[:-1], "Schweregrad=leicht,schwer")
    assert lacking.err == "ooa: --ordered Schweregrad=leicht,schwer: the column also holds 'mittel'\n"
    assert ooa(*words[:-1], "Schweregrad").code == 2
