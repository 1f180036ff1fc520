"""Delimited text as a frame of cells, each as it was written; the head line names every column once."""

from __future__ import annotations

import csv
import io
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from ooa.errors import DataError

from .output import note

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["cells_of_text", "check_head"]


def cells_of_text(name: str, text: str, delimiter: str) -> pd.DataFrame:
    """The cells of delimited text, all of them texts.

    Parameters
    ----------
    name : what to call the table in messages
    text : head line and rows
    delimiter : what separates cells

    Examples
    --------
    >>> cells_of_text("t.csv", "a;b\\n007;x", ";").to_dict("list")
    {'a': ['007'], 'b': ['x']}
    """
    import pandas as pd

    rows = _plain_rows(text, delimiter) if _is_wide(text, delimiter) else None
    if rows is not None:
        head, *body = rows
        check_head(name, head)
        return pd.DataFrame(np.array(body, dtype=object), columns=pd.Index(head), dtype=object)
    written: Any = {"sep": delimiter, "dtype": object, "na_filter": False, "low_memory": False}
    try:
        first = pd.read_csv(io.StringIO(text), header=None, nrows=1, skip_blank_lines=False, **written)
        head = first.iloc[0].fillna("").tolist() if len(first) else []
        frame: pd.DataFrame = pd.read_csv(io.StringIO(text), **written)
    except (pd.errors.ParserError, pd.errors.EmptyDataError, ValueError) as error:
        words = str(error).removeprefix("Error tokenizing data. C error: ").strip()
        raise DataError(f"{name}: {words}") from None
    check_head(name, head)
    if not isinstance(frame.index, pd.RangeIndex):  # pandas takes surplus cells for row names
        raise DataError(f"{name}: the rows have more cells than the head line has names")
    frame.columns = pd.Index(head)  # an empty name stays what it is
    if (frame.iloc[:, -1] == "").any():  # or there is no cell
        _note_short_rows(name, text, delimiter, len(head))
    return frame


def check_head(name: str, head: list[str]) -> None:
    """Refuse a head line without names, or with one twice."""
    if not any(head):
        raise DataError(f"{name}: there is no head line with the names of the columns")
    twice, times = Counter(head).most_common(1)[0]
    if times > 1:
        raise DataError(f"{name}: two columns are called {twice!r:.60}; column names must differ")


def _is_wide(text: str, delimiter: str) -> bool:
    """Whether there are more columns than lines."""
    return text.partition("\n")[0].count(delimiter) > text.count("\n") + text.count("\r")


def _plain_rows(text: str, delimiter: str) -> list[list[str]] | None:
    """Head line and rows, if these are all as long as it and there is nothing odd about any.

    Of a wide table they are read so, as pandas takes longer to make its columns than to read them. Whatever
    is odd is left to pandas, with the words for it: a row of another length, a blank one, a byte order mark,
    a quote that ends within a cell or not at all, a cell of enormous length.
    """
    if "\0" in text or text.startswith("\ufeff") or len(delimiter) > 1:
        return None
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error:
        return None
    plain = len(rows) > 1 and all(len(row) == len(rows[0]) > 1 for row in rows)
    return rows if plain else None


def _note_short_rows(name: str, text: str, delimiter: str, cells: int) -> None:
    """Say that rows have too few cells, if so, and where the first of them is."""
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    short = [(lines.line_num, len(row)) for row in lines if 0 < len(row) < cells]
    if short:
        line, has = short[0]
        more = f" (so have {len(short) - 1:,} more)" if len(short) > 1 else ""
        note(f"{name}, line {line} has {has} of {cells} cells{more}: what lacks is missing")
