"""Weighted dominance: which patterns a cheaper one can stand in for; see core/dominance.h."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .library import Handle
from .sets import PricedPatterns

__all__ = ["Dominance"]


class Dominance:
    """Goes through patterns, and keeps those that no kept one dominates.

    They must be sorted so that what dominates always precedes: by price, then by positives (most first), then
    by negatives.
    """

    def __init__(self, patterns: PricedPatterns, threads: int = 1) -> None:
        self._handle = Handle("ooa_dominance", *patterns.arguments(), threads)

    def advance(self, work: int) -> int:
        """Go on until about so many were compared; return how many patterns have been seen."""
        return int(self._handle("advance", work))

    def kept(self) -> NDArray[np.int64]:
        """The patterns that none of those seen dominates."""
        names = np.zeros(self._handle("count"), dtype=np.int64)
        self._handle("kept", names)
        return names
