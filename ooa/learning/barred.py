"""Constraints that are about single literals: fits over what is left of these need to know no constraint."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ooa.candidates.candidates import Candidates
from ooa.candidates.generate import LiteralSet
from ooa.formulations.base import describe
from ooa.formulations.counted import read
from ooa.logs import logger
from ooa.solving.prepare import FEASIBILITY

from .constrained import only_allowed
from .mine import longest_of, most_patterns_by_length
from .progress import BestKnown
from .settings import OOAxSettings
from .state import Fit

__all__ = ["literals_left"]


def literals_left(
    fit: Fit, literals: LiteralSet, own: Candidates, settings: OOAxSettings
) -> tuple[Fit, LiteralSet, Candidates]:
    """The same without constraints, over the literals that these let pass, where that is all they say.

    Rule sets of these literals meet them, so that single patterns can be searched for, and generated, beside
    them. Nothing changes where patterns are few: these can all be listed, and filtered then.

    Parameters
    ----------
    fit : the fit in progress
    literals : what patterns are made of
    own : the user's own patterns
    settings : what was asked for

    Returns
    -------
    Fit
        Without constraints, with a best rule set of its own, to be offered to the fit that was given.
    LiteralSet
    Candidates
        The user's own patterns that the constraints let pass.
    """
    problem, constraints = fit.problem, fit.problem.constraints
    single = all(getattr(constraint, "by_literal", False) for constraint in constraints)
    if not constraints or not single or not len(literals):
        return fit, literals, own
    by_length = most_patterns_by_length(literals, longest_of(settings, problem.rows))
    if sum(by_length[1:]) <= fit.policy.many_patterns:
        return fit, literals, own
    items = np.arange(len(literals), dtype=np.int32)[:, None]
    alone = Candidates.over(literals.literals, literals.bits, items, problem.rows)
    counted = read(alone, problem, FEASIBILITY)
    if len(counted.limit) or counted.left or not counted.allowed.any():
        return fit, literals, own
    for constraint in constraints:
        logger.info("%s: a filter of literals", describe(constraint))
    own = only_allowed(fit, own)[1]
    problem = replace(problem, constraints=())
    free = replace(fit, problem=problem, best=BestKnown(problem, fit.log))
    if fit.best.upper is not None:
        free.best.offer(fit.best.rules)
    return free, literals.take(np.flatnonzero(counted.allowed)), own
