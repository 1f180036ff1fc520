"""What a fit has found out, besides the best rule set, and the certificate that is made of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from ooa.candidates.candidates import Candidates
from ooa.keeping import forget_ctrl_c
from ooa.kernels.availability import compiled
from ooa.logs import user_warn
from ooa.rules.ruleset import RuleSet
from ooa.solving.solution import Progress, Solution, Termination

from .binding import BindingLimit
from .certificate import Certificate, Scope
from .problem import FitProblem
from .solve import Solved
from .state import Fit

__all__ = [
    "EVERYTHING",
    "EXACT_SEARCH",
    "NOT_COMPILED",
    "Learned",
    "Reach",
    "Verdict",
    "by_counting",
    "certify",
]

#: Ends of the last step that are ends of the fit, where neither a proof nor the clock explains it.
_OTHERS = (
    Termination.TIME_LIMIT,
    Termination.NODE_LIMIT,
    Termination.CLAIMED,
    Termination.ERROR,
    Termination.INFEASIBLE,
)
#: Said of a fit without a proof where the core could not be compiled.
NOT_COMPILED = "the exact search may prove more: install ooa where there is a C++ compiler"
#: What confirms a proof that rests on no solver's word.
EXACT_SEARCH = "exact search"


@dataclass(frozen=True)
class Reach:
    """Among which patterns something is proved.

    Attributes
    ----------
    scope, statement : the language of the patterns, as a category and in words
    pool : how many were looked at, where others of the language were left out; None where none was
    """

    scope: Scope
    statement: str
    pool: int | None = None

    @property
    def everything(self) -> bool:
        """Whether all patterns there are were looked at."""
        return self.scope is Scope.ALL and self.pool is None

    @property
    def words(self) -> str:
        """The language, or how many of its patterns were looked at."""
        return (
            self.statement
            if self.pool is None
            else f"sets of the {self.pool:,} candidates that were looked at"
        )


#: What holds before any pattern was looked at.
NOTHING = Reach(Scope.ALL, "all patterns", pool=0)
#: What holds for every pattern there is.
EVERYTHING = Reach(Scope.ALL, "all patterns (whatever their conditions)")


@dataclass(frozen=True, eq=False)
class Verdict:
    """What is known about the patterns that were chosen from.

    Attributes
    ----------
    candidates : what the last choice was made from
    bound : no rule set of the language has a smaller L on the grid, if anything is known
    reach : the language, and whether patterns of it were left out
    proof : what the bound comes from; see `Certificate`
    pools : what is known over some patterns of the language only: how many, and what no rule set over them is
        below on the grid
    termination : why the last attempt at a proof ended
    counts : how many patterns were there after each step
    solution : what the solver returned last, if one was called
    notes : what the certificate's message will say
    limits : limits of the user's that bind
    confirmed_by : what confirms the bound besides the solver; see `Certificate`
    claimed : a solver claims that nothing of the language is below this, and nobody confirmed it
    """

    candidates: Candidates
    bound: Fraction | None = None
    reach: Reach = NOTHING
    proof: str = "selection"
    pools: tuple[tuple[int, Fraction], ...] = ()
    termination: Termination = Termination.EXHAUSTED
    counts: Mapping[str, int] = field(default_factory=dict)
    solution: Solution | None = None
    notes: tuple[str, ...] = ()
    limits: tuple[BindingLimit, ...] = ()
    confirmed_by: str = ""
    claimed: Fraction | None = None

    def after(self, before: Verdict) -> Verdict:
        """This verdict, which came after another one over fewer patterns."""
        return replace(self, pools=(*before.pools, *self.pools))

    def with_bound(self, bound: Fraction | None, reach: Reach, proof: str, by: str = "") -> Verdict:
        """The verdict with a bound over what is within reach; of two about the language the better counts.

        `by` is what confirms it. Of two that are equal the confirmed one counts.
        """
        if bound is None:
            return self
        if reach.pool is not None:
            return replace(self, pools=(*self.pools, (reach.pool, bound)))
        if self.bound is not None and (self.bound, self.confirmed_by > "") >= (bound, by > ""):
            return self
        return replace(self, bound=bound, reach=reach, proof=proof, confirmed_by=by)

    def with_solved(self, solved: Solved, reach: Reach, proof: str) -> Verdict:
        """The verdict with what a solver found out about what is within reach."""
        solution, claimed = solved.solution, solved.claimed
        verdict = replace(self, solution=solution, termination=solution.termination)
        if claimed is not None and reach.pool is None:
            verdict = replace(verdict, claimed=max(claimed, self.claimed or claimed))
        return verdict.with_bound(solved.bound, reach, proof, solution.confirmed_by)


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
    """The best rule set of a fit with its certificate, counted on the rows as they were given.

    Ctrl-C in the midst of it is that of the fit; the next one raises.
    """
    try:
        return _certified(fit, verdict)
    except KeyboardInterrupt:
        fit.log.interrupted = True
        return _certified(fit, verdict)


def _certified(fit: Fit, verdict: Verdict) -> Learned:
    if fit.log.interrupted:
        forget_ctrl_c()
    problem, best = fit.problem, fit.best
    final = problem.count(best.rules)
    bound, reach, proof, by = verdict.bound, verdict.reach, verdict.proof, verdict.confirmed_by
    notes = [*fit.log.notes, *verdict.notes]
    late = fit.solver.overdue
    if late and not any(late in note for note in notes):  # a linear program, which fails without a word
        notes.append(late)
    if bound is None or problem.trivial >= bound or problem.trivial == best.upper:
        bound, reach, proof, by = problem.trivial, EVERYTHING, "counting", ""
    given, rounding, closed = problem.grid.below(bound), Fraction(0), []
    if best.upper is None:
        broken = ", ".join(problem.violated(best.rules))
        notes.append(
            f"no rule set that meets the constraints was found; the empty one returned violates {broken}"
        )
        user_warn(notes[-1])
    else:
        closed = [size for size, least in verdict.pools if problem.closes(least, best.upper)]
        given = min(given, final.objective)
        if problem.closes(bound, best.upper):
            rounding = final.objective - given
    solution = verdict.solution
    certificate = Certificate.of(
        final,
        bound=given,
        feasible=best.upper is not None,
        scope=reach.scope,
        statement=reach.statement,
        proof=proof,
        pool=max(closed, default=None),
        rounding=rounding,
        termination=verdict.termination,
        counts=dict(verdict.counts),
        seconds=fit.timing.seconds,
        backend=solution.backend if solution is not None else "",
        version=solution.version if solution is not None else "",
        message="; ".join(notes),
        limits=verdict.limits,
        confirmed_by=by,
        claimed_by=_claimant(fit, verdict),
    )
    if not certificate.proved and not compiled():
        certificate = replace(certificate, message="; ".join([*notes, NOT_COMPILED]))
    certificate = replace(certificate, termination=_ended(fit, certificate, bound))
    candidates = problem.as_given(verdict.candidates)
    return Learned(best.rules, certificate, candidates, solution, tuple(fit.log.trace))


def by_counting(problem: FitProblem, rules: RuleSet, termination: Termination) -> Certificate:
    """What is known about a rule set without any solver: the trivial bound, whatever the patterns.

    Examples
    --------
    >>> from ooa.data.table import Table
    >>> from ooa.objective import Objective
    >>> table = Table.from_any({"x": [1, 2, 3]}, [0, 1, 1], class_weight="balanced")
    >>> dear = FitProblem.of(table, Objective.of("1/3", "1/3"))
    >>> by_counting(dear, dear.empty(), Termination.OPTIMAL).proved
    True
    """
    counted, (_, on_grid) = problem.count(rules), problem.values(rules)
    bound = min(problem.grid.below(problem.trivial), counted.objective)
    return Certificate.of(
        counted,
        bound=bound,
        rounding=counted.objective - bound if problem.closes(problem.trivial, on_grid) else Fraction(0),
        scope=EVERYTHING.scope,
        statement=EVERYTHING.statement,
        termination=termination,
        proof="counting",
    )


def _claimant(fit: Fit, verdict: Verdict) -> str:
    """Who claims that the best rule set known is optimal; nobody does if a better one turned up since."""
    claimed, solution, upper = verdict.claimed, verdict.solution, fit.best.upper
    if claimed is None or solution is None or upper is None or claimed > upper:
        return ""
    return solution.backend if fit.problem.closes(claimed, upper) else ""


def _ended(fit: Fit, found: Certificate, bound: Fraction) -> Termination:
    """Why the fit ended: what its last step says counts only where nothing else explains it."""
    if fit.log.interrupted:
        return Termination.INTERRUPTED
    if found.proved:
        return Termination.OPTIMAL
    upper = fit.best.upper
    if upper is not None and upper - bound <= Fraction(fit.params.relative_gap) * upper:
        return Termination.GAP_LIMIT
    if fit.timing.stalled():
        return Termination.STALLED
    if fit.timing.deadline.passed():
        return Termination.TIME_LIMIT
    ended = found.termination
    return ended if ended in _OTHERS else Termination.EXHAUSTED
