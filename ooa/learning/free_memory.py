"""How much memory is free: what a fit may take is a share of it, unless somebody says otherwise."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

__all__ = ["free_memory"]

#: What is taken to be free where nobody can tell.
UNKNOWN = 4 << 30
#: Where Linux says what is available, what a container may have and has, and what this process has.
_AVAILABLE = "/proc/meminfo"
_CONTAINERS = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
)
_OWN = "/proc/self/statm"


def free_memory(root: str = "") -> int:
    """Bytes that this process could still take, as far as can be told.

    That is the least of what the machine has available, what its container leaves and what the limit on its
    address space leaves.

    Parameters
    ----------
    root : what the files that are read are below of; another one is for tests

    Examples
    --------
    >>> free_memory() > 0
    True
    """
    found = [_available(root), *_left_by_containers(root), _left_of_address_space(root)]
    return max(0, min((one for one in found if one is not None), default=UNKNOWN))


def _available(root: str) -> int | None:
    """What the machine has."""
    with suppress(OSError, ValueError):
        for line in Path(root + _AVAILABLE).read_text(encoding="ascii").splitlines():
            name, _, value = line.partition(":")
            if name == "MemAvailable":
                return int(value.split()[0]) << 10
    if not root and hasattr(os, "sysconf"):
        with suppress(OSError, ValueError):
            return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return None


def _left_by_containers(root: str) -> list[int]:
    """What is left of the limits of containers; "max" is none."""
    left = []
    for limit, used in _CONTAINERS:
        with suppress(OSError, ValueError):
            left.append(_number(root + limit) - _number(root + used))
    return left


def _left_of_address_space(root: str) -> int | None:
    """What is left of the limit that a shell's ``ulimit -v`` sets."""
    if sys.platform == "win32":
        return None
    import resource

    most = resource.getrlimit(resource.RLIMIT_AS)[0]
    if most == resource.RLIM_INFINITY:
        return None
    with suppress(OSError, ValueError):
        pages = int(Path(root + _OWN).read_text(encoding="ascii").split()[0])
        return most - pages * resource.getpagesize()
    return most


def _number(path: str) -> int:
    return int(Path(path).read_text(encoding="ascii"))
