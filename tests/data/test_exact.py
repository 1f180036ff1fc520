"""No two different values count as one: either they are kept, or the column is refused."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.decoding import decoded

from ooa.data.frames import open_frame
from ooa.errors import DataError

LARGE = [2**53, 2**53 + 1, None]
INTEGERS: dict[str, Callable[[list[Any]], Any]] = {
    "dict": lambda cells: {"x": cells},
    "rows": lambda cells: [{"x": cell} for cell in cells],
    "array": lambda cells: np.array([[cell] for cell in cells], dtype=object),
    "masked": lambda cells: np.ma.masked_array(
        [[cell or 0] for cell in cells], mask=[[cell is None] for cell in cells]
    ),
    "pandas objects": lambda cells: pd.DataFrame({"x": pd.Series(cells, dtype=object)}),
    "pandas Int64": lambda cells: pd.DataFrame({"x": pd.array(cells, dtype="Int64")}),
    "pandas arrow": lambda cells: pd.DataFrame({"x": pd.array(cells, dtype="int64[pyarrow]")}),
    "pandas categories": lambda cells: pd.DataFrame({"x": pd.Categorical(cells, [c for c in cells if c])}),
    "polars": lambda cells: pl.DataFrame({"x": cells}),
    "arrow": lambda cells: pa.table({"x": pa.array(cells, pa.int64())}),
}


def decimals(cells: list[Any]) -> list[Any]:
    return [None if cell is None else Decimal(cell) for cell in cells]


DECIMALS: dict[str, Callable[[list[Any]], Any]] = {
    "objects": lambda cells: {"x": decimals(cells)},
    "fractions": lambda cells: {"x": [None if cell is None else Fraction(cell) for cell in cells]},
    "polars": lambda cells: pl.DataFrame({"x": pl.Series(decimals(cells), dtype=pl.Decimal(38, 0))}),
    "arrow": lambda cells: pa.table({"x": pa.array(decimals(cells), pa.decimal128(38, 0))}),
    "pandas arrow": lambda cells: pd.DataFrame(
        {"x": pd.array(decimals(cells), dtype=pd.ArrowDtype(pa.decimal128(38, 0)))}
    ),
    "long double": lambda cells: {
        "x": np.array([np.nan if cell is None else np.longdouble(str(cell)) for cell in cells])
    },
}
EVERY = {**INTEGERS, **{f"decimal {name}": make for name, make in DECIMALS.items()}}
KEPT = np.longdouble(2**53) + 1 != np.longdouble(2**53)  # not so where a long double is a double


@pytest.mark.parametrize("container", EVERY)
def test_codes_beyond_what_floats_keep_stay_distinct(container: str) -> None:
    if "long double" in container and not KEPT:
        pytest.skip("a long double is a double here")
    frame = open_frame(EVERY[container](LARGE))
    assert decoded(frame.column(frame.names[0], "categorical")) == LARGE


@pytest.mark.parametrize("container", EVERY)
def test_numbers_beyond_what_floats_keep_are_refused(container: str) -> None:
    if "long double" in container and not KEPT:
        pytest.skip("a long double is a double here")
    frame = open_frame(EVERY[container](LARGE))
    with pytest.raises(DataError, match=r"row 1: 9007199254740993(\.0)? is beyond 2\*\*53"):
        frame.column(frame.names[0], "numeric")


def test_decimals_that_floats_merge_are_refused() -> None:
    near = {"x": [Decimal("0.1"), None, Decimal("0.10000000000000000001"), Decimal("0.1")]}
    for kind in ("numeric", "categorical"):
        with pytest.raises(DataError, match=r"row 2: 0.10000000000000000001 is nearer to 0.1 than"):
            open_frame(near).column("x", kind)  # type: ignore[arg-type]
    assert decoded(open_frame({"x": [Decimal("0.1"), Decimal("0.2")]}).column("x")) == [0.1, 0.2]


cells = st.one_of(
    st.lists(st.none() | st.integers(-(2**63), 2**63 - 1) | st.sampled_from(LARGE[:2]), max_size=8),
    st.lists(st.none() | st.decimals(allow_nan=False, allow_infinity=False), max_size=8),
    st.lists(st.none() | st.floats(allow_nan=False), max_size=8),
    st.lists(st.none() | st.text(st.characters(codec="utf-8"), max_size=3), max_size=8),
)


@settings(deadline=None)
@given(cells)
def test_distinct_cells_stay_distinct_or_are_refused(values: list[Any]) -> None:
    containers = [{"x": values}, pd.DataFrame({"x": pd.Series(values, dtype=object)})]
    if not any(isinstance(value, Decimal) for value in values):
        containers += [pl.DataFrame({"x": values}, strict=False), pa.table({"x": values})]
    for container in containers:
        for kind in ("categorical", None):
            try:
                column = open_frame(container).column("x", kind)  # type: ignore[arg-type]
            except DataError:
                refused = [v for v in values if isinstance(v, (Decimal, int))]
                assert refused, "only what floats do not keep is refused"
                continue
            present = [(v, d) for v, d in zip(values, decoded(column)) if v is not None]
            assert column.missing.tolist() == [value is None for value in values]
            assert len({v for v, _ in present}) == len({d for _, d in present}), (values, column)
