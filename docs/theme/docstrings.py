"""How the site reads docstrings: every parameter is an entry of its own, with its type and its default.

In the code `name : words` describes a parameter whose type is in the signature, names may share a
description, and the fields of a dataclass are its attributes. The site shows all of them alike.
"""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension

_SECTION = re.compile(
    r"^(?P<title>(?:Other )?Parameters|Attributes)\n-+\n(?P<entries>(?:.*\n?)*?)(?=^\S.*\n-{3,}$|\Z)", re.M
)
_ENTRY = re.compile(r"^(?P<names>\*{0,2}\w[\w, *]*) : (?P<about>.+)$", re.M)
_TYPE = re.compile(
    r"\{|\"\w+\" or \w+(?:, optional)?$|[A-Z]\w+(?: or [A-Z]\w+)*(?:,|$)|"
    r"(?:label|str|int|float|bool|object|sequence|iterable|tuple|list|dict|mapping|callable|ndarray|array|array_like|"
    r"frame|path|optional|RuleSet|Pattern|Table|Learned|Backend|pandas\.\w+|RandomState|Fraction|Solution|"
    r"Certificate|Column|Attribute|Literal|Kind|type)\b"
)
#: What follows a type; everything before it is the type.
_REST = re.compile(r"(?:, optional|, default .+)?$")


class Descriptions(Extension):
    """Gives each parameter its own entry, and moves words that stand in the place of a type."""

    def on_instance(self, *, obj: Any, **_: Any) -> None:
        """Rewrite the docstring of every object that has one."""
        if obj.docstring is not None:
            # Attributes that one hands in when one makes the object are parameters: these have defaults.
            handed_in = {one.name for one in obj.parameters} if obj.is_class else set()
            text = _SECTION.sub(lambda match: _rewritten(match, handed_in), obj.docstring.value)
            # In Markdown a literal block is announced by a line that ends in one colon.
            obj.docstring.value = re.sub(r"::\n\n", ":\n\n", text)


def _rewritten(section: re.Match[str], handed_in: set[str]) -> str:
    title, text = section["title"], section["entries"]
    names = {name for match in _ENTRY.finditer(text) for name in match["names"].split(", ")}
    if title == "Attributes" and names and names <= handed_in:
        title = "Parameters"
    return f"{title}\n{'-' * len(title)}\n{_ENTRY.sub(_entry, text)}"


def _entry(match: re.Match[str]) -> str:
    about = match["about"]
    if _TYPE.match(about):
        rest = _REST.search(about)
        assert rest is not None
        return f"{match['names']} : {_union(about[: rest.start()])}{rest[0]}"
    # Names that share a description have types of their own.
    return "\n".join(f"{name} :\n    {about}" for name in match["names"].split(", "))


def _union(words: str) -> str:
    """A type in the words of docstrings, `{"a", "b"} or None`, as Python writes it: `"a" | "b" | None`."""
    flat = re.sub(r"\{([^}]*)\}", r"\1", words)
    parts = re.split(r", | or ", flat)
    return " | ".join(parts) if all(re.fullmatch(r'[\w.]+|"\w+"', part) for part in parts) else words
