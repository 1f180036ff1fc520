"""Readers of PMML's rule sets: one that goes by the standard, and another program where it is installed."""

from __future__ import annotations

import datetime
import json
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

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
            cell = float(cell)
        case "boolean":
            value = {"true": True, "false": False}[text]
        case "dateTime":
            value = datetime.datetime.fromisoformat(text)
            if not isinstance(cell, datetime.datetime):
                cell = datetime.datetime.combine(cell, datetime.time())
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


_PYPMML = """
import json, sys
from pypmml import Model
for line in open(sys.argv[1], encoding="utf-8"):
    text, rows = json.loads(line)
    model = Model.fromString(text)
    print(json.dumps([list(model.predict(row).values())[0] for row in rows]))
Model.close()
"""


def read_by_pypmml(jobs: list[tuple[str, list[dict[str, Any]]]], place: Path) -> list[list[Any]]:
    """Score rows with documents in another program; what it is told is written to a file."""
    place.write_text("\n".join(map(json.dumps, jobs)), encoding="utf-8")
    command = [sys.executable, "-c", _PYPMML, str(place)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]
