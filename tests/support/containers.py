"""One table in every container that can hold it: frames of three libraries, arrays, dicts and lists."""

from __future__ import annotations

import decimal
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from support.strategies import EPOCH

#: The kinds of columns: what a cell is, None where missing.
KINDS = ("float", "int", "bool", "text", "time", "date", "decimal", "code")
#: Their types in the exports.
TYPES = dict.fromkeys(("float", "int", "decimal", "code"), "number")
TYPES |= {"bool": "bool", "text": "text", "time": "time", "date": "time"}
_HIDDEN = {"float": 1e9, "int": 77, "bool": True, "text": "hidden", "time": EPOCH}
_HIDDEN |= {"date": EPOCH.date(), "decimal": decimal.Decimal("9.99"), "code": 7}
_NULLABLE = {"float": "Float64", "int": "Int64", "code": "Int64", "bool": "boolean", "text": "string"}
_PLAIN = {"float": "f8", "int": "i8", "code": "i8", "bool": "?", "text": "O", "decimal": "O"}
_PLAIN |= {"time": "M8[us]", "date": "M8[D]"}


@dataclass(frozen=True)
class Cells:
    """Columns of plain Python values, None where missing."""

    kinds: dict[str, str]
    columns: dict[str, list[Any]]

    @property
    def n_rows(self) -> int:
        return len(next(iter(self.columns.values())))

    @property
    def codes(self) -> list[str]:
        """Columns of numbers that are categories."""
        return [name for name, kind in self.kinds.items() if kind == "code"]

    @property
    def types(self) -> dict[str, Any]:
        return {name: TYPES[kind] for name, kind in self.kinds.items()}

    @property
    def full(self) -> bool:
        return all(cell is not None for column in self.columns.values() for cell in column)

    def rows(self) -> list[dict[str, Any]]:
        return [{name: column[i] for name, column in self.columns.items()} for i in range(self.n_rows)]

    def only(self, *kinds: str) -> bool:
        return set(self.kinds.values()) <= set(kinds)


def containers(cells: Cells) -> Iterator[tuple[str, Any]]:
    """Give the table in all containers there are, by name; those of numpy call columns x0, x1, ..."""
    yield "rows of dicts", cells.rows()
    yield "dicts without what is missing", _sparse_rows(cells)
    yield "dict of lists", dict(cells.columns)
    yield "dict of arrays", {name: np.array(column, dtype=object) for name, column in cells.columns.items()}
    yield from _of_pandas(cells)
    yield from _of_arrow(cells)
    yield from _of_polars(cells)
    yield "structured array", _structured(cells)


def positional(cells: Cells) -> Iterator[tuple[str, Any]]:
    """Give the table in containers that have no names."""
    rows = [list(row.values()) for row in cells.rows()]
    yield "list of rows", rows
    yield "list of tuples", list(map(tuple, rows))
    objects = np.empty((cells.n_rows, len(cells.kinds)), dtype=object)
    for j, column in enumerate(cells.columns.values()):
        objects[:, j] = column
    yield "object array", objects
    missing = np.array([[cell is None for cell in row] for row in rows])
    hidden = objects.copy()
    for j, kind in enumerate(cells.kinds.values()):
        hidden[missing[:, j], j] = _HIDDEN[kind]
    yield "masked objects", np.ma.masked_array(hidden, mask=missing)
    if cells.only("float", "int"):
        yield "float array", objects.astype(np.float64)
        yield "float array in columns", np.asfortranarray(objects.astype(np.float64))
        yield "masked floats", np.ma.masked_array(hidden.astype(np.float64), mask=missing)
    if cells.only("int", "code"):
        yield "masked integers", np.ma.masked_array(hidden.astype(np.int64), mask=missing)
    if cells.only("int", "code") and cells.full:
        yield "integer array", objects.astype(np.int64)
    if cells.only("bool") and cells.full:
        yield "boolean array", objects.astype(bool)
    if cells.only("time"):
        yield "array of times", objects.astype("M8[us]")
    if cells.only("text") and cells.full and not any("\0" in cell for row in rows for cell in row):
        yield "text array", objects.astype(str)


def _sparse_rows(cells: Cells) -> list[dict[str, Any]]:
    """Leave out cells without a value, but in the first row, which names all columns."""
    first, *others = cells.rows()
    return [first] + [{name: cell for name, cell in row.items() if cell is not None} for row in others]


def _of_pandas(cells: Cells) -> Iterator[tuple[str, pd.DataFrame]]:
    objects = pd.DataFrame({name: pd.Series(column, dtype=object) for name, column in cells.columns.items()})
    yield "pandas, objects", objects
    yield "pandas, objects with NaN", objects.where(objects.notna(), np.nan).astype(object)
    plain = pd.DataFrame(
        {name: _plain_series(kind, cells.columns[name]) for name, kind in cells.kinds.items()}
    )
    yield "pandas, plain", plain
    yield "pandas, other rows' numbers", plain.set_axis(np.arange(cells.n_rows)[::-1] * 3, axis="index")
    yield (
        "pandas, nullable",
        pd.DataFrame(
            {
                name: pd.Series(column, dtype=_NULLABLE[kind]) if kind in _NULLABLE else plain[name]
                for (name, kind), column in zip(cells.kinds.items(), cells.columns.values())
            }
        ),
    )
    yield (
        "pandas, categories",
        plain.astype({name: "category" for name, kind in cells.kinds.items() if kind in ("text", "code")}),
    )
    table = arrow_table(cells)
    if table is not None:
        yield "pandas, arrow", table.to_pandas(types_mapper=pd.ArrowDtype)


def _plain_series(kind: str, column: list[Any]) -> pd.Series[Any]:
    """Return what pandas makes of values by itself, but for integers with gaps, which become floats."""
    missing = any(cell is None for cell in column)
    if kind in ("time", "date"):
        return pd.Series(np.array(column, dtype="M8[us]"))
    if kind == "float":
        return pd.Series(np.array(column, dtype=np.float64))
    if kind == "int":
        return pd.Series(np.array(column, dtype=np.float64 if missing else np.int64))
    if kind == "text":
        return pd.Series(column, dtype="str")
    return pd.Series(column, dtype=object if missing or kind == "decimal" else None)


def arrow_table(cells: Cells, **types: Any) -> Any:
    """Return the table in pyarrow, None without it; `types` are others than usual by kind."""
    try:
        import pyarrow as pa
    except ImportError:
        return None
    usual = {"float": pa.float64(), "int": pa.int64(), "code": pa.int64(), "bool": pa.bool_()}
    usual |= {"text": pa.string(), "time": pa.timestamp("us"), "date": pa.date32()}
    usual |= {"decimal": pa.decimal128(12, 2)} | types
    arrays = [pa.array(cells.columns[name], usual[kind]) for name, kind in cells.kinds.items()]
    return pa.Table.from_arrays(arrays, list(cells.kinds))


def _of_arrow(cells: Cells) -> Iterator[tuple[str, Any]]:
    table = arrow_table(cells)
    if table is None:
        return
    import pyarrow as pa

    yield "pyarrow", table
    yield "pyarrow, in chunks", pa.concat_tables([table[:1], table[1:3], table[3:]])
    text = pa.dictionary(pa.int32(), pa.string())
    yield "pyarrow, dictionaries", arrow_table(cells, text=text)
    large = {"text": pa.large_string(), "time": pa.timestamp("us", "UTC"), "date": pa.date64()}
    yield "pyarrow, large", arrow_table(cells, **large, decimal=pa.decimal256(40, 2))
    if hasattr(pa, "string_view"):
        yield "pyarrow, views", arrow_table(cells, text=pa.string_view())


def _of_polars(cells: Cells) -> Iterator[tuple[str, Any]]:
    try:
        import polars as pl
    except ImportError:
        return
    types = {"float": pl.Float64, "int": pl.Int64, "code": pl.Int64, "bool": pl.Boolean, "text": pl.String}
    types |= {"time": pl.Datetime("us"), "date": pl.Date, "decimal": pl.Decimal(12, 2)}
    for name, text in (("polars", pl.String), ("polars, categories", pl.Categorical)):
        told = types | {"text": text}
        yield (
            name,
            pl.DataFrame(
                {
                    column: pl.Series(column, cells.columns[column], dtype=told[kind])
                    for column, kind in cells.kinds.items()
                }
            ),
        )


def _structured(cells: Cells) -> Any:
    """Return one record per row, a masked one where values are missing."""
    types = [(name, _PLAIN[kind]) for name, kind in cells.kinds.items()]
    records = np.empty(cells.n_rows, dtype=types)
    mask = np.zeros(cells.n_rows, dtype=[(name, bool) for name in cells.kinds])
    for name, kind in cells.kinds.items():
        column = cells.columns[name]
        records[name] = [_HIDDEN[kind] if cell is None else cell for cell in column]
        mask[name] = [cell is None for cell in column]
    return records if cells.full else np.ma.masked_array(records, mask=mask)
