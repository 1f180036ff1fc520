"""Limits that nothing keeps to, seen by counting alone: no search is needed to say no."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ooa.data.bitsets import unpack, weighted_count
from ooa.formulations.counted import Counted

__all__ = ["out_of_reach"]

Floats = NDArray[np.float64]


def out_of_reach(counted: Counted, most: int) -> bool:
    """Whether it is certain that no set of so many candidates, the empty one included, keeps to all limits.

    What a candidate adds to a sum stays. What a set takes off is at most the sum of what each of its members
    takes off alone, and at most what all rows take off that any candidate covers. Candidates that are in no
    set within one limit are left out for all.

    Parameters
    ----------
    counted : the limits; candidates that are not allowed are left out
    most : patterns in a set

    Examples
    --------
    >>> from ooa.data.bitsets import pack
    >>> bits, allowed, on_patterns = pack([[1, 1, 0], [0, 1, 1]]), np.ones(2, bool), np.zeros((2, 2), int)
    >>> on_rows = np.array([[-1, -1, 0], [0, 0, 1]])  # both of the first two, without the third
    >>> limits = Counted(bits, allowed, on_rows, on_patterns, np.array([-2, 0]), True, ())
    >>> out_of_reach(limits, 1), out_of_reach(limits.take(np.array([1])), 1)
    (False, True)
    """
    kept = np.flatnonzero(counted.allowed)
    adds, takes = _sides(counted)
    while True:
        fits = np.ones(len(kept), dtype=bool)
        together = np.bitwise_or.reduce(counted.bits[kept], axis=0, initial=np.uint64(0))
        union = unpack(together[None], counted.on_rows.shape[1])[0]
        for m, limit in enumerate(counted.limit.tolist()):
            off = takes[m, kept]
            largest = np.sort(off)[::-1]
            own = np.sort(np.maximum(-counted.on_patterns[m, kept], 0))[::-1][:most].sum()
            covered = np.maximum(-counted.on_rows[m, union], 0).sum() + own
            if -min(largest[:most].sum(), covered) > limit:
                return True
            fits &= adds[m, kept] - np.minimum(off + largest[: most - 1].sum(), covered) <= limit
        if fits.all():
            return False
        kept = kept[fits]


def _sides(counted: Counted) -> tuple[Floats, Floats]:
    """By sum and candidate: what it adds at least, and what it takes off at most."""
    signed = [
        np.maximum(sign * counted.on_patterns, 0)
        + np.array([weighted_count(counted.bits, np.maximum(sign * rows, 0.0)) for rows in counted.on_rows])
        for sign in (1, -1)
    ]
    return signed[0], signed[1]
