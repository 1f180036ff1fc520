"""The search within limits against going through all sets, and the local search beside it."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from support.limit_cases import Tiny

from ooa.data.bitsets import pack
from ooa.formulations.counted import Counted
from ooa.kernels.availability import compiled
from ooa.search.branch_and_bound import PairMultipliers
from ooa.search.constrained import ConstrainedSearch, Valued, _Marginal
from ooa.search.limited import LimitedSets, Penalised, PricedSets, undominated

NEVER_KNOWN = -(10**9)
needs_core = pytest.mark.skipif(not compiled(), reason="the compiled core is not there")


@needs_core
@pytest.mark.parametrize("block", range(10))
@pytest.mark.parametrize("kind", [LimitedSets, PricedSets])
def test_the_best_set_within_limits(kind: type[LimitedSets], block: int) -> None:
    empty = 0
    for seed in range(150 * block, 150 * (block + 1)):
        tiny = Tiny(seed, least=-(seed % 2), lifted=seed % 3 == 0)
        penalised = tiny.penalised()
        sets = kind(tiny.counted, penalised, tiny.most, **told_of(tiny, penalised, seed, kind))
        assert sets.run(NEVER_KNOWN, lambda share: True)
        feasible_empty = (tiny.amounts(()) <= tiny.limit).all()
        found = [(sets.best, sets.choice)] if sets.choice else []
        if feasible_empty:
            found.append((0, ()))
        assert tiny.best is not None  # the limits are those of a set
        best, choice = max(found)
        assert best == tiny.best[0], seed
        assert tiny.gain(choice) == best
        assert (tiny.amounts(choice) <= tiny.limit).all()
        empty += not choice
        # Nothing above the best, and the best again above all that is less.
        assert sets.run(best, lambda share: True)
        assert not sets.choice
        if choice:
            assert sets.run(best - 1, lambda share: True)
            assert sets.best == best
    assert empty < 110


def told_of(tiny: Tiny, penalised: Penalised, seed: int, kind: type[LimitedSets]) -> dict[str, object]:
    """The sharpest bound there is on what sets gain with the prices, some multipliers, and threads."""
    if kind is LimitedSets:
        return {}
    rows = range(len(tiny.price))
    worth = penalised.value[: len(tiny.value)]
    sets = [c for k in range(tiny.most + 1) for c in combinations(rows, k)]
    highest = max(int(worth[tiny.fires(c)].sum() - penalised.price[list(c)].sum()) for c in sets)
    own = np.where(penalised.value > 0, penalised.value, 0) * tiny.rng.uniform(0, 1)
    right, wrong = (np.flatnonzero(side) for side in (penalised.value > 0, penalised.value < 0))
    pairs = np.array([[r, w] for r in right[:1] for w in wrong[:1]], dtype=np.int64).reshape(-1, 2)
    given = np.minimum(penalised.value[pairs[:, 0]], -penalised.value[pairs[:, 1]]) / 2
    multipliers = PairMultipliers(own.astype(float), pairs, given.astype(float)) if seed % 4 else None
    bound = None if seed % 5 == 0 else highest
    return {"highest": bound, "multipliers": multipliers, "threads": 1 + seed % 3, "free": seed % 7 == 0}


@needs_core
def test_a_bound_that_is_too_low_leaves_out_the_best() -> None:
    wrong = 0
    for seed in range(300):
        tiny = Tiny(seed)
        sets = PricedSets(tiny.counted, tiny.penalised(), tiny.most, highest=-(10**6))
        sets.run(NEVER_KNOWN, lambda share: True)
        assert tiny.best is not None
        feasible_empty = (tiny.amounts(()) <= tiny.limit).all()
        found = max([*([sets.best] if sets.choice else []), *([0] if feasible_empty else [])], default=None)
        wrong += found != tiny.best[0]
    assert wrong > 5


@pytest.mark.parametrize("block", range(2))
def test_local_search_finds_sets_within_limits(block: int) -> None:
    right = found = 0
    for seed in range(50 * block, 50 * (block + 1)):
        tiny = Tiny(seed)
        value = np.zeros(64, dtype=np.int64)
        value[: len(tiny.value)] = tiny.value
        search = ConstrainedSearch(tiny.counted, Valued(value, tiny.price), tiny.most)
        told: list[tuple[int, ...]] = []
        search.run([()], found=told.append)
        assert tiny.best is not None
        if search.choice is None:
            continue
        found += 1
        assert told[-1] == search.choice
        assert tiny.gain(search.choice) == search.best
        assert (tiny.amounts(search.choice) <= tiny.limit).all()
        assert search.best <= tiny.best[0]
        right += search.best == tiny.best[0]
    assert found >= 48
    assert right >= 43


@needs_core
def test_what_cannot_be_laid_out_is_said() -> None:
    rng = np.random.default_rng(0)
    bits = pack(rng.random((2, 640)) < 0.5)
    odd = Counted(bits, np.ones(2, bool), rng.integers(0, 10**6, (1, 640)), np.zeros((1, 2), int),
                  np.array([1]), exact=True, left=())  # fmt: skip
    assert not LimitedSets.possible(odd, np.ones(640, dtype=np.int64))
    even = Counted(bits, np.ones(2, bool), np.ones((1, 640), int), np.zeros((1, 2), int), np.array([1]),
                   exact=True, left=())  # fmt: skip
    assert LimitedSets.possible(even, np.ones(640, dtype=np.int64))


@needs_core
@pytest.mark.parametrize("seed", range(3))
def test_the_best_pair_of_many_within_limits(seed: int) -> None:
    """Lists long enough to be looked at again on the way, and for bounds by multipliers."""
    rng = np.random.default_rng([3, seed])
    n, K = 120, 160
    covers = rng.random((K, n)) < rng.uniform(0.05, 0.4, (K, 1))
    value, price = rng.choice([-2, -1, 1, 2, 3], n), rng.integers(0, 5, K)
    on_rows = np.where(value < 0, 1, 0)[None]
    pairs = covers[:, None] | covers[None]
    gain = pairs @ value - price[:, None] - price[None] * ~np.eye(K, dtype=bool)
    amount = pairs @ on_rows[0]
    limit = int(np.median(amount)) - 8
    padded = np.zeros((2, 128), dtype=np.int64)
    padded[0, :n], padded[1, :n] = value, on_rows[0]
    counted = Counted(pack(covers), np.ones(K, bool), padded[1:], np.zeros((1, K), int), np.array([limit]),
                      exact=True, left=())  # fmt: skip
    for penalty in (0, 1):
        worth = Penalised(padded[0] - penalty * padded[1], price, np.array([penalty]), 1)
        sets = LimitedSets(counted, worth, 2)
        assert sets.run(0, lambda share: True)
        assert sets.best == gain[amount <= limit].max() < gain.max()


@needs_core
@pytest.mark.parametrize("place", [0, 1, 63, 64, 65, 128])
def test_no_first_pattern_is_passed_over(place: int) -> None:
    """Bounds leave them all; one weighs an odd number, and just one other makes the limit full with it."""
    weight = 1000 - 2 * np.arange(160)
    weight[place] += 1 if place < 100 else -1
    other = 100 if place < 100 else 20
    limit = weight[[place, other]].sum()
    rows = np.zeros(192, dtype=np.int64)
    rows[:160] = weight
    counted = Counted(pack(np.eye(160, 192, dtype=bool)), np.ones(160, bool), np.zeros((1, 192), int),
                      weight[None], np.array([limit]), exact=True, left=())  # fmt: skip
    sets = LimitedSets(counted, Penalised(rows, np.zeros(160, int), np.zeros(1, int), 1), 2)
    assert sets.run(0, lambda share: True)
    assert (sets.best, sorted(sets.choice)) == (limit, sorted([place, other]))


@needs_core
def test_what_nothing_can_stand_in_for_is_enough() -> None:
    """Whatever the limits are, the best set of what is left is as good; and some patterns are dropped."""
    dropped = 0
    for seed in range(200):
        tiny = Tiny(seed, least=-(seed % 2))
        if seed % 3 == 0:  # by price and length, as constraints count patterns
            tiny.on_patterns[:] = tiny.price * tiny.rng.integers(-1, 2, (len(tiny.limit), 1))
        value = np.zeros(64, dtype=np.int64)
        value[: len(tiny.value)] = tiny.value
        left = undominated(tiny.counted, Valued(value, tiny.price), lambda share: True)
        sets = [c for k in range(tiny.most + 1) for c in combinations(range(len(tiny.price)), k)]
        gain, amounts = np.array([*map(tiny.gain, sets)]), np.array([*map(tiny.amounts, sets)])
        among = np.array([set(c) <= set(left.tolist()) for c in sets])
        dropped += len(tiny.price) - len(left)
        for _ in range(3):
            within = (amounts <= amounts[int(tiny.rng.integers(len(sets)))]).all(axis=1)
            assert (within & among).any()
            assert gain[within & among].max() == gain[within].max(), seed
    assert dropped > 100


def counted_by(on_patterns: list[int], limit: int) -> tuple[Counted, Valued]:
    """Patterns on four rows worth 2 each, at a price of 1; each covers all that the one before does, and one
    more. They count by themselves alone."""
    K = len(on_patterns)
    covers = np.tri(K, 4, dtype=bool)
    sums = np.zeros((1, 64), int), np.array([on_patterns]), np.array([limit])
    value = np.zeros(64, dtype=np.int64)
    value[:4] = 2
    return Counted(pack(covers), np.ones(K, bool), *sums, exact=True, left=()), Valued(value, np.ones(K, int))


@needs_core
def test_who_counts_more_stands_in_for_nobody_as_dear() -> None:
    for on_patterns, left in (([1, 1, 1], [2]), ([0, 0, 1], [0, 1, 2]), ([0, 1, 1], [0, 1, 2])):
        counted, valued = counted_by(on_patterns, 0)
        assert undominated(counted, valued, lambda share: True).tolist() == left
    counted, valued = counted_by([1, 1, 1], 0)
    assert undominated(counted, valued, lambda share: False).tolist() == [0, 1, 2]


def test_local_search_ends_with_what_is_enough() -> None:
    """The largest pattern gains 5; for whom 0 is enough, the empty set does."""
    counted, valued = counted_by([0, 0, 0], 0)
    for enough, best in ((0, 0), (None, 5)):
        search = ConstrainedSearch(counted, valued, 3)
        search.run([()], enough=enough)
        assert search.best == best


def test_local_search_neither_exceeds_the_number_of_patterns_nor_counts_one_twice() -> None:
    apart, value, price = pack(np.eye(3, 64, dtype=bool)), np.zeros(64, dtype=np.int64), np.ones(3, int)
    for gains, on_patterns, limit, most, best in (
        ([9, 8, 8], 0, 0, 1, (0,)),  # the start has three
        ([3, -4, -9], -1, -2, 2, (0, 1)),  # two at least: neither of the others is good for anything
        ([3, -4, -9], -1, -3, 3, (0, 1, 2)),
    ):
        value[:3] = gains
        sums = np.zeros((1, 64), int), np.full((1, 3), on_patterns), np.array([limit])
        counted = Counted(apart, np.ones(3, bool), *sums, exact=True, left=())
        search = ConstrainedSearch(counted, Valued(value, price), most)
        search.run([(0, 1, 2)] if most == 1 else [()])
        assert search.choice == best


def test_the_most_that_a_set_seen_is_worth() -> None:
    """Whether or not it keeps to the limits, but not if it has too many patterns."""
    value, sums = np.zeros(64, dtype=np.int64), np.zeros((1, 64), dtype=np.int64)
    value[:3], sums[0, :3] = (9, 8, 8), (1, 1, 5)
    counted = Counted(pack(np.eye(3, 64, dtype=bool)), np.ones(3, bool), sums, np.array([[0, 1, 0]]),
                      np.array([2]), exact=True, left=())  # fmt: skip
    search = ConstrainedSearch(counted, Valued(value, np.ones(3, int)), 2)
    search.run([(0, 1, 2), (0, 1), (0, 2)], rounds=0)
    assert search.most(np.array([0]), 1) == 15
    assert search.most(np.array([8]), 4) == max(4 * 15 - 8 * 3, 4 * 15 - 8 * 6, 0)
    assert search.most(np.array([1000]), 1) == 0


@pytest.mark.parametrize("fast", [False, pytest.param(True, marks=needs_core)])
def test_what_patterns_add_to_sums_beside_others(monkeypatch: pytest.MonkeyPatch, fast: bool) -> None:
    monkeypatch.setattr("ooa.search.constrained.compiled", lambda: fast)
    rng = np.random.default_rng(4)
    covers, rows, own = rng.random((6, 90)) < 0.4, rng.integers(-3, 4, 90), rng.integers(-2, 3, 6)
    found = _Marginal(rows, own, pack(covers), 1).of(pack(covers[:1]))
    assert found.tolist() == [rows[one & ~covers[0]].sum() + more for one, more in zip(covers, own)]
    assert _Marginal(0 * rows, own, pack(covers), 1).of(pack(covers[:1])).tolist() == own.tolist()


@needs_core
def test_weights_whose_sums_would_be_too_large_are_refused() -> None:
    value = np.full(64, 1 << 50)
    counted = Counted(pack(np.ones((1, 64), bool)), np.ones(1, bool), np.ones((1, 64), int),
                      np.zeros((1, 1), int), np.array([1]), exact=True, left=())  # fmt: skip
    with pytest.raises(ValueError, match="weights too large"):
        LimitedSets(counted, Penalised(value, np.ones(1, int), np.zeros(1, int), 1), 3)
