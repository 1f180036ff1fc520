"""The libraries of the compiled core: their names, what they are built from, and what there is without."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

__all__ = ["FOLDER", "LEVELS", "SOURCES", "WITHOUT", "digest", "is_current", "library_file"]

#: The instruction sets, from the least to the most, as `ooa_level` of core/library.cpp counts them.
LEVELS = ("baseline", "avx2", "avx512")
#: What there is without the compiled core, as half a sentence.
WITHOUT = (
    "the ILP has the whole proof, which takes longer and often leaves a gap, mining and the local search "
    "take longer, and patterns are not replaced by optimal ones"
)

#: Where libraries are looked for.
FOLDER = Path(__file__).parent
#: Where the sources lie, except where ooa was installed from a wheel.
SOURCES = FOLDER / "core"
_SUFFIX = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")


def library_file(level: str, folder: Path = FOLDER) -> Path:
    """Where the library for an instruction set is."""
    return folder / f"_core_{level}{_SUFFIX}"


@cache
def digest() -> str:
    """What tells these sources and the way they are compiled from all others; empty where there are none."""
    if not SOURCES.is_dir():
        return ""
    import hashlib

    found = hashlib.sha256()
    for path in (*sorted(SOURCES.glob("*.h")), *sorted(SOURCES.glob("*.cpp")), FOLDER / "core_build.py"):
        found.update(f"{path.name} {path.stat().st_size}\n".encode())
        found.update(path.read_bytes())
    return f"ooa sources {found.hexdigest()}"


def is_current(path: Path) -> bool:
    """Whether a library was built from the sources that lie here; if none do, whether it is there.

    The digest stands in the file as text, so that nothing has to be loaded to find out.
    """
    return path.is_file() and digest().encode() in path.read_bytes()
