"""Tables and literals, for the tests of candidate literals."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
from hypothesis import strategies as st

from ooa.candidates.generate import LiteralSet
from ooa.data.frames import open_frame
from ooa.data.table import Table

finite = st.floats(allow_nan=False, allow_infinity=False)


def made(X: Any, y: Any = None, **options: Any) -> Table:
    n = open_frame(X).n_rows
    return Table.from_any(X, np.arange(n) % 2 if y is None else y, **options)


def names(literals: LiteralSet) -> list[str]:
    return [str(literal) for literal in literals.literals]


def micro(*parts: int) -> float:
    return dt.datetime(*parts, tzinfo=dt.timezone.utc).timestamp() * 1e6  # type: ignore[misc,arg-type]
