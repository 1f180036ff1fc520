"""How many threads the compiled core may use."""

from __future__ import annotations

import os
import sys

__all__ = ["usable_threads"]


def usable_threads() -> int:
    """As many as the processors that this process may use; one inside of a joblib worker, as others work too.

    Examples
    --------
    >>> usable_threads() >= 1
    True
    """
    joblib = sys.modules.get("joblib.parallel")  # in a worker of its it is imported, and elsewhere not needed
    if joblib is not None and getattr(joblib.get_active_backend()[0], "nesting_level", None):
        return 1
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1
