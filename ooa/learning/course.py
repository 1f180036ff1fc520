"""The course of a fit or of a solve: the best value and the proven bound over time."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ooa.solving.solution import Progress, Solution

from .certificate import Certificate

__all__ = ["Course", "course", "fit_course"]


@dataclass(frozen=True)
class Course:
    """Pairs of seconds and value, in order; the last of each is what the fit or the solve ended with.

    Attributes
    ----------
    incumbent : the value of the best rule set or point known
    bound : what none is below
    """

    incumbent: tuple[tuple[float, float], ...]
    bound: tuple[tuple[float, float], ...]


def fit_course(trace: Sequence[Progress], certificate: Certificate) -> Course:
    """Return how a fit went, in units of L: the best value falls, the bound rises.

    Bounds above that of the certificate are left out: they are about fewer patterns than it speaks of. There
    is no best value as long as no rule set that meets the constraints is known.

    Parameters
    ----------
    trace : what the fit noted on its way
    certificate : what it ended with

    Examples
    --------
    >>> from ooa.learning.ooax import learn_ooax
    >>> from ooa.data.table import Table
    >>> learned = learn_ooax(Table.from_any({"x": [1, 2, 3, 4]}, [0, 0, 1, 1]), C1="1/8", C2="1/8")
    >>> found = fit_course(learned.trace, learned.certificate)
    >>> [value for _, value in found.incumbent], found.bound[-1][1]
    ([0.5, 0.25, 0.25], 0.25)
    """
    end = max([sum(certificate.seconds.values()), *(moment.seconds for moment in trace)])
    objective, bound = float(certificate.objective), float(certificate.bound)
    falling = ((moment.seconds, -moment.incumbent) for moment in trace if moment.incumbent is not None)
    values = [(seconds, -value) for seconds, value in _rising(falling, -objective)]
    bounds = _rising(((one.seconds, one.bound) for one in trace if one.bound is not None), bound)
    return Course(
        incumbent=(*values, (end, objective)) if certificate.feasible else (),
        bound=(*bounds, (end, bound)),
    )


def _rising(moments: Iterable[tuple[float, float]], most: float) -> list[tuple[float, float]]:
    """Those that are above all before them, and not above the most there can be."""
    kept: list[tuple[float, float]] = []
    for seconds, value in moments:
        if value <= most and (not kept or value > kept[-1][1]):
            kept.append((seconds, value))
    return kept


def course(solution: Solution, scale: float = 1.0) -> Course | None:
    """Return how a solve went, divided by a scale; None if nothing was reported on the way.

    Examples
    --------
    >>> import numpy as np
    >>> from ooa.solving.solution import PointStatus, Termination
    >>> moments = (Progress(0.5, 8.0, None), Progress(1.0, 4.0, 1.0))
    >>> end = Termination.TIME_LIMIT, PointStatus.FEASIBLE, np.zeros(1), 4.0, 2.0, "highs"
    >>> course(Solution(*end, seconds=2.0, trace=moments), scale=8)
    Course(incumbent=((0.5, 1.0), (1.0, 0.5), (2.0, 0.5)), bound=((1.0, 0.125), (2.0, 0.25)))
    """
    if not solution.trace:
        return None
    end = max(solution.seconds, solution.trace[-1].seconds)

    def curve(name: str, last: float | None) -> tuple[tuple[float, float], ...]:
        moments = [(moment.seconds, getattr(moment, name)) for moment in solution.trace]
        moments.append((end, last))
        return tuple((s, float(v) / scale) for s, v in moments if v is not None and math.isfinite(v))

    return Course(curve("incumbent", solution.objective), curve("bound", solution.bound))
