"""A hook of the site: formulas between dollar signs become MathML, which browsers show without any script.

On GitHub the same formulas are rendered from the Markdown.
"""

from __future__ import annotations

import re
from typing import Any

from latex2mathml.converter import convert

# Code first, so that a dollar sign in it is left alone; then formulas on lines of their own, then others.
_PARTS = re.compile(r"(```.*?```|`[^`\n]+`)|\$\$(.+?)\$\$|\$([^$\n]+(?:\n[^$\n]+)?)\$", re.DOTALL)
_MARK = "formula{}mark"
#: Formulas in a sentence that are as long as this in LaTeX may be wider than a phone.
LONG = 50
_formulas: dict[str, list[str]] = {}


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Put marks in the place of the formulas, so that Markdown does not touch them."""
    made = _formulas[page.file.src_uri] = []

    def mark(match: re.Match[str]) -> str:
        if match[1] is not None:
            return match[1]
        block = match[2] is not None
        text = " ".join((match[2] or match[3]).split())
        formula = convert(text, display="block" if block else "inline")
        made.append(formula if block or len(text) < LONG else f'<span class="formula">{formula}</span>')
        return _MARK.format(len(made) - 1)

    return _PARTS.sub(mark, markdown)


def on_page_content(html: str, page: Any, **_: Any) -> str:
    """Put the formulas in the place of the marks."""
    for number, formula in enumerate(_formulas.pop(page.file.src_uri, [])):
        html = html.replace(_MARK.format(number), formula)
    return html
