"""How the site reads docstrings: `name : words` describes a parameter whose type is in the signature."""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension

_SECTION = re.compile(
    r"^(?:Parameters|Attributes|Other Parameters)\n-+\n(?:.*\n?)*?(?=^\S.*\n-{3,}$|\Z)", re.M
)
_ENTRY = re.compile(r"^(\*{0,2}\w[\w, *]*) : (.+)$", re.M)
_TYPE = re.compile(
    r"\{|\"\w+\" or \w+$|(?:label|str|int|float|bool|object|sequence|iterable|tuple|list|dict|mapping|"
    r"callable|ndarray|array|frame|path|optional|RuleSet|Pattern|Table|Learned|Backend|pandas\.DataFrame|RandomState|"
    r"Fraction|Solution|Certificate|Column|Attribute|Literal|Kind|type)\b"
)


class Descriptions(Extension):
    """Moves words that stand in the place of a type to where descriptions stand."""

    def on_instance(self, *, obj: Any, **_: Any) -> None:
        """Rewrite the docstring of every object that has one."""
        if obj.docstring is not None:
            text = _SECTION.sub(_rewritten, obj.docstring.value)
            # In Markdown a literal block is announced by a line that ends in one colon.
            obj.docstring.value = re.sub(r"::\n\n", ":\n\n", text)


def _rewritten(section: re.Match[str]) -> str:
    def entry(match: re.Match[str]) -> str:
        if _TYPE.match(match[2]):
            return match[0]
        # Names that share a description have types of their own.
        return "\n".join(f"{name} :\n    {match[2]}" for name in match[1].split(", "))

    return _ENTRY.sub(entry, section[0])
