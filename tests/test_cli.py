"""The command line: what a person types, and what comes back."""

import gzip
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from fractions import Fraction
from importlib.util import find_spec
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from ooa.cli import main
from ooa.cli.benching import Run, agree
from ooa.cli.constraint_texts import NAMES, constraint_help, parse_constraint, usage
from ooa.cli.output import PlainLines, following, text_table
from ooa.constraints import max_uses, monotone, require_pattern
from ooa.errors import OptionError
from ooa.mps import read_mps
from ooa.registry import available_backends, get_backend
from ooa.rules import RuleSet

CERTIFICATE = {
    *("objective", "bound", "gap", "proved", "feasible", "errors", "total", "accuracy", "literals"),
    *("patterns", "scope", "statement", "proof", "termination", "counts", "seconds", "backend"),
    *("version", "message"),
}


@pytest.fixture(scope="module")
def people():
    """A small table with every kind of column; sick if older than 50 or a smoker with a cough."""
    rng = np.random.default_rng(1)
    n = 120
    age, smokes = rng.integers(20, 80, n), rng.choice(["yes", "no"], n)
    cough, seen = rng.random(n) < 0.5, rng.integers(0, 700, n)
    sick = (age > 50) | ((smokes == "yes") & cough)
    return pd.DataFrame(
        {
            "id": [f"p{i:03}" for i in range(n)],
            "age": age,
            "smokes": smokes,
            "cough": cough,
            "seen": (np.datetime64("2023-01-01") + seen).astype(str),
            "sex": rng.choice(["f", "m"], n),
            "copies": 1 + (np.arange(n) % 3),
            "sick": np.where(sick, "ill", "well"),
        }
    )


@pytest.fixture
def folder(tmp_path, people, monkeypatch):
    """A folder to work in, with the table as people.csv."""
    monkeypatch.chdir(tmp_path)
    people.to_csv("people.csv", index=False)
    return tmp_path


@pytest.fixture
def ooa(capsys):
    """Run a command line; what came back has code, out, err and, if it is JSON, document."""

    def run(*words):
        try:
            code = main([str(word) for word in words])
        except SystemExit as end:
            code = end.code
        out, err = capsys.readouterr()
        document = json.loads(out) if out.startswith("{") else None
        assert "Traceback" not in err
        return SimpleNamespace(code=code, out=out, err=err, document=document)

    return run


FIT = ("fit", "people.csv", "--target", "sick", "--positive", "ill", "--drop", "id,copies,seen")


def rules_of(answer):
    assert answer.code == 0, answer.err
    return RuleSet.from_dict(answer.document["rules"])


# -- fit -------------------------------------------------------------------------------------------


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
    assert "\npattern  rows  positive  precision  only this\n1" in answer.out
    assert "saved in model.json" in answer.out
    saved = json.loads((folder / "model.json").read_text())
    assert list(saved) == [
        *("format", "version", "ooa", "text", "rules", "certificate", "schema", "settings", "patterns"),
        "explanation",
    ]
    assert set(saved["certificate"]) == CERTIFICATE
    assert {column["name"]: column["kind"] for column in saved["schema"]["columns"]} == {
        "age": "numeric",
        "smokes": "categorical",
        "cough": "categorical",
        "sex": "categorical",
    }
    assert saved["settings"]["drop"] == ["id", "copies", "seen"]


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
    assert ooa("predict", "d.json", "d.csv").err == "note: 0 errors in 60 labelled rows (accuracy 1.0000)\n"
    answer = ooa("fit", "d.csv", "--target", "when", "--categorical", "day", "--save", "d.json")
    assert "day = '2024-0" in answer.out
    assert "note: 0 errors" in ooa("predict", "d.json", "d.csv").err


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
    assert "note: column 'age' is taken as text because of '?' among its numbers" in noticed.err
    assert "--na ?" in noticed.err
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
    assert ooa("predict", "a.json", "three.csv").err.startswith(
        f"note: {errors:g} errors in 60 labelled rows"
    )


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
    assert wrong.err.startswith("ooa: --start: people.csv: ")


def test_a_rule_set_that_says_nothing_explains_itself(folder, ooa):
    answer = ooa(*FIT, "--c1", "0.9", "--c2", "0.9")
    assert answer.code == 0
    assert "IF   FALSE" in answer.out
    assert "note: The best rule set is empty" in answer.err
    assert "C1 = C2 below 0." in answer.err
    assert ooa(*FIT, "--c1", "0.9", "--c2", "0.9", "--json").document["explanation"] in answer.err
    assert ooa(*FIT, "--json").document["explanation"] is None


@pytest.mark.parametrize(
    ("x", "y", "words"),
    [
        ([1, 1, 1], "nny", "no column has two different values"),
        ([1, 2] * 3, "nnnnyy", "no pattern covers more 'y' than 'n'; --weight with a column of weights can"),
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
            "Column 'smokes' holds text, not numbers",
        ),
        (["people.csv", "--target", "sick", "--c1", "dear"], "C1 must be a number >= 0, not 'dear'"),
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
        (["dataset:monk1"], "There is no data set 'monk1': did you mean 'monks1'?"),
    ],
)
def test_what_is_wrong_is_one_sentence(folder, ooa, words, sentence):
    answer = ooa("fit", *words)
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


# -- constraints -----------------------------------------------------------------------------------

SPELLED = {
    "at_most_one_of": "age,bmi",
    "budget": "age:1,a:b:2.5,most:3",
    "demographic_parity": "sex,0.1",
    "equal_opportunity": "sex,0.1",
    "forbid_pattern": "age >= 30 AND job = 'a, b'",
    "forbid_together": 'age,"a, b"',
    "max_false_negatives": "3",
    "max_false_positives": "3",
    "max_total_literals": "4",
    "max_uses": "age,1",
    "min_precision": "0.9",
    "min_sensitivity": "0.95",
    "min_specificity": "1",
    "min_support_per_pattern": "5",
    "monotone": "age,increasing",
    "predictive_equality": "sex,0.1",
    "require_attribute": "age",
    "require_pattern": "age >= 30",
}


@pytest.mark.parametrize("name", NAMES)
def test_every_ready_made_constraint_can_be_typed(name):
    made = parse_constraint(f"{name}={SPELLED[name]}")
    assert type(made).__name__ == name
    assert usage(name) in constraint_help()


def test_constraints_mean_what_they_say():
    assert parse_constraint("max_uses = age, 1") == max_uses("age", 1)
    assert parse_constraint("monotone=body mass,decreasing") == monotone("body mass", "decreasing")
    assert parse_constraint("require_pattern=age >= 30") == require_pattern("age >= 30")
    assert parse_constraint("budget=a:b:2.5,most:3").costs == {"a:b": 2.5}
    assert list(parse_constraint('forbid_together=age,"a, b"').attributes) == ["age", "a, b"]
    assert parse_constraint("demographic_parity=sex,0.1", {"sex": (1, 0)}).group == (1, 0)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("max_uses=age", "--constraint max_uses=age: expected max_uses=ATTRIBUTE,MOST"),
        ("max_uses", "--constraint max_uses: expected max_uses=ATTRIBUTE,MOST"),
        ("min_sensitivity=high", "--constraint min_sensitivity=high: 'high' is not a number"),
        ("min_sensitivity=1.5", "--constraint min_sensitivity=1.5: "),
        (
            "budget=age:1,bmi:2",
            "--constraint budget=age:1,bmi:2: expected budget=A:COST,B:COST,...,most:MOST",
        ),
        ("budget=age", "--constraint budget=age: expected budget="),
        ("monotone=age,up", "--constraint monotone=age,up: "),
        ("forbid_together=age", "--constraint forbid_together=age: "),
        ("forbid_pattern=age >=", "--constraint forbid_pattern=age >=: "),
        ("nothing_like_it=1", "there is no constraint 'nothing_like_it'; `ooa fit --help` lists them"),
        ("Constraint=1", "there is no constraint 'Constraint'"),
    ],
)
def test_constraints_that_cannot_be_read(text, sentence):
    with pytest.raises(OptionError) as error:
        parse_constraint(text)
    assert str(error.value).startswith(sentence)


def test_constraints_hold(folder, ooa):
    free = rules_of(ooa(*FIT, "--json"))
    assert "age" in free.attributes
    bound = rules_of(
        ooa(*FIT, "--json", "--constraint", "max_uses=age,0", "--constraint", "max_total_literals=2")
    )
    assert "age" not in bound.attributes
    assert bound.n_literals <= 2
    fair = ooa(*FIT[:-1], "id,copies,seen,sex", "--json", "--constraint", "demographic_parity=sex,0.02")
    assert "sex" not in rules_of(fair).attributes


def test_constraints_that_cannot_hold_together_are_named(folder, ooa):
    answer = ooa(*FIT, "--constraint", "require_attribute=age", "--constraint", "max_uses=age,0")
    assert answer.code == 1
    assert "no rule set meets these constraints together" in answer.err
    # without the time to find any rule set that meets the constraint, the best known is returned, and says so
    none = ooa(*FIT, "--constraint", "min_sensitivity=0.9", "--time-limit", "0", "--json")
    assert none.code == 3
    assert none.document["certificate"]["feasible"] is False
    assert none.document["certificate"]["gap"] is None
    assert "note: no rule set that meets the constraints was found" in none.err


# -- predict, explain, export ------------------------------------------------------------------------


@pytest.fixture
def model(folder):
    """A model file of known rules for the table."""
    rules = RuleSet.parse("age >= 51 OR smokes = yes AND cough = true -> sick = ill ELSE well")
    (folder / "model.json").write_text(rules.to_json())
    return rules


def test_predict_writes_the_table_as_it_was_and_a_column(folder, ooa, people, model):
    (folder / "odd.csv").write_text('age;smokes;cough;note\n51;yes;true;"1,50"\n;yes;True;007\n30;no;;\n')
    answer = ooa("predict", "model.json", "odd.csv", "--why")
    assert answer.out == (
        "age;smokes;cough;note;predicted_sick;why\n"
        "51;yes;true;1,50;ill;(age ≥ 51) OR (cough = true AND smokes = yes)\n"
        ";yes;True;007;ill;(cough = true AND smokes = yes)\n"
        "30;no;;;well;\n"
    )
    assert answer.err == ""
    scored = ooa("predict", "model.json", "people.csv", "-o", "out.csv")
    assert (scored.out, scored.err) == ("", "note: 0 errors in 120 labelled rows (accuracy 1.0000)\n")
    out = pd.read_csv("out.csv")
    assert out["predicted_sick"].tolist() == people["sick"].tolist()
    assert out[people.columns.tolist()].equals(pd.read_csv("people.csv"))


def test_predict_for_machines_and_parquet(folder, ooa, people, model):
    document = ooa("predict", "model.json", "people.csv", "--json", "--why").document
    assert document["predictions"] == people["sick"].tolist()
    assert (document["rows"], document["errors"], document["positives"]) == (
        120,
        0,
        (people["sick"] == "ill").sum(),
    )
    assert len(document["why"]) == 120
    people.drop(columns=["sick", "id"]).to_csv("new.csv", index=False)
    assert "errors" not in ooa("predict", "model.json", "new.csv", "--json").document
    pytest.importorskip("pyarrow")
    assert ooa("predict", "model.json", "new.csv", "-o", "out.parquet").code == 0
    assert pd.read_parquet("out.parquet")["predicted_sick"].tolist() == people["sick"].tolist()


def test_predict_needs_the_columns_of_the_rules_only(folder, ooa, model):
    (folder / "new.csv").write_text("age,cough\n1,true\n")
    answer = ooa("predict", "model.json", "new.csv")
    assert answer.code == 1
    assert answer.err == "ooa: The rules use 'smokes', but the data have no such column\n"


def test_models_of_every_form(folder, ooa, people, model):
    (folder / "rules.txt").write_text(str(model))
    fitted = ooa(*FIT, "--save", "full.json")
    assert fitted.code == 0
    for place in ("rules.txt", "model.json", "full.json"):
        assert ooa("predict", place, "people.csv", "--json").document["accuracy"] >= 0.95


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "m.json: line 1, column 2: "),
        ('{"format": "ooa.model", "version": 9}', "m.json: version: this library reads version 1, not 9"),
        ('{"format": "ooa.model", "version": 1}', "m.json: rules: is missing"),
        (
            '{"format": "ooa.model", "version": 1, "rules": []}',
            "m.json: rules.the document: expected an object",
        ),
        ('{"format": "other"}', "m.json: format: expected 'ooa.rules', got 'other'"),
        ("age >> 5", "m.json: "),
        ("", "m.json: "),
    ],
)
def test_malformed_models(folder, ooa, text, sentence):
    (folder / "m.json").write_text(text)
    answer = ooa("export", "m.json", "--to", "text")
    assert answer.code == 1
    assert answer.err.startswith(f"ooa: {sentence}")
    assert answer.err.count("\n") == 1


def test_a_model_with_a_wrong_place_inside(folder, ooa, model):
    document = {"format": "ooa.model", "version": 1, "rules": model.to_dict()}
    document["rules"]["patterns"][0]["literals"][0]["low"] = "high"
    (folder / "m.json").write_text(json.dumps(document))
    answer = ooa("explain", "m.json", "people.csv", "--row", 0)
    assert answer.err.startswith("ooa: m.json: rules.patterns[0].literals[0].low: expected a number")
    document["rules"], document["schema"] = model.to_dict(), {"columns": [{"name": "age"}]}
    (folder / "m.json").write_text(json.dumps(document))
    assert "schema.columns: expected" in ooa("explain", "m.json", "people.csv", "--row", 0).err


def test_explain(folder, ooa, people, model):
    row = int(np.argmax(people["sick"] == "well"))
    answer = ooa("explain", "model.json", "people.csv", "--row", row, "--row", 0)
    assert answer.out.startswith(
        f"row {row} (in the data: well): sick = well, as no pattern holds:\n  (age ≥ 51) fails"
    )
    assert "\nrow 0 (in the data: " in answer.out
    document = ooa("explain", "model.json", "people.csv", "--row", row, "--json").document
    found = document["rows"][0]
    assert (found["row"], found["label"], found["actual"], found["fired"]) == (row, "well", "well", [])
    assert [missed["pattern"] for missed in found["missed"]] == ["age ≥ 51", "cough = true AND smokes = yes"]
    beyond = ooa("explain", "model.json", "people.csv", "--row", 120)
    assert (beyond.code, beyond.err) == (1, "ooa: --row 120: people.csv has rows 0 to 119\n")


def test_export(folder, ooa, model):
    from ooa.export import FORMATS, export

    for to in FORMATS:
        if to == "sql" and find_spec("sqlglot") is None:
            continue
        answer = ooa("export", "model.json", "--to", to)
        assert answer.code == 0
        assert answer.out.rstrip("\n") == export(model, to).rstrip("\n")
    assert ooa("export", "model.json", "--to", "text", "--option", "compact=true").out.startswith(
        "(age ≥ 51) ∨"
    )
    assert ooa("export", "model.json", "--to", "json", "-o", "again.json").out == ""
    assert RuleSet.from_json((folder / "again.json").read_text()) == model
    unknown = ooa("export", "model.json", "--to", "cobol")
    assert (unknown.code, unknown.err.count("\n")) == (1, 1)
    assert ooa("export", "model.json", "--to", "text", "--option", "compact").err.startswith(
        "ooa: --option compact:"
    )


# -- bench, write ------------------------------------------------------------------------------------


def test_bench(folder, ooa):
    installed = [name for name, found in available_backends().items() if found.ok]
    answer = ooa("bench", *FIT[1:], "--json", "--quiet")
    document = answer.document
    assert (answer.code, document["agree"]) == (0, True)
    assert [(run["backend"], run["start"]) for run in document["runs"]] == [
        (name, start) for name in installed for start in ("cold", "warm")
    ]
    fitted = ooa(*FIT, "--json").document["certificate"]["objective"]
    assert all(run["objective"] == fitted for run in document["runs"] if run["status"] == "optimal")
    shown = ooa("bench", *FIT[1:], "--backends", "highs")
    assert "backend  version" in shown.out
    assert shown.out.count("optimal") == 2


def test_bench_says_what_a_licence_does_not_admit(ooa):
    if not (available_backends()["gurobi"].ok and available_backends()["gurobi"].max_rows):
        pytest.skip("no size-limited Gurobi")
    words = ("bench", "dataset:tic-tac-toe", "--backends", "gurobi", "--c1", "0.002", "--c2", "0.002")
    answer = ooa(*words)
    assert answer.code == 0
    assert "licence limit" in answer.out
    assert "note: gurobi: the model has" in answer.err


def test_contradictions_between_solvers_are_found():
    half, third = Fraction(1, 2), Fraction(1, 3)
    fine = [
        Run("a", "", "cold", "optimal", half, 0.5),
        Run("b", "", "cold", "time limit", Fraction(2, 3), 0.4),
    ]
    assert agree(fine) == ""
    assert "disagree" in agree([*fine, Run("c", "", "cold", "optimal", third, 1 / 3)])
    assert "but 1/2 is known" in agree([*fine, Run("c", "", "cold", "time limit", None, 0.6)])


@pytest.mark.parametrize("method", ["ooax", "ooa"])
def test_the_written_model_has_the_same_optimum(folder, ooa, method):
    words = (*FIT[1:], "--method", method, "--max-patterns", 2)
    written = ooa("write", *words, "--to", "model.mps", "--json").document
    assert written["file"] == "model.mps"
    if method == "ooax":
        milp = read_mps(folder / "model.mps")
        assert (milp.n_rows, milp.n_columns) == (written["rows"], written["columns"])
        solved = get_backend("highs").solve(milp, time_limit=20).objective / written["scale"]
        fitted = ooa("fit", *words, "--json").document["certificate"]["objective"]["value"]
        assert solved == pytest.approx(fitted, abs=1e-9)
    assert "its objective is 120 L" in ooa("write", *words, "--to", "model.lp").out
    assert (folder / "model.lp").read_text().startswith("\\")


def test_write_refuses_what_it_cannot_do(folder, ooa):
    assert "must end in .mps or .lp" in ooa("write", *FIT[1:], "--to", "model.txt").err
    answer = ooa("write", *FIT[1:], "--to", "model.lp", "--c1", "0.9")
    assert "there is no model to solve" in answer.err


# -- the rest ----------------------------------------------------------------------------------------


def test_listings(ooa, monkeypatch):
    listed = ooa("backends", "--json").document["backends"]
    assert [one["name"] for one in listed][:2] == ["highs", "scip"]
    assert listed[0]["available"]
    assert "highs    1." in ooa("backends").out
    names = [one["name"] for one in ooa("datasets", "--json").document["datasets"]]
    assert {"tic-tac-toe", "apnea-survey", "heart"} <= set(names)
    assert ooa("datasets").out.startswith("name ")


def test_demo_shows_everything(ooa):
    answer = ooa("demo")
    assert answer.code == 0
    for words in (
        "958 boards",
        "THEN predict x_wins = 1",
        "proved optimal",
        "2 patterns hold",
        "ooa fit your.csv",
    ):
        assert words in answer.out
    assert ooa("demo", "--json").document["certificate"]["proved"]


def test_what_the_demo_proposes_works(folder, ooa):
    assert ooa("fit", "dataset:monks1", "--save", "model.json").code == 0
    assert "row 5 (in the data: " in ooa("explain", "model.json", "dataset:monks1", "--row", 5).out
    assert ooa("export", "model.json", "--to", "latex").code == 0
    assert ooa("predict", "model.json", "dataset:monks1").out.count("\n") == 433


@pytest.mark.parametrize(
    "words",
    [
        ["fti"],
        ["fit"],
        ["fit", "x.csv", "--no-such-option"],
        ["fit", "x.csv", "--time", "3"],
        ["fit", "x.csv", "--time-limit", "soon"],
        ["fit", "x.csv", "--max-patterns", "0"],
        ["fit", "x.csv", "--method", "magic"],
        ["explain", "m.json", "x.csv"],
    ],
)
def test_usage_errors_end_with_2(ooa, words):
    answer = ooa(*words)
    assert answer.code == 2
    assert answer.err.startswith("ooa: ")
    assert answer.err.count("\n") == 1


def test_help_has_examples_codes_and_constraints(ooa):
    general = ooa().out
    assert ooa("--help").out == general
    assert "exit codes:" in general
    for command in ("fit", "predict", "explain", "export", "bench", "write"):
        text = ooa(command, "--help").out
        assert f"  ooa {command} " in text or f"| ooa {command} " in text
        assert "JSON" in text
    assert "min_sensitivity=LEAST" in ooa("fit", "--help").out


def test_an_unexpected_error_is_a_sentence_and_debug_shows_more(capsys, monkeypatch):
    def broken(arguments):
        raise ZeroDivisionError("by nothing")

    monkeypatch.setattr("ooa.cli.showing.backends", broken)
    assert main(["backends"]) == 1
    err = capsys.readouterr().err
    assert err == "ooa: unexpected ZeroDivisionError: by nothing (a fault of ooa; --debug shows where)\n"
    assert main(["backends", "--debug"]) == 1
    assert "Traceback" in capsys.readouterr().err


def test_progress_in_a_pipe_is_plain_lines(monkeypatch):
    stream = io.StringIO()
    lines = PlainLines(stream)
    lines.write("\r   1.0 s  too early")
    monkeypatch.setattr("ooa.cli.output.EVERY", 0.0)
    lines.write("\r   1.1 s  mining   ")
    lines.write("\r          \r")
    lines.write("a message\n")
    lines.flush()
    assert stream.getvalue() == "1.1 s  mining\na message\n"
    with following(quiet=True) as progress:
        assert not progress


def test_tables_are_aligned():
    assert text_table(["a", "bb"], [["x", 1], ["yyy", 1000]]) == "a      bb\nx       1\nyyy  1000"


# -- in a process of its own ---------------------------------------------------------------------------


def process(*words, **options):
    environment = os.environ | {"PYTHONIOENCODING": "utf-8"} | options.pop("env", {})
    return subprocess.Popen(
        [sys.executable, "-m", "ooa", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        encoding="utf-8",
        **options,
    )


def test_a_process_from_standard_input_to_ascii_output(folder, people):
    words = ("fit", "-", *FIT[2:], "--quiet")
    run = process(*words, stdin=subprocess.PIPE, env={"PYTHONIOENCODING": "ascii"})
    out, err = run.communicate(people.to_csv(index=False), timeout=60)
    assert (run.returncode, err) == (0, "")
    assert out.startswith("IF   (age >= 5")


def test_help_needs_no_heavy_import():
    code = "import sys; from ooa.cli import main; main([]); print({'numpy', 'pandas'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", timeout=60)
    assert done.stdout.endswith("set()\n")


@pytest.mark.skipif(os.name == "nt", reason="signals and pipes of POSIX")
def test_a_reader_that_goes_away_is_no_error_to_talk_about(folder, people):
    pd.concat([people] * 400).to_csv("long.csv", index=False)
    (folder / "rules.txt").write_text("age >= 51")
    run = process("predict", "rules.txt", "long.csv")
    assert run.stdout.readline().startswith("id,age")
    run.stdout.close()
    assert run.stderr.read() == ""
    assert run.wait(timeout=60) == 141


@pytest.mark.skipif(os.name == "nt", reason="signals and pipes of POSIX")
def test_ctrl_c_prints_and_saves_the_best_so_far(folder):
    hard = ("--max-length", "4", "--max-patterns", "none", "--c1", "0.0005", "--c2", "0.0005")
    run = process("fit", "dataset:monks2", *hard, "--time-limit", "100", "--save", "m.json", "--verbose")
    for line in run.stderr:  # the solver's own log: it is at work
        if "HiGHS" in line:
            break
    time.sleep(0.5)
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=60)
    assert run.returncode == 130, err
    assert "THEN predict monk = 1" in out
    assert "interrupted after" in out
    saved = json.loads((folder / "m.json").read_text())
    assert saved["certificate"]["termination"] == "interrupted"
    assert len(saved["rules"]["patterns"]) > 0


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
def test_completion_in_bash(folder, ooa):
    (folder / "c.bash").write_text(ooa("completion", "bash").out)

    def completed(*words):
        line = " ".join(f'"{word}"' for word in words)
        script = (
            f'source c.bash; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _ooa; echo "${{COMPREPLY[@]}}"'
        )
        done = subprocess.run(["bash", "-c", script], capture_output=True, encoding="utf-8", timeout=20)
        assert done.stderr == ""
        return done.stdout.split()

    assert completed("ooa", "ex") == ["explain", "export"]
    assert completed("ooa", "fit", "--max") == ["--max-patterns", "--max-length"]
    assert completed("ooa", "fit", "data.csv", "--backend", "") == ["highs", "scip", "cbc", "gurobi"]
    assert completed("ooa", "export", "m.json", "--to", "p") == ["pandas", "pmml", "python"]
    assert completed("ooa", "fit", "da") == []  # the shell's own completion of files follows
    assert "complete -c ooa" in ooa("completion", "fish").out
    assert ooa("completion", "zsh").out.startswith("autoload")
