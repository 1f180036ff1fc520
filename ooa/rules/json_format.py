"""Rule sets as JSON: lossless, versioned, and strictly checked on the way in.

::

    {"format": "ooa.rules", "version": 1, "target": "apnea", "positive": 1, "negative": 0,
     "patterns": [{"literals": [
         {"kind": "range", "attribute": "age", "low": 30.0, "high": null,
          "low_closed": true, "high_closed": true, "time": false},
         {"kind": "one_of", "attribute": "colour", "values": ["blue", "red"]},
         {"kind": "equal", "attribute": "smoker", "value": true},
         {"kind": "not_equal", "attribute": "floor", "value": 3},
         {"kind": "levels", "attribute": "grade", "levels": ["low", "medium", "high"],
          "low": "medium", "high": null},
         {"kind": "missing", "attribute": "weight"}]}]}
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import fields
from typing import Any, NoReturn, TypeVar

from ooa.checks import whole_number
from ooa.errors import FormatError, OptionError, RuleError

from .levels import LevelRange
from .literal import Equal, IsMissing, Literal, NotEqual, OneOf, Range
from .pattern import Pattern
from .ruleset import RuleSet

__all__ = ["from_dict", "from_json", "read_json", "to_dict", "to_json"]

_FORMAT, _VERSION = "ooa.rules", 1
_WIDEST = 100  # blanks that a line may begin with
_KINDS: dict[str, type[Any]] = {
    "range": Range,
    "equal": Equal,
    "not_equal": NotEqual,
    "one_of": OneOf,
    "levels": LevelRange,
    "missing": IsMissing,
}
_Made = TypeVar("_Made")
_NAMES = {kind: name for name, kind in _KINDS.items()}


def to_json(rules: RuleSet, indent: int | None = None) -> str:
    """Write a rule set as JSON text in ASCII.

    Examples
    --------
    >>> rules = RuleSet.parse("age >= 30")
    >>> from_json(to_json(rules)) == rules
    True
    """
    if indent is not None and whole_number(indent, "indent", least=0) > _WIDEST:
        raise OptionError(f"indent must be None or at most {_WIDEST}, not {indent!r:.200}")
    return json.dumps(to_dict(rules), indent=indent, allow_nan=False)


def to_dict(rules: RuleSet) -> dict[str, Any]:
    """Return a rule set as dicts, lists and plain values.

    Examples
    --------
    >>> to_dict(RuleSet.parse("colour = red"))["patterns"]
    [{'literals': [{'kind': 'equal', 'attribute': 'colour', 'value': 'red'}]}]
    """
    return {
        "format": _FORMAT,
        "version": _VERSION,
        "target": rules.target,
        "positive": rules.positive,
        "negative": rules.negative,
        "patterns": [{"literals": [_literal_dict(literal) for literal in pattern]} for pattern in rules],
    }


def from_json(text: str) -> RuleSet:
    """Read a rule set from JSON text.

    Raises
    ------
    FormatError
        Naming the place in the text, or the member of the document, that is wrong.

    Examples
    --------
    >>> from_json('{"format": "ooa.rules", "version": 9}')
    Traceback (most recent call last):
    ...
    ooa.errors.FormatError: version: this library reads version 1, not 9
    """
    return from_dict(read_json(text))


def read_json(text: str) -> Any:
    """Read JSON strictly: no member twice in an object, no NaN, and one kind of error for all that is wrong.

    Examples
    --------
    >>> read_json('{"a": 1, "a": 2}')
    Traceback (most recent call last):
    ...
    ooa.errors.FormatError: the member 'a' occurs twice in one object
    """
    if not isinstance(text, (str, bytes, bytearray)):
        raise FormatError(f"JSON is read from text, not from {type(text).__name__}")
    try:
        return json.loads(text, object_pairs_hook=_unique_members, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise FormatError(f"line {error.lineno}, column {error.colno}: {error.msg}") from None
    except RecursionError:
        raise FormatError("the document is nested too deeply") from None
    except UnicodeDecodeError:
        raise FormatError("the document is not UTF-8 text") from None
    except FormatError:
        raise
    except ValueError as error:  # a number with thousands of digits
        raise FormatError(f"the document holds a number that cannot be read: {error}") from None


def from_dict(document: object) -> RuleSet:
    """Read a rule set from what `to_dict` returned.

    Raises
    ------
    FormatError
        Naming the member that is wrong, such as ``patterns[2].literals[0].low``.

    Examples
    --------
    >>> from_dict(to_dict(RuleSet.parse("colour = red")))
    RuleSet.parse('(colour = red) → target = 1 ELSE 0')
    """
    if not isinstance(document, dict):
        _fail("the document", f"expected an object, got {document!r:.40}")
    if document.get("format") != _FORMAT:
        _fail("format", f"expected {_FORMAT!r}, got {document.get('format')!r:.40}")
    version = document.get("version")
    if type(version) is not int or version != _VERSION:
        _fail("version", f"this library reads version {_VERSION}, not {version!r:.40}")
    _check_members("", document, ["format", "version", "target", "positive", "negative", "patterns"])
    target = _typed("target", document["target"], str, "a text")
    positive, negative = (_value(role, document[role]) for role in ("positive", "negative"))
    patterns = [
        _pattern(f"patterns[{k}]", entry)
        for k, entry in enumerate(_typed("patterns", document["patterns"], list, "a list"))
    ]
    return _make("the document", lambda: RuleSet(patterns, target, positive, negative))


def _literal_dict(literal: Literal) -> dict[str, Any]:
    """Return a literal as a dict."""
    members = {name: getattr(literal, name) for name in _fields(type(literal))}
    for name in ("values", "levels"):
        if name in members:
            members[name] = list(members[name])
    return {"kind": _NAMES[type(literal)], **members}


def _fields(kind: type[Any]) -> list[str]:
    """Return the names of a literal's fields."""
    return [field.name for field in fields(kind)]


def _pattern(place: str, entry: object) -> Pattern:
    """Read a pattern."""
    members = _typed(place, entry, dict, "an object")
    _check_members(place, members, ["literals"])
    literals = [
        _literal(f"{place}.literals[{i}]", literal)
        for i, literal in enumerate(_typed(f"{place}.literals", members["literals"], list, "a list"))
    ]
    return _make(place, lambda: Pattern(literals))


def _literal(place: str, entry: object) -> Literal:
    """Read a literal."""
    members = dict(_typed(place, entry, dict, "an object"))
    name = members.get("kind")
    if not isinstance(name, str) or name not in _KINDS:
        _fail(f"{place}.kind", f"expected one of {', '.join(_KINDS)}, got {name!r:.40}")
    kind = _KINDS[name]
    _check_members(place, members, ["kind", *_fields(kind)])
    del members["kind"]
    for field, value in members.items():
        if kind is LevelRange and field in ("low", "high"):
            _value(f"{place}.{field}", value if value is not None else "")
        else:
            _check_field(f"{place}.{field}", field, value)
    literal: Literal = _make(place, lambda: kind(**members))
    return literal


def _check_field(place: str, field: str, value: object) -> None:
    """Raise unless a literal's field is of its type."""
    match field:
        case "attribute":
            _typed(place, value, str, "a text")
        case "low" | "high":
            if value is not None and (isinstance(value, bool) or not isinstance(value, (int, float))):
                _fail(place, f"expected a number, got {value!r:.40}")
        case "low_closed" | "high_closed" | "time":
            _typed(place, value, bool, "true or false")
        case "value":
            _value(place, value)
        case "values" | "levels":
            for i, item in enumerate(_typed(place, value, list, "a list")):
                _value(f"{place}[{i}]", item)


def _value(place: str, value: object) -> Any:
    """Return a category or label, or raise."""
    if not isinstance(value, (str, bool, int, float)):
        _fail(place, f"expected a text, a number, true or false, got {value!r:.40}")
    return value


def _typed(place: str, value: object, kind: type[Any], wanted: str) -> Any:
    """Return a value of the given type, or raise."""
    if not isinstance(value, kind):
        _fail(place, f"expected {wanted}, got {value!r:.40}")
    return value


def _check_members(place: str, entry: dict[str, Any], wanted: list[str]) -> None:
    """Raise unless an object has exactly the given members."""
    dot = f"{place}." if place else ""
    for name in wanted:
        if name not in entry:
            _fail(f"{dot}{name}", "is missing")
    for name in entry:
        if name not in wanted:
            _fail(f"{dot}{name}", f"is unknown; expected only {', '.join(wanted)}")


def _make(place: str, maker: Callable[[], _Made]) -> _Made:
    """Make something of checked members, and say where if it cannot be made."""
    try:
        return maker()
    except RuleError as error:
        _fail(place, str(error))


def _unique_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object's members; a repeated one would otherwise silently win."""
    members = dict(pairs)
    if len(members) < len(pairs):
        repeated = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise FormatError(f"the member {repeated!r} occurs twice in one object")
    return members


def _no_constant(name: str) -> NoReturn:
    """Refuse what JSON does not have but Python reads."""
    raise FormatError(f"{name} is not a JSON number")


def _fail(place: str, message: str) -> NoReturn:
    """Raise an error that names the place."""
    raise FormatError(f"{place}: {message}")
