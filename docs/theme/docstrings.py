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
            text = _SECTION.sub(lambda section: _ENTRY.sub(_entry, section[0]), obj.docstring.value)
            # In Markdown a literal block is announced by a line that ends in one colon.
            obj.docstring.value = re.sub(r"::\n\n", ":\n\n", text)

    def on_package(self, *, pkg: Any, **_: Any) -> None:
        """Show what classes are made of: fields, or the parameters of a base that is made alike."""
        for member in pkg.members.values():
            if not member.is_alias and member.is_class and member.docstring is not None:
                _fields_are_parameters(member)
                _inherit(member)
            elif not member.is_alias and member.is_module:
                self.on_package(pkg=member)


def _fields_are_parameters(made: Any) -> None:
    """The fields of a dataclass are handed in when one is made, and have defaults."""
    if not any("dataclass" in str(decorator.value) for decorator in made.decorators):
        return
    some = {name: one for name, one in made.all_members.items() if one.is_attribute and one.annotation}
    handed_in = {name for name, one in some.items() if "property" not in one.labels}

    def renamed(section: re.Match[str]) -> str:
        names = set(re.findall(r"^(\w+) :", section["entries"], re.M))
        mine = section["title"] == "Attributes" and names and names <= handed_in
        return re.sub("^Attributes\n-+\n", "Parameters\n----------\n", section[0]) if mine else section[0]

    made.docstring.value = _SECTION.sub(renamed, made.docstring.value)


def _inherit(made: Any) -> None:
    """Classes that say nothing of their parameters have those of the nearest base that does."""
    if not _parameters(made):
        inherited = [found for base in made.mro() if base.docstring for found in _parameters(base)]
        before, examples, after = made.docstring.value.partition("Examples\n--------\n")
        if inherited:
            made.docstring.value = f"{before.rstrip()}\n\n{inherited[0].rstrip()}\n\n{examples}{after}"


def _parameters(made: Any) -> list[str]:
    return [found[0] for found in _SECTION.finditer(made.docstring.value) if found["title"] == "Parameters"]


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
