"""Local search: never worse than its start, often optimal on tiny problems, reproducible, within limits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.brute import optimum, random_tiny

from ooa.candidates.candidates import prices
from ooa.candidates.row_weights import RowWeights
from ooa.clock import Deadline, WorkClock
from ooa.data.bitsets import pack
from ooa.kernels.availability import compiled, what_is_missing
from ooa.search.local_search import LocalSearch


def search_in(tiny, **options):
    price = prices(tiny.candidates, tiny.objective, tiny.total)
    return LocalSearch(
        tiny.candidates.bits, tiny.rows.positive, tiny.rows.negative, price, tiny.max_patterns, **options
    )


@pytest.mark.parametrize("weights", ["unit", "whole", "float"])
def test_tiny_problems(weights):
    rng = np.random.default_rng([1, *map(ord, weights)])
    cases, optimal = 60, 0
    for _ in range(cases):
        tiny = random_tiny(rng, weights=weights)
        local = search_in(tiny)
        found = local.run(seed=1)
        assert len(found) <= (tiny.max_patterns or len(tiny.length))
        assert list(found) == sorted(set(found))
        value, best = tiny.value(found), optimum(tiny)
        assert local.cost(found) == pytest.approx(float(value * tiny.total))
        assert float(best) - 1e-12 <= value <= tiny.value(())
        optimal += float(value - best) < 1e-12
    assert optimal > 0.9 * cases


def test_only_sets_that_candidates_name_are_laid_out(monkeypatch):
    """Without the compiled core it takes most of the time, in which nobody looks at the clock."""
    rng = np.random.default_rng(4)
    holds, weight = rng.random((300, 200)) < 0.5, rng.integers(0, 2, 200).astype(float)
    items = rng.choice([3, 50, 299], (9, 2)).astype(np.int32)
    items[::2, 1] = -1
    laid_out = []
    plain = RowWeights.laid_out
    monkeypatch.setattr(
        RowWeights, "laid_out", lambda self, bits: laid_out.append(len(bits)) or plain(self, bits)
    )
    local = LocalSearch(pack(holds), weight, 1 - weight, np.ones(9), items=items)
    assert laid_out == [3, 3]
    for k, line in enumerate(items):
        covers = holds[line[line >= 0]].all(axis=0)
        expected = weight.sum() - weight[covers].sum() + (1 - weight)[covers].sum() + 1
        assert local.cost((k,)) == pytest.approx(expected)


def test_a_start_is_never_lost():
    rng = np.random.default_rng(2)
    for _ in range(30):
        tiny = random_tiny(rng, weights="whole")
        size = min(len(tiny.length), tiny.max_patterns or 3)
        start = tuple(rng.permutation(len(tiny.length))[:size].tolist())
        for options in ({}, {"deadline": Deadline.after(0.0)}, {"work": 0}, {"rounds": 0}):
            found = search_in(tiny).run(start, **options)
            assert tiny.value(found) <= tiny.value(start)


def big(seed=3, patterns=2000, rows=300):
    rng = np.random.default_rng(seed)
    tiny = random_tiny(rng, weights="unit")
    label = rng.random(rows) < 0.5
    return replace(
        tiny,
        covers=rng.random((patterns, rows)) < rng.random(patterns)[:, None] * 0.3,
        length=rng.integers(1, 4, patterns),
        positive=label.astype(float),
        negative=1.0 - label,
        max_patterns=8,
    )


def test_the_same_seed_gives_the_same_answer():
    tiny = big()
    runs = [search_in(tiny).run(seed=s, work=2 * 10**6) for s in (0, 0, 5, 5)]
    assert runs[0] == runs[1]
    assert runs[2] == runs[3]
    local = search_in(tiny)
    assert local.run(seed=0, work=2 * 10**6) == runs[0]
    assert local.run(seed=0, work=2 * 10**6) == runs[0]  # a search object can be used again


def test_limits_on_time_and_work_hold():
    """Nothing new is begun at a limit: what was begun, a growth or two, is all that comes after it."""
    tiny = big()
    local = search_in(tiny)
    local.run()
    everything, once = local._work, local._good.size + local._bad.size
    begun = 3 * (tiny.max_patterns + 1) * once
    local.run(work=50 * once)
    assert 50 * once <= local._work <= 50 * once + begun < everything / 2
    clock = WorkClock()
    deadline = Deadline.after(20, clock)
    found = local.run(deadline=deadline)
    assert local._work < everything / 2
    assert clock.now() <= deadline.end + 4
    assert search_in(tiny).run(deadline=Deadline.after(20, WorkClock())) == found  # the same on any machine


@pytest.mark.parametrize("max_patterns", [1, 5, None])
@pytest.mark.parametrize("patterns", [0, 1, 2])
def test_hardly_any_candidates(patterns, max_patterns):
    for seed in range(5):
        tiny = replace(big(patterns=patterns, rows=3), max_patterns=max_patterns)
        for weight in (0.0, 1.0):
            tiny = replace(tiny, positive=tiny.positive * weight)
            found = search_in(tiny).run(seed=seed)
            assert tiny.value(found) == optimum(tiny) if patterns < 2 else True


def test_tiny_weights_are_searched_like_others():
    tiny = big()
    small = replace(tiny, positive=tiny.positive * 2.0**-60, negative=tiny.negative * 2.0**-60)
    options = {"seed": 0, "work": 10**6}
    assert search_in(small).run(**options) == search_in(tiny).run(**options)


@pytest.mark.skipif(not compiled(), reason=what_is_missing())
@pytest.mark.parametrize("weights", ["unit", "whole", "float"])
def test_compiled_gains_are_the_same(weights):
    rng = np.random.default_rng([4, *map(ord, weights)])
    for _ in range(20):
        tiny = random_tiny(rng, weights=weights)
        plain, fast = search_in(tiny, fast=False), search_in(tiny, fast=True)
        chosen = tuple(rng.permutation(len(tiny.length))[:2].tolist())
        for harshness in (1.0, 5.0):
            expected, found = (s._gains(chosen, harshness) for s in (plain, fast))
            np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-9)


def test_improvements_are_told_as_they_are_found():
    tiny = big()
    told = []
    found = search_in(tiny).run(seed=1, improved=told.append)
    values = [tiny.value(choice) for choice in told]
    assert len(values) > 1
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == len(values)
    assert tuple(sorted(told[-1])) == found


def test_costs_without_each_pattern_are_costs():
    rng = np.random.default_rng(5)
    for size in (0, 1, 2, 3):
        tiny = random_tiny(rng, weights="whole")
        local = search_in(tiny)
        chosen = tuple(rng.permutation(len(tiny.length))[:size].tolist())
        expected = [local.cost(chosen[:i] + chosen[i + 1 :]) for i in range(len(chosen))]
        np.testing.assert_allclose(local._costs_without_each(chosen), expected)
