"""Clocks and deadlines: what is left, shares of it, and a clock that counts looks."""

from __future__ import annotations

import pytest

from ooa.clock import CLOCK, NEVER, Clock, Deadline, WorkClock


class Still(Clock):
    """A clock that shows what it is set to."""

    def __init__(self, instant: float = 100.0) -> None:
        self.instant = instant

    def now(self) -> float:
        return self.instant


def test_a_deadline_passes_at_its_instant():
    clock = Still()
    deadline = Deadline.after(5.0, clock)
    assert (deadline.passed(), deadline.left()) == (False, 5.0)
    clock.instant = 104.5
    assert (deadline.passed(), deadline.left()) == (False, 0.5)
    clock.instant = 105.0
    assert (deadline.passed(), deadline.left()) == (True, 0.0)
    clock.instant = 200.0
    assert deadline.left() == 0.0


def test_no_time_at_all_is_over_at_once():
    assert Deadline.after(0.0, Still()).passed()


def test_shares_of_the_whole_count_from_the_beginning():
    clock = Still()
    deadline = Deadline.after(10.0, clock)
    clock.instant = 103.0
    assert deadline.share(0.4).left() == pytest.approx(1.0)
    assert deadline.share(0.2).passed()
    assert deadline.share(1.0).end == deadline.end


def test_shares_of_the_rest_count_from_now():
    clock = Still()
    deadline = Deadline.after(10.0, clock)
    clock.instant = 104.0
    assert deadline.share_of_rest(0.5).left() == pytest.approx(3.0)
    assert deadline.share_of_rest(0.5, most=2.0).left() == 2.0
    clock.instant = 120.0
    assert deadline.share_of_rest(0.5).passed()


def test_within_is_the_sooner_of_the_two():
    clock = Still()
    deadline = Deadline.after(10.0, clock)
    clock.instant = 104.0
    assert deadline.within(2.0).left() == 2.0
    assert deadline.within(20.0).left() == 6.0
    assert deadline.within(None).left() == 6.0
    assert deadline.within(None).began == 104.0
    assert not deadline.within(None).share(0.5).passed()


def test_without_a_limit_nothing_passes_and_nobody_looks():
    clock = WorkClock()
    deadline = Deadline.after(None, clock)
    assert not deadline.limited
    assert not deadline.passed()
    assert deadline.left() is None
    assert deadline.share(0.5) is deadline
    assert deadline.share_of_rest(0.5).left() is None
    assert deadline.within(None).left() is None
    assert clock.instant == 0.0
    assert deadline.share_of_rest(0.5, most=3.0).left() == 2.0  # a look to begin, and one to tell
    assert deadline.within(3.0).limited
    assert not NEVER.passed()


def test_the_work_clock_counts_looks():
    clock = WorkClock(0.25)
    assert [clock.now() for _ in range(4)] == [0.25, 0.5, 0.75, 1.0]
    assert clock.instant == 1.0


def test_the_machines_clock_does_not_go_back():
    first, second = CLOCK.now(), CLOCK.now()
    assert first <= second
