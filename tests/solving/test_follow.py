"""How a running solve is followed: by a runner that does as it is told, and a clock that is moved by hand."""

from __future__ import annotations

import io
import logging
import queue
import signal
import threading
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from support.clocks import HandClock

from ooa.clock import Deadline
from ooa.errors import BackendUnavailable, OptionError, SolverError
from ooa.solving import SolveParams, Termination
from ooa.solving import follow as module
from ooa.solving.follow import follow, to_sink
from ooa.solving.job import Job
from ooa.solving.runners import ChildRunner, Overdue, ThreadRunner
from ooa.solving.solution import RawResult

CTRL_C = KeyboardInterrupt()
NOTHING = queue.Empty()


class Endless(BaseException):
    """Nobody ended what should have ended."""


class Runner:
    """One event after the other, a while apart or as late as can be; a result is there in its turn."""

    def __init__(self, clock: HandClock, pause: float | None, steps: tuple[Any, ...]) -> None:
        self.events, self.result = self, None
        self.done: list[Any] = []
        self.waits: list[tuple[float, float]] = []
        self._clock, self._pause, self._steps = clock, pause, [*steps]

    def empty(self) -> bool:
        return not self._steps

    def get(self, timeout: float) -> tuple[str, Any]:
        self.waits.append((self._clock.now(), timeout))
        self._clock.move(timeout if self._pause is None else self._pause)
        if not self._steps:
            raise Endless if self.result is None else NOTHING
        step = self._steps.pop(0)
        if isinstance(step, tuple):
            return step
        if step in (CTRL_C, NOTHING):
            raise step
        self.result = step
        return "done", None

    def hopeless(self, late: bool, stubborn: bool) -> bool:
        if late or stubborn:
            self.done.append((late, stubborn))
        return late and stubborn

    def interrupt(self) -> None:
        self.done.append(round(self._clock.now(), 3))

    def end(self) -> None:
        self.done.append("end")
        self.result = Overdue("given up")
        self._steps.clear()


class Followed:
    """A solve that is followed."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, *steps: Any, pause: float | None = 0.25, **params: Any
    ) -> None:
        clock = HandClock()
        monkeypatch.setattr(module, "CLOCK", clock)
        self.runner: Any = Runner(clock, pause, steps)
        backend: Any = SimpleNamespace(name="somebody")
        milp: Any = SimpleNamespace(offset=100.0)
        nobody: Any = None
        told = SolveParams(**params)
        self.job = Job(backend, milp, nobody, told, Deadline.after(told.time_limit, clock))

    def run(self) -> RawResult:
        return follow(self.runner, self.job)


@pytest.fixture
def followed(monkeypatch: pytest.MonkeyPatch) -> Any:
    return lambda *steps, **params: Followed(monkeypatch, *steps, **params)


def result(termination: Termination = Termination.OPTIMAL) -> RawResult:
    return RawResult(termination, "")


# -- what is passed on ------------------------------------------------------------------------------


def test_lines_are_passed_on_whole_also_those_after_the_result(followed: Any) -> None:
    lines: list[str] = []
    one = followed(("log", "a\nb"), ("log", "c\nd"), result(), ("log", "e\nf"), log=lines.append)
    assert one.run().termination is Termination.OPTIMAL
    assert lines == ["a", "bc", "de", "f"]
    assert one.job.watch.log == ["a\nb", "c\nd", "e\nf"]
    assert one.runner.done == []


def test_no_line_is_made_up(followed: Any) -> None:
    lines: list[str] = []
    followed(("log", "a\n"), NOTHING, result(), log=lines.append).run()
    assert lines == ["a"]


def test_sinks_of_all_kinds(caplog: pytest.LogCaptureFixture) -> None:
    text, lines = io.StringIO(), []
    logger = logging.getLogger("somebody's own")
    with caplog.at_level(logging.INFO, logger=logger.name):
        for sink in (None, text, lines.append, logger):
            assert to_sink(sink, "50 %s\nb\nrest") == "rest"
    assert text.getvalue() == "50 %s\nb\n"
    assert lines == caplog.messages == ["50 %s", "b"]


def test_moments_with_the_offset_where_there_is_something(followed: Any) -> None:
    x, seen = np.ones(2), []
    moments = [(None, 1.0, 0, None), (5.0, None, 2, x), (5.0, None, 3, x), (4.0, 2.0, 7, None)]
    one = followed(*(("progress", moment) for moment in moments), result(), progress=seen.append)
    one.run()
    assert [(m.incumbent, m.bound, m.nodes) for m in seen] == [
        (None, 101.0, 0),
        (105.0, None, 2),
        (104.0, 102.0, 7),
    ]
    assert [m.seconds for m in seen] == [0.25, 0.5, 1.0]
    assert one.job.watch.trace == seen
    assert one.job.watch.x is x
    assert one.runner.done == []


def test_nobody_has_to_look(followed: Any) -> None:
    one = followed(("progress", (1.0, 1.0, 0, None)), result())
    assert one.run().termination is Termination.OPTIMAL
    assert len(one.job.watch.trace) == 1


# -- who stops it -----------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", [None, 1, False])
def test_only_true_stops_a_solver(followed: Any, answer: Any) -> None:
    moment = ("progress", (1.0, 1.0, 0, None))
    one = followed(moment, NOTHING, result(Termination.NODE_LIMIT), progress=lambda m: answer)
    assert one.run().termination is Termination.NODE_LIMIT
    assert one.runner.done == []
    one = followed(moment, NOTHING, result(Termination.NODE_LIMIT), progress=lambda m: True)
    assert one.run().termination is Termination.INTERRUPTED
    assert one.runner.done == [0.25, 0.5]


@pytest.mark.parametrize("ends", list(Termination))
def test_one_ctrl_c_asks_it_to_stop_and_again(followed: Any, ends: Termination) -> None:
    one = followed(NOTHING, CTRL_C, NOTHING, NOTHING, result(ends), pause=0.125)
    decided = ends in (Termination.OPTIMAL, Termination.INFEASIBLE)
    assert one.run().termination is (ends if decided else Termination.INTERRUPTED)
    assert one.runner.done == [0.25, 0.5]  # not at 0.375


def test_ctrl_c_is_known_of_although_the_solver_came_to_its_end(followed: Any) -> None:
    for steps, pressed in ((CTRL_C, result()), True), ((NOTHING, result()), False):
        one = followed(*steps)
        assert one.run().termination is Termination.OPTIMAL
        assert one.job.watch.interrupted == pressed


def test_a_second_ctrl_c_ends_it(followed: Any) -> None:
    one = followed(CTRL_C, NOTHING, CTRL_C)
    with pytest.raises(KeyboardInterrupt):
        one.run()
    assert one.runner.done == [0.25, 0.5, "end"]


def test_a_function_that_fails_stops_it_and_is_not_asked_again(followed: Any) -> None:
    asked, lines = [], []

    def fails(moment: Any) -> None:
        asked.append(moment)
        raise ZeroDivisionError

    moments = (("progress", (value, 0.0, 0, None)) for value in (3.0, 2.0))
    one = followed(("log", "unfinished"), *moments, result(), progress=fails, log=lines.append)
    with pytest.raises(ZeroDivisionError):
        one.run()
    assert len(asked) == 1
    assert len(one.job.watch.trace) == 2
    assert one.runner.done == [0.5, 0.75]
    assert lines == ["unfinished"]


def test_who_is_late_is_told_and_stops_for_lack_of_time(followed: Any) -> None:
    """A limit of 10 seconds, a tenth of a second and a fiftieth of it: told after 10.3."""
    late = [NOTHING] * 3
    one = followed(*late, result(Termination.INTERRUPTED), pause=5.14, time_limit=10.0)
    assert one.run().termination is Termination.TIME_LIMIT
    assert one.runner.done == [(True, False), 15.42]
    one = followed(NOTHING, result(Termination.INTERRUPTED), pause=5.14, time_limit=10.0)
    assert one.run().termination is Termination.INTERRUPTED  # by itself: nobody asked
    assert one.runner.done == []
    one = followed(*late, result(Termination.NODE_LIMIT), pause=5.14, time_limit=10.0)
    assert one.run().termination is Termination.NODE_LIMIT


def test_who_does_not_stop_is_given_up(followed: Any) -> None:
    """Told 0.3 s after a limit of 10 s, late 1.5 s after it, stubborn 1.2 s after it was told."""
    one = followed(*[NOTHING] * 60, time_limit=10.0)
    with pytest.raises(Overdue):
        one.run()
    assert one.runner.done == [10.5, 10.75, 11.0, 11.25, 11.5, (True, True), "end"]
    one = followed(*[NOTHING] * 60, pause=0.9, time_limit=10.0)  # told at 10.8
    with pytest.raises(Overdue):
        one.run()
    assert one.runner.done == [10.8, (True, False), 11.7, (True, True), "end"]


def test_who_does_not_stop_at_ctrl_c_is_stubborn_after_five_seconds(followed: Any) -> None:
    """The runner knows whether that counts while there is time left: for a child it does."""
    one = followed(CTRL_C, *[NOTHING] * 30, time_limit=100.0)
    with pytest.raises(Endless):
        one.run()
    asked = one.runner.done
    assert asked.index((False, True)) == asked.index(5.25) + 1
    assert "end" not in asked
    one = followed(CTRL_C, *[NOTHING] * 30, time_limit=100.0)
    one.runner.hopeless = partial(ChildRunner.hopeless, one.runner)
    assert one.run().termination is Termination.INTERRUPTED
    assert one.runner.done[-2:] == [5.25, "end"]


@pytest.mark.parametrize("kind", [ThreadRunner, ChildRunner])
@pytest.mark.parametrize("limit", [0.1, 1.0, 5.0, 30.0, 600.0])
def test_nobody_is_waited_for_beyond_a_fifth_of_the_limit_and_a_second(
    followed: Any, kind: Any, limit: float
) -> None:
    one = followed(*[NOTHING] * int(30 * (limit + 1)), pause=None, time_limit=limit)
    one.runner.hopeless = partial(kind.hopeless, one.runner)
    with pytest.raises(Overdue):
        one.run()
    told, *_, end = one.runner.done
    ended = one.job.deadline.clock.now()
    assert end == "end"
    assert limit < told
    assert told + 0.2 < ended  # time for what it has, and for a second word
    assert ended < 1.2 * limit + 0.7  # the rest of the second is for what a fit does then
    assert ended - told < module.STUBBORN + 2 * module.SHORT_PAUSE
    for now, wait in one.runner.waits:
        assert wait == (module.PAUSE if now < limit else module.SHORT_PAUSE)


def test_who_is_given_up_after_ctrl_c_was_interrupted(followed: Any) -> None:
    one = followed(CTRL_C, NOTHING, Overdue("given up"))
    found = one.run()
    assert (found.termination, found.raw_status) == (Termination.INTERRUPTED, "given up")
    with pytest.raises(Overdue):
        followed(NOTHING, Overdue("given up")).run()


# -- what went wrong --------------------------------------------------------------------------------


def test_errors_are_ours(followed: Any) -> None:
    with pytest.raises(OptionError):
        followed(OptionError("no such option")).run()
    with pytest.raises(BackendUnavailable, match="could not be imported: no module"):
        followed(ImportError("no module")).run()
    one = followed(ZeroDivisionError("by nothing"))
    with pytest.raises(SolverError, match="somebody failed: ZeroDivisionError: by nothing"):
        one.run()
    assert "ZeroDivisionError: by nothing" in "".join(one.job.watch.log)
    one = followed(CTRL_C, OptionError("no such option"))
    with pytest.raises(OptionError):
        one.run()


# -- who handles Ctrl-C -----------------------------------------------------------------------------


def test_ctrl_c_is_the_callers_again_after_every_event(
    followed: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A handler that a solver puts in its place is none that Python knows of."""
    put: list[Any] = []
    ours = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr(module.signal, "signal", lambda number, handler: put.append((number, handler)))
    followed(("log", "a\n"), NOTHING, result()).run()
    assert put == [(signal.SIGINT, ours)] * 3
    put.clear()
    thread = threading.Thread(target=followed(NOTHING, result()).run)  # which may not, and need not
    thread.start()
    thread.join()
    monkeypatch.setattr(module.signal, "getsignal", lambda number: None)  # nobody knows what was there
    followed(NOTHING, result()).run()
    assert put == []
