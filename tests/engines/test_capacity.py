"""What is said about all rows from a proof on some of them."""

from __future__ import annotations

import math
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest

import ooa
from ooa.candidates.thresholds import numeric_cuts
from ooa.engines.capacity import Language, hoeffding


@pytest.mark.parametrize("ranges", [False, True])
@pytest.mark.parametrize("negations", [False, True])
@pytest.mark.parametrize("sets", [1, 3])
def test_no_condition_is_forgotten(ranges: bool, negations: bool, sets: int) -> None:
    random = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "x": np.where(random.random(80) < 0.1, np.nan, random.integers(0, 9, 80)),
            "t": random.choice(list("abcd"), 80),
            "flag": random.random(80) < 0.5,
            "grade": pd.Categorical(random.choice(list("uvw"), 80), list("uvw"), ordered=True),
        }
    )
    table = ooa.Table.from_any(frame, random.integers(0, 2, 80))
    options = {"ranges": ranges, "negations": negations, "sets": sets}
    made = ooa.candidate_literals(table, missing=True, **options)
    cuts = numeric_cuts(table, "auto", 15)
    assert Language.of(table.columns, cuts).literals(**options) >= len(made)


def test_the_bound_is_that_of_hoeffding() -> None:
    eps = hoeffding(1000, 50)
    assert 50 * math.exp(-2 * 1000 * eps**2) == pytest.approx(0.05)


@pytest.mark.parametrize("n_rule_sets", [1, 40])
def test_it_holds_as_often_as_is_said(n_rule_sets: int) -> None:
    """Rows drawn as engines draw them, each by itself: the least share of errors is rarely too high."""
    random = np.random.default_rng(7)
    errors = random.random((n_rule_sets, 2000)) < random.uniform(0.4, 0.5, n_rule_sets)[:, None]
    missed = 0
    for _ in range(600):
        drawn = np.flatnonzero(random.random(2000) < 0.1)
        claimed = errors[:, drawn].mean(axis=1).min() - hoeffding(len(drawn), n_rule_sets, confidence=0.8)
        missed += bool((errors.mean(axis=1) < claimed).any())
    assert missed <= 0.2 * 600


def test_what_is_claimed_about_all_rows_holds() -> None:
    random = np.random.default_rng(2)
    x = random.integers(0, 60, (20_000, 3))
    noise = random.random(20_000) < 0.3
    rows = pl.LazyFrame({f"x{j}": x[:, j] for j in range(3)} | {"y": ((x[:, 0] > 30) ^ noise).astype(int)})
    told = {"target": "y", "max_length": 1, "max_patterns": 1, "C1": 0.01, "C2": 0.01, "max_thresholds": 5}
    best = float(ooa.fit(rows, **told).certificate_.objective)
    model = ooa.fit(ooa.Source(rows, max_distinct=150, when_more="sample", sample_rows=10_000), **told)
    found = model.certificate_
    claimed = float(re.search(r"has an L there below ([\d.]+)", found.message)[1])
    assert 0 < claimed <= best
    counted = float(re.search(r"its errors weigh ([\d,]+) of", found.message)[1].replace(",", ""))
    assert counted == round(20_000 * (1 - model.score(rows, "y")))
    assert claimed == pytest.approx(
        float(found.bound) - hoeffding(found.rows, Language((5, 5, 5), ()).rule_sets(1, 1)), abs=1e-5
    )


def test_nothing_is_claimed_where_it_would_not_hold() -> None:
    random = np.random.default_rng(2)
    rows = pl.LazyFrame(
        {"x": random.random(3000), "z": random.random(3000), "y": random.integers(0, 2, 3000)}
    )
    source = ooa.Source(rows, max_distinct=100, when_more="sample", sample_rows=2000)
    for options in ({"min_support": 5}, {"class_weight": "balanced"}, {"max_patterns": None}):
        model = ooa.fit(source, target="y", C1=0.05, C2=0.05, max_length=1, time_limit=5, **options)
        assert "on all 3,000 rows its errors weigh" in model.certificate_.message
        assert "confidence" not in model.certificate_.message
