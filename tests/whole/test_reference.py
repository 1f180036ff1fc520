"""The reference: everything public is in it, and nothing else but what a public thing hands out or takes."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from support.house import PUBLIC

import ooa

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


def test_the_index_names_every_page() -> None:
    index = (REFERENCE / "index.md").read_text(encoding="utf-8")
    pages = {page.name for page in REFERENCE.glob("*.md")} - {"index.md"}
    assert set(re.findall(r"\]\((\w+\.md)\)", index)) == pages
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert all(f"reference/{page}" in nav for page in pages)
