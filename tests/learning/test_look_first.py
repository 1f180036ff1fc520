"""A larger language never costs: fits over smaller ones come first, and what they find is carried over."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ooa.clock import WorkClock
from ooa.data.table import Table
from ooa.kernels.availability import compiled
from ooa.learning.conditions import literals_of
from ooa.learning.look_first import look_at_smaller
from ooa.learning.ooax import learn_ooax, run_ooax
from ooa.learning.policy import POLICY
from ooa.learning.settings import OOAxSettings
from ooa.learning.state import Fit
from ooa.rules.ruleset import RuleSet

pytestmark = pytest.mark.skipif(not compiled(), reason="the core is not compiled")


def board(seed: int, rows: int = 300) -> Table:
    """Three pieces on a board; which of them stand in one line is what counts, so good patterns are many."""
    rng = np.random.default_rng(seed)
    places = rng.integers(1, 9, size=(rows, 3, 2))
    beside = np.abs(places[:, 0] - places[:, 2]).max(axis=1) <= 1
    line = (places[:, 1] == places[:, 2]).any(axis=1)
    names = [f"{piece}{axis}" for piece in "abc" for axis in "xy"]
    return Table.from_any(dict(zip(names, places.reshape(rows, 6).T, strict=True)), beside | line)


def numbers(seed: int, rows: int = 250) -> Table:
    """A planted rule of four conditions, one of them a range, among ten numbers."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 10)).round(2)
    label = (np.abs(X[:, 1]) < 0.8) & (X[:, 3] > -0.6) & (X[:, 5] < 0.7) & (X[:, 8] > -1)
    return Table.from_any({f"x{j}": X[:, j] for j in range(10)}, label ^ (rng.random(rows) < 0.04))


def value(table: Table, seconds: float, **options: Any) -> float:
    """L after so much work: every look at the clock takes a hundredth of a second."""
    told = {"C1": "1/500", "C2": "1/500", "progress": False, "threads": 1, "clock": WorkClock(step=0.01)}
    return float(learn_ooax(table, time_limit=seconds, **told, **options).certificate.objective)


@pytest.mark.parametrize("larger", [{"max_length": 5}, {"ranges": True}, {"thresholds": "distinct"}])
@pytest.mark.parametrize("table", [board(0), board(1), numbers(0)], ids=["board 0", "board 1", "numbers"])
def test_with_the_same_work_a_larger_language_is_no_worse(table: Table, larger: dict[str, Any]):
    assert value(table, 6.0, **larger) <= value(table, 6.0)


@pytest.mark.parametrize("larger", [{"max_length": None}, {"ranges": True, "max_length": 4}])
def test_where_it_says_more_it_is_better(larger: dict[str, Any]):
    assert value(numbers(1), 4.0, **larger) < value(numbers(1), 4.0)


def prepared(table: Table, **options: Any) -> tuple[Fit, OOAxSettings]:
    settings = OOAxSettings(C1=0.002, C2=0.002, progress=False, **options)
    return Fit.of(table, settings), settings


def test_what_fits_over_less_find_is_carried_over_and_what_they_prove_is_not():
    """The stand-in for a fit finds a rule set, and claims a bound."""
    fit, settings = prepared(numbers(0), max_length=5, time_limit=100.0)
    asked = []
    good = RuleSet.parse("-0.8 <= x1 <= 0.8 AND x3 > -0.6 AND x5 < 0.7")

    def run(fit: Fit, smaller: OOAxSettings) -> None:
        asked.append((smaller.max_length, smaller.thresholds))
        fit.best.offer(good)
        fit.log.note_bound(fit.best.value)

    look_at_smaller(fit, literals_of(settings, fit.problem), settings, run)
    assert asked == [(3, "mdl"), (3, "auto")]
    assert list(fit.best.rules) == list(good)
    assert all(moment.bound is None or moment.bound <= float(fit.problem.trivial) for moment in fit.log.trace)


def test_a_smaller_language_has_a_fit_of_its_own_but_no_bound_over_all_patterns():
    """Its share of the time is over when the last of them ends."""
    clock, spent = WorkClock(0.001), []

    def run(fit: Fit, smaller: OOAxSettings) -> None:
        run_ooax(fit, smaller, smaller=False)
        spent.append(clock.instant)

    fit, settings = prepared(numbers(2), max_length=5, ranges=True, time_limit=2.0, clock=clock)
    look_at_smaller(fit, literals_of(settings, fit.problem), settings, run)
    assert len(spent) == 3
    assert spent[-1] <= POLICY.smaller_share * 2.0 + 0.1
    assert {"mining", "replacement"} <= fit.timing.seconds.keys()
    assert "generation" not in fit.timing.seconds


def test_labels_that_ask_for_no_cut_do_not_end_it():
    fit, settings = prepared(board(0), max_length=5, time_limit=100.0)
    asked = []
    assert not len(literals_of(OOAxSettings(thresholds="mdl"), fit.problem))
    look_at_smaller(fit, literals_of(settings, fit.problem), settings, lambda _, one: asked.append(one))
    assert [one.thresholds for one in asked] == ["auto"]


def test_ctrl_c_in_a_smaller_language_ends_all_of_them():
    fit, settings = prepared(board(0), max_length=5, time_limit=100.0)

    def run(fit: Fit, smaller: OOAxSettings) -> None:
        fit.log.interrupted = True

    with pytest.raises(KeyboardInterrupt):
        look_at_smaller(fit, literals_of(settings, fit.problem), settings, run)


def test_time_that_is_over_is_not_spent():
    clock = WorkClock(step=0.001)
    fit, settings = prepared(board(0), max_length=5, time_limit=1.0, clock=clock)
    literals, asked = literals_of(settings, fit.problem), []
    clock.instant += 1.0
    look_at_smaller(fit, literals, settings, lambda fit, smaller: asked.append(smaller))
    assert asked == []
