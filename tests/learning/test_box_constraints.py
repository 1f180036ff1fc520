"""OOA beside constraints on patterns: boxes keep to them, and what they prove is what brute force finds."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from support.brute_constraints import all_patterns, all_rules, best
from support.constraint_problems import OF_PATTERNS, READY, Problem, drawn
from support.sweeps import sweep

from ooa.clock import NEVER
from ooa.constraints import forbid_pattern, forbid_together, max_false_positives, max_total_literals
from ooa.data.table import Table
from ooa.kernels.availability import compiled
from ooa.learning.box_constraints import filters_of, kept_alone
from ooa.learning.boxes import Boxing
from ooa.learning.ooa import explain_ooa, learn_ooa
from ooa.learning.policy import POLICY
from ooa.learning.priced_boxes import PricedBoxes
from ooa.learning.settings import OOASettings
from ooa.learning.state import Fit
from ooa.objective import Objective

pytestmark = pytest.mark.skipif(not compiled(), reason="the core was not compiled")

CUTS = {"thresholds": "distinct", "max_thresholds": 15}


class Searched:
    """A tiny problem beside some constraints, and what boxes come to."""

    def __init__(self, seed: list[int], names: list[str], count: int) -> None:
        self.problem = problem = Problem(seed)
        chosen = problem.rng.permutation(names)[:count]
        drawings = [drawn(problem, str(name)) for name in chosen]
        self.constraints = [one for one in drawings if one is not None]
        told = {"C1": problem.objective.C1, "C2": problem.objective.C2, "max_patterns": problem.K}
        settings = OOASettings(constraints=self.constraints, time_limit=None, **told, **problem.options)
        self.fit = Fit.of(problem.table, settings)
        self.language = problem.options | CUTS
        self.filters = filters_of(self.fit, self.language, problem.K)
        self.free = kept_alone(self.fit, self.filters)
        self.sets = problem.brute("compact", self.constraints)

    def least(self, constraints: list[Any]) -> Fraction | None:
        found, _ = best(self.sets, self.problem.objective, constraints)
        return None if found is None else found / Fraction(float(self.problem.table.weight.sum()))

    def search(self) -> Boxing:
        boxing = Boxing(self.free, self.language, filters=self.filters)
        if self.problem.rng.random() < 0.5:
            boxing.improve(NEVER)
        boxing.prove(self.problem.K, NEVER)
        return boxing


@pytest.mark.parametrize("batch", range(sweep(2, of=4)))
@pytest.mark.parametrize("count", [1, 3])
def test_what_is_proved_is_the_optimum(count: int, batch: int):
    """One of them, or several."""
    seen = bind = 0
    for seed in range(30):
        case = Searched([51, count, batch, seed], OF_PATTERNS, count)
        if not case.constraints or case.filters.left:
            continue
        assert case.free is case.fit
        boxing, least = case.search(), case.least(case.constraints)
        assert boxing.bound == least == case.fit.best.value
        seen += 1
        bind += least > case.least([])
    assert seen >= 15
    assert bind > 0


@pytest.mark.parametrize("batch", range(sweep(2, of=4)))
def test_beside_constraints_of_any_kind_the_bound_holds(batch: int):
    """Also that at prices, where families beyond a limit are left out."""
    seen = 0
    for seed in range(100):
        if seed >= 25 and seen:
            break
        case = Searched([52, batch, seed], [*READY, "own"], 3)
        least = case.least(case.constraints)
        boxing = case.search()
        kept = [c for c in case.constraints if not any(c is one for one in case.filters.left)]
        assert case.free.best.value is None or case.free.best.value >= case.least(kept)
        if least is None:
            continue
        assert boxing.bound is None or boxing.bound <= least
        priced = PricedBoxes(case.fit, case.language, case.filters)
        if priced.possible:
            found = priced.prove(case.problem.K, NEVER, ())
            if found is not None and found.bound is not None:
                assert found.bound <= least
                seen += 1
        assert case.fit.best.value is None or case.fit.best.value >= least
    assert seen > 0


def mostly_positive(rng: np.random.Generator) -> Table:
    """Rows of which many positives are had only with negatives; some agree with others of the other class."""
    n = int(rng.integers(8, 16))
    columns = {"a": rng.integers(0, 3, n), "b": rng.integers(0, int(rng.integers(2, 4)), n)}
    label = rng.random(n) < 0.65
    label[:2] = True, False
    return Table.from_any(columns, label)


@pytest.mark.parametrize("batch", range(sweep(2, of=3)))
def test_families_that_surely_cover_too_much(batch: int):
    """At any prices, beside what patterns keep to or not: the optimum, where prices alone may leave a gap."""
    more = closed = 0
    for seed in range(25):
        rng = np.random.default_rng([53, batch, seed])
        table, K = mostly_positive(rng), int(rng.integers(1, 3))
        constraints: list[Any] = [max_false_positives(int(rng.integers(0, 3)))]
        constraints += [max_total_literals(int(rng.integers(1, 4)))] if rng.random() < 0.4 else []
        prices = Objective.of("1/60", "1/60")
        least, _ = best(all_rules(table, all_patterns(table), K), prices, constraints)
        told = {"C1": prices.C1, "C2": prices.C2, "max_patterns": K, "time_limit": None}
        bounds = []
        for within in (True, False):
            fit = Fit.of(table, OOASettings(constraints=constraints, **told))
            language = {
                "single_category": True,
                "missing": False,
                "thresholds": "distinct",
                "max_thresholds": 15,
            }
            priced = PricedBoxes(fit, language, filters_of(fit, language, K))
            if not priced.possible:
                break
            priced._filters = priced._filters if within else replace(priced._filters, covers=())
            boxing = priced._boxing(np.array([0.0, 0.05, 0.3])[[seed % 3]], K)
            assert boxing is not None
            if seed % 2:
                boxing.improve(NEVER)
            boxing.prove(K, NEVER)
            assert boxing.bound <= least / table.n_rows <= (fit.best.value or 1)
            bounds.append(boxing.bound)
        if not bounds:  # no rule set covers as much as the limit
            continue
        more += bounds[0] > bounds[1]
        closed += bounds[0] == least / table.n_rows
    assert more > 3
    assert closed > 10


def noisy(n: int = 120) -> Table:
    rng = np.random.default_rng(4)
    X = {name: rng.integers(0, 12, n) for name in "ab"} | {"c": rng.choice(["u", "v", "w"], n)}
    label = ((X["a"] > 5) & (X["c"] != "u")) ^ (rng.random(n) < 0.15)
    return Table.from_any(X, label)


def test_a_fit_is_proved_by_boxes():
    told = {"C1": "1/60", "C2": "1/60", "max_patterns": 1, "progress": False}
    told["policy"] = replace(POLICY, all_literals=0)  # OOAx over all patterns has no turn
    table = noisy()
    for constraint in (
        forbid_together(["a", "c"]),
        max_total_literals(1),
        forbid_pattern("a >= 6"),
        lambda f: f.length <= 1 * f.used,
    ):
        found = learn_ooa(table, constraints=[constraint], **told).certificate
        assert (found.proved, found.proof) == (True, "boxes")


def test_the_plan_is_that_without_constraints():
    told = {"time_limit": 10, "max_patterns": 2, "max_memory": 1000}
    kept = explain_ooa(noisy(), OOASettings(constraints=[forbid_together(["a", "b"])], **told))
    assert "the best single boxes, then bounds over all patterns" in kept or "OOAx over all patterns" in kept
    assert "without the constraints" not in kept
    left = explain_ooa(noisy(), OOASettings(constraints=[max_false_positives(2)], **told))
    assert "what they find without the constraints" in left
