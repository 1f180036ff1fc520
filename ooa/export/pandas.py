"""Rule sets as pandas expressions: for `DataFrame.query` and `eval`, or a mask to index a frame with.

`query` cannot spell every column's name (one with a line break, a backtick or a name it takes for something
else); it is then an error, and the mask, which can spell anything, is the way out. The columns must have a
numeric, boolean, text, category or timestamp type; a missing value of a nullable type makes `eval` and the
mask NA where `predict` says no, which `query` and indexing take for false. Single-precision columns are
compared in single precision, where `predict` uses double. Times are read as microseconds without a time zone,
in UTC: pandas would compare those of a zone with its own clock, and refuses to here (`dt.tz_convert(None)`
brings them to UTC).
"""

from __future__ import annotations

import keyword
import re
import unicodedata
from collections.abc import Callable
from typing import Literal

from ooa.checks import one_of
from ooa.data.columns import Category
from ooa.errors import OptionError, RuleError
from ooa.rules.literal import IsMissing, NotEqual, OneOf, Range
from ooa.rules.ruleset import RuleSet
from ooa.rules.text import number_text, time_text

from .plain import Plain, Types, plain_patterns

__all__ = ["to_pandas"]

#: Names that `query` knows by itself and looks up before the columns.
_BUILT_IN = frozenset(("Inf", "Timestamp", "datetime", "inf", "list", "tuple"))

_PAIR = re.compile(r"\(\)|\[\]|\{\}")
_HALF_NUMBER = re.compile(r"(?<!\w)(\d+_(?!\d)|0[xXbBoO])")
_CONFUSING = re.compile(r"""[\\`'"#]""")


def to_pandas(
    rules: RuleSet, what: Literal["query", "mask"] = "query", frame: str = "df", types: Types | None = None
) -> str:
    """Write the condition for the positive label as a pandas expression.

    Parameters
    ----------
    rules : RuleSet
    what : {"query", "mask"}
        The text for ``frame.query(text, engine="python")``, or Python for ``frame[...]``.
    frame : str
        The name of the frame, for a mask.
    types : mapping from column to {"number", "text", "bool", "time"}, optional
        Columns that are not in it have the type of what the rules compare them with. Say "bool" for a
        boolean column that the rules compare with numbers, as pandas holds that True is 1.

    Raises
    ------
    RuleError
        If a column's type is unclear, or `query` cannot spell its name.

    Examples
    --------
    >>> rules = RuleSet.parse('"body mass" >= 35 OR age >= 30 AND job != clerk')
    >>> print(to_pandas(rules))
    (`body mass` >= 35) | ((age >= 30) & (job != 'clerk') & job.notna())
    >>> print(to_pandas(rules, what="mask", frame="patients"))  # doctest: +ELLIPSIS
    (patients['body mass'] >= 35) | ((patients['age'] >= 30) & ~patients['job'].isin(['clerk']) & ...notna())
    """
    one_of(what, "what", ("query", "mask"))
    if not isinstance(frame, str) or not frame.isidentifier() or keyword.iskeyword(frame):
        raise OptionError(f"frame: {frame!r:.200} is not a name in Python")
    if what == "query":
        _check_distinct(rules)
    spell = _query_name if what == "query" else lambda name: f"{frame}[{name!r}]"
    patterns = [
        [part for plain in tests for part in _parts(plain, spell, what == "mask")]
        for tests in plain_patterns(rules, types)
    ]
    if not patterns:
        return "index.isin([])" if what == "query" else f"{frame}.index.isin([])"
    joined = [" & ".join(parts) for parts in patterns]
    if len(joined) == 1:
        return joined[0]
    return " | ".join(text if len(parts) == 1 else f"({text})" for text, parts in zip(joined, patterns))


def _parts(plain: Plain, spell: Callable[[str], str], mask: bool) -> list[str]:
    """Return one test as conditions that must all hold, each safe to stand beside an operator.

    In a mask text is looked for by `isin`, which never answers NA: pandas does not join the answers of
    Arrow's text with those of its own nullable numbers where both have some.
    """
    test, name = plain.test, spell(plain.test.attribute)
    listed = mask and plain.type == "text"
    match test:
        case Range():
            if test.time:  # what is finer than microseconds, in Arrow or a plain date is compared alike then
                name = f"{name}.astype('datetime64[us]')"
            bounds = []
            if test.low is not None:
                bounds.append(f"({name} {'>=' if test.low_closed else '>'} {_bound(test, test.low)})")
            if test.high is not None:
                bounds.append(f"({name} {'<=' if test.high_closed else '<'} {_bound(test, test.high)})")
            return bounds
        case OneOf() if len(test.values) == 1 and not listed:
            return [f"({name} == {_value(test.values[0])})"]
        case OneOf():
            among = f"{name}.isin([{', '.join(map(_value, test.values))}])"
            has_zero = (
                plain.type == "number" and 0 in test.values
            )  # of which Arrow does not find the negative
            return [f"({among} | ({name} == 0))" if has_zero else among]
        case NotEqual() if listed:
            return [f"~{name}.isin([{_value(test.value)}])", f"{name}.notna()"]
        case NotEqual():
            return [f"({name} != {_value(test.value)})", *_present(name, plain)]
        case IsMissing():
            gone = f"{name}.isna()"
            return [f"({gone} | ({name} != {name}))" if _may_be_nan(plain) else gone]
    return _present(name, plain)


def _present(name: str, plain: Plain) -> list[str]:
    """Return the conditions under which a column has a value."""
    return [f"{name}.notna()", *([f"({name} == {name})"] if _may_be_nan(plain) else [])]


def _may_be_nan(plain: Plain) -> bool:
    """Return whether a cell may be NaN, which in Arrow's and nullable floats is not missing to pandas."""
    return plain.type in ("number", None)


def _bound(test: Range, bound: float) -> str:
    """Write a bound; pandas reads text beside times as a time."""
    return repr(time_text(bound)) if test.time else number_text(bound)


def _value(value: Category) -> str:
    """Write a value."""
    if isinstance(value, str):
        return _text(value)
    return repr(value) if isinstance(value, bool) else number_text(value)


def _text(text: str) -> str:
    """Write text, with codes for the signs that make `query` lose count of its quotes and backticks."""
    if not _CONFUSING.search(text):
        return repr(text)
    hidden = {ord(sign): f"\\x{ord(sign):02x}" for sign in "\\`'\"#"}
    escapes = {ord(sign): repr(sign)[1:-1] for sign in text if not sign.isprintable()}
    return f"'{text.translate(hidden | escapes)}'"


def _query_name(name: str) -> str:
    """Spell a column's name for `query`, or raise."""
    if name in _BUILT_IN or not _can_spell(name):
        raise RuleError(
            f"DataFrame.query cannot spell the column {name!r}: rename it, or export with what='mask'"
        )
    return name if name.isidentifier() and not keyword.iskeyword(name) else f"`{name}`"


def _can_spell(name: str) -> bool:
    """Return whether every pandas from 2.2 on finds the column.

    Python reads names in their NFKC form, so another form never matches its column; and `query` replaces
    ASCII signs alone. Backticks, quotes, #, backslashes, unpaired brackets and what begins like a number (0x,
    1_) confuse some versions.
    """
    brackets = "".join(sign for sign in name if sign in "()[]{}")
    while brackets != (paired := _PAIR.sub("", brackets)):
        brackets = paired
    return (
        bool(name)
        and not brackets
        and name.isprintable()
        and unicodedata.normalize("NFKC", name) == name
        and not _CONFUSING.search(name)
        and not _HALF_NUMBER.search(name)
        and all(character.isascii() or f"_{character}".isidentifier() for character in name)
    )


def _check_distinct(rules: RuleSet) -> None:
    """Raise if `query` would take two columns for one: it turns a blank into an underscore."""
    seen: dict[str, str] = {}
    for name in rules.attributes:
        if not name.isidentifier() and seen.setdefault(name.replace(" ", "_"), name) != name:
            raise RuleError(
                f"DataFrame.query takes the columns {seen[name.replace(' ', '_')]!r} and {name!r} for the "
                "same: rename one, or export with what='mask'"
            )
