"""All sets above a target, against going through all sets."""

from __future__ import annotations

import numpy as np
import pytest
from support.branching_cases import best_gain, boxes, nearly_alike, problem
from support.listing_cases import by_brute_force, listed

from ooa.data.bitsets import pack
from ooa.kernels.availability import compiled, what_is_missing
from ooa.search import branch_and_bound
from ooa.search.branch_and_bound import Branching

pytestmark = pytest.mark.skipif(not compiled(), reason=what_is_missing())


def agree(case, most, rng, **options):
    covers, positive, negative, price = case
    best = best_gain(*case, most)
    spread = int(positive.sum() + negative.sum())
    for below in (1, int(rng.integers(1, 2 + spread // 10)), int(rng.integers(1, 2 + spread))):
        target, lean = best - below, bool(rng.random() < 0.6)
        highest = best + int(rng.choice([0, 0, rng.integers(0, 2 + spread)]))
        search = Branching(pack(covers), positive, negative, price, most, **options)
        expected = by_brute_force(*case, most, target, lean)
        assert listed(search, target, highest, lean) == expected


@pytest.mark.parametrize("seed", range(60))
def test_random_patterns(seed):
    rng = np.random.default_rng(seed)
    *case, most = problem(rng)
    agree(case, min(most, 4), rng, threads=1 + seed % 2)


@pytest.mark.parametrize("seed", range(40))
def test_patterns_that_are_nearly_alike(seed):
    rng = np.random.default_rng(seed)
    case = nearly_alike(rng)
    agree(case, 2 if len(case[-1]) > 22 else 3, rng, threads=1 + seed % 2)


def test_small_pieces_of_work_and_threads_list_the_same_in_the_same_order(monkeypatch):
    covers, label, price = boxes(3, 60, 80)
    case = covers, label.astype(float), (~label).astype(float), price
    expected = by_brute_force(*case, 3, 9, True)
    assert len(expected) > 100
    orders = []
    for work, threads in ((1 << 19, 1), (50, 1), (50, 2), (1 << 19, 2)):
        monkeypatch.setattr(branch_and_bound, "WORK", work)
        found = listed(Branching(pack(covers), *case[1:], 3, threads=threads), 9, 40, True)
        assert found == expected
        orders.append(list(found))
    assert all(order == orders[0] for order in orders)


def test_what_adds_no_row_is_not_gone_into(monkeypatch):
    """Each pattern covers all that those after it cover: 25 lean sets, and 2,625 with redundant patterns."""
    monkeypatch.setattr(branch_and_bound, "WORK", 1)
    n, pieces = 25, {}
    covers = np.tri(n, dtype=bool)[::-1]
    for lean in (True, False):
        search = Branching(pack(covers), np.ones(n), np.zeros(n), np.zeros(n, dtype=np.int64), 3)
        found, asked = [], []
        assert search.list_above(0, n, lean, found.append, lambda share, asked=asked: asked.append(1) is None)
        pieces[lean] = sum(len(some.gain) for some in found), len(asked)
    assert (pieces[True][0], pieces[False][0]) == (25, 2625)
    assert pieces[True][1] < pieces[False][1] / 5


def test_it_stops_when_told_and_keeps_what_it_has():
    covers, label, price = boxes(3, 60, 80)
    search = Branching(pack(covers), label.astype(float), (~label).astype(float), price, 3)
    seen = []
    assert not search.list_above(12, 40, True, seen.append, lambda share: False)
    assert not seen
