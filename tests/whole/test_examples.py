"""The examples: each runs as a script, in a folder of its own, and says what it promises."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import ooa
from ooa.model import read_mps
from ooa.solving import available_backends
from ooa.testing import checks

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
#: What the others import, and which does nothing by itself.
MODULES = {"tree_backend"}
#: Themes that `own_constraint_and_backend.py` itself runs, which a test does.
QUICK = ("basics", "degenerate", "status", "starts")
#: Checks that race a clock, for which Python is a slow solver: `own_constraint_and_backend.py all` runs them.
RACING = (
    *("limits", "trust", "adding_rows", "progress", "interrupts", "concurrency"),
    *("check_same_seed_same_answer", "check_isolated_start", "check_isolated_time_limit"),
)

pytestmark = pytest.mark.skipif(not EXAMPLES.is_dir(), reason="needs the source tree")


def run(name: str, folder: Path, *words: str) -> str:
    """Run an example; return what it printed."""
    path = os.pathsep.join([str(Path(ooa.__file__).parent.parent), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / f"{name}.py"), *words],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def test_screening(tmp_path):
    said = run("screening", tmp_path)
    assert said.count("IF   (") == 2
    assert said.count("proved best among") == 2
    found = [tuple(map(int, pair)) for pair in re.findall(r"(?:learned from|new) +(\d+) of (\d+)", said)]
    (plain, tumours), _, (careful, same), (new, new_tumours) = found
    assert tumours == same
    assert plain / tumours < 0.98 <= careful / tumours
    assert new / new_tumours > 0.9
    assert "first rule: lump = benign, as no pattern holds" in said
    assert "second rule: lump = malignant, as a pattern holds" in said
    page = (tmp_path / "screening.html").read_text(encoding="utf-8")
    assert "Which lumps need a biopsy?" in page


def test_credit(tmp_path):
    said = run("credit", tmp_path)
    lines = re.findall(r"^(any|\d+%) .* ([\d.]+)% +(\d+) +\d+ +([\d.]+) +yes$", said, re.MULTILINE)
    limits = [100.0 if limit == "any" else float(limit.rstrip("%")) for limit, *_ in lines]
    assert limits == [100, 5, 2]
    assert all(float(gap) <= limit for limit, (_, gap, _, _) in zip(limits, lines))
    assert float(lines[0][1]) > 10
    # A rule that may do less cannot be better.
    values = [float(value) for *_, value in lines]
    assert values == sorted(values)
    assert values[0] < values[-1]


def test_compare_solvers(tmp_path):
    said = run("compare_solvers", tmp_path, "model.mps")
    there = [name for name, found in available_backends().items() if found.ok]
    for name in there:
        assert len(re.findall(rf"^{name} .* (?:cold|warm) ", said, re.MULTILINE)) == 2
    assert f"{2 * len(there)} proofs agree on the optimum: L = 7/50" in said
    assert "its optimum is 28, which is 200 L" in said
    assert read_mps(tmp_path / "model.mps").n_columns > 100


def test_own_constraint_and_backend(tmp_path):
    said = run("own_constraint_and_backend", tmp_path)
    free, highs, tree = re.findall(r"(\d+) false alarms among women; L = (\S+), proved best", said)
    assert int(free[0]) > 10 >= int(highs[0])
    assert highs[1] == tree[1]
    assert "two constraints, solved by tree" in said
    assert re.search(r"^(\d+) of \1 that were run$", said, re.MULTILINE)
    assert set(re.findall(r"^  (\w+) +\d+ passed$", said, re.MULTILINE)) == set(QUICK)


@pytest.fixture
def backend(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    return import_module("tree_backend").TreeSearch()


def suite():
    if not EXAMPLES.is_dir():
        return []
    sys.path.insert(0, str(EXAMPLES))
    try:
        found = checks(import_module("tree_backend").TreeSearch())
    finally:
        sys.path.remove(str(EXAMPLES))
    elsewhere = {*QUICK, *RACING}
    return [check for check in found if not {check.__module__.rpartition(".")[2], check.__name__} & elsewhere]


@pytest.mark.parametrize("check", suite(), ids=lambda check: check.__name__.removeprefix("check_"))
def test_the_own_backend_keeps_what_it_claims(check, backend):
    check(backend)


def test_every_example_is_listed_and_says_for_whom():
    page = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    scripts = {path.stem: path for path in EXAMPLES.glob("*.py")}
    assert set(re.findall(r"\]\((\w+)\.py\)", page)) == set(scripts)
    for name, path in scripts.items():
        text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
        assert name in MODULES or text.startswith("For "), name
        assert name in MODULES or f"test_{name}" in globals(), f"no test runs {name}"
