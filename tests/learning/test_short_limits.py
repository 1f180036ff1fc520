"""Limits too short for the table: a labelled result in any case, and a look at the clock every so often."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from support.clocks import HandClock, MeteredClock

from ooa.candidates.bitset_miner import BitsetMiner
from ooa.candidates.candidates import Candidates
from ooa.candidates.generate import candidate_literals
from ooa.candidates.thresholds import Cutting
from ooa.clock import Deadline, WorkClock
from ooa.constraints import max_uses, min_sensitivity, min_specificity
from ooa.data.bitsets import n_words, pack, weighted_count
from ooa.data.table import Table
from ooa.formulations.ooax import OOAxFormulation
from ooa.formulations.task import Task
from ooa.kernels.availability import compiled, what_is_missing
from ooa.kernels.best_pattern import BestPattern
from ooa.kernels.dominance import Dominance
from ooa.kernels.mining import Miner
from ooa.kernels.sets import SetSearch
from ooa.learning import conditions, mine
from ooa.learning.conditions import literals_in_time, merit_of, paired_in_time
from ooa.learning.improve import width_in_time
from ooa.learning.mine import mining_budget
from ooa.learning.ooa import learn_ooa
from ooa.learning.ooax import learn_ooax
from ooa.learning.policy import POLICY
from ooa.learning.problem import FitProblem
from ooa.learning.settings import OOAxSettings
from ooa.learning.state import Fit
from ooa.learning.verdict import Learned
from ooa.objective import Objective
from ooa.search.branch_and_bound import MOST_WORDS, WORK, Branching
from ooa.search.local_search import LocalSearch
from ooa.search.pair_bound import Separation
from ooa.solving.solution import Termination


def noisy(rows: int = 300, columns: int = 12) -> Table:
    """Numbers, some with few values; two patterns, and a tenth of the labels flipped."""
    rng = np.random.default_rng(rows + columns)
    X = {f"x{j}": rng.normal(size=rows).round(j % 3) for j in range(columns)}
    y = ((X["x0"] > 0) & (X["x1"] > 0)) | (X["x2"] < -1)
    return Table.from_any(X, np.where(rng.random(rows) < 0.1, ~y, y))


@pytest.mark.parametrize("limit", [0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233])
@pytest.mark.parametrize("learn", [learn_ooax, learn_ooa])
def test_however_short_the_time_there_is_a_labelled_result(learn: Any, limit: int) -> None:
    clock = WorkClock()
    learned = (
        learn(noisy(), time_limit=float(limit), clock=clock, selection="ilp")
        if (learn is learn_ooax)
        else learn(noisy(), time_limit=float(limit), clock=clock)
    )
    found = learned.certificate
    assert found.termination is Termination.TIME_LIMIT
    assert not found.proved
    assert 0 <= found.bound <= found.objective
    assert found.feasible


def with_conditions_only(table: Table, cuts: int = 15, **options: Any) -> Learned:
    """A fit whose time is over once all conditions are made, of so many cuts per column at most."""
    clock, literals = HandClock(), candidate_literals(table, max_thresholds=cuts)

    def slow(*arguments: object, **options: object) -> object:
        clock.move(5.0)
        return literals

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(conditions, "candidate_literals", slow)
        return learn_ooax(table, time_limit=1.0, clock=clock, **options)


def test_time_for_the_conditions_alone_ends_with_the_best_of_them() -> None:
    table = noisy()
    literals, learned = candidate_literals(table), with_conditions_only(table)
    assert (len(learned.rules), learned.rules.n_literals) == (1, 1)
    fires = {
        literal: literal.mask(table.as_frame().column(literal.attribute)) for literal in literals.literals
    }
    net = {
        literal: table.positive[holds].sum() - table.negative[holds].sum() for literal, holds in fires.items()
    }
    (only,) = learned.rules[0]
    assert net[only] == max(net.values())
    assert "there was time for single conditions only" in learned.certificate.message


@pytest.mark.parametrize(
    ("constraint", "patterns"),
    [
        (min_sensitivity(0.6), 1),
        (min_sensitivity(1.0), 2),  # no condition alone holds for all positives, but both sides of a cut do
        (min_specificity(0.6), 1),
        (max_uses("x1", 0), 1),
    ],
)
def test_the_first_rule_sets_meet_constraints_where_that_is_easy(constraint: Any, patterns: int) -> None:
    table = noisy(columns=3)
    learned = with_conditions_only(table, cuts=1, constraints=[constraint])
    assert learned.certificate.feasible
    assert len(learned.rules) == patterns
    assert FitProblem.of(table, Objective.of(0, 0), None, [constraint]).violated(learned.rules) == []


def test_what_nothing_meets_is_said_to_be_unmet() -> None:
    learned = with_conditions_only(noisy(), constraints=[min_sensitivity(1.0), min_specificity(1.0)])
    assert not learned.certificate.feasible
    assert "no rule set that meets the constraints was found" in learned.certificate.message


def test_first_rule_sets_are_made_of_what_may_be_used() -> None:
    table = noisy()
    everything = with_conditions_only(table).rules
    (best,) = everything[0]
    others = with_conditions_only(table, keep=lambda pattern: best not in pattern).rules
    assert everything.patterns != others.patterns
    assert with_conditions_only(table, min_support=10_000).rules.patterns == ()


def test_a_constraint_on_predictions_is_made_into_rows_once() -> None:
    """The models that solvers get aside: none is made here, as there is no time for them."""
    asked = []

    def sensitive(f: Any) -> Any:
        asked.append(f)
        return f.error[f.label].sum() <= 0.4 * f.label.sum()

    policy = replace(POLICY, most_nonzeros_per_second=1)
    told = {"constraints": [sensitive], "policy": policy, "selection": "ilp"}
    learned = learn_ooax(noisy(), time_limit=30.0, clock=HandClock(), **told)
    assert learned.certificate.feasible
    read = [type(f).__name__ for f in asked]
    assert read.count("_Predictions") == 1
    assert set(read) == {"_Predictions", "CountedWords"}
    assert len(read) < 10  # once for every list of candidates


def test_no_more_patterns_are_mined_than_can_be_laid_out_in_time() -> None:
    """However large the budget: to lay out the rows of those that are kept is one piece of work."""
    table, settings = noisy(), OOAxSettings(time_limit=1.0, clock=HandClock())
    words = n_words(table.n_rows)
    few = replace(settings, policy=replace(POLICY, pattern_words_per_second=100 * words))
    kept = {}
    for name, one in (("many", settings), ("few", few)):
        fit = Fit.of(table, one)
        literals = literals_in_time(fit, one)
        found = mine.mine_patterns(fit, literals, one, mine.least_supports(fit, one), budget=5000)
        kept[name] = len(found.candidates)
    assert kept == {"many": 5000, "few": 100}


def test_the_early_look_is_at_conditions_whose_pairs_can_be_mined() -> None:
    table, settings = noisy(), OOAxSettings(time_limit=1.0, clock=HandClock())
    slow = replace(POLICY, joined_words_per_second=10_000)
    everything = candidate_literals(table)
    fit = Fit.of(table, replace(settings, policy=slow))
    some = paired_in_time(fit, everything, settings)
    words = 0.5 * len(some) ** 2 * n_words(table.n_rows)
    assert 0.9 < words / (slow.mining_share * slow.joined_words_per_second) <= 1
    merit = merit_of(settings, fit.problem)(
        *(weighted_count(everything.bits, weights) for weights in (table.positive, table.negative)),
        np.ones(len(everything)),
    )
    best = sorted(range(len(everything)), key=lambda k: (-merit[k], k))[: len(some)]
    assert set(some.literals) == {everything.literals[k] for k in best}
    # It is a look and no more: the proof is about all of them.
    assert paired_in_time(Fit.of(table, settings), everything, settings) is everything
    told = {"time_limit": 300.0, "clock": WorkClock(0.001), "policy": slow}
    assert learn_ooax(noisy(60, 3), **told).certificate.proved


def test_conditions_are_weighed_as_long_as_there_is_time() -> None:
    table, clock = noisy(), WorkClock()
    policy = replace(POLICY, weighed_words=1, least_looked_at=10)
    fit = Fit.of(table, OOAxSettings(time_limit=60.0, clock=clock, policy=policy))
    bits = candidate_literals(table).bits
    left = {1000.0: len(bits), 5.5: 10 + 10 * 4, 0.0: 10}  # four looks until the fifth comes too late
    for seconds, number in left.items():
        clock.instant = fit.timing.deadline.end - seconds
        positive, negative = conditions._weighed_in_time(fit, bits)
        assert len(positive) == number
        assert positive.tolist() == weighted_count(bits[: len(positive)], table.positive).tolist()
        assert negative.tolist() == weighted_count(bits[: len(positive)], table.negative).tolist()


def test_ooa_says_what_ooax_left_out() -> None:
    policy = replace(POLICY, mip_per_second=10, literal_words_per_second=0, least_looked_at=3)
    told = {"time_limit": 30.0, "clock": HandClock(), "policy": policy}
    message = learn_ooa(noisy(60, 4), decompose=False, **told).certificate.message
    assert "in OOAx, from which the MIP starts: only the best 3 of" in message
    assert "max_length" not in message  # which OOA does not have
    proved = learn_ooa(noisy(12, 3), time_limit=30.0, clock=HandClock())
    assert proved.certificate.proved
    assert "OOAx" not in proved.certificate.message


def test_columns_that_there_was_no_time_for_are_said() -> None:
    table = noisy(columns=12)
    found = candidate_literals(table, deadline=Deadline.after(6.5, WorkClock()))
    assert found.note == "only 4 of 12 columns were looked at for lack of time"
    assert set(found.attribute.tolist()) == {0, 1, 2, 3}
    assert candidate_literals(table, deadline=Deadline.after(100, WorkClock())).note == ""


def test_fewer_conditions_are_the_best_of_them_and_keep_their_complements() -> None:
    everything = candidate_literals(noisy())
    merit = np.arange(len(everything), dtype=float) % 7
    some = everything.best(9, merit)
    assert len(some) == 9
    assert some.note == f"only the best 9 of {len(everything)} conditions were looked at for lack of time"
    assert sorted(merit)[-9:] == sorted(merit[[everything.literals.index(one) for one in some.literals]])
    whole = np.uint64(0)
    for k, other in enumerate(some.complement.tolist()):
        if other >= 0:
            assert some.attribute[k] == some.attribute[other]
            assert not (some.bits[k] & some.bits[other]).any()
        whole |= some.bits[k][0]
    kept = {everything.literals[i]: i for i in range(len(everything))}
    for k, literal in enumerate(some.literals):
        other = int(everything.complement[kept[literal]])
        assert (some.complement[k] >= 0) == (other >= 0 and everything.literals[other] in some.literals)


def test_what_is_missing_is_never_proved_away() -> None:
    """With few conditions the rest could hold a better rule set, so there is no proof about all of them."""
    policy = replace(POLICY, literal_words_per_second=0, least_looked_at=3)
    learned = learn_ooax(noisy(60, 3), time_limit=300.0, clock=WorkClock(), policy=policy)
    found = learned.certificate
    assert "only the best 3 of" in found.message
    assert not found.proved
    whole = learn_ooax(noisy(60, 3))
    assert whole.certificate.proved
    assert found.bound <= whole.certificate.objective


def test_large_tables_get_fewer_patterns_in_short_times() -> None:
    clock = HandClock()
    fit = Fit.of(noisy(6400, 3), OOAxSettings(time_limit=1.0, clock=clock))
    words = n_words(fit.problem.rows.n_rows)
    assert width_in_time(fit, 10**9) == POLICY.pattern_words_per_second // words
    assert width_in_time(fit, 1000) == 1000
    assert width_in_time(fit, 10**9, seconds=0.5) == POLICY.pattern_words_per_second // words // 2
    plenty = mining_budget(fit, OOAxSettings())
    clock.move(1.0)
    assert width_in_time(fit, 10**9) == POLICY.least_looked_at
    assert width_in_time(fit, 5) == 5
    assert mining_budget(fit, OOAxSettings()) == POLICY.least_looked_at < plenty


def test_no_mip_is_made_that_no_solver_would_end() -> None:
    def refused(*arguments: object, **options: object) -> None:
        raise AssertionError("the MIP was made")

    policy = replace(POLICY, mip_per_second=10)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ooa.learning.ooa.boxes", refused)
        learned = learn_ooa(noisy(60, 4), time_limit=30.0, clock=HandClock(), decompose=False, policy=policy)
    assert "no MIP over 60 rows and 4 columns: no solver would keep to the time that is left" in (
        learned.certificate.message
    )
    assert len(learned.rules)


def test_no_ilp_is_made_that_no_solver_would_end() -> None:
    policy = replace(POLICY, most_nonzeros_per_second=1)
    told = {"time_limit": 30.0, "clock": HandClock(), "selection": "ilp", "policy": policy}
    learned = learn_ooax(noisy(60, 4), **told)
    assert "no ILP over 60 distinct rows: solvers do not keep to a time limit there" in (
        learned.certificate.message
    )
    assert learned.solution is None
    assert len(learned.rules)


def test_no_ilp_is_laid_out_that_there_is_no_time_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Patterns that cover few of many rows: the ILP is small, but made of all that they might cover."""
    clock, made = HandClock(), []
    policy = replace(POLICY, first_candidates=20, words_per_second=100)

    def slowly(candidates: Candidates, task: Task, **options: Any) -> OOAxFormulation:
        made.append(len(candidates))
        clock.move(candidates.words / policy.words_per_second)
        return original(candidates, task, **options)

    original = OOAxFormulation.of
    monkeypatch.setattr(OOAxFormulation, "of", slowly)
    told = {"time_limit": 0.7, "clock": clock, "selection": "ilp", "policy": policy}
    learned = learn_ooax(noisy(60, 4), **told)
    assert len(made) == 1
    assert clock.time <= 0.7
    assert "distinct rows: there is no time to lay out what " in learned.certificate.message
    assert len(learned.rules)


@pytest.mark.parametrize(
    ("owner", "name"),
    [
        (Cutting, "cuts"),
        (Miner, "advance") if compiled() else (BitsetMiner, "_join"),
        (LocalSearch, "_gains"),
    ],
)
def test_a_look_at_the_clock_after_every_piece_of_work(
    owner: type, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One column, one block of patterns: and then the clock. (A pattern that is grown is dropped at once.)"""
    clock = MeteredClock()
    monkeypatch.setattr(owner, name, clock.metered(getattr(owner, name)))
    policy = replace(POLICY, binding_work=0)  # a look at limits that bind is so many words in all
    learn_ooax(noisy(), time_limit=300.0, clock=clock, max_patterns=3, policy=policy)
    assert clock.looks
    assert 1 <= clock.most <= 2


@pytest.mark.skipif(not compiled(), reason=what_is_missing())
@pytest.mark.parametrize(
    ("owner", "name"),
    [(Dominance, "advance"), (SetSearch, "advance"), (BestPattern, "advance"), (Separation, "_solve")],
)
def test_a_look_at_the_clock_after_every_piece_of_a_search(
    owner: type, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dominance, the exact search, the best single pattern, a linear program with pair cuts."""
    clock = MeteredClock(1e-3)
    monkeypatch.setattr(owner, name, clock.metered(getattr(owner, name)))
    policy = POLICY
    if owner is Separation:  # the search alone is not to end it before the linear program has its turn
        policy = replace(
            policy,
            brief_attempt_seconds=0.0,
            first_attempt_seconds=0.0,
            early_attempt_seconds=0.0,
            rough_seconds=0.0,
        )
    told = {"max_mined": 300} if owner is BestPattern else {"policy": policy}
    learn_ooax(noisy(200, 6), C1=0.004, C2=0.004, time_limit=10.0, clock=clock, max_patterns=3, **told)
    assert clock.looks
    assert 1 <= clock.most <= 2


@pytest.mark.skipif(not compiled(), reason=what_is_missing())
@pytest.mark.parametrize("rows", [300, 100_000])
def test_a_piece_of_a_search_is_so_many_words(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many rows there are: else nobody could say how long a piece takes."""
    pieces: list[int] = []
    for owner in (Dominance, SetSearch):

        def advance(self: Any, work: int, plain: Any = owner.advance) -> Any:
            pieces.append(work)
            return plain(self, work)

        monkeypatch.setattr(owner, "advance", advance)
    rng = np.random.default_rng(rows)
    label = rng.random(rows) < 0.5
    search = Branching(
        pack(rng.random((30, rows)) < 0.5),
        label.astype(float),
        (~label).astype(float),
        np.full(30, 2),
        max_patterns=2,
        multipliers=False,
    )
    search.drop_dominated(lambda share: True)
    search.run(0, 0, lambda share: True)
    assert len(pieces) >= 2
    each = search.words / len(search)
    assert max(pieces) * each <= MOST_WORDS
    assert min(pieces) >= min(WORK, MOST_WORDS // each - 1)  # nor so few that calls cost more than they do
