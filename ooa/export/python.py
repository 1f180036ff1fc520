"""Rule sets as the source text of a Python function that needs nothing but Python 3."""

from __future__ import annotations

from ooa.data.columns import Category
from ooa.rules.levels import LevelRange
from ooa.rules.literal import Equal, IsMissing, Literal, NotEqual, OneOf, Range
from ooa.rules.ruleset import RuleSet
from ooa.rules.text import number_text

from .plain import type_of

__all__ = ["to_python"]

_HEAD = '''\
def predict(row):
    """Return the label of one row, a dict from column to value.

    None, NaN, NaT, NA and an absent key all count as missing.
    """
'''

_VALUE = '''\
def _value(row, name):
    """Return the type and the value of a cell, or None if it is missing."""
    value = row.get(name)
    try:
        if value is None or value != value:
            return None
    except (TypeError, ValueError, ArithmeticError):  # NA and signalling NaN cannot be compared
        return None
    if type(value).__name__ in ("bool", "bool_"):
        return "bool", bool(value)
    if isinstance(value, str):
        return "text", str(value)
    if hasattr(value, "year") or type(value).__name__ == "datetime64":
        return "time", value
    if hasattr(value, "__index__"):  # a whole number stays whole: a float does not keep the large ones
        return "number", value.__index__()
    number = float(value)
    large = 2**53 <= abs(number) < float("inf")
    return "number", int(value) if large and value == int(value) else number
'''

_NUMBER = '''\
def _number(row, name):
    """Return a cell as a number, NaN if it is missing: then every comparison is false."""
    kind, value = _value(row, name) or ("number", float("nan"))
    if kind not in ("number", "bool"):
        raise TypeError(f"{name!r} must be a number, not {value!r}")
    return value
'''

_TIME = '''\
def _time(row, name):
    """Return a cell as microseconds since 1970-01-01 UTC, NaN if it is missing."""
    import datetime

    kind, value = _value(row, name) or ("time", None)
    if kind != "time":
        raise TypeError(f"{name!r} must be a time, not {value!r}")
    if value is None:
        return float("nan")
    if type(value).__name__ == "datetime64":
        if value.dtype == "datetime64[ns]":  # of the first of these numpy makes the last ones
            return int(value.view("int64")) // 1000
        value = value.astype("datetime64[us]").item()
    if not hasattr(value, "hour"):
        value = datetime.datetime(value.year, value.month, value.day)
    if value.tzinfo is None:
        value = value.replace(tzinfo=datetime.timezone.utc)
    epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    return (value - epoch) // datetime.timedelta(microseconds=1)
'''


def to_python(rules: RuleSet) -> str:
    """Write a rule set as a function `predict(row)`, followed by the helpers it needs.

    Types count as in `RuleSet.predict`: 1, '1' and true are three different values, and a range on text is
    an error. The text is ASCII.

    Examples
    --------
    >>> source = to_python(RuleSet.parse("bmi >= 35 OR age >= 30 AND snores = true"))
    >>> print(source[source.index("    if") : source.index("def _value")].rstrip())
        if (
            _number(row, 'bmi') >= 35
            or (_number(row, 'age') >= 30 and _value(row, 'snores') == ('bool', True))
        ):
            return 1
        return 0
    >>> space = {}
    >>> exec(source, space)
    >>> space["predict"]({"age": 41, "snores": True}), space["predict"]({"bmi": float("nan")})
    (1, 0)
    """
    patterns = [_all([_condition(literal) for literal in pattern]) for pattern in rules]
    condition = "\n        or ".join(patterns) or "False"
    body = f"    if (\n        {condition}\n    ):\n"
    labels = f"        return {rules.positive!a}\n    return {rules.negative!a}\n"
    literals = [literal for pattern in rules for literal in pattern]
    ranges = [literal for literal in literals if isinstance(literal, Range)]
    helpers = [
        *([_VALUE] if literals else []),
        *([_NUMBER] if any(not literal.time for literal in ranges) else []),
        *([_TIME] if any(literal.time for literal in ranges) else []),
    ]
    return "\n\n".join([_HEAD + body + labels, *helpers])


def _all(conditions: list[str]) -> str:
    """Join conditions that must all hold."""
    return conditions[0] if len(conditions) == 1 else f"({' and '.join(conditions)})"


def _condition(literal: Literal) -> str:
    """Write a literal."""
    name = ascii(literal.attribute)
    match literal:
        case Range():
            return _range(literal, f"{'_time' if literal.time else '_number'}(row, {name})")
        case Equal():
            return f"_value(row, {name}) == {_typed(literal.value)}"
        case NotEqual():
            return f"_value(row, {name}) not in (None, {_typed(literal.value)})"
        case OneOf() | LevelRange():
            return f"_value(row, {name}) in [{', '.join(map(_typed, literal.values))}]"
        case IsMissing():
            return f"_value(row, {name}) is None"
    raise AssertionError(f"not a literal: {literal!r}")


def _range(literal: Range, cell: str) -> str:
    """Write a range around a cell."""
    if literal.high is None:
        return f"{cell} {'>=' if literal.low_closed else '>'} {number_text(literal.low or 0)}"
    upper = f"{cell} {'<=' if literal.high_closed else '<'} {number_text(literal.high)}"
    if literal.low is None:
        return upper
    return f"{number_text(literal.low)} {'<=' if literal.low_closed else '<'} {upper}"


def _typed(value: Category) -> str:
    """Write a value beside its type, as `_value` returns it."""
    shown = ascii(value) if isinstance(value, (str, bool)) else number_text(value)
    return f"({type_of(value)!r}, {shown})"
