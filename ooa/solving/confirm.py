"""A solver's "optimal" is a claim: where it may be wrong, another solver is asked for anything better.

CBC 2.10.3 calls points optimal that are not, whatever its settings: its cuts cut the optimum off. Nothing
about the point itself shows that, so the claim of a solver that is known to err proves nothing until another
one, started from the same point and given the time that is left, has found nothing better.
"""

from __future__ import annotations

from dataclasses import replace

from ooa.errors import LicenseLimit, OOAError

from .backend import Backend
from .follow import to_sink
from .job import Job
from .registry import other_solvers
from .solution import PointStatus, Progress, Solution, Termination
from .verify import tolerance

__all__ = ["settled"]

#: Ends by which a solver says something about all points there are.
CLAIMS = (Termination.OPTIMAL, Termination.GAP_LIMIT, Termination.INFEASIBLE, Termination.CLAIMED)
#: Share of a step of the objective that may be left open: what is better is better by a whole step.
OPEN = 0.9
#: A step below this (relative to the objective, at least 1) is lost in the solvers' tolerances.
FINE = 1e-5


def settled(job: Job, claim: Solution) -> Solution:
    """What is left of a solver's claim: all of it, confirmed where that is wanted; or a claim, no proof."""
    if claim.confirmed_by:
        return claim
    doubted = job.backend.errs(claim.termination)
    wanted = doubted if job.params.confirm is None else job.params.confirm
    if claim.termination not in CLAIMS or not wanted:
        return _unproved(claim) if doubted else claim
    said = _words(claim)
    second = _second(job, claim)
    if second is None:
        return _unproved(claim, f"{said}, and there is no other solver to confirm it")
    if job.deadline.passed():
        return _unproved(claim, f"{said}, and no time was left to confirm it")
    _tell(job, f"{said}: {second.name} is asked to confirm it\n")
    try:
        found = _asked(job, claim, second)
    except OOAError as error:
        left = _unproved(claim, f"{said}, which {second.name} could not confirm: {error}")
        return replace(left, log="".join(job.watch.log), seconds=job.deadline.spent())
    return replace(
        _judged(job, claim, found),
        log="".join(job.watch.log) + found.log,
        trace=claim.trace + found.trace,
        seconds=job.deadline.spent(),
    )


def _second(job: Job, claim: Solution) -> Backend | None:
    """Another solver that is there, may solve a model of this size, and is not known to err."""
    for other in other_solvers(job.backend.name):
        try:
            other.require(job.milp)
        except LicenseLimit:
            continue
        if not other.errs(claim.termination):
            return other
    return None


def _asked(job: Job, claim: Solution, second: Backend) -> Solution:
    """The answer of the other solver, which starts from the point that is claimed to be the best."""
    params, before = job.params, job.deadline.spent()

    def later(moment: Progress) -> Progress:
        return replace(moment, seconds=before + moment.seconds)

    def progress(moment: Progress) -> object:
        assert params.progress is not None
        return params.progress(later(moment))

    found = second.solve(
        job.milp,
        claim.x,
        params.changed(
            time_limit=job.deadline.left(),
            absolute_gap=max(params.absolute_gap, OPEN * params.step),
            node_limit=None,
            options={},
            confirm=False,
            progress=None if params.progress is None else progress,
        ),
    )
    return replace(found, trace=tuple(map(later, found.trace)))


def _judged(job: Job, claim: Solution, found: Solution) -> Solution:
    """The claim in the light of what the other solver found."""
    by = f"{found.backend} {found.version}".rstrip()
    done = found.termination in (Termination.OPTIMAL, Termination.GAP_LIMIT, Termination.INFEASIBLE)
    if found.objective is None:
        if found.termination is Termination.INFEASIBLE:
            return replace(claim, confirmed_by=by)
        return _given_up(claim, found, by)
    near = tolerance(found.objective)
    wrong = claim.objective is None or found.objective < claim.objective - near
    if not done and not wrong:
        return _given_up(claim, found, by)
    best = found if claim.objective is None or found.objective < claim.objective else claim
    assert best.objective is not None
    bound = found.bound
    if bound is not None and best.objective - bound < _step(job, best.objective):
        bound = best.objective  # there is no value between the two
    optimal = done and bound is not None and best.objective - bound <= near
    return replace(
        claim,
        termination=Termination.OPTIMAL if optimal else found.termination,
        status=PointStatus.OPTIMAL if optimal else PointStatus.FEASIBLE,
        x=best.x,
        objective=best.objective,
        bound=bound,
        claimed_bound=None,
        confirmed_by=by if done else "",
        duals=best.duals,
        reduced_costs=best.reduced_costs,
        message=_refuted(claim, best.objective, by) if wrong else claim.message,
    )


def _given_up(claim: Solution, found: Solution, by: str) -> Solution:
    """A claim that the other solver neither confirmed nor refuted; its own bound is worth something."""
    ended = found.message or found.termination.words
    left = _unproved(claim, f"{_words(claim)}, which {by} could not confirm: {ended}")
    stopped = found.termination is Termination.INTERRUPTED
    return replace(left, bound=found.bound, termination=found.termination if stopped else left.termination)


def _unproved(claim: Solution, words: str = "") -> Solution:
    """The same point, with what the solver says beyond it as a claim."""
    made = claim.termination in CLAIMS
    return replace(
        claim,
        termination=Termination.CLAIMED if made else claim.termination,
        status=PointStatus.NONE if claim.x is None else PointStatus.FEASIBLE,
        bound=None,
        claimed_bound=claim.claimed_bound if claim.bound is None else claim.bound,
        duals=None,
        reduced_costs=None,
        message=(words or f"{_words(claim)}, which nobody confirmed") if made else claim.message,
    )


def _step(job: Job, objective: float) -> float:
    """The step of the objective, or 0 if there is none to speak of."""
    step = job.params.step
    return step if step >= FINE * max(1.0, abs(objective)) else 0.0


def _words(claim: Solution) -> str:
    if claim.objective is None:
        return f"{claim.backend} claims that there is no point"
    return (
        f"{claim.backend} claims {'a bound' if claim.termination is Termination.GAP_LIMIT else 'an optimum'}"
    )


def _refuted(claim: Solution, known: float, by: str) -> str:
    if claim.objective is None:
        return f"{_words(claim)}, but {by} found one"
    return f"{claim.backend} calls {claim.objective:.9g} optimal, but {by} found {known:.9g}"


def _tell(job: Job, words: str) -> None:
    """Say something in the log."""
    job.watch.keep_log(words)
    to_sink(job.params.log, words)
