"""A hook of the site: what a copy button copies, and which lines of code may be broken on a phone.

A block that shows a session is copied as what was typed, without prompts and without what was printed.
"""

from __future__ import annotations

import doctest
import re
from html import escape, unescape
from typing import Any

_BLOCK = re.compile(
    r'<div class="(?P<classes>(?:language-(?P<kind>\w+) )?highlight)">(?P<code><pre>.*?</pre>)', re.DOTALL
)
#: Words that stand below one another in columns, which would be torn apart if the line were broken. What
#: follows IF begins a rule set, what follows a prompt is code, and what follows a hash a comment.
_COLUMNS = re.compile(r"(?!IF |\$ |>>> |\.\.\. ).*\S {2,}[^\s#]| {16}")


def on_page_content(html: str, **_: Any) -> str:
    """Say with every block of code what is copied, and with its lines how they are set."""
    return _BLOCK.sub(_block, html)


def _block(match: re.Match[str]) -> str:
    typed = what_is_typed(match["kind"] or "", _text(match["code"]))
    copied = "" if typed is None else f' data-copy="{escape(typed)}"'
    code = "\n".join(_line(line) for line in match["code"].split("\n"))
    return f'<div class="{match["classes"]}"{copied}>{code}'


def _line(line: str) -> str:
    whole = line.count("<span") == line.count("</span>") and "<pre" not in line and "</pre" not in line
    return f'<span class="columns">{line}</span>' if whole and _COLUMNS.match(_text(line)) else line


def _text(html: str) -> str:
    return unescape(re.sub(r"<[^>]+>", "", html))


def what_is_typed(kind: str, text: str) -> str | None:
    """What a person types in a session that a block shows; None if it shows none."""
    if kind == "pycon":
        return "".join(example.source for example in doctest.DocTestParser().get_examples(text))
    return "".join(command for command, _ in commands(text)) if kind == "console" else None


def commands(text: str) -> list[tuple[str, str]]:
    """Commands, with lines that end in a backslash joined to the next, and what each prints."""
    found: list[tuple[str, str]] = []
    for line in text.splitlines(keepends=True):
        if line.startswith("$ "):
            found.append((line[2:], ""))
        elif found and not found[-1][1] and found[-1][0].endswith("\\\n"):
            found[-1] = (found[-1][0] + line, "")
        elif found:
            found[-1] = (found[-1][0], found[-1][1] + line)
    return found
