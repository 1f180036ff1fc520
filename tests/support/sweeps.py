"""How far random sweeps go: some way on every run, all the way with OOA_EXPLORE=1."""

from __future__ import annotations

import os


def sweep(usual: int, of: int) -> int:
    """So many tables, batches or examples, of so many in the long run; each has its own fixed seed."""
    return of if os.environ.get("OOA_EXPLORE") else usual
