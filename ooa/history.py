"""The course of a solve: the best value and the bound over time, in units of the objective L."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .formulation import unit_of
from .solution import Solution
from .table import Table

__all__ = ["Course", "course", "scale_of"]


@dataclass(frozen=True)
class Course:
    """Pairs of seconds and value, in order; the last of each is what the solve ended with.

    Attributes
    ----------
    incumbent : the value of the best point known
    bound : what no point is below
    """

    incumbent: tuple[tuple[float, float], ...]
    bound: tuple[tuple[float, float], ...]


def scale_of(table: Table) -> float:
    """Return the factor from L to the objective of the models that a table gives rise to.

    Examples
    --------
    >>> scale_of(Table.from_any({"x": [1, 2, 3]}, [0, 1, 1]))
    3.0
    """
    rows = table.distinct()
    return float(table.weight.sum()) / float(unit_of(np.concatenate([rows.positive, rows.negative])))


def course(solution: Solution, scale: float = 1.0) -> Course | None:
    """Return how a solve went, divided by a scale; None if nothing was reported on the way.

    Examples
    --------
    >>> from ooa.solution import PointStatus, Progress, Termination
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
        return tuple((s, float(v) / scale) for s, v in moments if v is not None and np.isfinite(v))

    return Course(curve("incumbent", solution.objective), curve("bound", solution.bound))
