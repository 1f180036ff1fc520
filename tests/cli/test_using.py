"""`ooa predict`, `ooa explain`, `ooa export`: what can be done with a model."""

from importlib.util import find_spec

import numpy as np
import pandas as pd
import pytest
from support import cli_running

from ooa.rules.ruleset import RuleSet

# Fixtures: assigned, as the tests ask for them by name.
people, folder, ooa = cli_running.people, cli_running.folder, cli_running.ooa
model = cli_running.model


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
    assert scored.out == ""
    assert scored.err.startswith("note: 120 rows have a label:\n             predicted ill  predicted well\n")
    assert "sensitivity    68 of 68 = 100 %\nspecificity    52 of 52 = 100 %\nPPV " in scored.err
    out = pd.read_csv("out.csv")
    assert out["predicted_sick"].tolist() == people["sick"].tolist()
    assert out[people.columns.tolist()].equals(pd.read_csv("people.csv"))


def test_predict_for_machines_and_parquet(folder, ooa, people, model):
    document = ooa("predict", "model.json", "people.csv", "--json", "--why").document
    assert document["predictions"] == people["sick"].tolist()
    assert (document["rows"], document["labelled"]["errors"], document["positives"]) == (
        120,
        0,
        (people["sick"] == "ill").sum(),
    )
    assert len(document["why"]) == 120
    people.drop(columns=["sick", "id"]).to_csv("new.csv", index=False)
    assert ooa("predict", "model.json", "new.csv", "--json").document["labelled"] is None
    pytest.importorskip("pyarrow")
    assert ooa("predict", "model.json", "new.csv", "-o", "out.parquet").code == 0
    assert pd.read_parquet("out.parquet")["predicted_sick"].tolist() == people["sick"].tolist()


def test_predict_needs_the_columns_of_the_rules_only(folder, ooa, model):
    (folder / "new.csv").write_text("age,cough\n1,true\n")
    answer = ooa("predict", "model.json", "new.csv")
    assert answer.code == 1
    assert answer.err == "ooa: The rules use 'smokes', but the data have no such column\n"


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
    several = ooa("explain", "model.json", "people.csv", "--row", "3,5")
    assert several.code == 2
    assert "'3,5' is not the number of a row, of which the first is 0; for several, repeat" in several.err


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
    (folder / "odd.txt").write_text("x >= 3 OR x = red")
    unclear = ooa("export", "odd.txt", "--to", "pandas")
    assert "say which it is with types=" in unclear.err
    typed = ooa("export", "odd.txt", "--to", "pandas", "--option", "types=x:number")
    assert typed.out == "(x >= 3)\n"
    unknown = ooa("export", "model.json", "--to", "cobol")
    assert (unknown.code, unknown.err.count("\n")) == (1, 1)
    assert ooa("export", "model.json", "--to", "text", "--option", "compact").err.startswith(
        "ooa: --option compact:"
    )
