"""Optimal replacement within a fit: never worse for it, within what was asked for, all time is used."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ooa.clock import WorkClock
from ooa.data.table import Table
from ooa.kernels.availability import compiled
from ooa.learning.conditions import literals_of
from ooa.learning.ooax import learn_ooax
from ooa.learning.policy import POLICY
from ooa.learning.replace import Replacing
from ooa.learning.settings import OOAxSettings
from ooa.learning.state import Fit
from ooa.rules.ruleset import RuleSet

#: Few kicks and few patterns: enough to see what there is to see.
QUICK = replace(
    POLICY, replace_rounds=10, replace_work=3 * 10**7, collected=40, generation_rounds=4, generated_from=40
)

pytestmark = pytest.mark.skipif(not compiled(), reason="the core is not compiled")


def wide(
    seed: int, rows: int = 250, columns: int = 12, weights: bool = False
) -> tuple[dict, np.ndarray, Table]:
    """Two planted rules, one of them of three literals, beside numeric noise and a category."""
    rng = np.random.default_rng(seed)
    X = {f"x{j}": rng.integers(0, 40, rows) for j in range(columns)}
    X["kind"] = rng.choice(list("abc"), rows)
    label = (X["x3"] >= 18) & (X["x5"] < 25) & (X["x9"] >= 10) | (X["x1"] >= 30) & (X["kind"] == "b")
    label ^= rng.random(rows) < 0.07
    weight = rng.integers(1, 5, rows) if weights else None
    return X, label, Table.from_any(X, label, sample_weight=weight)


@pytest.mark.parametrize("weights", [False, True])
@pytest.mark.parametrize("seed", range(2))
def test_a_fit_that_had_to_leave_patterns_out_is_no_worse_for_the_step(seed: int, weights: bool):
    """The same fit without the step; and its value is that of its predictions."""
    X, label, table = wide(seed, weights=weights)
    options = {
        "C1": "1/200",
        "C2": "1/200",
        "max_patterns": 3,
        "max_mined": 200,
        "progress": False,
        "policy": QUICK,
    }
    plain = learn_ooax(table, without="replacement", **options)
    better = learn_ooax(table, **options)
    assert "replacement" not in plain.certificate.seconds
    assert "replacement" in better.certificate.seconds
    assert better.certificate.objective <= plain.certificate.objective
    assert not better.certificate.proved
    wrong = better.rules.predict(X) != label
    size = better.rules.n_literals + len(better.rules)
    errors = float(table.weight[wrong].sum() / table.weight.sum())
    assert float(better.certificate.objective) == pytest.approx(errors + size / 200)


def test_it_finds_what_a_short_list_lacks():
    """With ten patterns at hand there is no good rule set; one pattern at a time, there is."""
    _, _, table = wide(1)
    options = {"C1": "1/200", "C2": "1/200", "max_mined": 10, "progress": False, "policy": QUICK}
    plain = learn_ooax(table, without="replacement", **options).certificate
    better = learn_ooax(table, **options).certificate
    assert better.objective < plain.objective
    assert better.pool is None or better.pool > 10  # what was met on the way is chosen from too


def test_what_was_asked_for_holds_for_every_pattern():
    X, label, table = wide(2)
    options = {"C1": "1/200", "C2": "1/200", "max_mined": 50, "progress": False, "policy": QUICK}
    for length, support in ((2, 30.0), (4, 40.0)):
        rules = learn_ooax(table, max_length=length, min_support=support, **options).rules
        assert len(rules) > 0
        for pattern in rules:
            assert len(pattern) <= length
            assert label[RuleSet([pattern]).predict(X) == 1].sum() >= support


def prepared(seed: int = 0, **options: object) -> tuple[Fit, Replacing]:
    settings = OOAxSettings(C1=0.005, C2=0.005, progress=False, policy=QUICK, **options)
    fit = Fit.of(wide(seed)[2], settings)
    return fit, Replacing(fit, literals_of(settings, fit.problem), settings)


def test_patterns_met_on_the_way_are_candidates_with_their_coverage():
    fit, replacing = prepared()
    before = fit.best.upper
    met = replacing.turn()
    assert fit.best.upper < before
    assert 10 < len(met) <= 40
    rows = fit.problem.rows
    for k in range(len(met)):
        covers = RuleSet([met.pattern(k)]).covers(rows.as_frame()).any(axis=1)
        assert met.positive[k] == rows.positive[covers].sum() > 0
        assert met.negative[k] == rows.negative[covers].sum()
        assert met.length[k] == len(met.pattern(k))


def test_a_start_of_other_literals_does_no_harm():
    start = RuleSet.parse("x3 >= 17.5 AND x5 < 25.5 AND x9 > 9.5")
    fit, replacing = prepared(start=start)
    fit.best.offer(start)
    before = fit.best.upper
    replacing.turn()
    assert fit.best.upper <= before


def test_the_rest_of_the_time_is_used_once_there_was_a_turn():
    clock = WorkClock(step=0.01)
    fit, replacing = prepared(time_limit=30.0, clock=clock)
    replacing.use_the_rest()
    assert fit.timing.deadline.left() > 29  # no turn yet
    replacing.turn()
    first, left = fit.best.upper, fit.timing.deadline.left()
    assert left > 0.5 * 30
    replacing.use_the_rest()
    assert fit.timing.deadline.left() == 0
    assert fit.best.upper <= first


def test_without_a_limit_it_ends_by_itself_and_the_same_seed_gives_the_same_rules():
    found = []
    for _ in range(2):
        fit, replacing = prepared(seed=1)
        replacing.turn()
        replacing.use_the_rest()  # there is no limit to be used up
        found.append(fit.best.rules)
    assert found[0] == found[1]


def test_an_interrupted_search_ends_the_fit_with_what_is_known(monkeypatch):
    fit, replacing = prepared()
    searched = []

    def interrupt(self, *arguments):
        searched.append(1)
        if len(searched) > 3:
            raise KeyboardInterrupt
        return original(self, *arguments)

    from ooa.search.best_pattern import PatternSearch

    original = PatternSearch.run
    monkeypatch.setattr(PatternSearch, "run", interrupt)
    replacing.turn()
    assert fit.log.interrupted
    assert len(fit.best.rules) > 0
