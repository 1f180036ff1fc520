"""One cell of a study in a process of its own: a hard time limit, peak memory, and no crash spreads."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

#: Bytes of address space that a cell may use, so that a model too large ends that cell and not the machine.
MEMORY = 12 << 30
_MEGABYTE = 1 << 20


def run_cell(
    script: str,
    cell: Mapping[str, Any],
    limit: float,
    command: Sequence[str] | None = None,
    environment: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Run `script --cell JSON` in a new interpreter and return what it measured.

    Parameters
    ----------
    script : the study; it must end in `answer(...)` if it is started with --cell
    cell : what to measure
    limit : seconds after which the process is killed
    command : what to run instead of the script; the cell is not appended to it
    environment : of the process; by default, that of this one

    Returns
    -------
    dict
        What the process printed on its last line, with "peak MB"; or "status": "crashed", "memory" or
        "killed" and an "error" that says why.
    """
    words = command or [sys.executable, script, "--cell", json.dumps(cell)]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(words, stdout=out, stderr=err, start_new_session=True, env=environment)
        status, usage = wait(process.pid, limit)
        process.returncode = 0  # it was waited for here, not by Popen
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode(errors="replace").strip().splitlines())
    printed, complaints = texts
    if status is None:
        return {"status": "killed", "error": f"killed after {limit:.0f} s", "peak MB": usage}
    if status != 0 or not printed:
        why = complaints[-1] if complaints else f"exit status {status}"
        memory = any(
            word in why for word in ("MemoryError", "bad_alloc", "Cannot allocate", "Unable to alloc")
        )
        return {"status": "memory" if memory else "crashed", "error": why[:300], "peak MB": usage}
    found: dict[str, Any] = json.loads(printed[-1])
    return {"peak MB": usage} | found


def wait(pid: int, limit: float) -> tuple[int | None, float]:
    """Wait for a process and return its exit status (None if it had to be killed) and its peak memory."""
    deadline = time.monotonic() + limit
    killed = False
    pause = 0.005
    while True:
        done, status, usage = os.wait4(pid, os.WNOHANG)
        if done:
            peak = round(usage.ru_maxrss * _unit() / _MEGABYTE, 1)
            return (None if killed else os.waitstatus_to_exitcode(status)), peak
        if time.monotonic() > deadline and not killed:
            killed = True
            os.killpg(pid, signal.SIGKILL)  # the cell and the solvers it started: a session of its own
        time.sleep(pause)
        pause = min(0.1, pause * 1.5)


def answer(measure: Callable[[dict[str, Any]], dict[str, Any]], text: str) -> None:
    """In the process of a cell: measure it and print the result."""
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY if hard < 0 else min(MEMORY, hard), hard))
    try:
        found = measure(json.loads(text))
    except MemoryError as error:
        found = {"status": "memory", "error": str(error)[:300] or "out of memory"}
    print("\n" + json.dumps({**found, "peak MB": peak_megabytes()}))


def peak_megabytes() -> float:
    """Peak memory of this process, or of the largest solver that it started."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * _unit()
    status = Path("/proc/self/status")
    if status.exists():  # unlike ru_maxrss, not inherited from the process that started this one
        own = next(int(line.split()[1]) << 10 for line in status.read_text().splitlines() if "VmHWM" in line)
    else:
        own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _unit()
    return round(max(own, children) / _MEGABYTE, 1)


def _unit() -> int:
    return 1 if sys.platform == "darwin" else 1024
