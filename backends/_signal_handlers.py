"""Who handles Ctrl-C: Gurobi puts its own handler in the place of Python's while it runs.

That one stops Gurobi at the first Ctrl-C, prints a word about it and has the next one end the process at
once, whatever was found. Python's own passes it on to whoever follows the solve, as with every other solver.
"""

from __future__ import annotations

import ctypes
import signal

_current = ctypes.pythonapi.PyOS_getsig
_current.argtypes, _current.restype = [ctypes.c_int], ctypes.c_void_p
_put = ctypes.pythonapi.PyOS_setsig
_put.argtypes, _put.restype = [ctypes.c_int, ctypes.c_void_p], ctypes.c_void_p


class KeptHandler:
    """The handler of Ctrl-C that is in place now, to be put back from any thread.

    Examples
    --------
    >>> ours = KeptHandler()
    >>> before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    >>> ours.keep()
    >>> KeptHandler().same(ours)
    True
    >>> _ = signal.signal(signal.SIGINT, before)
    """

    def __init__(self) -> None:
        self._handler = _current(signal.SIGINT)

    def same(self, other: KeptHandler) -> bool:
        """Whether two are of the same handler."""
        return bool(self._handler == other._handler)

    def keep(self) -> None:
        """Put it back if another one is in its place."""
        if _current(signal.SIGINT) != self._handler:
            _put(signal.SIGINT, self._handler)
