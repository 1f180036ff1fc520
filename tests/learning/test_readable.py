"""Bounds in what is learned are readable: no number between the same two values has fewer digits."""

from __future__ import annotations

from dataclasses import replace
from decimal import ROUND_FLOOR, Decimal

import numpy as np
import pytest

from ooa.clock import WorkClock
from ooa.data.table import Table
from ooa.kernels.availability import compiled
from ooa.learning.ooa import learn_ooa
from ooa.learning.ooax import learn_ooax
from ooa.learning.policy import POLICY
from ooa.rules.literal import Range
from ooa.rules.ruleset import RuleSet

pytestmark = pytest.mark.skipif(not compiled(), reason="the core is not compiled")


def measured(seed: int) -> tuple[dict[str, np.ndarray], Table]:
    """Numbers of several sizes, with all the digits that floats have, and a planted range."""
    rng = np.random.default_rng(seed)
    X = {"tiny": rng.normal(size=200) / 1000, "usual": rng.normal(size=200), "large": 1e5 * rng.random(200)}
    label = (np.abs(X["usual"]) < 0.7) & (X["large"] > 2e4) | (X["tiny"] > 0.0012)
    return X, Table.from_any(X, label ^ (rng.random(200) < 0.06))


def digits_spared(bound: float) -> int:
    """The largest power of ten that a number is a multiple of, as it is written."""
    number = Decimal(repr(bound)).normalize()
    return 99 if number == 0 else int(number.as_tuple().exponent)


def most_spared(values: np.ndarray, bound: float, at_least: bool) -> int:
    """The same for the best number that parts the two observed values that the bound parts."""
    below, above = (values[values < bound], values[values >= bound]) if at_least else (None, None)
    if not at_least:
        below, above = values[values <= bound], values[values > bound]
    low, high = Decimal(repr(float(below.max()))), Decimal(repr(float(above.min())))
    if low < 0 < high:
        return 99
    for power in range(12, -25, -1):
        unit = Decimal(1).scaleb(power)
        first = (low / unit).to_integral_value(ROUND_FLOOR) * unit
        for number in (first, first + unit):
            if (low < number <= high) if at_least else (low <= number < high):
                return power
    raise AssertionError("two floats that nothing parts")


def check(rules: RuleSet, X: dict[str, np.ndarray]) -> int:
    """Check every bound, and return how many there are."""
    seen = 0
    for pattern in rules:
        for literal in pattern:
            assert isinstance(literal, Range)
            for bound, at_least in ((literal.low, True), (literal.high, False)):
                if bound is not None:
                    assert literal.low_closed
                    assert literal.high_closed
                    assert digits_spared(bound) >= most_spared(X[literal.attribute], bound, at_least)
                    seen += 1
    return seen


@pytest.mark.parametrize("seed", range(2))
def test_boxes(seed: int):
    X, table = measured(seed)
    policy = replace(POLICY, all_literals=-1)
    learned = learn_ooa(table, C1=0.005, C2=0.005, time_limit=20, clock=WorkClock(0.05), policy=policy)
    assert check(learned.rules, X) >= 2


@pytest.mark.parametrize("seed", range(2))
def test_patterns_that_are_generated(seed: int):
    """So many that they are searched for one at a time, over all ranges."""
    X, table = measured(seed)
    learned = learn_ooax(
        table,
        C1=0.005,
        C2=0.005,
        thresholds="distinct",
        ranges=True,
        max_mined=1_000,
        time_limit=20,
        clock=WorkClock(0.05),
    )
    assert "replacement" in learned.certificate.seconds
    assert check(learned.rules, X) >= 2
