"""OOA beside constraints on predictions: families of boxes, with prices on what the constraints limit.

With prices every set of boxes that meets the constraints gains at least what it did, so that a bound by any
search that knows no constraints is one beside them (docs/formulation.md). Good prices come from sets of boxes
that were best at other prices: those are looked for one after the other, and what meets the constraints among
them is a rule set.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ooa.clock import Deadline
from ooa.formulations.base import describe
from ooa.formulations.box_filters import NO_FILTERS, BoxFilters, OnRows
from ooa.formulations.row_limits import RowLimits, read_rows
from ooa.logs import logger
from ooa.rules.ruleset import RuleSet
from ooa.search.constrained import best_prices
from ooa.solving.prepare import FEASIBILITY

from .box_values import priced_values
from .boxes import Boxing
from .state import Fit

__all__ = ["PricedBoxes"]

Floats = NDArray[np.float64]

#: So many turns at other prices at most, each with a share of the time that is left.
ROUNDS, SHARE = 10, 0.08


class PricedBoxes:
    """Families of boxes in one fit beside constraints, as far as these speak of predictions alone.

    Parameters
    ----------
    fit : the fit in progress
    language : what boxes can say, as `BoxFormulation` takes it
    filters : what they have to keep to

    Attributes
    ----------
    possible : whether there is anything that prices can be put on
    boxing : what the search for a bound has come to, also where it was interrupted; None before it begins
    """

    def __init__(self, fit: Fit, language: dict[str, Any], filters: BoxFilters = NO_FILTERS) -> None:
        self._fit, self._language = fit, language
        self._limits: RowLimits = read_rows(fit.problem, FEASIBILITY)
        sums = zip(self._limits.on_rows, self._limits.limit.tolist(), strict=True)
        grow = (OnRows(weight, most) for weight, most in sums if (weight >= 0).all())
        self._filters = replace(filters, covers=tuple(grow))
        positive, negative = fit.problem.in_steps()
        self._worth = positive - negative
        self._seen: dict[bytes, tuple[float, NDArray[np.int64]]] = {}
        self._met = False
        self.boxing: Boxing | None = None
        self.possible = len(self._limits.limit) > 0
        for constraint in fit.problem.constraints:
            if any(constraint is one for one in filters.left):
                left = any(constraint is one for one in self._limits.left)
                who = "left to the MIP that forms patterns" if left else "counted in families of boxes"
                logger.info("%s: %s", describe(constraint), who)

    def prove(self, most: int, until: Deadline, known: tuple[RuleSet, ...]) -> Boxing | None:
        """Look for good prices and better rule sets, then for a bound at these prices; what it came to.

        Parameters
        ----------
        most : boxes in a rule set
        until : when to stop
        known : rule sets to begin with, whether or not they meet the constraints
        """
        penalty = self._prices(most, until, known)
        if not penalty.any() or until.passed():
            return None
        self.boxing = self._boxing(penalty, most)
        if self.boxing is not None:
            self.boxing.prove(most, until)
        return self.boxing

    def _boxing(self, penalty: Floats, most: int) -> Boxing | None:
        values = priced_values(self._fit.problem, self._limits, penalty, most)
        return None if values is None else Boxing(self._fit, self._language, values, self._filters)

    def _prices(self, most: int, until: Deadline, known: tuple[RuleSet, ...]) -> Floats:
        """Prices at which the best sets of boxes that were found gain least."""
        fit = self._fit
        rows = fit.problem.rows.as_frame()
        for rules in (*known, fit.best.rules, *fit.best.between, fit.problem.empty()):
            covered = np.asarray(rules.covers(rows).any(axis=1))
            self._see(covered, rules.n_literals, len(rules))
        penalty: Floats = np.zeros(len(self._limits.limit))
        for _ in range(ROUNDS):
            penalty, least = self._dual(penalty)
            deadline = until.share_of_rest(SHARE)
            if not penalty.any() or until.passed():
                break
            boxing = self._boxing(penalty, most)
            if boxing is None:
                break
            boxing.improve(deadline)
            top = least
            for boxes, covered in boxing.found:
                top = max(top, self._see(covered, sum(map(len, boxes)), len(boxes), penalty))
            if top <= least + 1e-9 * max(1.0, abs(least)):
                break  # nothing gains more at these prices: there seem to be none better
        return penalty

    def _see(
        self, covered: NDArray[np.bool_], literals: int, patterns: int, penalty: Floats | None = None
    ) -> float:
        """Note a set of boxes by the rows that it covers; what it gains at some prices."""
        one, two = self._fit.problem.prices_in_steps(2)[1:].tolist()
        paid: int = literals * (two - one) + patterns * (2 * one - two)
        gain = float(self._worth[covered].sum()) - paid
        room = self._limits.limit - self._limits.amounts(covered)
        key = np.packbits(covered).tobytes()
        if key not in self._seen or self._seen[key][0] < gain:
            self._seen[key] = gain, room
        self._met |= bool((room >= 0).all())
        return gain if penalty is None else gain + float(penalty @ room)

    def _dual(self, penalty: Floats) -> tuple[Floats, float]:
        """The prices at which the best of the sets seen gains least, and what it gains there."""
        gain = np.array([one for one, _ in self._seen.values()])
        room = np.array([one for _, one in self._seen.values()])
        worth = max(1.0, float(np.abs(self._worth).sum()))
        return best_prices(gain, room, None if self._met else worth) or (penalty, np.inf)
