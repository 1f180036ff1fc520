"""The live line: when it shows something, and that it leaves nothing behind."""

from __future__ import annotations

import io

from support.clocks import HandClock

from ooa.live_line import LiveLine


def test_the_live_line_waits_is_rewritten_and_wiped():
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
    assert [part.strip() for part in shown] == ["1.1 s  a long text", "1.3 s  short", ""]
    assert len(shown[0]) == len(shown[1])  # what was longer is overwritten
    assert len(shown[2]) >= len(shown[1].rstrip())  # and all is wiped in the end


def test_nothing_is_shown_where_there_is_no_terminal():
    stream, clock = io.StringIO(), HandClock()
    with LiveLine(None, stream, clock) as line:
        clock.move()
        line.update("nothing")
    assert stream.getvalue() == ""
