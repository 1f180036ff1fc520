"""Families of boxes: what is found is the best there is, by brute force, and bounds hold at any moment."""

from __future__ import annotations

import numpy as np
import pytest
from support.box_cases import RANGES, SETS, SINGLE, best_gains, every_box, gain_of, random_rows

from ooa.kernels.availability import compiled
from ooa.kernels.boxes import NONE, RANKS, Boxes, BoxRows

pytestmark = pytest.mark.skipif(not compiled(), reason="the core is not compiled")


def searched(search: Boxes, work: int = 1 << 22) -> None:
    while not search.advance(work):
        pass


@pytest.mark.parametrize("seed", range(20))
def test_as_by_brute_force(seed: int):
    """For 1 to 4 boxes: exact caps and loose ones, targets below the best and above it, any threads."""
    rng = np.random.default_rng(seed)
    counted = 0
    for _ in range(60):
        rows = random_rows(rng)
        best, search, cap = best_gains(rows, every_box(rows)), Boxes(rows, slots=8), [0]
        for boxes, gain in best.items():
            most = max([0, *(best[k] for k in best if k <= boxes)])
            cap.append(most + int(rng.integers(5)) * int(rng.integers(2)))
            fewer = max([0, *(best[k] for k in best if k < boxes)])
            target = fewer if rng.random() < 0.6 else int(rng.integers(0, most + 3))
            search.begin(boxes, target, np.array(cap), threads=int(rng.integers(1, 4)))
            search.advance(1)
            assert search.bound >= max(target, gain)
            searched(search)
            found, wanted = search.best(), max(target, gain)
            assert search.bound == wanted
            assert (found is None) == (gain <= target)
            if found is not None:
                assert found.gain == gain == gain_of(rows, found)
            assert search.share == pytest.approx(1.0)
            counted += 1
        for one in search.noted():
            assert one.gain == gain_of(rows, one) > 0
    assert counted > 100


@pytest.mark.parametrize("seed", range(12))
def test_the_order_of_boxes_cuts_none_that_are_best(seed: int):
    """Near-equal boxes of different lengths that overlap, literals at all prices, caps that are just met."""
    rng = np.random.default_rng(1_000 + seed)
    won = 0
    for _ in range(40):
        rows = overlapping(rng)
        best, search, cap = best_gains(rows, every_box(rows)), Boxes(rows), [0]
        for boxes, gain in best.items():
            fewer = max([0, *(best[k] for k in best if k < boxes)])
            cap.append(max(fewer, gain))
            target = max(0, gain - 1)  # nothing but the best is looked for
            search.begin(boxes, target, np.array(cap))
            searched(search)
            assert search.bound == max(target, gain)
            found = search.best()
            assert (found is None) == (gain <= target)
            if found is not None:
                assert found.gain == gain == gain_of(rows, found)
                won += boxes >= 3 and gain > fewer
    assert won > 0


@pytest.mark.parametrize("seed", range(8))
def test_multipliers_cut_none_that_are_best(seed: int):
    """Any multipliers: drawn at random, or such that all that rows weigh is charged to pairs."""
    rng = np.random.default_rng(2_000 + seed)
    for _ in range(20):
        rows = random_rows(rng) if rng.random() < 0.6 else overlapping(rng)
        every = every_box(rows)
        best = best_gains(rows, every)
        scale, free = int(rng.choice([1, 4])), bool(rng.integers(2))
        worth, given, own, pairs, amount = multiplied(rng, rows, scale, free)
        both = every.masks[:, pairs[:, 0]] & every.masks[:, pairs[:, 1]]
        alone = every.masks @ own - both @ amount - scale * every.price
        most = max(0, int(alone.max(initial=0)) + int(rng.integers(3)))
        search, cap = Boxes(rows), [0]
        search.reduce(worth, given, scale, most)
        for boxes, gain in best.items():
            cap.append(max(cap[-1], gain))
            target = max(0, gain - int(rng.integers(1, 3)))
            search.begin(boxes, target, np.array(cap))
            search.advance(1)
            assert search.bound >= max(target, gain)
            searched(search)
            found = search.best()
            assert (found is None) == (gain <= target)
            assert found is None or found.gain == gain == gain_of(rows, found)


def multiplied(rng: np.random.Generator, rows: BoxRows, scale: int, free: bool):
    """Rows and pairs with multipliers, what is given beside them, and the same row by row."""
    here, there = np.flatnonzero(rows.value > 0), np.flatnonzero(rows.value < 0)
    n = 60 if len(here) and len(there) else 0
    pairs = np.column_stack([rng.choice(side, n) if n else here[:0] for side in (here, there)])
    amount = rng.integers(0, 2 + scale * int(np.abs(rows.value).max()) // 2, n)
    if not free:  # what a negative weighs is divided among its pairs
        often = np.bincount(pairs[:, 1], minlength=len(rows.value)) if n else np.ones(len(rows.value))
        amount = (scale * -rows.value[pairs[:, 1]] // np.maximum(1, often[pairs[:, 1]])).astype(np.int64)
    own, charged = np.zeros(len(rows.value), dtype=np.int64), np.zeros(len(rows.value), dtype=np.int64)
    np.add.at(own, pairs[:, 0], amount)
    np.add.at(charged, pairs[:, 1], amount)
    own[here] = np.maximum(own[here], scale * rows.value[here] * (rng.random(len(here)) < 0.8))
    given = int((scale * rows.value[here] - own[here]).clip(0).sum())
    given += int((charged[there] + scale * rows.value[there]).clip(0).sum())
    some = np.flatnonzero(own > 0)
    first, second = rows.rank[pairs[:, 0]], rows.rank[pairs[:, 1]]
    low, high = np.minimum(first, second), np.maximum(first, second)
    apart = (low < 0) & (high >= 0) | (low != high) & (rows.kind != RANGES)
    low[apart] = high[apart] = -2
    worth = rows._replace(
        rank=np.concatenate([rows.rank[some], low]),
        high=np.concatenate([rows.rank[some], high]),
        value=np.concatenate([own[some], -amount]),
    )
    return worth, given, own, pairs, amount


def overlapping(rng: np.random.Generator) -> BoxRows:
    """Rows in the union of some boxes on few ranks, and few others: many boxes have as many positives."""
    n, J = int(rng.integers(10, 40)), 2
    ranks = rng.integers(2, 5, J)
    rank = np.stack([rng.integers(0, m, n) for m in ranks], axis=1).astype(np.int32)
    label = rng.random(n) < 0.15
    for _ in range(3):
        low, wide = rng.integers(0, ranks), rng.integers(0, 2, J)
        label |= ((rank >= low) & (rank <= low + wide)).all(axis=1) & (rng.random(n) < 0.9)
    rank[rng.random((n, J)) < rng.choice([0.0, 0.1])] = -1
    weight = int(rng.choice([3, 10])) * rng.integers(1, 3, n)
    lacks = (rank < 0).any(axis=0).astype(np.int64)
    kind = rng.choice([RANGES, RANGES, 1, 2], J)
    literal, pattern = int(rng.choice([0, 1, 4, 9])), int(rng.choice([0, 2, 5]))
    return BoxRows(rank, np.where(label, weight, -weight), kind, ranks, lacks, lacks, literal, pattern, J)


def larger(seed: int, n: int = 160) -> BoxRows:
    """Noise in which several boxes are hidden, large enough for several tasks."""
    rng = np.random.default_rng(seed)
    rank = rng.integers(0, 30, (n, 4)).astype(np.int32)
    fires = ((rank[:, 0] > 12) & (rank[:, 1] < 17)) | ((rank[:, 2] > 20) & (rank[:, 3] > 8))
    label = fires ^ (rng.random(n) < 0.15)
    none = np.zeros(4, dtype=np.int64)
    value = np.where(label, 10, -10)
    return BoxRows(rank, value, np.full(4, RANGES), np.full(4, 30), none, none, 15, 15, 4)


def test_the_answer_does_not_depend_on_threads():
    rows, answers = larger(0), []
    for threads in (1, 2, 5):
        search = Boxes(rows, slots=16)
        search.begin(2, 0, np.array([0, 1 << 40, 0]), threads)
        searched(search, 1 << 18)
        found = search.best()
        assert found is not None
        answers.append((found.gain, found.literals.tolist(), search.nodes, search.share))
    assert answers[0] == answers[1] == answers[2]


def test_the_bound_falls_and_never_below_the_best():
    rows = larger(1)
    search = Boxes(rows)
    search.begin(2, 0, np.array([0, 1 << 40, 0]))
    bounds, done = [search.bound], False
    assert bounds[0] == rows.value[rows.value > 0].sum()
    while not done:
        done = search.advance(1)
        bounds.append(search.bound)
    found = search.best()
    assert found is not None
    assert bounds == sorted(bounds, reverse=True)
    assert min(bounds) == found.gain


def best_alone(rank: np.ndarray, value: np.ndarray, ranks: int) -> int:
    """What the best box gains over three columns of ranges: all ranges of two, the best one of the third.

    A pattern costs 1, a literal 2.
    """
    grid = np.zeros((ranks,) * 3, dtype=np.int64)
    np.add.at(grid, tuple(rank.T), value)
    sums = np.zeros((ranks + 1, ranks + 1, ranks), dtype=np.int64)
    sums[1:, 1:] = grid.cumsum(axis=0).cumsum(axis=1)
    low, high = np.triu_indices(ranks + 1, 1)
    literal, gains = 2 * (high - low < ranks), []
    for a, b, price in zip(low, high, literal):
        layer = sums[b] - sums[a]
        along = np.pad((layer[high] - layer[low]).cumsum(axis=1), ((0, 0), (1, 0)))
        best = (along[:, 1:] - np.minimum.accumulate(along, axis=1)[:, :-1]).max(axis=1)
        gains.append((np.maximum(best - 2, along[:, -1]) - literal).max() - price)
    return int(max(gains)) - 1


@pytest.mark.parametrize("seed", range(3))
def test_tasks_that_are_shared_out_are_all_searched(seed: int):
    """Noise takes several rounds, between which what is to be searched last becomes tasks of its own."""
    rng = np.random.default_rng(seed)
    ranks, n, none = 16, 1_500, np.zeros(3, dtype=np.int64)
    rank = rng.integers(0, ranks, (n, 3)).astype(np.int32)
    value = rng.choice([-3, -2, -1, 1, 2, 3], n).astype(np.int64)
    best = best_alone(rank, value, ranks)
    search = Boxes(BoxRows(rank, value, none + RANGES, none + ranks, none, none, 2, 1, 3))
    search.begin(1, best - 1, np.zeros(2, dtype=np.int64))
    searched(search, 1)
    found = search.best()
    assert found is not None
    assert found.gain == best == search.bound


@pytest.mark.parametrize(("ranks", "columns"), [(300, 1), (9_000, 1), (9_000, 40)])
def test_many_ranks(ranks: int, columns: int):
    """Sets of rows from a rank on are kept for some ranks only where there are many; they are right."""
    rng = np.random.default_rng(2)
    n = 20_000
    rank = np.zeros((n, columns), dtype=np.int32)
    rank[:, 0] = rng.integers(0, ranks, n)
    value = np.where((rank[:, 0] > ranks // 3) & (rank[:, 0] < ranks // 2), 2, -1) * rng.integers(1, 3, n)
    none, size = np.zeros(columns, dtype=np.int64), np.ones(columns, dtype=np.int64)
    size[0] = ranks  # the other columns are constant, and take memory all the same
    search = Boxes(BoxRows(rank, value, none + RANGES, size, none, none, 5, 5, 1))
    search.begin(1, 0, np.zeros(2, dtype=np.int64))
    searched(search)
    found = search.best()
    assert found is not None
    by_rank = np.append(0, np.cumsum(np.bincount(rank[:, 0], weights=value, minlength=ranks)))
    assert found.gain == max(by_rank[k:].max() - by_rank[k] for k in range(ranks)) - 10


@pytest.mark.parametrize("kind", [SINGLE, SETS])
@pytest.mark.parametrize("ranks", [9, 70])
def test_many_categories(ranks: int, kind: int):
    """More than are branched on at once, and more than a word holds."""
    for seed in range(4):
        rng = np.random.default_rng([seed, ranks])
        n, none = 300, np.zeros(2, dtype=np.int64)
        rank = np.stack([rng.integers(0, ranks, n), rng.integers(0, 4, n)], axis=1).astype(np.int32)
        good = np.isin(rank[:, 0], rng.permutation(ranks)[: ranks // 2]) & (rank[:, 1] > 0)
        value = np.where(good ^ (rng.random(n) < 0.2), 1, -1) * rng.integers(1, 4, n)
        kinds, size = np.array([kind, RANGES]), np.array([ranks, 4])
        search = Boxes(BoxRows(rank, value, kinds, size, none, none, 1, 1, 2))
        search.begin(1, 0, np.zeros(2, dtype=np.int64))
        searched(search)
        gains = []
        for low in range(4):
            for high in range(low, 4):
                inside = (rank[:, 1] >= low) & (rank[:, 1] <= high)
                by_category = np.bincount(rank[inside, 0], weights=value[inside], minlength=ranks)
                whole = (low, high) == (0, 3)
                most = (
                    by_category.max() if kind == SINGLE else max(by_category.max(), by_category.clip(0).sum())
                )
                gains.append(most - (2 if whole else 3))
                if not whole:
                    gains.append(value[inside].sum() - 2)
        found = search.best()
        assert found is not None
        assert found.gain == max(gains)


def test_the_best_literal_of_each_attribute_may_be_one_literal_too_many():
    """One negative hangs on each of two attributes: with both literals 97 are gained, but one is allowed."""
    rank, none = np.array([[1, 1], [0, 1], [1, 0]], dtype=np.int32), np.zeros(2, dtype=np.int64)
    for longest, gain in ((1, 100 - 10 - 2), (2, 100 - 3)):
        rows = BoxRows(rank, np.array([100, -10, -20]), none, none + 2, none, none, 1, 1, longest)
        search = Boxes(rows)
        search.begin(1, 0, np.array([0, 0]))
        searched(search)
        found = search.best()
        assert found is not None
        assert search.bound == found.gain == gain_of(rows, found) == gain


def test_a_negative_that_another_box_may_have_is_not_charged_again():
    """The box that crosses the best two has the most positives, and so comes first: what it adds to them is
    what it has beside them, and the negatives at the crossings are theirs, decided or not."""
    cells = {(1, 0): 30, (1, 2): -30, (1, 4): 30}  # crosses y = 1 and y = 3
    cells |= {(0, 1): 20, (1, 1): -5, (2, 1): 20, (0, 3): 20, (1, 3): -5, (2, 3): 20}
    cells |= {(x, y): -50 for x in (0, 2) for y in (0, 2, 4)}
    rank, none = np.array(list(cells), dtype=np.int32), np.zeros(2, dtype=np.int64)
    rows = BoxRows(rank, np.array(list(cells.values())), none, np.array([3, 5]), none, none, 1, 1, 2)
    best, search = best_gains(rows, every_box(rows)), Boxes(rows)
    assert best == {1: 33, 2: 66, 3: 94}
    search.begin(3, 93, np.array([0, *best.values()]))
    searched(search)
    found = search.best()
    assert found is not None
    assert found.literals[0].tolist() == [[RANKS, 1, 1], [NONE, 0, 4]]
    assert search.bound == found.gain == gain_of(rows, found) == 94


def test_nothing_to_gain():
    none = np.zeros(1, dtype=np.int64)
    for value in ([-1, -1], []):
        rank = np.arange(len(value), dtype=np.int32)[:, None]
        rows = BoxRows(rank, np.array(value, dtype=np.int64), none, none + 2, none, none, 0, 0, 1)
        search = Boxes(rows)
        search.begin(1, 0, np.zeros(2, dtype=np.int64))
        searched(search)
        assert search.best() is None
        assert search.bound == 0
