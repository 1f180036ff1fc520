"""Several answers as an HTML table for notebooks: everything escaped, in the notebook's own colours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ooa.rules.markup import Html, tag
from ooa.rules.ruleset import RuleSet
from ooa.rules.text import pattern_text

__all__ = ["Lines", "html_table", "patterns_of"]

#: A cell of several lines.
Lines = Sequence[str]
_LEFT = "text-align: left; vertical-align: top; white-space: normal"
_RIGHT = "text-align: right; vertical-align: top"


def html_table(kind: str, headline: str, rows: Iterable[Mapping[str, str | Lines]]) -> Html:
    """Write rows below a sentence; cells of several lines stand left, all others right.

    Parameters
    ----------
    kind : what the table is of, for style sheets
    headline : the sentence
    rows : what each column says, all with the same ones

    Examples
    --------
    >>> page = html_table("list", "1 < 2", [{"n": "7", "said": ["a & b", "c"]}])
    >>> "<p>1 &lt; 2</p>" in page, "<div>a &amp; b</div><div>c</div></td>" in page
    (True, True)
    """
    rows = list(rows)
    names = [tag("th", name, style=_style(cell)) for name, cell in (rows[0].items() if rows else ())]
    cells = [[tag("td", _content(cell), style=_style(cell)) for cell in row.values()] for row in rows]
    body = tag("tbody", [tag("tr", line) for line in cells])
    table = tag("table", tag("thead", tag("tr", names)), body) if rows else None
    return tag("div", tag("p", headline), table, class_=f"ooa-{kind}")


def patterns_of(rules: RuleSet) -> Lines:
    """The patterns of a rule set, one a line.

    Examples
    --------
    >>> patterns_of(RuleSet.parse("x >= 3 OR y = 1 AND x < 2"))
    ['(x ≥ 3)', 'OR (x < 2 AND y = 1)']
    """
    patterns = [f"({pattern_text(pattern)})" for pattern in rules]
    return [*patterns[:1], *(f"OR {one}" for one in patterns[1:])] or ["FALSE"]


def _style(cell: str | Lines) -> str:
    return _RIGHT if isinstance(cell, str) else _LEFT


def _content(cell: str | Lines) -> str | list[Html]:
    return cell if isinstance(cell, str) else [tag("div", line) for line in cell]
