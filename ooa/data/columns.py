"""Typed columns: how one column of any origin becomes numbers or category codes.

A column is *numeric* (float64, missing is NaN) or *categorical* (int32 codes, missing is -1). Booleans and
text are categorical; text that looks like a number is still text. Dates and timestamps are numeric: int64,
whole microseconds since 1970-01-01 UTC (a timestamp without a time zone is read as UTC), missing is
`NO_TIME`. Ordered categories are numeric, too: their ranks. Numbers beyond 2**53 that a float does not keep
are refused. Rows are counted from 0.
"""

from __future__ import annotations

import decimal
import math
import numbers
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ooa.errors import DataError

from .exact import EXACT, beyond, check_exact, check_not_merged
from .families import family_of, missing_of
from .times import NO_TIME, check_instants, instants_of, micro, moments

__all__ = ["Category", "Column", "Kind", "canonical_value"]

Kind: TypeAlias = Literal["numeric", "categorical"]
Category: TypeAlias = str | bool | int | float


def canonical_value(value: object) -> Category:
    """Return a category's value as a plain str, bool, int or float; whole floats become ints.

    Raises
    ------
    DataError
        If the value is missing or of any other type.

    Examples
    --------
    >>> canonical_value(np.float64(3.0)), canonical_value(np.True_), canonical_value("3")
    (3, True, '3')
    """
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, (numbers.Real, decimal.Decimal)) and not math.isnan(value):
        exact: Any = value
        number = float(exact)
        if math.isfinite(number) and (number.is_integer() or abs(number) >= EXACT) and exact == int(exact):
            return int(exact)
        return number
    raise DataError(f"{value!r} cannot be a category: only text, true/false and numbers can")


@dataclass(frozen=True, eq=False)
class Column:
    """One attribute's values, one per row.

    Attributes
    ----------
    name : str
    kind : {"numeric", "categorical"}
    values : ndarray
        Numeric: float64, NaN where missing; of times int64, `ooa.data.times.NO_TIME` where missing.
        Categorical: int32 codes into `categories`, -1 where missing.
    categories : tuple
        Categorical only: the values that occur, in ascending order (booleans always have both).
    time : bool
        Numeric only: whether the values are microseconds since 1970-01-01 UTC.
    levels : tuple
        Numeric only: if the values are ranks of ordered categories, what the ranks 0, 1, ... are called.

    Examples
    --------
    >>> from ooa.data.frames import open_frame
    >>> column = open_frame({"colour": ["red", None, "blue"]}).column("colour")
    >>> column.kind, column.categories, column.values.tolist(), column.missing.tolist()
    ('categorical', ('blue', 'red'), [1, -1, 0], [False, True, False])
    """

    name: str
    kind: Kind
    values: NDArray[Any]
    categories: tuple[Category, ...] = ()
    time: bool = False
    levels: tuple[Category, ...] = ()

    def __len__(self) -> int:
        return len(self.values)

    @property
    def names(self) -> tuple[Category, ...]:
        """What the values are called: the categories, or the levels of ranks; nothing for mere numbers."""
        return self.categories or self.levels

    @property
    def codes(self) -> NDArray[np.int32]:
        """The positions of the values in `names`, -1 where missing."""
        return np.where(self.missing, -1, self.values).astype(np.int32)

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Truth value per row: is the value missing?"""
        if self.kind == "categorical":
            return np.asarray(self.values < 0)
        return np.asarray(self.values == NO_TIME) if self.time else np.isnan(self.values)

    def take(self, rows: slice | NDArray[Any]) -> Column:
        """Return the column of the given rows, with the same categories."""
        return replace(self, values=self.values[rows])


def column_of(name: str, raw: object, kind: Kind | None, offset: int) -> Column:
    """Return a `Column`, a narwhals Series or a one-dimensional array as a column of the kind asked for.

    `offset` is the number of the first row, for messages.
    """
    if isinstance(raw, Column):
        return _recast(raw, kind)
    if isinstance(raw, np.ndarray):
        return _from_array(name, raw, kind, offset)
    return _from_series(name, raw, kind, offset)


def _from_series(name: str, series: Any, kind: Kind | None, offset: int) -> Column:
    """Convert a narwhals Series."""
    import narwhals as nw

    if series.implementation.is_pyarrow() and "string_view" in str(series.to_native().type):
        # Arrow has next to no functions for these.
        return _from_objects(name, np.array(series.to_native().to_pylist(), dtype=object), kind, offset)
    dtype = series.dtype
    if isinstance(dtype, (nw.Datetime, nw.Date)):
        return _times(name, instants_of(moments(series)), kind, offset)
    if dtype.is_nested():
        raise DataError(f"Column {name!r} holds nested values ({dtype}); a cell must be a single value")
    if isinstance(dtype, (nw.Categorical, nw.Enum)):
        from .ranks import ordered_levels, ranked

        levels = () if kind == "categorical" else ordered_levels(series.to_native())
        if levels:
            plain = _from_series(name, series, "categorical", offset)
            return _recast(plain, "numeric") if _ascend(levels) else ranked(plain, levels)
        kind = kind or "categorical"
        if series.implementation.is_pyarrow():  # its dictionaries lose their nulls on the way to numpy
            native = series.to_native()
            series = nw.from_native(native.cast(native.type.value_type), series_only=True)
    factorised = _factorised(series)
    if factorised is not None:
        codes, values = factorised
        if all(isinstance(value, str) for value in values) or all(map(_is_whole, values)):
            return _recast(_coded(name, codes, values), kind)
    if isinstance(dtype, nw.Decimal) or (dtype.is_integer() and beyond(series.min(), series.max())):
        # Some libraries make floats of decimals and of integers with gaps, and so would hide what gets lost.
        return _from_objects(name, np.array(series.to_list(), dtype=object), kind, offset)
    return _from_array(name, np.asarray(series.to_numpy()), kind, offset)


def _is_whole(value: object) -> bool:
    return isinstance(value, numbers.Integral) and not isinstance(value, (bool, np.bool_))


def _factorised(series: Any) -> tuple[NDArray[Any], list[object]] | None:
    """Return codes and values of a text or category Series where its library finds them faster than we."""
    import narwhals as nw

    if not isinstance(series.dtype, (nw.String, nw.Categorical, nw.Enum)):
        return None
    if series.implementation.is_pandas_like():
        native = series.to_native()
        in_arrow = getattr(native.dtype, "storage", "") == "pyarrow" or hasattr(native.dtype, "pyarrow_dtype")
        if not in_arrow and str(native.dtype) != "category":
            return None  # pandas before 3 takes texts that differ after a NUL for the same
        codes, values = native.factorize()
        return np.asarray(codes), list(values)
    values = series.drop_nulls().unique().to_list()
    if not values:
        return np.full(len(series), -1), []
    places = series.replace_strict(values, list(range(len(values))), return_dtype=nw.Float64).to_numpy()
    return np.where(np.isnan(places), -1, places).astype(np.int64), values


def _from_array(name: str, array: NDArray[Any], kind: Kind | None, offset: int) -> Column:
    """Convert a one-dimensional array by its dtype."""
    match array.dtype.kind:
        case "b":
            return _recast(Column(name, "categorical", array.astype(np.int32), (False, True)), kind)
        case "f" if array.dtype.itemsize > np.dtype(np.float64).itemsize:
            return _from_objects(name, array.astype(object), kind, offset)
        case "i" | "u" | "f":
            if kind == "categorical":
                return _coded_numbers(name, array)
            floats = _floats(array)
            if array.dtype.kind != "f" and len(array) and beyond(array.min(), array.max()):
                check_exact(name, array.tolist(), floats, np.arange(len(array)) + offset)
            return Column(name, "numeric", floats)
        case "M":
            return _times(name, instants_of(array), kind, offset)
        case "U" | "T" | "O":
            return _from_objects(name, array.astype(object, copy=False), kind, offset)
    raise DataError(
        f"Column {name!r} has type {array.dtype}, which is neither numbers, text, true/false nor dates"
    )


def _from_objects(name: str, array: NDArray[Any], kind: Kind | None, offset: int) -> Column:
    """Convert an array of Python objects, all of one family or missing."""
    missing = missing_of(array)
    present = array[~missing]
    family = family_of(name, array, missing, offset)
    if family is None:
        return _all_missing(name, len(array), kind or "numeric")
    if family == "text":
        if kind == "numeric":
            row = int(np.argmin(missing))
            raise DataError(f"Column {name!r} holds text, not numbers (row {row + offset}: {array[row]!r})")
        return _coded(name, *_factorise(present, missing))
    if family == "true/false values":
        values = np.full(len(array), -1, dtype=np.int32)
        values[~missing] = present.astype(bool)
        return _recast(Column(name, "categorical", values, (False, True)), kind)
    if family == "numbers" and kind == "categorical":
        codes, distinct = _factorise(present, missing)
        rows = _first_rows(codes) + offset
        check_not_merged(name, distinct, [canonical_value(value) for value in distinct], rows)
        return _coded(name, codes, distinct)
    if family == "dates":
        instants = np.full(len(array), NO_TIME, dtype=np.int64)
        instants[~missing] = [min(max(micro(value), -(2**62)), 2**62) for value in present]
        return _times(name, instants, kind, offset)
    return _from_numbers(name, present, missing, offset)


def _from_numbers(name: str, present: NDArray[Any], missing: NDArray[np.bool_], offset: int) -> Column:
    """Convert Python numbers of any type, those that are not missing."""
    floats = np.full(len(missing), np.nan)
    try:
        floats[~missing] = present.astype(np.float64)
    except OverflowError:
        raise DataError(f"Column {name!r} holds a number too large for a float") from None
    rows = np.flatnonzero(~missing) + offset
    if np.nanmax(np.abs(floats)) >= EXACT:
        check_exact(name, present, floats[~missing], rows)
    if not all(issubclass(kind, (int, float, np.integer)) for kind in set(map(type, present))):
        check_not_merged(name, present.tolist(), floats[~missing].tolist(), rows)
    return Column(name, "numeric", floats + 0.0)


def _floats(array: NDArray[Any]) -> NDArray[np.float64]:
    """Return numbers as float64 (nullable integers may arrive as objects), -0.0 as 0.0."""
    return np.asarray(array, dtype=np.float64) + 0.0


def _times(name: str, instants: NDArray[np.int64], kind: Kind | None, offset: int = 0) -> Column:
    """Return a column of times."""
    if kind == "categorical":
        raise DataError(
            f"Column {name!r} holds dates, which are numeric; convert it to text to use categories"
        )
    check_instants(name, instants, offset)
    return Column(name, "numeric", instants, time=True)


def _coded_numbers(name: str, array: NDArray[Any]) -> Column:
    """Return numbers as categories."""
    missing = np.isnan(array)
    values = np.full(len(array), -1, dtype=np.int32)
    distinct, codes = np.unique(array[~missing], return_inverse=True)
    values[~missing] = codes
    return Column(name, "categorical", values, tuple(canonical_value(v) for v in distinct.tolist()))


def _factorise(present: NDArray[Any], missing: NDArray[np.bool_]) -> tuple[NDArray[Any], list[object]]:
    """Return codes and values of objects; a dict is faster than sorting, and exact on any text."""
    place = {value: i for i, value in enumerate(dict.fromkeys(present))}
    codes = np.full(len(missing), -1, dtype=np.int64)
    codes[~missing] = np.fromiter(map(place.__getitem__, present), np.int64, len(present))
    return codes, list(place)


def _first_rows(codes: NDArray[Any]) -> NDArray[np.int64]:
    """Return for each code from 0 on the first row that has it; all have one."""
    found, first = np.unique(codes, return_index=True)
    return first[found >= 0]


def _coded(name: str, codes: NDArray[Any], values: list[object]) -> Column:
    """Return codes into values in any order as a column whose categories ascend."""
    canonical = [canonical_value(value) for value in values]
    categories = sorted(set(canonical))
    position = {category: i for i, category in enumerate(categories)}
    places = np.array([*(position[value] for value in canonical), -1], dtype=np.int32)  # code -1 stays -1
    return Column(name, "categorical", places[codes], tuple(categories))


def _all_missing(name: str, n_rows: int, kind: Kind) -> Column:
    """Return a column without a single value."""
    if kind == "numeric":
        return Column(name, kind, np.full(n_rows, np.nan))
    return Column(name, kind, np.full(n_rows, -1, dtype=np.int32))


def _recast(column: Column, kind: Kind | None) -> Column:
    """Return a converted column as the other kind, where its values allow it."""
    if kind is None or kind == column.kind:
        return column
    if kind == "categorical":
        if column.time:
            return _times(column.name, column.values, kind)
        if column.levels:
            return _coded(column.name, column.codes, list(column.levels))
        return _coded_numbers(column.name, column.values)
    texts = [category for category in column.categories if isinstance(category, str)]
    if texts:
        culprit = next((text for text in texts if not _reads_as_number(text)), texts[0])
        raise DataError(f"Column {column.name!r} holds text, not numbers ({culprit!r})")
    numbers_of = np.array([*map(float, column.categories), np.nan])  # code -1 picks the NaN at the end
    codes, rows = np.unique(column.values, return_index=True)
    exact = [column.categories[code] if code >= 0 else 0 for code in codes]
    check_exact(column.name, exact, numbers_of[codes], rows)
    return Column(column.name, "numeric", numbers_of[column.values])


def _ascend(levels: tuple[Category, ...]) -> bool:
    """Whether levels are numbers in their own order, which need no names."""
    return not any(isinstance(level, (str, bool)) for level in levels) and list(levels) == sorted(levels)


def _reads_as_number(text: str) -> bool:
    """Whether a text is a finite number."""
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
