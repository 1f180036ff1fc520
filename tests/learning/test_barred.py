"""Constraints about single literals: as over all patterns that were filtered."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ooa.candidates.candidates import Candidates
from ooa.clock import WorkClock
from ooa.constraints import (
    Constraint,
    forbid_together,
    max_uses,
    min_sensitivity,
    monotone,
    no_category,
    no_cut,
)
from ooa.data.table import Table
from ooa.formulations.counted import read
from ooa.kernels.availability import compiled
from ooa.learning.barred import literals_left
from ooa.learning.conditions import literals_of
from ooa.learning.generate import GENERATION
from ooa.learning.ooax import learn_ooax
from ooa.learning.policy import POLICY
from ooa.learning.settings import OOAxSettings
from ooa.learning.state import Fit
from ooa.rules.ruleset import RuleSet

#: Patterns always count as many.
MANY = replace(
    POLICY, many_patterns=0, replace_rounds=2, replace_work=10**5, labels_seconds=0.0, generated_from=40
)
#: Constraints are left to what comes after mining.
FEW = replace(MANY, many_patterns=1 << 60)


def table_of(rng: np.random.Generator) -> Table:
    n = int(rng.integers(20, 60))
    X = pd.DataFrame({"x": rng.integers(0, 6, n).astype(float), "y": rng.integers(0, 5, n).astype(float)})
    X.loc[rng.random(n) < 0.1, "x"] = np.nan
    X["c"] = rng.choice(list("abc"), n)
    label = ((X["x"] > 2) & (X["c"] == "a") | (X["y"] < 1)).to_numpy() ^ (rng.random(n) < 0.15)
    label[:2] = [True, False]
    return Table.from_any(X, label.astype(int))


def constraints_of(rng: np.random.Generator) -> tuple[Constraint, ...]:
    """One or two that are about single literals."""
    some: list[Constraint] = [
        monotone("x", str(rng.choice(["increasing", "decreasing"]))),  # type: ignore[arg-type]
        no_cut("y", str(rng.choice(["above", "below"])), int(rng.integers(1, 4))),  # type: ignore[arg-type]
        no_category("c", str(rng.choice(list("abc")))),
        max_uses(str(rng.choice(list("xyc"))), 0),
    ]
    return tuple(some[k] for k in rng.permutation(4)[: rng.integers(1, 3)])


def language_of(rng: np.random.Generator) -> dict[str, Any]:
    sets = int(rng.choice([1, 2]))
    return {"ranges": bool(rng.random() < 0.5), "negations": bool(rng.random() < 0.5), "sets": sets}


@pytest.mark.parametrize("seed", range(12))
def test_a_pattern_is_allowed_if_all_its_literals_are(seed: int):
    """As the constraints themselves see it, over all patterns of two literals."""
    rng = np.random.default_rng(seed)
    table, constraints, language = table_of(rng), constraints_of(rng), language_of(rng)
    settings = OOAxSettings(C1=0.01, C2=0.01, constraints=constraints, policy=MANY, **language)
    fit = Fit.of(table, settings)
    literals = literals_of(settings, fit.problem)
    own = Candidates.of_patterns(fit.problem.rows, ())
    free, left, _ = literals_left(fit, literals, own, settings)
    places = np.arange(len(literals))
    pairs = np.array(np.meshgrid(places, places)).reshape(2, -1).T
    pairs = pairs[literals.attribute[pairs[:, 0]] < literals.attribute[pairs[:, 1]]].astype(np.int32)
    patterns = Candidates.over(literals.literals, literals.bits, pairs, fit.problem.rows)
    allowed = read(patterns, fit.problem).allowed
    through = np.array([literal in left.literals for literal in literals.literals])
    assert allowed.tolist() == through[pairs].all(axis=1).tolist()
    assert free.problem.constraints == () or through.all()
    assert 0 < len(left) <= len(literals)


@pytest.mark.skipif(not compiled(), reason="the core is not compiled")
@pytest.mark.parametrize("seed", range(4))
def test_the_optimum_and_bounds_beside_them(seed: int):
    """With all patterns listed it is that of the filter, and where mining may keep three, bounds hold."""
    rng, generated = np.random.default_rng(100 + seed), 0
    for _ in range(4):
        table, constraints = table_of(rng), constraints_of(rng)
        told = language_of(rng) | {
            "C1": "1/60",
            "C2": "1/60",
            "constraints": constraints,
            "progress": False,
            "time_limit": None,
        }
        told |= {"max_patterns": int(rng.integers(1, 4)), "max_length": 2}
        known = learn_ooax(table, policy=FEW, **told).certificate
        listed = learn_ooax(table, policy=MANY, **told)
        assert known.proved
        assert listed.certificate.proved
        assert known.objective == listed.certificate.objective
        found = learn_ooax(table, max_mined=3, policy=MANY, **told).certificate
        assert found.bound <= known.objective <= found.objective
        generated += found.proof == GENERATION
    assert generated > 0


def planted(columns: int = 12) -> Table:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(300, columns)).round(2)
    label = (X[:, 1] > 0.2) & (X[:, 3] < 0.9) & (X[:, 5] > -0.5) ^ (rng.random(300) < 0.03)
    return Table.from_any({f"x{j}": X[:, j] for j in range(columns)}, label)


@pytest.mark.skipif(not compiled(), reason="the core is not compiled")
def test_patterns_are_generated_beside_them_on_wide_tables():
    """With the same work it is no worse than filtering what was mined, and a bound is over all patterns."""
    told: dict[str, Any] = {"C1": 0.005, "C2": 0.005, "threads": 1, "progress": False, "max_mined": 2_000}
    told |= {"constraints": [monotone(f"x{j}", "increasing") for j in range(3)], "time_limit": 20.0}
    filtered = learn_ooax(
        planted(), clock=WorkClock(0.01), policy=replace(POLICY, many_patterns=1 << 60), **told
    )
    generated = learn_ooax(planted(), clock=WorkClock(0.01), policy=replace(POLICY, many_patterns=0), **told)
    assert generated.certificate.objective <= filtered.certificate.objective
    assert generated.certificate.proof == GENERATION
    assert generated.certificate.proved
    assert not filtered.certificate.proved
    for learned in (generated, filtered):
        for pattern in learned.rules:
            assert not any(str(literal).startswith(("x0 ≤", "x1 ≤", "x2 ≤")) for literal in pattern)


def test_patterns_of_the_users_own_are_held_against_them():
    """One that a constraint excludes is neither chosen nor begun with."""
    table = planted()
    good = RuleSet.parse("x1 >= 0.2 AND x3 <= 0.9 AND x5 >= -0.5 -> target = 1 ELSE 0")
    told = {"C1": 0.005, "C2": 0.005, "policy": MANY, "progress": False}
    told |= {"time_limit": 2.0, "clock": WorkClock(0.01), "max_mined": 500}
    learned = learn_ooax(table, patterns=good.patterns, start=good, constraints=[max_uses("x3", 0)], **told)
    assert all("x3" not in pattern.attributes for pattern in learned.rules)
    settings = OOAxSettings(constraints=[max_uses("x3", 0)], policy=MANY)
    fit = Fit.of(table, settings)
    own = Candidates.of_patterns(fit.problem.rows, [*good.patterns, *RuleSet.parse("x1 >= 0.2").patterns])
    kept = literals_left(fit, literals_of(settings, fit.problem), own, settings)[2]
    assert [str(kept.pattern(k)) for k in range(len(kept))] == ["x1 ≥ 0.2"]


@pytest.mark.parametrize("other", [min_sensitivity(0.5), forbid_together(["x", "y"]), max_uses("x", 1)])
def test_beside_any_other_constraint_nothing_changes(other: Constraint):
    table = table_of(np.random.default_rng(0))
    settings = OOAxSettings(constraints=[max_uses("y", 0), other], policy=MANY)
    fit = Fit.of(table, settings)
    literals, own = literals_of(settings, fit.problem), Candidates.of_patterns(fit.problem.rows, ())
    assert literals_left(fit, literals, own, settings) == (fit, literals, own)
