"""Where CBC's executable is, what version it is and which options it knows."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from ._versions import installed_version

#: Environment variable that names the executable to use.
VARIABLE = "OOA_CBC"
MISSING = (
    "no CBC executable was found; run: pip install 'pulp<4' (or cbcbox), put cbc on the PATH, "
    f"or let the environment variable {VARIABLE} name it"
)
_PARAMETERS = re.compile(r"(?:double|integer|keyword|string) parameters", re.IGNORECASE)


@dataclass(frozen=True)
class Found:
    """An executable and where it comes from, or why there is none."""

    path: str | None
    source: str


def find() -> Found:
    """Find CBC without starting or importing anything: the newer ones before PuLP's 2.10.3."""
    named = os.environ.get(VARIABLE)
    if named:
        path = shutil.which(named)
        if path is None:
            return Found(None, f"{VARIABLE} is {named!r}, which is no executable file")
        return Found(os.path.abspath(path), VARIABLE)
    for package, locate in (("cbcbox", _in_cbcbox), ("", _on_path), ("pulp", _in_pulp)):
        path = locate()
        if path is not None:
            return Found(path, f"{package} {installed_version(package)}" if package else "PATH")
    return Found(None, MISSING)


def _in_cbcbox() -> str | None:
    folder = _package_folder("cbcbox")
    if folder is None:
        return None
    builds = ["cbc_dist_avx2", "cbc_dist"] if _has_avx2() else ["cbc_dist"]
    return _first_executable(folder / build / "bin" / _file_name() for build in builds)


def _on_path() -> str | None:
    path = shutil.which("cbc")
    return None if path is None else os.path.abspath(path)


def _in_pulp() -> str | None:
    folder = _package_folder("pulp")
    if folder is None:
        return None
    system = {"linux": "linux", "darwin": "osx", "win32": "win"}.get(sys.platform, "")
    arm = platform.machine().lower() in ("arm64", "aarch64")
    builds = ["arm64", "i64"] if arm and system == "osx" else ["arm64"] if arm else ["i64", "i32"]
    return _first_executable(folder / "solverdir" / "cbc" / system / build / _file_name() for build in builds)


def _package_folder(package: str) -> Path | None:
    spec = find_spec(package)  # looks for the package, does not import it
    places = spec.submodule_search_locations if spec is not None else None
    return Path(places[0]) if places else None


def _first_executable(candidates: Iterable[Path]) -> str | None:
    for path in candidates:
        if path.is_file() and os.access(path, os.X_OK):
            return str(path)
    return None


def _file_name() -> str:
    return "cbc.exe" if os.name == "nt" else "cbc"


@lru_cache(maxsize=1)
def _has_avx2() -> bool:
    try:
        return " avx2 " in Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:  # not Linux: the generic build runs everywhere
        return False


@lru_cache(maxsize=8)
def version(path: str) -> str:
    """The version an executable tells in its banner."""
    text = _output(path, "-quit")
    found = re.search(r"^Version:\s*(\S+)|^CBC (\S+(?: \(git:\w+\))?)", text, re.MULTILINE)
    return (found[1] or found[2]) if found else "unknown"


def is_new(version: str) -> bool:
    """Whether a version is later than 2.10, whose optima are wrong at times.

    Examples
    --------
    >>> [is_new(version) for version in ("2.10.3", "0.0", "unknown", "3.0.1", "devel (git:1a2b3c)")]
    [False, False, False, True, True]
    """
    return version != "unknown" and not version.startswith(("0.", "1.", "2."))


@lru_cache(maxsize=8)
def options(path: str) -> tuple[tuple[str, str], ...]:
    """The options an executable lists, each as (shortest form, whole name).

    Actions such as `solve` or `export` are left out: they are not settings.
    """
    found = []
    listed = False
    for line in _output(path, "-allC", "more", "-?").splitlines():
        if line.rstrip(" *").endswith(":"):
            listed = _PARAMETERS.search(line) is not None and "ction" not in line
        elif listed and not line.startswith("Total time"):
            found += [(word.partition("(")[0], re.sub(r"[()]", "", word)) for word in line.split()]
    return tuple(found)


def knows(path: str, name: str) -> bool:
    """Whether an executable takes this option, whole or shortened as CBC allows."""
    wanted = name.lower()
    return any(
        wanted.startswith(short.lower()) and whole.lower().startswith(wanted)
        for short, whole in options(path)
    )


def _output(path: str, *arguments: str) -> str:
    done = subprocess.run(
        [path, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=30,
        check=False,
    )
    return done.stdout.decode("utf-8", errors="replace")
