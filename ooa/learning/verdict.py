"""What a fit has found out, besides the best rule set, and the certificate that is made of it."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from ooa.candidates.candidates import Candidates
from ooa.errors import OOAWarning
from ooa.rules.ruleset import RuleSet
from ooa.solving.solution import Progress, Solution, Termination

from .certificate import Certificate, Scope
from .state import Fit

__all__ = ["SETTLED", "Learned", "Reach", "Verdict", "certify"]

#: Ends after which there is nothing left to do.
SETTLED = (Termination.OPTIMAL, Termination.GAP_LIMIT, Termination.INFEASIBLE)
_LIMITS = (Termination.TIME_LIMIT, Termination.NODE_LIMIT, Termination.GAP_LIMIT)


@dataclass(frozen=True)
class Reach:
    """Among which patterns something is proved, as a category and in words."""

    scope: Scope = Scope.SCREENED
    statement: str = "the screened candidates"


#: What holds for every pattern there is.
EVERYTHING = Reach(Scope.ALL, "all patterns")


@dataclass(frozen=True, eq=False)
class Verdict:
    """What is known about the patterns that were chosen from.

    Attributes
    ----------
    candidates : what the last choice was made from
    bound : no rule set within reach has a smaller L, if anything is known
    reach : among which patterns that holds
    proof : what the bound comes from; see `Certificate`
    termination : why the last attempt at a proof ended
    counts : how many patterns were there after each step
    solution : what the solver returned last, if one was called
    notes : what the certificate's message will say
    """

    candidates: Candidates
    bound: Fraction | None = None
    reach: Reach = Reach()
    proof: str = "selection"
    termination: Termination = Termination.TIME_LIMIT
    counts: Mapping[str, int] = field(default_factory=dict)
    solution: Solution | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Learned:
    """A rule set, its certificate, and how it came about.

    Attributes
    ----------
    rules : what was learned
    certificate : what it is worth, and what is proved about it
    candidates : what the selection was made from
    solution : what the solver returned last, if one was called
    trace : when better rule sets and bounds became known, in seconds since the fit began and units of L;
        `ooa.learning.course.fit_course` makes curves of it, `ooa.plot_progress` a picture
    """

    rules: RuleSet
    certificate: Certificate
    candidates: Candidates
    solution: Solution | None
    trace: tuple[Progress, ...] = ()


def certify(fit: Fit, verdict: Verdict) -> Learned:
    """The best rule set of a fit with its certificate, counted on the rows as they were given."""
    problem, best = fit.problem, fit.best
    final = problem.count(best.rules)
    bound, reach, proof = verdict.bound, verdict.reach, verdict.proof
    termination, notes = verdict.termination, [*fit.log.notes, *verdict.notes]
    if bound is None or problem.trivial >= bound or problem.trivial >= final.objective:
        bound, reach, proof = problem.trivial, EVERYTHING, "counting"
    if best.upper is None:
        broken = ", ".join(problem.violated(best.rules))
        notes.append(
            f"no rule set that meets the constraints was found; the empty one returned violates {broken}"
        )
        warnings.warn(notes[-1], OOAWarning, stacklevel=3)
    else:
        bound = min(bound, final.objective)
        if bound == final.objective and termination in _LIMITS:
            termination = Termination.OPTIMAL  # the limit struck, but there was nothing left to do
    solution = verdict.solution
    certificate = Certificate.of(
        final,
        bound=bound,
        feasible=best.upper is not None,
        scope=reach.scope,
        statement=reach.statement,
        proof=proof,
        termination=Termination.INTERRUPTED if fit.log.interrupted else termination,
        counts=dict(verdict.counts),
        seconds=fit.timing.seconds,
        backend=solution.backend if solution is not None else "",
        version=solution.version if solution is not None else "",
        message="; ".join(notes),
    )
    return Learned(best.rules, certificate, verdict.candidates, solution, tuple(fit.log.trace))
