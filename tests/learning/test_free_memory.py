"""How much memory is free, from what the system says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ooa.learning import free_memory as memory
from ooa.learning.free_memory import UNKNOWN, free_memory


@pytest.fixture
def system(tmp_path, monkeypatch):
    """Files as Linux has them; no limit on the address space."""
    monkeypatch.setattr(memory, "_left_of_address_space", lambda root: None)

    def write(**files: str) -> str:
        for name, content in files.items():
            path = Path(str(tmp_path) + PLACES[name])
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        return str(tmp_path)

    return write


PLACES = {
    "machine": "/proc/meminfo",
    "limit": "/sys/fs/cgroup/memory.max",
    "used": "/sys/fs/cgroup/memory.current",
    "older_limit": "/sys/fs/cgroup/memory/memory.limit_in_bytes",
    "older_used": "/sys/fs/cgroup/memory/memory.usage_in_bytes",
}
MACHINE = "MemTotal:       24684000 kB\nMemFree:        100 kB\nMemAvailable:   2048 kB\n"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"machine": MACHINE}, 2048 << 10),
        ({"machine": MACHINE, "limit": "max\n", "used": "7\n"}, 2048 << 10),
        ({"machine": MACHINE, "limit": "1000000\n", "used": "400000\n"}, 600_000),
        ({"machine": MACHINE, "older_limit": "1000000\n", "older_used": "300000\n"}, 700_000),
        ({"machine": MACHINE, "older_limit": str(2**63), "older_used": "300000\n"}, 2048 << 10),
        ({"limit": "1000\n", "used": "4000\n"}, 0),
        ({"machine": "MemTotal: 3 kB\n"}, UNKNOWN),
        ({"machine": "MemAvailable: much\n"}, UNKNOWN),
        ({}, UNKNOWN),
    ],
)
def test_the_least_of_what_is_left(system, files, expected):
    assert free_memory(system(**files)) == expected


def test_here_there_is_some():
    assert 1 << 20 < free_memory() < 1 << 50


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the size of a process is read from /proc")
def test_a_limit_on_the_address_space_counts():
    script = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))\n"
        "from ooa.learning.free_memory import free_memory; print(free_memory())"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert 0 < int(done.stdout) < 3 << 30
