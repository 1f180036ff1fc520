"""Models of every form, and files that are none."""

import json

import pytest
from support import cli_running
from support.cli_running import FIT

from ooa.cli.modelfile import read_model
from ooa.errors import FormatError

# Fixtures: assigned, as the tests ask for them by name.
people, folder, ooa = cli_running.people, cli_running.folder, cli_running.ooa
model = cli_running.model


def test_models_of_every_form(folder, ooa, people, model):
    (folder / "rules.txt").write_text(str(model))
    fitted = ooa(*FIT, "--save", "full.json")
    assert fitted.code == 0
    for place in ("rules.txt", "model.json", "full.json"):
        assert ooa("predict", place, "people.csv", "--json").document["labelled"]["accuracy"] >= 0.95


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
    for reading, words in (
        ("?", "schema.reading: expected an object"),
        ({"na": "?"}, "schema.reading.na: '?'"),
    ):
        document["rules"], document["schema"] = model.to_dict(), {"reading": reading}
        (folder / "m.json").write_text(json.dumps(document))
        assert words in ooa("explain", "m.json", "people.csv", "--row", 0).err


@pytest.mark.parametrize("at", ["", '"schema": {"a": 1, "a": 2}, ', '"format": "ooa.model", '])
def test_a_member_twice_is_refused_anywhere(folder, ooa, model, at):
    rules = model.to_json()
    doubled = rules if at else rules.replace('"target"', '"target": "t", "target"', 1)
    (folder / "m.json").write_text(f'{{"format": "ooa.model", "version": 1, {at}"rules": {doubled}}}')
    answer = ooa("predict", "m.json", "people.csv")
    assert answer.code == 1
    assert "occurs twice in one object" in answer.err


def test_what_is_wrong_in_a_model_is_said_of_one_with_a_comma_on_every_line(folder, ooa, model):
    text = model.to_json(indent=2).replace("{", '{"version": 1,', 1)
    assert [line.count(",") for line in text.splitlines()[:5]] == [1] * 5
    (folder / "m.json").write_text(text)
    assert "the member 'version' occurs twice in one object" in ooa("predict", "m.json", "people.csv").err


def test_pages_and_other_text_are_no_models(tmp_path):
    (tmp_path / "page.html").write_text("<!doctype html><p>rules</p>")
    with pytest.raises(FormatError, match=r"page\.html is a page to look at, and a model is needed: what"):
        read_model(str(tmp_path / "page.html"))
    (tmp_path / "t.csv").write_bytes("größe\n1\n".encode("cp1252"))
    with pytest.raises(FormatError, match="so it is no model; the model comes before the table"):
        read_model(str(tmp_path / "t.csv"))
