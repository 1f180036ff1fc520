"""The reference: everything public is in it, and nothing else but what a public thing hands out or takes."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import fields
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from support.house import PUBLIC

import ooa
from ooa.learning.settings import OOASettings, OOAxSettings

ROOT = Path(__file__).parent.parent.parent
REFERENCE = ROOT / "docs" / "reference"
#: What is documented where it is defined, and why it is in no public place.
DEEPER = {
    "ooa.learning.settings.FitSettings": "the options of learn_ooax and learn_ooa",
    "ooa.learning.settings.OOAxSettings": "the options of learn_ooax",
    "ooa.learning.settings.OOASettings": "the options of learn_ooa",
    "ooa.rules.explanations.Explanation": "what RuleSet.explain returns",
    "ooa.report.page.write_report": "what model.report and the command line call",
    "ooa.report.page.write_short_report": "what model.report(short=True) calls",
    "ooa.report.explorer.write_explorer": "what model.explore and the command line call",
    "ooa.report.explorer.ExplorerPage": "what model.explore returns",
    **{
        f"ooa.export.{to}.to_{to}": "the options of a format of export"
        for to in ("sql", "python", "pandas", "pmml", "latex")
    },
}

pytestmark = pytest.mark.skipif(not REFERENCE.is_dir(), reason="needs the source tree")


def entries() -> list[str]:
    """The names that the pages of the reference show."""
    return [
        name
        for page in sorted(REFERENCE.glob("*.md"))
        for name in re.findall(r"^::: ([\w.]+)", page.read_text(encoding="utf-8"), re.MULTILINE)
    ]


def found(name: str) -> Any:
    module, _, attribute = name.rpartition(".")
    return getattr(import_module(module), attribute)


def public() -> dict[str, Any]:
    """All that is public, by its name."""
    names = {f"ooa.{name}": getattr(ooa, name) for name in ooa.__all__}
    for room in PUBLIC:
        module = import_module(f"ooa.{room}")
        names |= {f"ooa.{room}.{name}": getattr(module, name) for name in module.__all__}
    return names


def test_only_public_names_are_shown() -> None:
    allowed = {*public(), *(f"ooa.{room}" for room in PUBLIC), *DEEPER}
    assert set(entries()) <= allowed
    assert set(DEEPER) <= set(entries())
    assert len(entries()) == len(set(entries()))


def test_everything_public_is_shown() -> None:
    shown = []
    for name in entries():
        one = found(name)
        shown += [getattr(one, each) for each in one.__all__] if inspect.ismodule(one) else [one]
    # Numbers, texts and types made of others have no docstring to show.
    wanted = {name: one for name, one in public().items() if inspect.isclass(one) or inspect.isroutine(one)}
    lacking = [name for name, one in wanted.items() if not any(one is other for other in shown)]
    assert not lacking


def test_everything_public_has_a_docstring() -> None:
    for name, one in public().items():
        if inspect.isclass(one) or inspect.isroutine(one):
            assert inspect.getdoc(one), name


def takers() -> Iterator[tuple[str, Any, str]]:
    """Everything public that one calls: its name, the thing, and what its docstring and its bases' say."""
    for name, one in public().items():
        if inspect.isroutine(one):
            yield name, one, inspect.getdoc(one) or ""
        elif inspect.isclass(one) and not issubclass(one, (Enum, Exception)):
            yield name, one, "\n".join(inspect.getdoc(base) or "" for base in one.__mro__)
            for attribute, method in vars(one).items():
                if not attribute.startswith("_") and callable(getattr(one, attribute)):
                    bare = getattr(method, "__func__", method)
                    yield f"{name}.{attribute}", bare, inspect.getdoc(bare) or ""


def described(text: str) -> set[str]:
    """The names that have an entry in the parameters or the attributes of a docstring."""
    sections = re.findall(
        r"^(?:(?:Other )?Parameters|Attributes)\n-+\n((?:.*\n?)*?)(?=^\S.*\n-{3,}$|\Z)", text, re.MULTILINE
    )
    entries = [
        entry for part in sections for entry in re.findall(r"^([\w*][\w*, ]*?)(?: :.*)?$", part, re.MULTILINE)
    ]
    return {name for entry in entries for name in entry.split(", ")}


def test_every_parameter_is_described_one_by_one() -> None:
    """One alone is told in the first sentence; options that are handed on are described where they arrive."""
    options = {one.name for kind in (OOAxSettings, OOASettings) for one in fields(kind)}
    lacking: dict[str, set[str]] = {}
    for name, one, text in takers():
        if not inspect.isfunction(one) and not inspect.isclass(one):
            continue
        taken = inspect.signature(one).parameters
        handed_on = any(one.kind is one.VAR_KEYWORD for one in taken.values()) or "**options" in text
        own = [p.name for p in taken.values() if p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]
        own = [p for p in own if p not in ("self", "cls") and not (handed_on and p in options)]
        if len(own) > 1 or re.fullmatch(r"ooa\.constraints\.[a-z_]+", name):
            lacking[name] = set(own) - described(text)
    assert not {name: some for name, some in lacking.items() if some}


def test_the_index_names_every_page() -> None:
    index = (REFERENCE / "index.md").read_text(encoding="utf-8")
    pages = {page.name for page in REFERENCE.glob("*.md")} - {"index.md"}
    assert set(re.findall(r"\]\((\w+\.md)\)", index)) == pages
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert all(f"reference/{page}" in nav for page in pages)
