"""`ooa evaluate` and `ooa compare`: counted again row by row."""

import io
import re

import pytest
from support import cli_running

# Fixtures: assigned, as the tests ask for them by name.
people, folder, ooa = cli_running.people, cli_running.folder, cli_running.ooa
model = cli_running.model


@pytest.fixture
def other(folder):
    """Another rule set, as text."""
    (folder / "other.txt").write_text("IF age >= 60 THEN sick = ill ELSE well")


def test_evaluate_counts_what_is_right_and_wrong(folder, ooa, people, other):
    document = ooa("evaluate", "other.txt", "people.csv", "--json").document
    fires, ill = people["age"] >= 60, people["sick"] == "ill"
    assert document["found"] == (fires & ill).sum()
    assert document["missed"] == (~fires & ill).sum()
    assert document["alarms"] == (fires & ~ill).sum()
    assert document["spared"] == (~fires & ~ill).sum()
    assert document["errors"] == (fires != ill).sum()
    assert document["ppv"] == pytest.approx((fires & ill).sum() / fires.sum())
    assert document["patterns"] == [
        {
            "text": "age ≥ 60",
            "rows": fires.sum(),
            "positives": (fires & ill).sum(),
            "ppv": document["ppv"],
            "sensitivity": document["sensitivity"],
            "only": fires.sum(),
        }
    ]
    said = ooa("evaluate", "other.txt", "people.csv").out
    assert said.startswith(f"other.txt on people.csv: 120 labelled rows, sick = ill in {ill.sum()}\n")
    assert re.search(rf"sick = ill +{(fires & ill).sum()} +{(~fires & ill).sum()}\n", said)
    assert re.search(rf"\nPPV +{(fires & ill).sum()} of {fires.sum()} = ", said)


def test_rows_without_a_label_do_not_count_and_other_labels_are_refused(folder, ooa, people, other):
    people.assign(sick=people["sick"].where(people.index % 2 == 0, "")).to_csv("half.csv", index=False)
    assert ooa("evaluate", "other.txt", "half.csv", "--json").document["rows"] == 60
    people.assign(sick="unsure").to_csv("odd.csv", index=False)
    refused = ooa("evaluate", "other.txt", "odd.csv")
    assert refused.err == "ooa: column 'sick' holds 'unsure', and the rules know 'ill' and 'well' only\n"
    told = ooa("predict", "other.txt", "odd.csv", "-o", "out.csv")
    assert told.code == 0
    assert told.err.startswith(
        "note: the predictions are not compared with labels: column 'sick' holds 'unsure'"
    )
    people.drop(columns="sick").to_csv("new.csv", index=False)
    assert "no column 'sick' with labels" in ooa("evaluate", "other.txt", "new.csv").err
    people.assign(sick="").to_csv("none.csv", index=False)
    assert "no row has a label in column 'sick'" in ooa("evaluate", "other.txt", "none.csv").err


def test_compare_lists_the_rows_on_which_two_models_differ(folder, ooa, people, model, other):
    document = ooa("compare", "model.json", "other.txt", "people.csv", "--json").document
    one = (people["age"] >= 51) | ((people["smokes"] == "yes") & people["cough"])
    two = people["age"] >= 60
    assert [row["row"] for row in document["differ"]] == people.index[one != two].tolist()
    for row in document["differ"]:
        at = row["row"]
        assert row["label"] == people["sick"][at]
        assert row["predictions"] == ["ill" if fires[at] else "well" for fires in (one, two)]
        assert row["because"] == (["age ≥ 51"] if people["age"][at] >= 51 else []) + (
            ["cough = true AND smokes = yes"] if people["cough"][at] and people["smokes"][at] == "yes" else []
        )
    assert [counted["errors"] for counted in document["labelled"]] == [
        0,
        (two != (people["sick"] == "ill")).sum(),
    ]
    said = ooa("compare", "model.json", "other.txt", "people.csv").out
    count = int((one != two).sum())
    assert said.startswith(f"model.json and other.txt differ on {count} of 120 rows of people.csv\n")
    assert f"... and {count - 20} more; --json has them all" in said
    assert "row  sick" in said


def test_compare_without_labels_and_from_standard_input(folder, ooa, people, model, other, monkeypatch):
    plain = people.drop(columns="sick").to_csv(index=False)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(plain.encode())))
    document = ooa("compare", "model.json", "other.txt", "-", "--json").document
    assert document["labelled"] is None
    assert document["differ"][0]["label"] is None
    same = ooa("compare", "model.json", "model.json", "people.csv").out
    assert same.startswith("model.json and model.json differ on 0 of 120 rows")


def test_models_of_different_things_are_not_compared(folder, ooa, model):
    (folder / "else.txt").write_text("IF age >= 60 THEN dead = yes ELSE no")
    answer = ooa("compare", "model.json", "else.txt", "people.csv")
    assert answer.err == (
        "ooa: model.json predicts sick = 'ill' or 'well', but else.txt dead = 'yes' or 'no'\n"
    )
