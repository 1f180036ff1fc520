"""The exact search on bitsets: against brute force, and its bounds against linear programs."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from support.branching_cases import (
    always,
    best_gain,
    bound_alone,
    boxes,
    gain,
    multipliers_bound,
    problem,
    relaxed,
)
from support.sweeps import sweep

from ooa.data.bitsets import pack
from ooa.kernels.availability import compiled
from ooa.search.branch_and_bound import MOST_UNITS, Branching
from ooa.solving.params import SolveParams
from ooa.solving.registry import get_backend

pytestmark = pytest.mark.skipif(not compiled(), reason="the core is not compiled")


@pytest.mark.parametrize("seed", range(sweep(150, of=300)))
def test_the_search_finds_and_proves_what_brute_force_finds(seed):
    rng = np.random.default_rng(seed)
    covers, positive, negative, price, max_patterns = problem(rng)
    best = best_gain(covers, positive, negative, price, max_patterns)
    search = Branching(pack(covers), positive, negative, price, max_patterns)
    search.quick = seed % 3 == 0
    if seed % 2:
        search.drop_dominated(always)
    assert search.run(0, 0, always)
    assert search.best == best
    assert gain(covers, positive, negative, price, search.choice) == best
    assert len(search.choice) <= max_patterns
    # What is excluded is excluded rightly, and nothing that exceeds the target is missed.
    target = int(rng.integers(0, best + 3))
    assert search.run(target, target, always)
    assert search.best == max(best, target)
    assert bool(search.choice) == (best > target)


def test_a_target_above_the_best_known_excludes_only_what_exceeds_it():
    rng = np.random.default_rng(5)
    for _ in range(50):
        covers, positive, negative, price, max_patterns = problem(rng)
        best = best_gain(covers, positive, negative, price, max_patterns)
        search = Branching(pack(covers), positive, negative, price, max_patterns)
        assert search.run(best + 2, 0, always)
        assert search.best <= best
        if search.choice:
            assert gain(covers, positive, negative, price, search.choice) == search.best


def test_many_patterns_with_much_overlap():
    """Enough patterns for the multipliers to be at work; the reference is the search without dominance."""
    rng = np.random.default_rng(2)
    for _ in range(5):
        rows = 120
        label = rng.random(rows) < 0.5
        centre = rng.random((300, 3))
        points = rng.random((rows, 3))
        covers = (np.abs(points[None] - centre[:, None]) < rng.uniform(0.2, 0.6, (300, 1, 1))).all(axis=2)
        positive, negative = label.astype(float), (~label).astype(float)
        price = rng.integers(1, 4, 300)
        plain = Branching(pack(covers), positive, negative, price, 3)
        assert plain.run(0, 0, always)
        pairs = best_gain(covers[:40], positive, negative, price[:40], 3)
        few = Branching(pack(covers[:40]), positive, negative, price[:40], 3)
        assert few.run(0, 0, always)
        assert few.best == pairs
        fewer = Branching(pack(covers), positive, negative, price, 3)
        fewer.quick = True
        fewer.drop_dominated(always)
        assert len(fewer) < 300
        assert fewer.run(0, 0, always)
        assert fewer.best == plain.best == gain(covers, positive, negative, price, fewer.choice)


def test_a_search_that_is_told_to_stop_has_proved_nothing():
    covers, positive, negative, price, max_patterns = problem(np.random.default_rng(1))
    search = Branching(pack(covers), positive, negative, price, max_patterns)
    search.drop_dominated(lambda share: False)
    assert len(search) == len(price)
    assert not search.run(0, 0, lambda share: False)


@pytest.mark.parametrize("seed", range(150))
def test_a_search_that_is_stopped_anywhere_has_a_bound_that_holds(seed, monkeypatch):
    """Many near-equal patterns, so that what first patterns stand in for is dropped at every target."""
    monkeypatch.setattr("ooa.search.branch_and_bound.WORK", 1)
    covers, positive, negative, price = alike(seed, 14, 40, spread=0.03)
    best = best_gain(covers, positive, negative, price, 2)
    search = Branching(pack(covers), positive, negative, price, 2)
    search.quick = seed % 3 == 1
    if seed % 3 == 0:
        best = max(best, 0)
        search.add_pair_cuts(max(0, best - 3), get_backend("highs"), SolveParams())
    for target in (best, max(0, best - 2), best // 2, 0):
        for looks in range(1, 12):
            left = iter([True] * looks)
            done = search.run(target, 0, lambda share, left=left: next(left, False))
            assert search.bound >= max(best, target)
            if done:
                assert search.bound == max(best, target)
                break


def alike(seed: int, patterns: int, rows: int, *, spread: float):
    """Boxes three times each, with some rows changed: coverage, weights by class, prices."""
    rng = np.random.default_rng(seed)
    covers, label, price = boxes(seed, patterns, rows)
    covers = np.repeat(covers, 3, axis=0) ^ (rng.random((3 * patterns, rows)) < spread)
    price = np.repeat(price, 3) + rng.integers(0, 2, 3 * patterns)
    weight = rng.integers(1, 4, rows)
    return covers, (label * weight).astype(float), (~label * weight).astype(float), price


@pytest.mark.parametrize("seed", range(200))
def test_what_a_search_had_done_when_it_was_stopped_need_not_be_done_again(seed, monkeypatch):
    """Stopped again and again, at the same target or at higher ones, from nothing known or something."""
    monkeypatch.setattr("ooa.search.branch_and_bound.WORK", 1)
    rng = np.random.default_rng(seed)
    covers, positive, negative, price = alike(seed, 12, 40, spread=[0.01, 0.03, 0.2][seed % 3])
    best = best_gain(covers, positive, negative, price, 2)
    search = Branching(pack(covers), positive, negative, price, 2, threads=1 + seed % 2)
    search.free = seed % 4 == 3
    known, done, dropped, turn = int(rng.integers(0, max(best, 1))), False, 0, 3
    while not done:
        gap, turn = int(rng.choice([0, 0, 3])), turn + 1  # the next is stopped later
        looks = iter([True] * int(rng.integers(1, 2**turn)))
        done = search.run(known + gap, known, lambda share, looks=looks: next(looks, False))
        assert search.bound >= max(best, known + gap)
        assert search.best <= max(best, known)
        known, done = max(known, search.best), done and gap == 0
        before = len(search)
        search.drop_settled(known)
        dropped += before - len(search)
        if seed % 5 == 0 and rng.random() < 0.3:
            assert search.add_pair_cuts(known, get_backend("highs"), SolveParams()) >= max(best, known)
    assert known == max(best, 0)
    assert dropped == len(search.settled) == len(set(search.settled) - set(search.names))


def test_what_is_settled_at_one_target_is_not_at_a_lower_one(monkeypatch):
    monkeypatch.setattr("ooa.search.branch_and_bound.WORK", 1)
    covers, positive, negative, price = alike(1, 12, 40, spread=0.03)
    best = best_gain(covers, positive, negative, price, 2)
    search, looks = Branching(pack(covers), positive, negative, price, 2), iter([True] * 3)
    assert not search.run(best, best, lambda share: next(looks, False))
    everything = len(search)
    search.drop_settled(best - 1)  # a lower target may come
    assert len(search) == everything
    search.drop_settled(best)
    assert len(search) < everything
    with pytest.raises(ValueError, match=f"up to {best}"):
        search.run(best - 1, best - 1, always)
    assert search.run(best, best, always)


def test_a_search_that_is_stopped_knows_more_the_further_it_got(monkeypatch):
    monkeypatch.setattr("ooa.search.branch_and_bound.WORK", 1)
    covers, label, price = boxes(3, 300, 120)
    weights = label.astype(float), (~label).astype(float)
    search, bounds = Branching(pack(covers), *weights, price, 3), []
    assert search.run(0, 0, always)
    best = search.best
    for looks in (0, 1, 400):
        left = iter([True] * looks)
        search.run(best, best, lambda share, left=left: next(left, False))
        bounds.append(search.bound)
    assert bounds[0] == label.sum() > bounds[1] >= bounds[2] >= best


@pytest.mark.parametrize("seed", range(60))
def test_threads_that_share_at_once_find_the_same_gain(seed):
    """Whoever is faster; near-equal patterns, so that some of them drop what others are about to take."""
    rng = np.random.default_rng(seed)
    covers, label, price = boxes(seed, 40, 60)
    covers = np.repeat(covers, 4, axis=0) ^ (rng.random((160, 60)) < 0.02)
    price = np.repeat(price, 4)
    weights = label.astype(float), (~label).astype(float)
    one = Branching(pack(covers), *weights, price, 3)
    many = Branching(pack(covers), *weights, price, 3, threads=3)
    many.free = True
    assert one.run(0, 0, always)
    for target in (0, one.best - 1, one.best, one.best + 1):
        assert many.run(max(target, 0), 0, always)
        assert many.bound == max(one.best, target)
        if many.choice:
            assert gain(covers, *weights, price, many.choice) == many.best <= one.best
        assert target >= one.best or many.best == one.best


@pytest.mark.parametrize("seed", range(20))
def test_lists_long_enough_for_multipliers_and_replacements(seed):
    """Boxes around points, alike as patterns over thresholds are; all triples are counted at once."""
    rng = np.random.default_rng(100 + seed)
    n, rows = 45, int(rng.integers(60, 200))
    centre, points = rng.random((n, 2)), rng.random((rows, 2))
    covers = (np.abs(points[None] - centre[:, None]) < rng.uniform(0.1, 0.4, (n, 1, 2))).all(axis=2)
    label = (points[:, 0] > 0.5) ^ (rng.random(rows) < 0.3)
    weight = rng.integers(1, 4, rows)
    price = rng.integers(0, 8, n)
    signed = np.where(label, weight, -weight)
    three = np.array(list(combinations(range(n), 3)))
    gains = (covers[three].any(axis=1) * signed).sum(axis=1) - price[three].sum(axis=1)
    best = max(int(gains.max()), best_gain(covers, label * weight, ~label * weight, price, 2))
    search = Branching(
        pack(covers), (label * weight).astype(float), (~label * weight).astype(float), price, max_patterns=3
    )
    if seed % 2:
        search.drop_dominated(always)
    assert search.run(0, 0, always)
    assert search.best == best


@pytest.mark.parametrize("seed", range(10))
def test_negatives_that_a_pattern_has_are_no_loss_with_the_next(seed):
    """Heavy negatives that nearly all patterns share: whoever counts them again excludes the best sets."""
    rng = np.random.default_rng(seed)
    n, positives, negatives = 14, 24, 8
    covers = np.hstack([rng.random((n, positives)) < 0.25, rng.random((n, negatives)) < 0.9])
    label = np.arange(positives + negatives) < positives
    weight = np.where(label, rng.integers(1, 4, len(label)), rng.integers(2, 5, len(label))).astype(float)
    price = rng.integers(0, 2, n)
    best = best_gain(covers, weight * label, weight * ~label, price, 3)
    search = Branching(pack(covers), weight * label, weight * ~label, price, 3)
    assert search.run(max(best - 1, 0), 0, always)
    assert search.best == best


@pytest.mark.parametrize("seed", range(12))
def test_multipliers_keep_every_pattern_of_every_good_choice(seed):
    covers, label, price = boxes(seed, 24, 90)
    signed = np.where(label, 1, -1)
    sets = [one for size in (1, 2, 3) for one in combinations(range(24), size)]
    gains = [int(signed[covers[list(one)].any(axis=0)].sum() - price[list(one)].sum()) for one in sets]
    for needed in (max(gains) + 1, max(gains), max(gains) - 1, max(gains) - 4, 0):
        kept, bound = multipliers_bound(covers, label, price, 3, needed)
        assert bound >= max(needed, max(gains))
        for one, worth in zip(sets, gains, strict=True):
            assert worth <= needed or kept.issuperset(one)


@pytest.mark.parametrize(
    ("n", "positive", "negative", "price", "most"),
    [(12, 2**24, 0, 1, 4), (12, 2**24 + 15, 0, 1_600, 4), (60, 2**24, 2**10 + 1, 1_600, 1)],
    ids=["prices", "positives", "negatives"],
)
def test_multipliers_round_large_weights_to_the_safe_side(n, positive, negative, price, most):
    """Their unit is 16 or 64, and one of the three is no multiple of it: nothing makes up for that."""
    covers = np.arange(64 * n) // 64 == np.arange(n)[:, None]
    if negative:
        covers = np.tile(covers, 2)
    label = np.arange(covers.shape[1]) < 64 * n
    weight = np.where(label, positive, negative)
    best = most * (64 * (positive - negative) - price)
    kept, bound = multipliers_bound(covers, label, np.full(n, price), most, best - 1, weight)
    assert bound >= best
    assert kept == set(range(n))


@pytest.mark.parametrize("seed", range(4))
def test_multipliers_come_close_to_the_best_there_are(seed):
    covers, label, price = boxes(50 + seed, 150, 120)
    ideal = relaxed(covers, label, price, 4)
    _, bound = multipliers_bound(covers, label, price, 4, needed=0)
    plain = int(np.sort(covers[:, label].sum(axis=1) - price)[-4:].sum())  # each row once per pattern
    assert bound <= 1.1 * ideal + 1 < plain


def test_pairs_of_rows_bring_the_bound_below_what_rows_alone_can():
    """The relaxation without pair cuts is the limit of all multipliers of rows; pairs go beyond it."""
    below = 0
    for seed in range(50, 90):
        covers, label, price = boxes(seed, 40, 60)
        _, bound = multipliers_bound(covers, label, price, 4, needed=0)
        below += bound < relaxed(covers, label, price, 4) - 1e-6
    assert below >= 4


def test_weights_whose_sums_would_round_are_refused():
    covers = np.ones((2, 4096), dtype=bool)
    with pytest.raises(ValueError, match="too large"):
        Branching(pack(covers), np.full(4096, 2.0**25), np.zeros(4096), np.ones(2, int), 2)


def test_a_tight_case_with_the_largest_weights_allowed():
    """Four patterns that part the rows among them: no bound may fall a unit short of them."""
    part, rng = 256, np.random.default_rng(0)
    rows = 4 * part
    covers = np.zeros((74, rows), dtype=bool)
    for k in range(4):
        covers[k, k * part : (k + 1) * part] = True
    for k in range(4, 74):
        covers[k, part + rng.choice(3 * part, part, replace=False)] = True
    price = np.ones(74, dtype=np.int64)
    price[0] = 0
    for weight in rng.integers(MOST_UNITS // rows**2 // 8, MOST_UNITS // rows**2 // 4, 8).tolist():
        best = rows * weight - 3
        search = Branching(pack(covers), np.full(rows, float(weight)), np.zeros(rows), price, 4)
        assert search.run(best - 1, best - 1, always)
        assert search.best == best


@pytest.mark.parametrize("price", range(1, 6))
def test_patterns_that_just_earn_their_prices_beside_each_other(price):
    """Each has one row more of its own than it costs; two of the three share all others."""
    own, shared = price + 1, 10
    sizes = np.cumsum([shared, own, own, own])
    covers = np.zeros((3, sizes[-1]), dtype=bool)
    covers[:2, :shared] = True
    for z in range(3):
        covers[z, sizes[z] : sizes[z + 1]] = True
    weights, best = (np.ones(sizes[-1]), np.zeros(sizes[-1])), int(sizes[-1]) - 3 * price
    search = Branching(pack(covers), *weights, np.full(3, price), 3)
    assert search.run(best - 1, best - 1, always)
    assert (search.best, sorted(search.choice)) == (best, [0, 1, 2])


def test_weights_between_the_numbers_of_single_precision():
    """Multipliers of rows that stay uncovered go up to the weights, and may not be rounded beyond them."""
    owner = np.arange(12 * 64) // 64
    covers, price = owner == np.arange(12)[:, None], np.ones(12, dtype=int)
    for weight in (2.0**25 + 3, 2.0**26 - 1):
        assert float(np.float32(weight)) > weight
        best = int(4 * 64 * weight) - 4
        search = Branching(pack(covers), np.full(len(owner), weight), np.zeros(len(owner)), price, 4)
        assert search.run(best - 1, best - 1, always)
        assert search.best == best


@pytest.mark.parametrize("seed", range(40))
def test_counting_keeps_every_pattern_of_every_good_choice(seed):
    """Many alike, so that classes of negatives and the largest values in them matter."""
    rng = np.random.default_rng(seed)
    n, most = 14, int(rng.integers(1, 5))
    covers, label, price = boxes(seed, n, int(rng.integers(20, 120)))
    signed = np.where(label, 1, -1)
    sets = [one for size in range(1, most + 1) for one in combinations(range(n), size)]
    gains = [int(signed[covers[list(one)].any(axis=0)].sum() - price[list(one)].sum()) for one in sets]
    best = max(gains)
    dropped = 0
    for needed in (best, best - 1, best - 3, best - 9):
        kept, _ = bound_alone(covers, label, price, most, needed, by_multipliers=False)
        dropped += n - len(kept)
        for one, worth in zip(sets, gains, strict=True):
            if worth > needed:  # but for members that do not pay: it is no worse without these
                paying = [z for z in one if covers[z, label].sum() > price[z]]
                assert kept.issuperset(paying)
    assert dropped


@pytest.mark.parametrize("seed", range(10))
def test_the_answer_does_not_depend_on_the_number_of_threads(seed):
    covers, label, price = boxes(200 + seed, 400, 150)
    found = []
    for threads in (1, 2, 5):
        search = Branching(
            pack(covers), label.astype(float), (~label).astype(float), price, max_patterns=4, threads=threads
        )
        assert search.run(0, 0, always)
        found.append((search.best, search.choice, search.nodes.tolist()))
    assert found[0] == found[1] == found[2]
    assert found[0][0] == gain(covers, label.astype(int), (~label).astype(int), price, found[0][1])


def check_dominance(covers, label, weight, price, threads=1):
    """What is dropped, another one that is kept can stand in for; what is kept, none that is kept can."""
    search = Branching(pack(covers), weight * label, weight * ~label, price, max_patterns=3, threads=threads)
    search.drop_dominated(always)
    lost = (covers * (weight * label)) @ ~covers.T
    caused = (~covers * (weight * ~label)) @ covers.T
    stands_in = lost + caused + price <= price[:, None]
    np.fill_diagonal(stands_in, False)
    kept = np.isin(np.arange(len(price)), search.names)
    assert (stands_in[:, kept].any(axis=1) == ~kept).all()
    return search.names.tolist()


@pytest.mark.parametrize("seed", range(30))
def test_dominance_drops_exactly_what_another_can_stand_in_for(seed):
    rng = np.random.default_rng(seed)
    n, rows = int(rng.integers(2, 60)), int(rng.integers(4, 90))
    covers = rng.random((n, rows)) < rng.choice([0.1, 0.5, 0.9])
    label, weight = rng.random(rows) < rng.choice([0.0, 0.4, 1.0]), rng.integers(1, 4, rows).astype(float)
    check_dominance(covers, label, weight, rng.integers(0, int(rng.choice([2, 30])), n))


@pytest.mark.parametrize("seed", range(4))
def test_dominance_among_more_patterns_than_are_compared_at_a_time(seed):
    rng = np.random.default_rng(seed)
    base = rng.random((40, 30)) < 0.5
    covers = base[rng.integers(40, size=900)] ^ (rng.random((900, 30)) < 0.05)
    label, weight = rng.random(30) < 0.5, rng.integers(1, 4, 30).astype(float)
    price = rng.integers(0, 6, 900)
    names = [check_dominance(covers, label, weight, price, threads) for threads in (1, 3)]
    assert names[0] == names[1]
    assert 100 < len(names[0]) < 800


@pytest.mark.parametrize("seed", range(sweep(60, of=120)))
def test_what_is_hopeless_is_in_no_set_that_gains_more(seed):
    """The best set above what is known is left, and where prices just do not pay nothing is kept for them."""
    covers, positive, negative, price, most = problem(np.random.default_rng([5, seed]))
    most = min(most, 3)
    best = best_gain(covers, positive, negative, price, most)
    for known in {0, max(0, best - 1), max(0, best // 2)}:
        search = Branching(pack(covers), positive, negative, price, most)
        search.drop_hopeless(known)
        kept = search.names
        worth, harm = covers @ positive, covers @ negative
        assert (
            kept.tolist()
            == np.flatnonzero((worth > price) & (positive.sum() - harm - price > known)).tolist()
        )
        left = best_gain(covers[kept], positive, negative, price[kept], most)
        assert max(left, known) == max(best, known)
        assert search.run(known, known, always)
        assert search.bound == max(best, known)
