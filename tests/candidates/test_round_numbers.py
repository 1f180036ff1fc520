"""Round numbers: few, well spread, and the same whatever the sample or the unit."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.literal_tables import made

from ooa.candidates.round_numbers import LEAST_BETWEEN, round_numbers
from ooa.candidates.thresholds import numeric_cuts


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (np.arange(18, 91), [20, 40, 60, 80]),
        (np.geomspace(3, 4000, 73), [5, 10, 20, 50, 100, 200, 500, 1000, 2000]),
        (36 + np.arange(60) / 10, [37, 38, 39, 40, 41]),
        (np.arange(-50, 51), [-40, -20, 0, 20, 40]),
        (-np.arange(100.0), [-80, -60, -40, -20]),
        (1990 + np.arange(35), [2000, 2010, 2020]),
        ([0] * 90 + [7, 15, 30, 33, 70, 82, 110, 140, 155, 190], [5, 10, 20, 50, 100]),  # mostly none
        ([0, 0, 0, 1, 1], [1]),
        ([0, 0.5], [0.5]),
        ([3e-7, 4e-7, 8e-7], [4e-7, 8e-7]),
        ([5, 5, 5], []),
        (np.arange(1, 7) / 10, [0.2, 0.4, 0.6]),  # 0.6 / 0.2 is less than 3
        (np.append(np.linspace(-1, 1, 1000), 1e300), [-0.5, 0, 0.5]),
        ([0] * 991 + [1] * 9, [1]),
        ([5e-324, 1e-323], []),
        ([-1e308, 0, 1e308], [0, 1e308]),
        (np.r_[np.geomspace(1e-4, 100, 100), np.linspace(101, 199, 900)], [20, 80, 120, 140, 160, 180]),
    ],
)
def test_round_numbers(values: Any, expected: list[float]) -> None:
    table = made({"x": np.asarray(values, dtype=float)})
    cuts = numeric_cuts(table, "round", 9)["x"]
    assert [c.above for c in cuts] == expected
    assert all(c.below == c.above and not c.below_closed for c in cuts)


@given(
    st.lists(st.floats(-1e307, 1e307), min_size=2, max_size=60, unique=True),
    st.integers(1, 9),
    st.integers(0, 2**32 - 1),
)
def test_round_numbers_part_the_rows(values: list[float], limit: int, seed: int) -> None:
    x = np.unique(np.array(values) + 0.0)
    weight = np.random.default_rng(seed).integers(0, 20, len(x)).astype(float)
    numbers = round_numbers(x, weight, limit)
    assert len(numbers) <= limit
    edges = [-np.inf, *numbers, np.inf]
    parts = [weight[(x >= low) & (x < high)].sum() for low, high in pairwise(edges)]
    least = LEAST_BETWEEN * weight.sum() if np.count_nonzero(weight) > 4 else 1
    assert len(numbers) == 0 or min(parts) >= least * (1 - 1e-9)
    # Weights are counts, in whatever unit; what weighs nothing is not there.
    assert numbers == round_numbers(x[weight > 0], weight[weight > 0] / 10, limit)


@given(st.lists(st.integers(-300, 900), min_size=2, max_size=40, unique=True), st.integers(-3, 3))
def test_round_numbers_are_the_same_in_other_units(values: list[int], power: int) -> None:
    ones = np.ones(len(values))
    found = round_numbers(np.array(sorted(values), dtype=float), ones, 9)
    scaled = np.array([float(f"{value}e{power}") for value in sorted(values)])
    assert round_numbers(scaled, ones, 9) == [float(f"{number:.17g}e{power}") for number in found]


def test_round_numbers_up_to_a_limit() -> None:
    ones = np.ones(101)
    assert round_numbers(np.arange(101.0), ones, 3) == [20, 40, 60]
    assert round_numbers(np.arange(101.0), ones, 1) == [50]
    assert round_numbers(np.array([1.0, 3, 6]), np.array([30.0, 40, 30]), 1) == [5]
    many = round_numbers(np.geomspace(1e-6, 1e6, 500), np.ones(500), 4)
    assert len(many) == 4
    assert {f"{number:e}"[0] for number in many} <= {"1", "2", "5"}


def test_round_numbers_do_not_depend_on_the_sample() -> None:
    rng = np.random.default_rng(5)
    for _ in range(20):
        columns = {
            "income": rng.lognormal(3, 1, 300).round(1),
            "share": rng.uniform(0, 100, 300),
            "age": rng.normal(50, 18, 300).clip(1).round(),
            "haemoglobin": rng.normal(13, 2, 300).round(1),
        }
        cuts = {name: {c.above for c in own} for name, own in numeric_cuts(made(columns), "round", 9).items()}
        assert {5, 10, 20, 50, 100} <= cuts["income"] <= {1, 2, 5, 10, 20, 50, 100, 200, 500}
        assert cuts["share"] == {20, 40, 60, 80} == cuts["age"] - {100}
        assert {10, 12, 14, 16} <= cuts["haemoglobin"] <= {8, 10, 12, 14, 16, 18}
