"""The plan of a fit: a function of facts and policy, and what a fit does is what its plan says."""

from __future__ import annotations

import inspect
import logging
from dataclasses import fields, replace

import numpy as np
import pytest
from support.branching_cases import noisy

from ooa.candidates.candidates import Candidates
from ooa.constraints import max_uses, min_sensitivity
from ooa.data.table import Table
from ooa.errors import OptionError
from ooa.kernels.availability import compiled
from ooa.learning.conditions import literals_of
from ooa.learning.mine import least_supports, mine_patterns
from ooa.learning.ooa import explain_ooa
from ooa.learning.ooa_plan import plan_ooa
from ooa.learning.ooax import explain_ooax, learn_ooax
from ooa.learning.plan import Facts, Step, facts_of, plan_ooax, why_no_search
from ooa.learning.policy import POLICY, Policy
from ooa.learning.settings import OOASettings, OOAxSettings
from ooa.learning.state import Fit

MANY = Facts(rows=500, literals=80, candidates=9_000, words=72_000, nonzeros=1e6, seconds=60.0)
FEW = replace(MANY, candidates=300, literals=20, nonzeros=1e4)


def steps(facts: Facts, **options: object) -> list[Step]:
    return [turn.step for turn in plan_ooax(facts, OOAxSettings(**options)).turns]


def test_few_candidates_are_the_searchs_too_and_need_no_start():
    assert steps(FEW) == [Step.MINE, Step.SEARCH, Step.LOCAL, Step.ILP, Step.SEARCH]
    assert plan_ooax(FEW, OOAxSettings()).search_later


@pytest.mark.parametrize("asked", [{"backend": "scip"}, {"options": {"presolve": "off"}}, {"log": print}])
def test_few_candidates_are_the_solvers_if_something_was_asked_of_it(asked):
    assert steps(FEW, **asked) == [Step.MINE, Step.GREEDY, Step.DOMINANCE, Step.ILP, Step.SEARCH, Step.ILP]
    assert steps(FEW, selection="search", **asked)[1] is Step.SEARCH
    assert plan_ooax(MANY, OOAxSettings(**asked)).proving[0].step is Step.SEARCH
    assert steps(FEW, policy=POLICY.one_of_many(), **asked)[1] is Step.SEARCH


def test_few_candidates_of_an_ilp_need_no_more_than_a_greedy_start():
    assert steps(FEW, selection="ilp") == [Step.MINE, Step.GREEDY, Step.DOMINANCE, Step.ILP]
    assert steps(replace(FEW, compiled=False)) == [Step.MINE, Step.GREEDY, Step.DOMINANCE, Step.ILP]


def test_many_are_the_searchs_and_local_search_waits():
    plan = plan_ooax(MANY, OOAxSettings())
    assert [turn.step for turn in plan.proving] == [Step.SEARCH, Step.ILP, Step.SEARCH]
    assert plan.search_later
    assert not plan.has(Step.DOMINANCE)
    short = plan_ooax(replace(MANY, seconds=1.0), OOAxSettings())
    assert not short.search_later


def test_very_many_are_searched_among_first():
    plan = plan_ooax(replace(MANY, candidates=POLICY.quick + 1), OOAxSettings(without="replacement"))
    assert not plan.search_later
    assert plan.has(Step.LOCAL)


@pytest.mark.parametrize("change", [{"complete": False}, {"candidates": POLICY.search_width + 1}])
def test_patterns_that_no_list_has_are_searched_for_one_at_a_time(change: dict[str, object]):
    facts = replace(MANY, **change)
    plan = plan_ooax(facts, OOAxSettings())
    assert plan.has(Step.REPLACE)
    assert plan.has(Step.LOCAL) == facts.complete  # among what screening leaves of them
    assert not plan.search_later
    assert ("left out" in str(plan)) == (not facts.complete)
    for change in ({"constrained": True}, {"on_a_grid": False}, {"compiled": False}):
        assert Step.REPLACE not in steps(replace(facts, **change))
    for options in ({"keep": bool}, {"without": "incumbent"}, {"without": "replacement"}):
        assert Step.REPLACE not in steps(facts, **options)
    assert Step.REPLACE not in steps(MANY)  # all of them are listed, and not too many


def test_constraints_are_searched_with_before_a_solver_has_them():
    plan = plan_ooax(replace(MANY, constrained=True), OOAxSettings())
    assert [turn.step for turn in plan.proving] == [Step.SEARCH, Step.ILP]
    assert plan.has(Step.FREE)
    assert plan.turns.index(next(t for t in plan.turns if t.step is Step.FREE)) < plan.turns.index(
        plan.proving[0]
    )
    for change in ({"compiled": False}, {"on_a_grid": False}):
        alone = plan_ooax(replace(MANY, constrained=True, **change), OOAxSettings())
        assert [turn.step for turn in alone.proving] == [Step.ILP]
        assert not alone.has(Step.FREE)
    unknown = plan_ooax(replace(MANY, constrained=True, known=False), OOAxSettings())
    assert [turn.step for turn in unknown.proving] == [Step.ILP]
    assert unknown.has(Step.FREE)  # it may well meet them


def test_what_was_asked_for_is_all_there_is():
    assert [t.step for t in plan_ooax(MANY, OOAxSettings(selection="ilp")).proving] == [Step.ILP]
    assert [t.step for t in plan_ooax(MANY, OOAxSettings(selection="search")).proving] == [Step.SEARCH]
    assert Step.GREEDY not in steps(MANY, without="incumbent")
    assert Step.LOCAL not in steps(MANY, without="incumbent")
    assert Step.EARLY not in steps(MANY, without="incumbent")
    assert Step.EARLY not in steps(MANY, keep=bool)
    assert Step.DOMINANCE not in steps(FEW, selection="ilp", without="dominance")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"known": False}, "no rule set that meets the constraints is known"),
        ({"most_patterns": None}, "more than 200 patterns"),
        ({"most_patterns": 201}, "more than 200 patterns"),
        ({"on_a_grid": False}, "too many rows for weights as fine"),
        ({"words": 1 << 17, "memory": 2**20 - 1}, "does not fit into memory: set max_memory to 2"),
        ({"words": POLICY.words_per_second + 1, "seconds": 1.0}, "too many candidates and rows"),
        ({"compiled": False}, "was not compiled when ooa was installed"),
    ],
)
def test_why_there_is_no_search(change: dict[str, object], reason: str):
    facts = replace(MANY, **change)
    assert reason in str(why_no_search(facts, POLICY))
    plan = plan_ooax(facts, OOAxSettings())
    assert [turn.step for turn in plan.proving] == [Step.ILP]
    assert bool(plan.hint) == ("memory" in change)


def test_who_asked_for_the_ilp_is_not_told_of_the_search():
    without = replace(MANY, words=1 << 17, memory=2**20 - 1)
    plan = plan_ooax(without, OOAxSettings(selection="ilp"))
    assert plan.hint == ""
    assert str(plan.proving[0]) == "selection ILP: the way that was asked for"
    assert plan_ooax(without, OOAxSettings()).hint


def test_turns_never_exceed_the_time_and_the_last_has_what_is_left():
    rng = np.random.default_rng(0)
    for _ in range(500):
        facts = Facts(
            rows=int(rng.integers(1, 10**6)),
            literals=int(rng.integers(1, 300)),
            candidates=int(10 ** rng.uniform(0, 6)),
            complete=bool(rng.integers(2)),
            words=int(10 ** rng.uniform(0, 8)),
            nonzeros=float(10 ** rng.uniform(0, 8)),
            constrained=bool(rng.integers(2)),
            known=bool(rng.integers(2)),
            seconds=[None, 0.0, 1.0, 300.0][rng.integers(4)],
            compiled=bool(rng.integers(2)),
        )
        plan = plan_ooax(facts, OOAxSettings())
        assert plan.proving[-1].seconds is None
        for turn in plan.turns:
            assert turn.seconds is None or facts.seconds is None or turn.seconds <= facts.seconds
            assert turn.why
        assert len(str(plan).splitlines()) == len(plan.turns)


def test_a_policy_decides():
    assert plan_ooax(FEW, OOAxSettings(selection="ilp", policy=replace(POLICY, few=0))).has(Step.LOCAL)
    assert not plan_ooax(FEW, OOAxSettings(policy=replace(POLICY, quick=0))).search_later


def test_every_number_of_the_policy_has_its_reason():
    source = inspect.getsource(Policy).split("\n")
    for field in fields(Policy):
        line = next(i for i, text in enumerate(source) if text.strip().startswith(f"{field.name}:"))
        block = [text.strip() for text in source[max(0, line - 4) : line]]
        assert any(text.startswith("#:") for text in block), field.name


@pytest.mark.parametrize(
    ("literals", "options", "first"),
    [
        (100, {}, Step.OOAX_ALL),
        (POLICY.all_literals + 1, {}, Step.OOAX_COARSE),
        (100, {"decompose": False}, Step.OOAX_COARSE),
        (100, {"single_category": False}, Step.OOAX_ALL),
        (2**200, {"single_category": False}, Step.OOAX_COARSE),
        (100, {"thresholds": "round"}, Step.OOAX_COARSE),
    ],
)
def test_ooa_tries_all_patterns_where_that_is_a_proof(literals, options, first):
    plan = plan_ooa(literals, OOASettings(**options))
    assert plan.turns[0].step is first
    assert plan.turns[-1].step is Step.MIP
    assert plan_ooa(literals, OOASettings(**options), allows_removal=False).turns[0].step is Step.OOAX_COARSE


def test_facts_are_those_of_the_table():
    table = noisy(np.random.default_rng(3), 50)
    settings = OOAxSettings(constraints=[max_uses("b", 1)], time_limit=1000)
    fit = Fit.of(table, settings)
    literals = literals_of(settings, fit.problem)
    candidates = mine_patterns(fit, literals, settings, least_supports(fit, settings)).candidates
    facts = facts_of(fit, candidates, len(literals))
    assert facts.rows == table.distinct().n_rows
    assert (facts.candidates, facts.literals) == (len(candidates), len(literals))
    assert facts.constrained
    assert facts.known
    assert facts.on_a_grid
    assert facts.compiled == compiled()
    assert facts.seconds is not None
    assert facts.words == candidates.bits.size
    covered = int(np.bitwise_count(candidates.bits).sum())
    assert 0.5 * covered <= facts.nonzeros <= 2 * covered


@pytest.mark.parametrize(
    ("rows", "most", "coarse"), [(40, 5, True), (40, None, True), (40_000, 5, True), (90_000, None, False)]
)
def test_weights_of_many_digits_are_rounded_to_what_can_be_counted(rows, most, coarse):
    """But for very large tables: there, rounding as coarsely as the search needs would be too much of it."""
    rng = np.random.default_rng(0)
    table = Table.from_any({"x": rng.random(rows)}, rng.random(rows) < 0.5, sample_weight=rng.random(rows))
    fit = Fit.of(table, OOAxSettings(max_patterns=most, C1=0.001, C2=0.001))
    no_candidates = Candidates.of_patterns(fit.problem.rows, ())
    assert facts_of(fit, no_candidates, 0).on_a_grid == coarse


def test_the_plan_is_logged(caplog):
    table = noisy(np.random.default_rng(5), 40)
    with caplog.at_level(logging.INFO, logger="ooa"):
        learn_ooax(table, C1=0.02, C2=0.02, max_length=2, progress=False)
    said = [record.getMessage() for record in caplog.records]
    assert any(line.startswith("plan: 1. ") for line in said)


def test_a_plan_is_explained_and_nothing_is_solved():
    table = noisy(np.random.default_rng(5), 40)

    said = explain_ooax(table, OOAxSettings(max_length=2, time_limit=60))
    first, *turns = said.splitlines()
    assert "distinct rows" in first
    assert "patterns mined" in first
    assert turns[0].startswith("1. ")
    assert "at most" in said
    formed = explain_ooa(table, OOASettings(time_limit=60))
    assert formed.splitlines()[-1].startswith(f"{3 + compiled()}. the MIP that forms patterns")


def test_one_of_many_fits_searches_first_and_replaces_only_if_that_fails():
    facts = replace(MANY, candidates=POLICY.search_width + 1, seconds=0.5)
    plan = plan_ooax(facts, OOAxSettings(policy=POLICY.one_of_many()))
    order = [turn.step for turn in plan.turns]
    assert plan.search_later
    assert order.index(Step.SEARCH) < order.index(Step.REPLACE)
    few = plan_ooax(replace(MANY, candidates=20, literals=10), OOAxSettings(policy=POLICY.one_of_many()))
    assert [turn.step for turn in few.turns][:2] == [Step.MINE, Step.SEARCH]
    # What replacement brings has to be there before the choice if patterns are missing.
    lacking = plan_ooax(replace(facts, complete=False), OOAxSettings(policy=POLICY.one_of_many()))
    assert not lacking.search_later


def test_nobody_looks_for_limits_that_bind_in_a_fold():
    assert POLICY.binding_work > 0
    assert POLICY.in_a_fold().binding_work == 0


def test_prices_beyond_all_reason_are_refused_beside_constraints():
    """Where a constraint asks for patterns whatever they cost, nobody could count that."""
    table = Table.from_any({"a": [0, 1, 2, 3, 4, 5]}, [0, 0, 1, 1, 1, 0])
    with pytest.raises(OptionError, match="C1 and C2 must be at most 1,000,000 together"):
        learn_ooax(table, C1=2**70, constraints=[min_sensitivity(0.5)])
    found = learn_ooax(table, C1=10, constraints=[min_sensitivity(0.5)]).certificate
    assert (found.feasible, found.patterns) == (True, 1)


def test_smaller_languages_are_in_the_plan_where_there_are_many_patterns():
    rng = np.random.default_rng(0)
    X = {f"x{j}": rng.integers(0, 12, 150) for j in range(5)}
    table = Table.from_any(X, (X["x0"] > 5) ^ (rng.random(150) < 0.1))
    settings = OOAxSettings(max_length=4, ranges=True, time_limit=10, without="replacement")
    shown = explain_ooax(table, settings).splitlines()
    first = [line for line in shown if Step.SMALLER.value in line]
    assert [line.split(", ", 1)[1].partition(":")[0] for line in first] == [
        "up to length 3, without ranges, over the cuts that labels ask for",
        "up to length 3, without ranges",
        "up to length 3",
    ]
    assert [line.split("at most ")[1].split(" s,")[0] for line in first] == ["0.98", "4.9", "7"]
    few = OOAxSettings(max_length=2, time_limit=10)
    assert not any(step.value in explain_ooax(table, few) for step in (Step.SMALLER, Step.ROUNDS))


@pytest.mark.skipif(not compiled(), reason="the core is not compiled")
def test_smaller_languages_have_their_turns_in_rounds_where_single_patterns_are_searched_for():
    rng = np.random.default_rng(0)
    X = {f"x{j}": rng.integers(0, 12, 150) for j in range(5)}
    table = Table.from_any(X, (X["x0"] > 5) ^ (rng.random(150) < 0.1))
    shown = explain_ooax(table, OOAxSettings(max_length=4, ranges=True, time_limit=10))
    assert Step.SMALLER.value not in shown
    (line,) = [line for line in shown.splitlines() if Step.ROUNDS.value in line]
    assert "at most 6 s" in line
    assert line.partition("this one: ")[2] == (
        "up to length 3, without ranges, over the cuts that labels ask for; up to length 3, without ranges; "
        "up to length 3"
    )
