"""What boxes are worth in a fit: as they are, or with prices on what constraints limit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ooa.data.rows import WeightedRows
from ooa.formulations.row_limits import RowLimits
from ooa.search.boxes import BoxPrices
from ooa.search.branch_and_bound import MOST_UNITS

from .problem import FitProblem

__all__ = ["BoxValues", "free_values", "priced_values"]

Integers = NDArray[np.int64]

#: Prices on what constraints limit are multiples of a step of the objective by the first of these that
#: numbers allow.
FINEST = (16, 4, 1)


@dataclass(frozen=True, eq=False)
class BoxValues:
    """Whole numbers such that every rule set that meets the constraints costs at least what they say.

    With `L` what a rule set costs in steps of the objective's grid, and its gain the weight of the positives
    that it covers less that of the negatives and its prices::

        scale * L >= everything - gain

    for every rule set that meets the constraints, and for all rule sets with equality where there are none.

    Attributes
    ----------
    rows : the rows, with weights that say which cuts can be needed
    positive, negative : the weight of each of them
    prices : of literals and patterns
    everything, scale : see above
    free : whether constraints do not count
    """

    rows: WeightedRows
    positive: NDArray[np.float64]
    negative: NDArray[np.float64]
    prices: BoxPrices
    everything: int
    scale: int = 1
    free: bool = True

    def cost(self, gain: int) -> int:
        """What no rule set costs less than that meets the constraints, if none gains more than this."""
        return -((gain - self.everything) // self.scale)

    def aim(self, cost: Fraction | int) -> int:
        """What a rule set gains more than, if it costs less than this and meets the constraints."""
        return self.everything - self.scale * (int(cost) - 1) - 1


def free_values(problem: FitProblem) -> BoxValues:
    """What boxes are worth, whether or not they meet constraints."""
    positive, negative = problem.in_steps()
    one, two = problem.prices_in_steps(2)[1:].tolist()
    prices = BoxPrices(literal=two - one, pattern=one - (two - one))
    return BoxValues(problem.rows, positive, negative, prices, int(positive.sum()))


def priced_values(
    problem: FitProblem, limits: RowLimits, penalty: NDArray[np.float64], most: int
) -> BoxValues | None:
    """What boxes are worth with prices on what the constraints limit; None if numbers get too large.

    Parameters
    ----------
    problem : whose rows and prices are meant
    limits : the constraints
    penalty : prices of one unit of what each of them limits, in steps; rounded here, as any will do
    most : patterns in a rule set

    Examples
    --------
    >>> from ooa.constraints import max_false_positives
    >>> from ooa.data.table import Table
    >>> from ooa.formulations.row_limits import read_rows
    >>> from ooa.objective import Objective
    >>> table = Table.from_any({"x": [1, 2, 3, 4]}, [0, 1, 0, 1])
    >>> few = (max_false_positives(0),)
    >>> problem = FitProblem.of(table, Objective.of("1/4", "1/4"), constraints=few)
    >>> values = priced_values(problem, read_rows(problem), np.array([0.5]), most=2)
    >>> values.scale, values.positive.tolist(), values.negative.tolist(), values.prices.literal
    (16, [0.0, 16.0, 0.0, 16.0], [24.0, 0.0, 24.0, 0.0], 16)
    >>> values.cost(-8), values.cost(8)  # "x >= 2" covers a negative, so that it is no answer
    (3, 2)
    """
    free = free_values(problem)
    worth = (free.positive - free.negative).astype(np.int64)
    for scale in FINEST:
        whole = np.rint(np.maximum(penalty, 0.0) * scale)
        if float(whole.max(initial=0.0)) * float(np.abs(limits.on_rows).max(initial=0)) > MOST_UNITS:
            continue
        whole = whole.astype(np.int64)
        value = scale * worth - whole @ limits.on_rows
        prices = BoxPrices(scale * free.prices.literal, scale * free.prices.pattern)
        paid = prices.pattern + prices.literal * len(problem.rows.columns)
        if (np.abs(value).sum(dtype=np.float64) + paid) * len(value) * most > MOST_UNITS:
            continue
        positive, negative = np.maximum(value, 0).astype(np.float64), np.maximum(-value, 0).astype(np.float64)
        rows = replace(problem.rows, positive=positive, negative=negative)
        everything = scale * free.everything - int(whole @ limits.limit)
        return BoxValues(rows, positive, negative, prices, everything, scale, free=False)
    return None
