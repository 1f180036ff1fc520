"""Envelopes against plain minima on a fine grid, rays, and round prices."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

from ooa.explore.breakpoints import Ray, envelope, roundest
from ooa.learning.certificate import Count
from ooa.objective import Objective
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet


def models(rng, n):
    """Rule sets of any size and errors; what they say does not matter."""
    found = {}
    for k in range(n):
        literals, patterns = int(rng.integers(0, 6)), int(rng.integers(0, 4))
        errors = Fraction(int(rng.integers(0, 30)))
        rules = RuleSet([Pattern.parse(f"x >= {k}")])
        found[rules] = Count(errors, Fraction(40), literals, patterns, Fraction(0), int(errors), 40)
    return found


@pytest.mark.parametrize("seed", range(20))
def test_the_envelope_is_the_least_everywhere(seed):
    rng = np.random.default_rng(seed)
    known = models(rng, int(rng.integers(1, 12)))
    end = Objective.of(Fraction(int(rng.integers(0, 5)), 300), Fraction(int(rng.integers(1, 5)), 300))
    ray = Ray.down_to(end, Fraction(3, 4))
    pieces = envelope(known, ray)
    assert pieces[0].low == ray.low
    assert pieces[-1].high == ray.high
    assert all(a.high == b.low for a, b in itertools.pairwise(pieces))
    slopes = [ray.line(known[piece.rules])[0] for piece in pieces]
    assert slopes == sorted(set(slopes), reverse=True)

    def value(rules, place):
        counted, point = known[rules], ray.at(place)
        return point.value(counted.errors, counted.total, counted.literals, counted.patterns)

    for k in range(101):
        place = ray.low + (ray.high - ray.low) * k / 100
        least = min(value(rules, place) for rules in known)
        assert any(value(p.rules, place) == least for p in pieces if p.low <= place <= p.high)
    for piece in pieces:
        if piece.low < piece.high:
            middle = (piece.low + piece.high) / 2
            assert value(piece.rules, middle) == min(value(rules, middle) for rules in known)


def test_nothing_known_has_no_envelope():
    assert envelope({}, Ray.down_to(Objective.of(0.1, 0.1), Fraction(1, 2))) == []


@pytest.mark.parametrize("prices", [(0, 0), ("1/50", "1/50"), ("1/50", 0), (0, "1/50"), ("1/50", "1/20")])
def test_a_ray_ends_at_the_prices_and_begins_where_no_pattern_pays(prices):
    end, positives = Objective.of(*prices), Fraction(2, 5)
    ray = Ray.down_to(end, positives)
    assert ray.at(ray.low) == end
    assert ray.at(ray.high).cost(1) == positives
    dear = Ray.down_to(Objective.of(1, 1), positives)
    assert dear.low == dear.high == 1


@pytest.mark.parametrize("seed", range(5))
def test_round_numbers_are_inside_and_short(seed):
    rng = np.random.default_rng(seed)
    for _ in range(200):
        low = Fraction(int(rng.integers(0, 2000)), int(rng.integers(2000, 90000)))
        high = low + Fraction(int(rng.integers(1, 500)), int(rng.integers(500, 900000)))
        found = roundest(low, high)
        assert low < found < high
        wide = low == 0 or high / low > 2
        digits = len(f"{float(found):.12f}".rstrip("0").replace(".", "").lstrip("0"))
        assert digits <= (1 if wide else 8)
