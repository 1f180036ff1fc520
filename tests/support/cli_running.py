"""For the tests of the command line: a table in a folder to work in, and a way to run `ooa` there."""

import json
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from ooa.cli import main
from ooa.rules.ruleset import RuleSet

FIT = ("fit", "people.csv", "--target", "sick", "--positive", "ill", "--drop", "id,copies,seen")


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


@pytest.fixture
def model(folder):
    """A model file of known rules for the table."""
    rules = RuleSet.parse("age >= 51 OR smokes = yes AND cough = true -> sick = ill ELSE well")
    (folder / "model.json").write_text(rules.to_json())
    return rules


def rules_of(answer):
    assert answer.code == 0, answer.err
    return RuleSet.from_dict(answer.document["rules"])
