"""Ctrl-C in the first moments of the command, and in the midst of imports: nothing is cut in two."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from ooa.cli import ctrl_c

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")

#: The command, with a Ctrl-C at the so manieth import since it began; it says at its end how many there were.
PRESSED = """
import os, signal, sys
at = {int(one) for one in sys.argv.pop(1).split(",")}
from ooa.cli import main
seen = 0
def press(event, _):
    global seen
    if event == "import":
        seen += 1
        if seen in at:
            os.kill(os.getpid(), signal.SIGINT)
sys.addaudithook(press)
code = main()
sys.stderr.write(f"\\nimports: {seen}\\n")
sys.exit(code)
"""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(rng.normal(size=(60, 4)).round(1), columns=list("abcd"))
    frame["y"] = ((frame["a"] > 0) ^ (frame["b"] > 0)).astype(int)
    path = tmp_path_factory.mktemp("ctrl_c") / "data.csv"
    frame.to_csv(path, index=False)
    return path


def pressed(table: Path, *at: int) -> subprocess.CompletedProcess[str]:
    fit = ["fit", str(table), "--target", "y", "--save", str(table.with_name("model.json"))]
    code = [sys.executable, "-c", PRESSED, ",".join(map(str, at)), *fit]
    return subprocess.run(code, capture_output=True, text=True, timeout=120)


@pytest.fixture(scope="module")
def imports(table: Path) -> int:
    """How many imports a fit takes that nobody interrupts."""
    done = pressed(table, 0)
    assert done.returncode == 0, done.stderr
    return int(done.stderr.split("imports: ")[1])


@pytest.mark.parametrize("k", range(6))
def test_ctrl_c_at_any_import_is_no_traceback(table: Path, imports: int, k: int) -> None:
    """One of each sixth of the imports: before the work begins, in pandas, in the fit, in what shows it."""
    at = 1 + random.Random(k).randrange(imports * k // 6, imports * (k + 1) // 6)
    done = pressed(table, at)
    assert "Traceback" not in done.stderr, (at, done.stderr)
    assert "Exception ignored" not in done.stderr, (at, done.stderr)
    # Whoever presses in the last import of all is too late: the fit is done, and said to be.
    assert done.returncode == 130 or (k == 5 and done.returncode == 0), (at, done.stderr)
    assert "interrupted" in done.stderr + done.stdout or done.returncode == 0


def test_the_very_first_import_is_caught_too(table: Path) -> None:
    done = pressed(table, 1)
    assert (done.returncode, done.stderr, done.stdout) == (130, "ooa: interrupted\n\nimports: 1\n", "")


def _import_and_wait() -> None:
    import slowly_imported  # type: ignore[import-not-found]  # noqa: F401

    threading.Event().wait(60)


def test_a_ctrl_c_waits_for_the_end_of_an_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The module is whole, and the interrupt comes after it."""
    (tmp_path / "slowly_imported.py").write_text(
        "import os, signal, time\n"
        "os.kill(os.getpid(), signal.SIGINT)\n"
        "for _ in range(20):\n"
        "    time.sleep(0.01)\n"
        "whole = True\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    before = signal.signal(signal.SIGINT, ctrl_c._Patient())
    try:
        with pytest.raises(KeyboardInterrupt):
            _import_and_wait()
        assert sys.modules["slowly_imported"].whole
    finally:
        signal.signal(signal.SIGINT, before)
        sys.modules.pop("slowly_imported", None)


def test_who_presses_twice_does_not_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "hanging.py").write_text(
        "import os, signal, time\n"
        "from ooa.cli import ctrl_c\n"
        "ctrl_c.LOOKING = 3600\n"
        "os.kill(os.getpid(), signal.SIGINT)\n"
        "begun = True\n"
        "os.kill(os.getpid(), signal.SIGINT)\n"
        "time.sleep(3600)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(ctrl_c, "LOOKING", ctrl_c.LOOKING)
    before = signal.signal(signal.SIGINT, ctrl_c._Patient())
    try:
        with pytest.raises(KeyboardInterrupt):
            import hanging  # type: ignore[import-not-found]  # noqa: F401
    finally:
        signal.signal(signal.SIGINT, before)


def test_only_the_command_itself_has_its_own_ctrl_c(table: Path) -> None:
    """Who calls `main` with arguments keeps his handler; who has one before the command begins does, too."""
    code = (
        "import signal; from ooa.cli import main; before = signal.getsignal(signal.SIGINT); "
        "main(['datasets']); assert signal.getsignal(signal.SIGINT) is before; "
        "signal.signal(signal.SIGINT, signal.SIG_IGN); main(); "
        "assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "datasets"], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
