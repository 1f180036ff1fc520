"""Cuts between two values: they separate, and have the fewest digits."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.literal_tables import finite, micro

from ooa.candidates.cutpoints import cut_between


@st.composite
def neighbours(draw: st.DrawFn) -> tuple[float, float]:
    lower = draw(finite)
    upper = draw(finite) if draw(st.booleans()) else lower
    for _ in range(draw(st.integers(1, 3))):
        upper = math.nextafter(upper, math.inf)
    if lower > upper:
        lower, upper = upper, lower
    if not lower < upper < math.inf:
        lower, upper = 0.0, 1.0
    return lower + 0.0, upper + 0.0


@settings(max_examples=500)
@given(neighbours())
@example((1.7e308, 1.79e308))
@example((-1.7e308, 1.7e308))
@example((0.0, 5e-324))
@example((5e-324, 1e-323))
@example((1.0, 1.0000000000000002))
@example((-5e-324, 0.0))
def test_cuts_separate(pair: tuple[float, float]) -> None:
    lower, upper = pair
    cut = cut_between(lower, upper)
    assert lower <= cut.below < upper
    assert lower < cut.above <= upper


@given(st.integers(-2000, 2000), st.integers(1, 500), st.sampled_from([1, 10, 100, 1000]))
def test_cuts_have_the_fewest_digits(start: int, width: int, scale: int) -> None:
    low, high = Fraction(start, scale), Fraction(start + width, scale)

    def zeros(value: Fraction) -> int:
        """The power of ten that divides the value: more is shorter."""
        return next(p for p in range(6, -5, -1) if (value / Fraction(10) ** p).denominator == 1)

    cut = cut_between(float(low), float(high))
    inside = [Fraction(k, scale) for k in range(start, start + width + 1)]
    for bound, allowed, observed in [(cut.below, inside[:-1], low), (cut.above, inside[1:], high)]:
        exact = Fraction(repr(bound))
        best = max(map(zeros, allowed))
        assert zeros(exact) >= best
        if low.denominator == high.denominator == 1 and zeros(observed) == best:
            assert exact in (observed, 0)


@pytest.mark.parametrize(
    ("lower", "upper", "below", "above"),
    [
        (29, 30, 29, 30),
        (29, 31, 30, 30),
        (20, 50, 20, 50),
        (20, 55, 20, 40),
        (999, 1001, 1000, 1000),
        (0, 1, 0, 1),
        (-3, 4, 0, 0),
        (-30, -29, -30, -29),
        (0.1, 0.2, 0.1, 0.2),
        (36.61, 36.67, 36.64, 36.64),
        (2.5, 7, 5, 5),
        (1.23456789, 1.23456792, 1.2345679, 1.2345679),
        (1e-9, 3e-9, 2e-9, 2e-9),
    ],
)
def test_natural_cuts(lower: float, upper: float, below: float, above: float) -> None:
    cut = cut_between(lower, upper)
    assert (cut.below, cut.above) == (below, above)


@pytest.mark.parametrize(
    ("lower", "upper", "below", "above"),
    [
        ((2019, 5, 2), (2021, 3, 4), (2020, 1, 1), (2021, 1, 1)),
        ((2020, 5, 2), (2020, 8, 4), (2020, 6, 1), (2020, 8, 1)),
        ((2020, 5, 2, 13), (2020, 5, 3, 4), (2020, 5, 3), (2020, 5, 3)),
        ((2020, 5, 2, 13, 7), (2020, 5, 2, 13, 9), (2020, 5, 2, 13, 7), (2020, 5, 2, 13, 9)),
        ((1969, 12, 31, 23), (1970, 1, 1, 1), (1970, 1, 1), (1970, 1, 1)),
        ((1960, 3, 3), (1961, 3, 3), (1961, 1, 1), (1961, 1, 1)),
    ],
)
def test_natural_times(lower: Any, upper: Any, below: Any, above: Any) -> None:
    cut = cut_between(micro(*lower), micro(*upper), time=True)
    assert (cut.below, cut.above) == (micro(*below), micro(*above))


@given(st.integers(-(2**54), 2**54), st.integers(1, 10**15))
def test_times_separate(lower: int, step: int) -> None:
    low, high = float(lower), float(lower + step)
    if low < high:
        cut = cut_between(low, high, time=True)
        assert low <= cut.below < high
        assert low < cut.above <= high
