"""The contract of the house: imports go down only, rooms have their places, and nothing grows too large."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest
from support.house import (
    COMPILING,
    FLOORS,
    GROUND,
    PUBLIC,
    ROOT,
    SEES,
    SOLVERS,
    Import,
    between_rooms,
    floor_of,
    folder_of,
    functions,
    imports,
    imports_of,
    modules,
    packages_outside,
    room_of,
    rooms,
)

import ooa

pytestmark = pytest.mark.skipif(not (ROOT / "ooa").is_dir(), reason="needs the source tree")
#: Lines of a module; lines of a function without its docstring; parameters of one that is not public.
MOST_LINES, MOST_FUNCTION_LINES, MOST_PARAMETERS = 350, 60, 8


def listed(found: Iterator[object] | list[object] | list[Import]) -> str:
    return "\n".join(map(str, found))


# -- who sees whom ---------------------------------------------------------------------------------


def test_every_room_has_its_floor() -> None:
    assert sorted(room for floor in FLOORS for room in floor) == rooms()
    files = {path.stem for path in (ROOT / "ooa").glob("*.py")} - {"__init__", "__main__"}
    assert files == set(GROUND)


def test_imports_go_down_only() -> None:
    wrong = [
        one
        for one in between_rooms()
        if room_of(one.by) in rooms() and floor_of(room_of(one.by)) >= floor_of(room_of(one.what))
    ]
    assert not wrong, f"not down:\n{listed(wrong)}"


def test_imports_name_rooms_there_are() -> None:
    known = {*rooms(), *GROUND, "backends"}
    wrong = [one for one in between_rooms() if room_of(one.what) not in known]
    assert not wrong, f"neither a room nor a file of the ground floor:\n{listed(wrong)}"


def test_the_ground_floor_stands_on_nothing() -> None:
    graph: dict[str, set[str]] = {}
    for one in between_rooms():
        if room_of(one.by) in GROUND:
            assert room_of(one.what) in GROUND, one
            graph.setdefault(room_of(one.by), set()).add(room_of(one.what))
    TopologicalSorter(graph).prepare()  # raises if there is a circle


@pytest.mark.parametrize("who", SEES)
def test_who_sees_less(who: str) -> None:
    wrong = [one for one in between_rooms() if room_of(one.by) == who and room_of(one.what) not in SEES[who]]
    assert not wrong, f"{who} sees only {', '.join(sorted(SEES[who]))}:\n{listed(wrong)}"


def test_backends_import_from_the_rooms_themselves() -> None:
    # What authors of other adapters are told is all that ours need: mypy sees to it that it is in `__all__`.
    seen = [one for one in between_rooms() if room_of(one.by) == "backends"]
    wrong = [one for one in seen if one.what.count(".") > 1]
    assert not wrong, listed(wrong)


def test_backends_are_reached_by_name_only() -> None:
    wrong = [
        one
        for one in between_rooms()
        if room_of(one.what) == "backends" and one.by not in ("ooa.solving.registry", "backends")
    ]
    assert not wrong, listed(wrong)


def test_only_kernels_are_compiled() -> None:
    wrong = [one for one in packages_outside() if one.what in COMPILING and room_of(one.by) != "kernels"]
    assert not wrong, listed(wrong)


def test_only_backends_import_solvers() -> None:
    found = [one for one in packages_outside() if one.what in SOLVERS]
    wrong = [one for one in found if room_of(one.by) != "backends"]
    assert not wrong, listed(wrong)
    assert {"highspy", "pyscipopt", "gurobipy"} <= {one.what for one in found}


def test_imports_are_relative_within_a_room_and_absolute_across() -> None:
    wrong = [one for one in imports() if one.how == "absolute" and folder_of(one.what) == folder_of(one.by)]
    assert not wrong, f"a module of the same folder, by its full name:\n{listed(wrong)}"
    wrong = [one for one in between_rooms() if one.how == "relative" and room_of(one.by) not in GROUND]
    assert not wrong, f"another room by dots:\n{listed(wrong)}"


SOURCE = """
import llvmlite.ir, json
from ooa.errors import DataError
from ooa import model, fit
from .frames import open_frame
from ..rules.text import name_text
if TYPE_CHECKING:
    from ooa.estimators.base import RuleSetClassifier
def f():
    from ooa.report.page import write_report
TABLE = {"a": "ooa.plots.rules:plot_rules", "b": "ooa_backends.highs:HighsBackend", "c": "ooa.backends"}
COMMAND = ["-m", "ooa.solving.child", f"ooa.cli.{f}", "ooa", "see ooa.theory"]
"""


def test_the_reader_of_imports_misses_none() -> None:
    found = list(imports_of("ooa.data.table", ast.parse(SOURCE)))
    named = {how: {one.what for one in found if one.how == how} for how in ("absolute", "relative", "text")}
    assert named["absolute"] == {
        *("llvmlite.ir", "json", "ooa.errors", "ooa.model", "ooa.fit"),
        *("ooa.estimators.base", "ooa.report.page"),
    }
    assert named["relative"] == {"ooa.data.frames", "ooa.rules.text"}
    assert named["text"] == {"ooa.plots.rules", "ooa_backends.highs", "ooa.solving.child", "ooa.cli"}
    assert next(iter(imports_of("ooa.data.__init__", ast.parse("from .table import Table")))) == Import(
        "ooa.data", 1, "ooa.data.table", "relative"
    )
    assert len(list(imports())) > 500


# -- where things are ------------------------------------------------------------------------------


def test_few_files_stand_outside_of_rooms() -> None:
    files = [path.name for path in (ROOT / "ooa").iterdir() if path.is_file()]
    assert len(files) <= 11, files


def test_no_room_hides_a_public_name() -> None:
    # `ooa.fit` and `ooa.path` are functions: a room of that name would take their place once imported.
    assert not {*rooms(), *GROUND} & set(ooa.__all__)


def test_every_package_is_shipped() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    table = re.search(r"^packages = \[(.*?)\]", text, re.MULTILINE | re.DOTALL)
    assert table is not None
    shipped = set(re.findall(r'"([\w.]+)"', table[1]))
    found = {name.removesuffix(".__init__") for name in modules() if name.endswith(".__init__")}
    assert shipped == found


def test_the_tests_mirror_the_rooms() -> None:
    tests = ROOT / "tests"
    lacking = [room for room in rooms() if not list((tests / room).glob("test_*.py"))]
    assert not lacking, f"no tests/<room>/test_*.py for {', '.join(lacking)}"
    folders = {
        path.name for path in tests.iterdir() if path.is_dir() and not path.name.startswith(("_", "."))
    }
    assert folders == {*rooms(), "backends", "whole", "support"}
    loose = {path.stem for path in tests.glob("*.py")} - {"conftest"}
    assert loose <= {f"test_{name}" for name in GROUND}, "only files of the ground floor are tested there"
    assert not list((tests / "support").glob("test_*.py"))


# -- how large things are --------------------------------------------------------------------------


def source_files() -> list[Path]:
    return sorted([*(ROOT / "ooa").rglob("*.py"), *(ROOT / "backends").rglob("*.py")])


def test_no_module_is_too_long() -> None:
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in source_files()}
    wrong = [f"{path.relative_to(ROOT)}: {n} lines" for path, n in lines.items() if n > MOST_LINES]
    assert not wrong, listed(wrong)


def test_no_function_is_too_long() -> None:
    wrong = [
        f"{one.module}.{one.name}: {one.lines} lines without its docstring"
        for one in functions()
        if one.lines > MOST_FUNCTION_LINES
    ]
    assert not wrong, listed(wrong)


def test_no_function_takes_too_much() -> None:
    public = set(public_functions())
    wrong = [
        f"{one.module}.{one.name}: {one.parameters} parameters"
        for one in functions()
        if one.parameters > MOST_PARAMETERS
        and room_of(one.module) != "kernels"
        and (one.module, one.name) not in public
    ]
    assert not wrong, listed(wrong)


def public_functions() -> Iterator[tuple[str, str]]:
    """Where they are defined, and what they are called there: all that is called from outside."""
    homes = [ooa, *(import_module(f"ooa.{room}") for room in PUBLIC)]
    for home in homes:
        for name in getattr(home, "__all__", [name for name in vars(home) if not name.startswith("_")]):
            yield from _called(getattr(home, name))


def _called(found: object) -> Iterator[tuple[str, str]]:
    if inspect.isclass(found):
        for name, value in inspect.getmembers(found):
            if name == "__init__" or not name.startswith("_"):
                yield from () if inspect.isclass(value) else _called(value)
    elif inspect.isroutine(found):
        function = inspect.unwrap(found)
        yield getattr(function, "__module__", None) or "", getattr(function, "__qualname__", "")


def test_public_rooms_say_what_is_public() -> None:
    for room in PUBLIC:
        module = import_module(f"ooa.{room}")
        assert all(hasattr(module, name) for name in module.__all__)
        assert getattr(ooa, room) is module
