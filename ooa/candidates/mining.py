"""Patterns over literals: every conjunction up to a length that covers enough positive rows.

The bitset miner is the default and needs nothing but numpy. The engines of pyfim give the same patterns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ooa.clock import NEVER, Deadline
from ooa.data.bitsets import n_words
from ooa.errors import DataError, OptionError

from .best_kept import Keeper
from .bitset_miner import Batch, BitsetMiner
from .fim_miner import ALGORITHMS, FimMiner
from .row_weights import RowWeights, intersections
from .screening import Score

__all__ = ["ENGINES", "Mined", "mine"]

ENGINES = ("bitset", *ALGORITHMS)


class Literals(Protocol):
    """What mining needs of candidate literals."""

    @property
    def attribute(self) -> NDArray[np.int32]:
        """Attribute of each literal."""

    @property
    def bits(self) -> NDArray[np.uint64]:
        """Rows of each literal, packed."""

    @property
    def n_rows(self) -> int:
        """Number of rows."""


class StopSignal(Protocol):
    """What `threading.Event` offers."""

    def is_set(self) -> bool:
        """Whether to stop."""


@dataclass(frozen=True, eq=False)
class Mined:
    """Patterns, shortest first and then in the order of their literals.

    Attributes
    ----------
    items : ndarray of int32, shape (P, max_length)
        Indices of each pattern's literals, ascending, filled up with -1.
    length : ndarray of int16, shape (P,)
    positive, negative : ndarray of float64, shape (P,)
        Weight of the positive and of the negative rows that a pattern covers.
    bits : ndarray of uint64, shape (P, W)
        Rows that a pattern covers, packed as in `ooa.data.bitsets`.
    complete : bool
        Whether these are all patterns that were asked for.
    reason : str
        If not complete, why, and what to change; else empty.
    interrupted : bool
        Whether Ctrl-C ended the search.
    counts : dict of str to int
        ``tested`` patterns looked at, ``mined`` that meet the thresholds, ``above_negative`` dropped for
        `max_negative`, ``over_budget`` dropped for `max_patterns` or `max_bytes`.
    engine : str
        The engine that ran.
    """

    items: NDArray[np.int32]
    length: NDArray[np.int16]
    positive: NDArray[np.float64]
    negative: NDArray[np.float64]
    bits: NDArray[np.uint64]
    complete: bool
    reason: str
    interrupted: bool
    counts: dict[str, int]
    engine: str

    def __len__(self) -> int:
        return len(self.length)


def mine(
    literals: Literals,
    positive: ArrayLike,
    negative: ArrayLike,
    *,
    max_length: int | None = 3,
    min_positive: ArrayLike = 0.0,
    max_negative: ArrayLike | None = None,
    max_patterns: int = 1_000_000,
    max_bytes: int = 1 << 30,
    score: Score | None = None,
    engine: str = "bitset",
    deadline: Deadline = NEVER,
    stop: StopSignal | None = None,
    progress: Callable[[int, float], None] | None = None,
) -> Mined:
    """Find all patterns with at most one literal per attribute that cover enough positive weight.

    A pattern of length ``l`` is returned if its positive weight is above zero and **at least**
    ``min_positive[l]``, and its negative weight at most ``max_negative[l]``. (For a strict threshold pass
    ``numpy.nextafter(threshold, numpy.inf)``.)

    Parameters
    ----------
    literals : LiteralSet
        Or anything with its ``attribute``, ``bits`` and ``n_rows``.
    positive, negative : array_like of float, shape (n_rows,)
        Weight of the positives and of the negatives in each row.
    max_length : int or None, default 3
        Most literals in a pattern; None for no limit.
    min_positive, max_negative : float or array_like
        One number, or one per length: entry ``l`` is for length ``l``, entry 0 is unused.
    max_patterns, max_bytes : int
        Beyond so many patterns, or so many bytes of result, only the best by `score` are kept.
    score : callable, optional
        ``score(positive, negative, length)``, vectorised, larger is better; by default positive - negative.
        Equal scores: the shorter pattern first, then in the order of literals.
    engine : {"bitset", "fpgrowth", "eclat", "apriori"}
        The last three are pyfim's. They find the same patterns, cannot be stopped while inside pyfim, list
        sets with several literals of one attribute before they are dropped, and hand over to the bitset
        miner if that list would exceed `max_bytes`.
    deadline : Deadline, optional
        When to stop and return what was found; it is looked at after each batch of patterns.
    stop : threading.Event, optional
        Set from elsewhere, it ends the search in the same way.
    progress : callable, optional
        Called now and then with the number of patterns so far and the share of the work done.

    Returns
    -------
    Mined
        After Ctrl-C too: then it is incomplete, and ``interrupted`` is True.

    Examples
    --------
    Three literals on two attributes, over four rows of which the first three are positive:

    >>> from types import SimpleNamespace
    >>> from ooa.data.bitsets import pack
    >>> rows = [[True, True, False, True], [True, False, False, False], [True, True, True, False]]
    >>> literals = SimpleNamespace(attribute=np.array([0, 0, 1]), bits=pack(rows), n_rows=4)
    >>> mined = mine(literals, [1, 1, 1, 0], [0, 0, 0, 1], min_positive=2)
    >>> mined.items.tolist()
    [[0, -1], [2, -1], [0, 2]]
    >>> mined.positive.tolist(), mined.negative.tolist(), mined.complete
    ([2.0, 3.0, 2.0], [1.0, 0.0, 0.0], True)
    """
    if engine not in ENGINES:
        raise OptionError(f"engine is {engine!r}: it must be one of {', '.join(ENGINES)}.")
    if max_length is not None and max_length < 1:
        raise OptionError(f"max_length is {max_length}: it must be at least 1, or None.")
    if max_patterns < 1 or max_bytes < 1:
        raise OptionError("max_patterns and max_bytes must be at least 1.")
    attribute, bits = _coverage(literals)
    n_attributes = len(np.unique(attribute))
    longest = max(1, n_attributes if max_length is None else min(max_length, n_attributes))
    task = _Task(
        engine,
        attribute,
        bits,
        positive=_checked("positive", positive, literals.n_rows),
        negative=_checked("negative", negative, literals.n_rows),
        least=np.maximum(_by_length("min_positive", min_positive, longest), np.nextafter(0.0, 1.0)),
    )
    most = _by_length("max_negative", np.inf if max_negative is None else max_negative, longest)

    bytes_each = 8 * bits.shape[1] + 4 * longest + 1 + 3 * 8
    limit = min(max_patterns, max(1, max_bytes // bytes_each))
    keeper = Keeper(limit, longest, score or (lambda positive, negative, length: positive - negative))
    counts = {"tested": 0, "mined": 0, "above_negative": 0, "over_budget": 0}
    used, cause, interrupted = engine, "", False
    try:
        used, batches = task.batches(max_bytes)
        cause = _collect(batches, most, keeper, counts, deadline, stop, progress)
    except KeyboardInterrupt:
        cause, interrupted = "it was interrupted", True
    items, gain, loss = keeper.best()
    counts["mined"], counts["over_budget"] = keeper.seen, keeper.seen - len(items)
    reason = _reason(cause, keeper, limit, "max_patterns" if limit == max_patterns else "max_bytes")
    return Mined(
        items=items,
        length=(items >= 0).sum(axis=1).astype(np.int16),
        positive=gain,
        negative=loss,
        bits=intersections(bits, items),
        complete=not reason,
        reason=reason,
        interrupted=interrupted,
        counts=counts,
        engine=used,
    )


@dataclass(frozen=True)
class _Task:
    """What is to be mined: which engine, over which rows, and the least positive weight by length."""

    engine: str
    attribute: NDArray[np.int32]
    bits: NDArray[np.uint64]
    positive: NDArray[np.float64]
    negative: NDArray[np.float64]
    least: NDArray[np.float64]

    def batches(self, max_bytes: int) -> tuple[str, Iterator[Batch]]:
        """The engine that can do it within so many bytes, and the patterns with their exact weights."""
        of_positives, of_negatives = (
            RowWeights(self.positive, self.bits),
            RowWeights(self.negative, self.bits),
        )
        if self.engine != "bitset":
            fim = FimMiner(self.engine, self.attribute, self.bits, self.positive, self.least)
            if fim.fits(max_bytes):
                return self.engine, self._weighed(fim.batches(), of_positives, of_negatives)
        batches = BitsetMiner(self.attribute, of_positives, of_negatives, self.least).batches()
        if of_positives.exact and of_negatives.exact:
            return "bitset", batches
        return "bitset", self._weighed(batches, of_positives, of_negatives)

    def _weighed(
        self, batches: Iterable[Batch], of_positives: RowWeights, of_negatives: RowWeights
    ) -> Iterator[Batch]:
        """Batches with their weights counted exactly, and without the patterns that then fall short."""
        for batch in batches:
            positive = of_positives.weigh_patterns(batch.items)
            enough = positive >= self.least[batch.items.shape[1]]
            items = batch.items[enough]
            negative = of_negatives.weigh_patterns(items)
            yield batch._replace(items=items, positive=positive[enough], negative=negative)


def _collect(
    batches: Iterable[Batch],
    most: NDArray[np.float64],
    keeper: Keeper,
    counts: dict[str, int],
    deadline: Deadline,
    stop: StopSignal | None,
    progress: Callable[[int, float], None] | None,
) -> str:
    """Hand the patterns to the keeper, batch by batch; return why that ended early, if it did."""
    cause = ""
    for batch in batches:
        if cause:  # and there is more: not complete
            return cause
        counts["tested"] += batch.tested
        fine = batch.negative <= most[batch.items.shape[1]]
        counts["above_negative"] += int(len(fine) - fine.sum())
        keeper.add(batch.items[fine], batch.positive[fine], batch.negative[fine])
        if progress is not None:
            progress(keeper.seen, batch.done)
        if deadline.passed():
            cause = "the time was up"
        if stop is not None and stop.is_set():
            cause = "it was told to"
    return ""


def _reason(cause: str, keeper: Keeper, limit: int, limited_by: str) -> str:
    """Why patterns are missing, and what to change; empty if none are."""
    reasons = []
    if cause:
        reasons.append(
            f"Mining stopped early because {cause}, so patterns may be missing: allow more time, raise "
            "min_positive or lower max_length."
        )
    if keeper.seen > limit:
        reasons.append(
            f"Only the best {limit} of {keeper.seen} patterns were kept, as {limited_by} allows: raise "
            f"{limited_by} or min_positive, or lower max_length."
        )
    return " ".join(reasons)


def _coverage(literals: Literals) -> tuple[NDArray[np.int32], NDArray[np.uint64]]:
    """Attributes and rows of the literals, as arrays that fit each other."""
    attribute = np.asarray(literals.attribute, dtype=np.int32)
    bits = np.ascontiguousarray(literals.bits, dtype=np.uint64)
    if bits.shape != (len(attribute), n_words(literals.n_rows)):
        raise DataError(
            f"bits has shape {bits.shape}, for {len(attribute)} literals over {literals.n_rows} rows."
        )
    return attribute, bits


def _checked(name: str, weights: ArrayLike, n_rows: int) -> NDArray[np.float64]:
    values = np.asarray(weights, dtype=np.float64)
    if values.shape != (n_rows,):
        raise DataError(f"{name} has shape {values.shape}, for {n_rows} rows.")
    bad = np.flatnonzero(~(np.isfinite(values) & (values >= 0)))
    if len(bad):
        raise DataError(f"{name}[{bad[0]}] is {values[bad[0]]}: a weight must be finite and not negative.")
    return values


def _by_length(name: str, threshold: ArrayLike, longest: int) -> NDArray[np.float64]:
    values = np.asarray(threshold, dtype=np.float64)
    if values.ndim == 0:
        values = np.full(longest + 1, float(values))
    if values.ndim != 1 or len(values) <= longest:
        raise OptionError(f"{name} must be a number, or one per length with entries 0 to {longest}.")
    values = values[: longest + 1].copy()
    values[0] = values[1]
    if np.isnan(values).any():
        raise OptionError(f"{name} holds NaN.")
    return values
