"""The compiled core: which library is taken, and how its functions are called.

The same sources are compiled for several instruction sets when the package is installed (`core_build`); the
best one that the processor has is loaded here, once, when something first asks for it. Where none was built,
everything works without: see `ooa.kernels.availability`.
"""

from __future__ import annotations

import ctypes
import os
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["INTERFACE", "LEVELS", "Core", "Handle", "core", "pointer"]

#: The instruction sets, from the least to the most, as `ooa_level` counts them.
LEVELS = ("baseline", "avx2", "avx512")
#: What `ooa_interface` of a library that fits these modules returns.
INTERFACE = 2

_SUFFIX = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
_WHOLE, _REAL, _ADDRESS = ctypes.c_int64, ctypes.c_double, ctypes.c_void_p
#: What functions return other than a whole number, -1 of which says that memory was short.
_RESULTS = {
    "ooa_sets_new": _ADDRESS,
    "ooa_sets_share": _REAL,
    "ooa_sets_free": None,
    "ooa_dominance_new": _ADDRESS,
    "ooa_dominance_kept": None,
    "ooa_dominance_free": None,
    "ooa_pattern_new": _ADDRESS,
    "ooa_pattern_free": None,
    "ooa_gains": None,
    "ooa_reorder": None,
}


class Core:
    """A loaded library.

    Attributes
    ----------
    level : its instruction set, one of `LEVELS`
    """

    def __init__(self, path: Path, level: str) -> None:
        self._library, self.level = ctypes.CDLL(str(path)), level
        if self("ooa_interface") != INTERFACE:
            raise OSError(f"{path.name} was built from other sources")

    def __call__(self, name: str, *arguments: Any) -> Any:
        """Call a function with whole numbers, floats, arrays and addresses; other threads go on meanwhile."""
        function = getattr(self._library, name)
        function.restype = _RESULTS.get(name, _WHOLE)
        result = function(*map(_converted, arguments))
        if (result is None and name.endswith("_new")) or (result == -1 and name not in _RESULTS):
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


def pointer(array: NDArray[Any]) -> ctypes.c_void_p:
    """The address of an array's data, which must lie in one piece."""
    if not array.flags.c_contiguous:
        raise ValueError("only arrays in one piece can be handed over")
    return ctypes.c_void_p(array.ctypes.data)


@cache
def core() -> Core | None:
    """The library that is used: the best one here, or what OOA_KERNELS names; None if there is none.

    ``OOA_KERNELS`` is the name of an instruction set, or "none".
    """
    wanted = os.environ.get("OOA_KERNELS", "")
    if wanted == "none":
        return None
    baseline = _opened("baseline")
    if baseline is None or wanted == "baseline":
        return baseline
    able = LEVELS[: baseline("ooa_level") + 1]
    if wanted in able:
        return _opened(wanted)
    return next((found for level in reversed(able) if (found := _opened(level)) is not None), None)


def _opened(level: str) -> Core | None:
    """The library for an instruction set, if it was built from these sources."""
    path = Path(__file__).with_name(f"_core_{level}{_SUFFIX}")
    try:
        return Core(path, level)
    except (OSError, AttributeError):
        return None
