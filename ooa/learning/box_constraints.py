"""What constraints say of patterns, within a fit by OOA: families of boxes keep to it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ooa.formulations.base import describe
from ooa.formulations.box_filters import NO_FILTERS, BoxFilters, read_filters
from ooa.formulations.rank_space import RankSpace
from ooa.logs import logger
from ooa.solving.prepare import FEASIBILITY

from .progress import BestKnown, Log
from .state import Fit

__all__ = ["filters_of", "kept_alone"]


def filters_of(fit: Fit, language: dict[str, Any], most: int) -> BoxFilters:
    """What the constraints of a fit say of patterns, as far as families of boxes can keep to it.

    Parameters
    ----------
    fit : the fit in progress
    language : what boxes can say, as `BoxFormulation` takes it
    most : boxes in a rule set
    """
    problem = fit.problem
    if not problem.constraints:
        return NO_FILTERS
    ranks = {name: value for name, value in language.items() if name != "single_category"}
    space = RankSpace.of(problem.rows, **ranks, cut_by=problem.table)
    filters = read_filters(problem, space, bool(language["single_category"]), most, FEASIBILITY)
    for constraint in problem.constraints:
        if not any(constraint is one for one in filters.left):
            logger.info("%s: families of boxes keep to it", describe(constraint))
    return filters


def kept_alone(fit: Fit, filters: BoxFilters) -> Fit:
    """The fit with no constraints but those that families of boxes keep to; the same one if these are all.

    It has a best rule set of its own.
    """
    if not filters.left:
        return fit
    kept = (one for one in fit.problem.constraints if not any(one is left for left in filters.left))
    problem = replace(fit.problem, constraints=tuple(kept))
    free = replace(fit, problem=problem, best=BestKnown(problem, Log(fit.timing, fit.log.line)))
    free.best.offer(fit.best.rules)
    return free
