"""The report as one page: a title, the main figures, the sections, and nothing from anywhere else."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from ooa.data.table import Table
from ooa.keeping import write_text
from ooa.learning.certificate import Certificate
from ooa.rules.markup import Html, tag
from ooa.rules.ruleset import RuleSet
from ooa.solving.solution import Progress
from ooa.version import __version__

from .background import data_section, reproduce_section, search_section
from .figures import Figures, take_stock
from .mistakes import missed_section
from .others import NO_OTHERS, Others
from .outcome import outcome_section
from .parts import prediction
from .patterns import patterns_section
from .sections import proof_section, rules_section
from .short import short_sections
from .style import STYLE
from .tiles import tiles
from .words import several

if TYPE_CHECKING:
    pass

__all__ = ["write_report", "write_short_report"]

#: Nothing is loaded and nothing is run, whatever the data say.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


class Reported(Protocol):
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
    learned: Reported,
    table: Table | None,
    path: str | os.PathLike[str] | None = None,
    *,
    test: Table | None = None,
    ids: str | Iterable[object] | None = None,
    title: str | None = None,
    parameters: Mapping[str, object] | None = None,
    others: Others = NO_OTHERS,
) -> str:
    """Write a report on a rule set as one HTML file that needs nothing else.

    The page has no script and loads nothing. It is readable in light and dark, on a phone and on paper. The
    same arguments give the same page.

    Parameters
    ----------
    learned : Learned
        What `learn_ooax` or `learn_ooa` returned.
    table : Table or None
        The rows it was learned from; None if they are not at hand. The report is then about `test` alone, and
        leaves out how the rules were found.
    path : str or path, optional
        Where to write the page, in UTF-8.
    test : Table, optional
        Other rows. What the rules do on them stands beside what they do on those learned from, and wrong rows
        are named of these.
    ids : str or sequence, optional
        What the rows are called whose errors are named: a column of their table, or a name for each. By
        default they are counted from 0.
    title : str, optional
        By default "Rules for" the target.
    parameters : mapping, optional
        What the fit was told, to reproduce it. "max_patterns" and "constraints" are mentioned in the words on
        the proof.
    others : Others, optional
        Other rule sets to show beside this one.

    Returns
    -------
    str
        The page.

    Raises
    ------
    DataError
        If the table is not the one that the certificate speaks of, or `ids` do not fit the rows.
    OptionError
        If a frame of other rule sets lacks a column, or is given without the rows learned from.

    See Also
    --------
    write_short_report : what fits on one printed page.

    Examples
    --------
    >>> from ooa.learning.ooax import learn_ooax
    >>> table = Table.from_any({"age": [25, 31, 44, 60], "snores": [True, False, True, True]}, [0, 0, 1, 1])
    >>> page = write_report(learn_ooax(table, C1=0.01, C2=0.01), table, title="Four people")
    >>> page.splitlines()[0], "<h1>Four people</h1>" in page
    ('<!doctype html>', True)
    """
    if table is None:
        others.refuse()
    figures = take_stock(learned.rules, learned.certificate, table, test, ids)
    told = {} if parameters is None else parameters
    sections = _sections(figures, told, learned.trace, others.sections(figures))
    links = [tag("li", tag("a", called, href=f"#{name}")) for name, called, _ in sections]
    inside = tag("nav", tag("ul", links), aria_label="Sections"), [one for _, _, one in sections]
    return _written(_page(title, figures, *inside), path)


def write_short_report(
    learned: Reported,
    table: Table | None,
    path: str | os.PathLike[str] | None = None,
    *,
    test: Table | None = None,
    title: str | None = None,
) -> str:
    """Write the report on a rule set that fits on one printed page: rules, figures and proof.

    Parameters
    ----------
    learned, table, path, test, title : as for `write_report`

    Returns
    -------
    str
        The page.

    Examples
    --------
    >>> from ooa.learning.ooax import learn_ooax
    >>> table = Table.from_any({"age": [25, 31, 44, 60], "snores": [True, False, True, True]}, [0, 0, 1, 1])
    >>> page = write_short_report(learn_ooax(table, C1=0.01, C2=0.01), table)
    >>> page.count("<section")
    3
    """
    figures = take_stock(learned.rules, learned.certificate, table, test)
    return _written(_page(title, figures, None, short_sections(figures), kind="short"), path)


def _written(page: str, path: str | os.PathLike[str] | None) -> str:
    if path is not None:
        write_text(path, page)
    return page


def _sections(
    figures: Figures,
    settings: Mapping[str, object],
    trace: Sequence[Progress],
    others: Sequence[tuple[str, str, Html]],
) -> list[tuple[str, str, Html]]:
    """The sections of the long report: the name, what links call it, and the section."""
    sections = [
        ("rules", "Rules", rules_section(figures)),
        ("proof", "Proof", proof_section(figures, settings)),
        ("patterns", "Patterns", patterns_section(figures)),
        ("outcome", "Right and wrong", outcome_section(figures)),
        ("missed", "Wrong rows", missed_section(figures)),
        *others,
    ]
    if figures.training is not None:
        sections.append(("search", "Search", search_section(figures, trace)))
    return [
        *sections,
        ("data", "Data", data_section(figures)),
        ("reproduce", "Reproduce", reproduce_section(figures, settings)),
    ]


def _page(
    title: str | None, figures: Figures, nav: Html | None, sections: Sequence[Html], kind: str | None = None
) -> str:
    title = title or f"Rules for {prediction(figures, True)}"
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
        tag("header", tag("h1", title), tag("p", _lead(figures), class_="lead")),
        nav,
        tag("main", tiles(figures), *sections, id="main"),
        tag("footer", tag("p", f"Made by ooa {__version__}. This page loads nothing and runs nothing.")),
    ]
    lines = ["<!doctype html>", '<html lang="en">', "<head>", *head, "</head>"]
    parts = [Html(f"{one}\n") for one in body if one is not None]
    return "\n".join([*lines, tag("body", "\n", *parts, class_=kind), "</html>", ""])


def _lead(figures: Figures) -> str:
    """Say in two sentences what the page is about."""
    learned, tried = figures.training, figures.test
    how = []
    if learned is not None:
        table = learned.table
        attributes = several(len(table.attributes), "attribute")
        how.append(f"learned from {several(int(table.row_numbers.sum()), 'row')} with {attributes}")
    if tried is not None:
        how.append(f"tried on {several(int(tried.table.row_numbers.sum()), 'test row')}")
    yes, no = prediction(figures, True), prediction(figures, False)
    weighted = (
        " Rows are weighted; counts are of rows all the same, and say so where they are not."
        if any(one.weighed is not None for one in figures.sets)
        else ""
    )
    return (
        f"{several(len(figures.rules), 'pattern')} {' and '.join(how)}, to tell {yes} from {no}. "
        f"Below, {yes} is called positive.{weighted}"
    )
