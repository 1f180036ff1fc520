"""Where an adapter runs: what a thread does with it, and how one talks to a child process (a fake one)."""

from __future__ import annotations

import io
from typing import Any

import pytest
from support.clocks import HandClock
from support.fake_backends import BruteForce

from ooa.errors import SolverError
from ooa.solving import RawResult, SolveParams, Termination, runners
from ooa.solving.runners import ChildRunner, Overdue, ThreadRunner, read_message, write_message
from ooa.testing.models import knapsack


class Told(BruteForce):
    """Notes what it is asked for, and talks."""

    def __init__(self, clock: HandClock, loading: float = 0.0) -> None:
        super().__init__()
        self.asked: list[str] = []
        self._clock, self._loading = clock, loading

    def import_solver(self) -> None:
        self.asked.append("import")

    def load(self, milp: Any) -> None:
        self.asked.append("load")
        self._clock.move(self._loading)

    def run(self, params: SolveParams, start: Any, monitor: Any) -> RawResult:
        self.asked.append(f"run for {params.time_limit}")
        monitor.log("a line\n")
        return RawResult(Termination.INFEASIBLE, "none")

    def interrupt(self) -> None:
        self.asked.append("interrupt")


def events_of(runner: Any) -> list[tuple[str, Any]]:
    found = [runner.events.get(timeout=5)]
    while found[-1][0] != "done":
        found.append(runner.events.get(timeout=5))
    return found


def in_thread(milp: Any, limit: float | None = None, loading: float = 0.0) -> tuple[Told, ThreadRunner]:
    clock = HandClock()
    backend = Told(clock, loading)
    return backend, ThreadRunner(backend, milp, SolveParams(time_limit=limit, clock=clock), None)


@pytest.mark.parametrize(("milp", "loads"), [(knapsack(), ["load"]), (None, [])])
def test_a_thread_imports_loads_if_there_is_something_and_runs(milp: Any, loads: list[str]) -> None:
    backend, runner = in_thread(milp)
    assert events_of(runner) == [("running", None), ("log", "a line\n"), ("done", None)]
    assert backend.asked == ["import", *loads, "run for None"]
    assert isinstance(runner.result, RawResult)
    assert runner.result.termination is Termination.INFEASIBLE
    runner.interrupt()
    assert backend.asked[-1] == "interrupt"


def test_loading_takes_of_the_time_and_may_take_it_all() -> None:
    backend, runner = in_thread(knapsack(), limit=10.0, loading=4.0)
    events_of(runner)
    assert backend.asked[-1] == "run for 6.0"
    backend, runner = in_thread(knapsack(), limit=10.0, loading=10.0)
    assert events_of(runner) == [("done", None)]
    assert backend.asked == ["import", "load"]
    assert isinstance(runner.result, RawResult)
    assert runner.result.termination is Termination.TIME_LIMIT


def test_a_thread_that_is_left_to_itself_is_heard_no_more() -> None:
    _, runner = in_thread(knapsack())
    events_of(runner)
    found = runner.result
    runner.end()
    assert runner.result is found  # it was there before
    runner._tell("log", "still here\n")
    assert runner.events.empty()
    runner.result = None
    runner.end()
    assert isinstance(runner.result, Overdue)


def test_when_there_is_no_hope() -> None:
    """A thread goes on unseen, so its time has to be over as well; a child can be ended."""
    thread, child = in_thread(None)[1], ChildRunner.__new__(ChildRunner)
    for late in (False, True):
        for stubborn in (False, True):
            assert thread.hopeless(late, stubborn) is (late and stubborn)
            assert child.hopeless(late, stubborn) is (late or stubborn)


# -- threads that are to end -------------------------------------------------------------------------


class Endless(BaseException):
    """Nobody ended what should have ended."""


class Worker:
    """A thread that ends after it was waited for so often; waiting takes its time by the clock."""

    def __init__(self, clock: HandClock, waits: int) -> None:
        self.waits, self._clock, self._left = 0, clock, waits

    def is_alive(self) -> bool:
        return self.waits < self._left

    def join(self, timeout: float) -> None:
        self.waits += 1
        if self.waits > 1000:
            raise Endless
        self._clock.move(timeout)


class Interrupted(BruteForce):
    """Counts the words to stop, and complains about each."""

    def __init__(self) -> None:
        super().__init__()
        self.told = 0

    def interrupt(self) -> None:
        self.told += 1
        if self.told > 1000:
            raise Endless
        raise ZeroDivisionError


@pytest.fixture
def at_work(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes runners whose threads end after they were waited for so often."""
    clock = HandClock()
    monkeypatch.setattr(runners, "CLOCK", clock)
    monkeypatch.setattr(runners, "_at_work", set())

    def made(waits: int) -> Any:
        runner: Any = ThreadRunner.__new__(ThreadRunner)
        runner._backend, runner._thread = Interrupted(), Worker(clock, waits)
        runner.result, runner.left = None, False
        runners._at_work.add(runner)
        return runner

    made.clock = clock  # type: ignore[attr-defined]
    return made


def test_a_thread_that_has_ended_is_not_stopped(at_work: Any) -> None:
    runner = at_work(0)
    runner.stop()
    assert (runner._backend.told, runner._thread.waits, runner.left) == (0, 0, False)


def test_a_thread_is_told_to_stop_until_it_has_ended(at_work: Any) -> None:
    runner = at_work(3)
    runner.stop()
    assert (runner._backend.told, runner._thread.waits, runner.left) == (3, 3, False)


def test_a_thread_that_does_not_listen_is_left_to_itself_after_five_seconds(at_work: Any) -> None:
    runner = at_work(10**9)
    runner.stop()
    assert runner.left
    assert isinstance(runner.result, Overdue)
    assert at_work.clock.now() == pytest.approx(runners.ENDING, abs=runners.TOLD_AGAIN + 1e-6)


def test_all_threads_are_stopped_at_the_end_of_the_program(at_work: Any) -> None:
    ended, stubborn = at_work(0), at_work(10**9)
    runners._stop_all()
    assert ended._backend.told == 1  # the first word goes to all of them
    assert stubborn._backend.told > 1
    assert at_work.clock.now() == pytest.approx(runners.ENDING, abs=runners.TOLD_AGAIN + 1e-6)


def test_a_thread_is_at_work_while_it_runs_and_not_after() -> None:
    seen: list[bool] = []

    class Looks(BruteForce):
        def run(self, params: SolveParams, start: Any, monitor: Any) -> RawResult:
            seen.append(any(one._backend is self for one in runners._at_work))
            return RawResult(Termination.INFEASIBLE, "none")

    runner = ThreadRunner(Looks(), knapsack(), SolveParams(), None)
    runner._thread.join()
    assert seen == [True]
    assert runner not in runners._at_work


# -- a child ----------------------------------------------------------------------------------------


class Pipe(io.BytesIO):
    """Remembers what was written and when it was flushed."""

    def __init__(self, data: bytes = b"") -> None:
        super().__init__(data)
        self.written, self.flushed = b"", b""

    def write(self, data: Any) -> int:
        self.written += bytes(data)
        return super().write(data)

    def flush(self) -> None:
        super().flush()
        self.flushed = self.written


class Child:
    """A process that has said all it has to say."""

    def __init__(self, *messages: Any, cut: int = 0) -> None:
        said = io.BytesIO()
        for message in messages:
            write_message(said, message)
        self.stdin, self.stdout = Pipe(), Pipe(said.getvalue()[: len(said.getvalue()) - cut])
        self.done: list[str] = []

    def kill(self) -> None:
        self.done.append("kill")

    def wait(self) -> int:
        self.done.append("wait")
        return 7


def child_of(monkeypatch: pytest.MonkeyPatch, child: Child) -> ChildRunner:
    monkeypatch.setattr(runners.subprocess, "Popen", lambda *words, **options: child)
    return ChildRunner(Told(HandClock()), knapsack(), SolveParams(time_limit=5.0, clock=HandClock()), None)


def test_what_a_child_says_is_passed_on_and_nothing_of_it_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runners.pickle, "dumps", lambda message, **options: repr(message).encode())
    monkeypatch.setattr(runners.pickle, "loads", lambda data: eval(data))
    child = Child(("log", "a"), ("log", "b"), ("done", "answer"), ("log", "too late"))
    runner = child_of(monkeypatch, child)
    assert events_of(runner) == [("log", "a"), ("log", "b"), ("done", None)]
    assert runner.result == "answer"
    assert child.done == ["kill", "wait"]
    assert b"Told" in child.stdin.flushed
    assert runner._sent
    assert child.stdin.closed
    assert child.stdout.closed
    runner.interrupt()  # it has just ended by itself


@pytest.mark.parametrize(
    ("left", "said", "kind", "words"),
    [
        (False, (), SolverError, "exit code 7"),
        (False, (("running", None),), SolverError, "exit code 7"),
        (True, (("running", None),), Overdue, "was killed"),
        (True, (("running", None), ("log", "a line")), Overdue, "was killed"),
        (True, (), RawResult, "no time left once its process had begun"),
        (True, (("log", "a line"),), RawResult, "no time left once its process had begun"),
    ],
)
@pytest.mark.parametrize("cut", [1, 100])
def test_a_child_that_says_no_more(
    monkeypatch: pytest.MonkeyPatch, left: bool, said: tuple[Any, ...], kind: type, words: str, cut: int
) -> None:
    child = Child(*said, ("done", b"x" * 100), cut=cut)
    monkeypatch.setattr(runners.pickle, "dumps", lambda message, **options: b"")
    monkeypatch.setattr(
        ChildRunner, "left", property(lambda self: left, lambda self, value: None), raising=False
    )
    runner = child_of(monkeypatch, child)
    events_of(runner)
    assert type(runner.result) is kind
    assert words in str(runner.result)


def test_a_child_is_asked_to_stop_and_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    child, runner = Child(), ChildRunner.__new__(ChildRunner)
    process: Any = child
    runner._process, runner.left, runner._sent = process, False, False
    runner.interrupt()  # the child has yet to read its model: the word would have to wait for that
    assert child.stdin.flushed == b""
    runner._sent = True
    runner.interrupt()
    assert child.stdin.flushed == b"\n"
    runner.end()
    assert runner.left
    assert child.done == ["kill"]
    runner.left = False
    runner.stop()  # it would go on without whoever followed it
    assert runner.left
    assert child.done == ["kill", "kill"]


def test_messages_are_whole_or_an_end() -> None:
    pipe = Pipe()
    write_message(pipe, {"x": [1, 2, 3]})
    assert pipe.flushed == pipe.getvalue()
    for size in range(len(pipe.flushed)):
        with pytest.raises(EOFError):
            read_message(io.BytesIO(pipe.flushed[:size]))
    assert read_message(io.BytesIO(pipe.flushed)) == {"x": [1, 2, 3]}
