"""Several answers as an HTML table for notebooks: everything escaped, no colours of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from ooa.rules.ruleset import RuleSet
from ooa.rules.text import pattern_text

__all__ = ["Lines", "html_table", "patterns_of"]

#: A cell of several lines.
Lines = Sequence[str]
_LEFT = ' style="text-align: left; vertical-align: top; white-space: normal"'
_RIGHT = ' style="text-align: right; vertical-align: top"'


def html_table(kind: str, headline: str, rows: Iterable[Mapping[str, str | Lines]]) -> str:
    """Write rows below a sentence; cells of several lines stand left, all others right.

    Light or dark is the notebook's business: text has the colour that it has around it.

    Parameters
    ----------
    kind : what the table is of, for style sheets
    headline : the sentence
    rows : what each column says, all with the same ones

    Examples
    --------
    >>> print(html_table("list", "1 < 2", [{"n": "7", "said": ["a & b"]}]))  # doctest: +ELLIPSIS
    <div class="ooa-list"><p>1 &lt; 2</p><table>...<td ...right...>7</td><td ...left...>a &amp; b</td></tr>...
    """
    rows = list(rows)
    head = "".join(
        f"<th{_RIGHT if isinstance(cell, str) else _LEFT}>{escape(name)}</th>"
        for name, cell in (rows[0].items() if rows else ())
    )
    body = "".join(f"<tr>{''.join(map(_cell, row.values()))}</tr>" for row in rows)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>" if rows else ""
    return f'<div class="ooa-{escape(kind)}"><p>{escape(headline)}</p>{table}</div>'


def patterns_of(rules: RuleSet) -> Lines:
    """The patterns of a rule set, one a line.

    Examples
    --------
    >>> patterns_of(RuleSet.parse("x >= 3 OR y = 1 AND x < 2"))
    ['(x ≥ 3)', 'OR (x < 2 AND y = 1)']
    """
    patterns = [f"({pattern_text(pattern)})" for pattern in rules]
    return [*patterns[:1], *(f"OR {one}" for one in patterns[1:])] or ["FALSE"]


def _cell(cell: str | Lines) -> str:
    if isinstance(cell, str):
        return f"<td{_RIGHT}>{escape(cell)}</td>"
    return f"<td{_LEFT}>{'<br>'.join(map(escape, cell))}</td>"
