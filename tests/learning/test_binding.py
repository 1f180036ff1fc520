"""Limits that bind: what is said to be gained beyond them can be had."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from ooa.cli.wording import Typed
from ooa.data.table import Table
from ooa.datasets import tic_tac_toe
from ooa.learning.binding import BindingLimit
from ooa.learning.ooax import learn_ooax

PRICES = {"C1": 0.002, "C2": 0.002, "progress": False}


@pytest.fixture(scope="module")
def dozen():
    """A concept of twelve rules: the values of a column, each with a value of another."""
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 12, 900), rng.integers(0, 3, 900)
    return Table.from_any({"a": [f"a{i}" for i in a], "b": [f"b{i}" for i in b]}, b == a % 3)


def test_a_limit_on_patterns_that_binds_is_said_and_true(dozen):
    few = learn_ooax(dozen, **PRICES).certificate
    (limit,) = few.limits
    assert limit.option == "max_patterns"
    assert limit.wider > 5
    more = learn_ooax(dozen, max_patterns=limit.wider, **PRICES).certificate
    assert more.objective <= few.objective - limit.gain
    assert f"with max_patterns={limit.wider}, L would fall by at least" in str(few)
    assert not learn_ooax(dozen, max_patterns=None, **PRICES).certificate.limits


def test_more_patterns_may_take_the_place_of_some():
    # Only when the pattern on the middle is gone do the lines through it pay.
    data = tic_tac_toe()
    (limit,) = learn_ooax(Table.from_any(data.X, data.y), **PRICES).certificate.limits
    assert (limit.option, limit.wider) == ("max_patterns", 8)


def test_a_limit_on_length_that_binds_is_said_and_true():
    rng = np.random.default_rng(1)
    data = {name: rng.integers(0, 2, 600) for name in "abcdef"}
    table = Table.from_any(data, data["a"] + data["b"] + data["c"] + data["d"] == 4)
    short = learn_ooax(table, **PRICES).certificate
    (limit,) = short.limits
    assert (limit.option, limit.wider) == ("max_length", 4)
    longer = learn_ooax(table, max_length=4, **PRICES).certificate
    assert longer.objective <= short.objective - limit.gain
    assert not longer.limits


def test_what_a_constraint_forbids_is_not_said_to_be_gained(dozen):
    def ten_literals(f):
        return f.n_literals <= 10

    found = learn_ooax(dozen, constraints=[ten_literals], **PRICES).certificate
    assert (found.patterns, found.literals) == (5, 10)
    assert not found.limits


def test_each_interface_has_its_own_words():
    limit = BindingLimit("max_patterns", 12, Fraction(1, 4))
    assert "with --max-patterns 12," in limit.sentence(Typed())
    assert "with max_patterns=12," in limit.sentence()
