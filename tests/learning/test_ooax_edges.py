"""OOAx on degenerate tables, with odd prices and wrong options, and on tables too large or too wide."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from support.strictly import strictly

from ooa.data.table import Table
from ooa.errors import OOAError
from ooa.learning import ooax as module
from ooa.learning.certificate import count
from ooa.learning.ooax import learn_ooax, run_ooax
from ooa.learning.policy import POLICY
from ooa.objective import Objective
from ooa.rules.pattern import Pattern

#: Every range, every category, every length: nothing is left out.
EVERYTHING = {"thresholds": "distinct", "ranges": True, "max_length": None, "max_candidates": None}
quietly = strictly(learn_ooax)


@pytest.mark.parametrize(
    ("columns", "label", "weight"),
    [
        ({"x": [1, 1, 1]}, [0, 1, 1], None),  # a constant column: no literal at all
        ({"x": [1, 2]}, [0, 1], [0, 1]),  # the negatives weigh nothing
        ({"x": [1, 2]}, [0, 1], [1, 0]),  # the positives weigh nothing
        ({"x": [1, 1]}, [0, 1], None),  # one distinct row with both labels
        ({"x": [1, 2, 3], "y": ["a", "a", "a"]}, [0, 1, 0], [1e-300, 1e-300, 1e-300]),
        ({"x": [1, 2, 3], "y": ["a", "b", "a"]}, [0, 1, 0], [1e300, 1e300, 1e300]),
        ({"x": [1, 2, 3, 4]}, [0, 1, 1, 0], [2.0**60, 1, 2.0**60, 1]),
        ({"x": [1.0, None, 3.0, None], "y": ["a", None, "b", "a"]}, [0, 1, 1, 0], None),
    ],
)
@pytest.mark.parametrize("C", [0, 0.1, 1, 1e30])
@pytest.mark.parametrize("max_patterns", [1, None])
def test_degenerate_tables(columns, label, weight, C, max_patterns):
    table = Table.from_any(columns, label, sample_weight=weight)
    learned = quietly(table, C1=C, C2=C, max_patterns=max_patterns, **EVERYTHING)
    proof = learned.certificate
    assert proof.bound <= proof.objective
    assert proof.objective == count(learned.rules, table, Objective.of(C, C)).objective
    assert proof.gap < 1e-5
    if weight is None:
        assert proof.proved
    if C >= 1:
        assert len(learned.rules) == 0


@pytest.mark.parametrize(
    ("C1", "C2"), [("1/100", "0.01"), (Fraction(1, 100), Decimal("0.01")), (np.float32(0.01), 0.01)]
)
def test_prices_may_be_typed_in_any_way(small, C1, C2):
    learned, plain = quietly(small, C1=C1, C2=C2), quietly(small, C1=0.01, C2=0.01)
    assert learned.rules == plain.rules
    assert learned.certificate.objective == plain.certificate.objective


@pytest.mark.parametrize(
    "options",
    [
        {"C1": -0.1},
        {"C2": float("nan")},
        {"C1": "cheap"},
        {"max_patterns": 0},
        {"max_patterns": 1.5},
        {"max_length": 0},
        {"max_candidates": 0},
        {"max_candidates": -3},
        {"max_mined": 0},
        {"min_support": -1},
        {"min_support": float("nan")},
        {"time_limit": -1},
        {"time_limit": float("nan")},
        {"form": "dense"},
        {"engine": "magic"},
        {"backend": "hihgs"},
        {"thresholds": "somewhere"},
        {"options": {"no_such_option": 1}, "selection": "ilp"},
        {"patterns": ["a >= 1"]},
        {"patterns": [Pattern.parse("height >= 1")]},
    ],
)
def test_a_wrong_option_is_named(small, options):
    name = next(iter(options))
    with pytest.raises(OOAError) as caught:
        learn_ooax(small, **options)
    said = str(caught.value)
    assert "\n" not in said
    assert name in said or name in ("options", "patterns", "max_mined", "backend")


def test_a_very_large_maximum_length_is_no_trouble(small):
    proof = quietly(small, C1=0.01, C2=0.01, max_length=10**9).certificate
    assert proof.proved


def test_a_log_and_silence(small, capsys):
    lines = []
    learn_ooax(small, C1=0.01, C2=0.01, log=lines.append)
    assert any("HiGHS" in line for line in lines)
    assert capsys.readouterr() == ("", "")


def test_an_ilp_that_no_solver_would_end_in_time_is_not_begun():
    policy = replace(POLICY, most_nonzeros=10)
    rng = np.random.default_rng(0)
    table = Table.from_any({f"x{i}": rng.integers(0, 5, 60) for i in range(3)}, rng.random(60) < 0.5)
    found = learn_ooax(table, C1=0.01, C2=0.01, selection="ilp", time_limit=30, progress=False, policy=policy)
    assert found.solution is None
    assert "no ILP over" in found.certificate.message
    assert not found.certificate.proved
    assert found.certificate.objective < 0.5
    free = learn_ooax(table, C1=0.01, C2=0.01, selection="ilp", progress=False, policy=policy)
    assert free.certificate.proved


def test_a_wide_table_is_first_fitted_over_the_cuts_that_labels_ask_for(monkeypatch):
    rng = np.random.default_rng(0)
    X = {f"x{j}": rng.normal(size=300) for j in range(12)}
    table = Table.from_any(X, (X["x0"] > 0.3) ^ (rng.random(300) < 0.05))
    asked = []

    def watching(fit, settings, **options):
        asked.append(settings.thresholds)
        return run_ooax(fit, settings, **options)

    monkeypatch.setattr(module, "run_ooax", watching)
    told = {
        "C1": 0.01,
        "C2": 0.01,
        "max_length": 2,
        "without": "replacement",
    }  # else there are rounds of that
    wide = quietly(table, **told).certificate
    assert asked == ["auto", "mdl"]
    assert wide.proved
    assert "over these" in wide.statement
    few = quietly(table, thresholds="mdl", **told).certificate
    assert wide.objective <= few.objective
    assert all(
        moment.bound is None or moment.bound <= wide.objective for moment in quietly(table, **told).trace
    )
    asked.clear()
    quietly(
        Table.from_any({f"c{j}": rng.choice(list("abc"), 60) for j in range(40)}, rng.random(60) < 0.5),
        **told,
    )
    assert asked == ["auto"]  # no numbers, no cuts
