"""One clock: nothing but `ooa.clock` reads the machine's, and no test holds a stop-watch."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.house import parsed

ROOT = Path(__file__).parents[2]
#: What tells the time, and whose it is.
READERS = {
    "time": {"time", "monotonic", "perf_counter", "process_time", "thread_time", "clock_gettime"},
    "datetime": {"now", "today", "utcnow"},
    "os": {"times"},
    "timeit": {"timeit", "repeat", "default_timer", "Timer"},
}
READERS["time"] |= {f"{name}_ns" for name in READERS["time"]}


def modules(*folders: str) -> Iterator[Path]:
    for folder in folders:
        yield from sorted((ROOT / folder).rglob("*.py"))


def readings(tree: ast.AST) -> Iterator[ast.expr]:
    """Where code reads a clock of the machine's, under whatever name it was imported."""
    modules, names = {}, set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules |= {alias.asname or alias.name: alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module in READERS:
            for alias in node.names:
                if alias.name in READERS[node.module]:
                    names.add(alias.asname or alias.name)
                elif node.module == "datetime":  # its classes have the methods
                    modules[alias.asname or alias.name] = "datetime"
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            owner = node.value
            while isinstance(owner, ast.Attribute):
                owner = owner.value
            if isinstance(owner, ast.Name) and node.attr in READERS.get(modules.get(owner.id, ""), ()):
                yield node
        elif isinstance(node, ast.Name) and node.id in names:
            yield node


def stop_watches(tree: ast.Module) -> Iterator[ast.Assert]:
    """Assertions on seconds by the machine's clock: on a reading, or on what was made of one."""
    read = {id(node) for node in readings(tree)}
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    outside = [node for node in tree.body if not isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    for scope in [ast.Module(outside, []), *functions]:
        yield from timed_assertions(scope, read)


def timed_assertions(scope: ast.AST, read: set[int]) -> Iterator[ast.Assert]:
    timed: set[str] = set()

    def is_timed(node: ast.AST) -> bool:
        return any(
            id(part) in read or (isinstance(part, ast.Name) and part.id in timed) for part in ast.walk(node)
        )

    kinds = (ast.Assign, ast.AugAssign, ast.NamedExpr)
    assignments = [node for node in ast.walk(scope) if isinstance(node, kinds)]
    for _ in assignments:  # as often as something can be made of something made of a reading
        for node in assignments:
            if is_timed(node.value):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                parts = [part for target in targets for part in ast.walk(target)]
                timed |= {part.id for part in parts if isinstance(part, ast.Name)}
    for node in ast.walk(scope):
        if isinstance(node, ast.Assert) and is_timed(node.test):
            yield node


def codes(tree: ast.Module) -> Iterator[ast.Module]:
    """A module, and the programs in its longer strings, which tests run in processes of their own."""
    yield tree
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "\n" in node.value:
            try:
                yield ast.parse(node.value)
            except SyntaxError:  # no program, or one with something to fill in
                continue


@pytest.mark.parametrize("folder", ["ooa", "backends"])
def test_nothing_but_the_clock_reads_the_time(folder):
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in modules(folder)
        if path != ROOT / "ooa" / "clock.py"
        for tree in codes(parsed(path))
        for node in readings(tree)
    ]
    assert found == []


def test_the_clock_itself_is_found():
    (reading,) = readings(ast.parse((ROOT / "ooa" / "clock.py").read_text(encoding="utf-8")))
    assert ast.unparse(reading) == "time.monotonic"


def test_no_test_holds_a_stop_watch():
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in modules("tests", "ooa/testing")
        if path != Path(__file__)
        for tree in codes(parsed(path))
        for node in stop_watches(tree)
    ]
    assert found == []


@pytest.mark.parametrize(
    "code",
    [
        "import time\nbegan = time.monotonic()\nassert time.monotonic() - began < 1",
        "import time as t\nbegan = t.time_ns()\nwork()\nspent = t.time_ns() - began\nassert spent < 1",
        "from time import process_time as cpu\nassert cpu() < 2.0",
        "import time\nend = time.time() + 3\nleft = end - 1\nassert 0 < left",
        "import datetime\nassert datetime.datetime.now() < later",
    ],
)
def test_stop_watches_are_found(code):
    assert len(list(stop_watches(ast.parse(code)))) == 1


@pytest.mark.parametrize(
    "code",
    [
        "import time\ntime.sleep(1)\nassert True",
        "import time\nbegan = time.monotonic()\nassert learned.seconds >= 0",
        "assert clock.now() == 3.0",
        "import time\ndef f():\n    end = time.time()\ndef g():\n    end = 3\n    assert end == 3",
    ],
)
def test_what_is_no_stop_watch_is_let_pass(code):
    assert list(stop_watches(ast.parse(code))) == []
