"""Generation: no set of patterns gains more than the bound, whatever the multipliers, and none is missing."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from support.clocks import HandClock
from support.pattern_cases import all_patterns, random_problem

from ooa.clock import Deadline
from ooa.kernels.availability import compiled
from ooa.search import best_pattern
from ooa.search.best_pattern import PatternSearch, RowValues
from ooa.search.generation import Generation
from ooa.search.pair_bound import Separation
from ooa.solving.params import SolveParams
from ooa.solving.registry import get_backend

pytestmark = pytest.mark.skipif(not compiled(), reason="the core is not compiled")


def worth_of(rows, values: RowValues, price: int) -> int:
    """What a pattern is worth, row by row."""
    both = rows[values.pairs[:, 0]] & rows[values.pairs[:, 1]]
    return int(values.own[rows].sum() - values.amount[both].sum() - values.scale * price)


def random_values(rng: np.random.Generator, n_rows: int) -> RowValues:
    n = int(rng.choice([0, 1, 10, 64, 100]))
    own = rng.integers(0, int(rng.choice([2, 40])), n_rows) * (rng.random(n_rows) < 0.7)
    return RowValues(own, rng.integers(0, n_rows, (n, 2)), rng.integers(0, 9, n), int(rng.choice([1, 3])))


@pytest.mark.parametrize("seed", range(7))
def test_no_pattern_is_worth_more(seed: int, monkeypatch: pytest.MonkeyPatch):
    """By rows and pairs of rows; and where the search is stopped, none is worth more than its bound."""
    rng, stopped = np.random.default_rng(seed), 0
    for _ in range(60):
        literals, holds, positive, negative, price = random_problem(rng)
        values = random_values(rng, literals.n_rows)
        worth = {
            items: worth_of(rows, values, price[len(items)])
            for items, rows in all_patterns(literals, holds, len(price) - 1)
        }
        most, known = max([0, *worth.values()]), int(rng.integers(0, 9))
        search = PatternSearch(literals, positive, negative, price)
        found = search.most_valuable(values, known)
        assert found.exact
        assert found.value == found.bound == max(most, known)
        assert not found.items or worth[found.items] == found.value
        assert all(worth[items] == gain for gain, items in found.good)
        with monkeypatch.context() as patch:
            patch.setattr(best_pattern, "WORK", 1)
            rounds = iter(range(int(rng.integers(1, 6))))
            cut = search.most_valuable(values, known, lambda rounds=rounds: next(rounds, None) is not None)
        assert cut.value <= max(most, known) <= cut.bound
        stopped += not cut.exact
    assert stopped > 1


def best_sets(literals, holds, positive, negative, price, K):
    """Every set of at most K of all patterns, with its gain."""
    patterns = list(all_patterns(literals, holds, len(price) - 1))
    if len(patterns) > 60:
        return None
    worth, found = positive - negative, [((), 0)]
    for size in range(1, K + 1):
        for chosen in combinations(patterns, size):
            union = np.logical_or.reduce([rows for _, rows in chosen])
            gain = int(worth[union].sum()) - sum(int(price[len(items)]) for items, _ in chosen)
            found.append((tuple(items for items, _ in chosen), gain))
    return found


def generation(literals, positive, negative, price, K) -> Generation:
    patterns = PatternSearch(literals, positive, negative, price)
    return Generation(patterns, positive - negative, K, get_backend("highs"), SolveParams())


def problems(rng: np.random.Generator, number: int):
    """Small problems, each with all its sets."""
    while number:
        problem, K = random_problem(rng, attributes=3), int(rng.integers(1, 4))
        sets = best_sets(*problem, K)
        if sets is not None:
            number -= 1
            yield problem, K, sets


@pytest.mark.parametrize("seed", range(4))
def test_any_multipliers_whatever_give_a_bound(seed: int):
    """Nothing rests on the program: drawn at random, clipped or not, above the weights or below."""
    rng = np.random.default_rng(seed)
    for (literals, holds, positive, negative, price), K, sets in problems(rng, 50):
        search = generation(literals, positive, negative, price, K)
        m, k = len(search._here), len(search._there)
        n = 20 if m and k else 0
        search._program.pairs = np.column_stack(
            [rng.integers(0, max(m, 1), n), rng.integers(0, max(k, 1), n)]
        )
        high = float(rng.choice([0.3, 1.5])) * max(1, positive.max())
        now = search._whole(rng.uniform(0, high, m), rng.uniform(-high, high, n).clip(0))
        most = search._priced(now, Deadline.after(None)).bound
        best = max(gain for _, gain in sets)
        assert (now.given + K * most) // now.values.scale >= best
        rows = dict(all_patterns(literals, holds, len(price) - 1))
        for chosen, gain in sets:
            least = now.threshold(gain, most, K)
            assert all(worth_of(rows[z], now.values, price[len(z)]) >= least for z in chosen)


@pytest.mark.parametrize("seed", range(4))
def test_no_set_gains_more_than_the_bound(seed: int):
    """In every round, from any start, for weights, ties, missing values, rows of both classes, any K."""
    rng, closed = np.random.default_rng(seed), 0
    for (literals, holds, positive, negative, price), K, sets in problems(rng, 25):
        best = max(gain for _, gain in sets)
        search, bounds = generation(literals, positive, negative, price, K), []
        everything = [items for items, _ in all_patterns(literals, holds, len(price) - 1)]
        search.add(everything[k] for k in rng.permutation(len(everything))[: int(rng.integers(0, 4))])
        needed = best if rng.random() < 0.5 else 0
        search.run(needed, improved=lambda search=search, bounds=bounds: bounds.append(search.bound))
        assert all(bound >= best for bound in bounds)
        assert search.bound >= best
        assert search.final or search.bound <= needed
        closed += search.bound == best
    assert closed > 5


def test_nothing_that_prices_out_is_missing():
    """Once it is final, the bound is about that of the program over all patterns at once."""
    rng = np.random.default_rng(3)
    for _ in range(5):
        literals, holds, positive, negative, price = random_problem(rng, attributes=4)
        while len(positive) < 60 or not 60 < len(list(all_patterns(literals, holds, 3))) < 4000:
            literals, holds, positive, negative, price = random_problem(rng, attributes=4)
        search = generation(literals, positive, negative, price, 3)
        search.run(needed=0)
        worth, patterns = positive - negative, list(all_patterns(literals, holds, len(price) - 1))
        covers = np.array([rows for _, rows in patterns])
        listed = Separation(
            np.ascontiguousarray(covers[:, worth > 0]),
            np.ascontiguousarray(covers[:, worth < 0]),
            worth[worth > 0].astype(float),
            -worth[worth < 0].astype(float),
            np.array([price[len(items)] for items, _ in patterns]),
            3,
            get_backend("highs"),
            SolveParams(),
        )
        listed.run(needed=0)
        assert search.bound <= listed.bound + 0.03 * np.abs(worth).sum()
        assert len(search.pool) < len(patterns)


def test_time_that_is_over_leaves_a_valid_bound():
    rng, clock = np.random.default_rng(0), HandClock()
    literals, _, positive, negative, price = random_problem(rng)
    search = generation(literals, positive, negative, price, 2)
    over = Deadline.after(1.0, clock)
    clock.move()
    search.run(0, over)
    assert search.bound == (positive - negative).clip(0).sum()
    assert not search.final
    assert search.best is None
