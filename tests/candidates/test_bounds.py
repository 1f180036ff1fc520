"""Each bound against brute force: what it excludes is never needed for an optimal rule set."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from support.brute import CASES, WEIGHTS, Tiny, optimum, problems, same

from ooa.candidates.bounds import (
    conflicts,
    least_positive_support,
    most_literals,
    most_negative_support,
    most_patterns,
)
from ooa.candidates.candidates import prices
from ooa.objective import Objective


@pytest.mark.parametrize("weights", WEIGHTS)
def test_patterns_of_small_positive_support_are_not_needed(weights):
    for tiny, best, _ in problems(weights, 1):
        least = [least_positive_support(tiny.objective, tiny.total, n) for n in tiny.length]
        assert same(optimum(tiny.only(tiny.candidates.positive > least)), best, weights)


@pytest.mark.parametrize("weights", WEIGHTS)
def test_patterns_of_large_negative_support_are_not_needed(weights):
    for tiny, best, upper in problems(weights, 2):
        if weights == "float":  # the sums on both sides are rounded
            upper += Fraction(1, 10**9)
        most = [most_negative_support(tiny.objective, tiny.total, n, upper) for n in tiny.length]
        assert same(optimum(tiny.only(tiny.candidates.negative <= most)), best, weights)


@pytest.mark.parametrize("weights", WEIGHTS)
def test_no_more_patterns_are_needed_than_the_bound_allows(weights):
    for tiny, best, upper in problems(weights, 3):
        most = most_patterns(tiny.objective, upper + (Fraction(1, 10**9) if weights == "float" else 0))
        if most is None:
            assert tiny.objective.cost(1) == 0
            continue
        fewer = min(most, tiny.max_patterns if tiny.max_patterns is not None else most)
        limited = Tiny(
            tiny.covers, tiny.length, tiny.positive, tiny.negative, tiny.objective, max_patterns=fewer
        )
        assert same(optimum(limited), best, weights)


def test_no_optimal_rule_set_has_more_literals_than_the_bound_allows():
    seen = 0
    for tiny, best, upper in problems("whole", 4, 200):
        if tiny.objective.C1 == 0:
            assert most_literals(tiny.objective, upper) is None
            continue
        for subset in range(2 ** len(tiny.length)):
            chosen = [k for k in range(len(tiny.length)) if subset >> k & 1]
            if len(chosen) <= 3 and tiny.value(chosen) == best and chosen:
                literals = int(tiny.length[chosen].sum())
                assert literals <= most_literals(tiny.objective, upper, len(chosen))
                seen += 1
    assert seen > 50


@pytest.mark.parametrize("weights", WEIGHTS)
def test_conflicting_patterns_need_not_occur_together(weights):
    pairs = 0
    for tiny, best, _ in problems(weights, 5):
        price = prices(tiny.candidates, tiny.objective, tiny.total)
        pair = conflicts(tiny.candidates.bits, tiny.positive, price)
        assert (pair == pair.T).all()
        assert not pair.diagonal().any()
        assert same(optimum(tiny, pair), best, weights)
        pairs += int(pair.sum())
    assert pairs > CASES


def test_conflicts_are_found_at_equality_and_not_beyond():
    covers = np.array([[1, 1, 1, 0, 0], [0, 0, 1, 1, 1]], dtype=bool)
    for price, expected in (([2.0, 0.0], True), ([np.nextafter(2.0, 0), 0.0], False), ([0.0, 2.0], True)):
        tiny = Tiny(covers, np.array([1, 1]), np.ones(5), np.zeros(5), Objective.of(0, 0))
        pair = conflicts(tiny.candidates.bits, tiny.positive, np.array(price))
        assert bool(pair[0, 1]) is expected


@pytest.mark.parametrize(
    ("C", "N"), [(0.1, 10), (0.1, 30), (0.01, 300), (0.05, 20), (0.07, 100), (0.003, 1000)]
)
@pytest.mark.parametrize("length", [1, 2, 3])
def test_thresholds_of_decimal_prices_are_exact(C, N, length):
    # In binary 0.1 * 3 exceeds 0.3 and 0.07 * 100 exceeds 7: a pattern on the threshold would be lost.
    whole = Fraction(str(C)) * N * (length + 1)
    assert whole.denominator == 1
    objective = Objective.of(C, C)
    assert least_positive_support(objective, Fraction(N), length) == whole
    upper = Fraction(1, 2)
    allowed = N * upper - whole
    assert most_negative_support(objective, Fraction(N), length, upper) == allowed


def test_thresholds_between_floats_are_rounded_to_the_safe_side():
    objective = Objective.of("1/3", 0)
    least = least_positive_support(objective, Fraction(1), 1)
    assert Fraction(least) < Fraction(1, 3) < Fraction(math.nextafter(least, 1))
    most = most_negative_support(objective, Fraction(1), 1, Fraction(1))
    assert Fraction(math.nextafter(most, 0)) < Fraction(2, 3) < Fraction(most)


def test_sizes_at_equality():
    assert most_patterns(Objective.of(0.1, 0.2), Fraction(9, 10)) == 3
    assert most_patterns(Objective.of(0.1, 0.2), Fraction(899, 1000)) == 2
    assert most_patterns(Objective.of(0, 0), Fraction(1)) is None
    assert most_patterns(Objective.of(1, 1), Fraction(1)) == 0
    assert most_literals(Objective.of(0.1, 0.2), Fraction(9, 10), patterns=3) == 3
    assert most_literals(Objective.of(0.1, 1), Fraction(1, 2)) == 0
