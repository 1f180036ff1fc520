"""Which conjunctions of leaves decide a vote of trees: the search behind Theorem 6.

Every leaf has a margin: by how much its tree speaks for the positive label. A conjunction of leaves of some
trees decides for the positive label if the sum of their margins wins even if every other tree speaks against
it as much as any of its leaves can. With margins 1 and -1 these are the theorem's conjunctions of positive
leaves of just enough trees.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ooa.errors import OptionError

from .cells import Cells, Words

__all__ = ["Leaves", "VoteSearch", "theorem_6"]

FloatArray = NDArray[np.float64]

#: Sums of probabilities closer than this may come out either way, depending on how they are rounded.
_DOUBT = 1e-9
#: Conjunctions looked at for each pattern that may be kept.
_EFFORT = 20
#: Trees beyond which the search would be too deep, and hopeless anyway.
_MOST_TREES = 300


@dataclass(frozen=True)
class Leaves:
    """The leaves of one tree.

    Attributes
    ----------
    regions : ndarray of uint64, one line per leaf
    positive, negative : what the leaf adds to the sum of each label
    """

    regions: Words
    positive: FloatArray
    negative: FloatArray

    @property
    def margin(self) -> FloatArray:
        """By how much each leaf speaks for the positive label."""
        return self.positive - self.negative


def theorem_6(positive_leaves: Sequence[int], needed: int) -> int:
    """Return the bound of Theorem 6: the sum over all sets of `needed` trees of the products of their leaves.

    Examples
    --------
    >>> theorem_6([2, 3, 4], needed=2)
    26
    """
    sums = [1] + [0] * needed  # the elementary symmetric polynomials of the trees so far
    for leaves in positive_leaves:
        for size in range(needed, 0, -1):
            sums[size] += sums[size - 1] * leaves
    return sums[needed]


class VoteSearch:
    """Find regions that together are where some trees vote for the positive label.

    Parameters
    ----------
    cells : the cells that the regions are made of
    trees : the leaves of every tree
    tie : whether a tie is a vote for the positive label
    most : the most regions to hold; an OptionError ends the search before there are more
    bound : what Theorem 6 says, for that error
    """

    def __init__(
        self, cells: Cells, trees: Sequence[Leaves], *, tie: bool, most: int, bound: int | None = None
    ) -> None:
        self._cells, self._trees, self._tie, self._most, self._bound = cells, trees, tie, most, bound
        margins = [tree.margin for tree in trees]
        self._margins = margins
        self._worst = [float(margin.min()) for margin in margins]
        self._whole = all(np.array_equal(margin, np.round(margin)) for margin in margins)
        self._least_rest = _rests(self._worst)
        self._most_rest = _rests([float(margin.max()) for margin in margins])
        self._kept = np.zeros((64, len(cells.everywhere())), dtype=np.uint64)
        self._n_kept = self._n_seen = 0

    def run(self) -> Words:
        """Return the regions, none contained in another."""
        if len(self._trees) > _MOST_TREES:
            raise self._too_large(f"counting more than {_MOST_TREES} trees")
        self._choose(0, self._cells.everywhere(), 0.0, ())
        return self._kept[: self._n_kept].copy()

    def _choose(self, k: int, region: Words, total: float, picked: tuple[int, ...]) -> None:
        """Choose leaves of tree k and of the following, or let a tree speak against."""
        if self._known(region) or self._decided(total + self._most_rest[k]) is False:
            return
        if self._decided(total + self._least_rest[k]):
            self._keep(region)
        elif k == len(self._trees):  # in doubt: only the trees' own sum can tell
            self._sum_up(region, picked)
        else:
            margin = self._margins[k]
            for leaf, inner in self._within(region, k, np.flatnonzero(margin > self._worst[k])):
                self._choose(k + 1, inner, total + float(margin[leaf]), (*picked, leaf))
            self._choose(k + 1, region, total + self._worst[k], (*picked, -1))

    def _decided(self, total: float) -> bool | None:
        """Whether a sum of margins wins; None if rounding might decide."""
        if self._whole:
            return total > 0 or (total == 0 and self._tie)
        return None if abs(total) <= _DOUBT else total > 0

    def _sum_up(self, region: Words, picked: tuple[int, ...]) -> None:
        """Choose leaves of the trees left open, then add up as scikit-learn does."""
        if -1 in picked:
            k = picked.index(-1)
            against = np.flatnonzero(self._margins[k] == self._worst[k])
            for leaf, inner in self._within(region, k, against):
                self._sum_up(inner, (*picked[:k], leaf, *picked[k + 1 :]))
            return
        positive = negative = 0.0
        for tree, leaf in zip(self._trees, picked):
            positive += float(tree.positive[leaf])
            negative += float(tree.negative[leaf])
        positive, negative = positive / len(picked), negative / len(picked)
        if positive > negative or (positive == negative and self._tie):
            self._keep(region)

    def _within(self, region: Words, k: int, leaves: NDArray[np.intp]) -> list[tuple[int, Words]]:
        """The leaves of tree k that a region meets, with what it has in common with each."""
        self._n_seen += len(leaves)
        if self._n_seen > _EFFORT * self._most:
            raise self._too_large(f"looking at {self._n_seen:,} conjunctions")
        inner = region & self._trees[k].regions[leaves]
        possible = self._cells.nonempty(inner)
        return list(zip(leaves[possible].tolist(), inner[possible]))

    def _known(self, region: Words) -> bool:
        """Whether a region is contained in one that is kept."""
        containers = np.arange(self._n_kept)
        for word in range(len(region)):  # few are left after the first words
            containers = containers[region[word] & ~self._kept[containers, word] == 0]
            if not len(containers):
                return False
        return True

    def _keep(self, region: Words) -> None:
        """Keep a region in place of those that it contains."""
        if self._known(region):
            return
        kept = self._kept[: self._n_kept]
        kept = kept[((kept & ~region) != 0).any(axis=1)]
        if len(kept) == self._most:
            raise self._too_large(f"finding {self._most:,} patterns")
        if len(kept) == len(self._kept):
            self._kept = np.concatenate([self._kept, np.zeros_like(self._kept)])
        self._kept[: len(kept)] = kept
        self._kept[len(kept)] = region
        self._n_kept = len(kept) + 1

    def _too_large(self, after: str) -> OptionError:
        allowed = "" if self._bound is None else f" of the {_short(self._bound)} that Theorem 6 allows"
        return OptionError(
            f"the rule set of these {len(self._trees)} trees was given up after {after}{allowed}: take fewer "
            f"or smaller trees, or raise max_patterns={self._most}"
        )


def _rests(values: list[float]) -> list[float]:
    """For every tree, the sum of the values of it and the following; 0 at the end."""
    return [math.fsum(values[k:]) for k in range(len(values) + 1)]


def _short(number: int) -> str:
    """A number in words that stay short."""
    return f"{number:,}" if number < 10**9 else f"about 10^{len(str(number)) - 1}"
