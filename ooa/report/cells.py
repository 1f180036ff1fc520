"""Single values and the names of rows, written for people."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ooa.checks import did_you_mean
from ooa.data.columns import Column
from ooa.data.table import Table
from ooa.errors import DataError
from ooa.rules.text import number_text, time_text, value_text

__all__ = ["RowNames", "cell_text", "measure_text"]


@dataclass(frozen=True)
class RowNames:
    """What rows are called.

    Attributes
    ----------
    kind : what kind of name that is, such as that of a column
    texts : the name of each row

    Examples
    --------
    >>> table = Table.from_any({"patient": ["A 7", None], "age": [70, 41]}, [1, 0])
    >>> RowNames.of("patient", table).texts, RowNames.of([12.0, 5], table).texts
    (('A 7', 'missing'), ('12', '5'))
    """

    kind: str
    texts: tuple[str, ...]

    @classmethod
    def of(cls, ids: str | Iterable[object], table: Table) -> RowNames:
        """Read names: the values of a column of the table, or one for each of its rows."""
        if isinstance(ids, str):
            columns = {column.name: column for column in table.columns}
            if ids not in columns:
                hint = did_you_mean(ids, columns)
                raise DataError(f"ids names {ids!r}, which is no column of these rows; {hint}")
            return cls(ids, tuple(cell_text(columns[ids], row, bare=True) for row in range(table.n_rows)))
        texts = tuple(map(_text, ids))
        if len(texts) != table.n_rows:
            raise DataError(f"ids has {len(texts)} names for {table.n_rows} rows")
        name = getattr(ids, "name", None)
        return cls(name if isinstance(name, str) and name else "id", texts)


def _text(value: Any) -> str:
    """Write a name; a whole number that came as a decimal one is written as what it is."""
    import pandas as pd

    if pd.api.types.is_scalar(value) and pd.isna(value):
        return "missing"
    return number_text(value) if isinstance(value, float) else str(value)


def cell_text(column: Column, row: int, *, bare: bool = False) -> str:
    """Write one value of a column; text that is no plain word stands in quotes unless it is to be bare."""
    if column.missing[row]:
        return "missing"
    if column.names:
        value = column.names[int(column.values[row])]
        return str(value) if bare else value_text(value)
    return measure_text(column.values[row].item(), column.time)


def measure_text(value: float, time: bool) -> str:
    """Write a number, or a time if it is one."""
    return time_text(value) if time else number_text(value)
