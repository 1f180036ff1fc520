"""Checks of what a user says: each says what is wrong, by name."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

from ooa.checks import did_you_mean, nearest, one_of, weights, whole_number, whole_or_none
from ooa.data.labels import row_weights
from ooa.errors import DataError, OptionError


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("hihgs", "did you mean 'highs'?"),
        ("HIGHS", "did you mean 'highs'?"),
        ("Scpi", "did you mean 'SCIP'?"),
        ("", "known: highs, SCIP"),
        (None, "known: highs, SCIP"),
        (3, "known: highs, SCIP"),
    ],
)
def test_a_name_that_nobody_knows(word, said):
    assert did_you_mean(word, iter(["highs", "SCIP"])) == said


def test_nothing_is_near_nothing():
    assert nearest("x", []) is None
    assert did_you_mean("x", []) == "known: "


@pytest.mark.parametrize("value", [True, 2.5, 2.0, "2", None, 0, -1, np.float64(2), np.nan])
def test_what_is_no_whole_number(value):
    with pytest.raises(OptionError, match=re.escape(f"K must be a whole number >= 1, not {value!r}")):
        whole_number(value, "K")
    if value is not None:
        with pytest.raises(OptionError, match="K must be None or a whole number >= 1"):
            whole_or_none(value, "K")


def test_whole_numbers():
    assert whole_number(0, "K", least=0) == 0
    assert whole_or_none(None, "K") is None
    for value in (3, np.int64(3), np.uint8(3)):
        for found in (whole_number(value, "K"), whole_or_none(value, "K")):
            assert (found, type(found)) == (3, int)


@pytest.mark.parametrize("value", ["c", None, 1, ["a"], "A"])
def test_what_is_no_choice(value):
    with pytest.raises(OptionError, match=re.escape(f"way must be 'a' or 'b', not {value!r}")):
        one_of(value, "way", ("a", "b"))


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([1, 2], "w has 2 values for 3 rows"),
        ([[1], [2], [3]], "w has the shape (3, 1) for 3 rows"),
        (1.0, "w has the shape () for 3 rows"),
        ([1, np.inf, 1], "w in row 1 is inf: weights must be finite and not negative"),
        ([1, 1, np.nan], "w in row 2 is nan"),
        ([-0.5, -1, 1], "w in row 0 is -0.5"),
    ],
)
def test_weights_that_cannot_be(values, said):
    with pytest.raises(DataError, match=re.escape(said)):
        weights(values, 3, "w")


class Arraylike:
    """Something that only numpy knows how to read."""

    def __array__(self, dtype=None, copy=None):
        return np.array([1.0, 0.0, 2.5])


@pytest.mark.parametrize(
    "given",
    [
        [1, 0, 2.5],
        (1, 0.0, 2.5),
        np.array([1, 0, 2.5], dtype=object),
        pd.Series([1, 0, 2.5], index=[7, 8, 9]),
        pd.Series([1, 0, 2.5], dtype="Float64"),
        Arraylike(),
    ],
    ids=lambda given: type(given).__name__,
)
def test_weights_come_in_any_form(given):
    assert row_weights(given, 3).tolist() == [1.0, 0.0, 2.5]


@pytest.mark.parametrize(
    "given", ["123", [[1], [2], [3]], np.ones((3, 2)), np.array(1.0), pd.Series([1, None, 2])]
)
def test_other_forms_are_refused(given):
    with pytest.raises(DataError, match="sample_weight"):
        row_weights(given, 3)
