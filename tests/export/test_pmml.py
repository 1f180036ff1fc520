"""PMML: by the standard's own rules, and in another program, the same is predicted."""

from __future__ import annotations

import datetime
import json
import shutil
import subprocess
import sys
from importlib.util import find_spec
from typing import Any
from xml.etree import ElementTree

import pytest
from support.exporting import cases, given_types

from ooa.errors import RuleError
from ooa.export import export
from ooa.rules.literal import Equal
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet

needs_pypmml = pytest.mark.skipif(
    find_spec("pypmml") is None or shutil.which("java") is None, reason="pypmml or Java is not installed"
)

PMML = "{http://www.dmg.org/PMML-4_4}"


def truth(predicate: ElementTree.Element, row: dict[str, Any], types: dict[str, str]) -> bool | None:
    """Evaluate a predicate by the standard: None is unknown."""
    tag = predicate.tag.removeprefix(PMML)
    if tag == "CompoundPredicate":
        parts = [truth(part, row, types) for part in predicate]
        decisive = predicate.get("booleanOperator") == "or"
        return decisive if decisive in parts else (None if None in parts else not decisive)
    assert tag == "SimplePredicate"
    cell, operator = row[predicate.attrib["field"]], predicate.attrib["operator"]
    if operator in ("isMissing", "isNotMissing"):
        return (cell is None) == (operator == "isMissing")
    if cell is None:
        return None
    text = predicate.attrib["value"]
    match types[predicate.attrib["field"]]:
        case "double":
            value: Any = float(text)
        case "boolean":
            value = {"true": True, "false": False}[text]
        case "dateTime":
            value = datetime.datetime.fromisoformat(text)
        case _:
            value = text
    return {
        "equal": lambda: cell == value,
        "notEqual": lambda: cell != value,
        "lessThan": lambda: cell < value,
        "lessOrEqual": lambda: cell <= value,
        "greaterThan": lambda: cell > value,
        "greaterOrEqual": lambda: cell >= value,
    }[operator]()


def score(text: str, rows: list[dict[str, Any]]) -> list[str]:
    """Read a RuleSetModel as the standard says, and score rows with it."""
    root = ElementTree.fromstring(text.encode())
    assert root.tag == f"{PMML}PMML"
    assert root.get("version") == "4.4"
    fields = root.findall(f"{PMML}DataDictionary/{PMML}DataField")
    types = {field.attrib["name"]: field.attrib["dataType"] for field in fields}
    mining = root.findall(f"{PMML}RuleSetModel/{PMML}MiningSchema/{PMML}MiningField")
    assert sorted(types) == sorted(field.attrib["name"] for field in mining)
    missing = {
        field.attrib["name"]: [value.attrib["value"] for value in field if value.get("property") == "missing"]
        for field in fields
    }
    body = root.find(f"{PMML}RuleSetModel/{PMML}RuleSet")
    assert body is not None
    assert body[0].attrib == {"criterion": "firstHit"}
    labels = []
    for row in rows:
        cells = {
            k: None if v is None or (v != v and "NaN" in missing.get(k, ())) else v for k, v in row.items()
        }
        fired = [rule.attrib["score"] for rule in body[1:] if truth(rule[0], cells, types) is True]
        labels.append(fired[0] if fired else body.attrib["defaultScore"])
    return labels


def spelt(label: Any) -> str:
    return label if isinstance(label, str) else str(label).lower()


@pytest.mark.parametrize("mixed", [True, False])
def test_pmml_predicts_the_same(mixed: bool) -> None:
    for case in cases(mixed):
        for rules, expected in zip(case.rules, case.expected):
            text = export(rules, "pmml", types=given_types(case, mixed))
            assert score(text, case.rows()) == list(map(spelt, expected))


PYPMML = """
import json, sys
from pypmml import Model
for line in open(sys.argv[1], encoding="utf-8"):
    text, rows = json.loads(line)
    model = Model.fromString(text)
    print(json.dumps([list(model.predict(row).values())[0] for row in rows]))
Model.close()
"""


@needs_pypmml
def test_a_pmml_reader_predicts_the_same(tmp_path: Any) -> None:
    jobs, wanted = [], []
    for case in cases(True):
        if "time" in case.kinds.values():  # the reader does not compare times
            continue
        for rules, expected in zip(case.rules[:2], case.expected):
            jobs.append(json.dumps([export(rules, "pmml", types=case.types), case.rows()]))
            wanted.append(expected)
    assert len(jobs) > 50
    (tmp_path / "jobs").write_text("\n".join(jobs), encoding="utf-8")
    command = [sys.executable, "-c", PYPMML, str(tmp_path / "jobs")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    got = [json.loads(line) for line in done.stdout.splitlines()]
    assert got == wanted


def test_pmml_says_what_it_cannot_do() -> None:
    for rules, message in [
        (RuleSet([Pattern([Equal("x", "\x01")])]), "XML"),
        (RuleSet([Pattern([Equal("\x01", 1)])]), "XML"),
        (RuleSet([Pattern([Equal("target", 1)])]), "also an attribute"),
        (RuleSet([], positive=True, negative=0.5), "differ in type"),
    ]:
        with pytest.raises(RuleError, match=message):
            export(rules, "pmml")
