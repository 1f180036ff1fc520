"""Solve a formulation from the best rule set known, and believe nothing that the count contradicts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from ooa.errors import BackendUnavailable, LicenseLimit, SolverError
from ooa.formulations.base import Formulation
from ooa.logs import user_warn
from ooa.model.expressions import FloatArray
from ooa.model.milp import Milp
from ooa.solving.backend import Backend
from ooa.solving.params import SolveParams
from ooa.solving.registry import other_solvers
from ooa.solving.solution import Progress, Solution, Termination

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
    """What a solver returned, and what that says of L on the grid.

    Attributes
    ----------
    solver : who solved it: the fit's own solver, or another one if that may not solve so large a model
    solution : what it returned
    bound : nothing is below it, if that is safe to say
    claimed : the solver claims that nothing is below it, and nobody confirmed that
    """

    solver: Backend
    solution: Solution
    bound: Fraction | None
    claimed: Fraction | None = None


def solve_from_best(fit: Fit, formulation: Formulation) -> Solved:
    """Solve a formulation from the best rule set known; what comes back is counted again.

    If the count contradicts the solver, in its value or in its bound, the log says so and the bound is not
    used. A better rule set is offered to the fit. Where the fit's solver may not solve so large a model, the
    next one does. One that did not stop when it should is not asked again.
    """
    size = formulation.milp
    fit.log.line.update(f"solving a program of {size.n_columns:,} columns and {size.n_rows:,} rows")
    scale = fit.problem.total / formulation.unit  # from L to the model's objective
    start = formulation.encode(fit.best.rules) if fit.best.upper is not None else None
    heard: list[Progress] = []
    said: list[Progress] = []
    step = fit.problem.step / formulation.unit
    params = fit.params.changed(
        time_limit=_time_for(fit, size),
        progress=partial(_hear, fit, scale, heard, said),
        step=float(step),
    )
    solver, solution = _answered(fit, formulation.milp, start, params)
    stopped = solution.termination is Termination.INTERRUPTED and not said  # else that was our own word
    fit.log.interrupted |= stopped or solution.interrupted
    bound = _checked(fit, solution, formulation, scale)
    _note_heard(fit, heard, bound)
    claimed = None
    if solution.claimed_bound is not None:
        claimed = safe_bound(solution.claimed_bound, step) / scale
    return Solved(solver, solution, bound, claimed)


def _time_for(fit: Fit, milp: Milp) -> float | None:
    """What a solver is given of the time that is left: on a large model it does not stop at once."""
    left = fit.timing.deadline.left()
    if left is None:
        return None
    return max(left - milp.A.nnz / fit.policy.unstopped_nonzeros_per_second, left / 2)


def _answered(
    fit: Fit, milp: Milp, start: FloatArray | None, params: SolveParams
) -> tuple[Backend, Solution]:
    """Ask the fit's solver, and the next one if its licence does not suffice; who it was, and the answer.

    What is known by then is worth more than an exception: one is raised only if nothing is.
    """
    solver, others = fit.solver, other_solvers(fit.solver.name)
    if solver.overdue:
        return solver, Solution.failed(solver.name, "it was given up before, and not asked again")
    while True:
        try:
            return solver, solver.solve(milp, start, params)
        except SolverError as error:
            return solver, Solution.failed(solver.name, str(error))
        except (LicenseLimit, BackendUnavailable) as error:
            following = next(others, None)
            if following is None and fit.best.upper is None:
                raise
            if following is None:
                return solver, Solution.failed(solver.name, str(error))
            _note(fit, f"{error}; {following.name} was asked instead")
        solver, params = following, params.changed(options={})  # those were the other one's


def _checked(fit: Fit, solution: Solution, formulation: Formulation, scale: Fraction) -> Fraction | None:
    """Offer the rule set of a solution; return its bound made safe, or None if it cannot be used."""
    name = solution.backend
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
    claim = solution.termination is Termination.CLAIMED or solution.claimed_bound is not None
    if solution.message and (claim or solution.confirmed_by):
        _note(fit, solution.message)
    elif not solution.is_optimal and (solution.message or solution.termination in _IMPOSSIBLE):
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


def _hear(fit: Fit, scale: Fraction, heard: list[Progress], said: list[Progress], moment: Progress) -> bool:
    """Show what the solver says on its way, and remember it in units of L; return whether it is to stop.

    When it was told so is remembered, too: a solver that Ctrl-C stopped was not.
    """
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
    stop = fit.timing.stalled()
    if stop:
        said.append(heard[-1])
    return stop


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
    _note(fit, f"{note}; its bound is not used")
    return None


def _note(fit: Fit, note: str) -> None:
    """Say something odd in the certificate, and at once."""
    fit.log.notes.append(note)
    user_warn(note)
