"""Which cuts between neighbouring values an optimal rule set needs, and how to do without the others.

Let the values of a numeric attribute be ranked 0, 1, ..., m - 1, and let the *net* weight of a row be
its positive minus its negative weight (of all rows that no literal can tell from it). Call a rank *good*
if no row of it has a negative net weight, and *bad* if it is not good and no row of it has a positive
one. A range from rank a to rank b can then be moved, in any pattern of any rule set A:

- **shrink**: while a (or b) is bad, take it out. Rows leave the pattern that cost at least as much
  covered as uncovered. If nothing is left, drop the pattern.
- **extend**: while the rank just outside is good, take it in. Rows enter the pattern that cost at
  least as much uncovered as covered.

*Proof that L does not grow.* A row's prediction changes only if no other pattern covers it. If it leaves,
the errors change by its net weight, which is not positive in a bad rank; if it enters, by minus its net
weight, which is not positive in a good one. The pattern keeps its literals or is dropped, so its price does
not grow either. Shrinking first and extending then comes to an end, since what is taken in is good and never
taken out again. As a move concerns one range and leaves all others alone, all ranges of A can be moved, one
after the other.

One move is forbidden: extending a range to *all* rows makes its literal non-substantive, and a pattern
with no other literal would be none. (With rows 1+, 2-, 3+, 4+ of weights 10, 1, 5, 3 and prices beyond
4, "x ≤ 3" is optimal, and extending it over the good rank 4 would leave a pattern without literals.) So
such a range stops one rank short of an end. Where some row lacks a value, the range over all ranks is
the literal "has a value", which is substantive, and nothing is forbidden.

Hence some optimal rule set has lower ends a only where a - 1 is not good and a is not bad, upper ends b
only where b is not bad and b + 1 is not good, and, for the forbidden move, lower ends at rank 1 and upper
ends at rank m - 2. Cuts elsewhere need not be offered, and ranks with no cut between them are one rank.
For a value with both kinds of rows nothing of the sort holds: another literal may pick out either kind.
All of this uses optimality, so it is no longer true when constraints are added to the objective.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["NeededCuts"]

_Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class NeededCuts:
    """The good and bad ranks of one attribute, and what follows from them.

    Attributes
    ----------
    good, bad : ndarray of bool, shape (m,)
    has_missing : bool
        Whether some row lacks a value.

    Examples
    --------
    >>> net = np.array([-1.0, -1.0, 2.0, 1.0, -1.0])
    >>> needed = NeededCuts.of(np.array([0, 1, 2, 3, 4]), net, 5, has_missing=False)
    >>> needed.lower.tolist()  # may a range begin after rank 0, 1, 2, 3?
    [False, True, False, False]
    >>> needed.upper.tolist()  # may a range end before rank 1, 2, 3, 4?
    [False, False, False, True]
    >>> needed.moved(1, 2), needed.moved(0, 1)
    ((2, 3), None)
    """

    good: _Bools
    bad: _Bools
    has_missing: bool

    @classmethod
    def of(
        cls, rank: NDArray[np.int32], net: NDArray[np.float64], size: int, has_missing: bool
    ) -> NeededCuts:
        """Find the good and bad ranks from each row's rank (-1 where missing) and net weight."""
        lowest, highest = np.zeros(size), np.zeros(size)
        present = rank >= 0
        np.minimum.at(lowest, rank[present], net[present])
        np.maximum.at(highest, rank[present], net[present])
        good = lowest >= 0
        return cls(good, ~good & (highest <= 0), has_missing)

    @property
    def lower(self) -> _Bools:
        """For each gap between neighbouring ranks, whether a range may need to begin after it."""
        needed = ~self.good[:-1] & ~self.bad[1:]
        if not self.has_missing:
            needed[:1] = ~self.bad[1:2]
        return needed

    @property
    def upper(self) -> _Bools:
        """For each gap between neighbouring ranks, whether a range may need to end before it."""
        needed = ~self.bad[:-1] & ~self.good[1:]
        if not self.has_missing:
            needed[-1:] = ~self.bad[-2:-1]
        return needed

    def moved(self, first: int, last: int) -> tuple[int, int] | None:
        """Move a range of ranks as in the proof; None if the pattern is to be dropped."""
        end = len(self.good) - 1
        if (first, last) == (0, end):
            return first, last
        while first <= last and self.bad[last]:
            last -= 1
        while first <= last and self.bad[first]:
            first += 1
        if first > last:
            return None
        stop = 0 if self.has_missing else 1
        while last < (end - stop if first == 0 else end) and self.good[last + 1]:
            last += 1
        while first > (stop if last == end else 0) and self.good[first - 1]:
            first -= 1
        return first, last
