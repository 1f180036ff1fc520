"""Frequent patterns by pyfim (fpgrowth, eclat, apriori), kept clear of what that package gets wrong.

Found by trial with pyfim 6.28, and guarded against here:

- an item set that is in every transaction is not reported: one empty transaction is added;
- a minimum support of 0 crashes: at least 1 is asked for;
- multiplicities that add up to 2**31 give an empty answer, and counting takes memory and time in proportion
  to the largest support: large weights, and weights that are not whole, are rounded up to a coarser unit;
- a listing costs about 206 bytes per item set and comes as a whole: it is counted first;
- Ctrl-C becomes a RuntimeError, with a KeyboardInterrupt to follow.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ooa.data.bitsets import unpack
from ooa.errors import BackendUnavailable

from .bitset_miner import Batch

ALGORITHMS = ("fpgrowth", "eclat", "apriori")
_BYTES_PER_SET = 206
_LARGEST_TOTAL = 2**17
_BATCH = 1 << 16


class FimMiner:
    """Frequent literal sets over the rows of positive weight; supports may exceed the true ones a little.

    Parameters
    ----------
    algorithm : {"fpgrowth", "eclat", "apriori"}
    attribute : ndarray of int32, shape (L,)
        Sets with two literals of an attribute are dropped (pyfim itself lists them).
    bits : ndarray of uint64, shape (L, W)
    weights : ndarray of float64, shape (n_rows,)
        Positive weight of each row.
    min_positive : ndarray of float64, shape (max_length + 1,)
        Least positive weight of a pattern, by length; entry 0 is unused.
    """

    def __init__(
        self,
        algorithm: str,
        attribute: NDArray[np.int32],
        bits: NDArray[np.uint64],
        weights: NDArray[np.float64],
        min_positive: NDArray[np.float64],
    ) -> None:
        self._find: Callable[..., Any] = getattr(_import_fim(), algorithm)
        self._attribute = attribute
        self._max_length = len(min_positive) - 1
        total = float(weights.sum())
        largest = max(_LARGEST_TOTAL, 4 * len(weights))
        unit = 1.0
        if total > largest or not np.array_equal(weights, np.floor(weights)):
            unit = total / (largest - len(weights))  # rounded up, every weight adds one unit at most
        rows = np.flatnonzero(weights > 0)
        multiplicity = np.ceil(weights[rows] / unit).astype(np.int64)
        holds = unpack(bits, len(weights))[:, rows].T
        self._transactions: Counter[tuple[int, ...]] = Counter({(): 1})
        for row, times in zip(holds, multiplicity.tolist()):
            self._transactions[tuple(np.flatnonzero(row).tolist())] += times
        # One unit less than asked for: no rounding can then lose a pattern, and the caller filters exactly.
        least = min(float(min_positive[1:].min()) / unit, largest + 1)
        self._support = max(1, int(np.ceil(least)) - (unit != 1.0))

    def fits(self, max_bytes: int) -> bool:
        """Say whether the listing stays within a number of bytes, by counting it (fast, no memory)."""
        n_sets = sum(number for _, _, number in self._run("="))
        return bool(n_sets * _BYTES_PER_SET <= max_bytes)

    def batches(self) -> Iterator[Batch]:
        """Yield the patterns; only `items` is set, the weights are for the caller to count."""
        found = self._run("a")
        sizes = np.fromiter((len(items) for items, _ in found), np.int64, len(found))
        flat = np.fromiter((item for items, _ in found for item in items), np.int32, int(sizes.sum()))
        del found
        starts = np.cumsum(sizes) - sizes
        for length in range(1, self._max_length + 1):
            of_length = starts[sizes == length]
            for begin in range(0, len(of_length), _BATCH):
                chunk = of_length[begin : begin + _BATCH]
                items = flat[chunk[:, None] + np.arange(length)]
                used = np.sort(self._attribute[items], axis=1)
                items = items[(used[:, 1:] != used[:, :-1]).all(axis=1)]
                nothing = np.zeros(0)
                yield Batch(items, nothing, nothing, len(chunk), 1.0)

    def _run(self, report: str) -> Any:
        """Call pyfim; a Ctrl-C comes out as one KeyboardInterrupt."""
        try:
            return self._find(
                self._transactions,
                target="s",
                supp=-self._support,
                zmin=1,
                zmax=self._max_length,
                report=report,
            )
        except RuntimeError as error:
            if "abort" not in str(error):
                raise
            with suppress(KeyboardInterrupt):
                time.sleep(0.01)  # lets the pending KeyboardInterrupt arrive here rather than anywhere later
            raise KeyboardInterrupt from None


def _import_fim() -> ModuleType:
    try:
        import fim
    except ImportError as error:
        raise BackendUnavailable(
            "The mining engines fpgrowth, eclat and apriori need the package pyfim: pip install pyfim "
            "(it builds with a C compiler), or use engine='bitset'."
        ) from error
    module: ModuleType = fim
    return module
