"""Before everything is mined: looks at the shortest patterns, and how many there can be."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest

from ooa.candidates.generate import candidate_literals
from ooa.clock import WorkClock
from ooa.data.table import Table
from ooa.errors import OOAWarning
from ooa.learning import mine
from ooa.learning.ooax import learn_ooax
from ooa.learning.policy import POLICY
from ooa.rules.literal import Range


@pytest.fixture
def looks(monkeypatch):
    """What was looked at: the longest pattern, and whether there were two-sided ranges and kicks."""
    seen = []

    def look(fit, candidates, rounds=0):
        ranges = any(
            isinstance(one, Range) and None not in (one.low, one.high) for one in candidates.literals
        )
        seen.append((int(candidates.length.max()), ranges, rounds > 0))

    monkeypatch.setattr(mine, "greedy_start", look)
    return seen


def learn(cuts: int, **options) -> None:
    X = np.random.default_rng(4).random((60, 4))
    table = Table.from_any({f"x{j}": X[:, j] for j in range(4)}, X[:, 0] + X[:, 1] > 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OOAWarning)
        limits = {"max_patterns": 2, "max_thresholds": cuts, "time_limit": 0.5, "clock": WorkClock(1e-3)}
        learn_ooax(table, C1=0, C2=0, progress=False, **limits, **options)


def test_few_literals_need_no_look(looks):
    learn(4)  # 32 literals
    assert looks == []


def test_looks_are_shorter_than_all_patterns(looks):
    learn(6)  # 48 literals
    assert looks == [(2, False, False)]
    looks.clear()
    learn(6, max_length=4)
    assert looks == [(2, False, False), (3, False, False)]


def test_looks_are_without_ranges(looks):
    learn(4, ranges=True)  # the last look is as long as all patterns
    assert looks == [(2, False, True), (3, False, True)]
    looks.clear()
    learn(4, ranges=True, policy=replace(POLICY, early_patterns=100))
    assert looks == [(2, False, True)]


def test_wide_tables_are_looked_at_once(looks):
    X = np.random.default_rng(4).random((30, 1500)) < 0.5
    table = Table.from_any({f"x{j}": X[:, j] for j in range(1500)}, X[:, 0])
    counted = []

    def count(literals, longest):
        counted.append(longest)
        return [1] + [10**9] * longest

    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore", OOAWarning)
        patch.setattr(mine, "most_patterns_by_length", count)
        # A look for each of the columns, and as many as ever for what comes then.
        policy = replace(POLICY, literals_share=0.95)
        limits = {"time_limit": 1.75, "clock": WorkClock(1e-3), "policy": policy}
        learn_ooax(table, C1=0.01, C2=0.01, max_length=None, progress=False, **limits)
    assert counted == [POLICY.longest_look]
    assert [longest for longest, _, _ in looks] == [2]


def test_how_many_patterns_there_can_be():
    table = Table.from_any({"a": list("xyz"), "b": list("xyz"), "c": list("xxy")}, [0, 1, 1])
    assert mine.most_patterns_by_length(candidate_literals(table), 3) == [1, 8, 9 + 6 + 6, 18]
