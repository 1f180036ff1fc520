"""The parts that sections are made of: headings, tables, keys to pictures, rules in words."""

from __future__ import annotations

from collections.abc import Sequence

from ooa.rules.markup import Content, Html, join, tag
from ooa.rules.pattern import Pattern
from ooa.rules.text import name_text, value_text

from .figures import Figures
from .words import condition_words

__all__ = ["FEW", "badge", "conditions", "facts", "grid", "key", "prediction", "section"]

#: Most categories that a condition lists where it stands for the second time, or where there is little room.
FEW = 12


def section(name: str, title: str, *content: Content) -> Html:
    """Return a section with its heading, which names it."""
    head = tag("h2", title, id=f"{name}-title")
    return tag("section", head, *content, id=name, aria_labelledby=f"{name}-title")


def facts(rows: Sequence[tuple[str, Content]]) -> Html:
    """Return names and values as a table."""
    body = [tag("tr", tag("th", name, scope="row"), tag("td", value)) for name, value in rows]
    return tag("table", tag("tbody", body), class_="facts")


def grid(
    caption: str,
    head: Sequence[str],
    rows: Sequence[Html],
    numbers: Sequence[int] = (),
    kind: str = "",
    groups: Sequence[tuple[str, int]] = (),
) -> Html:
    """Return a table that scrolls sideways if it is wide.

    `numbers` are the columns of numbers, `groups` what stands above the head: names, and how many columns
    each has. Of kind "tall" it scrolls up and down as well, of kind "stack" its cells stand below one another
    on a phone.
    """
    names = [tag("th", n, scope="col", class_="n" if j in numbers else None) for j, n in enumerate(head)]
    above = [tag("th", name, scope="colgroup", colspan=wide, class_="n over") for name, wide in groups]
    heads = tag("tr", above) if groups else None, tag("tr", names)
    table = tag("table", tag("caption", caption), tag("thead", *heads), tag("tbody", rows))
    return tag(
        "div",
        table,
        class_=f"scroll {kind}".strip(),
        tabindex=0,
        role="region",
        aria_label=caption,
    )


def key(entries: Sequence[tuple[str, str]]) -> Html:
    """Return what the colours of a picture mean."""
    items = []
    for name, words in entries:
        patch = tag("svg", tag("rect", class_=name, width="100%", height="100%", rx=3), aria_hidden="true")
        items.append(tag("li", patch, words))
    return tag("ul", items, class_="key")


def badge(number: int) -> Html:
    """Return the number of a pattern as a round sign."""
    return tag("span", str(number), class_="number")


def conditions(pattern: Pattern, most: int | None = None) -> Html:
    """Return a pattern in words, with at most so many values of a set of categories."""
    pieces: list[Content] = []
    for literal in pattern:
        name, words = condition_words(literal, most)
        pieces += [tag("span", " and ", class_="and") if pieces else None, tag("b", name), f" {words}"]
    return join(*pieces)


def prediction(figures: Figures, positive: bool) -> str:
    """Return a prediction as text."""
    label = figures.rules.positive if positive else figures.rules.negative
    return f"{name_text(figures.rules.target)} = {value_text(label)}"
