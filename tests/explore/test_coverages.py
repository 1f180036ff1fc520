"""Rule sets behind sets of coverages: counted and listed, against all products."""

from __future__ import annotations

import heapq
from itertools import product

import numpy as np
import pytest

from ooa.candidates.candidates import Candidates
from ooa.data.table import Table
from ooa.explore.coverages import Coverages
from ooa.rules.pattern import Pattern


def some_candidates(rng: np.random.Generator) -> Candidates:
    """Patterns over few rows, so that many of them cover the same."""
    table = Table.from_any({name: rng.integers(0, 3, 6) for name in "abc"}, [0, 1, 0, 1, 1, 0])
    single = [f"{name} >= {cut}" for name in "abc" for cut in (1, 2)]
    pairs = [f"{one} AND {other}" for one in single for other in single if one[0] < other[0]]
    return Candidates.of_patterns(table, map(Pattern.parse, single + pairs))


@pytest.mark.parametrize("seed", range(20))
def test_against_all_products(seed):
    rng = np.random.default_rng(seed)
    candidates = some_candidates(rng)
    price = np.array([0, 3, 3 + int(rng.integers(0, 4))])[candidates.length]
    groups = Coverages(candidates, price)
    cover = [bits.tobytes() for bits in candidates.bits]
    members = [[k for k in range(len(candidates)) if cover[k] == cover[first]] for first in groups.first]
    assert sorted(k for group in members for k in group) == list(range(len(candidates)))
    sets = np.array([[*rng.permutation(len(members))[:2], -1] for _ in range(8)], dtype=np.int64)
    cheapest = np.array([price[groups.first[row[:2]]].sum() for row in sets])
    most = int(cheapest.min()) + int(rng.integers(0, 8))
    inside = cheapest <= most
    sets, cheapest = sets[inside], cheapest[inside]
    expected = [
        [
            (int(price[list(chosen)].sum()), tuple(sorted(chosen)))
            for chosen in product(*(members[g] for g in row[:2]))
        ]
        for row in sets
    ]
    expected = [sorted(pair for pair in one if pair[0] <= most) for one in expected]
    for row, cost, own in zip(sets, cheapest, expected):
        listed = list(groups.choices(row[:2].tolist(), int(cost), most))
        assert [one.cost for one in listed] == sorted(one.cost for one in listed)
        assert sorted(map(tuple, listed)) == own
    assert groups.count(sets, most - cheapest).tolist() == [len(one) for one in expected]
    everything = sorted(pair for one in expected for pair in one)
    for many in (1, 5, len(everything)):
        found = groups.expanded(sets, cheapest, most, many)
        assert [one.cost for one in found] == [cost for cost, _ in everything[:many]]


def test_every_candidate_a_group_of_its_own():
    candidates = some_candidates(np.random.default_rng(0))
    groups = Coverages(candidates, candidates.length, alike=False)
    assert groups.first.tolist() == list(range(len(candidates)))
    assert groups.count(np.array([[0, 1, 2]]), np.array([9])).tolist() == [1]


def test_those_that_tie_are_not_sorted_again_for_each_of_them(monkeypatch):
    candidates = some_candidates(np.random.default_rng(0))
    groups = Coverages(candidates, candidates.length, alike=False)
    sets, calls = np.zeros((500, 1), dtype=np.int64), []
    least = heapq.nsmallest
    monkeypatch.setattr(heapq, "nsmallest", lambda many, some: calls.append(len(some)) or least(many, some))
    cost = np.ones(500, dtype=np.int64)
    assert [one.cost for one in groups.expanded(sets, cost, 5, 10)] == [1] * 10
    assert calls == [20, 10]


def test_more_choices_than_64_bits_can_count():
    candidates = some_candidates(np.random.default_rng(0))
    groups = Coverages(candidates, np.zeros(len(candidates), dtype=np.int64))
    members = [groups.count(np.array([[k]]), np.array([0])).tolist()[0] for k in range(len(groups.first))]
    largest = int(np.argmax(members))
    many = np.full((1, 700), largest)
    assert members[largest] > 1
    assert groups.count(many, np.array([0])).tolist() == [members[largest] ** 700]
