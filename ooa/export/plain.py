"""Literals reduced to tests that a typed column can carry: the common ground of the exports.

SQL, pandas and PMML compare a column with values of its own type only, or quietly convert one into the other,
while `RuleSet.predict` holds that 1, '1' and true are three different values. So each column gets one type,
and what its type already decides (a number that should be 'red' never is) is decided here.
"""

from __future__ import annotations

import typing
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias, get_args

from ooa.checks import instance, one_of
from ooa.data.columns import Category
from ooa.data.exact import EXACT
from ooa.errors import RuleError
from ooa.rules.levels import LevelRange
from ooa.rules.literal import Equal, IsMissing, Literal, NotEqual, OneOf, Range
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet

__all__ = ["ColumnType", "Plain", "Present", "Types", "is_long", "label_type", "plain_patterns", "type_of"]

ColumnType: TypeAlias = typing.Literal["number", "text", "bool", "time"]
Types: TypeAlias = Mapping[str, ColumnType]


@dataclass(frozen=True)
class Present:
    """A column that has a value, whichever; what is left of a literal that its type makes true."""

    attribute: str


@dataclass(frozen=True)
class Plain:
    """One test on one column: a range, one of at least one value, another value, missing or present.

    `type` is None where nothing tells it, which happens only to `IsMissing` and `Present`.
    """

    type: ColumnType | None
    test: Range | OneOf | NotEqual | IsMissing | Present


def plain_patterns(rules: RuleSet, types: Types | None = None) -> list[list[Plain]]:
    """Return the patterns that can hold at all, as tests in terms of their columns' types.

    Parameters
    ----------
    rules : RuleSet
    types : mapping from column to {"number", "text", "bool", "time"}, optional
        Columns that are not in it have the type of what the rules compare them with.

    Raises
    ------
    RuleError
        If the rules compare a column with values of several types and `types` does not say which it is, or
        if a range is put on text, or a range of numbers on times or the other way round.

    Examples
    --------
    >>> rules = RuleSet.parse("x >= 3 AND y = red OR y = 1")
    >>> [len(pattern) for pattern in plain_patterns(rules, {"y": "text"})]
    [2]
    """
    if types is not None:
        instance(types, "types", Mapping, "a mapping from column to type")
    known = {name: _checked(name, (types or {}).get(name)) for name in rules.attributes}
    known = {name: given or _inferred(name, rules) for name, given in known.items()}
    reduced = (_plain_pattern(pattern, known) for pattern in rules)
    return [pattern for pattern in reduced if pattern is not None]


def type_of(value: Category) -> ColumnType:
    """Return the type of column that can hold a value.

    Examples
    --------
    >>> [type_of(value) for value in (True, 1, 0.5, "1")]
    ['bool', 'number', 'number', 'text']
    """
    if isinstance(value, bool):
        return "bool"
    return "text" if isinstance(value, str) else "number"


def is_long(value: Category) -> bool:
    """Whether a value may be a cell of a column of integers, and no double is that cell and no other.

    Examples
    --------
    >>> is_long(2**60), is_long(2**53), is_long(10**30)
    (True, False, False)
    """
    return isinstance(value, int) and EXACT < abs(value) < 1 << 64


def label_type(rules: RuleSet) -> ColumnType:
    """Return the common type of both labels; raises RuleError if there is none."""
    positive, negative = type_of(rules.positive), type_of(rules.negative)
    if positive != negative:
        raise RuleError(
            f"The labels {rules.positive!r} and {rules.negative!r} of {rules.target!r} differ in type, "
            "and this format has room for one type only"
        )
    return positive


def _checked(name: str, given: ColumnType | None) -> ColumnType | None:
    """Return the type a caller gave for a column, or raise."""
    if given is not None:
        one_of(given, f"the type of {name!r}", get_args(ColumnType))
    return given


def _inferred(name: str, rules: RuleSet) -> ColumnType | None:
    """Return the type of what the rules compare a column with."""
    on_it = (literal for pattern in rules for literal in pattern if literal.attribute == name)
    found = sorted({kind for literal in on_it for kind in _evidence(literal)})
    if len(found) > 1:
        raise RuleError(
            f"The rules compare {name!r} with values of different types ({' and '.join(found)}): "
            f"say which it is with types={{{name!r}: {found[0]!r}}}"
        )
    return found[0] if found else None


def _evidence(literal: Literal) -> Iterator[ColumnType]:
    """Yield the types a literal suggests for its column."""
    if isinstance(literal, Range):
        yield "time" if literal.time else "number"
    yield from map(type_of, _values(literal))


def _values(literal: Literal) -> tuple[Category, ...]:
    """Return the values that a literal lists."""
    match literal:
        case Equal() | NotEqual():
            return (literal.value,)
        case OneOf() | LevelRange():
            return literal.values
    return ()


def _plain_pattern(pattern: Pattern, types: Mapping[str, ColumnType | None]) -> list[Plain] | None:
    """Return a pattern as tests, None if it cannot hold."""
    tests = []
    for literal in pattern:
        kind = types[literal.attribute]
        test = _plain(literal, kind)
        if test is None:
            return None
        tests.append(Plain(kind, test))
    return tests


def _plain(
    literal: Literal, kind: ColumnType | None
) -> Range | OneOf | NotEqual | IsMissing | Present | None:
    """Return what is left of a literal on a column of a type, None if it cannot hold."""
    name = literal.attribute
    match literal:
        case IsMissing():
            return literal
        case Range():
            return _plain_range(literal, kind)
        case NotEqual():
            return literal if type_of(literal.value) == kind else Present(name)
    return _one_of(name, (value for value in _values(literal) if type_of(value) == kind))


def _plain_range(literal: Range, kind: ColumnType | None) -> Range | OneOf | Present | None:
    """Return what is left of a range; true and false count as 1 and 0, as in `predict`."""
    if kind == "bool" and not literal.time:
        inside = [value for value in (False, True) if literal.admits(float(value))]
        return Present(literal.attribute) if len(inside) == 2 else _one_of(literal.attribute, inside)
    if kind != ("time" if literal.time else "number"):
        raise RuleError(f"The column {literal.attribute!r} is of type {kind}, where '{literal}' cannot hold")
    return None if literal.is_empty else literal


def _one_of(name: str, values: Iterable[Category]) -> OneOf | None:
    """Return the test for some values, None without any."""
    test = OneOf(name, values)
    return None if test.is_empty else test
