"""Rows taken once for every column, in an engine that groups by one set of columns at a time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from .source import engine_name

__all__ = ["can_spread", "spread"]

_VALUE = "_ooa_value"


def can_spread(frame: Any) -> bool:
    """Whether it is known how the engine of a lazy frame of narwhals takes rows several times."""
    return engine_name(frame) in _NUMBERED


def spread(frame: Any, names: Sequence[str], part: str) -> tuple[Any, dict[str, str]]:
    """Take each row once as it is, and once for every column, with the value of that one alone.

    Columns of one type share a column of values, so that there are few to group by.

    Parameters
    ----------
    frame : lazy frame of narwhals
    names : the columns
    part : what the number is called that says which column a row is about: 0 of none, then from 1 on

    Returns
    -------
    rows : lazy frame of narwhals
        The rows, with the number and the columns of values.
    dict
        In which column the values of each one are.

    Examples
    --------
    >>> import ibis, narwhals as nw, pyarrow as pa
    >>> table = ibis.memtable(pa.table({"a": [7], "b": [8], "t": ["u"]}))
    >>> rows, value = spread(nw.from_native(table), ["a", "b", "t"], "part")
    >>> value
    {'a': '_ooa_value0', 'b': '_ooa_value0', 't': '_ooa_value1'}
    >>> rows.select("part", *sorted(set(value.values()))).collect().sort("part").rows()
    [(0, None, None), (1, 7, None), (2, 8, None), (3, None, 'u')]
    """
    import narwhals as nw

    schema = dict(frame.collect_schema())
    sharing: dict[Any, str] = {}
    held: dict[str, list[tuple[int, str]]] = {}
    value = {}
    for number, name in enumerate(names, 1):
        kind = schema[name]
        plain = kind.is_integer() or kind.is_float() or isinstance(kind, (nw.String, nw.Boolean, nw.Date))
        # What narwhals calls equal types may differ in the engine, such as decimals.
        value[name] = sharing.setdefault(kind if plain else name, f"{_VALUE}{len(sharing)}")
        held.setdefault(value[name], []).append((number, name))

    def among(some: list[tuple[int, str]]) -> Any:
        """The value of the column that a row is about, found by halves."""
        if len(some) == 1:
            (number, name) = some[0]
            return nw.when(nw.col(part) == number).then(nw.col(name))
        middle = len(some) // 2
        first = nw.col(part) < some[middle][0]
        return nw.when(first).then(among(some[:middle])).otherwise(among(some[middle:]))

    numbered = _NUMBERED[engine_name(frame)](frame, part, len(names) + 1)
    return numbered.with_columns(**{shared: among(some) for shared, some in held.items()}), value


def _by_joining(frame: Any, part: str, number: int) -> Any:
    """Each row with each number, in any database: a join with a few constants."""
    import ibis
    import narwhals as nw

    side = math.isqrt(number - 1) + 1  # databases limit how many constants one union may have

    def constants(name: str, step: int) -> Any:
        rows = [ibis.literal(k * step, "int64").name(name).as_table() for k in range(side)]
        return nw.from_native(rows[0].union(*rows[1:]) if side > 1 else rows[0])

    ones, more = f"{part}_ones", f"{part}_more"
    joined = frame.join(constants(ones, 1), how="cross").join(constants(more, side), how="cross")
    return joined.with_columns((nw.col(ones) + nw.col(more)).alias(part)).filter(nw.col(part) < number)


def _by_spark(frame: Any, part: str, number: int) -> Any:
    import narwhals as nw
    from pyspark.sql import functions

    numbers = functions.sequence(functions.lit(0), functions.lit(number - 1))
    return nw.from_native(frame.to_native().withColumn(part, functions.explode(numbers)))


def _by_daft(frame: Any, part: str, number: int) -> Any:
    import daft
    import narwhals as nw

    return nw.from_native(frame.to_native().with_column(part, daft.lit(list(range(number)))).explode(part))


_NUMBERED = {
    "ibis": _by_joining,
    "pyspark": _by_spark,
    "pyspark_connect": _by_spark,
    "daft": _by_daft,
}
