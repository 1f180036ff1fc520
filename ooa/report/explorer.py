"""The page to explore near-optimal rule sets: one file with its data, style and script, and nothing else."""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from ooa.checks import instance, listed_items, truth
from ooa.data.table import Table
from ooa.errors import OptionError
from ooa.explore.rashomon import RashomonSet
from ooa.formulations.base import ConstraintLike
from ooa.keeping import write_text
from ooa.rules.markup import Html, tag
from ooa.version import __version__

from .explorer_data import explorer_document

__all__ = ["ExplorerPage", "write_explorer"]

#: The modules of the script, in the order in which they stand in the page; all see one another.
MODULES = (
    *("bits", "rules", "figures", "limits", "state", "words"),
    *("plot", "choose", "editor", "panel", "keep", "main"),
)


@dataclass(frozen=True, repr=False)
class ExplorerPage:
    """A page that was made; a notebook shows it.

    Attributes
    ----------
    near : RashomonSet
        What it is about.
    html : str
        The whole page.
    path : pathlib.Path or None
        Where it was written.
    """

    near: RashomonSet
    html: str = field(repr=False)
    path: Path | None = None

    def __repr__(self) -> str:
        where = "" if self.path is None else f" in {str(self.path)!r}"
        return f"ExplorerPage({len(self.near)} rule sets{where})"

    def _repr_html_(self) -> str:
        return tag(
            "iframe",
            srcdoc=self.html,
            title="Near-optimal rule sets to explore",
            sandbox="allow-scripts allow-downloads",
            style="width: 100%; height: 56rem; border: 1px solid #8884; border-radius: .5rem",
        )


def write_explorer(
    near: RashomonSet,
    path: str | os.PathLike[str] | None = None,
    *,
    test: Table | None = None,
    rows: bool = True,
    groups: str | None = None,
    title: str | None = None,
    schema: Mapping[str, Any] | None = None,
    constraints: Sequence[ConstraintLike | str] = (),
) -> ExplorerPage:
    """Write a page to choose among near-optimal rule sets, and to change them, as one HTML file.

    The page loads nothing and sends nothing. It holds the rule sets with their figures and, unless `rows` is
    False, the distinct rows in coded form with their weights, for the editor: numbers as intervals between
    cuts, categories, no names of rows and no order. It says so.

    Parameters
    ----------
    near : RashomonSet
        What `enumerate_optimal` or `near_optimal` returned.
    path : str or path, optional
        Where to write the page, in UTF-8.
    test : Table, optional
        Other rows, whose figures stand beside those of the rows learned from.
    rows : bool, default True
        Whether the coded rows are in the page. Without them the editor is off.
    groups : str, optional
        A column of categories: gaps between its groups are figures, too.
    title : str, optional
    schema : mapping, optional
        How the data were read, for the model files that the page writes.
    constraints : sequence of constraints
        What the fit was bound to. Rule sets that are changed on the page are checked for limits on rows
        (error rates, groups) and on how often, or together, attributes and conditions occur; what the page
        cannot count, and what is given in words, it names as not checked.

    Returns
    -------
    ExplorerPage

    Examples
    --------
    >>> from ooa import enumerate_optimal
    >>> table = Table.from_any({"age": [25, 31, 44, 60], "snores": [True, False, True, True]}, [0, 0, 1, 1])
    >>> page = write_explorer(enumerate_optimal(table, within=0.1, C1=0.01, C2=0.01), title="Four people")
    >>> page.html.splitlines()[0], "<title>Four people</title>" in page.html
    ('<!doctype html>', True)
    """
    instance(near, "near", RashomonSet, "a RashomonSet, as enumerate_optimal returns it")
    wanted = truth(rows, "rows")
    if path is not None and not isinstance(path, (str, os.PathLike)):
        raise OptionError(f"path must be None or the name of a file, not {path!r:.200}")
    if test is not None:
        instance(test, "test", Table, "None or an ooa.Table")
    if title is not None:
        instance(title, "title", str, "None or a text")
    if schema is not None:
        instance(schema, "schema", Mapping, "None or a dict")
    constraints = listed_items(constraints, "constraints", object, "constraints")
    for one in constraints:
        if not (callable(one) or isinstance(one, str)):
            raise OptionError(f"constraints must hold constraints or words for them, not {one!r:.200}")
    document = explorer_document(
        near, test=test, rows=wanted, groups=groups, schema=schema, constraints=constraints
    )
    page = _page(title or f"Rule sets for {near.rules[0].target} = {near.rules[0].positive}", document)
    if path is not None:
        write_text(path, page)
    return ExplorerPage(near, page, None if path is None else Path(path))


def _page(title: str, document: Mapping[str, Any]) -> str:
    # No text can end the element, or begin another one.
    data = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    data = data.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    script = _script()
    head = [
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=_policy(script)),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="generator", content=f"ooa {__version__}"),
        tag("link", rel="icon", href="data:,"),
        tag("title", title),
        tag("style", Html(_text("explorer.css"))),
    ]
    body = [
        tag("a", "Skip to the chosen rule set", href="#chosen", class_="skip"),
        tag("header", tag("h1", title), tag("p", id="lead", class_="lead")),
        Html(_text("explorer.html")),
        tag("script", Html(data), type="application/json", id="data"),
        tag("script", Html(script)),
    ]
    lines = ["<!doctype html>", '<html lang="en">', "<head>", *head, "</head>"]
    return "\n".join([*lines, "<body>", *body, "</body>", "</html>", ""])


def _policy(script: str) -> str:
    """Nothing is loaded, and no other script is run, whatever the data say."""
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
    return f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-{digest}'"


@cache
def _script() -> str:
    """All modules of the script as one."""
    parts = [_text(f"{name}.js") for name in MODULES]
    return "\n".join(['"use strict";', "(() => {", *parts, "})();", ""])


@cache
def _text(name: str) -> str:
    return (files("ooa.report") / "explorer_files" / name).read_text(encoding="utf-8")
