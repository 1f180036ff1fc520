"""A headless browser that does what a person would: over a pipe, by the protocol of its developer tools."""

from __future__ import annotations

import base64
import json
import os
import select
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from .browser import FLAGS, chromium

fcntl = pytest.importorskip("fcntl", reason="the browser is spoken to over pipes")
#: Seconds to wait for a word of the browser.
PATIENCE = 120


class Page:
    """A page in a browser of its own.

    Attributes
    ----------
    said : what the page wrote to the console, and errors that nobody caught
    """

    def __init__(self, send: int, receive: int) -> None:
        self._send, self._receive, self._rest, self._number = send, receive, b"", 0
        self.said: list[str] = []
        self._events: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    _session: str | None = None

    def call(self, method: str, **given: Any) -> dict[str, Any]:
        """Call a method of the protocol, and return its result."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": given}
        if self._session is not None and not method.startswith(("Browser.", "Target.")):
            message["sessionId"] = self._session
        os.write(self._send, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer["error"]
                result: dict[str, Any] = answer["result"]
                return result

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._receive], [], [], PATIENCE)
            assert ready, "the browser says nothing"
            some = os.read(self._receive, 1 << 16)
            assert some, "the browser has gone"
            self._rest += some
        text, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        match message.get("method"):
            case "Runtime.consoleAPICalled":
                self.said.append(str([one.get("value") for one in message["params"]["args"]]))
            case "Runtime.exceptionThrown":
                self.said.append(json.dumps(message["params"]["exceptionDetails"]))
            case "Log.entryAdded":
                self.said.append(message["params"]["entry"]["text"])
        self._events.append(message)
        return message

    def wait_for(self, method: str, **wanted: Any) -> dict[str, Any]:
        """The next event of a name that has such parameters, or one that came already."""
        seen = 0
        while True:
            for event in self._events[seen:]:
                seen += 1
                given = event.get("params", {})
                if event.get("method") == method and wanted.items() <= given.items():
                    return given
            self._read()

    def open(self, place: Path) -> None:
        """Open a file, and wait until it is there."""
        self._events.clear()
        self.said.clear()
        self.call("Page.navigate", url=place.as_uri())
        self.wait_for("Page.loadEventFired")

    def run(self, script: str) -> Any:
        """What an expression is worth, once it is settled."""
        found = self.call(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True, userGesture=True
        )
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    @property
    def frames(self) -> list[int]:
        """Where scripts run: the page itself, and frames in it."""
        created = [one for one in self._events if one.get("method") == "Runtime.executionContextCreated"]
        return [one["params"]["context"]["id"] for one in created]

    def run_in(self, frame: int, script: str) -> Any:
        """What an expression is worth in a frame; None if that has gone."""
        found = self.call("Runtime.evaluate", expression=script, contextId=frame, returnByValue=True)
        return found["result"].get("value")

    def resize(self, width: int, height: int, mobile: bool = False) -> None:
        """Make the window so large."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile}
        self.call("Emulation.setDeviceMetricsOverride", **size)

    def press(self, key: str) -> None:
        """Press a key where the focus is."""
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key)

    def screenshot(self, place: Path, whole: bool = False) -> None:
        """Keep what is seen as a PNG."""
        shot = self.call("Page.captureScreenshot", captureBeyondViewport=whole)
        place.write_bytes(base64.b64decode(shot["data"]))


@contextmanager
def browsing(profile: Path) -> Iterator[Page]:
    """A browser with a profile of its own, as long as it is needed."""
    own = [f"--user-data-dir={profile}", "--remote-debugging-pipe"]
    own.append("--disable-features=IsolateSandboxedIframes")  # frames can be asked like the page itself
    command = [chromium(), *FLAGS.split(), *own]
    theirs_in, ours_out = os.pipe()
    ours_in, theirs_out = os.pipe()
    # The browser reads from 3 and writes to 4: nothing of ours may be there when they are put there.
    high = [fcntl.fcntl(one, fcntl.F_DUPFD, 20) for one in (theirs_in, theirs_out)]

    def place() -> None:
        os.dup2(high[0], 3)
        os.dup2(high[1], 4)

    process = subprocess.Popen(command, close_fds=False, preexec_fn=place, stderr=subprocess.DEVNULL)
    for one in (theirs_in, theirs_out, *high):
        os.close(one)
    try:
        yield Page(ours_out, ours_in)
    finally:
        process.terminate()
        process.wait(timeout=30)
        for one in (ours_in, ours_out):
            os.close(one)
