"""What changes in a fit: time booked under stages, the best rule set known, the log."""

from __future__ import annotations

import io
import sys
from fractions import Fraction

import pytest
from support.clocks import HandClock, Terminal

from ooa.clock import Patience, WorkClock
from ooa.constraints import min_sensitivity
from ooa.data.table import Table
from ooa.datasets import monks
from ooa.learning.ooax import learn_ooax
from ooa.learning.progress import BestKnown, Log, Timing
from ooa.learning.settings import OOAxSettings
from ooa.learning.state import Fit
from ooa.live_line import LiveLine
from ooa.rules.ruleset import RuleSet

TABLE = Table.from_any({"x": [1, 2, 3, 4]}, [0, 0, 1, 1])


def test_time_is_booked_once():
    clock = WorkClock()
    timing = Timing(None, clock)
    timing.book("a")
    timing.book("b")
    timing.book("a")
    assert timing.seconds["b"] == 1.0
    assert sum(timing.seconds.values()) == timing.elapsed() - 1.0  # the last look


def test_a_part_of_the_time_and_then_the_rest_again():
    timing = Timing(100.0, WorkClock())
    whole = timing.deadline
    with timing.within(10.0):
        assert timing.deadline.end < whole.end
        with timing.within(50.0):  # no more than the outer one has
            assert timing.deadline.end <= whole.began + 20
    assert timing.deadline is whole
    with pytest.raises(ZeroDivisionError), timing.within(1.0):
        raise ZeroDivisionError
    assert timing.deadline is whole


def test_ctrl_c_is_remembered_and_nothing_else_is_caught():
    log = Log(Timing(None, WorkClock()), LiveLine(False))
    with log.interruptible():
        raise KeyboardInterrupt
    assert log.interrupted
    with pytest.raises(ZeroDivisionError), log.interruptible():
        raise ZeroDivisionError


def test_only_what_is_better_and_allowed_is_kept():
    fit = Fit.of(TABLE, OOAxSettings(C1="1/8", C2="1/8", constraints=[min_sensitivity(0.9)]))
    assert isinstance(fit.best, BestKnown)
    assert fit.best.upper is None
    fit.best.offer(RuleSet.parse("x >= 4"))  # misses one of two
    assert fit.best.upper is None
    fit.best.offer(RuleSet.parse("x >= 2"))
    assert fit.best.upper == Fraction(1, 2)
    fit.best.offer(RuleSet.parse("x >= 3"))
    fit.best.offer(RuleSet.parse("x >= 2"))
    assert fit.best.upper == Fraction(1, 4)
    assert fit.best.rules == RuleSet.parse("x >= 3 -> target = 1 ELSE 0")
    assert [one.incumbent for one in fit.log.trace if one.incumbent is not None] == [0.5, 0.25]


def test_a_fit_is_over_when_time_is_or_somebody_says_so():
    fit = Fit.of(TABLE, OOAxSettings(time_limit=1000.0))
    assert not fit.over
    fit.log.interrupted = True
    assert fit.over
    assert Fit.of(TABLE, OOAxSettings(time_limit=0)).over


def patient(clock: HandClock, limit: float = 60.0) -> Timing:
    timing = Timing(limit, clock, Patience(5.0, 0.5, clock))
    clock.move(10.0)
    assert not timing.stalled()  # nothing is known yet that could be good enough
    clock.time = 0.0
    timing.renew()
    return timing


def test_as_long_as_no_rule_set_is_known_nobody_loses_patience():
    """A stage that ended is no result: constraints that nothing meets are to be proved so."""
    clock = HandClock()
    timing = Timing(60.0, clock, Patience(5.0, 0.5, clock))
    timing.book("mining")
    timing.pace(1.0, 0.9)
    clock.move(30.0)
    assert not timing.stalled()
    timing.renew()
    clock.move(30.0)
    assert timing.deadline.passed()


def test_a_limit_of_the_users_knows_no_patience():
    timing = Timing(60.0, WorkClock(10.0))
    assert not timing.stalled()
    assert not timing.deadline.passed()


def test_news_renew_the_patience_and_late_news_for_longer():
    clock = HandClock()
    timing = patient(clock)
    clock.move(4.0)
    timing.renew()
    clock.move(5.0)
    assert not timing.stalled()
    clock.move(1.0)
    assert timing.stalled()
    assert timing.deadline.passed()
    assert timing.deadline.share(0.9).passed()
    timing.renew()  # at 10 s: the next may take half as long again, as 5 s is no more than that
    clock.move(10.0)
    timing.renew()
    clock.move(9.0)
    assert not timing.stalled()
    clock.move(2.0)
    assert timing.stalled()


def test_a_bound_whose_pace_suffices_is_news_and_a_creeping_one_is_not():
    for pace, ends in ((0.02, False), (0.0001, True)):
        clock = HandClock()
        timing = patient(clock)
        for second in range(20):
            timing.watch(0.1 + pace * second, 0.9)
            clock.move(1.0)
        assert timing.stalled() == ends


def test_by_default_a_fit_that_takes_long_is_seen_on_a_terminal_and_nowhere_else(monkeypatch):
    data = monks(1)
    table = Table.from_any(data.X, data.y)
    for stream, seen in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr(sys, "stderr", stream)
        learn_ooax(table, clock=WorkClock())  # on which every look takes a second
        assert bool(stream.getvalue()) == seen


def test_what_is_worth_all_the_time_is_ended_by_the_limit_alone():
    clock = HandClock()
    timing = Timing(60.0, clock, Patience(5.0, 0.5, clock))
    timing.renew()
    clock.move(50.0)
    assert timing.stalled()
    assert timing.deadline.passed()
    timing.persist()
    assert not timing.stalled()
    assert not timing.deadline.passed()
    with timing.within(20.0):
        assert not timing.deadline.passed()
        assert timing.deadline.left() == 10.0
    clock.move(10.0)
    assert timing.deadline.passed()


def test_a_cap_is_not_called_nothing_better_in_sight():
    clock = HandClock()
    timing = Timing(60.0, clock, Patience(5.0, 0.5, clock))
    timing.renew()
    clock.move(6.0)
    assert timing.stalled()
    clock.move(60.0)
    assert timing.deadline.passed()
    assert not timing.stalled()  # time is up, whatever was in sight
