"""OOAx end to end: known answers, brute force, limits, options."""

from __future__ import annotations

import importlib.util
import warnings
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from support.brute import Tiny, all_patterns, optimum_of_many

from ooa.clock import WorkClock
from ooa.data.table import Table
from ooa.datasets import apnea_survey, monks, tic_tac_toe
from ooa.errors import OOAError, OptionError, RuleError
from ooa.kernels.availability import compiled
from ooa.learning import ooax as module
from ooa.learning.certificate import Scope, Standing, count
from ooa.learning.ooax import learn_ooax, run_ooax
from ooa.learning.policy import POLICY
from ooa.objective import Objective
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet
from ooa.solving import Termination, available_backends

BACKENDS = [name for name, found in available_backends().items() if found.ok]
HAS_FIM = importlib.util.find_spec("fim") is not None
#: Every range, every category, every length: nothing is left out.
EVERYTHING = {"thresholds": "distinct", "ranges": True, "max_length": None, "max_candidates": None}


@pytest.fixture(scope="module")
def game():
    data = tic_tac_toe()
    return Table.from_any(data.X, data.y)


@pytest.fixture(scope="module")
def robots():
    data = monks(1)
    return Table.from_any(data.X, data.y)


@pytest.fixture(scope="module")
def survey():
    data = apnea_survey()
    return Table.from_any(data.X, data.y)


@pytest.fixture(scope="module")
def small():
    """A noisy table that every backend solves in a moment."""
    rng = np.random.default_rng(1)
    columns = {name: rng.integers(0, 3, 80) for name in "abcd"} | {"v": rng.choice(["p", "q", "r"], 80)}
    label = (columns["a"] >= 1) & (columns["v"] == "p") | (columns["b"] == 2) & (columns["c"] <= 1)
    return Table.from_any(columns, label ^ (rng.random(80) < 0.08))


def quietly(*args, **options):
    """Learn, and take every warning for a failure."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return learn_ooax(*args, **options)


# -- known answers ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def winner(game):
    return quietly(game, C1=0.001, C2=0.001, max_patterns=None)


def test_tic_tac_toe_gives_the_eight_winning_lines(winner):
    learned = winner
    proof = learned.certificate
    assert proof.proved
    assert (proof.errors, proof.patterns, proof.literals) == (0, 8, 24)
    assert proof.objective == Fraction(32, 1000)
    assert proof.scope is Scope.LENGTH
    assert proof.statement == (
        "all patterns up to length 3 over these 27 literals (single categories; one condition per column)"
    )
    data = tic_tac_toe()
    board = np.array(data.X).reshape(-1, 3, 3) == "x"
    lines = [
        *(np.argwhere(np.eye(3)[i][:, None] * np.ones(3)) for i in range(3)),
        *(np.argwhere(np.ones(3)[:, None] * np.eye(3)[i]) for i in range(3)),
        np.array([[i, i] for i in range(3)]),
        np.array([[i, 2 - i] for i in range(3)]),
    ]
    # Each line fires on exactly the boards on which x holds its three squares.
    fires = learned.rules.covers(data.X)
    expected = {board[:, cells[:, 0], cells[:, 1]].all(axis=1).tobytes() for cells in lines}
    assert {fires[:, k].tobytes() for k in range(8)} == expected


@pytest.mark.parametrize("form", ["aggregated", "disaggregated"])
def test_monks_gives_the_four_true_patterns(robots, form):
    learned = quietly(robots, C1=0.001, C2=0.001, form=form)
    assert learned.rules == RuleSet.parse(
        "jacket_color = red OR head_shape = round AND body_shape = round "
        "OR head_shape = square AND body_shape = square OR head_shape = octagon AND body_shape = octagon "
        "-> monk = 1 ELSE 0"
    )
    assert learned.certificate.proved
    assert learned.certificate.errors == 0


# -- brute force over all patterns -----------------------------------------------------------------


def random_problem(rng):
    n = int(rng.integers(2, 10))
    columns = {
        f"a{j}": rng.integers(0, rng.integers(1, 4), n)
        if rng.random() < 0.6
        else rng.choice(["u", "v", "w"][: rng.integers(1, 4)], n)
        for j in range(int(rng.integers(1, 4)))
    }
    label = rng.random(n) < rng.choice([0.3, 0.6])
    label[:2] = True, False
    weight = np.ones(n)
    if rng.random() < 0.4:
        weight = rng.integers(0, 4, n) + (np.arange(n) < 1.0)
    prices = [0, 0, 0.01, 0.05, 0.1, "1/7"]
    options = {
        "C1": prices[rng.integers(len(prices))],
        "C2": prices[rng.integers(len(prices))],
        "max_patterns": None if rng.random() < 0.5 else int(rng.integers(1, 4)),
    }
    return columns, label, weight, options


def best_of_all(columns, label, weight, options, max_length=None):
    covers, length = all_patterns([np.asarray(c) for c in columns.values()], max_length)
    positive, negative = np.where(label, weight, 0.0), np.where(label, 0.0, weight)
    objective = Objective.of(options["C1"], options["C2"])
    return optimum_of_many(Tiny(covers, length, positive, negative, objective, options["max_patterns"]))


def test_all_patterns_means_all_patterns():
    rng = np.random.default_rng(2)
    for _ in range(60):
        columns, label, weight, options = random_problem(rng)
        table = Table.from_any(columns, label, sample_weight=weight)
        proof = quietly(table, **options, **EVERYTHING).certificate
        assert proof.scope is Scope.ALL
        assert proof.proved
        assert proof.objective == best_of_all(columns, label, weight, options)


def test_a_limited_length_means_all_patterns_of_that_length():
    rng = np.random.default_rng(3)
    scopes = set()
    for _ in range(50):
        columns, label, weight, options = random_problem(rng)
        table = Table.from_any(columns, label, sample_weight=weight)
        length = int(rng.integers(1, 3))
        proof = quietly(table, **options, **(EVERYTHING | {"max_length": length})).certificate
        assert proof.proved
        assert proof.objective == best_of_all(columns, label, weight, options, length)
        everything = best_of_all(columns, label, weight, options)
        scopes.add(proof.scope)
        if proof.scope is Scope.ALL:
            assert proof.objective == everything
    assert scopes == {Scope.ALL, Scope.LENGTH}


def test_fewer_literals_are_never_called_all_patterns():
    rng = np.random.default_rng(4)
    changes = [
        {"ranges": False},
        {"thresholds": "quantiles", "max_thresholds": 1},
        {"min_support": 2},
        {"keep": lambda pattern: len(pattern) == 1},
        {"max_candidates": 2},
    ]
    options = {"C1": 0.01, "C2": 0.01, "max_patterns": None}
    weaker = 0
    for _ in range(10):
        columns, label, weight, _ = random_problem(rng)
        table = Table.from_any(columns, label, sample_weight=weight)
        best = best_of_all(columns, label, weight, options)
        for change in changes:
            proof = quietly(table, **options, **(EVERYTHING | change)).certificate
            assert proof.objective >= best
            if proof.scope is Scope.ALL:
                assert proof.bound <= best
            weaker += proof.scope is not Scope.ALL
    assert weaker > 10


def test_sets_of_categories_are_patterns_once_some_are_allowed():
    rng = np.random.default_rng(5)
    columns = {"v": rng.choice(list("abcde"), 60)}
    table = Table.from_any(columns, np.isin(columns["v"], ["a", "b", "c"]) ^ (rng.random(60) < 0.05))
    options = {"C1": 0.01, "C2": 0.05, **EVERYTHING}
    assert quietly(table, **options).certificate.scope is Scope.ALL
    # {a, b, c} is better than what pairs can do, so pairs are not all patterns.
    pairs = quietly(table, sets=2, **options).certificate
    assert pairs.scope is Scope.LENGTH
    every = quietly(table, sets=4, **options).certificate
    assert every.scope is Scope.ALL
    assert every.objective < pairs.objective


# -- limits ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [0, 0.1, 1])
@pytest.mark.parametrize("name", ["game", "robots", "survey"])
def test_a_time_limit_gives_a_usable_rule_set_and_an_honest_gap(name, limit, request):
    table = request.getfixturevalue(name)
    C = {"game": 0.001, "robots": 0.001, "survey": 0.005}[name]
    known = {"game": Fraction(32, 1000), "robots": Fraction(11, 1000)}.get(name)  # optimal, as shown above
    clock = WorkClock(1e-3)  # a thousand looks at it are a second
    learned = quietly(table, C1=C, C2=C, max_patterns=None, time_limit=limit, clock=clock)
    proof = learned.certificate
    assert clock.instant < limit + 0.2, proof.seconds  # then it is looked at a few times more
    assert len(learned.rules) > 0
    assert proof.objective < Fraction(float(table.positive.sum())) / Fraction(float(table.weight.sum()))
    assert proof.objective == count(learned.rules, table, Objective.of(C, C)).objective
    assert 0 <= proof.bound <= proof.objective
    if known is not None:
        assert proof.bound <= known <= proof.objective
    if not proof.proved:
        assert proof.termination is Termination.TIME_LIMIT
        assert 0 < proof.gap <= 1
    assert (learned.rules.predict(table.as_frame()) == table.labels[1]).any()


def test_more_time_is_not_worse(survey):
    values = [quietly(survey, time_limit=limit).certificate.objective for limit in (0, 2)]
    assert values[1] <= values[0]


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_same_seed_gives_the_same_result(small, backend):
    def outcome(seed):
        learned = quietly(small, C1=0.01, C2=0.01, backend=backend, seed=seed)
        proof = learned.certificate
        assert proof.backend == ("" if backend == "highs" and compiled() else backend)
        return (
            learned.rules,
            proof.errors,
            proof.objective,
            proof.bound,
            proof.statement,
            dict(proof.counts),
            proof.termination,
        )

    first = outcome(7)
    assert first == outcome(7)
    assert first[1:] == outcome(8)[1:] or first[2:4] == outcome(8)[2:4]  # another seed: the same optimum


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("form", ["aggregated", "disaggregated"])
def test_every_backend_proves_the_same(small, backend, form):
    proof = quietly(small, C1=0.02, C2=0.01, backend=backend, form=form).certificate
    reference = quietly(small, C1=0.02, C2=0.01).certificate
    assert proof.proved
    assert proof.objective == reference.objective
    assert proof.statement == reference.statement


def test_a_relative_gap_ends_early_with_an_honest_bound(small):
    best = quietly(small, C1=0.002, C2=0.002).certificate.objective
    proof = quietly(small, C1=0.002, C2=0.002, relative_gap=0.9).certificate
    assert proof.bound <= best <= proof.objective
    assert proof.termination in (Termination.GAP_LIMIT, Termination.OPTIMAL)


# -- options ---------------------------------------------------------------------------------------


def test_own_patterns_are_candidates(small):
    own = Pattern.parse("1 <= a <= 2 AND v = p AND b <= 1 AND d >= 0")
    learned = quietly(small, patterns=[own], max_length=1, C1=0, C2=0.2)
    plain = quietly(small, max_length=1, C1=0, C2=0.2)
    assert learned.certificate.objective <= plain.certificate.objective
    narrow = quietly(small, patterns=[own], keep=lambda p: p == own, C1=0, C2=0, max_length=1)
    assert narrow.rules == RuleSet([own], target=small.target, positive=True, negative=False)
    assert "that the filter lets pass" in narrow.certificate.statement
    few = quietly(small, patterns=[own], max_candidates=1, C1=0, C2=0, max_length=2)
    assert few.candidates.find(own) is not None


def test_a_filter_says_which_patterns_are_allowed_at_all(small):
    def without_a(pattern):
        return "a" not in pattern.attributes

    learned = quietly(small, keep=without_a, patterns=[Pattern.parse("a >= 1")], C1=0.01, C2=0.01)
    assert "a" not in learned.rules.attributes
    assert learned.certificate.proved
    assert learned.certificate.scope is Scope.LENGTH
    with pytest.raises(RuleError, match=r"a ≥ 1.*keep does not let pass"):
        learn_ooax(small, keep=without_a, start=RuleSet.parse("a >= 1"))


def test_a_slow_filter_does_not_break_the_time_limit(small):
    clock = WorkClock(1e-3)

    def slow(pattern):
        clock.instant += 0.01
        return True

    proof = quietly(small, keep=slow, time_limit=0.5, clock=clock).certificate
    assert clock.instant < 0.7
    assert proof.scope is not Scope.LENGTH
    assert "keep was asked about" in proof.message


def test_an_own_score_decides_beyond_the_limit(small):
    def few_literals(positive, negative, length):
        return positive - 100.0 * length

    options = {"max_candidates": 2, "max_patterns": 1, "selection": "ilp"}
    learned = quietly(small, score=few_literals, C1=0.001, C2=0, **options)
    assert learned.certificate.standing is Standing.POOL
    kept = learned.candidates
    # What the local search found stays a candidate; the rest is as short as it gets.
    others = [len(kept.pattern(k)) for k in range(len(kept)) if kept.pattern(k) not in learned.rules]
    assert others
    assert set(others) == {1}
    with pytest.raises(OptionError, match="score"):
        learn_ooax(small, score=lambda p, n, length: np.full(len(p), np.nan))


def test_a_start_is_used_whatever_the_time(game, winner):
    winning = winner.rules
    bare = RuleSet(winning)  # no labels of its own
    learned = quietly(game, C1=0.001, C2=0.001, max_patterns=None, start=bare, time_limit=0)
    assert learned.rules == winning
    assert learned.certificate.errors == 0
    assert not learned.certificate.proved


@pytest.mark.parametrize(
    ("start", "message"),
    [
        ("height >= 3", "'height', which the table does not have"),
        ("a >= 1 OR b >= 1 OR c >= 1", "3 patterns where at most 2"),
    ],
)
def test_a_start_that_cannot_be_one_is_refused(small, start, message):
    with pytest.raises(RuleError, match=message):
        learn_ooax(small, start=RuleSet.parse(start), max_patterns=2)


def test_labels_are_the_tables_own(small):
    data = {"x": [1, 2, 3, 4] * 5}
    table = Table.from_any(data, ["ill" if x >= 3 else "well" for x in data["x"]], positive="ill")
    start = RuleSet.parse("x >= 4 -> other = 5 ELSE 7")
    for options in ({}, {"start": start}, {"start": start, "time_limit": 0}):
        rules = learn_ooax(table, **options).rules
        assert (rules.target, rules.positive, rules.negative) == ("target", "ill", "well")
        assert set(rules.predict(data)) == {"ill", "well"}


def test_minimum_support_changes_the_scope(small):
    positives = small.positive.sum()
    absolute = quietly(small, min_support=10, C1=0.001, C2=0.001)
    assert absolute.certificate.statement.endswith("with positive support of at least 10")
    assert absolute.certificate.scope is Scope.LENGTH
    assert (absolute.candidates.positive >= 10).all()
    relative = quietly(small, min_support=0.25, C1=0.001, C2=0.001)
    assert relative.certificate.statement.endswith(f"at least {0.25 * positives:g}")
    assert (relative.candidates.positive >= 0.25 * positives).all()
    assert absolute.certificate.objective >= quietly(small, C1=0.001, C2=0.001).certificate.objective


def test_minimum_support_is_exact_at_equality():
    # In binary 0.07 * 100 is above 7.
    x = np.r_[np.ones(7), np.zeros(93), np.zeros(50)]
    label = np.r_[np.ones(100), np.zeros(50)]
    table = Table.from_any({"x": x, "u": np.arange(150) % 2}, label)
    learned = quietly(table, min_support=0.07, C1=0, C2=0, max_length=1)
    assert 7 in learned.candidates.positive


def test_too_many_candidates_and_too_many_patterns_are_said(small):
    few = quietly(small, max_candidates=5, C1=0.001, C2=0.001, selection="ilp").certificate
    assert few.standing is Standing.POOL
    assert few.headline == f"best of {few.pool} candidates"
    assert 5 <= few.pool <= 10
    assert few.gap > 0
    assert few.counts["best by score"] == 5
    budget = quietly(small, max_mined=20, C1=0.001, C2=0.001).certificate
    assert budget.standing is Standing.POOL
    assert budget.bound < budget.objective
    found = quietly(small, C1=0.001, C2=0.001).certificate.counts["mined"]
    plain = quietly(small, max_mined=20, C1=0.001, C2=0.001, without="replacement").certificate
    assert f"only the best 20 of {found} patterns were kept: raise max_mined or min_support" in plain.message
    assert "only the best 20 of at least" in budget.message  # it ended as soon as there were more
    assert "patterns were kept: raise max_mined or min_support" in budget.message
    assert list(budget.counts)[:2] == ["literals", "mined"]


def test_weights_are_repeated_rows(small):
    rng = np.random.default_rng(6)
    columns = {name: rng.integers(0, 3, 40) for name in "abc"}
    label = (columns["a"] == columns["b"]) ^ (rng.random(40) < 0.1)
    times = rng.integers(0, 4, 40)
    weighted = Table.from_any(columns, label, sample_weight=times)
    repeated = Table.from_any(
        {name: np.repeat(values, times) for name, values in columns.items()}, np.repeat(label, times)
    )
    # Cuts are placed between values that occur, so rows of weight 0 must not add any: all three do occur.
    one, other = (quietly(t, C1=0.005, C2=0.005, ranges=True) for t in (weighted, repeated))
    assert one.rules == other.rules
    for field in ("errors", "total", "objective", "bound", "statement", "scope"):
        assert getattr(one.certificate, field) == getattr(other.certificate, field)


def test_weights_that_do_not_add_up_to_whole_numbers():
    rng = np.random.default_rng(7)
    for scale in (1.0, 1 / 3, 1e-9, 1e12):
        columns = {name: rng.integers(0, 2, 60) for name in "abc"}
        label = ((columns["a"] & columns["b"]) == 1) ^ (rng.random(60) < 0.05)
        weight = rng.random(60) * scale
        table = Table.from_any(columns, label, sample_weight=weight)
        proof = quietly(table, C1=0.01, C2=0.01, **EVERYTHING).certificate
        covers, length = all_patterns(list(columns.values()))
        merged = table.distinct()
        first = [int(np.flatnonzero(merged.row == i)[0]) for i in range(merged.n_rows)]
        tiny = Tiny(
            covers[:, first],
            length,
            merged.positive / scale,
            merged.negative / scale,
            Objective.of(0.01, 0.01),
        )
        best = float(optimum_of_many(tiny))
        assert float(proof.objective) == pytest.approx(best, rel=1e-9)
        assert float(proof.bound) <= best * (1 + 1e-12)
        assert proof.gap < 1e-4
        exactly = sum(Fraction(w) for w in weight.tolist())
        assert proof.total == exactly


@pytest.mark.parametrize("engine", ["fpgrowth", "eclat", "apriori"])
@pytest.mark.skipif(not HAS_FIM, reason="pyfim is not installed")
def test_engines_of_pyfim_give_the_same(small, engine):
    ours, theirs = (quietly(small, engine=e, C1=0.005, C2=0.005) for e in ("bitset", engine))
    assert ours.rules == theirs.rules
    assert ours.certificate.counts == theirs.certificate.counts
    assert ours.certificate.bound == theirs.certificate.bound


# -- edges -----------------------------------------------------------------------------------------


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
    told = {"C1": 0.01, "C2": 0.01, "max_length": 2}
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
