"""The clock and its deadlines, by hand."""

from __future__ import annotations

import threading

import pytest
from support.clocks import HandClock

from ooa.clock import CLOCK, NEVER, Deadline, WorkClock


def test_a_deadline_passes_when_its_seconds_are_over():
    clock = HandClock()
    clock.move(100.0)
    deadline = Deadline.after(10.0, clock)
    assert deadline.limited
    assert (deadline.passed(), deadline.left(), deadline.spent()) == (False, 10.0, 0.0)
    clock.move(9.5)
    assert (deadline.passed(), deadline.left(), deadline.spent()) == (False, 0.5, 9.5)
    clock.move(0.5)
    assert (deadline.passed(), deadline.left(), deadline.spent()) == (True, 0.0, 10.0)
    clock.move(5.0)
    assert (deadline.passed(), deadline.left(), deadline.spent()) == (True, 0.0, 15.0)


def test_without_a_limit_time_is_spent_all_the_same():
    clock = HandClock()
    deadline = Deadline.after(None, clock)
    clock.move(7.0)
    assert not deadline.limited
    assert (deadline.passed(), deadline.left(), deadline.spent()) == (False, None, 7.0)
    assert deadline.share(0.1) is deadline
    assert deadline.share_of_rest(0.1).left() is None
    assert deadline.share_of_rest(0.1, most=3.0).left() == 3.0
    assert deadline.within(2.0).left() == 2.0
    assert deadline.within(None).left() is None
    assert not NEVER.passed()
    assert NEVER.left() is None


def test_shares_are_of_the_whole_time_or_of_what_is_left():
    clock = HandClock()
    deadline = Deadline.after(10.0, clock)
    clock.move(4.0)
    assert deadline.share(0.5).left() == 1.0
    assert deadline.share_of_rest(0.5).left() == 3.0
    assert deadline.share_of_rest(0.5, most=2.0).left() == 2.0
    assert deadline.within(1.0).left() == 1.0
    assert deadline.within(60.0).left() == 6.0
    assert deadline.within(None).left() == 6.0
    clock.move(60.0)
    assert deadline.within(1.0).left() == 0.0
    assert deadline.share_of_rest(0.5).passed()


@pytest.mark.parametrize("step", [0.0, 0.5])
def test_a_clock_that_counts_work_takes_a_step_at_each_look(step):
    clock = WorkClock(step)
    assert [clock.now() for _ in range(3)] == [step, 2 * step, 3 * step]


def test_the_machines_clock_never_goes_back():
    looks = [CLOCK.now() for _ in range(1000)]
    assert looks == sorted(looks)


def test_the_machines_clock_beats_until_it_is_stopped():
    heard = threading.Event()
    stop = CLOCK.every(0.001, heard.set)
    assert heard.wait(timeout=600)
    stop()
    assert "ooa clock" not in [thread.name for thread in threading.enumerate()]


def test_a_clock_that_counts_work_beats_for_nobody():
    stop = WorkClock().every(0.0, lambda: pytest.fail("nobody looked at it"))
    stop()
