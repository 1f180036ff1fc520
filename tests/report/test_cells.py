"""Single values, and what rows are called."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from support.report_pages import NASTY, check_safe, learned, small

from ooa.errors import DataError
from ooa.report.cells import RowNames
from ooa.report.page import write_report


@pytest.mark.parametrize(
    ("ids", "kind", "first", "last"),
    [
        (range(8), "id", "0", "7"),
        (np.array([1.0] * 7 + [np.nan]), "id", "1", "missing"),
        (pd.Series(["A 1"] * 8, name="patient"), "patient", "A 1", "A 1"),
        ((f"P-{k}" for k in range(8)), "id", "P-0", "P-7"),
        ("job", "job", "cook", "cook"),
        ("age", "age", "25", "20"),
        ("seen", "seen", "2020-01-01", "2020-01-08"),
    ],
)
def test_rows_have_names(ids: object, kind: str, first: str, last: str) -> None:
    names = RowNames.of(ids, small()[1])  # type: ignore[arg-type]
    assert (names.kind, names.texts[0], names.texts[-1], len(names.texts)) == (kind, first, last, 8)


def test_names_that_do_not_fit_are_refused() -> None:
    table = small()[1]
    with pytest.raises(DataError, match=r"ids names 'jb', which is no column.*did you mean 'job'"):
        RowNames.of("jb", table)
    with pytest.raises(DataError, match="ids has 3 names for 8 rows"):
        RowNames.of(["a", "c", "d"], table)


def test_wrong_rows_are_called_by_their_names() -> None:
    rules, table = small()
    page = check_safe(write_report(learned(rules, table), table, ids=[f"<b>{k}" for k in range(8)]))
    for row in (4, 5, 6):
        assert f"<b>{row}" in page.words
    assert "Rows are named by id." in page.words
    assert "counted from 0" not in page.words
    check_safe(write_report(learned(rules, table), table, ids=[NASTY[0]] * 8))
