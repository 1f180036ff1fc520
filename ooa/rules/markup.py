"""HTML and SVG by construction: every piece of text is escaped unless it is markup made here."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from typing import TypeAlias

__all__ = ["Content", "Html", "described", "join", "tag", "visible"]

_VOID = frozenset(("br", "link", "meta"))
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


class Html(str):
    """Text that is markup already."""

    __slots__ = ()


#: What an element can hold: text (to be escaped), markup, nothing, or several of these.
Content: TypeAlias = "str | Html | Iterable[Content] | None"


def tag(name: str, /, *content: Content, **attributes: object) -> Html:
    """Return an element.

    Parameters
    ----------
    name : str
    *content : str, Html, None or iterables of these
        A str is escaped, Html stays as it is.
    **attributes : object
        An underscore at the end is dropped and others become hyphens, so that `class_` and `aria_label` can
        be said. None and False leave the attribute out, True gives it no value.

    Examples
    --------
    >>> print(tag("td", "a < b", tag("b", "c"), class_="it's", hidden=False))
    <td class="it&#x27;s">a &lt; b<b>c</b></td>
    """
    written = "".join(
        f" {key.rstrip('_').replace('_', '-')}"
        + ("" if value is True else f'="{html.escape(visible(str(value)))}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in _VOID:
        return Html(f"<{name}{written}>")
    return Html(f"<{name}{written}>{join(*content)}</{name}>")


def join(*content: Content) -> Html:
    """Return pieces one after the other.

    Examples
    --------
    >>> print(join("1 < 2", [tag("i", "x"), None]))
    1 &lt; 2<i>x</i>
    """
    pieces = []
    for item in content:
        if isinstance(item, Html):
            pieces.append(str(item))
        elif isinstance(item, str):
            pieces.append(html.escape(visible(item), quote=False))
        elif item is not None:
            pieces.append(str(join(*item)))
    return Html("".join(pieces))


def visible(text: str) -> str:
    """Return text with escapes in place of characters that cannot be seen or must not stand in a page.

    Examples
    --------
    >>> print(visible("tab\\t, zero\\x00, right to left\\u202e, naïve"))
    tab\\t, zero\\x00, right to left\\u202e, naïve
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else repr(c)[1:-1] for c in text)


def described(value: object) -> str:
    """Return any value as text that is the same in every run: without the addresses of objects.

    Examples
    --------
    >>> described(0.5), described("auto"), described(described)
    ('0.5', "'auto'", 'described')
    """
    name = getattr(value, "__qualname__", None)
    return str(name) if isinstance(name, str) else _ADDRESS.sub("", repr(value))
