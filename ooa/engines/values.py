"""The values of many columns with the labels at them, counted on all rows in one query."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .source import collected, engine_errors, engine_name

__all__ = ["counted_values", "total"]

_PART = "_ooa_part"


def counted_values(frame: Any, label: str, names: Sequence[str], sums: dict[str, str]) -> dict[str, Any]:
    """Count the different values of each column, with the labels at them; under "" the labels alone.

    DuckDB does it in one scan by GROUPING SETS, and Dask by sharing what it reads; other engines are asked in
    one query that groups by each column in turn, and read of a table by columns each of them once.

    Parameters
    ----------
    frame : lazy frame of narwhals
    label : the column of labels
    names : the other columns
    sums : what is summed up: the name of each sum, and "count", or the function and column, as "sum:weight"

    Returns
    -------
    dict
        Eager frames of narwhals, by column: its values, the label, and the sums.

    Examples
    --------
    >>> import narwhals as nw, polars as pl
    >>> frame = nw.from_native(pl.LazyFrame({"a": [1, 2, 2], "b": ["u", "u", "v"], "y": [0, 1, 1]}))
    >>> found = counted_values(frame, "y", ["a", "b"], {"n": "count"})
    >>> found["a"].sort("a").rows(), found[""].sort("y").rows()
    ([(1, 0, 1), (2, 1, 2)], [(0, 1), (1, 2)])
    """
    import narwhals as nw

    doing, implementation = "count the values of columns", frame.implementation
    groups = [[], *([name] for name in names)]
    if implementation.is_dask():
        found = _by_dask(frame, label, groups, sums)
        return dict(zip(["", *names], found))
    with engine_errors(engine_name(frame), doing):
        asked = _by_duckdb if implementation.is_duckdb() else _one_by_one
        query = asked(frame, label, groups, sums)
    answer = collected(query, doing)
    return {
        "".join(group): answer.filter(nw.col(_PART) == number).select([*group, label, *sums])
        for number, group in enumerate(groups)
    }


def _grouped(frame: Any, label: str, group: list[str], sums: dict[str, str]) -> Any:
    return frame.group_by([*group, label]).agg(*(total(name, what) for name, what in sums.items()))


def total(name: str, what: str) -> Any:
    """One of the sums over grouped rows, as an expression; see `counted_values`."""
    import narwhals as nw

    function, _, column = what.partition(":")
    return (getattr(nw.col(column), function)() if column else nw.len()).alias(name)


def _one_by_one(frame: Any, label: str, groups: list[list[str]], sums: dict[str, str]) -> Any:
    """One query that is a union of GROUP BYs."""
    import narwhals as nw

    parts = [
        _grouped(frame, label, group, sums).with_columns(nw.lit(number, nw.Int64).alias(_PART))
        for number, group in enumerate(groups)
    ]
    return nw.concat(parts, how="diagonal") if len(parts) > 1 else parts[0]


def _by_duckdb(frame: Any, label: str, groups: list[list[str]], sums: dict[str, str]) -> Any:
    """One scan that feeds all GROUP BYs."""
    import narwhals as nw

    names = [_quoted(name) for group in groups for name in group]
    which = " ".join(f"when grouping({name}) = 0 then {number}" for number, name in enumerate(names, 1))
    part = f"case {which} else 0 end" if names else "0"
    functions = [
        f"{'count(*)' if not column else f'{function}({_quoted(column)})'} as {name}"
        for name, (function, _, column) in ((name, what.partition(":")) for name, what in sums.items())
    ]
    selected = ", ".join([*names, _quoted(label), f"{part} as {_PART}", *functions])
    sets = ", ".join(f"({', '.join(map(_quoted, [*group, label]))})" for group in groups)
    return nw.from_native(frame.to_native().aggregate(selected, f"grouping sets ({sets})"))


def _by_dask(frame: Any, label: str, groups: list[list[str]], sums: dict[str, str]) -> list[Any]:
    """All GROUP BYs at once, of which Dask reads what they share but once."""
    import dask
    import narwhals as nw

    with engine_errors("dask", "count the values of columns"):
        parts = [_grouped(frame, label, group, sums).to_native() for group in groups]
        return [nw.from_native(part, eager_only=True) for part in dask.compute(*parts)]


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
