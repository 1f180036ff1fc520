"""The answer of a solve: what the solver claims, settled and verified, as a `Solution`."""

from __future__ import annotations

import numpy as np

from ooa.model.expressions import FloatArray

from .job import Job
from .prepare import FEASIBILITY
from .solution import PointStatus, RawResult, Solution, StartStatus, Termination
from .starts import Start
from .verify import verify

#: Seconds at least for finding the continuous part of a rounded point again.
REPAIR_SECONDS = 1.0


def decided(job: Job) -> Solution:
    """The answer for a model that was decided on its arrays, without a solver."""
    milp, ready = job.milp, job.ready
    assert ready.termination is not None
    found = ready.x is not None
    optimal = ready.termination is Termination.OPTIMAL
    objective = milp.objective(ready.x) if ready.x is not None else None
    lp = optimal and not milp.integer.any()
    return Solution(
        termination=ready.termination,
        status=PointStatus.OPTIMAL if optimal else PointStatus.FEASIBLE if found else PointStatus.NONE,
        x=ready.x,
        objective=objective,
        bound=objective if optimal else None,
        backend=job.backend.name,
        duals=np.zeros(milp.n_rows) if lp else None,
        reduced_costs=milp.c.copy() if lp else None,
        nodes=0,
        seconds=job.deadline.spent(),
        raw_status="not called",
        message=ready.message,
    )


def answer(job: Job, raw: RawResult, start: Start) -> Solution:
    """The answer from what the adapter handed back, what was seen meanwhile, and the start."""
    milp, watch = job.milp, job.watch
    verdict = verify(milp, raw, (watch.x, start.point), lambda point: _repaired(job, point))
    lp = verdict.termination is Termination.OPTIMAL and not milp.integer.any()
    used = raw.start_used and start.status is StartStatus.NOT_USED
    return Solution(
        termination=verdict.termination,
        status=verdict.status,
        x=verdict.x,
        objective=verdict.objective,
        bound=verdict.bound,
        backend=job.backend.name,
        version=job.backend.availability().version or "",
        start=StartStatus.USED if used else start.status,
        start_message=start.message,
        duals=job.ready.full_duals(raw.duals, milp.n_rows) if lp else None,
        reduced_costs=raw.reduced_costs if lp else None,
        nodes=raw.nodes,
        seconds=job.deadline.spent(),
        interrupted=watch.interrupted,
        trace=tuple(watch.trace),
        raw_status=raw.raw_status,
        message=verdict.message,
        log="".join(watch.log),
        confirmed_by=raw.confirmed_by,
        claimed_bound=verdict.claimed,
    )


def settle_unbounded(job: Job, raw: RawResult, start: Start) -> RawResult:
    """Solvers' claims of unboundedness rest on a ray; only with a feasible point is it true."""
    milp, point = job.milp, start.point
    if not milp.c.any():
        return RawResult(Termination.ERROR, f"{raw.raw_status}, although there are no costs")
    if point is None and raw.x is not None and milp.worst(raw.x, relative=True)[0] <= FEASIBILITY:
        point = raw.x
    if point is None:
        probe = milp.replace(c=np.zeros(milp.n_columns), offset=0.0)
        sub = job.aside(probe, job.deadline.left())
        if sub.termination is Termination.INFEASIBLE:
            words = f"{raw.raw_status}; infeasible without objective"
            return RawResult(Termination.INFEASIBLE, words, confirmed_by=sub.confirmed_by)
        point = sub.x
    if point is None:
        return RawResult(Termination.INFEASIBLE_OR_UNBOUNDED, raw.raw_status)
    return RawResult(
        Termination.UNBOUNDED, raw.raw_status, x=point, nodes=raw.nodes, confirmed_by=raw.confirmed_by
    )


def _repaired(job: Job, point: FloatArray) -> FloatArray | None:
    """Keep the rounded integers and let an LP find the continuous part again."""
    milp, whole = job.milp, job.milp.integer
    if not whole.any() or whole.all():
        return None
    fixed = milp.replace(
        lower=np.where(whole, point, milp.lower),
        upper=np.where(whole, point, milp.upper),
        integer=np.zeros(milp.n_columns, dtype=bool),
    )
    left = job.deadline.left()
    limit = REPAIR_SECONDS if left is None else max(left, REPAIR_SECONDS)
    return job.aside(fixed, limit, confirm=False).x  # it was checked, and what is feasible there is so here
