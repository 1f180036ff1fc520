"""Rule sets where the rows live: as expressions of an engine, and counted there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ooa.data.frames import open_frame
from ooa.errors import DataError
from ooa.rules.confusion import Confusion
from ooa.rules.levels import LevelRange
from ooa.rules.literal import Equal, IsMissing, Literal, NotEqual, OneOf, Range
from ooa.rules.ruleset import RuleSet

from .reading import EngineRows
from .zones import Edge, compared

__all__ = ["confusion_on", "fires", "predicted"]


def fires(rules: RuleSet, schema: Mapping[str, Any]) -> Any:
    """Whether any pattern holds, as an expression of narwhals that is never missing.

    Parameters
    ----------
    rules : the rule set
    schema : the types of the columns in the engine, by name
    """
    import narwhals as nw

    lacking = sorted({name for pattern in rules for name in pattern.attributes} - set(schema))
    if lacking:
        raise DataError(f"The data lack the column(s) {', '.join(map(repr, lacking))}")
    found = nw.lit(False)
    for pattern in rules:
        holds = nw.lit(True)
        for literal in pattern:
            holds = holds & _holds(literal, schema[literal.attribute])
        found = found | holds
    return found


def _holds(literal: Literal, dtype: Any) -> Any:
    """One literal; false where the value is missing, unless that is what it asks for."""
    import narwhals as nw

    column = nw.col(literal.attribute)
    gone = column.is_null() | column.is_nan() if dtype.is_float() else column.is_null()
    match literal:
        case IsMissing():
            return gone
        case Range():
            met = _within(literal, column if dtype.is_temporal() else column.cast(nw.Float64), dtype)
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
    return column == value


def _within(literal: Range, column: Any, dtype: Any) -> Any:
    import narwhals as nw

    def edge(value: float, beyond: bool) -> Edge:
        return Edge(int(value) + beyond) if literal.time else Edge(value, beyond)

    met = nw.lit(True)
    if literal.low is not None:
        met = met & compared(edge(literal.low, not literal.low_closed), column, dtype)
    if literal.high is not None:
        met = met & ~compared(edge(literal.high, literal.high_closed), column, dtype)
    return met


def predicted(rules: RuleSet, frame: Any, name: str = "prediction") -> Any:
    """A lazy frame of narwhals with the label that is predicted as one more column; nothing is read.

    Examples
    --------
    >>> import narwhals as nw, polars as pl
    >>> frame = nw.from_native(pl.LazyFrame({"x": [1.0, 3.0, None]}))
    >>> predicted(RuleSet.parse("x >= 2"), frame).collect()["prediction"].to_list()
    [0, 1, 0]
    """
    import narwhals as nw

    schema = dict(frame.collect_schema())
    if name in schema:
        raise DataError(f"The rows have a column {name!r} already: rename it first")
    label = nw.when(fires(rules, schema)).then(nw.lit(rules.positive)).otherwise(nw.lit(rules.negative))
    return frame.with_columns(label.alias(name))


def confusion_on(rules: RuleSet, rows: EngineRows) -> Confusion:
    """What is said of rows against what they are, counted by their engine in one scan.

    Parameters
    ----------
    rules : the rule set
    rows : with their labels, and their weights if they have some
    """
    merged = rows.merged({"_ooa_fires": fires(rules, rows.schema)}, [], 1_000)
    column = open_frame(merged.to_native()).column("_ooa_fires", "categorical")
    hit = np.array([*(bool(value) for value in column.categories), False])[column.values]
    weight = rows.scaled(merged)
    return Confusion.of(hit, rows.is_positive(merged), weight)
