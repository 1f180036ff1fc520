"""The rooms of `ooa/` and what they import, read from the source: who sees whom, and how large things are.

``python tests/support/house.py`` writes the picture of the imports into docs/architecture.md anew.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent.parent
#: Top to bottom: a room may import from floors below its own, and from no other room of its floor.
FLOORS = (
    ("cli",),
    ("estimators",),
    ("report", "plots", "export"),
    ("engines",),
    ("explore", "theory"),
    ("learning", "testing"),
    ("search",),
    ("constraints",),
    ("formulations", "solving"),
    ("candidates", "model"),
    ("datasets",),
    ("rules",),
    ("data",),
    ("kernels",),
)
#: Single files below all rooms.
GROUND = ("checks", "clock", "errors", "keeping", "live_line", "logs", "objective", "version")
#: What may see less than its floor allows.
SEES = {"testing": {"model", "solving", *GROUND}, "backends": {"errors", "model", "solving"}}
#: What turns Python into machine code, or calls such code.
COMPILING = {"numba", "llvmlite", "ctypes", "cffi", "cython", "Cython", "pybind11", "nanobind"}
SOLVERS = {
    "highspy",
    "pyscipopt",
    "gurobipy",
    "pulp",
    "cbcbox",
    "cplex",
    "docplex",
    "ortools",
    "mip",
    "xpress",
}
#: The rooms whose `__all__` is public, beside that of `ooa`.
PUBLIC = ("constraints", "datasets", "errors", "export", "formulations", "model", "solving", "testing")
PAGE = ROOT / "docs" / "architecture.md"

_MODULE_TEXT = re.compile(r"(ooa(?:_backends)?(?:\.\w+)*)(?::\w+|\.)?")


class Import(NamedTuple):
    """One module names another: in a statement, wherever that stands, or in a string."""

    by: str
    line: int
    what: str
    how: str  #: "absolute", "relative", or "text" for a string

    def __str__(self) -> str:
        return f"{self.by}, line {self.line}: {self.what}"


class Function(NamedTuple):
    """A function or method as it is written."""

    module: str
    name: str
    line: int
    lines: int  #: without its docstring
    parameters: int  #: without self


def rooms() -> list[str]:
    """The folders of `ooa/` that are packages."""
    return sorted(path.parent.name for path in (ROOT / "ooa").glob("*/__init__.py"))


def room_of(module: str) -> str:
    """The room, or file of the ground floor, that a module of `ooa` belongs to; "" for `ooa` itself."""
    parts = module.split(".")
    return "backends" if parts[0] != "ooa" else parts[1] if len(parts) > 1 else ""


def folder_of(module: str) -> str:
    """The package that a module lies in; a package lies in itself."""
    return module if f"{module}.__init__" in modules() else module.rpartition(".")[0]


def floor_of(room: str) -> int:
    """The floor of a room, counted from the top; the ground floor is the last."""
    return next((n for n, floor in enumerate(FLOORS) if room in floor), len(FLOORS))


@cache
def parsed(path: Path) -> ast.Module:
    """The syntax tree of a file, which is read once; nobody changes it."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def modules() -> dict[str, ast.Module]:
    """The source of every module of `ooa` and of the backends, by its name."""
    found = {}
    for path in sorted([*(ROOT / "ooa").rglob("*.py"), *(ROOT / "backends").rglob("*.py")]):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if parts[0] == "backends":
            parts = ("ooa_backends", *parts[1:])
        found[".".join(parts)] = parsed(path)
    return found


@cache
def imports() -> tuple[Import, ...]:
    """Every import of every module but those of `ooa` itself, which is the top."""
    top = ("ooa.__init__", "ooa.__main__")
    return tuple(
        one for module, tree in modules().items() if module not in top for one in imports_of(module, tree)
    )


def imports_of(module: str, tree: ast.Module) -> Iterator[Import]:
    """Every import of one module."""
    for node in ast.walk(tree):
        relative = isinstance(node, ast.ImportFrom) and node.level
        how = "text" if isinstance(node, ast.Constant) else "relative" if relative else "absolute"
        for name in _named(module, node):
            yield Import(module.removesuffix(".__init__"), node.lineno, name, how)  # type: ignore[attr-defined]


def _named(module: str, node: ast.AST) -> list[str]:
    """The modules that one piece of source names."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        package = module.split(".")[: -node.level] if node.level else []
        full = ".".join([*package, *filter(None, [node.module])])
        # What is imported from `ooa` itself is a room, or a name from who knows where.
        return [f"{full}.{alias.name}" for alias in node.names] if full == "ooa" else [full]
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        match = _MODULE_TEXT.fullmatch(node.value)
        # Other strings begin like that too: names of formats, of loggers, of entry points.
        if match and (match[1].startswith("ooa_backends") or room_of(match[1]) in {*rooms(), *GROUND}):
            return [match[1]]
    return []


def between_rooms() -> list[Import]:
    """The imports of `ooa` that lead from one room to another, or to a file of the ground floor."""
    return [
        one
        for one in imports()
        if re.match(r"ooa(_backends)?(\.|$)", one.what) and room_of(one.by) != room_of(one.what)
    ]


def packages_outside() -> list[Import]:
    """The imports of other packages, each by its first name alone."""
    found = [one._replace(what=one.what.partition(".")[0]) for one in imports()]
    return [one for one in found if one.what not in ("ooa", "ooa_backends")]


def functions() -> Iterator[Function]:
    """Every function and method, those inside of others included."""
    for module, tree in modules().items():
        yield from _functions(module.removesuffix(".__init__"), tree, "")


def _functions(module: str, node: ast.AST, inside: str) -> Iterator[Function]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            yield from _functions(module, child, f"{inside}{child.name}.")
        elif isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            name = f"{inside}{child.name}"
            yield Function(
                module, name, child.lineno, _lines(child), _parameters(child, isinstance(node, ast.ClassDef))
            )
            yield from _functions(module, child, f"{name}.<locals>.")
        else:
            yield from _functions(module, child, inside)


def _lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    lines = function.end_lineno - function.lineno + 1  # type: ignore[operator]
    first = function.body[0]
    if ast.get_docstring(function, clean=False) is not None:
        lines -= first.end_lineno - first.lineno + 1  # type: ignore[operator]
    return lines


def _parameters(function: ast.FunctionDef | ast.AsyncFunctionDef, method: bool) -> int:
    given = function.args
    static = any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in function.decorator_list)
    names = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    return sum(one is not None for one in names) - (method and not static)


# -- the picture -----------------------------------------------------------------------------------


def picture() -> str:
    """Who imports from whom: a line per room, a column per room, in the order of the floors."""
    order = [room for floor in FLOORS for room in floor]
    seen = {(room_of(one.by), room_of(one.what)) for one in between_rooms()}
    width = max(map(len, order))
    head = [" " * (width + 4) + " ".join(letters).rstrip() for letters in _upright(order)]
    lines = []
    for n, room in enumerate(order):
        marks = ["\\" if n == m else "x" if (room, other) in seen else "." for m, other in enumerate(order)]
        lines.append(f"{room:<{width}}    {' '.join(marks)}")
    return "\n".join([*head, *lines]) + "\n"


def _upright(names: list[str]) -> list[str]:
    height = max(map(len, names))
    return ["".join(name.rjust(height)[k] for name in names) for k in range(height)]


PICTURE = re.compile(r"(?<=<!-- drawn by tests/support/house.py -->\n```text\n).*?(?=```\n)", re.DOTALL)


def main() -> None:
    """Write the picture into its page anew."""
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(PICTURE.sub(lambda _: picture(), page, count=1), encoding="utf-8")


if __name__ == "__main__":
    main()
