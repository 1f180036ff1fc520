"""Separation by pair cuts: the linear program's bound, and the search that uses its pairs."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import linprog
from support.branching_cases import (
    always,
    best_gain,
    boxes,
    filtered,
    gain,
    noisy,
    problem,
    search_for,
)
from support.fake_backends import Raises

from ooa.candidates.row_weights import RowWeights
from ooa.clock import Deadline
from ooa.data.bitsets import pack
from ooa.kernels.availability import compiled
from ooa.kernels.sets import RowMultipliers
from ooa.learning.ooax import learn_ooax
from ooa.learning.policy import POLICY
from ooa.search.branch_and_bound import Branching
from ooa.search.pair_bound import Separation
from ooa.solving import SolveParams, Termination, available_backends, get_backend
from ooa.solving.session import Session

pytestmark = pytest.mark.skipif(not compiled(), reason="the core is not compiled")
BACKENDS = [name for name, found in available_backends().items() if found.ok]


def separation(covers, positive, negative, price, max_patterns, backend="highs") -> Separation:
    p, r = positive > 0, negative > 0
    solver = get_backend(backend) if isinstance(backend, str) else backend
    return Separation(
        covers[:, p], covers[:, r], positive[p], negative[r], price, max_patterns, solver, SolveParams()
    )


def good_sets(covers, positive, negative, price, max_patterns, needed):
    """All sets that gain more than needed."""
    for size in range(1, max_patterns + 1):
        for one in combinations(range(len(price)), size):
            if gain(covers, positive, negative, price, one) > needed:
                yield one


@pytest.mark.parametrize("seed", range(60))
def test_nothing_gains_more_than_the_bound_and_nothing_good_is_dropped(seed):
    rng = np.random.default_rng(seed)
    covers, positive, negative, price, max_patterns = problem(rng)
    if seed % 3 == 0:  # rows that are of both classes
        negative = negative + rng.integers(0, 3, len(negative))
    best = best_gain(covers, positive, negative, price, max_patterns)
    needed = int(rng.integers(0, best + 2))
    search = separation(covers, positive, negative, price, max_patterns)
    search.run(needed)
    assert search.bound >= best - 1e-6
    for one in good_sets(covers, positive, negative, price, max_patterns, needed):
        assert set(one) <= set(search.names.tolist())


@pytest.mark.parametrize("seed", range(60))
def test_any_multipliers_whatever_give_a_bound(seed):
    """Nothing rests on the solver: multipliers drawn at random, also such as break the program's rows."""
    rng = np.random.default_rng(seed)
    covers, positive, negative, price, max_patterns = problem(rng)
    while not (positive.any() and negative.any()):
        covers, positive, negative, price, max_patterns = problem(rng)
    search = separation(covers, positive, negative, price, max_patterns)
    m, k = int((positive > 0).sum()), int((negative > 0).sum())
    search._cover = rng.uniform(0, 2, m) * positive.max()
    search.pairs = np.column_stack([rng.integers(0, m, 40), rng.integers(0, k, 40)])
    search._cuts = rng.uniform(-1, 1, 40).clip(0) * positive.max()
    best = best_gain(covers, positive, negative, price, max_patterns)
    search._evaluate(best - 1)
    assert search.bound >= best
    for one in good_sets(covers, positive, negative, price, max_patterns, best - 1):
        assert set(one) <= set(search.names.tolist())
    search._settle()
    assert len(search.own) == m
    assert len(search.pairs) == len(search.amount)
    assert (search.amount > 0).all()


def test_what_a_negative_is_charged_beyond_its_weight_is_given_back():
    """One pattern, whose positive is worth 10 and is charged as much for a negative that weighs 2."""
    search = separation(np.ones((1, 2), dtype=bool), np.array([10, 0]), np.array([0, 2]), np.array([1]), 1)
    search._cover, search._cuts, search.pairs = np.zeros(1), np.array([10.0]), np.array([[0, 0]])
    search._evaluate(0)
    assert search.bound == 8  # the pattern gains 10 - 2 - 1


def with_all_pairs(covers, label, price, max_patterns) -> float:
    """The linear program with every pair at once."""
    right, wrong = covers[:, label].T.astype(float), covers[:, ~label].T.astype(float)
    (m, n), k = right.shape, len(wrong)
    rows = [np.concatenate([np.zeros(m + k), np.ones(n)])]
    for p in range(m):
        rows.append(np.concatenate([np.eye(m)[p], np.zeros(k), -right[p]]))
        rows += [np.concatenate([np.eye(m)[p], -np.eye(k)[r], -right[p] * (1 - wrong[r])]) for r in range(k)]
    cost = np.concatenate([-np.ones(m), np.ones(k), price])
    limits = np.zeros(len(rows))
    limits[0] = max_patterns
    return -linprog(cost, A_ub=np.array(rows), b_ub=limits, bounds=(0, 1)).fun


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_bound_is_that_of_the_program_with_all_pairs(backend):
    covers, label, price = boxes(3, 40, 30)
    ideal = with_all_pairs(covers, label, price, 3)
    search = separation(covers, label.astype(float), (~label).astype(float), price, 3, backend)
    search.run(needed=0)
    assert ideal - 1e-6 <= search.bound <= 1.02 * ideal
    plain = separation(covers, label.astype(float), (~label).astype(float), price, 3, Raises())
    plain.run(needed=0)
    assert plain.bound > 1.2 * search.bound  # what the first guess of the multipliers gives


def test_a_solver_that_fails_leaves_a_bound():
    rng = np.random.default_rng(1)
    covers, positive, negative, price, max_patterns = problem(rng)
    search = separation(covers, positive, negative, price, max_patterns, Raises())
    search.run(needed=0)
    assert search.bound >= best_gain(covers, positive, negative, price, max_patterns)


def test_no_time_leaves_a_bound():
    covers, label, price = boxes(3, 40, 30)
    search = separation(covers, label.astype(float), (~label).astype(float), price, 3)
    search.run(needed=0, deadline=Deadline.after(0.0))
    assert len(search.pairs) == 0
    assert search.bound >= best_gain(covers, label.astype(float), (~label).astype(float), price, 3)


@pytest.mark.parametrize("seed", range(80))
def test_the_search_with_pairs_finds_and_proves_what_brute_force_finds(seed):
    rng = np.random.default_rng(1_000 + seed)
    covers, positive, negative, price, max_patterns = problem(rng)
    if seed % 3 == 0:
        negative = negative + rng.integers(0, 3, len(negative))
    best = best_gain(covers, positive, negative, price, max_patterns)
    search = Branching(pack(covers), positive, negative, price, max_patterns)
    known = int(rng.integers(0, best + 1))
    assert search.add_pair_cuts(known, get_backend("highs"), SolveParams()) >= best
    assert search.run(known, known, always)
    assert search.best == best
    assert bool(search.choice) == (best > known)
    if search.choice:
        assert gain(covers, positive, negative, price, search.choice) == best


@pytest.mark.parametrize("seed", range(12))
def test_long_lists_with_pairs(seed):
    """Enough patterns for multipliers and pairs to be at work; the reference is the search without either."""
    covers, label, price = boxes(100 + seed, 300, 120)
    weights = label.astype(float), (~label).astype(float)
    plain = Branching(pack(covers), *weights, price, 4, multipliers=False)
    assert plain.run(0, 0, always)
    search = Branching(pack(covers), *weights, price, 4)
    known = plain.best - seed % 3
    search.add_pair_cuts(known, get_backend("highs"), SolveParams())
    assert len(search._at_root.amount)
    assert search.run(known, known, always)
    assert search.best == plain.best


def random_multipliers(rng, covers, label) -> RowMultipliers:
    """Of any size: also such as exceed what rows weigh, and negatives that are used up several times over."""
    right, wrong = (RowWeights(rows.astype(float), pack(covers)) for rows in (label, ~label))
    weight = right.word_factors.repeat(64)
    places = [np.flatnonzero(rows.source >= 0) for rows in (right, wrong)]
    many = int(rng.integers(0, 150))
    p, r = (rng.choice(some, many) for some in places)
    own = rng.random(len(weight)) * rng.choice([0.0, 0.5, 1.0, 2.0]) * weight
    return RowMultipliers(own, p, r, rng.random(many) * rng.choice([0.1, 0.5, 2.0]))


@pytest.mark.parametrize("seed", range(60))
def test_any_multipliers_keep_every_pattern_of_every_good_choice(seed):
    rng = np.random.default_rng(seed)
    covers, label, price = boxes(seed, 22, 80)
    by = random_multipliers(rng, covers, label)
    signed = np.where(label, 1, -1)
    sets = [one for size in (1, 2, 3) for one in combinations(range(22), size)]
    gains = [int(signed[covers[list(one)].any(axis=0)].sum() - price[list(one)].sum()) for one in sets]
    best = max(gains)
    for needed in {max(0, best - less) for less in (0, 1, 4, 10)}:
        kept, bound = filtered(covers, label, price, 3, needed, by)
        assert bound >= max(needed, best)
        for one, worth in zip(sets, gains, strict=True):
            assert worth <= needed or kept.issuperset(one)


@pytest.mark.parametrize("seed", range(20))
def test_multipliers_of_pairs_that_some_patterns_do_not_separate(seed):
    """Patterns that separate no pair are worth nothing at first, among such as separate all."""
    rng = np.random.default_rng(seed)
    m, n = int(rng.integers(24, 40)), 20
    right, whole = rng.random((n, m)) < 0.25, rng.random(n) < 0.5
    covers, label = np.hstack([right, right & whole[:, None]]), np.arange(2 * m) < m
    price, weights = rng.integers(1, 4, n), (label.astype(int), (~label).astype(int))
    by = RowMultipliers(np.zeros(64), np.arange(m), np.arange(m), np.full(m, 1.0))
    best = best_gain(covers, *weights, price, 3)
    for needed in (best - 1, best - 3):
        kept, bound = filtered(covers, label, price, 3, needed, by)
        assert bound >= best
        for one in good_sets(covers, *weights, price, 3, needed):
            assert kept.issuperset(one)


@pytest.mark.parametrize("each", range(4, 10))
@pytest.mark.parametrize("most", range(3, 6))
def test_the_search_with_pairs_whose_positives_are_right_already(each, most):
    """The first pattern covers the positives of all pairs; what follows loses nothing to them any more."""
    shared, many = 6, 12
    own = [20, *[each] * many]  # positives that only one of the patterns covers
    covers = np.zeros((1 + many, 2 * shared + sum(own)), dtype=bool)
    covers[:, :shared] = True
    covers[1:, -shared:] = True  # the negatives of the pairs, which the first does not cover
    for z, end in enumerate(shared + np.cumsum(own)):
        covers[z, end - own[z] : end] = True
    label, price = np.arange(covers.shape[1]) < shared + sum(own), np.ones(1 + many, dtype=int)
    places = 64 * -(-int(label.sum()) // 64)
    by = RowMultipliers(np.zeros(places), np.arange(shared), np.arange(shared), np.full(shared, 1.0))
    best = best_gain(covers, label.astype(int), (~label).astype(int), price, most)
    search = search_for(covers, label, price, most, best - 1)
    search.filter(by)
    assert search.advance(1 << 30)
    assert search.best()[0] == best
    assert 0 in search.best()[1]


@pytest.mark.parametrize("seed", range(60))
def test_the_search_from_any_multipliers_finds_what_brute_force_finds(seed):
    """Long lists of patterns that are alike, so that pairs are found and fitted below the root."""
    rng = np.random.default_rng(seed)
    covers, label, price = boxes(500 + seed, 40, int(rng.integers(60, 160)))
    most = 3
    best = best_gain(covers, label.astype(int), (~label).astype(int), price, most)
    for target in (best - 1, max(0, best - 6)):
        search = search_for(covers, label, price, most, target)
        search.filter(random_multipliers(rng, covers, label))
        assert search.advance(1 << 40)
        assert search.best()[0] == best


#: No attempt at the proof before the linear program.
HURRIED = replace(
    POLICY,
    brief_attempt_seconds=0.0,
    first_attempt_seconds=0.0,
    early_attempt_seconds=0.0,
    rough_seconds=0.0,
    attempt_seconds=0.0,
)
OPTIONS = {
    "C1": 0.01,
    "C2": 0.01,
    "max_length": 2,
    "max_patterns": 3,
    "progress": False,
    "policy": HURRIED,
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("relative_gap", [0.0, 0.1])
def test_a_fit_that_needs_the_linear_program(backend, relative_gap):
    table = noisy(np.random.default_rng(31), 80)
    best = learn_ooax(table, selection="ilp", max_candidates=None, **OPTIONS).certificate
    told = learn_ooax(
        table, selection="search", backend=backend, relative_gap=relative_gap, **OPTIONS
    ).certificate
    assert best.proved
    assert "linear program" in told.seconds
    assert told.bound <= best.objective <= told.objective
    if relative_gap == 0.0:
        assert told.proved
        assert told.objective == best.objective


def test_ctrl_c_as_a_linear_program_ends_is_not_lost(monkeypatch):
    """The solver has its optimum all the same; the fit ends nevertheless."""
    solve = Session.solve

    def pressed(self, *given, **told):
        return replace(solve(self, *given, **told), interrupted=True)

    monkeypatch.setattr(Session, "solve", pressed)
    covers, label, price = boxes(3, 40, 30)
    search = separation(covers, label.astype(float), (~label).astype(float), price, 3)
    with pytest.raises(KeyboardInterrupt):
        search.run(0)


def test_ctrl_c_in_the_linear_program(monkeypatch):

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Separation, "_evaluate", interrupted)
    table = noisy(np.random.default_rng(31), 80)
    found = learn_ooax(table, selection="search", **OPTIONS).certificate
    assert found.termination is Termination.INTERRUPTED
    assert not found.proved


class WithoutSense(type(get_backend("highs"))):
    """Claims multipliers that are no numbers."""

    def _result(self):
        result = super()._result()
        if result.duals is not None:
            result.duals[:] = np.nan
        return result


def test_multipliers_that_are_no_numbers_prove_nothing(monkeypatch):
    table = noisy(np.random.default_rng(31), 80)
    options = {"C1": 0.01, "C2": 0.01, "selection": "search", "without": ["incumbent"], "progress": False}
    options["policy"] = HURRIED
    right = learn_ooax(table, **options).certificate
    assert right.proved
    found = learn_ooax(table, backend=WithoutSense(), **options).certificate
    assert found.objective == right.objective


def test_patterns_that_cover_no_negative():
    rng = np.random.default_rng(0)
    covers = np.hstack([rng.random((12, 30)) < 0.2, np.zeros((12, 5), dtype=bool)])
    positive, negative = np.repeat([1.0, 0.0], [30, 5]), np.repeat([0.0, 1.0], [30, 5])
    price = rng.integers(0, 3, 12)
    best = best_gain(covers, positive, negative, price, 4)
    search = Branching(pack(covers), positive, negative, price, 4)
    assert search.add_pair_cuts(0, get_backend("highs"), SolveParams()) >= best
    assert search.run(0, 0, always)
    assert search.best == best


def test_a_second_run_goes_on():
    covers, label, price = boxes(3, 40, 30)
    weights = label.astype(float), (~label).astype(float)
    search = separation(covers, *weights, price, 3)
    search.run(needed=0)
    first = search.bound
    search.run(needed=0)
    assert best_gain(covers, *weights, price, 3) <= search.bound <= first


def test_large_tables_are_left_to_the_search_alone():
    covers = np.ones((2, 6_000), dtype=bool)
    half = np.arange(6_000) < 3_000
    search = Branching(pack(covers), half.astype(float), (~half).astype(float), np.ones(2, dtype=int), 2)
    assert not search.can_add_pair_cuts()


@pytest.mark.parametrize("seed", range(10))
def test_multipliers_of_their_own_where_the_bound_is_tight(seed):
    """Patterns that share no row, and multipliers that are the weights: the bound is the best gain."""
    rng = np.random.default_rng(seed)
    most, rows = int(rng.integers(2, 6)), 64
    owner, label = rng.integers(0, most, rows), np.arange(rows) < 60
    covers, price = (owner == np.arange(most)[:, None]) & label, rng.integers(0, 4, most)
    best = best_gain(covers, label.astype(int), (~label).astype(int), price, most)
    none = np.zeros(0, dtype=np.int64)
    by = RowMultipliers(label.astype(float), none, none, np.zeros(0))  # positives come first in the words
    good = {z for one in good_sets(covers, label, ~label, price, most, best - 1) for z in one}
    kept, bound = filtered(covers, label, price, most, best - 1, by)
    assert bound == best
    assert good <= kept
    assert filtered(covers, label, price, most, best, by) == (set(), best)


@pytest.mark.parametrize("seed", range(10))
def test_pairs_of_their_own_where_the_bound_is_tight(seed):
    """The same by pairs alone, with negatives that a pattern without positives has: whoever covers a positive
    separates it from these.
    """
    rng = np.random.default_rng(seed)
    most, positives, negatives = int(rng.integers(2, 5)), 60, 4
    owner, label = rng.integers(0, most, positives + negatives), np.arange(positives + negatives) < positives
    covers = np.vstack([(owner == np.arange(most)[:, None]) & label, ~label])
    price, weight = rng.integers(0, 4, most + 1), np.where(label, 1, positives)
    best = best_gain(covers, weight * label, weight * ~label, price, most)
    right = np.arange(positives)
    by = RowMultipliers(np.zeros(positives), right, rng.integers(0, negatives, positives), np.ones(positives))
    good = {
        z for one in good_sets(covers, weight * label, weight * ~label, price, most, best - 1) for z in one
    }
    kept, bound = filtered(covers, label, price, most, best - 1, by, weight)
    assert bound == best
    assert good <= kept
    assert filtered(covers, label, price, most, best, by, weight) == (set(), best)


@pytest.mark.parametrize("seed", range(60))
def test_passes_for_lower_and_lower_targets_lose_nothing(seed):
    """Patterns that are nearly alike, so many are dropped at high targets: all must be back at the last."""
    rng = np.random.default_rng(seed)
    n, rows, unit = int(rng.integers(14, 40)), int(rng.integers(15, 40)), 4
    base = rng.random((4, rows)) < 0.4
    covers = np.array([base[rng.integers(4)] ^ (rng.random(rows) < 0.12) for _ in range(n)])
    label, price = rng.random(rows) < 0.6, rng.integers(2, 5, n)
    positive, negative = unit * label.astype(float), unit * (~label).astype(float)
    best = best_gain(covers, positive, negative, price, 3)
    search = Branching(pack(covers), positive, negative, price, 3)
    if seed % 2 and search.can_add_pair_cuts():
        search.add_pair_cuts(0, get_backend("highs"), SolveParams(threads=1))
    for target in (best + 16, best + 10, best + 6, best + 3, best + 1):
        assert search.run(target, 0, always)
    assert search.run(0, 0, always)
    assert search.best == best
    assert gain(covers, positive, negative, price, search.choice) == best
