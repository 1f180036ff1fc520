"""Constraints that nothing meets: found out by search, and named, with how far off they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ooa.candidates.candidates import Candidates
from ooa.clock import Deadline
from ooa.errors import InfeasibleConstraints
from ooa.formulations.base import ConstraintLike, Formulation, describe

from .conflict import clashing, conflict, refusal
from .meeting import beyond_reach, can_be_met, nearest
from .state import Fit

__all__ = ["named_conflict", "refuse_at_sight", "refuse_the_impossible"]

#: Seconds, and share of the time left, for how near one can come to one of those that conflict.
NEAR_SECONDS, NEAR_SHARE = 0.4, 0.2


def refuse_at_sight(fit: Fit, candidates: Candidates, statement: str) -> None:
    """Raise if counting alone says that no rule set meets the constraints.

    Parameters
    ----------
    fit : the fit in progress
    candidates : patterns to choose from
    statement : among which patterns that would be
    """
    constraints = fit.problem.constraints
    if constraints and fit.best.upper is None and not fit.over and beyond_reach(fit, candidates):
        raise _certain(refusal(statement, fit.best.problem.constraints))


def refuse_the_impossible(fit: Fit, candidates: Candidates, statement: str, *, briefly: bool = False) -> None:
    """Raise if it is found out that no rule set meets the constraints; one that does is offered to the fit.

    Nothing is done where one is known.

    Parameters
    ----------
    fit : the fit in progress
    candidates : patterns to choose from
    statement : among which patterns that would be
    briefly : whether it has only a moment
    """
    policy, constraints = fit.policy, fit.problem.constraints
    if fit.best.upper is not None or not constraints:
        return
    fit.timing.prolong()  # a rule set that does not meet them is no reason to end
    if fit.over:
        return
    share, seconds = policy.meeting_share, policy.meeting_seconds
    if briefly:
        share, seconds = policy.free_first_share, policy.free_first_seconds
    deadline = fit.timing.deadline.share_of_rest(share, seconds)
    if can_be_met(fit, candidates, constraints, deadline) is False:
        found = refusal(statement, fit.best.problem.constraints)
        raise _certain(found) if briefly else found  # before anything was screened
    fit.timing.prolong()
    fit.timing.book("incumbent")


def named_conflict(
    fit: Fit, candidates: Candidates, statement: str, error: InfeasibleConstraints
) -> InfeasibleConstraints:
    """The error that names what cannot hold together, constraints that only exclude patterns among it.

    Parameters
    ----------
    fit : the fit in progress, with all constraints
    candidates : all patterns, those too that constraints exclude
    statement : among which patterns that would be
    error : what was found out, perhaps over some of them only; it stands if not all could be looked at, and
        if it is about all of them nobody is asked again
    """
    from ooa.formulations.ooax import OOAxFormulation

    problem = fit.problem

    def formulate(some: Sequence[ConstraintLike]) -> Formulation:
        return OOAxFormulation.of(candidates, replace(problem, constraints=tuple(some)))

    def decide(some: Sequence[ConstraintLike], deadline: Deadline) -> bool | None:
        fit.timing.prolong()  # each question anew
        return can_be_met(fit, candidates, some, deadline)

    def near(some: Sequence[ConstraintLike], one: ConstraintLike) -> str:
        fit.timing.prolong()
        return _how_near(fit, candidates, some, one, deadline.share_of_rest(NEAR_SHARE, NEAR_SECONDS))

    deadline = fit.timing.deadline
    clash = clashing(formulate, fit.solver, deadline, decide)
    certain = error.over_all or clash(problem.constraints)
    return conflict(problem.constraints, clash, statement, near) if certain else error


def _certain(error: InfeasibleConstraints) -> InfeasibleConstraints:
    """The error, which is about all patterns that were mined."""
    error.over_all = True
    return error


def _how_near(
    fit: Fit,
    candidates: Candidates,
    constraints: Sequence[ConstraintLike],
    one: ConstraintLike,
    deadline: Deadline,
) -> str:
    """How near one can come to a constraint beside others; nothing if that is not known."""
    just_met = getattr(one, "just_met", None)
    found = None if just_met is None else nearest(fit, candidates, constraints, one, deadline)
    if found is None or just_met is None:
        return ""
    rules, proved = found
    limit = just_met(fit.problem.table, rules)
    if limit is None:
        return ""
    beside = (
        " beside the others" if len(constraints) > 2 else " beside the other" if len(constraints) == 2 else ""
    )
    if proved:
        return f"the nearest to {describe(one)} that can be met{beside} is {describe(limit)}"
    return f"{describe(limit)} can be met{beside}"
