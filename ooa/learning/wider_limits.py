"""Which limits of the user's bind in a fit, as far as a quick look can tell."""

from __future__ import annotations

import numpy as np

from ooa.candidates.candidates import Candidates
from ooa.candidates.generate import LiteralSet

from .binding import BindingLimit, length_limit, patterns_limit
from .improve import promising, too_late
from .state import Fit

__all__ = ["limits_that_bind"]


def limits_that_bind(
    fit: Fit, everything: Candidates, literals: LiteralSet, max_length: int | None
) -> tuple[BindingLimit, ...]:
    """Limits of the user's that keep the rule set from being better, as far as a quick look can tell."""
    rules, problem = fit.best.rules, fit.problem
    if not len(rules) or fit.log.interrupted or not fit.policy.binding_work:
        return ()
    if too_late(fit, everything):
        return ()
    width = fit.policy.greedy_width
    some = everything.take(promising(everything, np.arange(len(everything)), problem.rows, width))
    found = (
        patterns_limit(problem, rules, some, fit.policy.binding_work),
        length_limit(problem, rules, literals, max_length),
    )
    return tuple(limit for limit in found if limit is not None)
