"""The objective in exact arithmetic: numbers as typed, sums, grids and roundings."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from ooa.errors import OptionError
from ooa.objective import Objective, distinct_values, exact, exact_sum, round_down, round_up

fractions = st.fractions(min_value=-(10**20), max_value=10**20)
weights = st.lists(st.floats(0, 1e12) | st.integers(0, 9).map(float), max_size=20)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (0.1, Fraction(1, 10)),
        (0.005, Fraction(1, 200)),
        (1e-7, Fraction(1, 10**7)),
        (np.float64(0.1), Fraction(1, 10)),
        (np.float32(0.1), Fraction(1, 10)),
        ("0.1", Fraction(1, 10)),
        ("1/3", Fraction(1, 3)),
        (Decimal("0.001"), Fraction(1, 1000)),
        (Fraction(2, 7), Fraction(2, 7)),
        (0, Fraction(0)),
        (np.int64(2), Fraction(2)),
        (-0.0, Fraction(0)),
    ],
)
def test_numbers_are_taken_as_typed(typed, meant):
    assert exact(typed, "C1") == meant


def test_numbers_from_numpy_do_not_overflow():
    big = exact(np.int64(2**62), "C1")
    assert big * 2**62 == Fraction(2**124)


@pytest.mark.parametrize(
    "bad",
    [
        *(-0.1, -1, "-1/3", "x", "", "1/0", None, True, np.bool_(True), [0.1], 1j),
        *(float("nan"), float("inf"), np.float64("nan"), Decimal("NaN"), Decimal("Infinity")),
    ],
)
def test_what_is_no_price_is_refused_by_name(bad):
    with pytest.raises(OptionError, match="C2 must be a number >= 0"):
        Objective.of(0, bad)


@given(weights)
def test_sums_are_exact(values):
    assert exact_sum(np.array(values, dtype=float)) == sum((Fraction(v) for v in values), Fraction(0))


def test_large_whole_weights_are_summed_exactly():
    assert exact_sum(np.array([2.0**53, 1.0, 1.0])) == 2**53 + 2
    assert exact_sum(np.zeros(0)) == 0


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=30))
def test_sums_of_any_floats_are_exact(values):
    assert exact_sum(np.array(values, dtype=float)) == sum(map(Fraction, values), Fraction(0))


def test_a_million_weights_take_no_more_fractions_than_there_are_powers_of_two(monkeypatch):
    weights, made = np.random.default_rng(0).random(10**6), []

    def counted(value: int) -> Fraction:
        made.append(value)
        return Fraction(value)

    monkeypatch.setattr("ooa.objective.Fraction", counted)
    assert float(exact_sum(weights)) == math.fsum(weights)
    assert 1 < len(made) <= 1 + len(np.unique(np.frexp(weights)[1])) < 60


@given(fractions)
def test_rounding_brackets_a_fraction_as_closely_as_floats_can(value):
    low, high = round_down(value), round_up(value)
    assert Fraction(low) <= value <= Fraction(high)
    assert low == high or math.nextafter(low, math.inf) == high
    assert (low == high) == (Fraction(float(value)) == value)


def test_rounding_numbers_beyond_the_floats():
    huge = Fraction(10) ** 400
    assert round_down(huge) < math.inf
    assert round_up(huge) == math.inf
    assert round_down(-huge) == -math.inf
    assert round_up(-huge) > -math.inf


@given(
    st.lists(st.integers(0, 6), min_size=1, max_size=6),
    st.sampled_from([0, 0.01, 0.1, "1/3", "1/7"]),
    st.sampled_from([0, 0.003, "1/8", 1]),
    st.integers(0, 2**6 - 1),
    st.integers(0, 8),
    st.integers(0, 4),
)
def test_every_value_lies_on_the_grid(weights, C1, C2, wrong, literals, patterns):
    objective = Objective.of(C1, C2)
    total = Fraction(sum(weights))
    errors = sum(w for i, w in enumerate(weights) if wrong >> i & 1)
    step = objective.grid(total, weights)
    if total == 0:
        assert step == 0
        return
    value = total * objective.value(errors, total, literals, patterns)
    assert (value / step).denominator == 1


def test_grid_is_not_too_fine():
    assert Objective.of(0, 0).grid(Fraction(10), [4.0, 6.0]) == 2
    assert Objective.of(0.1, 0.2).grid(Fraction(10), [1.0]) == 1
    assert Objective.of(0.1, 0.05).grid(Fraction(10), [1.0]) == Fraction(1, 2)
    assert Objective.of("1/3", 0).grid(Fraction(10), [1.0]) == Fraction(1, 3)


def test_value_and_cost_keep_numpy_counts_out_of_fractions():
    objective = Objective.of("1/3", "1/7")
    assert objective.cost(np.int64(2)) == Fraction(17, 21)
    value = objective.value(1, 3, np.int64(1), np.int8(2))
    assert value == Fraction(1, 3) + Fraction(1, 3) + Fraction(2, 7)
    assert type(value.numerator) is int


@pytest.mark.parametrize("odd", [None, 0, 1, 5000, 9999])
@pytest.mark.parametrize("few", [2, 4, 5, 40])
def test_the_different_values_among_weights(few, odd):
    """Whether they are few or many, and wherever another one is hidden."""
    weights = np.random.default_rng(few).integers(0, few, 10_000) / 3
    if odd is not None:
        weights[odd] = 0.5
    assert distinct_values(weights).tolist() == sorted(set(weights.tolist()))
    assert distinct_values(np.zeros(0)).tolist() == []
