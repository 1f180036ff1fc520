"""The list of mutants fits the tree: each has its one place, can be run, and names tests that there are."""

from __future__ import annotations

import ast
import re
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
pytestmark = pytest.mark.skipif(not (ROOT / "benchmarks").is_dir(), reason="needs the source tree")


@pytest.fixture
def study(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    return import_module("mutants")


def test_every_mutant_has_its_place(study):
    assert len(study.MUTANTS) == sum(map(len, study.GROUPS.values())) > 150  # no two of one name
    meant = cache(lambda text: ast.dump(ast.parse(text)))
    for mutant in study.MUTANTS.values():
        text = (ROOT / mutant.file).read_text(encoding="utf-8")
        broken = study.mutated(text, mutant)
        assert broken != text, mutant.name
        if not mutant.compiled:  # one that is no Python at all would be noticed by anything
            assert meant(broken) != meant(text), mutant.name


def test_tests_of_mutants_are_there(study):
    for mutant in study.MUTANTS.values():
        for words in mutant.tests[: mutant.tests.index("-k") if "-k" in mutant.tests else None]:
            assert (ROOT / words).is_file(), (mutant.name, words)


def test_every_row_family_of_the_formulations_is_dropped_once(study):
    """A family that is new needs a mutant: whether its rows are noticed when they are gone."""
    for file in ("ooax_layout", "ooa_compact", "ooa_paper", "box_layout", "box_words", "vocabulary"):
        path = f"ooa/formulations/{file}.py"
        families = re.findall(r'add_rows\(\s*f?"([^"]+)"', (ROOT / path).read_text(encoding="utf-8"))
        dropped = [
            re.search(r'None\)\(\s*f?"([^"]+)"', mutant.new)
            for mutant in study.MUTANTS.values()
            if mutant.file == path
        ]
        assert sorted(found[1] for found in dropped if found) == sorted(families), file
        assert families


def test_a_place_that_is_gone_is_an_error(study):
    mutant = next(iter(study.MUTANTS.values()))
    for text in ("", 2 * mutant.old):
        with pytest.raises(ValueError, match="times"):
            study.mutated(text, mutant)


def test_what_is_installed_is_not_taken_for_ours(study, tmp_path, monkeypatch):
    # An environment in the tree, as `make test` has it: numpy cannot be loaded twice. And the library that is
    # installed may be that of another tree.
    class Module:
        __file__: str

    monkeypatch.setattr(study, "ROOT", tmp_path)
    files = {
        ("numpy", ".venv/lib/numpy/__init__.py"): False,
        ("tests.tables", "tests/tables.py"): True,
        ("ooa.clock", "ooa/clock.py"): True,
        ("ooa_backends.highs", "../other/backends/highs.py"): True,
    }
    for (name, file), ours in files.items():
        Module.__file__ = str(tmp_path / file)
        assert study._is_ours(name, Module) is ours, name


def test_the_library_of_another_tree_is_refused(study, tmp_path):
    study._be_of(ROOT)
    with pytest.raises(ImportError, match="not that of"):
        study._be_of(tmp_path)


def test_what_no_test_has_seen_is_not_killed(study):
    # No tests found, a wrong call of pytest, the library of another tree.
    told = {code: study.told_by(code) for code in (0, 1, 2, -11, None, 3, 4, 5, study.FAULT)}
    assert told[0] == "survived"
    assert all(told[code].startswith("killed") for code in (1, 2, -11, None))
    assert all(told[code].startswith("not tried") for code in study.UNTRIED)
    name = next(iter(study.MUTANTS))
    rows = [{"mutant": name, "status": told[code]} for code in (1, 5, 0)]
    tables = study.STUDY.summary(rows).tables
    assert tables["Killed and survived"][0] | {"group": ""} == {
        "group": "",
        "tried": 2,
        "killed": 1,
        "survived": 1,
    }
    assert len(tables["Mutants that survived, controls that failed"]) == 2
