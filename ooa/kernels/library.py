"""The compiled core: which library is taken, and how its functions are called.

The same sources are compiled for several instruction sets when the package is installed (`core_build`); the
best one that the processor has is loaded here, once, when something first asks for it. Where none was built,
everything works without: see `ooa.kernels.availability`. A library that is older than the sources beside it
(there are some where the package is installed in editable form) is not loaded.

The variable OOA_KERNELS asks for another one: an instruction set by its name, "none", or the path of a
library, as for one that was built for a debugger.
"""

from __future__ import annotations

import ctypes
import os
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ooa.errors import OptionError

from .core_files import LEVELS, is_current, library_file

__all__ = ["Core", "Handle", "core", "core_or_reason", "pointer"]

_WHOLE, _REAL, _ADDRESS = ctypes.c_int64, ctypes.c_double, ctypes.c_void_p
#: The whole number that says that memory was short: no gain and no bound is that low, -1 may be one.
_FAILURE = -(2**63)
#: What functions return other than a whole number.
_RESULTS = {
    "ooa_sets_new": _ADDRESS,
    "ooa_sets_first": None,
    "ooa_sets_share": _REAL,
    "ooa_sets_take": None,
    "ooa_sets_worth": None,
    "ooa_sets_free": None,
    "ooa_limited_new": _ADDRESS,
    "ooa_limited_best": None,
    "ooa_limited_share": _REAL,
    "ooa_limited_free": None,
    "ooa_dominance_new": _ADDRESS,
    "ooa_dominance_kept": None,
    "ooa_dominance_free": None,
    "ooa_pattern_new": _ADDRESS,
    "ooa_pattern_free": None,
    "ooa_boxes_new": _ADDRESS,
    "ooa_boxes_share": _REAL,
    "ooa_boxes_free": None,
    "ooa_mining_new": _ADDRESS,
    "ooa_mining_take": None,
    "ooa_mining_free": None,
    "ooa_gains": None,
}


class Core:
    """A loaded library.

    Attributes
    ----------
    level : its instruction set, or the path that it was asked for by
    """

    def __init__(self, path: Path, level: str) -> None:
        self._library, self.level = ctypes.CDLL(str(path)), level

    def __call__(self, name: str, *arguments: Any) -> Any:
        """Call a function with whole numbers, floats, arrays and addresses; other threads go on meanwhile."""
        function = getattr(self._library, name)
        function.restype = _RESULTS.get(name, _WHOLE)
        result = function(*map(_converted, arguments))
        if (result is None and name.endswith("_new")) or (result == _FAILURE and name not in _RESULTS):
            raise MemoryError(f"the compiled search ran out of memory in {name}")
        return result


class Handle:
    """Something that lives in the library as long as this object: made by ``{kind}_new``.

    Arrays that it was made from are kept alive with it.
    """

    def __init__(self, kind: str, *arguments: Any) -> None:
        found = core()
        assert found is not None
        self._core, self._kind, self._kept = found, kind, arguments
        self._address: int | None = found(f"{kind}_new", *arguments)

    def __call__(self, name: str, *arguments: Any) -> Any:
        """Call ``{kind}_{name}`` of the library for this object."""
        return self._core(f"{self._kind}_{name}", ctypes.c_void_p(self._address), *arguments)

    def __del__(self) -> None:
        if getattr(self, "_address", None):
            self("free")
            self._address = None


def _converted(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return pointer(value)
    if isinstance(value, float):
        return _REAL(value)
    return value if isinstance(value, ctypes.c_void_p) else _WHOLE(int(value))


def pointer(array: NDArray[Any]) -> Any:
    """The address of an array's data, which must lie in one piece; the array is kept as long as this is."""
    if not array.flags.c_contiguous:
        raise ValueError("only arrays in one piece can be handed over")
    if array.size and array.flags.writeable:
        return ctypes.byref(ctypes.c_char.from_buffer(array.data))  # a fifth of the time of `array.ctypes`
    return ctypes.c_void_p(array.ctypes.data)


def core() -> Core | None:
    """The library that is used: the best one here, or what OOA_KERNELS asks for; None if there is none."""
    found = core_or_reason()
    return found if isinstance(found, Core) else None


@cache
def core_or_reason() -> Core | str:
    """The library that is used, or why there is none."""
    wanted = os.environ.get("OOA_KERNELS", "")
    if wanted == "none":
        return "OOA_KERNELS=none"
    if wanted and wanted not in LEVELS:
        return _asked_for(Path(wanted), wanted)
    lowest = library_file("baseline")
    baseline = _asked_for(lowest, wanted) if wanted else _opened("baseline", lowest)
    if isinstance(baseline, str):
        return baseline
    able = LEVELS[: baseline("ooa_level") + 1]
    if wanted:
        if wanted not in able:
            raise OptionError(f"OOA_KERNELS={wanted}: this processor can run {' and '.join(able)} only")
        return _asked_for(library_file(wanted), wanted)
    opened = (_opened(level, library_file(level)) for level in reversed(able))
    return next((found for found in opened if isinstance(found, Core)), baseline)


def _asked_for(path: Path, wanted: str) -> Core:
    """What OOA_KERNELS names, which must be there."""
    found = _opened(wanted, path)
    if isinstance(found, str):
        raise OptionError(f"OOA_KERNELS={wanted}: {found}; there is also none, {', '.join(LEVELS)}")
    return found


def _opened(level: str, path: Path) -> Core | str:
    """The library at a place, or why it cannot be had."""
    if not path.is_file():
        return f"{path.name} was not built"
    if not is_current(path):
        return f"{path.name} was built from other sources: run python -m ooa.kernels.core_build"
    try:
        return Core(path, level)
    except OSError as problem:
        return f"{path.name} cannot be loaded: {problem}"
