"""`ooa fit`: tables of every form, what is shown and saved, and what is wrong in one sentence."""

import gzip
import io
import json
import re
from fractions import Fraction

import pandas as pd
import pytest
from support import cli_running
from support.cli_running import FIT, rules_of

from ooa.candidates.thresholds import STRATEGIES
from ooa.cli.options import WAYS_TO_CUT
from ooa.solving import Termination
from ooa.solving.registry import other_solvers

# Fixtures: assigned, as the tests ask for them by name.
people, folder, ooa = cli_running.people, cli_running.folder, cli_running.ooa

CERTIFICATE = {
    *("objective", "bound", "gap", "proved", "feasible", "errors", "total", "accuracy", "literals"),
    *("patterns", "scope", "statement", "proof", "termination", "counts", "seconds", "backend"),
    *("version", "message", "standing", "headline", "pool", "rounding", "wrong_rows", "rows", "limits"),
    *("confirmed_by", "claimed_by"),
}


def test_fit_writes_a_report(ooa, folder):
    answer = ooa(*FIT, "--report", "report.html")
    assert answer.code == 0, answer.err
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    missing = ooa(*FIT, "--report", "nowhere/report.html")
    assert missing.code == 1
    assert "--report nowhere/report.html: there is no such folder" in missing.err


def test_fit_shows_rules_certificate_and_saves(folder, ooa):
    answer = ooa(*FIT, "--save", "model.json")
    assert answer.code == 0
    assert answer.out.startswith("people.csv: 120 rows, 4 columns (1 numeric, 3 categorical); sick = ill in ")
    assert "IF   (age ≥ 5" in answer.out
    assert "THEN predict sick = ill" in answer.out
    assert "proved optimal among" in answer.out
    assert re.search("\npattern  rows  positive +PPV  sensitivity  only this\n1 ", answer.out)
    counted = json.loads((folder / "model.json").read_text())["training"]
    assert re.search(f"\nsensitivity +{counted['found']} of {counted['positives']} = ", answer.out)
    assert "saved in model.json" in answer.out
    saved = json.loads((folder / "model.json").read_text())
    assert list(saved) == [
        *("format", "version", "ooa", "text", "rules", "certificate", "schema", "settings", "patterns"),
        *("training", "test", "explanation", "suspicions"),
    ]
    assert set(saved["certificate"]) == CERTIFICATE
    assert {column["name"]: column["kind"] for column in saved["schema"]["columns"]} == {
        "age": "numeric",
        "smokes": "categorical",
        "cough": "categorical",
        "sex": "categorical",
    }
    assert saved["settings"]["drop"] == ["id", "copies", "seen"]


def test_who_confirmed_what_the_solver_claims_is_shown_and_saved(folder, ooa):
    by_search = ooa(*FIT, "--selection", "search", "--json").document["certificate"]
    assert (by_search["confirmed_by"], by_search["claimed_by"]) == ("exact search", "")
    believed = ooa(*FIT, "--selection", "ilp", "--json").document["certificate"]
    assert (believed["proved"], believed["confirmed_by"], believed["claimed_by"]) == (True, "", "")
    asked = ooa(*FIT, "--selection", "ilp", "--confirm", "--json").document["certificate"]
    trusted = [solver for solver in other_solvers("highs") if not solver.errs(Termination.OPTIMAL)]
    if trusted:
        assert asked["confirmed_by"].startswith(f"{trusted[0].name} ")
        said = ooa(*FIT, "--selection", "ilp", "--confirm").out
        assert f"with highs {asked['version']}, confirmed by {asked['confirmed_by']}" in said
    else:
        assert (asked["proved"], asked["claimed_by"]) == (False, "highs")


def test_numbers_are_cut_where_it_was_said(folder, ooa):
    assert WAYS_TO_CUT == STRATEGIES
    for method in ("ooax", "ooa"):
        rules = rules_of(ooa(*FIT, "--json", "--method", method, "--thresholds", "round"))
        on_age = [literal for pattern in rules for literal in pattern if literal.attribute == "age"]
        assert on_age, method
        assert all(literal.low in (20, 30, 40, 50, 60, 70) for literal in on_age), method
    answer = ooa(*FIT, "--thresholds", "deciles")
    assert answer.code == 2
    assert "argument --thresholds: invalid choice: 'deciles'" in answer.err


def test_json_is_what_is_saved_and_quiet_is_quiet(folder, ooa):
    written = ooa(*FIT, "--json").document
    quiet = ooa(*FIT, "--save", "model.json", "--quiet")
    assert (quiet.code, quiet.out, quiet.err) == (0, "", "")
    saved = json.loads((folder / "model.json").read_text())
    for document in (written, saved):
        del document["certificate"]["seconds"]
    assert written == saved
    objective = Fraction(saved["certificate"]["objective"]["exact"])
    assert float(objective) == saved["certificate"]["objective"]["value"]


@pytest.mark.parametrize("form", ["tsv", "semicolon", "gzip", "bom", "stdin", "parquet"])
def test_every_form_of_the_table_gives_the_same_rules(folder, ooa, people, monkeypatch, form):
    wanted = rules_of(ooa(*FIT, "--json"))
    place = {"tsv": "people.tsv", "gzip": "people.csv.gz", "stdin": "-", "parquet": "p.parquet"}.get(
        form, "p.csv"
    )
    plain = people.to_csv(index=False)
    if form == "tsv":
        people.to_csv(place, sep="\t", index=False)
    elif form == "semicolon":
        people.to_csv(place, sep=";", index=False)
    elif form == "gzip":
        (folder / place).write_bytes(gzip.compress(plain.encode()))
    elif form == "bom":
        (folder / place).write_bytes(plain.replace("\n", "\r\n").encode("utf-8-sig"))
    elif form == "stdin":
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(plain.encode())))
    else:
        pytest.importorskip("pyarrow")
        people.to_parquet(place, index=False)
    assert rules_of(ooa("fit", place, *FIT[2:], "--json")) == wanted


def test_dates_are_times_and_categories_stay_text(folder, ooa):
    rows = "".join(f"2024-0{1 + i % 9}-15,{'late' if i % 9 > 4 else 'early'}\n" for i in range(60))
    (folder / "d.csv").write_text("day,when\n" + rows)
    fitted = ooa("fit", "d.csv", "--target", "when", "--save", "d.json")
    assert "day ≥ 2024-0" in fitted.out
    assert re.search("errors +0 of 60 = 0 %", ooa("predict", "d.json", "d.csv").err)
    answer = ooa("fit", "d.csv", "--target", "when", "--categorical", "day", "--save", "d.json")
    assert "day = '2024-0" in answer.out
    assert re.search("errors +0 of 60 = 0 %", ooa("predict", "d.json", "d.csv").err)


def test_weights_count_for_rows(folder, ooa, people):
    weighted = ooa(*FIT, "--weight", "copies", "--drop", "id,seen", "--json").document
    assert weighted["certificate"]["total"] == people["copies"].sum()
    repeated = people.loc[people.index.repeat(people["copies"])]
    repeated.to_csv("repeated.csv", index=False)
    again = ooa("fit", "repeated.csv", *FIT[2:], "--json").document
    assert again["certificate"]["objective"] == weighted["certificate"]["objective"]


def test_missing_cells_and_texts_that_mean_missing(folder, ooa, people):
    holes = people.assign(age=people["age"].astype(object).where(people.index % 10 > 0, "?"))
    holes.to_csv("holes.csv", index=False)
    noticed = ooa("fit", "holes.csv", *FIT[2:], "--time-limit", "1")
    assert "note: Column 'age' holds text among its numbers; if '?' means missing: --na '?'" in noticed.err
    told = ooa("fit", "holes.csv", *FIT[2:], "--na", "?", "--json")
    holes.replace("?", "").to_csv("empty.csv", index=False)
    assert told.err == ""
    assert rules_of(told) == rules_of(ooa("fit", "empty.csv", *FIT[2:], "--json"))


def test_three_classes_need_a_choice(folder, ooa):
    data = "".join(f"{i},{'abc'[i // 20]}\n" for i in range(60))
    (folder / "three.csv").write_text("x,y\n" + data)
    refused = ooa("fit", "three.csv", "--target", "y")
    assert refused.code == 1
    assert refused.err.startswith(
        "ooa: column 'y' has 3 different values ('a', 'b', 'c') where two are needed"
    )
    one = ooa("fit", "three.csv", "--target", "y", "--positive", "a", "--save", "a.json")
    assert "a is learned against the rest" in one.err
    assert "THEN predict y = a\nELSE predict y = 'not a'" in one.out
    errors = json.loads((folder / "a.json").read_text())["certificate"]["errors"]
    assert re.search(f"errors +{errors:g} of 60 = ", ooa("predict", "a.json", "three.csv").err)
    dear = ooa("fit", "three.csv", "--target", "y", "--positive", "a", "--c1", "0.9")
    assert "The best rule set is empty" in dear.err
    assert "--positive" not in dear.err


def test_ooa_is_never_worse_and_starts_are_taken(folder, ooa):
    (folder / "start.txt").write_text("age >= 51 OR smokes = yes AND cough = true")
    words = (*FIT, "--json", "--time-limit", "10", "--start", "start.txt")
    values = [
        ooa(*words, "--method", method).document["certificate"]["objective"]["value"]
        for method in ("ooax", "ooa")
    ]
    assert values[1] <= values[0] <= 0.01 + 1e-12  # three conditions and two patterns at 0.002 each
    wrong = ooa(*FIT, "--start", "people.csv")
    assert wrong.code == 1
    assert wrong.err.startswith("ooa: --start: people.csv is a table, and a model is needed here")


def test_a_rule_set_that_says_nothing_explains_itself(folder, ooa):
    answer = ooa(*FIT, "--c1", "0.9", "--c2", "0.9")
    assert answer.code == 0
    assert "IF   FALSE" in answer.out
    assert "note: The best rule set is empty" in answer.err
    assert "at --c1 0.9 --c2 0.9: --c1 and --c2 below 0." in answer.err
    assert ooa(*FIT, "--c1", "0.9", "--c2", "0.9", "--json").document["explanation"] in answer.err
    assert ooa(*FIT, "--json").document["explanation"] is None


@pytest.mark.parametrize(
    ("x", "y", "words"),
    [
        ([1, 1, 1], "nny", "no column has two different values"),
        ([1, 2] * 3, "nnnnyy", "no pattern covers more 'y' than 'n'; --class-weight balanced gives the rows"),
        ([1, 2] * 3, "nnyyyy", "--positive n would learn patterns of the other class"),
    ],
)
def test_why_a_rule_set_says_nothing_is_told_in_options_that_can_be_typed(folder, ooa, x, y, words):
    pd.DataFrame({"x": x, "y": list(y)}).to_csv("one.csv", index=False)
    answer = ooa("fit", "one.csv", "--target", "y", "--c1", "0.1")
    assert words in answer.err
    assert "class_weight" not in answer.err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nowhere.csv", "--target", "y"], "there is no file 'nowhere.csv'"),
        ([".", "--target", "y"], ". is a folder, not a table"),
        (["people.csv"], "--target is missing: which column is to be predicted? the columns are id, age"),
        (["people.csv", "--target", "ill"], "--target names 'ill', which is not a column; the columns are"),
        (["people.csv", "--target", "sick", "--drop", "x"], "--drop names 'x', which is not a column"),
        (["people.csv", "--target", "sick", "--weight", "w"], "--weight names 'w', which is not a column"),
        (
            ["people.csv", "--target", "sick", "--positive", "yes"],
            "--positive yes is not a value of column 'sick'",
        ),
        (
            ["people.csv", "--target", "sick", "--numeric", "smokes"],
            "people.csv, column 'smokes', row 0: 'no' is not a number; if it means missing: --na no",
        ),
        (
            ["people.csv", "--target", "sick", "--backend", "hihgs"],
            "unknown backend 'hihgs'; did you mean 'highs'?",
        ),
        (
            ["people.csv", "--target", "sick", "--save", "no/m.json"],
            "--save no/m.json: there is no such folder",
        ),
        (
            ["people.csv", "--target", "sick", "--constraint", "max_use=age,1"],
            "there is no constraint 'max_use'",
        ),
        (["people.csv", "--target", "sick", "--constraint", "max_uses=agee,1"], "constraint max_uses"),
        (["dataset:monk1"], "There is no data set of the name 'monk1'; did you mean 'monks1'?"),
    ],
)
def test_what_is_wrong_is_one_sentence(folder, ooa, words, sentence):
    answer = ooa("fit", *words, "--quiet")
    assert answer.code == 1
    assert answer.err.startswith(f"ooa: {sentence}")
    assert answer.err.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "t.csv is empty"),
        (b"a,a\n1,2\n", "t.csv: two columns are called 'a'"),
        (b"a,b\n1,2,3\n", "t.csv: the rows have more cells than the head line has names"),
        (b"a,b\n1,2\n1,2,3\n", "t.csv: Expected 2 fields in line 3, saw 3"),
        (b"a,b\n1,2\n\xff,3\n", "t.csv, line 3: this is not UTF-8 text"),
        (b"\x1f\x8bnonsense", "t.csv: "),
        (b"a,b\n", "The table has no rows"),
        (b"a,b\n1,x\n2,x\n", "'b' must have two classes, but every label is 'x'"),
        (b"a,b\n1,x\n2,\n3,y\n", "The label in row 1 of 'b' is missing"),
        (b"b\nx\ny\n", "t.csv: no column is left to learn from"),
    ],
)
def test_tables_that_cannot_be_used(folder, ooa, content, sentence):
    (folder / "t.csv").write_bytes(content)
    answer = ooa("fit", "t.csv", "--target", "b")
    assert answer.code == 1
    assert answer.err.startswith(f"ooa: {sentence}")
