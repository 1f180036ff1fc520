"""The live line: when it shows something, where, and what it leaves behind."""

from __future__ import annotations

import io
import sys
import threading
from types import SimpleNamespace

import pytest
from joblib import Parallel, delayed
from support.clocks import HandClock, Terminal

from ooa.live_line import Cell, LiveLine


def test_a_line_that_was_asked_for_waits_is_rewritten_and_wiped() -> None:
    stream, clock = io.StringIO(), HandClock()
    with LiveLine(True, stream, clock) as line:
        clock.move(0.9)
        line.update("too early")
        assert stream.getvalue() == ""
        clock.move(0.2)
        line.update("a long text")
        clock.move(0.05)
        line.update("too soon after the last")
        clock.move(0.12)
        line.update("short")
    shown = [part for part in stream.getvalue().split("\r") if part]
    texts = ["1.1 s  too early", "1.2 s  a long text", "1.3 s  short", ""]
    assert [part.strip() for part in shown][-2:] == texts[-2:]
    assert len(shown[-2]) >= len(shown[-3].rstrip())  # what was longer is overwritten
    assert len(shown[-1]) >= len(shown[-2].rstrip())  # and all is wiped in the end


def test_by_default_a_terminal_shows_progress_after_three_seconds_and_goes_on() -> None:
    stream, clock = Terminal(), HandClock()
    with LiveLine(None, stream, clock) as line:
        line.update("mining")
        clock.move(2.9)
        line.update("mining")
        assert stream.shown == []
        clock.move(0.2)  # nobody says anything: whatever is done does not come back for a while
        assert stream.shown == ["3.1 s  mining"]
        for _ in range(20):
            clock.move(0.5)
        assert stream.shown[-1] == "13.1 s  mining"
    assert not clock.beating
    assert stream.getvalue().endswith(" \r")


def test_nothing_is_shown_where_there_is_no_terminal() -> None:
    stream, clock = io.StringIO(), HandClock()
    with LiveLine(None, stream, clock) as line:
        clock.move()
        line.update("nothing")
        assert not clock.beating
    assert stream.getvalue() == ""


def test_no_line_is_longer_than_the_terminal_is_wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    stream, clock = Terminal(), HandClock()
    with LiveLine(None, stream, clock) as line:
        line.update("a text that is longer than the terminal is wide")
        clock.move()
    assert max(map(len, stream.getvalue().split("\r"))) < 30


def test_a_stream_that_was_closed_is_left_alone() -> None:
    stream, clock = Terminal(), HandClock()
    line = LiveLine(None, stream, clock)
    with line:
        line.update("text")
        stream.close()
        clock.move()


def test_lines_within_a_line_are_shown_in_its_place() -> None:
    stream, clock = Terminal(), HandClock()
    with LiveLine(None, stream, clock):
        for fit in range(4):  # a second each: none is worth a line, all of them are
            with LiveLine(None, stream, clock) as line:
                line.update(f"fit {fit}")
                clock.move(1.0)
        with LiveLine(False, stream, clock) as line:
            line.update("silent")
            clock.move(1.0)
        with LiveLine(None, stream, clock) as line:
            line.update("fit 4")  # at the instant of the last one
            clock.move(1.0)
    assert stream.shown == ["3.0 s  fit 2", "4.0 s  fit 3", "5.0 s  fit 3", "6.0 s  fit 4"]
    assert "silent" not in stream.getvalue()


def _shows(show: bool | None) -> bool:
    stream, clock = Terminal(), HandClock()
    with LiveLine(show, stream, clock) as line:
        line.update("text")
        clock.move()
    return bool(stream.shown)


def test_workers_show_nothing_unless_they_are_told_to() -> None:
    for backend in ("loky", "threading"):
        jobs = (delayed(_shows)(show) for show in (None, True))
        assert Parallel(n_jobs=2, backend=backend)(jobs) == [False, True], backend
    assert _shows(None)
    assert threading.current_thread() is threading.main_thread()


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """A notebook's outputs: one list for each that was displayed, with what it was updated to."""
    outputs: dict[str, list[str]] = {}
    shown: list[list[str]] = []

    def publish(data: dict[str, str], transient: dict[str, str], update: bool) -> None:
        name = transient["display_id"]
        assert (name in outputs) == update
        if not update:
            shown.append(outputs.setdefault(name, []))
        outputs[name].append(data["text/plain"])

    shell = SimpleNamespace(kernel=object(), execution_count=7, display_pub=SimpleNamespace(publish=publish))
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))  # type: ignore[arg-type]
    monkeypatch.setattr(Cell, "_last", (-1, ""))
    return shown


def test_a_cell_of_a_notebook_gets_one_line_for_all_that_it_does(notebook: list[list[str]]) -> None:
    for _ in range(25):  # as cross-validation does
        clock = HandClock()
        with LiveLine(None, clock=clock) as line:
            line.update("solving")
            for _ in range(10):
                clock.move(1.0)
    assert len(notebook) == 1
    assert notebook[0][-2:] == ["10.0 s  solving", "done after 10.0 s"]
    sys.modules["IPython"].get_ipython().execution_count = 8
    clock = HandClock()
    with LiveLine(None, clock=clock) as line:
        clock.move(2.0)
        line.update("the next cell")
        assert len(notebook) == 1
        clock.move(2.0)
    assert notebook[1] == ["4.0 s  the next cell", "done after 4.0 s"]
