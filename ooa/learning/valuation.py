"""What sets of candidates are worth to the exact search: as they are, or with prices for constraints."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ooa.candidates.candidates import Candidates
from ooa.formulations.counted import Counted
from ooa.search.branch_and_bound import MOST_UNITS
from ooa.search.constrained import Valued
from ooa.search.limited import Penalised

from .problem import FitProblem

__all__ = ["Valuation", "free_valuation", "net_values", "penalise", "penalised_valuation"]

Integers = NDArray[np.int64]

#: Prices on what constraints limit are multiples of a step of the objective by the first of these, where
#: numbers allow it, ...
FINEST = (4096, 256, 16, 4, 1)
#: ... and, for those above this, there are so few different rows that they cost no more for it.
FINE, FEW = 16, 16


@dataclass(frozen=True, eq=False)
class Valuation:
    """Whole numbers such that every set that meets the constraints gains at least what it is worth.

    With `f` the weight of the errors that a set saves, less its prices, in steps of the objective's grid::

        scale * f(A) <= constant + (weight of `positive` covered) - (of `negative` covered) - (prices)

    for every set A that meets the constraints, and for all sets with equality where there are none.

    Attributes
    ----------
    bits : what each candidate covers, or each literal holds for, if there are `items`
    positive, negative : the weight of what is covered
    price : of each candidate
    everything : the weight of all positives, in steps: what the empty set costs
    scale, constant : see above
    items : the literals of each candidate, filled up with -1
    most : what some set is known to gain: it is of no use to exclude that
    """

    bits: NDArray[np.uint64]
    positive: NDArray[np.float64]
    negative: NDArray[np.float64]
    price: Integers
    everything: int
    scale: int = 1
    constant: int = 0
    items: NDArray[np.int32] | None = None
    most: int = 0

    @property
    def free(self) -> bool:
        """Whether constraints do not count."""
        return self.scale == 1 and self.constant == 0

    def aim(self, cost: int) -> int:
        """What a set has to gain more than, to cost less than this and meet the constraints."""
        return self.scale * (self.everything - cost + 1) - self.constant - 1

    def cost(self, gain: int) -> int:
        """What no set costs less than that meets the constraints, if none gains more than this."""
        return self.everything - (gain + self.constant) // self.scale


def free_valuation(problem: FitProblem, candidates: Candidates) -> Valuation:
    """What sets are worth, whether or not they meet constraints.

    Examples
    --------
    >>> from ooa.data.table import Table
    >>> from ooa.objective import Objective
    >>> from ooa.rules.pattern import Pattern
    >>> problem = FitProblem.of(Table.from_any({"x": [1, 2, 3, 3]}, [0, 0, 1, 1]), Objective.of("1/8", "1/8"))
    >>> free = free_valuation(problem, Candidates.of_patterns(problem.rows, [Pattern.parse("x >= 3")]))
    >>> problem.step, free.everything, free.price.tolist(), free.aim(cost=2)
    (Fraction(1, 2), 4, [2], 2)
    """
    positive, negative = problem.in_steps()
    price = _prices(problem, candidates)
    everything = int(positive.sum())
    return Valuation(candidates.holds, positive, negative, price, everything, items=candidates.items)


def net_values(problem: FitProblem, width: int) -> Integers:
    """What it gains to cover each row, in steps; `width` is how many there are with padding and flags."""
    positive, negative = problem.in_steps()
    value = np.zeros(width, dtype=np.int64)
    value[: len(positive)] = (positive - negative).astype(np.int64)
    return value


def penalise(valued: Valued, counted: Counted, penalty: NDArray[np.float64], most: int) -> Penalised | None:
    """Rows and candidates with prices on what the constraints limit; None if numbers get too large.

    Parameters
    ----------
    valued : what sets gain without the constraints
    counted : the constraints
    penalty : prices of one unit of what each of them limits, in steps; rounded here, as any will do
    most : patterns in a set
    """
    value, price = valued
    # Patterns with a negative price are none that the search takes.
    some = np.where((counted.on_patterns < 0).any(axis=1), 0.0, penalty)
    for scale in FINEST:
        whole = np.rint(some * scale).astype(np.int64)
        worth = scale * value - whole @ counted.on_rows
        if scale > FINE and max(len(np.unique(worth[side])) for side in (worth > 0, worth < 0)) > FEW:
            continue
        if np.abs(worth).sum(dtype=np.float64) * len(worth) * most <= MOST_UNITS:
            return Penalised(worth, scale * price + whole @ counted.on_patterns, whole, scale)
    return None


def penalised_valuation(
    problem: FitProblem, counted: Counted, penalised: Penalised, most: int = 0
) -> Valuation:
    """What sets are worth with prices on what the constraints limit; one is known to gain so much."""
    return Valuation(
        counted.bits,
        np.maximum(penalised.value, 0).astype(np.float64),
        np.maximum(-penalised.value, 0).astype(np.float64),
        penalised.price,
        int(problem.in_steps()[0].sum()),
        penalised.scale,
        int(penalised.penalty @ counted.limit),
        most=most,
    )


def _prices(problem: FitProblem, candidates: Candidates) -> Integers:
    prices: Integers = problem.prices_in_steps(candidates.items.shape[1])[candidates.length]
    return prices
