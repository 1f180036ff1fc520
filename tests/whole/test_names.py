"""Names mean one thing: no two public classes share one, and `typing.Literal` keeps its own."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.house import parsed

ROOT = Path(__file__).parent.parent.parent
FOLDERS = ("ooa", "backends")
pytestmark = pytest.mark.skipif(not (ROOT / "ooa").exists(), reason="needs the source tree")


def modules() -> Iterator[tuple[str, ast.Module]]:
    """Every module of the library: its path and its syntax tree."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield str(path.relative_to(ROOT)), parsed(path)


def alias(node: ast.stmt) -> tuple[str, str] | None:
    """The name and the meaning of a type alias such as `Choice = tuple[int, ...]`; None if it is none.

    Aliases are spelt like classes and stand in annotations; plain constants are spelt in capitals.
    """
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target, value = node.targets[0], node.value
    elif isinstance(node, ast.AnnAssign) and node.value is not None:
        target, value = node.target, node.value
    else:
        return None
    if not isinstance(target, ast.Name) or target.id.startswith("_"):
        return None
    if not target.id[0].isupper() or target.id.isupper():
        return None
    return target.id, ast.unparse(value).replace("npt.", "")


def test_there_is_something_to_look_at() -> None:
    names = [path for path, _ in modules()]
    assert len(names) > 150
    assert "ooa/formulations/base.py" in names


def test_no_two_public_classes_share_a_name() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for path, tree in modules():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(path)
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}


def test_an_alias_means_the_same_wherever_it_is_written_and_is_no_class() -> None:
    meanings: dict[str, set[str]] = defaultdict(set)
    for path, tree in modules():
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                meanings[node.name].add(f"a class of {path}")
            elif (found := alias(node)) is not None:
                meanings[found[0]].add(found[1])
    assert {name: said for name, said in meanings.items() if len(said) > 1 and name[0] != "_"} == {}


def test_literal_keeps_its_name() -> None:
    renamed = [
        f"{path}: {imported.asname}"
        for path, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module in ("typing", "typing_extensions")
        for imported in node.names
        if imported.name == "Literal" and imported.asname is not None
    ]
    assert renamed == []
