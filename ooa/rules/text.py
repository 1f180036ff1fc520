"""Rule sets as text for people; `ooa.rules.parsing` reads the text back.

Names and text values stand bare if they are plain words and are quoted with escapes otherwise: names in
double quotes, values in single ones. Numbers and true/false are never quoted, so that '1', 1 and true differ.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable

from ooa.checks import truth
from ooa.data.columns import Category

from .levels import LevelRange
from .literal import Equal, IsMissing, Literal, NotEqual, OneOf, Range
from .pattern import Pattern
from .ruleset import RuleSet

__all__ = [
    "RESERVED",
    "WORD",
    "levels_text",
    "literal_text",
    "name_text",
    "number_text",
    "pattern_text",
    "rules_text",
    "time_text",
    "value_text",
]

WORD = re.compile(r"[^\W\d]\w*(?:[-.]\w+)*")  # what can stand without quotes, such as petal-width
_GRAMMAR = ("if", "and", "or", "not", "then", "else", "predict", "in", "is", "missing", "true", "false")
_UNCLEAR = ("null", "none", "nan", "inf", "infinity")  # text, but not to every reader
RESERVED = frozenset((*_GRAMMAR, *_UNCLEAR))
_EPOCH = datetime.datetime(1970, 1, 1)
_ASCII = str.maketrans({"≤": "<=", "≥": ">=", "≠": "!=", "∈": "IN"})
_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def rules_text(rules: RuleSet, *, compact: bool = False, unicode: bool = True) -> str:
    """Write a rule set; see `RuleSet.to_text`."""
    compact, unicode = truth(compact, "compact"), truth(unicode, "unicode")
    target = name_text(rules.target, unicode)
    positive, negative = value_text(rules.positive, unicode), value_text(rules.negative, unicode)
    patterns = [f"({pattern_text(p, compact=compact, unicode=unicode)})" for p in rules] or ["FALSE"]
    levels = levels_text(rules, unicode=unicode)
    if compact:
        either, arrow = (" ∨ ", "→") if unicode else (" OR ", "->")
        text = f"{either.join(patterns)} {arrow} {target} = {positive} ELSE {negative}"
        return f"{text} {levels}" if levels else text
    condition = "\n  OR ".join(patterns)
    text = f"IF   {condition}\nTHEN predict {target} = {positive}\nELSE predict {target} = {negative}"
    return f"{text}\n{levels}" if levels else text


def pattern_text(pattern: Pattern, *, compact: bool = False, unicode: bool = True) -> str:
    """Write a pattern.

    Examples
    --------
    >>> pattern_text(Pattern.parse("age >= 30 AND bmi > 25"), compact=True)
    'age ≥ 30 ∧ bmi > 25'
    """
    both = " ∧ " if compact and unicode else " AND "
    return both.join(literal_text(literal, unicode=unicode) for literal in pattern)


def literal_text(literal: Literal, *, unicode: bool = True) -> str:
    """Write a literal.

    Examples
    --------
    >>> literal_text(OneOf("marital status", ["single", "it's complicated"]), unicode=False)
    '"marital status" IN {\\'it\\\\\\'s complicated\\', single}'
    """
    name = name_text(literal.attribute, unicode)

    def sign(of: str) -> str:
        return of if unicode else of.translate(_ASCII)

    match literal:
        case Range():
            bound = time_text if literal.time else number_text
            over, under = ("≤" if closed else "<" for closed in (literal.low_closed, literal.high_closed))
            if literal.low is None:
                return f"{name} {sign(under)} {bound(literal.high or 0)}"
            if literal.high is None:
                return f"{name} {sign('≥' if literal.low_closed else '>')} {bound(literal.low)}"
            return f"{bound(literal.low)} {sign(over)} {name} {sign(under)} {bound(literal.high)}"
        case Equal():
            return f"{name} = {value_text(literal.value, unicode)}"
        case NotEqual():
            return f"{name} {sign('≠')} {value_text(literal.value, unicode)}"
        case OneOf():
            values = ", ".join(value_text(value, unicode) for value in literal.values)
            return f"{name} {sign('∈')} {{{values}}}"
        case LevelRange():
            low, high = (None if v is None else value_text(v, unicode) for v in (literal.low, literal.high))
            if low is None:
                return f"{name} {sign('≤')} {high}"
            return (
                f"{name} {sign('≥')} {low}"
                if high is None
                else f"{low} {sign('≤')} {name} {sign('≤')} {high}"
            )
        case IsMissing():
            return f"{name} IS MISSING"
    raise AssertionError(f"not a literal: {literal!r}")


def levels_text(patterns: Iterable[Pattern], *, unicode: bool = True) -> str:
    """Say in which order the levels are that patterns have ranges of; nothing if they have none.

    Examples
    --------
    >>> levels_text([Pattern([LevelRange("grade", ["low", "medium", "high"], low="medium")])])
    'WITH grade: low < medium < high'
    """
    scales = {
        literal.attribute: literal.levels
        for pattern in patterns
        for literal in pattern
        if isinstance(literal, LevelRange)
    }
    orders = [
        f"{name_text(name, unicode)}: {' < '.join(value_text(level, unicode) for level in levels)}"
        for name, levels in sorted(scales.items())
    ]
    return f"WITH {', '.join(orders)}" if orders else ""


def name_text(name: str, unicode: bool = True) -> str:
    """Write the name of an attribute or target, in double quotes unless it is a plain word."""
    return name if _is_plain(name, unicode) else _quote(name, '"', unicode)


def value_text(value: Category, unicode: bool = True) -> str:
    """Write a category or label.

    Examples
    --------
    >>> [value_text(value) for value in ("red", "light blue", "true", True, 1, 0.1)]
    ['red', "'light blue'", "'true'", 'true', '1', '0.1']
    """
    if isinstance(value, str):
        return value if _is_plain(value, unicode) else _quote(value, "'", unicode)
    return repr(value).lower()


def number_text(number: float) -> str:
    """Write a number so that it reads back exactly, whole ones without a decimal point."""
    if isinstance(number, int):
        return str(number)
    return str(int(number)) if number.is_integer() and abs(number) < 1e16 else repr(number)


def time_text(microseconds: float) -> str:
    """Write a time as ISO 8601, as short as it is exact.

    Examples
    --------
    >>> time_text(0.0), time_text(3_600_000_000.0), time_text(1.0)
    ('1970-01-01', '1970-01-01T01:00:00', '1970-01-01T00:00:00.000001')
    """
    moment = _EPOCH + datetime.timedelta(microseconds=int(microseconds))
    return moment.isoformat().removesuffix("T00:00:00")


def _is_plain(text: str, unicode: bool) -> bool:
    """Return whether text can stand without quotes and still be read as text."""
    return (
        WORD.fullmatch(text) is not None
        and text.lower() not in RESERVED
        and (text.isascii() or (unicode and text.isprintable()))
    )


def _quote(text: str, mark: str, unicode: bool) -> str:
    """Quote text, with escapes for whatever cannot be seen or written."""
    out = []
    for character in text:
        if character == mark:
            out.append("\\" + mark)
        elif character in _ESCAPES:
            out.append(_ESCAPES[character])
        elif character.isprintable() and (unicode or character.isascii()):
            out.append(character)
        else:
            code = ord(character)
            out.append(f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")
    return mark + "".join(out) + mark
