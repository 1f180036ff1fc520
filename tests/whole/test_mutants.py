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


# -- which test is tried first ---------------------------------------------------------------------

TOLD = {"status": "killed", "by": "tests/test_one.py::test_a[x]", "seconds": 2.5}


def test_killers_are_written_down_in_the_order_of_the_list(study, tmp_path):
    groups = {group: mutants[:2] for group, mutants in list(study.GROUPS.items())[:2]}
    names = [f"{one.file} {one.name}" for mutants in groups.values() for one in mutants]
    path = tmp_path / "mutants.csv"
    for name in reversed(names):
        study.Killers(path).keep(groups, TOLD | {"mutant": name})
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [line.partition(",")[0] for line in lines] == [
        "group",
        *(group for group in groups for _ in (0, 1)),
    ]
    killers = study.Killers(path)
    assert [killers.of(name) for name in names] == 4 * [TOLD["by"]]
    assert killers.of("another") == study.Killers(path, remembers=False).of(names[0]) == ""
    # The same test again, whatever it took this time, changes nothing; another one, or none, does.
    killers.keep(groups, TOLD | {"mutant": names[0], "seconds": 9.0})
    assert path.read_text(encoding="utf-8").splitlines() == lines
    killers.keep(groups, TOLD | {"mutant": names[1], "by": "tests/test_two.py::test_b"})
    killers.keep(groups, TOLD | {"mutant": names[2], "status": "survived"})
    killers.keep({group: mutants[:-1] for group, mutants in groups.items()}, TOLD | {"mutant": names[0]})
    assert [study.Killers(path).of(name) for name in names] == [TOLD["by"], "", "", ""]


@pytest.mark.parametrize(
    ("killer", "ends", "tried"),
    [
        ("", ["survived"], ["all"]),
        ("tests/one.py::test_a", ["killed"], ["tests/one.py::test_a"]),
        ("tests/one.py::test_a", ["survived", "killed"], ["tests/one.py::test_a", "all"]),
        ("tests/one.py::gone", ["not tried, pytest ended with 4", "survived"], ["tests/one.py::gone", "all"]),
        ("tests/other.py::test_a", ["killed"], ["all"]),  # its control would not be tried
    ],
)
def test_the_last_killer_is_tried_first_and_then_all(study, tmp_path, monkeypatch, killer, ends, tried):
    mutant = study.Mutant("one", "ooa/rows.py", "old", "new", ("tests/one.py", "-k", "a or b"))
    seen, left = [], iter(ends)

    def told(tests, *_):
        seen.append("all" if tests == mutant.tests else tests[0])
        return {"status": next(left), "by": seen[-1]}

    monkeypatch.setattr(study, "_tried", told)
    assert study.verdict(mutant, tmp_path, 60.0, killer) == {"status": ends[-1], "by": tried[-1]}
    assert seen == tried


def test_controls_are_run_in_full(study, tmp_path):
    killers, name = study.Killers(tmp_path / "mutants.csv"), next(iter(study.CONTROLS))
    killers.keep(study.GROUPS, TOLD | {"mutant": name})  # what fails there is not for the next time
    assert study.Killers(killers.path).of(name) == ""
    assert not any(study.Killers().of(name) for name in study.CONTROLS)


def test_the_test_that_fails_is_named_even_if_it_never_ends(study, tmp_path, monkeypatch):
    monkeypatch.setattr(study, "ONE_TEST", 2)
    file = tmp_path / "test_some.py"
    file.write_text("def test_a():\n    pass\n\n\ndef test_b():\n    while True:\n        pass\n")
    found = study._tried((str(file),), ROOT, None, 600.0)
    assert (found["status"], found["by"].rpartition("::")[2]) == ("killed by the clock", "test_b")
    monkeypatch.undo()  # to report a test that fails takes a second the first time
    file.write_text(
        "def test_a():\n    pass\n\n\ndef test_b():\n    raise ValueError\n\n\ndef test_c():\n    pass\n"
    )
    found = study._tried((str(file),), ROOT, None, 600.0)
    assert (found["status"], found["by"].rpartition("::")[2]) == ("killed", "test_b")
    file.write_text("import what_is_not_there\n")
    found = study._tried((str(file),), ROOT, None, 600.0)
    assert found["status"].startswith("killed")
    assert found["by"].endswith("test_some.py")
    file.write_text("def test_a():\n    pass\n")
    assert study._tried((str(file),), ROOT, None, 600.0) == {"status": "survived", "by": ""}
