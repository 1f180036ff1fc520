"""Boxes with prices on what constraints limit: by brute force nothing that meets them is below the bound."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from zlib import crc32

import numpy as np
import pytest
from support.brute_constraints import all_patterns, all_rules, best, meets
from support.constraint_problems import READY, Problem, drawn
from support.sweeps import sweep

from ooa.clock import NEVER, Deadline, WorkClock
from ooa.constraints import max_false_positives, max_total_literals, min_sensitivity
from ooa.data.table import Table
from ooa.formulations.row_limits import read_rows
from ooa.kernels.availability import compiled
from ooa.learning.box_values import free_values, priced_values
from ooa.learning.boxes import Boxing
from ooa.learning.ooa import learn_ooa
from ooa.learning.policy import POLICY
from ooa.learning.priced_boxes import PricedBoxes
from ooa.learning.settings import OOASettings
from ooa.learning.state import Fit
from ooa.objective import Objective
from ooa.rules.ruleset import RuleSet
from ooa.solving.prepare import FEASIBILITY

pytestmark = pytest.mark.skipif(not compiled(), reason="the core was not compiled")

NAMES = (
    "max_false_negatives",
    "max_false_positives",
    "min_sensitivity",
    "min_specificity",
    "min_precision",
    "demographic_parity",
    "equal_opportunity",
    "min_group_sensitivity",
)


def cases(name: str, seeds: int) -> Iterator[tuple[Problem, object, Fit]]:
    """Tiny tables with weights, missing values, ties, sets of categories, and a fit beside a constraint."""
    for seed in range(seeds):
        problem = Problem([31, seed, crc32(name.encode())])
        constraint = drawn(problem, name)
        if constraint is None:
            continue
        told = {"C1": problem.objective.C1, "C2": problem.objective.C2, "max_patterns": problem.K}
        settings = OOASettings(constraints=[constraint], time_limit=None, **told, **problem.options)
        yield problem, constraint, Fit.of(problem.table, settings)


def at_prices(
    problem: Problem, fit: Fit, priced: PricedBoxes, prices: list[float]
) -> Iterator[Boxing | None]:
    """What boxes come to at prices drawn from some, and at those that the fit looks for."""
    penalty = problem.rng.choice(prices, len(read_rows(fit.problem, FEASIBILITY).limit))
    anyhow = priced._boxing(penalty, problem.K)
    assert anyhow is not None
    anyhow.prove(problem.K, NEVER)
    yield anyhow
    yield priced.prove(problem.K, NEVER, ())


@pytest.mark.parametrize("name", NAMES)
def test_what_meets_the_constraint_costs_at_least_what_prices_say(name: str):
    """For any prices; without any, all rule sets cost just that."""
    met, binding = 0, 0
    for problem, constraint, fit in cases(name, 30):
        task = fit.problem
        limits = read_rows(task, FEASIBILITY)
        penalty = problem.rng.choice([0.0, 0.3, 1.0, 7.5], len(limits.limit))
        free = free_values(task)
        for values in (priced_values(task, limits, penalty, problem.K), free):
            assert values is not None
            worth = values.positive - values.negative
            for i in problem.rng.permutation(len(problem.sets))[:80]:
                rules = problem.sets[i]
                covered = np.zeros(task.rows.n_rows, dtype=bool)
                covered[task.rows.row] = rules.fires
                literals = sum(map(len, rules.patterns))
                paid = values.prices.literal * literals + values.prices.pattern * len(rules.patterns)
                gain = int(worth[covered].sum()) - paid
                cost = task.values(RuleSet(rules.patterns))[1] * task.total / task.step
                if values is free:
                    assert values.cost(gain) == cost
                elif meets(rules, constraint):
                    assert values.cost(gain) <= cost
                    assert gain > values.aim(cost + 1)
                    met += 1
                binding += values.cost(gain) > cost
        assert free.cost(free.aim(5)) == 5
        assert free.cost(free.aim(5) + 1) == 4
    assert met > 20
    assert binding > 5  # what does not meet it is charged for that


@pytest.mark.parametrize("name", NAMES)
def test_bounds_and_rule_sets_are_those_of_brute_force(name: str):
    seen = proved = 0
    for problem, constraint, fit in cases(name, 40):
        least, _ = best(problem.sets, problem.objective, [constraint])
        optimum = None if least is None else least / Fraction(float(problem.table.weight.sum()))
        priced = PricedBoxes(fit, problem.options | {"thresholds": "distinct", "max_thresholds": 15})
        if not priced.possible:
            continue
        for boxing in at_prices(problem, fit, priced, [0.2, 1.0, 4.0]):
            if optimum is None:
                assert fit.best.upper is None
                continue
            assert fit.best.value is None or fit.best.value >= optimum
            if boxing is not None:
                seen += 1
                assert boxing.bound <= optimum
                proved += boxing.bound == optimum == fit.best.value
    assert seen >= 8
    assert proved >= 2


@pytest.mark.parametrize("batch", range(sweep(2, of=3)))
def test_mixtures_of_all_kinds(batch: int):
    """What speaks of patterns has no price, and the bound holds beside it."""
    seen = 0
    for seed in range(40):
        problem = Problem([32, batch, seed])
        names = problem.rng.permutation([*READY, "own", *NAMES])[: int(problem.rng.integers(2, 4))]
        constraints = [one for one in (drawn(problem, str(name)) for name in names) if one is not None]
        told = {"C1": problem.objective.C1, "C2": problem.objective.C2, "max_patterns": problem.K}
        settings = OOASettings(constraints=constraints, time_limit=None, **told, **problem.options)
        fit = Fit.of(problem.table, settings)
        priced = PricedBoxes(fit, problem.options | {"thresholds": "distinct", "max_thresholds": 15})
        if not constraints or not priced.possible:
            continue
        sets = problem.brute("compact", constraints)
        least, _ = best(sets, problem.objective, constraints)
        optimum = None if least is None else least / Fraction(float(problem.table.weight.sum()))
        for boxing in at_prices(problem, fit, priced, [0.0, 0.7, 3.0]):
            if optimum is None:
                assert fit.best.upper is None
            elif boxing is not None:
                seen += 1
                assert boxing.bound <= optimum <= (fit.best.value or optimum)
    assert seen > 15


def test_what_is_seen_is_what_it_is_worth():
    """Prices follow from what sets gain and leave of the limits, counted as the fit counts."""
    for problem, _, fit in cases("min_sensitivity", 30):
        priced, task = PricedBoxes(fit, {}), fit.problem
        limits = read_rows(task, FEASIBILITY)
        penalty = problem.rng.choice([0.0, 0.5, 3.0], len(limits.limit))
        for rules in problem.sets[:50]:
            covered = np.zeros(task.rows.n_rows, dtype=bool)
            covered[task.rows.row] = rules.fires
            literals, value = sum(map(len, rules.patterns)), task.values(RuleSet(rules.patterns))[1]
            gain = task.in_steps()[0].sum() - float(value * task.total / task.step)
            room = float(penalty @ (limits.limit - limits.amounts(covered)))
            seen = priced._see(covered, literals, len(rules.patterns), penalty)
            assert seen == pytest.approx(gain + room)


def scattered(seed: int, n: int = 60) -> Table:
    """Two numbers, of which a range of each tells most of the positives."""
    rng = np.random.default_rng(seed)
    X = {"a": rng.integers(0, 9, n), "b": rng.integers(0, 9, n)}
    label = (np.abs(X["a"] - 4) <= 1) | (X["b"] >= 6)
    return Table.from_any(X, label ^ (rng.random(n) < 0.15))


#: OOAx over all patterns has no turn, and hands over a start over few cuts.
COARSE = replace(POLICY, all_literals=0)
TOLD = {"C1": "1/50", "C2": "1/50", "max_patterns": 1, "policy": COARSE, "progress": False}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("constraint", [min_sensitivity(0.8), max_false_positives(2)], ids=repr)
def test_a_fit_is_proved_at_prices(seed: int, constraint):
    """Where the best without the constraint does not meet it; the rule set is the best there is."""
    table = scattered(seed, 24)
    found = learn_ooa(table, constraints=[constraint], clock=WorkClock(1e-4), time_limit=60, **TOLD)
    least, _ = best(all_rules(table, all_patterns(table), 1), Objective.of("1/50", "1/50"), [constraint])
    certificate = found.certificate
    assert certificate.proved
    assert certificate.objective == certificate.bound == least / table.n_rows


def test_prices_prove_more_than_the_search_without_the_constraint(monkeypatch: pytest.MonkeyPatch):
    """And find what is better, where both have so much work to do and there is no MIP."""
    told = TOLD | {"policy": replace(COARSE, mip_per_second=0), "max_patterns": 2, "time_limit": 30}
    told["constraints"] = [max_false_positives(3)]
    table = scattered(5, 200)
    found = learn_ooa(table, clock=WorkClock(1e-3), **told).certificate
    with monkeypatch.context() as patch:
        patch.setattr(PricedBoxes, "prove", lambda *arguments: None)
        freely = learn_ooa(table, clock=WorkClock(1e-3), **told).certificate
    assert found.proof == freely.proof == "boxes"
    assert freely.bound < found.bound <= found.objective <= freely.objective


def test_interrupted_at_prices(monkeypatch: pytest.MonkeyPatch):
    """What is proved by then counts."""
    told = TOLD | {"policy": replace(COARSE, mip_per_second=0), "max_patterns": 2, "time_limit": 30}
    told["constraints"] = [max_false_positives(3)]
    table, prove = scattered(5, 200), Boxing.prove
    whole = learn_ooa(table, clock=WorkClock(1e-3), **told).certificate

    def interrupted(boxing: Boxing, most: int, deadline: Deadline) -> None:
        prove(boxing, most, deadline)
        if not boxing._values.free:
            raise KeyboardInterrupt

    monkeypatch.setattr(Boxing, "prove", interrupted)
    found = learn_ooa(table, clock=WorkClock(1e-3), **told).certificate
    assert (found.bound, found.objective) == (whole.bound, whole.objective)
    assert found.termination.value == "interrupted"


def test_stopped_at_any_look_the_bound_holds():
    table = scattered(1, 24)
    constraint = max_false_positives(2)
    least, _ = best(all_rules(table, all_patterns(table), 1), Objective.of("1/50", "1/50"), [constraint])
    for seconds in (1, 3, 10, 30, 100):
        fit = Fit.of(table, OOASettings(constraints=[constraint], time_limit=None, C1="1/50", C2="1/50"))
        language = {"single_category": True, "missing": False, "thresholds": "distinct", "max_thresholds": 15}
        until = Deadline.after(float(seconds), WorkClock(1.0))
        boxing = PricedBoxes(fit, language).prove(1, until, ())
        assert boxing is None or boxing.bound is None or boxing.bound <= least / table.n_rows


def test_what_speaks_of_patterns_has_no_price():
    fit = Fit.of(scattered(0), OOASettings(constraints=[max_total_literals(2)]))
    assert not PricedBoxes(fit, {}).possible
