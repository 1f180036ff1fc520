"""Candidates: coverage, lookup, joining."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from ooa.candidates.candidates import Candidates, prices
from ooa.data.bitsets import unpack
from ooa.data.table import Table
from ooa.errors import OOAError, RuleError
from ooa.objective import Objective
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    columns = {
        "age": rng.integers(18, 80, 100),
        "bmi": rng.normal(27, 4, 100).round(1),
        "smokes": rng.choice(["no", "yes", "once"], 100),
    }
    return Table.from_any(columns, rng.random(100) < 0.4, sample_weight=rng.integers(0, 4, 100))


TEXTS = (
    "age >= 40",
    "age <= 30 AND smokes = yes",
    "25 <= bmi <= 30",
    "smokes = no",
    "age >= 40 AND bmi < 28 AND smokes = once",
    "age > 200",
)


@pytest.fixture(scope="module")
def patterns():
    return [Pattern.parse(text) for text in TEXTS]


def test_coverage_and_weights_are_those_of_the_rules(table, patterns):
    candidates = Candidates.of_patterns(table, patterns)
    assert len(candidates) == len(patterns)
    covers = unpack(candidates.bits, table.n_rows)
    for k, pattern in enumerate(patterns):
        assert candidates.pattern(k) == pattern
        expected = RuleSet([pattern]).covers(table.as_frame())[:, 0]
        assert (covers[k] == expected).all()
        assert candidates.positive[k] == table.positive[expected].sum()
        assert candidates.negative[k] == table.negative[expected].sum()
        assert candidates.length[k] == len(pattern)
        assert candidates.find(pattern) == k


def test_repetitions_are_dropped(table, patterns):
    assert len(Candidates.of_patterns(table, patterns + patterns[::-1])) == len(patterns)


def test_of_no_patterns(table):
    nothing = Candidates.of_patterns(table, [])
    assert len(nothing) == 0
    assert nothing.find(Pattern.parse("age >= 40")) is None
    assert len(prices(nothing, Objective.of(0.1, 0.1), Fraction(10))) == 0
    assert "0 patterns" in repr(nothing)


def test_joining_keeps_the_first_of_equals_and_finds_all(table, patterns):
    left, right = (Candidates.of_patterns(table, part) for part in (patterns[:4], patterns[2:][::-1]))
    joined = left.joined(right)
    assert [joined.pattern(k) for k in range(4)] == patterns[:4]
    assert {joined.pattern(k) for k in range(len(joined))} == set(patterns)
    assert len(joined) == len(patterns)
    for pattern in patterns:
        assert joined.pattern(joined.find(pattern)) == pattern
    whole = Candidates.of_patterns(table, patterns)
    for k, pattern in enumerate(patterns):
        j = joined.find(pattern)
        assert (joined.bits[j] == whole.bits[k]).all()
        assert joined.positive[j] == whole.positive[k]
    again = joined.joined(left).joined(right)
    assert len(again) == len(joined)


def test_joining_with_nothing_copies_nothing(table, patterns):
    some, nothing = Candidates.of_patterns(table, patterns), Candidates.of_patterns(table, [])
    assert some.joined(nothing) is some
    assert some.joined(some) is some
    assert len(nothing.joined(some)) == len(some)


def test_taking_forgets_the_old_positions(table, patterns):
    candidates = Candidates.of_patterns(table, patterns)
    assert candidates.find(patterns[3]) == 3
    some = candidates.take(np.array([3, 1]))
    assert some.find(patterns[3]) == 0
    assert some.find(patterns[0]) is None
    masked = candidates.take(np.array([False, True, False, True, False, False]))
    assert masked.find(patterns[3]) == 1


def test_prices_are_by_length_and_never_too_high(table, patterns):
    candidates = Candidates.of_patterns(table, patterns)
    objective, total = Objective.of("1/3", 0.1), Fraction(7)
    for price, length in zip(prices(candidates, objective, total), candidates.length):
        exactly = total * objective.cost(length)
        assert 0 <= exactly - Fraction(price) < Fraction(1, 10**12)


def test_what_does_not_fit_is_refused_in_a_sentence(table):
    with pytest.raises(OOAError, match="height"):
        Candidates.of_patterns(table, [Pattern.parse("height >= 3")])
    with pytest.raises(RuleError, match="'age >= 40'"):
        Candidates.of_patterns(table, ["age >= 40"])
