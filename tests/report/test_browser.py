"""The report in a real browser."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import zlib
from pathlib import Path

import pytest
from support.report_pages import NASTY, nasty_page


def chromium() -> str:
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
    found = os.environ.get("CHROME") or next(filter(None, map(shutil.which, names)), None)
    if not found:
        pytest.skip("no Chromium or Chrome is installed")
    return found


def browse(place: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    """Open the report in a headless browser, with a profile of its own."""
    common = (
        "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    )
    common += "--disable-component-update --disable-sync --hide-scrollbars --disable-dev-shm-usage "
    common += "--enable-logging=stderr --v=0"
    command = [chromium(), *common.split(), f"--user-data-dir={place.parent / 'profile'}", *flags]
    return subprocess.run([*command, place.as_uri()], capture_output=True, text=True, timeout=120, check=True)


def pixels(file: Path) -> tuple[int, int, int]:
    """Return width, height, and how many different rows of pixels a PNG has."""
    data, at, packed = file.read_bytes(), 8, b""
    width, height = struct.unpack(">II", data[16:24])
    while at < len(data):
        (size,) = struct.unpack(">I", data[at : at + 4])
        packed += data[at + 8 : at + 8 + size] if data[at + 4 : at + 8] == b"IDAT" else b""
        at += 12 + size
    raw = zlib.decompress(packed)
    stride = len(raw) // height
    return width, height, len({raw[y * stride : (y + 1) * stride] for y in range(height)})


def test_in_a_real_browser(tmp_path: Path) -> None:
    place = tmp_path / "control.html"
    place.write_text("<script>console.error('heard')</script>", encoding="utf-8")
    assert "heard" in browse(place, "--dump-dom").stderr  # so that silence means something
    place = tmp_path / "report.html"
    place.write_text(nasty_page(NASTY[0], NASTY[1], NASTY[2]), encoding="utf-8")
    shots = {}
    for scheme, name in ((1, "light"), (0, "dark")):
        file = tmp_path / f"{name}.png"
        colours = f"--blink-settings=preferredColorScheme={scheme}"
        ran = browse(place, colours, "--window-size=900,1600", f"--screenshot={file}")
        assert "CONSOLE" not in ran.stderr, ran.stderr
        shots[name] = file.read_bytes()
        width, height, different = pixels(file)
        assert (width, height) == (900, 1600)
        assert different > 300  # a blank page has one
    assert shots["light"] != shots["dark"]
