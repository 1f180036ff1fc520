"""Constraints within a fit: filters, what sets are worth with prices for them, and proofs by brute force."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest
from support.brute_constraints import Rules, best
from support.constraint_problems import READY, Problem, drawn

from ooa.candidates.candidates import Candidates
from ooa.constraints import max_false_negatives, max_uses, monotone
from ooa.data.bitsets import unpack
from ooa.data.table import Table
from ooa.formulations.base import describe
from ooa.formulations.counted import MOST_SUMS, Counted, covered_by, read
from ooa.kernels.availability import compiled
from ooa.learning.constrained import _prove_freely, only_allowed, prove_constrained, without_constraints
from ooa.learning.ooax import learn_ooax
from ooa.learning.policy import POLICY
from ooa.learning.progress import Freely
from ooa.learning.prove import search_exactly
from ooa.learning.settings import OOAxSettings
from ooa.learning.state import Fit
from ooa.learning.valuation import Valuation, free_valuation, net_values, penalise, penalised_valuation
from ooa.learning.within_limits import KeepingToLimits, PricedLimits, WithinLimits
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet
from ooa.search.constrained import Valued
from ooa.search.limited import LimitedSets, Penalised
from ooa.solving.prepare import FEASIBILITY

needs_core = pytest.mark.skipif(not compiled(), reason="the compiled core is not there")


class Case(NamedTuple):
    """A fit with constraints, patterns to choose from, and all sets of them by brute force."""

    fit: Fit
    candidates: Candidates
    counted: Counted
    sets: list[Rules]
    least: Fraction
    good: list[Rules]
    rng: np.random.Generator

    def penalised(self) -> Penalised:
        """Prices of any size."""
        size = len(self.counted.limit)
        penalty = self.rng.uniform(0, 3, size) * (self.rng.random(size) < 0.7)
        found = penalise(valued(self.fit, self.candidates, self.counted), self.counted, penalty, 3)
        assert found is not None
        return found


def valued(fit: Fit, candidates: Candidates, counted: Counted) -> Valued:
    """What sets gain without the constraints."""
    return Valued(
        net_values(fit.problem, counted.on_rows.shape[1]), free_valuation(fit.problem, candidates).price
    )


def cases(block: int, count: int) -> Iterator[Case]:
    """Random tables with one constraint or two that can be met and are not filters."""
    for seed in range(1, 40 * count):
        problem = Problem([31, block, seed])
        names = problem.rng.choice(READY, int(problem.rng.integers(1, 3)), replace=False)
        wanted = [c for c in (drawn(problem, name) for name in names) if c is not None]
        least, good = best(problem.sets, problem.objective, wanted)
        if least is None or not wanted:
            continue
        told: dict[str, Any] = {"C1": problem.objective.C1, "C2": problem.objective.C2}
        fit = Fit.of(problem.table, OOAxSettings(**told, max_patterns=problem.K, constraints=wanted))
        patterns = list(dict.fromkeys(p for rules in problem.sets for p in rules.patterns))
        fit, candidates = only_allowed(fit, Candidates.of_patterns(fit.problem.rows, patterns))
        counted = read(candidates, fit.problem, FEASIBILITY)
        if not len(counted.limit) or not counted.complete:
            continue
        yield Case(fit, candidates, counted, problem.sets, least, good, problem.rng)
        count -= 1
        if not count:
            return
    raise AssertionError("hardly any constraint is left to be searched with")


@needs_core
@pytest.mark.parametrize("block", range(6))
def test_what_is_proved_is_what_brute_force_finds(block: int) -> None:
    """The whole proof, and the search within the limits alone, at prices of any size."""
    for case in cases(block, 12):
        fit, total = case.fit, case.fit.problem.total
        known = case.good[int(case.rng.integers(len(case.good)))]
        fit.best.offer(RuleSet(known.patterns))
        if block % 2:
            bound = prove_constrained(fit, case.candidates)
        else:
            kind = case.rng.choice([KeepingToLimits, WithinLimits])
            within = kind(fit, case.candidates, PricedLimits(case.counted, case.penalised(), possible=True))
            within.close_gap()
            bound = within.proved
        assert bound == fit.best.upper == case.least / total


@needs_core
def test_a_bound_that_is_known_is_gone_on_from() -> None:
    for case in cases(7, 5):
        fit = case.fit
        fit.best.offer(RuleSet(case.good[0].patterns))
        penalised = case.penalised()
        priced = penalised_valuation(fit.problem, case.counted, penalised)
        proof = search_exactly(fit, case.candidates, valuation=priced)
        within = WithinLimits(
            fit, case.candidates, PricedLimits(case.counted, penalised, possible=True), proof
        )
        assert within.proved == proof.bound
        within.close_gap()
        assert within.proved == fit.best.upper == case.least / fit.problem.total


@needs_core
def test_no_more_is_excluded_than_can_be_with_the_prices() -> None:
    """A set that breaks the limits may be worth more than any that keeps to them: the proof ends there."""
    beyond = 0
    for case in cases(8, 12):
        fit, problem, penalised = case.fit, case.fit.problem, case.penalised()
        fit.best.offer(RuleSet(case.good[0].patterns))
        counted, worth = case.counted, [0]
        for rules in case.sets:
            found = [case.candidates.find(pattern) for pattern in rules.patterns]
            if None in found:
                continue
            chosen = [k for k in found if k is not None]
            covered = unpack(covered_by(counted.bits, chosen)[None], counted.on_rows.shape[1])[0]
            worth.append(int(penalised.value[covered].sum() - penalised.price[chosen].sum()))
        assert fit.best.upper is not None
        for most in {0, max(worth), max(worth) // 2}:
            priced = penalised_valuation(problem, counted, penalised, most)
            proof = search_exactly(fit, case.candidates, valuation=priced)
            known = int(fit.best.upper * problem.total / problem.step)
            least = max(0, min(known, priced.cost(max(worth))))
            assert proof.bound == least * problem.step / problem.total
            beyond += least < known
    assert beyond >= 3, beyond


@needs_core
@pytest.mark.parametrize("meets", [False, True])
def test_what_is_proved_without_the_constraints_holds_beside_them(meets: bool) -> None:
    for case in cases(10 + meets, 8):
        fit = replace(case.fit, policy=replace(POLICY, quick=10**6 if meets else 0))
        free, candidates = without_constraints(fit), case.candidates
        proof = search_exactly(free, candidates)
        value = free.best.upper
        assert value is not None
        fit.best.offer(RuleSet(case.good[0].patterns))
        fit.best.offer(free.best.rules)
        fit.best.freely = Freely(free.problem.empty(), value, proved=False)
        alone = _prove_freely(fit, candidates, ())
        used = value == fit.best.upper or not (meets or case.counted.closed_below)
        assert alone == (proof.bound if used else None)
        assert prove_constrained(fit, candidates) == fit.best.upper == case.least / fit.problem.total


def test_prices_are_as_fine_as_that_costs_nothing() -> None:
    counted = Counted(np.zeros((1, 1), np.uint64), np.ones(1, bool), np.ones((1, 64), np.int64),
                      np.zeros((1, 1), np.int64), np.array([1]), exact=True, left=())  # fmt: skip
    for kinds, scale, whole in ((16, 4096, 1229), (17, 16, 5)):
        worth = Valued(3 + np.arange(64) % kinds, np.ones(1, np.int64))
        found = penalise(worth, counted, np.array([0.3]), 5)
        assert found is not None
        assert (found.scale, found.penalty.tolist()) == (scale, [whole])


@pytest.mark.parametrize("block", range(3))
def test_sets_are_worth_what_they_gain_and_what_prices_take_back(block: int) -> None:
    for case in cases(20 + block, 8):
        problem, counted, penalised = case.fit.problem, case.counted, case.penalised()
        valued = penalised_valuation(problem, counted, penalised)
        assert (penalised.price >= 0).all()
        for rules in (case.sets[i] for i in case.rng.integers(len(case.sets), size=20)):
            found = [case.candidates.find(pattern) for pattern in rules.patterns]
            chosen = [k for k in found if k is not None]
            if len(chosen) < len(found):
                continue  # excluded by a filter
            covered = unpack(covered_by(counted.bits, chosen)[None], counted.on_rows.shape[1])[0]
            gain = int((valued.positive - valued.negative)[covered].sum() - valued.price[chosen].sum())
            amounts = counted.amounts(covered, chosen)
            cost = problem.values(RuleSet(rules.patterns))[1] * problem.total / problem.step
            exactly = valued.scale * (valued.everything - cost)
            assert exactly == gain + penalised.penalty @ amounts
            if rules in case.good:
                assert exactly <= valued.constant + gain
                assert valued.aim(int(cost) + 1) < gain
                assert valued.cost(gain) <= cost


def test_what_is_aimed_at_and_what_that_proves() -> None:
    """Gains and costs there and back, whatever the scale: neither is off by one."""
    nothing = np.zeros(0)
    for scale in (1, 4, 16):
        for constant in (0, 3, 17):
            valued = Valuation(np.zeros((0, 0), np.uint64), nothing, nothing, nothing.astype(np.int64), 50,
                               scale, constant)  # fmt: skip
            for cost in range(40, 50):
                least = scale * (50 - cost) - constant  # what a set that costs this gains at least
                assert valued.aim(cost + 1) == least - 1
                assert valued.cost(least) == cost
                assert valued.cost(least - 1) == cost + 1


def test_prices_that_would_pay_for_patterns_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """And where numbers get too large even with coarse prices, there are none at all."""
    monkeypatch.setattr("ooa.formulations.counted.MOST_OWN", 0)
    table = Table.from_any({"x": [1, 2, 3, 4]}, [0, 1, 1, 1])

    def two_at_least(f: Any) -> Any:
        return f.used.sum() >= 2

    fit = Fit.of(table, OOAxSettings(C1="1/8", C2=0, max_patterns=3, constraints=[two_at_least]))
    patterns = [Pattern.parse(text) for text in ("x >= 2", "x >= 3", "x >= 4")]
    candidates = Candidates.of_patterns(fit.problem.rows, patterns)
    counted = read(candidates, fit.problem, FEASIBILITY)
    assert (counted.on_patterns < 0).all()
    found = penalise(valued(fit, candidates, counted), counted, np.array([5.0]), 3)
    assert found is not None
    assert not found.penalty.any()
    assert penalise(valued(fit, candidates, counted), counted, np.array([5.0]), 1 << 60) is None


def test_filters_are_done_with_and_the_rest_is_kept() -> None:
    table = Table.from_any({"x": [1, 2, 3, 4], "y": [1, 1, 2, 2], "z": [4, 3, 2, 1]}, [0, 1, 1, 1])

    def too_many(f: Any) -> Any:
        return [f.used.sum() <= k for k in range(2, MOST_SUMS + 3)]

    few = max_false_negatives(0)
    told = [monotone("x", "increasing"), max_uses("z", 0), too_many, few]
    fit = Fit.of(table, OOAxSettings(max_patterns=2, constraints=told))
    texts = ("x >= 2", "x <= 2", "y >= 2", "z <= 3")
    candidates = Candidates.of_patterns(fit.problem.rows, [Pattern.parse(text) for text in texts])
    filtered, left = only_allowed(fit, candidates)
    assert filtered.problem.constraints == (too_many, few)
    assert [str(left.pattern(k)) for k in range(len(left))] == ["x ≥ 2", "y ≥ 2"]


@needs_core
@pytest.mark.parametrize("flags", [0, 64])
def test_patterns_that_only_make_up_the_number_are_not_stood_in_for(
    flags: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """x >= 4 is better than x >= 5 and x >= 6, but where it takes two patterns one of these is the second."""
    monkeypatch.setattr("ooa.formulations.counted.MOST_OWN", flags)
    table = Table.from_any({"x": [1, 2, 3, 4, 5, 6]}, [0, 0, 0, 1, 1, 1])

    def two_at_least(f: Any) -> Any:
        return f.used.sum() >= 2

    fit = Fit.of(table, OOAxSettings(C1="1/50", C2="1/50", max_patterns=2, constraints=[two_at_least]))
    patterns = [Pattern.parse(f"x >= {cut}") for cut in (2, 3, 4, 5, 6)]
    candidates = Candidates.of_patterns(fit.problem.rows, patterns)
    counted = read(candidates, fit.problem, FEASIBILITY)
    penalised = penalise(valued(fit, candidates, counted), counted, np.zeros(1), 2)
    assert penalised is not None
    fit.best.offer(RuleSet.parse("x >= 2 OR x >= 3"))
    within = WithinLimits(fit, candidates, PricedLimits(counted, penalised, possible=True))
    within.close_gap()
    assert within.proved == fit.best.upper == Fraction(4, 50)


@needs_core
def test_where_rows_cannot_be_laid_out_prices_have_the_last_word(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, searched = [], []
    monkeypatch.setattr(LimitedSets, "possible", lambda counted, value: bool(asked.append(value)))
    monkeypatch.setattr(WithinLimits, "close_gap", lambda self: searched.append(self))
    for case in cases(9, 8):
        case.fit.best.offer(RuleSet(case.good[0].patterns))
        bound = prove_constrained(case.fit, case.candidates)
        assert bound is None or bound <= case.least / case.fit.problem.total
    assert asked
    assert not searched


@needs_core
def test_a_certificate_names_what_the_search_could_not_count() -> None:
    def many(f: Any) -> Any:
        return [f.used.sum() <= 2 + k for k in range(MOST_SUMS + 1)]

    table = Table.from_any({"x": [1, 2, 3, 4, 5, 6], "y": [1, 1, 2, 2, 3, 3]}, [0, 1, 1, 0, 0, 1])
    for own, told in ((many, True), (max_false_negatives(1), False)):
        settings = OOAxSettings(C1=Fraction(1, 50), C2=Fraction(1, 50), constraints=[own])
        message = learn_ooax(table, settings).certificate.message
        assert ("the search cannot count" in message) == told
        assert (describe(own) in message) == told
