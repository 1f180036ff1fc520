"""Pages in a real browser: what it says about them, and how wide they want to be."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from html import unescape
from pathlib import Path

import pytest

FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --hide-scrollbars --disable-dev-shm-usage "
    "--enable-logging=stderr --v=0"
)
_RULER = """<body><script>
const found = {}
async function measure(names) {
  for (const name of names) {
    const frame = document.createElement("iframe")
    Object.assign(frame, { src: name, width: WINDOW, height: 900 })
    await new Promise(resolve => { frame.onload = resolve; document.body.append(frame) })
    found[name] = frame.contentDocument.documentElement.scrollWidth
    frame.remove()
  }
  document.body.dataset.widths = JSON.stringify(found)
}
measure(NAMES)
</script>"""


def chromium() -> str:
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
    found = os.environ.get("CHROME") or next(filter(None, map(shutil.which, names)), None)
    if not found:
        pytest.skip("no Chromium or Chrome is installed")
    return found


def browse(place: Path, *flags: str, profile: Path, query: str = "") -> subprocess.CompletedProcess[str]:
    """Open a page in a headless browser, with a profile of its own."""
    command = [chromium(), *FLAGS.split(), f"--user-data-dir={profile}", *flags, place.as_uri() + query]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)


def widths(folder: Path, names: Sequence[str], window: int, profile: Path) -> dict[str, int]:
    """How wide pages want to be in a window, by another page that shows each in a frame and measures."""
    ruler = folder / "ruler.html"
    script = _RULER.replace("WINDOW", str(window)).replace("NAMES", json.dumps(list(names)))
    ruler.write_text(script, encoding="utf-8")
    flags = ("--allow-file-access-from-files", "--virtual-time-budget=60000", "--dump-dom")
    seen = browse(ruler, *flags, profile=profile).stdout
    ruler.unlink()
    found: dict[str, int] = json.loads(unescape(re.findall(r'data-widths="([^"]*)"', seen)[0]))
    return found
