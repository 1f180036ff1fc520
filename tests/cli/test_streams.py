"""Closed streams, files that cannot be written, and SIGTERM, with real processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ooa.rules.ruleset import RuleSet

pytestmark = pytest.mark.skipif(os.name != "posix", reason="about shells and signals as POSIX has them")
OOA = f"'{sys.executable}' -m ooa"
FIT = f"{OOA} fit data.csv --target y --time-limit 60"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [f"{i // 2},{'red' if i % 3 else 'blue'},{int(i > 20 and i % 3 > 0)}" for i in range(60)]
    (tmp_path / "data.csv").write_text("\n".join(["x,hue,y", *rows, ""]))
    return tmp_path


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, capture_output=True, text=True, timeout=600, check=False
    )
    assert "Traceback" not in done.stderr
    assert "fault of ooa" not in done.stderr
    assert "Exception ignored" not in done.stderr
    return done


def test_nobody_reads_on(folder: Path) -> None:
    """The reader has gone before anything is written: no word, and the usual code."""
    done = shell(f"{FIT} --save model.json | (exec <&-; true); echo ${{PIPESTATUS[0]}}", folder)
    assert done.stdout.strip() in ("0", "141")  # all may have been written before the reader went
    assert done.stderr == ""


def test_the_first_line_is_enough(folder: Path) -> None:
    done = shell(f"{FIT} | head -1; echo ${{PIPESTATUS[0]}}", folder)
    assert "60 rows" in done.stdout.splitlines()[0]
    assert done.stdout.splitlines()[1] in ("0", "141")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_fault(folder: Path, closed: str) -> None:
    done = shell(f"{FIT} --save model.json {closed}", folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(RuleSet.from_dict(json.loads((folder / "model.json").read_text())["rules"]))


def test_nobody_listens_to_notes(folder: Path) -> None:
    """A pipe on standard error that is closed: the rules come all the same."""
    done = shell(f"{FIT} --verbose 2> >(exec <&-; true); echo $?", folder)
    assert "IF" in done.stdout
    assert done.stdout.splitlines()[-1] == "0"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("command", ["fit", "trade-off"])
def test_a_full_disk_behind_standard_output_is_said_once(folder: Path, command: str) -> None:
    limits = " --of min_sensitivity=LIMIT --limits 0.5" if command == "trade-off" else ""
    done = shell(f"{FIT.replace(' fit ', f' {command} ')}{limits} > /dev/full", folder)
    assert done.returncode == 1
    assert done.stderr.strip().splitlines() == ["ooa: the output cannot be written: No space left on device"]


@pytest.mark.parametrize(
    ("place", "reason"), [("no/model.json", "there is no such folder"), (".", "is a folder")]
)
@pytest.mark.parametrize("option", ["save", "report"])
def test_what_cannot_be_written_is_said_before_the_fit(
    folder: Path, option: str, place: str, reason: str
) -> None:
    done = shell(f"{FIT} --{option} {place}", folder)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"ooa: --{option} {place}: {reason}\n"


@pytest.mark.parametrize("command", ["predict old.json data.csv", "export old.json --to sql"])
def test_so_it_is_for_what_others_write(folder: Path, command: str) -> None:
    (folder / "old.json").write_text(RuleSet.parse("x >= 3 -> y = 1 ELSE 0").to_json())
    done = shell(f"{OOA} {command} --output no/file.csv", folder)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "ooa: --output no/file.csv: there is no such folder\n"


def test_rules_are_shown_if_they_cannot_be_saved(folder: Path) -> None:
    """Files may not be larger than a block: that shows only when the model is written."""
    (folder / "model.json").write_text("old")
    done = shell(f"ulimit -f 1; {FIT} --quiet --save model.json --report page.html", folder)
    assert done.returncode == 1
    assert "IF" in done.stdout
    assert "saved in" not in done.stdout
    assert "ooa: model.json: File too large" in done.stderr
    assert (folder / "model.json").read_text() == "old"
    assert sorted(os.listdir(folder)) == ["data.csv", "model.json"]


def test_predictions_replace_the_old_ones_only_as_a_whole(folder: Path) -> None:
    (folder / "old.json").write_text(RuleSet.parse("x >= 3 -> y = 1 ELSE 0").to_json())
    (folder / "big.csv").write_text("x\n" + "1\n" * 5000)
    (folder / "out.csv").write_text("old")
    done = shell(f"ulimit -f 1; {OOA} predict old.json big.csv --output out.csv", folder)
    assert done.returncode == 1
    assert "out.csv: File too large" in done.stderr
    assert (folder / "out.csv").read_text() == "old"


SLOW = """
import sys
from ooa.data.table import Table
from ooa.datasets import tic_tac_toe
from ooa.learning.ooax import learn_ooax
data = tic_tac_toe()
learn_ooax(
    Table.from_any(data.X, data.y), max_length=4, C1=0.004, C2=0.004, form="aggregated", backend="cbc",
    max_candidates=None, max_patterns=None, without=["incumbent", "bounds", "dominance"],
)
print("ended by itself")
"""


def wait_for(condition: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    """Wait until something is so, as long as the process lives."""
    while not condition():
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)


def works_in(folder: Path) -> list[str]:
    """The processes whose working folder is below a folder."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdecimal() and os.readlink(entry / "cwd").startswith(str(folder)):
                found.append((entry / "cmdline").read_text().replace("\0", " "))
        except OSError:
            continue
    return found


@pytest.mark.skipif(not Path("/proc/self/cwd").exists(), reason="processes are looked up in /proc")
def test_sigterm_leaves_neither_folders_nor_solvers(tmp_path: Path) -> None:
    from ooa.solving.registry import available_backends

    if not available_backends()["cbc"].ok:
        pytest.skip("CBC is not installed")
    home, temporary = tmp_path / "home", tmp_path / "temporary"
    home.mkdir()
    temporary.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW],
        cwd=home,
        env=os.environ | {"TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        wait_for(lambda: bool(works_in(temporary)), process)
        assert list(temporary.iterdir())
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=600)
    assert (process.returncode, out, err) == (143, "", "")
    assert works_in(temporary) == []
    assert list(temporary.iterdir()) == []
