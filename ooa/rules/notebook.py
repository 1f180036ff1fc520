"""Rules and what is said of them as HTML for notebooks: everything escaped, in the notebook's own colours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from .markup import Content, Html, tag
from .ruleset import RuleSet
from .text import levels_text, name_text, pattern_text, value_text

if TYPE_CHECKING:
    from .explanations import Explanation

__all__ = ["explanation_html", "notice", "rules_html"]

_LEFT = "text-align: left; vertical-align: top; white-space: normal"


def rules_html(rules: RuleSet) -> Html:
    """Write a rule set as a table.

    Examples
    --------
    >>> "&lt;b&gt;" in rules_html(RuleSet.parse("colour = '<b>'"))
    True
    """
    target = name_text(rules.target)
    patterns = [f"({pattern_text(pattern)})" for pattern in rules] or ["FALSE"]
    said = [f"predict {target} = {value_text(label)}" for label in (rules.positive, rules.negative)]
    words = ["IF", *["OR"] * (len(patterns) - 1), "THEN", "ELSE", "WITH"]
    levels = levels_text(rules)
    cells = [*patterns, *said, *([levels.removeprefix("WITH ")] if levels else [])]
    return tag("table", tag("tbody", _rows(zip(words, cells))), class_="ooa-rules")


def explanation_html(why: Explanation) -> Html:
    """Write why a row is predicted as it is: a sentence, and a row of a table for each pattern.

    Examples
    --------
    >>> page = explanation_html(RuleSet.parse("x >= 3 OR y = red").explain({"x": 1, "y": "red"}))
    >>> "target = 1, as a pattern holds:" in page, "y is red" in page, "2 too low" in page
    (True, True, False)
    """
    first, *lines = why.lines()
    rows = _rows((pattern, words.removeprefix(":").strip()) for pattern, words in lines)
    table = tag("table", tag("tbody", rows)) if rows else None
    return tag("div", tag("b", "".join(first)), table, class_="ooa-explanation")


def notice(kind: str, colour: str, lines: Sequence[Content]) -> Html:
    """Return lines beside a coloured rule; text has the colour that it has around it.

    Parameters
    ----------
    kind : what it is about, for style sheets
    colour : one that is seen on white and on black
    lines : what it says
    """
    style = f"border-left: 4px solid {colour}; padding: 2px 0 2px 12px; margin: 4px 0; line-height: 1.5"
    return tag("div", [tag("div", line) for line in lines], class_=kind, style=style)


def _rows(lines: Iterable[tuple[Content, Content]]) -> list[Html]:
    return [tag("tr", tag("th", one, style=_LEFT), tag("td", other, style=_LEFT)) for one, other in lines]
