"""A table of two rows to change."""

from __future__ import annotations

from typing import Any

from ooa.data.table import Table


def table(X: Any = None, y: Any = None, **options: Any) -> Table:
    """A table of two rows unless told otherwise."""
    return Table.from_any(
        {"a": [1, 2], "b": ["u", "v"]} if X is None else X, [0, 1] if y is None else y, **options
    )
