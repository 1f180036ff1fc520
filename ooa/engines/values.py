"""The values of many columns with the labels at them, counted on all rows in one query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ooa.errors import DataError

from .source import collected, engine_errors, engine_name
from .spread import can_spread, spread

__all__ = ["MOST_VALUES", "counted_values", "total"]

_PART, _SET, _VALUE = "_ooa_part", "_ooa_set", "_ooa_value"
#: Values of a column, on average, that may come back: as many as there may be categories.
MOST_VALUES = 10_000
_DOING = "count the values of columns"
#: Rows that polars hands over at a time.
_BATCH = 200_000
#: So many batches are summed up as soon as they are there.
_FOLDED = 16
#: More columns are not counted by a set each: that is up to twice as fast, but takes 5 MB a set, and answers
#: with as many columns as there are sets.
_MANY = 100
#: How sums of batches are summed up.
_AGAIN = {"count": "sum", "sum": "sum", "min": "min"}


def counted_values(
    frame: Any, label: str, names: Sequence[str], sums: dict[str, str], most: int = MOST_VALUES
) -> dict[str, Any]:
    """Count the different values of each column, with the labels at them; under "" the labels alone.

    All of it is one scan: by GROUPING SETS of DuckDB, or of more than a hundred columns by taking each row
    once for every column, as each set takes some megabytes; in Dask by sharing what it reads; of polars and
    Daft in batches; elsewhere, too, each row is taken once for every column, with its value alone.

    Parameters
    ----------
    frame : lazy frame of narwhals
    label : the column of labels
    names : the other columns
    sums : what is summed up: the name of each sum, and "count", or the function and column, as "sum:weight"
    most : values that may come back of a column on average, with each of two labels; more are an error

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

    groups = [[], *([name] for name in names)]
    implementation, rows = frame.implementation, 2 * most * len(groups)
    if implementation.is_dask():
        found = dict(zip(["", *names], _by_dask(frame, label, groups, sums)))
    elif _comes_in_batches(frame):
        found = dict(zip(["", *names], _by_batches(frame, label, groups, sums, rows)))
    elif implementation.is_duckdb() and len(names) > _MANY:
        found = _by_unnesting(frame, label, names, sums, rows)
    elif names and can_spread(frame):
        found = _by_spreading(frame, label, names, sums, rows)
    else:
        with engine_errors(engine_name(frame), _DOING):
            asked = _by_duckdb if implementation.is_duckdb() else _one_by_one
            query = asked(frame, label, groups, sums).head(rows + 1)
        answer = collected(query, _DOING)
        found = {
            "".join(group): answer.filter(nw.col(_PART) == number).select([*group, label, *sums])
            for number, group in enumerate(groups)
        }
    _check_number(found, rows)
    return found


def _check_number(found: dict[str, Any], most: int) -> None:
    """Raise if there are more values than may come back; those that came say which column has most."""
    if sum(map(len, found.values())) > most:
        name = max(found, key=lambda one: len(found[one]))
        raise DataError(
            f"Column {name!r} has few values in a sample, and too many in all rows: raise sample_rows of "
            "ooa.Source, by which its cuts may be chosen then, or leave it out"
        )


def _grouped(frame: Any, label: str, group: list[str], sums: dict[str, str]) -> Any:
    return frame.group_by([*group, label]).agg(*(total(name, what) for name, what in sums.items()))


def total(name: str, what: str) -> Any:
    """One of the sums over grouped rows, as an expression; see `counted_values`."""
    import narwhals as nw

    function, _, column = what.partition(":")
    return (getattr(nw.col(column), function)() if column else nw.len()).alias(name)


def _one_by_one(frame: Any, label: str, groups: list[list[str]], sums: dict[str, str]) -> Any:
    """One query that is a union of GROUP BYs: of rows that are here, or of a single one."""
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
    selected = ", ".join([*names, _quoted(label), f"{part} as {_PART}", *_functions(sums)])
    sets = ", ".join(f"({', '.join(map(_quoted, [*group, label]))})" for group in groups)
    return nw.from_native(frame.to_native().aggregate(selected, f"grouping sets ({sets})"))


def _functions(sums: dict[str, str]) -> list[str]:
    """SQL of the sums over grouped rows."""
    parts = {name: what.partition(":") for name, what in sums.items()}
    return [
        f"{'count(*)' if not column else f'{function}({_quoted(column)})'} as {name}"
        for name, (function, _, column) in parts.items()
    ]


def _by_unnesting(
    frame: Any, label: str, names: Sequence[str], sums: dict[str, str], most: int
) -> dict[str, Any]:
    """One scan of DuckDB that takes a row once for each column, those of one type below each other."""
    import narwhals as nw

    native = frame.to_native()
    kinds = dict(zip(native.columns, map(str, native.types)))
    held: dict[str, list[str]] = {}
    for name in names:
        held.setdefault(kinds[name], []).append(name)
    value = {kind: f"{_VALUE}{number}" for number, kind in enumerate(held)}
    weighed = {what.partition(":")[2] for what in sums.values()} - {"", label}
    # Shorter lists are filled up to the longest one, which is no value of a column.
    lists = [f"unnest(range({max(map(len, held.values()))})) as {_PART}"]
    lists += [f"unnest([{', '.join(map(_quoted, some))}]) as {value[kind]}" for kind, some in held.items()]
    sets = [(_PART, _quoted(label)), *((_PART, one, _quoted(label)) for one in value.values())]
    which = " ".join(f"when grouping({one}) = 0 then {k}" for k, one in enumerate(value.values(), 1))
    answered = [_PART, *value.values(), _quoted(label), f"case {which} else 0 end as {_SET}"]
    with engine_errors("duckdb", _DOING):
        rows = native.project(", ".join([_quoted(label), *map(_quoted, sorted(weighed)), *lists]))
        by = ", ".join(f"({', '.join(one)})" for one in sets)
        query = rows.aggregate(", ".join([*answered, *_functions(sums)]), f"grouping sets ({by})")
        lengths = [1, *map(len, held.values())]  # labels alone are asked for once
        real = " or ".join(f"{_SET} = {k} and {_PART} < {length}" for k, length in enumerate(lengths))
        answer = collected(nw.from_native(query.filter(real)).head(most + 1), _DOING)
    found = {"": answer.filter(nw.col(_SET) == 0).select([label, *sums])}
    parts = {kind: answer.filter(nw.col(_SET) == number) for number, kind in enumerate(held, 1)}
    for name in names:
        kind = kinds[name]
        at = parts[kind].filter(nw.col(_PART) == held[kind].index(name))
        found[name] = at.select(nw.col(value[kind]).alias(name), label, *sums)
    return found


def _by_dask(frame: Any, label: str, groups: list[list[str]], sums: dict[str, str]) -> list[Any]:
    """All GROUP BYs at once, of which Dask reads what they share but once."""
    import dask
    import narwhals as nw

    with engine_errors("dask", _DOING):
        parts = [_grouped(frame, label, group, sums).to_native() for group in groups]
        return [nw.from_native(part, eager_only=True) for part in dask.compute(*parts)]


def _by_batches(
    frame: Any, label: str, groups: list[list[str]], sums: dict[str, str], most: int
) -> list[Any]:
    """All GROUP BYs of one batch of rows after the other, so that memory holds one, and of what they gave."""
    import narwhals as nw

    weighed = {column for _, _, column in (what.partition(":") for what in sums.values()) if column}
    columns = dict.fromkeys([*(name for group in groups for name in group), label, *sorted(weighed)])
    again = {name: f"{_AGAIN[what.partition(':')[0]]}:{name}" for name, what in sums.items()}
    found: list[list[Any]] = [[] for _ in groups]
    with engine_errors(engine_name(frame), _DOING):
        chosen = frame.select(*columns)
        for batch in _batches(chosen):
            rows = nw.from_native(batch, eager_only=True)
            for some, group in zip(found, groups):
                some.append(_grouped(rows, label, group, sums))
                if len(some) == _FOLDED:
                    some[:] = [_grouped(nw.concat(some), label, group, again)]
            if len(found[0]) == 1:  # all were summed up just now
                _check_number({"".join(group): some[0] for some, group in zip(found, groups)}, most)
        if not found[0]:
            return [_grouped(chosen, label, group, sums).collect() for group in groups]
        return [_grouped(nw.concat(some), label, group, again) for some, group in zip(found, groups)]


def _comes_in_batches(frame: Any) -> bool:
    """Whether an engine in this process hands over rows bit by bit."""
    if frame.implementation.is_polars():
        return hasattr(frame.to_native(), "collect_batches")  # since polars 1.34
    if engine_name(frame) != "daft":
        return False
    import daft

    return daft.get_or_infer_runner_type() == "native"


def _batches(frame: Any) -> Iterator[Any]:
    """The rows bit by bit, as frames that are here."""
    if frame.implementation.is_polars():
        yield from frame.to_native().collect_batches(chunk_size=_BATCH, engine="streaming")
        return
    import pyarrow as pa

    for batch in frame.to_native().to_arrow_iter():
        yield pa.Table.from_batches([batch])


def _by_spreading(
    frame: Any, label: str, names: Sequence[str], sums: dict[str, str], most: int
) -> dict[str, Any]:
    """One GROUP BY of every row once for each column; see `ooa.engines.spread`."""
    import narwhals as nw

    with engine_errors(engine_name(frame), _DOING):
        rows, value = spread(frame, names, _PART)
        query = _grouped(rows, label, [_PART, *dict.fromkeys(value.values())], sums).head(most + 1)
    answer = collected(query, _DOING)
    found = {"": answer.filter(nw.col(_PART) == 0).select([label, *sums])}
    for number, name in enumerate(names, 1):
        some = answer.filter(nw.col(_PART) == number)
        found[name] = some.select(nw.col(value[name]).alias(name), label, *sums)
    return found


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
