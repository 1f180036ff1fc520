"""Generation within a fit: bounds over patterns that were never mined hold, and proofs are proofs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from support.clocks import HandClock

from ooa.candidates.candidates import Candidates
from ooa.data.table import Table
from ooa.kernels.availability import compiled
from ooa.learning.generate import GENERATION, Generating
from ooa.learning.ooax import learn_ooax
from ooa.learning.policy import POLICY
from ooa.rules.ruleset import RuleSet
from ooa.search.best_pattern import Items
from ooa.search.generation import Generation

pytestmark = pytest.mark.skipif(not compiled(), reason="the core is not compiled")

QUICK = replace(POLICY, replace_rounds=10, replace_work=10**7, collected=40, generated_from=40)


def table_of(rng: np.random.Generator) -> Table:
    """Few rows of numbers and categories, some missing, some weighted, some of both classes."""
    n = int(rng.integers(20, 60))
    X = pd.DataFrame({"x": rng.integers(0, 6, n).astype(float), "y": rng.integers(0, 5, n).astype(float)})
    X.loc[rng.random(n) < 0.1, "x"] = np.nan
    X["c"] = rng.choice(list("abc"), n)
    label = ((X["x"] > 2) & (X["c"] == "a") | (X["y"] < 1)).to_numpy() ^ (rng.random(n) < 0.15)
    label[:2] = [True, False]
    weight = rng.integers(1, 4, n).astype(float) if rng.random() < 0.5 else None
    return Table.from_any(X, label.astype(int), sample_weight=weight)


@pytest.mark.parametrize("seed", range(12))
def test_a_bound_over_what_was_not_mined_holds(seed: int):
    """Mining may keep three patterns; what all of them come to is known from a fit that lists them."""
    rng, generated = np.random.default_rng(seed), 0
    for _ in range(4):
        table = table_of(rng)
        prices = [{"C1": "1/100", "C2": "1/50"}, {"C1": "1/40", "C2": "1/40"}, {"C1": 0, "C2": "1/25"}]
        options = prices[int(rng.integers(3))] | {
            "max_patterns": int(rng.integers(1, 4)),
            "max_length": int(rng.integers(2, 4)),
            "ranges": bool(rng.random() < 0.5),
            "min_support": None if rng.random() < 0.7 else 4,
            "progress": False,
        }
        known = learn_ooax(table, **options).certificate
        assert known.proved
        found = learn_ooax(table, max_mined=3, policy=QUICK, **options).certificate
        assert found.bound <= known.objective <= found.objective
        generated += found.proof == GENERATION
        if found.proved:
            assert found.objective == known.objective
        if found.proof == GENERATION:
            assert found.statement == known.statement
    assert generated > 0


def test_patterns_of_the_users_own_are_not_of_the_language():
    """A bound over these literals says nothing about patterns with others."""
    table = table_of(np.random.default_rng(1))
    own = RuleSet.parse("x >= 2.5 AND y <= 3.25 -> target = 1 ELSE 0").patterns
    options = {"C1": "1/100", "C2": "1/50", "thresholds": {"x": [1.0], "y": [2.0]}, "progress": False}
    found = learn_ooax(table, max_mined=3, policy=QUICK, patterns=own, **options).certificate
    assert found.proof != GENERATION


def test_what_the_gap_leaves_is_listed_and_searched(monkeypatch: pytest.MonkeyPatch):
    """Where few patterns are worth enough for a better rule set, these make the proof."""
    listed: list[bool] = []
    within = Generating._within_gap

    def noted(self: Generating, search: Generation[Items]) -> Candidates | None:
        rest = within(self, search)
        listed.append(rest is not None)
        return rest

    monkeypatch.setattr(Generating, "_within_gap", noted)
    proved = 0
    for seed in range(5):
        table = table_of(np.random.default_rng(seed))
        options = {"C1": "1/100", "C2": "1/100", "max_patterns": 3, "max_length": 3, "progress": False}
        known = learn_ooax(table, **options).certificate
        listed.clear()
        found = learn_ooax(table, max_mined=100, policy=QUICK, clock=HandClock(), **options).certificate
        assert found.bound <= known.objective <= found.objective
        if any(listed):
            assert found.proved
            assert found.objective == known.objective
            proved += 1
    assert proved >= 3
