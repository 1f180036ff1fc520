"""Patterns over literals: every conjunction up to a length that covers enough positive rows.

The bitset miner is the default: compiled where that was possible, else in numpy. The engines of pyfim give
the same patterns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ooa.checks import one_of, whole_number, whole_or_none
from ooa.checks import weights as checked_weights
from ooa.clock import NEVER, Deadline
from ooa.data.bitsets import n_words
from ooa.errors import DataError, OptionError
from ooa.kernels.availability import compiled

from .best_kept import Keeper
from .bitset_miner import Batch, BitsetMiner
from .core_miner import CoreMiner
from .fim_miner import ALGORITHMS, FimMiner
from .row_weights import RowWeights, intersections
from .screening import Score

__all__ = ["ENGINES", "Mined", "MiningSettings", "mine"]

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
    items : ndarray of int32, shape (P, longest)
        Indices of each pattern's literals, ascending, filled up with -1.
    length : ndarray of int16, shape (P,)
    positive, negative : ndarray of float64, shape (P,)
        Weight of the positive and of the negative rows that a pattern covers.
    holds : ndarray of uint64, shape (number of literals, W)
        Rows that each literal holds for, packed as in `ooa.data.bitsets`.
    complete : bool
        Whether these are all patterns that were asked for.
    reason : str
        If not complete, why, and what to change; else empty.
    interrupted : bool
        Whether Ctrl-C ended the search.
    ended_early : bool
        Whether that, the deadline or `stop` ended it, so that nobody knows how many patterns there are.
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
    holds: NDArray[np.uint64]
    complete: bool
    reason: str
    interrupted: bool
    counts: dict[str, int]
    engine: str
    ended_early: bool = False

    def __len__(self) -> int:
        return len(self.length)

    @property
    def bits(self) -> NDArray[np.uint64]:
        """Rows that each pattern covers, packed, shape (P, W); made anew each time."""
        return intersections(self.holds, self.items)


@dataclass(frozen=True, kw_only=True)
class MiningSettings:
    """What mining can be told.

    Attributes
    ----------
    max_length : int or None
        Most literals in a pattern; None for no limit.
    min_positive, max_negative : float or array_like
        One number, or one per length: entry ``l`` is for length ``l``, entry 0 is unused.
    max_patterns, max_bytes : int
        Beyond so many patterns, or so many bytes with all that they cover, only the best by `score` are kept.
    score : callable
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
    threads : int
        Of the compiled miner; the patterns are the same.
    fast : bool, optional
        Whether the bitset miner is the compiled one; by default where it is there.
    """

    max_length: int | None = 3
    min_positive: ArrayLike = 0.0
    max_negative: ArrayLike = np.inf
    max_patterns: int = 1_000_000
    max_bytes: int = 1 << 30
    score: Score = lambda positive, negative, length: positive - negative
    engine: str = "bitset"
    deadline: Deadline = NEVER
    stop: StopSignal | None = None
    progress: Callable[[int, float], None] | None = None
    threads: int = 1
    fast: bool | None = None

    def __post_init__(self) -> None:
        one_of(self.engine, "engine", ENGINES)
        whole_or_none(self.max_length, "max_length")
        whole_number(self.max_patterns, "max_patterns")
        whole_number(self.max_bytes, "max_bytes")

    def longest(self, attribute: NDArray[np.int32]) -> int:
        """The length that patterns with at most one literal per attribute can have."""
        n_attributes = len(np.unique(attribute))
        return max(1, n_attributes if self.max_length is None else min(self.max_length, n_attributes))

    def cause_to_stop(self, found: int, done: float) -> str:
        """Show how far the search is; return why it should stop, or nothing."""
        if self.progress is not None:
            self.progress(found, done)
        if self.stop is not None and self.stop.is_set():
            return "it was told to"
        return "the time was up" if self.deadline.passed() else ""


def mine(
    literals: Literals,
    positive: ArrayLike,
    negative: ArrayLike,
    settings: MiningSettings | None = None,
    **options: Any,
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
    settings : MiningSettings, optional
        What is asked for, and for how long.
    **options
        Fields of `MiningSettings`, in place of what the settings say.

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
    wanted = replace(settings or MiningSettings(), **options)
    attribute, bits = _arrays(literals)
    n_rows = literals.n_rows
    weights = [checked_weights(positive, n_rows, "positive"), checked_weights(negative, n_rows, "negative")]
    longest = wanted.longest(attribute)
    least = np.maximum(_by_length("min_positive", wanted.min_positive, longest), np.nextafter(0.0, 1.0))
    most = _by_length("max_negative", wanted.max_negative, longest)
    bytes_each = 8 * bits.shape[1] + 4 * longest + 1 + 3 * 8
    limit = min(wanted.max_patterns, max(1, wanted.max_bytes // bytes_each))
    keeper = Keeper(limit, wanted.score)
    counts = {"tested": 0, "mined": 0, "above_negative": 0, "over_budget": 0}
    used, interrupted = wanted.engine, False
    try:
        laid_out = [RowWeights(some, bits, wanted.fast, wanted.threads, at_once=False) for some in weights]
        causes = (wanted.cause_to_stop(0, 0.0) for one in laid_out for _ in one.pieces())
        cause = next(filter(None, causes), "")
        if not cause:
            used, batches = _batches(wanted, attribute, bits, weights, laid_out, least, most, keeper)
            cause = _keep_good(batches, most, keeper, counts, wanted)
    except KeyboardInterrupt:
        cause, interrupted = "it was interrupted", True
    items, gain, loss = keeper.best()
    counts["mined"], counts["over_budget"] = keeper.seen, keeper.seen - len(items)
    budget = "max_patterns" if limit == wanted.max_patterns else "max_bytes"
    reasons = _reasons(cause, len(items), keeper.seen, budget)
    return Mined(
        items=items,
        length=(items >= 0).sum(axis=1).astype(np.int16),
        positive=gain,
        negative=loss,
        holds=bits,
        complete=not reasons,
        reason=" ".join(reasons),
        interrupted=interrupted,
        counts=counts,
        engine=used,
        ended_early=bool(cause),
    )


def _arrays(literals: Literals) -> tuple[NDArray[np.int32], NDArray[np.uint64]]:
    """The attributes of the literals and the rows they hold for, in the types that the miners read."""
    attribute = np.asarray(literals.attribute, dtype=np.int32)
    bits = np.ascontiguousarray(literals.bits, dtype=np.uint64)
    if bits.shape != (len(attribute), n_words(literals.n_rows)):
        raise DataError(
            f"bits has shape {bits.shape}, for {len(attribute)} literals over {literals.n_rows} rows."
        )
    return attribute, bits


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


def _batches(
    wanted: MiningSettings,
    attribute: NDArray[np.int32],
    bits: NDArray[np.uint64],
    weights: list[NDArray[np.float64]],
    laid_out: list[RowWeights],
    least: NDArray[np.float64],
    most: NDArray[np.float64],
    keeper: Keeper,
) -> tuple[str, Iterator[Batch]]:
    """The engine that runs, as pyfim's may need too many bytes; and what it finds, weighed exactly."""
    of_positives, of_negatives = laid_out
    fim = None if wanted.engine == "bitset" else FimMiner(wanted.engine, attribute, bits, weights[0], least)
    if fim is not None and fim.fits(wanted.max_bytes):
        return wanted.engine, (_weighed(batch, of_positives, of_negatives, least) for batch in fim.batches())
    told = attribute, of_positives, of_negatives, least
    miner = BitsetMiner(*told)
    if compiled() if wanted.fast is None else wanted.fast:
        # What is dropped for its negatives is not among what was mined, so nobody may leave it out before.
        score = wanted.score if np.isinf(most).all() else None
        miner = CoreMiner(*told, threads=wanted.threads, score=score, floor=lambda: keeper.floor)
    batches = miner.batches()
    if of_positives.exact and of_negatives.exact:
        return "bitset", batches
    return "bitset", (_weighed(batch, of_positives, of_negatives, least) for batch in batches)


def _weighed(
    batch: Batch, of_positives: RowWeights, of_negatives: RowWeights, least: NDArray[np.float64]
) -> Batch:
    """A batch with its weights counted exactly, and without the patterns that then fall short."""
    positive = of_positives.weigh_patterns(batch.items)
    enough = positive >= least[batch.items.shape[1]]
    items = batch.items[enough]
    return batch._replace(items=items, positive=positive[enough], negative=of_negatives.weigh_patterns(items))


def _keep_good(
    batches: Iterator[Batch],
    most: NDArray[np.float64],
    keeper: Keeper,
    counts: dict[str, int],
    wanted: MiningSettings,
) -> str:
    """Keep the patterns that cover few negatives, and count them; return why that ended early, if it did."""
    cause = ""
    for batch in batches:
        if cause:  # and there is more: not complete
            return cause
        counts["tested"] += batch.tested
        fine = batch.negative <= most[batch.items.shape[1]]
        counts["above_negative"] += int(len(fine) - fine.sum())
        keeper.add(batch.items[fine], batch.positive[fine], batch.negative[fine])
        keeper.leave_out(batch.below)
        cause = wanted.cause_to_stop(keeper.seen, batch.done)
    return ""


def _reasons(cause: str, kept: int, seen: int, budget: str) -> list[str]:
    """Why the patterns are not all that were asked for, if so, and what to change."""
    reasons = []
    if cause:
        reasons.append(
            f"Mining stopped early because {cause}, so patterns may be missing: allow more time, raise "
            "min_positive or lower max_length."
        )
    if kept < seen:
        reasons.append(
            f"Only the best {kept} of {seen} patterns were kept, as {budget} allows: raise {budget} or "
            "min_positive, or lower max_length."
        )
    return reasons
