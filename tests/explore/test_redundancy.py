"""Redundant patterns, by plain sets of rows."""

from __future__ import annotations

import numpy as np
import pytest
from support.brute import Tiny

from ooa.explore.redundancy import Redundancy, cover_of
from ooa.objective import Objective


def random_candidates(rng, apart=1):
    """Over seven rows, so many places apart: in one word, or in several."""
    covers = np.zeros((int(rng.integers(1, 9)), 7 * apart), dtype=bool)
    covers[:, ::apart] = rng.random((len(covers), 7)) < rng.choice([0.2, 0.5])
    ones = np.ones(covers.shape[1])
    return covers, Tiny(covers, np.ones(len(covers), int), ones, ones, Objective.of(0, 0)).candidates


def rows_of(covers, choice):
    return {int(n) for k in choice for n in np.flatnonzero(covers[k])}


def redundant_ones(covers, choice):
    return tuple(k for k in choice if rows_of(covers, [k]) <= rows_of(covers, set(choice) - {k}))


@pytest.mark.parametrize("apart", [1, 20])
@pytest.mark.parametrize("seed", range(30))
def test_against_sets_of_rows(seed, apart):
    rng = np.random.default_rng(seed)
    covers, candidates = random_candidates(rng, apart)
    among, n = Redundancy(candidates), len(covers)
    for _ in range(10):
        choice = tuple(k for k in range(n) if rng.random() < 0.5)
        assert among.of(choice) == redundant_ones(covers, choice)
        if among.of(choice):
            continue
        made = among.made_by_adding(choice)
        for k in set(range(n)) - set(choice):
            assert made[k] == bool(redundant_ones(covers, (*choice, k)))
        named = set()
        for patterns, others in among.beside(choice):
            assert set(patterns) <= set(choice)
            named |= set(others.tolist())
            for k in others.tolist():
                assert k not in patterns
                assert rows_of(covers, [k]) <= rows_of(covers, patterns)
        beside = [k for k in range(n) if k not in choice and rows_of(covers, [k]) <= rows_of(covers, choice)]
        assert set(beside) <= named


def test_no_pattern_is_needed_to_cover_nothing():
    covers = np.array([[False, False], [True, False]])
    among = Redundancy(Tiny(covers, np.ones(2, int), np.ones(2), np.ones(2), Objective.of(0, 0)).candidates)
    assert among.of((0,)) == (0,)
    assert [(patterns, others.tolist()) for patterns, others in among.beside(())] == [((), [0])]


def test_a_part_that_covers_another_has_nothing_to_spare():
    covers = np.array([[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1], [1, 0, 0, 1]], dtype=bool)
    candidates = Tiny(covers, np.ones(4, int), np.ones(4), np.ones(4), Objective.of(0, 0)).candidates
    part = Redundancy(candidates).needed((0, 1, 2), 3)
    assert part == (0, 2)
    assert not (candidates.bits[3] & ~cover_of(candidates, part)).any()
