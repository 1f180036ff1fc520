"""Columns as plain values."""

from __future__ import annotations

import datetime as dt
from typing import Any

from ooa.data.columns import Column

TIMES = [dt.datetime(2020, 1, 1), None, dt.datetime(1969, 12, 31, 23, 59, 59, 999999)]


def decoded(column: Column) -> list[Any]:
    """The column as a list of numbers or categories, None where missing."""
    if column.kind == "numeric":
        return [None if missing else v for v, missing in zip(column.values.tolist(), column.missing)]
    return [None if code < 0 else column.categories[code] for code in column.values.tolist()]
