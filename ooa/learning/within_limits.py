"""Searches within the limits of constraints, step by step up to the proof, in two ways."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple

import numpy as np

from ooa.candidates.candidates import Candidates
from ooa.formulations.counted import Counted
from ooa.logs import logger
from ooa.search.constrained import ConstrainedSearch, Valued
from ooa.search.limited import LimitedSets, Penalised, PricedSets, undominated

from .gaps import ProofByGaps
from .prove import Proof
from .state import Fit
from .valuation import free_valuation, net_values, penalise, penalised_valuation

__all__ = ["KeepingToLimits", "PricedLimits", "WithinLimits"]


class PricedLimits(NamedTuple):
    """Constraints as sums, with prices for them.

    Attributes
    ----------
    possible : whether a search can keep to their limits
    most : what some set is known to gain at these prices, in their units, whether or not it keeps to them
    """

    counted: Counted
    penalised: Penalised
    possible: bool
    most: int = 0

    @classmethod
    def of(cls, fit: Fit, candidates: Candidates, search: ConstrainedSearch) -> PricedLimits | None:
        """With the prices that a local search came to; None if numbers get too large."""
        most = fit.problem.most_patterns(fit.best.upper) or 1
        penalised = penalise(search.valued, search.counted, search.penalty, most)
        if penalised is None:
            return None
        possible = LimitedSets.possible(search.counted, penalised.value)
        logger.info("constraints as prices: %s", np.round(penalised.penalty / penalised.scale, 3).tolist())
        most_gained = search.most(penalised.penalty, penalised.scale)
        return cls(search.counted, penalised, possible, most_gained)

    @property
    def countable(self) -> bool:
        """Whether a search within the limits is all it takes."""
        return self.counted.complete and self.possible

    @property
    def mixed(self) -> bool:
        """Whether rows count both ways in a sum: no pattern can stand in for another then."""
        rows = self.counted.on_rows
        return bool(((rows > 0).any(axis=1) & (rows < 0).any(axis=1)).any())


class WithinLimits(ProofByGaps):
    """The search through the sets of candidates that keep to the limits."""

    def __init__(
        self, fit: Fit, candidates: Candidates, priced: PricedLimits, proof: Proof | None = None
    ) -> None:
        free, counted = free_valuation(fit.problem, candidates), priced.counted
        super().__init__(fit, candidates, free.everything)
        until = self._deadline.share_of_rest(fit.policy.dominance_share)
        valued = Valued(net_values(fit.problem, counted.on_rows.shape[1]), free.price)
        aim = "drops patterns not needed"
        self._kept = undominated(counted, valued, lambda share: self._go_on(share, until, aim), fit.threads)
        penalised = priced.penalised._replace(price=priced.penalised.price[self._kept])
        bound = None if proof is None else proof.bound
        least = None if bound is None else math.ceil(bound * fit.problem.total / self.step)
        self._sets = self._laid_out(counted.take(self._kept), penalised, proof, least)
        if least is not None:
            self._prove(least)

    def _laid_out(
        self, counted: Counted, penalised: Penalised, proof: Proof | None, least: int | None
    ) -> LimitedSets:
        fit = self._fit
        priced = penalised_valuation(fit.problem, counted, penalised)
        return PricedSets(
            counted,
            penalised,
            fit.problem.most_patterns(fit.best.upper) or 1,
            highest=None if least is None else max(0, priced.aim(least)),
            multipliers=None if proof is None else proof.multipliers,
            threads=fit.threads,
            free=not fit.deterministic,
        )

    def interruptible(self) -> AbstractContextManager[None]:
        """For what Ctrl-C ends."""
        return self._fit.log.interruptible()

    def _run(self, most: int, go_on: Callable[[float], bool]) -> bool:
        return self._sets.run(self._everything - most, go_on)

    def _found(self) -> tuple[int, Sequence[int]]:
        return self._everything - self._sets.best, self._kept[list(self._sets.choice)].tolist()


class KeepingToLimits(WithinLimits):
    """The same by a search that counts limits at every step, which pays where they exclude much early."""

    def _laid_out(
        self, counted: Counted, penalised: Penalised, proof: Proof | None, least: int | None
    ) -> LimitedSets:
        return LimitedSets(counted, penalised, self._fit.problem.most_patterns(self._fit.best.upper) or 1)
