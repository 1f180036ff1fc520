"""Fewer candidates: drop what cannot matter (safe); if too many are left, keep the best by score."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ooa.clock import NEVER, Deadline
from ooa.data.bitsets import pack, scattered
from ooa.data.rows import WeightedRows
from ooa.objective import Objective, exact_sum

from .bounds import least_positive_support, most_negative_support
from .candidates import Candidates

Score = Callable[[NDArray[np.float64], NDArray[np.float64], NDArray[Any]], NDArray[np.float64]]

#: Dominance compares pairs of patterns; beyond this many the comparison costs more than it saves.
DOMINANCE_LIMIT = 20_000

#: Patterns compared between two looks at the clock, or words gone through one by one.
LOOK_EVERY, WORDS_EVERY = 256, 2_048
#: Words of coverage per second that equal and dominated candidates are told by, about, beside these.
WORDS_PER_SECOND, FEW_WORDS = 20_000_000, 1_000_000
_CHUNK_WORDS = 1 << 16  # gone through at a time


@dataclass
class Screening:
    """What screening did: the number of candidates left after each step, and whether all steps were safe."""

    safe: bool = True
    counts: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class ScreeningSettings:
    """What screening can be told.

    Attributes
    ----------
    upper : value L of a known rule set, or None
    removal : whether patterns that do not earn their price may be dropped (Theorem 2); not beside a
        constraint that taking out a pattern can violate
    dominance : whether patterns that another one can stand in for may be dropped; likewise
    pairs : whether to compare patterns that cover different rows for it, which takes most of the time
    max_candidates : keep only the best so many by `score`; from here on nothing is proved about the rest
    score : `score(positive, negative, length)`, larger is better; by default `InformationGain`
    deadline : after which dominance is left undone
    """

    upper: Fraction | None
    removal: bool = True
    dominance: bool = True
    pairs: bool = True
    max_candidates: int | None = None
    score: Score | None = None
    deadline: Deadline = NEVER


def screen(
    candidates: Candidates, rows: WeightedRows, objective: Objective, **options: Any
) -> tuple[Candidates, Screening]:
    """Screen candidates.

    Parameters
    ----------
    candidates : what was mined
    rows : the (distinct) rows they cover
    objective : the prices
    **options : fields of `ScreeningSettings`; `upper` must be said

    Returns
    -------
    The candidates left, in their old order, and a `Screening`.
    """
    wanted = ScreeningSettings(**options)
    report = Screening(counts={"mined": len(candidates)})
    total = exact_sum(rows.positive) + exact_sum(rows.negative)
    candidates = candidates.take(_within_bounds(candidates, objective, total, wanted.upper, wanted.removal))
    report.counts["within the bounds"] = len(candidates)
    if wanted.dominance and _in_time(candidates, wanted.deadline):
        candidates = candidates.take(cheapest_of_equals(candidates))
        report.counts["distinct coverage"] = len(candidates)
        if wanted.pairs and len(candidates) <= DOMINANCE_LIMIT and _in_time(candidates, wanted.deadline):
            candidates = candidates.take(~dominated(candidates, rows, wanted.deadline))
            report.counts["not dominated"] = len(candidates)
    if wanted.max_candidates is not None and len(candidates) > wanted.max_candidates:
        score = wanted.score or InformationGain(rows.positive.sum(), rows.negative.sum())
        candidates = best_by_score(candidates, wanted.max_candidates, score)
        report.counts["best by score"] = len(candidates)
        report.safe = False
    return candidates, report


def _in_time(candidates: Candidates, deadline: Deadline) -> bool:
    """Whether there is time to go through all words of the candidates; for few of them there always is."""
    left = deadline.left()
    return left is None or candidates.words <= FEW_WORDS + left * WORDS_PER_SECOND


def best_by_score(candidates: Candidates, size: int, score: Score) -> Candidates:
    """The best so many candidates by score, in their old order; of equals the shorter, then the first."""
    merit = np.asarray(score(candidates.positive, candidates.negative, candidates.length))
    best = np.lexsort((np.arange(len(candidates)), candidates.length, -merit))[:size]
    return candidates.take(np.sort(best))


@dataclass(frozen=True)
class InformationGain:
    """The paper's score, InfoGain(S | z) - gamma * length(z), in bits.

    Attributes
    ----------
    positive, negative : total weights of the two classes
    gamma : price of one literal

    Examples
    --------
    >>> score = InformationGain(2, 2, gamma=0.1)
    >>> score(np.array([2.0, 1.0]), np.array([0.0, 1.0]), np.array([1, 1])).round(3).tolist()
    [0.9, -0.1]
    """

    positive: float
    negative: float
    gamma: float = 0.0

    def __call__(
        self, p: NDArray[np.float64], n: NDArray[np.float64], length: NDArray[Any]
    ) -> NDArray[np.float64]:
        """The score of patterns that cover so much of each class."""
        before = _entropy(np.array(self.positive), np.array(self.negative))
        after = _entropy(p, n) + _entropy(self.positive - p, self.negative - n)
        total = self.positive + self.negative
        gain: NDArray[np.float64] = (before - after) / total - self.gamma * length
        return gain


def _entropy(p: NDArray[np.float64], n: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weight times entropy."""
    whole = p + n
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = [np.where(part > 0, part * np.log2(part / whole), 0.0) for part in (p, n)]
    return -(parts[0] + parts[1])


def dominated(candidates: Candidates, rows: WeightedRows, deadline: Deadline = NEVER) -> NDArray[np.bool_]:
    """Which candidates another one makes superfluous.

    z is dominated by z' if z' covers all positives that z covers, no negative that z does not cover,
    and has no more literals. Putting z' in place of z then never makes a rule set worse or larger.
    Of equals the first counts.
    """
    size = len(candidates)
    order = np.lexsort((np.arange(size), candidates.length, candidates.negative, -candidates.positive))
    # In this order a dominating pattern always precedes, so comparing with the survivors is enough.
    # One word at a time, the survivors' words side by side: most rivals fail on the first words.
    good = np.ascontiguousarray((candidates.bits[order] & pack(rows.positive > 0)).T)
    bad = np.ascontiguousarray((candidates.bits[order] & pack(rows.negative > 0)).T)
    length, negative = candidates.length[order], candidates.negative[order]
    drop = np.zeros(size, dtype=bool)
    kept_good, kept_bad = np.empty_like(good), np.empty_like(bad)
    kept_length, kept_negative = np.empty_like(length), np.empty_like(negative)
    n = gone = 0
    for i in range(size):
        rivals = np.flatnonzero((kept_length[:n] <= length[i]) & (kept_negative[:n] <= negative[i]))
        for word in range(len(good)):
            if not len(rivals):
                break
            gone += 1
            if gone % WORDS_EVERY == 0 and deadline.passed():
                rivals = rivals[:0]  # nobody knows which of them dominates
                break
            misses = (good[word, i] & ~kept_good[word, rivals]) | (kept_bad[word, rivals] & ~bad[word, i])
            rivals = rivals[misses == 0]
        drop[i] = len(rivals) > 0
        if not drop[i]:
            kept_good[:, n], kept_bad[:, n] = good[:, i], bad[:, i]
            kept_length[n], kept_negative[n] = length[i], negative[i]
            n += 1
        if (i % LOOK_EVERY == 0 or gone >= WORDS_EVERY) and deadline.passed():
            break
        gone %= WORDS_EVERY
    out = np.zeros(size, dtype=bool)
    out[order] = drop
    return out


def _within_bounds(
    candidates: Candidates, objective: Objective, total: Fraction, upper: Fraction | None, removal: bool
) -> NDArray[np.bool_]:
    keep = np.zeros(len(candidates), dtype=bool)
    for length in np.unique(candidates.length).tolist():
        fits = candidates.length == length
        if removal:
            fits &= candidates.positive > least_positive_support(objective, total, length)
        if upper is not None:
            fits &= candidates.negative <= most_negative_support(objective, total, length, upper)
        keep |= fits
    return keep


def cheapest_of_equals(candidates: Candidates) -> NDArray[np.bool_]:
    """Of the candidates that cover the same rows, the shortest; of those the first."""
    alone: NDArray[np.bool_] = leaders(candidates) == np.arange(len(candidates))
    return alone


def leaders(candidates: Candidates) -> NDArray[np.intp]:
    """For every candidate, the shortest of those that cover the same rows; of those the first."""
    order = np.argsort(candidates.length, kind="stable")
    _, first, group = np.unique(_fingerprints(candidates)[order], return_index=True, return_inverse=True)
    leader = np.arange(len(candidates))
    later = np.flatnonzero(first[group] != np.arange(len(order)))
    step = _at_a_time(candidates)
    for some in (later[start : start + step] for start in range(0, len(later), step)):
        own, other = order[some], order[first[group[some]]]
        same = (candidates.covered_by(own) == candidates.covered_by(other)).all(axis=1)
        leader[own[same]] = other[same]  # what merely shares a fingerprint stays
    return leader


def _fingerprints(candidates: Candidates) -> NDArray[np.uint64]:
    """A hash of each row set: sorting a million of these takes a fraction of sorting the sets."""
    width = candidates.holds.shape[1]
    factor = scattered(2 * width).reshape(2, width) | np.uint64(1)
    result, step = np.empty(len(candidates), dtype=np.uint64), _at_a_time(candidates)
    for start in range(0, len(candidates), step):
        words = candidates.covered_by(slice(start, start + step))
        words *= factor[0]
        words ^= words >> np.uint64(32)
        words *= factor[1]
        result[start : start + step] = words.sum(axis=1)
    return result


def _at_a_time(candidates: Candidates) -> int:
    """As many patterns as have so few words that these stay in cache."""
    return max(1, _CHUNK_WORDS // max(1, int(candidates.holds.shape[1])))
