"""Compiled functions, kept on disk between processes where that is possible."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import numba

from ooa.logs import logger


def _folder(package: Path) -> Path:
    """Where the machine code of these very sources is kept.

    numba looks whether the file of a function has changed, but functions of other files are compiled into
    it. So what was compiled from other sources is never looked at, and removed.
    """
    sources = b"".join(file.read_bytes() for file in sorted(package.glob("*.py")))
    folder = package / "__pycache__" / f"compiled-{sha256(sources).hexdigest()[:16]}"
    if not folder.exists():
        for other in folder.parent.glob("compiled-*"):
            shutil.rmtree(other, ignore_errors=True)
    return folder


_FOLDER = _folder(Path(__file__).parent)


def compiled_once(function: Callable[..., Any]) -> Any:
    """Compile a function when it is first called, and keep the result beside the package.

    Where nothing can be written there, nor in the user's cache, or anybody can write, each process compiles
    anew.
    """
    return _compiled(function, fastmath=False)


def compiled_loosely(function: Callable[..., Any]) -> Any:
    """Compile a function whose sums may be added up in any order, which is several times as fast."""
    return _compiled(function, fastmath=True)


def _compiled(function: Callable[..., Any], fastmath: bool) -> Any:
    usual = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = usual or str(_FOLDER)
    try:
        kept = numba.njit(cache=True, fastmath=fastmath)(function)
        if trusted(Path(kept.stats.cache_path)):
            return kept
        logger.warning("%s can be written by others: compiled code is not kept there", kept.stats.cache_path)
    except RuntimeError:  # nowhere to write
        pass
    finally:
        numba.config.CACHE_DIR = usual
    return numba.njit(fastmath=fastmath)(function)


def trusted(folder: Path) -> bool:
    """Whether not everyone can put machine code into a folder, which would be run as it is.

    Neither it nor a folder that it is in may be writable for everyone, but for those in which everyone may
    touch only what is their own, as /tmp; what is in these must be ours.
    """
    if not hasattr(os, "geteuid"):
        return True  # who may write where is no matter of bits there
    folder = folder.resolve()
    inside = None
    for place in (folder, *folder.parents):
        if not place.exists():
            continue
        found = place.stat()
        if found.st_mode & stat.S_IWOTH:
            ours = inside is not None and inside.st_uid in (0, os.geteuid())
            if not (found.st_mode & stat.S_ISVTX and ours):
                return False
        inside = found
    return True
