"""Values as constraints name them: bounds, categories, and columns with values changed."""

from __future__ import annotations

import numpy as np
import pytest

from ooa.data.columns import Column
from ooa.errors import OptionError
from ooa.rules.changes import bound_on, category_code, changed_column, signed

GRADE = Column("grade", "numeric", np.array([0.0, 2.0, np.nan]), levels=("low", "medium", "high"))
FLAG = Column("flag", "categorical", np.array([0, 1, -1], dtype=np.int32), (False, True))
WHEN = Column("when", "numeric", np.array([0, 1], dtype=np.int64), time=True)


def test_levels_are_bounds_and_take_the_place_of_others() -> None:
    assert bound_on(GRADE, "medium") == 1.0
    assert changed_column(GRADE, "medium").values.tolist()[:2] == [1.0, 1.0]
    assert np.isnan(changed_column(GRADE, "medium").values[2])


def test_a_category_may_be_named_by_its_text() -> None:
    assert category_code(FLAG, True) == category_code(FLAG, "True") == 1
    assert changed_column(FLAG, "True").values.tolist() == [1, 1, -1]
    assert changed_column(FLAG, "True").values.dtype == np.int32


def test_numbers_are_added_as_the_decimals_they_look_like() -> None:
    column = Column("x", "numeric", np.array([0.1, 0.7, 1e300, np.nan]))
    assert changed_column(column, 0.2).values.tolist()[:3] == [0.3, 0.9, 1e300]
    assert changed_column(column, "-0.1").values.tolist()[:2] == [0.0, 0.6]
    assert column.values[0] == 0.1  # itself it stays


@pytest.mark.parametrize("value", [None, True, "five", float("nan"), float("inf"), [1]])
def test_what_is_no_number_is_named(value: object) -> None:
    with pytest.raises(OptionError, match="change must be a number, not"):
        signed(value, "change")


def test_times_are_refused() -> None:
    for call in (lambda: bound_on(WHEN, 3), lambda: changed_column(WHEN, 3)):
        with pytest.raises(OptionError, match="'when' is a time"):
            call()
