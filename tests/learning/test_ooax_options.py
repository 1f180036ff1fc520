"""What options change of an OOAx fit: own patterns, filters, starts, labels, weights, engines."""

from __future__ import annotations

import importlib.util
from fractions import Fraction

import numpy as np
import pytest
from support.brute import Tiny, all_patterns, optimum_of_many
from support.strictly import strictly

from ooa.clock import WorkClock
from ooa.data.table import Table
from ooa.errors import OptionError, RuleError
from ooa.kernels.availability import compiled
from ooa.learning.certificate import Scope, Standing
from ooa.learning.ooax import learn_ooax
from ooa.objective import Objective
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet

HAS_FIM = importlib.util.find_spec("fim") is not None
#: Every range, every category, every length: nothing is left out.
EVERYTHING = {"thresholds": "distinct", "ranges": True, "max_length": None, "max_candidates": None}
quietly = strictly(learn_ooax)


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
    if compiled():
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
