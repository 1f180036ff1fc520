"""The one seam to every frame library: any two-dimensional data as named, typed columns.

Nothing is converted until a column is asked for, so evaluating a rule costs only the columns it uses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ooa.checks import few_of
from ooa.errors import DataError

from .columns import Category, Column, Kind, canonical_value, column_of

__all__ = ["Category", "Column", "Frame", "Kind", "canonical_value", "open_frame", "refuse_lazy", "unmasked"]


class Frame:
    """Named columns of equal length, converted one at a time and only when asked for.

    Made by `open_frame`.

    Attributes
    ----------
    names : tuple of str
    n_rows : int
    """

    def __init__(
        self,
        names: Sequence[object],
        n_rows: int,
        fetch: Callable[[int, slice], object],
        offset: int = 0,
    ) -> None:
        self.names = _unique_names(names)
        self.n_rows = n_rows
        self._fetch = fetch  # (position, rows) -> Column, narwhals Series or numpy array
        self._offset = offset
        self._position = {name: j for j, name in enumerate(self.names)}

    def column(self, name: str, kind: Kind | None = None) -> Column:
        """Convert one column.

        Parameters
        ----------
        name : str
        kind : {"numeric", "categorical"}, optional
            What the column must be; by default its type decides.

        Raises
        ------
        DataError
            If there is no such column, or its values cannot be of that kind.

        Examples
        --------
        >>> frame = open_frame([{"age": 31, "smoker": True}, {"age": None, "smoker": False}])
        >>> frame.column("age").values.tolist()
        [31.0, nan]
        >>> frame.column("age", kind="categorical").categories
        (31,)
        """
        if name not in self._position:
            raise DataError(
                f"There is no column {name!r}; the columns are {few_of(map(repr, self.names), most=12)}"
            )
        raw = self._fetch(self._position[name], slice(self._offset, self._offset + self.n_rows))
        return column_of(name, raw, kind, self._offset)

    def slice(self, start: int, stop: int) -> Frame:
        """Return a view of the rows from `start` up to, not including, `stop`.

        Examples
        --------
        >>> open_frame({"x": [1, 2, 3, 4]}).slice(1, 3).column("x").values.tolist()
        [2.0, 3.0]
        """
        start, stop, _ = slice(start, stop).indices(self.n_rows)
        return Frame(self.names, max(stop - start, 0), self._fetch, self._offset + start)


def open_frame(data: object) -> Frame:
    """Open any supported two-dimensional data as a `Frame`; nothing is converted yet.

    Parameters
    ----------
    data : object
        A pandas, polars or pyarrow table (or another eager frame that narwhals knows), a two-dimensional or
        structured numpy array, a list of dicts or of equally long rows, a dict of columns, a `Table` or a
        `Frame`. Columns without a name are called x0, x1, ... by position.

    Examples
    --------
    >>> open_frame(np.zeros((4, 2))).names
    ('x0', 'x1')
    >>> open_frame([{"a": 1}, {"b": "one"}]).names
    ('a', 'b')
    """
    if isinstance(data, Frame):
        return data
    if hasattr(data, "as_frame"):
        frame: Frame = data.as_frame()
        return frame
    if isinstance(data, Mapping):
        return _open_mapping(data)
    if isinstance(data, (list, tuple)):
        return _open_rows(data)
    if isinstance(data, np.ndarray):
        return _open_array(data)
    return _open_native(data)


def _open_mapping(data: Mapping[object, object]) -> Frame:
    """Open a dict of columns of equal length."""
    columns = [_open_vector(str(name), values) for name, values in data.items()]
    lengths = {str(name): len(column) for name, column in zip(data, columns)}
    if len(set(lengths.values())) > 1:
        raise DataError(
            f"The columns differ in length: {', '.join(f'{k!r} {n}' for k, n in lengths.items())}"
        )
    return Frame(list(data), next(iter(lengths.values()), 0), lambda j, rows: columns[j][rows])


def _open_vector(name: str, values: object) -> Any:
    """Return one column of a dict as a narwhals Series or a one-dimensional array."""
    if isinstance(values, np.ndarray) and values.ndim == 1:
        return unmasked(values)
    if not isinstance(values, (list, tuple, np.ndarray)):  # for these alone narwhals need not be imported
        import narwhals as nw

        series = nw.from_native(values, series_only=True, pass_through=True)
        if isinstance(series, nw.Series):
            return series
    if isinstance(values, Sequence) and not isinstance(values, (str, bytes)):
        # Object by object: numpy would turn [1, 'a'] into text and rows into a second dimension.
        return np.fromiter(values, dtype=object, count=len(values))
    vector = getattr(values, "ndim", 1) == 1  # which a frame is not
    if vector and type(values).__module__.partition(".")[0] == "pandas":  # an Index, a Categorical, ...
        import pandas as pd

        return nw.from_native(pd.Series(values), series_only=True)
    if hasattr(values, "__array__") and not isinstance(values, np.ndarray):
        return _open_vector(name, np.asarray(values))
    raise DataError(f"Column {name!r} is not a sequence of values, one per row")


def _open_rows(rows: Sequence[Any]) -> Frame:
    """Open a list of dicts (an absent key is a missing value) or of equally long rows."""
    if not rows:
        raise DataError("An empty list has no columns; pass a frame or an array to keep their names")
    if all(isinstance(row, Mapping) for row in rows):
        keys = list(dict.fromkeys(key for row in rows for key in row))
        return Frame(
            keys,
            len(rows),
            lambda j, part: np.fromiter((row.get(keys[j]) for row in rows[part]), dtype=object),
        )
    widths = [len(row) if isinstance(row, (list, tuple, np.ndarray)) else -1 for row in rows]
    odd = next((i for i, width in enumerate(widths) if width < 0 or width != widths[0]), None)
    if odd is not None:
        raise DataError(
            f"Row {odd} of the list is neither a dict like the others nor a sequence as long as row 0"
        )
    return Frame(
        [f"x{j}" for j in range(widths[0])],
        len(rows),
        lambda j, part: np.fromiter((row[j] for row in rows[part]), dtype=object),
    )


def _open_array(array: NDArray[Any]) -> Frame:
    """Open a two-dimensional or a structured array."""
    if array.dtype.names and array.ndim == 1:
        fields = array.dtype.names
        return Frame(fields, len(array), lambda j, rows: unmasked(array[fields[j]][rows]))
    if array.ndim != 2:
        raise DataError(f"A table needs two dimensions, rows and columns, and this array has {array.ndim}")
    names = [f"x{j}" for j in range(array.shape[1])]
    return Frame(names, len(array), lambda j, rows: unmasked(array[rows, j]))


def _open_native(data: object) -> Frame:
    """Open what narwhals knows, or else what can turn itself into an array."""
    import narwhals as nw

    try:
        frame = nw.from_native(data, pass_through=True)
    except nw.exceptions.DuplicateError:
        native: Any = data
        names = list(native.column_names if hasattr(data, "column_names") else native.columns)
        twice = Counter(names).most_common(1)[0][0]
        raise DataError(f"Two columns are called {twice!r}") from None
    refuse_lazy(frame)
    if isinstance(frame, nw.DataFrame):
        eager, called = frame, list(frame.columns)
        n_rows, in_pandas = len(eager), eager.implementation.is_pandas()

        def fetch(j: int, rows: slice) -> object:
            if in_pandas:
                own = eager.to_native()[called[j]]
                if isinstance(own.dtype, np.dtype) and own.dtype.kind in "biuf":
                    return own.to_numpy()[rows]  # narwhals has nothing to add, and of wide ones takes long
            series = eager.get_column(called[j])  # by position all names are listed for every column
            return series if rows == slice(0, n_rows) else series[rows]

        return Frame(called, n_rows, fetch)
    if hasattr(data, "__array__"):
        return _open_array(np.asarray(data))
    raise DataError(
        f"A {type(data).__name__} is not a table: pass a pandas, polars or pyarrow frame, "
        "a two-dimensional array or a list of dicts"
    )


def refuse_lazy(data: object) -> None:
    """Raise if data are a plan of what to read rather than rows, as polars' lazy frames are.

    Examples
    --------
    >>> refuse_lazy([1, 2])
    """
    import narwhals as nw

    with suppress(nw.exceptions.DuplicateError):  # of a frame that has rows; others say what is wrong with it
        if isinstance(nw.from_native(data, pass_through=True), nw.LazyFrame):
            raise DataError("A lazy frame has no rows yet: collect() it first")


def _unique_names(names: Sequence[object]) -> tuple[str, ...]:
    """Return the names as text, or raise if two are the same."""
    seen: dict[str, object] = {}
    for name in names:
        text = str(name)
        if text in seen:
            raise DataError(f"Two columns are called {text!r}; column names must differ")
        seen[text] = name
    return tuple(seen)


def unmasked(array: Any) -> Any:
    """Return a masked array as objects with None where masked; anything else as it is.

    Examples
    --------
    >>> unmasked(np.ma.masked_array([1, 2], mask=[False, True])).tolist()
    [1, None]
    """
    if not isinstance(array, np.ma.MaskedArray):
        return array
    objects = np.array(array.data, dtype=object)
    objects[np.ma.getmaskarray(array)] = None
    return objects
