"""Names and numbers as the text formats of solvers can carry them: escaped reversibly, and exact."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import quote, unquote

import numpy as np
import numpy.typing as npt

from .names import Names

#: What an empty name is written as; a real percent sign always comes with two digits.
_EMPTY = "%"
#: Set off copies of a name that was there before, which these formats forbid.
_COPY = re.compile(r"%~\d+$")
_INDEXED = re.compile(r"(.*)\[((?:0|[1-9]\d*)(?:,(?:0|[1-9]\d*))*)\]", re.DOTALL)

Texts = npt.NDArray[np.object_]


def escape(names: Iterable[str], safe: str, reserved: str) -> list[str]:
    """Write names as tokens: letters, digits, `_.-~` and `safe` stay, the rest becomes `%XX`.

    A first character that is no letter or `_`, or that starts one of the `reserved` words
    (blank-separated; compared without case), is escaped too; repeated names get a suffix.
    `unescape` undoes all of it.

    Examples
    --------
    >>> escape(["zeta[3]", "age >= 50", "rhs", "", "a", "a"], "[],", "rows rhs")
    ['zeta[3]', 'age%20%3E%3D%2050', '%72hs', '%', 'a', 'a%~1']
    """
    plain = re.compile(f"[A-Za-z_][A-Za-z0-9_{re.escape(safe)}]*")
    words = frozenset(reserved.split())
    seen: dict[str, int] = {}
    tokens = []
    for name in names:
        token = name
        if not plain.fullmatch(name) or name.lower() in words:
            token = _escaped(name, safe, words)
        copies = seen.get(token, 0)
        seen[token] = copies + 1
        tokens.append(f"{token}%~{copies}" if copies else token)
    return tokens


def _escaped(name: str, safe: str, words: frozenset[str]) -> str:
    if not name:
        return _EMPTY
    token = quote(name, safe=safe, errors="surrogatepass")
    if name.lower() in words or not (token[0].isalpha() or token[0] in "_%"):
        token = f"%{ord(token[0]):02X}{token[1:]}"
    return token


def unescape(token: str) -> str:
    """Undo `escape` for one name; a name with stray percent signs stays as it is.

    Examples
    --------
    >>> unescape("age%20%3E%3D%2050"), unescape("a%~1"), unescape("50%")
    ('age >= 50', 'a', '50%')
    """
    if "%" not in token:
        return token
    name = _COPY.sub("", token)
    if name in ("", _EMPTY):
        return ""
    try:
        return unquote(name, errors="surrogatepass")
    except UnicodeDecodeError:
        return token


def regroup(names: list[str]) -> Names:
    """Names as blocks again: runs such as `x[0], x[1], x[2]` become one block, others stay single.

    Examples
    --------
    >>> regroup(["x[0]", "x[1]", "total", "w[0,0]", "w[0,1]", "z[7]"]).blocks
    (('x', (2,)), ('total', ()), ('w', (1, 2)), ('z[7]', ()))
    """
    blocks: list[tuple[str, tuple[int, ...]]] = []
    start = 0
    while start < len(names):
        end = start + 1
        found = _INDEXED.fullmatch(names[start])
        if found and set(found[2]) <= set("0,"):
            prefix, commas = found[1] + "[", found[2].count(",")
            while (
                end < len(names)
                and names[end].startswith(prefix)
                and names[end].count(",") == (names[start].count(","))
            ):
                end += 1
            last = _INDEXED.fullmatch(names[end - 1])
            if last and last[1] == found[1] and last[2].count(",") == commas:
                block = (found[1], tuple(int(i) + 1 for i in last[2].split(",")))
                if len(Names([block])) == end - start and list(Names([block])) == names[start:end]:
                    blocks.append(block)
                    start = end
                    continue
        blocks.extend((name, ()) for name in names[start:end])
        start = end
    return Names(blocks)


def number(value: float) -> str:
    """The shortest text that reads back as exactly this number.

    Examples
    --------
    >>> number(3.0), number(0.1), number(-1e-7)
    ('3', '0.1', '-1e-07')
    """
    return repr(float(value)).removesuffix(".0")


def numbers(values: npt.NDArray[np.float64], form: str = "%s") -> Texts:
    """Texts of many numbers, each put into `form`; repeated numbers are spelt out once."""
    unique, inverse = np.unique(values, return_inverse=True)
    return texts(form % number(value) for value in unique.tolist())[inverse]


def texts(strings: Iterable[str]) -> Texts:
    """An object array of strings, which adds and indexes without a Python loop."""
    values = list(strings)
    array: Texts = np.empty(len(values), dtype=object)
    array[:] = values
    return array
