"""The report as one page: a title, the main figures, the sections, and nothing from anywhere else."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ooa.data.amounts import amount, percent
from ooa.data.table import Table
from ooa.errors import OptionError
from ooa.learning.certificate import Certificate
from ooa.rules.ruleset import RuleSet
from ooa.solving.solution import Progress
from ooa.version import __version__

from .background import data_section, path_section, reproduce_section, search_section
from .figures import Figures, take_stock
from .markup import Html, tag
from .outcome import missed_section, outcome_section
from .parts import prediction
from .sections import patterns_section, proof_section, rules_section
from .style import STYLE
from .words import several, verdict

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["write_report"]

#: Nothing is loaded and nothing is run, whatever the data say.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


class Result(Protocol):
    """What a report is about; `ooa.Learned` is one."""

    @property
    def rules(self) -> RuleSet:
        """The rule set."""

    @property
    def certificate(self) -> Certificate:
        """What is proved about it."""

    @property
    def trace(self) -> Sequence[Progress]:
        """When better rule sets and bounds became known."""


def write_report(
    learned: Result,
    table: Table,
    path: str | os.PathLike[str] | None = None,
    *,
    title: str | None = None,
    parameters: Mapping[str, object] | None = None,
    path_frame: pd.DataFrame | None = None,
    held_out: bool = False,
) -> str:
    """Write a report on a rule set as one HTML file that needs nothing else.

    The page has no script and loads nothing. It is readable in light and dark, on a phone and on paper. The
    same arguments give the same page.

    Parameters
    ----------
    learned : Learned
        What `learn_ooax` or `learn_ooa` returned.
    table : Table
        The rows it was learned from, or others; the report counts them from 0.
    path : str or path, optional
        Where to write the page, in UTF-8.
    title : str, optional
        By default "Rules for" the target.
    parameters : mapping, optional
        What the fit was told, to reproduce it. "max_patterns" and "constraints" are mentioned in the words on
        the proof.
    path_frame : pandas.DataFrame, optional
        Rule sets of other sizes, with the columns errors (on the same rows), literals and patterns.
    held_out : bool
        Whether the table holds other rows than those learned from. The report then says what the rules do on
        these, and leaves out how they were found.

    Returns
    -------
    str
        The page.

    Raises
    ------
    DataError
        If the table is not the one that the certificate speaks of.
    OptionError
        If a column of `path_frame` is lacking, or it is given together with rows held out.

    Examples
    --------
    >>> from ooa.learning.ooax import learn_ooax
    >>> table = Table.from_any({"age": [25, 31, 44, 60], "snores": [True, False, True, True]}, [0, 0, 1, 1])
    >>> page = write_report(learn_ooax(table, C1=0.01, C2=0.01), table, title="Four people")
    >>> page.splitlines()[0], "<h1>Four people</h1>" in page
    ('<!doctype html>', True)
    """
    if held_out and path_frame is not None:
        raise OptionError("path_frame is about the rows learned from, and held_out is about others")
    figures = take_stock(learned.rules, learned.certificate, table, held_out=held_out)
    settings = {} if parameters is None else parameters
    sections = [
        ("rules", "Rules", rules_section(figures)),
        ("proof", "Proof", proof_section(figures, settings)),
        ("patterns", "Patterns", patterns_section(figures)),
        ("outcome", "Right and wrong", outcome_section(figures)),
        ("missed", "Wrong rows", missed_section(figures)),
    ]
    if path_frame is not None:
        sections.append(("path", "Complexity", path_section(figures, path_frame)))
    if not held_out:
        sections.append(("search", "Search", search_section(figures, learned.trace)))
    sections += [
        ("data", "Data", data_section(figures)),
        ("reproduce", "Reproduce", reproduce_section(figures, settings)),
    ]
    page = _page(title or f"Rules for {prediction(figures, True)}", figures, sections)
    if path is not None:
        Path(path).write_text(page, encoding="utf-8", newline="\n")
    return page


def _page(title: str, figures: Figures, sections: list[tuple[str, str, Html]]) -> str:
    table = figures.table
    rows, attributes = several(table.n_rows, "row"), several(len(table.attributes), "attribute")
    lead = (
        f"{several(len(figures.rules), 'pattern')} "
        + (f"tried on {rows} held out," if figures.held_out else f"learned from {rows} with {attributes},")
        + f" to tell {prediction(figures, True)} from {prediction(figures, False)}. "
        f"Below, {prediction(figures, True)} is called positive."
    )
    links = [tag("li", tag("a", short, href=f"#{name}")) for name, short, _ in sections]
    head = [
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="generator", content=f"ooa {__version__}"),
        tag("link", rel="icon", href="data:,"),
        tag("title", title),
        tag("style", Html(STYLE)),
    ]
    body = [
        tag("a", "Skip to the report", href="#main", class_="skip"),
        tag("header", tag("h1", title), tag("p", lead, class_="lead")),
        tag("nav", tag("ul", links), aria_label="Sections"),
        tag("main", _tiles(figures), *(one for _, _, one in sections), id="main"),
        tag("footer", tag("p", f"Made by ooa {__version__}. This page loads nothing and runs nothing.")),
    ]
    lines = ["<!doctype html>", '<html lang="en">', "<head>", *head, "</head>", "<body>", *body, "</body>"]
    return "\n".join([*lines, "</html>", ""])


def _tiles(figures: Figures) -> Html:
    """The main figures."""
    all_, found = figures.confusion, figures.certificate
    kind, short, more = verdict(found)
    entries = [
        (
            "",
            "Right",
            percent(all_.found + all_.spared, all_.total),
            f"{amount(all_.found + all_.spared)} of {amount(all_.total)} {figures.rows}",
        ),
        (
            "",
            "Found, of all positive",
            percent(all_.found, all_.positives),
            f"false alarms among the negative: {percent(all_.alarms, all_.negatives)}",
        ),
        ("", "Size", several(found.patterns, "pattern"), several(found.literals, "condition")),
        (kind, "Proof, on the rows learned from" if figures.held_out else "Proof", short, more),
    ]
    tiles = [
        tag(
            "div",
            tag("dt", name),
            tag("dd", value, class_="big"),
            tag("dd", words, class_="more"),
            class_=tint or None,
        )
        for tint, name, value, words in entries
    ]
    return tag("dl", tiles, class_="tiles")
