"""Choosing among the candidates: by the exact search, by the ILP, or by one after the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, fields
from fractions import Fraction

from ooa.candidates.candidates import Candidates
from ooa.candidates.generate import LiteralSet, candidate_literals
from ooa.candidates.screening import Score, best_by_score, information_gain
from ooa.candidates.thresholds import Thresholds
from ooa.data.rows import DistinctRows
from ooa.errors import OptionError
from ooa.formulations.base import ConstraintLike
from ooa.formulations.ooax import Form, OOAxFormulation
from ooa.rules.pattern import Pattern
from ooa.solving.backend import Backend
from ooa.solving.solution import Solution, Termination

from .certificate import Scope
from .conflict import conflict
from .improve import search
from .prove import search_exactly, too_soon, why_not
from .settings import OOAxSettings, Selection
from .state import Fit

#: Up to so many candidates, screened, the ILP has the first turn: it needs less than loading the search does.
FEW = 400
#: Beyond so many that were mined the search will have it, whatever screening leaves.
SOME = 1_000
#: Up to so many, and with so many seconds left, the search does not wait for a good rule set to start from.
QUICK, LEAST_SECONDS = 20_000, 2.0
#: Share of the time left for the first turn; the same if the ILP would get only some of the candidates; and
#: its seconds where time is not limited.
FIRST_TURN, LONG_TURN, TURN = 0.5, 0.8, 60.0
#: Beyond so many nonzeros solvers no longer keep to a time limit; the search then goes on alone. And so many
#: per second are what they are given in any case.
MOST_NONZEROS, NONZEROS_PER_SECOND = 2_000_000, 30_000
#: Ends after which there is nothing left to do.
_SETTLED = (Termination.OPTIMAL, Termination.GAP_LIMIT, Termination.INFEASIBLE)
#: Share of the ILP's time for one more local search, among just its candidates.
SEARCH_SHARE = 0.1
#: The ILP gets so many candidates, however short the time.
LEAST_CANDIDATES = 50


@dataclass(frozen=True)
class OOAxOptions:
    """What `learn_ooax` can be told about mining, screening and selecting; see there."""

    max_length: int | None = 3
    min_support: float | None = None
    max_candidates: int | None = 2_000
    gamma: float = 0.0
    thresholds: Thresholds = "auto"
    max_thresholds: int = 9
    ranges: bool = False
    negations: bool = False
    sets: int = 1
    missing: bool = False
    patterns: tuple[Pattern, ...] = ()
    score: Score | None = None
    keep: Callable[[Pattern], bool] | None = None
    engine: str = "bitset"
    max_mined: int = 1_000_000
    selection: Selection = "auto"
    form: Form = "auto"
    without: frozenset[str] = frozenset()  #: techniques to do without, of `TECHNIQUES`
    all_or_none: bool = False  #: do without the selection if not all patterns could be mined

    @classmethod
    def of(cls, settings: OOAxSettings) -> OOAxOptions:
        """Those of the settings of a fit."""
        return cls(**{f.name: getattr(settings, f.name) for f in fields(cls) if f.name != "all_or_none"})

    def literals(self, rows: DistinctRows) -> LiteralSet:
        """The literals that patterns are made of."""
        return candidate_literals(
            rows,
            thresholds=self.thresholds,
            max_thresholds=self.max_thresholds,
            ranges=self.ranges,
            negations=self.negations,
            sets=self.sets,
            missing=self.missing,
        )

    def longest(self, rows: DistinctRows) -> int:
        """The most literals that a pattern can have."""
        most = len(rows.attributes)
        return most if self.max_length is None else min(most, self.max_length)

    def merit(self, rows: DistinctRows) -> Score:
        """The score that tells good candidates from others."""
        return self.score or information_gain(rows.positive.sum(), rows.negative.sum(), self.gamma)


@dataclass
class Stage:
    """What one stage of a fit has found out, besides the best rule set."""

    candidates: Candidates
    bound: Fraction | None = None
    scope: Scope = Scope.SCREENED
    statement: str = "the screened candidates"
    proof: str = "selection"
    termination: Termination = Termination.TIME_LIMIT
    counts: Mapping[str, int] = field(default_factory=dict)
    solution: Solution | None = None
    notes: list[str] = field(default_factory=list)


def search_first(fit: Fit, candidates: Candidates, options: OOAxOptions) -> bool:
    """Whether it is plain, before anything is screened, that the exact search will have the first turn."""
    if options.selection == "ilp" or fit.constraints or why_not(fit, candidates) is not None:
        return False
    return options.selection == "search" or (len(candidates) > SOME and not too_soon(fit))


def search_at_once(fit: Fit, candidates: Candidates, options: OOAxOptions) -> bool:
    """Whether the exact search will start from nothing: among so few that is often all it takes."""
    left = fit.left()
    few = len(candidates) <= QUICK and (left is None or left >= LEAST_SECONDS)
    return few and search_first(fit, candidates, options)


def choose(
    fit: Fit,
    solver: Backend,
    options: OOAxOptions,
    stage: Stage,
    merit: Score,
    own: Candidates,
    improve: Callable[[], None] | None = None,
) -> None:
    """Choose among the candidates of a stage; the best rule set is left in the fit, the bound in the stage.

    Parameters
    ----------
    fit, solver, options, stage : what is being fitted, with what, and how far it has got
    merit : the score that decides which candidates the ILP gets
    own : candidates that the ILP gets in any case
    improve : a local search that has yet to be done, unless the exact search ends at once
    """
    everything, reach = stage.candidates, (stage.scope, stage.statement)
    if options.selection == "search" and fit.constraints:
        raise OptionError("selection='search' cannot be had here: constraints are left to the ILP")
    reason = "" if options.selection == "ilp" else why_not(fit, everything)
    if reason and options.selection == "search":
        raise OptionError(f"selection='search' cannot be had here: {reason}")
    if reason is None and options.selection == "auto" and too_soon(fit):
        reason = (
            "the exact search is not compiled yet, and there is no time for it: run it once without a limit"
        )
        stage.notes.append(reason)
    turns = [("ilp", None)] if reason is not None else _turns(fit, everything, options)
    if improve is not None and turns[0][0] != "search":
        improve()
    for turn, seconds in turns:
        if fit.interrupted or fit.left() == 0.0 or stage.termination in _SETTLED:
            break
        with nullcontext() if seconds is None else fit.within(seconds):
            if turn == "search":
                everything = _search(fit, solver, everything, options, stage, reach, improve)
                improve = None
            else:
                _solve(fit, solver, options, stage, everything, merit, own)
        fit.clock("solving")
    if reason and "numba" in reason and stage.termination is Termination.TIME_LIMIT:
        stage.notes.append("the exact search may prove more: pip install 'ooa[fast]'")


def _turns(fit: Fit, candidates: Candidates, options: OOAxOptions) -> list[tuple[str, float | None]]:
    """Who has a go at the candidates, in which order and for how many seconds."""
    left, most = fit.left(), options.max_candidates or len(candidates)
    nonzeros = _nonzeros(fit, candidates) * min(1.0, most / max(1, len(candidates)))
    if options.selection == "search" or (nonzeros > MOST_NONZEROS and not fit.constraints):
        return [("search", None)]
    solver_first = len(candidates) <= FEW or fit.constraints
    first, second = ("ilp", "search") if solver_first else ("search", "ilp")
    share = FIRST_TURN if len(candidates) <= most else LONG_TURN
    if left is None:
        return [(first, TURN), (second, 10 * TURN), ("ilp", None)]
    return [(first, share * left), (second, None)]


def _nonzeros(fit: Fit, candidates: Candidates) -> float:
    """About how many nonzeros the ILP over some candidates has: the rows that each of them covers."""
    return fit.rows.n_rows * float(candidates.positive.sum() + candidates.negative.sum()) / float(fit.total)


def _search(
    fit: Fit,
    solver: Backend,
    candidates: Candidates,
    options: OOAxOptions,
    stage: Stage,
    reach: tuple[Scope, str],
    improve: Callable[[], None] | None,
) -> Candidates:
    """Search all sets of candidates, the solver having no more than linear programs to solve.

    `reach` is what a proof over them covers.

    Returns the candidates that a better rule set can have, as far as that was looked into.
    """
    bound, left = search_exactly(fit, candidates, fit.left(), solver, improve, options.without)
    if not fit.constraints:
        candidates = candidates.take(left).joined(Candidates.of_patterns(fit.rows, fit.best))
        stage.candidates, stage.counts = candidates, {**stage.counts, "left by the search": len(candidates)}
    if bound is None or fit.upper is None:
        return candidates
    if stage.bound is None or bound >= stage.bound:
        stage.bound, stage.proof = bound, "search"
        stage.scope, stage.statement = reach
    if bound == fit.upper:
        stage.termination = Termination.OPTIMAL
    elif fit.upper - bound <= Fraction(fit.params.relative_gap) * fit.upper:
        stage.termination = Termination.GAP_LIMIT
    return candidates


def _solve(
    fit: Fit,
    solver: Backend,
    options: OOAxOptions,
    stage: Stage,
    everything: Candidates,
    merit: Score,
    own: Candidates,
) -> None:
    """Solve the ILP over the best candidates; constraints that nothing meets are an error."""
    candidates, most = everything, options.max_candidates or len(everything)
    scope, statement = stage.scope, stage.statement
    left, nonzeros = fit.left(), _nonzeros(fit, everything)
    if left is not None and nonzeros > left * NONZEROS_PER_SECOND:
        most = min(most, max(LEAST_CANDIDATES, int(len(everything) * left * NONZEROS_PER_SECOND / nonzeros)))
    if len(everything) > most:
        candidates = best_by_score(everything, most, merit).joined(own)
        candidates = candidates.joined(Candidates.of_patterns(fit.rows, fit.best))
        scope, statement = Scope.SCREENED, f"the {len(candidates):,} screened candidates"
        stage.counts = {**stage.counts, "best by score": most}
        search(fit, candidates, fit.instant(SEARCH_SHARE))
        fit.clock("incumbent")
    if left is not None and not fit.constraints and _nonzeros(fit, candidates) > MOST_NONZEROS:
        stage.notes.append(
            f"no ILP over {fit.rows.n_rows:,} distinct rows: solvers do not keep to a time limit there"
        )
        return

    def formulate(constraints: Sequence[ConstraintLike]) -> OOAxFormulation:
        return OOAxFormulation(
            candidates,
            fit.rows,
            fit.objective,
            max_patterns=fit.max_patterns,
            form=options.form,
            constraints=constraints,
            table=fit.table,
            template=fit.best,
        )

    stage.candidates = candidates
    stage.solution, bound = fit.solve(formulate(fit.constraints), solver)
    ended = stage.solution.termination
    if ended is Termination.INFEASIBLE and fit.constraints and fit.upper is None:
        raise conflict(formulate, fit.constraints, solver, statement, fit.deadline(1.0))
    if stage.bound is None or (bound is not None and bound > stage.bound):
        if stage.bound is not None and scope is not stage.scope:
            stage.notes.append(f"among {stage.statement}, none can be below {float(stage.bound):.6g}")
        stage.bound, stage.scope, stage.statement, stage.proof = bound, scope, statement, "selection"
        stage.termination = ended
    elif scope is stage.scope:
        stage.termination = ended
