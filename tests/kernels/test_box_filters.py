"""Families of boxes that keep to what constraints say of patterns: the best that do, by brute force."""

from __future__ import annotations

import numpy as np
import pytest
from support.box_cases import RANGES, SINGLE, gain_of, random_rows
from support.filter_cases import Filters, best_of, list_boxes, passing, random_filters, read, tell

from ooa.kernels.availability import compiled
from ooa.kernels.boxes import Among, Boxes, BoxRows, Flag, FlagLimit

pytestmark = pytest.mark.skipif(not compiled(), reason="the core is not compiled")


def searched(rows: BoxRows, boxes: int, target: int, caps: list[int], filters: Filters, beside) -> Boxes:
    search = Boxes(rows, slots=8)
    tell(search, filters, beside)
    search.begin(boxes, target, np.array(caps), threads=1 + target % 2)
    while not search.advance(1 << 22):
        pass
    return search


@pytest.mark.parametrize("seed", range(20))
def test_as_by_brute_force(seed: int):
    """Limits of each box, of all, of any; least supports, of rows that count nothing too; forbidden boxes."""
    rng = np.random.default_rng(5_000 + seed)
    counted = bound = 0
    for _ in range(60):
        rows = random_rows(rng)
        extra = rows.rank[rng.integers(0, len(rows.rank), 5)]  # they count nothing but for support
        beside = np.concatenate([rows.rank, extra])
        every = list_boxes(rows, beside)
        if len(every.said) > 400:
            continue
        filters = random_filters(rng, rows, every, beside)
        best, free = best_of(rows, every, filters), best_of(rows, every, Filters([], [], []))
        caps = [0]
        good = passing(every, filters)
        for boxes, gain in best.items():
            fewer = max([0, *(best[k] for k in best if k < boxes)])
            caps.append(max(fewer, gain) + int(rng.integers(3)) * int(rng.integers(2)))
            target = fewer if rng.random() < 0.5 else max(0, gain - int(rng.integers(0, 4)))
            search = searched(rows, boxes, target, caps, filters, beside)
            assert search.bound == max(target, gain)
            found = search.best()
            assert (found is None) == (gain <= target)
            if found is not None:
                assert found.gain == gain == gain_of(rows, found)
                assert all(good[every.said.index(said)] for said in read(rows, found))
            for one in search.noted():
                assert good[every.said.index(read(rows, one)[0])]
            counted += 1
            bound += gain < free.get(boxes, gain)
    assert counted > 50
    assert bound > 10


def test_a_literal_that_another_one_needs_need_not_pay():
    """The second excludes a negative of weight 1 and costs 3, but the first may not be there without it."""
    rank = np.array([[1, 1], [1, 1], [1, 0], [0, 1], [2, 1], [0, 0], [2, 0]], dtype=np.int32)
    value, none = np.array([10, 10, -1, -10, -10, -10, -10]), np.zeros(2, dtype=np.int64)
    rows = BoxRows(rank, value, none + RANGES, np.array([3, 2]), none, none, 3, 1, 2)
    needs = FlagLimit(Among.EACH, 0, ((Flag.LITERAL, 0, 0, 1), (Flag.LITERAL, 1, 0, -1)))
    for limits, gain in (([], 20 - 1 - 3 - 1), ([needs], 20 - 2 * 3 - 1)):
        search = searched(rows, 1, 0, [0, 0], Filters(limits, [], []), rank)
        found = search.best()
        assert found is not None
        assert search.bound == found.gain == gain


def test_a_literal_that_keeps_rows_out_need_not_pay():
    """Without the second literal the box has the row that is one too many."""
    rank = np.array([[1, 1], [1, 1], [1, 0], [0, 1], [2, 1], [0, 0], [2, 0]], dtype=np.int32)
    value, none = np.array([10, 10, -1, -10, -10, -10, -10]), np.zeros(2, dtype=np.int64)
    rows = BoxRows(rank, value, none + RANGES, np.array([3, 2]), none, none, 3, 1, 2)
    search = searched(rows, 1, 0, [0, 0], Filters([], [], [], (((value < 0).astype(int), 0),)), rank)
    found = search.best()
    assert found is not None
    assert search.bound == found.gain == 20 - 2 * 3 - 1


def planted(rng: np.random.Generator, kind: int, ranks: int) -> BoxRows:
    """Three attributes, and rows enough for more families than those that are tried at once."""
    rank = rng.integers(0, ranks, (90, 3)).astype(np.int32)
    low = rng.integers(0, 3, 3)
    high = low + rng.integers(1, 4, 3)
    inside = ((rank >= low) & (rank <= high)).all(axis=1)
    if kind == SINGLE:
        inside = (rank[:, 0] == 0) | (rank[:, 1] < 2)
    value = np.where(inside ^ (rng.random(90) < 0.15), 1, -1) * rng.integers(1, 6, 90)
    none = np.zeros(3, dtype=np.int64)
    price = 1 if kind == SINGLE else int(rng.integers(3, 9))
    return BoxRows(rank, value, none + kind, none + ranks, none, none, price, 1, 3)


def needs_another(rng: np.random.Generator) -> tuple[BoxRows, FlagLimit]:
    rows = planted(rng, RANGES, 7)
    return rows, FlagLimit(Among.EACH, 0, ((Flag.LITERAL, 0, 0, 1), (Flag.LITERAL, 1, 0, -1)))


def needs_an_end(rng: np.random.Generator) -> tuple[BoxRows, FlagLimit]:
    rows, end = planted(rng, RANGES, 7), int(rng.integers(1, 6))
    return rows, FlagLimit(Among.EACH, 0, ((Flag.LITERAL, 1, 0, 1), (Flag.BEGINS, 0, end, -1)))


def names_one_of_some(rng: np.random.Generator) -> tuple[BoxRows, FlagLimit]:
    some = tuple((Flag.NAMED, j, category, 1) for j in range(3) for category in range(2))
    return planted(rng, SINGLE, 5), FlagLimit(Among.EACH, 1, some)


def says(flag: Flag, one: object, rank: int) -> bool:
    """Whether what a box says on an attribute raises a flag."""
    if flag is Flag.LITERAL:
        return one is not None
    if flag is Flag.BEGINS:
        return isinstance(one, tuple) and one[0] >= rank
    return isinstance(one, frozenset) and rank in one


@pytest.mark.parametrize(
    ("case", "seeds"), [(needs_another, [60, 70]), (needs_an_end, [3, 26]), (names_one_of_some, [3, 6, 20])]
)
def test_no_family_is_left_out_for_what_its_members_need_not_do(case, seeds):
    """Tables on which the best box is not met before a family that is left out too soon would have it."""
    for seed in seeds:
        rows, limit = case(np.random.default_rng(seed))
        every = list_boxes(rows, rows.rank)
        gain = every.masks @ rows.value - every.price
        least = [sum(by * says(flag, said[j], r) for flag, j, r, by in limit.terms) for said in every.said]
        best = int(gain[np.array(least) <= limit.most].max())
        assert best > 1
        for target in (0, best - 1):
            assert searched(rows, 1, target, [0, best], Filters([limit], [], []), rows.rank).bound == best
