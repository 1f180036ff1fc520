"""Rule sets where the rows live: as expressions of an engine, and counted there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ooa.errors import DataError
from ooa.rules.levels import LevelRange
from ooa.rules.literal import Equal, IsMissing, Literal, NotEqual, OneOf, Range
from ooa.rules.ruleset import RuleSet

from .plain import plain_value, spells_moments
from .source import engine_errors, engine_name
from .zones import Edge, compared

__all__ = ["check_columns", "fires", "holds", "holds_literal", "predicted"]


def fires(rules: RuleSet, frame: Any) -> Any:
    """Whether any pattern holds, as an expression of narwhals that is never missing.

    Parameters
    ----------
    rules : the rule set
    frame : the rows, as a lazy frame of narwhals
    """
    import narwhals as nw

    found = nw.lit(False)
    for one in holds(rules, frame):
        found = found | one
    return found


def holds(rules: RuleSet, frame: Any) -> list[Any]:
    """For each pattern whether it holds, as expressions that are never missing; see `fires`."""
    import narwhals as nw

    with engine_errors(engine_name(frame), "name the columns"):
        schema = dict(frame.collect_schema())
    check_columns(rules, schema)
    found = []
    for pattern in rules:
        met = nw.lit(True)
        for literal in pattern:
            met = met & holds_literal(literal, frame, schema[literal.attribute])
        found.append(met)
    return found


def check_columns(rules: RuleSet, schema: Mapping[str, Any]) -> None:
    """Raise if rows lack columns that rules use, or have something of another kind in them."""
    lacking = sorted(set(rules.attributes) - set(schema))
    if lacking:
        raise DataError(f"The data lack the column(s) {', '.join(map(repr, lacking))}")
    for literal in (literal for pattern in rules for literal in pattern):
        held, needed = _held(schema[literal.attribute]), _needed(literal)
        if held and needed and held not in needed:
            raise DataError(
                f"Column {literal.attribute!r} holds {held}, where '{literal}' needs {' or '.join(needed)}: "
                "cast it first"
            )


def _held(dtype: Any) -> str:
    """What a column of a type holds; "" of types that narwhals does not know."""
    import narwhals as nw

    if isinstance(dtype, nw.Boolean):
        return "true/false"
    if isinstance(dtype, (nw.String, nw.Categorical, nw.Enum)):
        return "text"
    if isinstance(dtype, (nw.Date, nw.Datetime)):
        return "times"
    if dtype.is_numeric():
        return "numbers"
    return "" if isinstance(dtype, nw.Unknown) else f"values of type {dtype}"


def _needed(literal: Literal) -> list[str]:
    """What a literal can be true of; nothing if of anything."""
    match literal:
        case Range():
            return ["times"] if literal.time else ["numbers", "true/false"]  # true counts as 1
        case Equal() | NotEqual():
            values: Sequence[object] = [literal.value]
        case OneOf() | LevelRange():
            values = literal.values
        case _:
            values = []
    kinds = (
        "true/false" if isinstance(v, bool) else "text" if isinstance(v, str) else "numbers" for v in values
    )
    return list(dict.fromkeys(kinds))


def holds_literal(literal: Literal, frame: Any, dtype: Any) -> Any:
    """One literal; false where the value is missing, unless that is what it asks for."""
    import narwhals as nw

    column, value = nw.col(literal.attribute), plain_value(frame, literal.attribute, dtype)
    gone = value.is_null()
    plain = isinstance(literal, IsMissing) or (isinstance(literal, Range) and not literal.time)
    if isinstance(dtype, nw.Unknown) and not plain:  # a column without any value may be of such a type
        raise DataError(f"Column {literal.attribute!r} is of a type that is not known here: cast it first")
    # Not every engine compares decimals with other numbers, and some shorten these to the column's floats.
    if isinstance(dtype, nw.Decimal) or dtype.is_float():
        column = value
    match literal:
        case IsMissing():
            return gone
        case Range():
            met = _within(literal, value, dtype, spelled=spells_moments(frame))
        case Equal():
            met = _equals(column, literal.value, dtype)
        case NotEqual():
            met = ~_equals(column, literal.value, dtype)
        case OneOf() | LevelRange():
            met = nw.lit(False)
            for value in literal.values:
                met = met | _equals(column, value, dtype)
        case _:
            raise DataError(f"An engine has no words for {literal}")
    return nw.when(~gone & met).then(nw.lit(True)).otherwise(nw.lit(False))


def _equals(column: Any, value: Any, dtype: Any) -> Any:
    """Equality as rules mean it: text and numbers are never equal, nor are true and 1."""
    import narwhals as nw

    if isinstance(dtype, nw.Boolean) or isinstance(value, bool):
        if not (isinstance(dtype, nw.Boolean) and isinstance(value, bool)):
            return nw.lit(False)
        return column if value else ~column
    if dtype.is_numeric() == isinstance(value, str):
        return nw.lit(False)
    if isinstance(dtype, (nw.Categorical, nw.Enum)):
        column = column.cast(nw.String)
    return column == (float(value) if dtype.is_float() else value)


def _within(literal: Range, column: Any, dtype: Any, *, spelled: bool) -> Any:
    import narwhals as nw

    def edge(value: float, beyond: bool) -> Edge:
        return Edge(int(value) + beyond) if literal.time else Edge(value, beyond)

    if not (dtype.is_numeric() or dtype.is_temporal() or isinstance(dtype, (nw.Boolean, nw.Unknown))):
        holds = (
            "text" if isinstance(dtype, (nw.String, nw.Categorical, nw.Enum)) else f"values of type {dtype}"
        )
        needed = "dates" if literal.time else "numbers"
        raise DataError(f"Column {literal.attribute!r} holds {holds}, where '{literal}' needs {needed}")
    if isinstance(dtype, nw.Boolean):  # true is 1
        column, dtype = column.cast(nw.Float64), nw.Float64()
    met = nw.lit(True)
    if literal.low is not None:
        met = met & compared(edge(literal.low, not literal.low_closed), column, dtype, spelled=spelled)
    if literal.high is not None:
        met = met & ~compared(edge(literal.high, literal.high_closed), column, dtype, spelled=spelled)
    return met


def predicted(rules: RuleSet, frame: Any, name: str = "prediction", *, floats: bool = False) -> Any:
    """A lazy frame of narwhals with the label that is predicted as one more column; nothing is read.

    Parameters
    ----------
    rules : the rule set
    frame : the rows, as a lazy frame of narwhals
    name : what the column is called
    floats : whether labels are handed over as floats, as they were when the rules were learned

    Examples
    --------
    >>> import narwhals as nw, polars as pl
    >>> frame = nw.from_native(pl.LazyFrame({"x": [1.0, 3.0, None]}))
    >>> predicted(RuleSet.parse("x >= 2"), frame).collect()["prediction"].to_list()
    [0, 1, 0]
    """
    import narwhals as nw

    with engine_errors(engine_name(frame), "name the columns"):
        names = frame.collect_schema().names()
    if name in names:
        raise DataError(f"The rows have a column {name!r} already: rename it first")
    with engine_errors(engine_name(frame), "find words for the rules"):
        label = nw.when(fires(rules, frame)).then(nw.lit(rules.positive)).otherwise(nw.lit(rules.negative))
        label = label.cast(nw.Float64) if floats else label
        return frame.with_columns(label.alias(name))
