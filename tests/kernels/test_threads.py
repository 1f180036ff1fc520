"""Threads of the core where there are none to be had: those at hand do the work, and the process lives."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ooa.kernels.availability import compiled, what_is_missing

resource = pytest.importorskip("resource", reason="about limits as POSIX has them")
pytestmark = pytest.mark.skipif(not compiled(), reason=what_is_missing())

SCRIPT = """
import sys, threading
sys.path[:0] = {paths}
import numpy as np
from support.branching_cases import always
from test_sets import Branching, most_gained, nearly_alike, pack

def no_threads():
    try:
        threading.Thread(target=print).start()
    except RuntimeError:
        return True
    return False

for seed in range(40):
    covers, positive, negative, price = nearly_alike(np.random.default_rng(seed))
    search = Branching(pack(covers), positive, negative, price, 3, threads=4)
    assert search.run(0, 0, always)
    assert search.best == most_gained(covers, positive, negative, price, 3)
print("right", no_threads())
"""


def _no_room_for_stacks() -> None:
    """A thread's stack is as large as this limit when a process begins: no thread fits into memory."""
    resource.setrlimit(resource.RLIMIT_STACK, (1 << 47, resource.getrlimit(resource.RLIMIT_STACK)[1]))


def test_searches_do_without_threads_that_are_not_to_be_had() -> None:
    here = Path(__file__).parent
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(paths=[str(here), str(here.parent)])],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        preexec_fn=_no_room_for_stacks,
        env={"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
    )
    assert (done.returncode, done.stdout) == (0, "right True\n"), done.stderr
