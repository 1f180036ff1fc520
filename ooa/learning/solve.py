"""Solve a formulation from the best rule set known, and believe nothing that the count contradicts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from ooa.errors import SolverError
from ooa.formulations.base import Formulation
from ooa.logs import user_warn
from ooa.solving.solution import PointStatus, Progress, Solution, Termination

from .certificate import safe_bound
from .state import Fit

__all__ = ["SLACK", "Solved", "solve_from_best"]

#: The most that a point within the solver's tolerances can be off, in units of L.
SLACK = 1e-5
#: There always is a rule set, and none has a negative value.
_IMPOSSIBLE = (
    Termination.ERROR,
    Termination.INFEASIBLE,
    Termination.UNBOUNDED,
    Termination.INFEASIBLE_OR_UNBOUNDED,
)


@dataclass(frozen=True, eq=False)
class Solved:
    """What a solver returned, and a bound on L on the grid that is safe to use, if there is one."""

    solution: Solution
    bound: Fraction | None


def solve_from_best(fit: Fit, formulation: Formulation) -> Solved:
    """Solve a formulation from the best rule set known; what comes back is counted again.

    If the count contradicts the solver, in its value or in its bound, the log says so and the bound is not
    used. A better rule set is offered to the fit.
    """
    size = formulation.milp
    fit.log.line.update(f"solving a program of {size.n_columns:,} columns and {size.n_rows:,} rows")
    scale = fit.problem.total / formulation.unit  # from L to the model's objective
    start = formulation.encode(fit.best.rules) if fit.best.upper is not None else None
    heard: list[Progress] = []
    params = fit.params.changed(
        time_limit=fit.timing.deadline.left(), progress=partial(_hear, fit, scale, heard)
    )
    try:
        solution = fit.solver.solve(formulation.milp, start, params)
    except SolverError as error:
        solution = _failed(fit.solver.name, str(error))
    stopped = solution.termination is Termination.INTERRUPTED
    fit.log.interrupted |= stopped and not fit.timing.stalled()  # that was our own word
    bound = _checked(fit, solution, formulation, scale)
    _note_heard(fit, heard, bound)
    return Solved(solution, bound)


def _checked(fit: Fit, solution: Solution, formulation: Formulation, scale: Fraction) -> Fraction | None:
    """Offer the rule set of a solution; return its bound made safe, or None if it cannot be used."""
    name = fit.solver.name
    if solution.x is not None and solution.objective is not None:
        rules = formulation.decode(solution.x)
        exactly = float(fit.problem.values(rules)[1])
        fit.best.offer(rules)
        claimed = solution.objective / float(scale)
        # A point may err more than its rule set does, as long as nobody calls it optimal.
        if abs(claimed - exactly) > SLACK and (claimed < exactly or solution.is_optimal):
            return _distrust(
                fit, f"{name} claims an objective of {claimed:.9g}, but its rule set has {exactly:.9g}"
            )
    upper = fit.best.upper
    if fit.problem.constraints and upper is None and solution.termination is Termination.INFEASIBLE:
        return None
    if not solution.is_optimal and (solution.message or solution.termination in _IMPOSSIBLE):
        words = solution.message or solution.raw_status or "no reason given"
        return _distrust(fit, f"{name} ended with {solution.termination.value}: {words}")
    if solution.bound is None:
        return None
    bound = safe_bound(solution.bound, fit.problem.step / formulation.unit) / scale
    if upper is not None and bound > upper:
        return _distrust(
            fit, f"{name} claims that nothing is below {float(bound):.9g}, but {float(upper):.9g} is known"
        )
    return bound


def _hear(fit: Fit, scale: Fraction, heard: list[Progress], moment: Progress) -> bool:
    """Show what the solver says on its way, and remember it in units of L; return whether it is to stop."""
    below = fit.problem.grid.below
    best, bound = (
        None if value is None or not math.isfinite(value) else float(below(Fraction(value) / scale))
        for value in (moment.incumbent, moment.bound)
    )
    before = [one.incumbent for one in heard if one.incumbent is not None]
    before += [] if fit.best.value is None else [float(fit.best.value)]
    if best is not None and best < min(before, default=math.inf) - SLACK:
        fit.timing.renew()
    if bound is not None:
        fit.timing.watch(bound, best)
    heard.append(Progress(fit.timing.elapsed(), best, bound))
    words = ("-" if value is None else f"{value:.5f}" for value in (best, bound))
    fit.log.line.update("solving: best {}, bound {}".format(*words))
    return fit.timing.stalled()


def _note_heard(fit: Fit, heard: list[Progress], on_grid: Fraction | None) -> None:
    """Note what the solver said on its way, as far as what it ended with bears it out.

    A point may err more than its rule set does, so the values it states are none too low, unless they
    are below all that was ever counted. Its bounds are worth something if the last one is.
    """
    log, upper = fit.log, fit.best.value
    bound = None if on_grid is None else fit.problem.grid.below(on_grid)
    for moment in heard:
        value, below = moment.incumbent, moment.bound
        if value is not None:
            known = math.inf if upper is None else float(upper)
            value = max(value, known) if value >= known - SLACK else None
        below = None if below is None or bound is None else min(below, float(bound))
        if value is not None or below is not None:
            log.trace.append(Progress(moment.seconds, value, below))
    if bound is not None:
        log.note_bound(bound)
    log.trace.sort(key=lambda moment: moment.seconds)


def _distrust(fit: Fit, note: str) -> Fraction | None:
    """Say why the bound of a solver is not used; there is none then."""
    fit.log.notes.append(f"{note}; its bound is not used")
    user_warn(fit.log.notes[-1])
    return None


def _failed(name: str, words: str) -> Solution:
    """What a solver that raised an error leaves behind."""
    return Solution(Termination.ERROR, PointStatus.NONE, None, None, None, name, message=words)
