"""Rounds of replacement: the same way for every limit, and what is met in one language serves all."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ooa.candidates.candidates import Candidates
from ooa.clock import WorkClock
from ooa.data.table import Table
from ooa.kernels.availability import compiled
from ooa.learning import rounds as rounds_module
from ooa.learning.conditions import literals_of
from ooa.learning.ooax import learn_ooax
from ooa.learning.policy import POLICY
from ooa.learning.replace import Replacing
from ooa.learning.rounds import Rounds, rounds_of
from ooa.learning.settings import OOAxSettings
from ooa.learning.state import Fit
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet

pytestmark = pytest.mark.skipif(not compiled(), reason="the core is not compiled")

#: Turns are short here.
POLICY_OF_TESTS = replace(POLICY, round_work=3 * 10**6)
#: Every look at the clock takes so long: far less than any limit here.
STEP = 1e-6


def numbers(seed: int, rows: int = 200) -> Table:
    """A planted rule of four conditions, one of them a range, among eight numbers."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 8)).round(2)
    label = (np.abs(X[:, 1]) < 0.8) & (X[:, 3] > -0.6) & (X[:, 5] < 0.7) & (X[:, 7] > -1)
    return Table.from_any({f"x{j}": X[:, j] for j in range(8)}, label ^ (rng.random(rows) < 0.06))


def begun(table: Table, time_limit: float | None = 1000.0, **options: Any) -> tuple[Fit, Rounds, Replacing]:
    """A fit, and its rounds before the first."""
    told = {"C1": 0.002, "C2": 0.002, "progress": False, "threads": 1, "clock": WorkClock(STEP)}
    settings = OOAxSettings(**told, time_limit=time_limit, policy=POLICY_OF_TESTS, **options)
    fit = Fit.of(table, settings)
    literals = literals_of(settings, fit.problem)
    replacing = Replacing(fit, literals, settings)
    found = rounds_of(fit, literals, settings, replacing)
    assert found is not None
    return fit, found, replacing


def course(seed: int, most: int, **options: Any) -> list[float]:
    """The best value after each of so many rounds."""
    fit, rounds, _ = begun(numbers(seed), **options)
    values = []
    for _ in range(most):
        rounds._one(fit.timing.deadline)
        assert fit.best.value is not None
        values.append(float(fit.best.value))
    return values


@pytest.mark.parametrize("options", [{"max_length": 5}, {"ranges": True, "max_length": None}])
@pytest.mark.parametrize("seed", range(2))
def test_what_comes_first_does_not_depend_on_the_limit(seed: int, options: dict[str, Any]):
    short = course(seed, 3, time_limit=1000.0, **options)
    assert course(seed, 3, time_limit=9000.0, **options) == short
    assert short == sorted(short, reverse=True)
    assert course(seed, 4, time_limit=9000.0, **options)[:3] == short


def test_without_a_limit_it_ends_and_the_same_comes_out_again():
    ends = []
    for _ in range(2):
        fit, rounds, _ = begun(numbers(3, 100), time_limit=None, max_length=5)
        rounds.early()
        ends.append((fit.best.value, list(fit.best.rules)))
        rounds.use_the_rest()  # there is none
    assert ends[0] == ends[1]
    assert ends[0][0] < fit.problem.values(fit.problem.empty())[0]


def test_languages_join_one_a_round_and_the_one_asked_for_is_the_last():
    fit, rounds, replacing = begun(numbers(0), max_length=None, ranges=True)
    lengths = []
    for _ in range(6):
        rounds._one(fit.timing.deadline)
        lengths.append(len(rounds._turns))
    assert lengths == [1, 2, 3, 4, 5, 5]
    settings = [turn.settings for turn in rounds._turns if turn is not None]
    assert [(one.thresholds, one.max_length, one.ranges) for one in settings] == [
        ("mdl", 3, False),
        ("auto", 3, False),
        ("auto", 3, True),
        ("auto", 5, True),
        ("auto", None, True),
    ]
    assert rounds._turns[-1] is replacing


def test_a_turn_has_twice_the_work_of_the_round_before(monkeypatch: pytest.MonkeyPatch):
    fit, rounds, _ = begun(numbers(0), max_length=5)
    spent: list[tuple[int | None, int]] = []
    monkeypatch.setattr(
        Replacing, "spend", lambda self, until, work: spent.append((self.settings.max_length, work))
    )
    for _ in range(4):
        rounds._one(fit.timing.deadline)
    first = fit.policy.round_work
    assert [work for _, work in spent] == [first * 2**k for k in (0, 1, 1, 2, 2, 2, 3, 3, 3)]
    assert [length for length, _ in spent] == [3, 3, 3, 3, 3, 5, 3, 3, 5]


def test_patterns_met_in_all_languages_are_put_together(monkeypatch: pytest.MonkeyPatch):
    fit, rounds, replacing = begun(numbers(1), max_length=5)
    seen: list[Candidates] = []
    monkeypatch.setattr(rounds_module, "local_search", lambda fit, met, until: seen.append(met))
    for _ in range(3):
        rounds._one(fit.timing.deadline)
    own = set(map(str, (p for p in patterns(replacing.found()))))
    all_of_them = set(map(str, patterns(seen[-1])))
    assert own <= all_of_them
    assert all_of_them - own  # over the cuts that labels ask for, or shorter
    assert [len(met) for met in seen] == sorted(len(met) for met in seen)


def patterns(candidates: Candidates) -> list[Any]:
    return [candidates.pattern(k) for k in range(len(candidates))]


def test_a_pattern_too_long_for_a_language_is_no_start_of_its():
    """The best rule set of a larger language may have one; there is no price for it in the smaller."""
    fit, _, replacing = begun(numbers(2), max_length=None)
    first: dict[int, int] = {}
    for k, column in enumerate(replacing.literals.attribute.tolist()):
        first.setdefault(column, k)
    items = list(first.values())[:4]
    long = Pattern(replacing.literals.literals[k] for k in items)
    fit.best.rules = RuleSet([long])
    short = Replacing(fit, replacing.literals, replace(replacing.settings, max_length=3))
    assert short.collected(10) == []
    assert replacing.collected(10) == [tuple(sorted(items))]
    short.spend(fit.timing.deadline, 10**6)
    assert all(len(items) <= 3 for items in short.collected(10))


def test_a_round_in_vain_ends_the_early_ones():
    fit, rounds, _ = begun(numbers(0), max_length=5)
    rounds.early()
    made, before = rounds._round, fit.best.value
    assert made > len(rounds._smaller)  # all languages had a turn
    rounds.early()
    assert rounds._round == made + 1 or fit.best.value != before


def test_ctrl_c_in_a_turn_ends_all_of_them(monkeypatch: pytest.MonkeyPatch):
    fit, rounds, _ = begun(numbers(0), max_length=5)
    asked = []

    def spend(self: Replacing, until: object, work: int) -> None:
        asked.append(work)
        fit.log.interrupted = True

    monkeypatch.setattr(Replacing, "spend", spend)
    with pytest.raises(KeyboardInterrupt):
        rounds.early()
    assert len(asked) == 1


def test_time_that_is_over_is_not_spent(monkeypatch: pytest.MonkeyPatch):
    fit, rounds, _ = begun(numbers(0), time_limit=1.0, max_length=5)
    asked: list[int] = []
    monkeypatch.setattr(Replacing, "spend", lambda self, until, work: asked.append(work))
    fit.timing._clock.instant += 1.0  # type: ignore[attr-defined]
    rounds.early()
    rounds.use_the_rest()
    assert asked == []


@pytest.mark.parametrize("barred", [{"keep": bool}, {"without": "replacement"}, {"without": "incumbent"}])
def test_where_single_patterns_cannot_be_searched_for_there_are_none(barred: dict[str, Any]):
    settings = OOAxSettings(C1=0.002, C2=0.002, progress=False, max_length=5, **barred)
    fit = Fit.of(numbers(0), settings)
    literals = literals_of(settings, fit.problem)
    assert rounds_of(fit, literals, settings, Replacing(fit, literals, settings)) is None


def test_a_fit_has_them_and_says_what_they_took():
    told = {"C1": "1/500", "C2": "1/500", "progress": False, "threads": 1}
    learned = learn_ooax(numbers(0), max_length=5, time_limit=6.0, clock=WorkClock(0.01), **told)
    assert learned.certificate.seconds["replacement"] > 0
    assert float(learned.certificate.bound) <= float(learned.certificate.objective)
