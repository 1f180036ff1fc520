"""scikit-learn's base classes without all of scipy: a first fit waits for what it needs, and no longer.

Importing `sklearn.base` imports `scipy.stats`, for a function that few ever call, and that is two thirds of
the time it takes. While `sklearn.base` is imported, another module stands in for `scipy.stats`: it imports
the real one as soon as anything of it is asked for, and is gone afterwards. Nobody sees a difference but in
how long it takes: whoever uses `scipy.stats` has it imported then.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib import import_module
from types import ModuleType
from typing import Any

__all__ = ["import_without"]


class StandIn(ModuleType):
    """Takes a module's place among those imported until something of it is asked for."""

    def __getattr__(self, name: str) -> Any:
        self.leave()
        return getattr(import_module(self.__name__), name)

    def leave(self) -> None:
        """Give the place back, if it has not been taken by the module itself."""
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]


def import_without(wanted: str, heavy: str) -> None:
    """Import a module, and a heavy one that it names only if it uses it; nothing if either is there already.

    Examples
    --------
    >>> import_without("sklearn.base", "scipy.stats")
    >>> "sklearn.base" in sys.modules
    True
    """
    if wanted in sys.modules or heavy in sys.modules:
        return
    stand_in = StandIn(heavy)
    sys.modules[heavy] = stand_in
    try:
        with suppress(ImportError):  # whoever needs it says what is missing
            import_module(wanted)
    finally:
        stand_in.leave()
