"""Optimal replacement: counted right, never worse than its start, reproducible; it finds planted rules."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from support.pattern_cases import all_patterns, random_problem

from ooa.candidates.generate import candidate_literals
from ooa.clock import Deadline, WorkClock
from ooa.data.table import Table
from ooa.kernels.availability import compiled
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet
from ooa.search.best_pattern import PatternSearch
from ooa.search.replacement import Replacement

pytestmark = pytest.mark.skipif(not compiled(), reason="the core is not compiled")


def gain_of(holds, positive, negative, price, patterns) -> int:
    covered = np.zeros(len(positive), dtype=bool)
    for items in patterns:
        covered |= holds[list(items)].all(axis=0)
    costs = sum(int(price[len(items)]) for items in patterns)
    return int(positive[covered].sum() - negative[covered].sum()) - costs


def over(literals, positive, negative, price, most=None, least=0) -> Replacement:
    """The search over some literals."""
    return Replacement(PatternSearch(literals, positive, negative, price, least), positive, negative, most)


def planted(rows: int, columns: int, seed: int = 0):
    """Two rules of three literals in numeric noise: columns, labels, and which rows the rules hold for."""
    rng = np.random.default_rng(seed)
    X = rng.random((rows, columns)).round(2)
    fires = (X[:, 7] > 0.5) & (X[:, 20] <= 0.7) & (X[:, 33] > 0.3)
    fires |= (X[:, 4] <= 0.4) & (X[:, 12] > 0.6) & (X[:, 50] > 0.2)
    label = fires ^ (rng.random(rows) < 0.05)
    return {f"x{j}": X[:, j] for j in range(columns)}, label, fires


@pytest.mark.parametrize("seed", range(10))
def test_counted_right_and_no_single_step_is_left(seed: int):
    """Nothing better is one replacement, addition or removal away, by brute force."""
    rng = np.random.default_rng(seed)
    for _ in range(10):
        literals, holds, positive, negative, price = random_problem(rng, attributes=3)
        most = int(rng.integers(1, 4))
        told = []
        search = over(literals, positive, negative, price, most)
        found = search.run(seed=seed, rounds=5, improved=told.append)
        gain = partial(gain_of, holds, positive, negative, price)
        assert search.gain == gain(found) == search.gain_of(found) >= 0
        assert len(found) <= most
        assert [gain(one) for one in told] == sorted({gain(one) for one in told})
        assert not told or told[-1] == found
        every = [items for items, _ in all_patterns(literals, holds, len(price) - 1)]
        for k in range(len(found)):
            others = found[:k] + found[k + 1 :]
            assert gain(others) <= search.gain
            assert all(gain((*others, items)) <= search.gain for items in every)
        if len(found) < most:
            assert all(gain((*found, items)) <= search.gain for items in every)
        for items in search.collected(1000):
            assert items in every


def test_a_start_is_never_lost():
    rng = np.random.default_rng(2)
    for _ in range(40):
        literals, holds, positive, negative, price = random_problem(rng)
        every = [items for items, _ in all_patterns(literals, holds, len(price) - 1)]
        start = tuple(every[k] for k in rng.permutation(len(every))[:3])
        before = gain_of(holds, positive, negative, price, start)
        for options in ({}, {"deadline": Deadline.after(0.0, WorkClock())}, {"rounds": 0}):
            search = over(literals, positive, negative, price, 3)
            assert gain_of(holds, positive, negative, price, search.run([start], **options)) >= max(0, before)


def test_least_support_holds_for_every_pattern():
    rng = np.random.default_rng(3)
    found = 0
    for _ in range(60):
        literals, holds, positive, negative, price = random_problem(rng)
        least = max(1, int(positive.sum()) // 4)
        search = over(literals, positive, negative, price, 3, least)
        for items in (*search.run(rounds=5), *search.collected(1000)):
            assert positive[holds[list(items)].all(axis=0)].sum() >= least
            found += 1
    assert found > 20


def test_planted_rules_of_three_literals_are_found_in_a_wide_table():
    X, label, fires = planted(2_000, 60)
    rows = Table.from_any(X, label).distinct()
    literals = candidate_literals(rows, thresholds="quantiles", max_thresholds=9)
    assert len(literals) == 60 * 18
    positive, negative = rows.positive.astype(np.int64), rows.negative.astype(np.int64)
    price = 10 + 10 * np.arange(4)
    search = over(literals, positive, negative, price, 5)
    found = search.run(rounds=0)
    rules = RuleSet([Pattern(literals.literals[k] for k in items) for items in found])
    predicted = rules.predict(X)
    errors = int((predicted != label).sum())
    assert search.gain == positive.sum() - errors - sum(price[len(items)] for items in found)
    assert (predicted == fires).mean() > 0.97  # but for cuts that are near the planted ones, not at them
    assert {literal.attribute for pattern in rules for literal in pattern} == {
        f"x{j}" for j in (4, 7, 12, 20, 33, 50)
    }


def test_the_same_seed_gives_the_same_answer():
    rng = np.random.default_rng(4)
    literals, _, positive, negative, price = random_problem(rng)
    runs = [over(literals, positive, negative, price, 3).run(seed=s) for s in (0, 0, 5, 5)]
    assert runs[0] == runs[1]
    assert runs[2] == runs[3]


def test_nothing_new_is_begun_at_a_deadline(monkeypatch):
    X, label, _ = planted(300, 60)
    rows = Table.from_any(X, label).distinct()
    weights = rows.positive.astype(np.int64), rows.negative.astype(np.int64)
    runs, begun, run = [], [], PatternSearch.run

    def noting(self, *arguments):
        begun.append(clock.instant)
        return run(self, *arguments)

    monkeypatch.setattr(PatternSearch, "run", noting)
    for _ in range(2):
        search = over(candidate_literals(rows), *weights, 1 + np.arange(4), 5)
        clock = WorkClock()
        deadline = Deadline.after(80, clock)
        found = search.run(rounds=10**6, deadline=deadline)
        assert begun[-1] <= deadline.end + 2  # two looks for its share of the time
        assert clock.instant <= deadline.end + 12  # each way to grow looks twice, and begins nothing
        assert search.searches > 5
        runs.append(found)
    assert runs[0] == runs[1]  # on a clock that counts work, the same on any machine
