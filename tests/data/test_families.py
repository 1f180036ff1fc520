"""What objects in a column are, and which of them are missing."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from ooa.data.families import missing_of

NAN = float("nan")


class Nothing(str):
    """A text that compares as different from itself, and is there all the same."""

    def __ne__(self, other: object) -> bool:
        return True


@pytest.mark.parametrize(
    "values",
    [
        [],
        ["a", "", None, "nan"],
        [1, True, None, 2.5, NAN, np.float64(NAN), np.float64(1), np.int64(3), np.bool_(True), np.str_("x")],
        [dt.datetime(2024, 1, 1), dt.date(2024, 1, 1), None],
        [Decimal("NaN"), Decimal(1), None, Fraction(1, 3)],
        [pd.NaT, pd.NA, pd.Timestamp("2024-01-01"), np.datetime64("NaT"), np.float32(NAN), [1], Nothing("a")],
    ],
)
def test_what_is_missing_is_so_for_pandas_too(values: list[object]) -> None:
    array = np.fromiter(values, dtype=object, count=len(values))
    assert missing_of(array).tolist() == pd.isna(array).tolist()
