"""The state of one fit: the time that is left, and the best rule set and bound known so far.

Whatever happens, a limit, Ctrl-C or a solver that fails, the best rule set so far is there to be
certified. When it was found, and when each bound was proved, is noted on the way.
"""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np

from ooa.candidates.candidates import Candidates
from ooa.clock import CLOCK, NEVER, Deadline
from ooa.data.table import Table
from ooa.errors import OOAWarning, OptionError, RuleError, SolverError
from ooa.formulations.base import ConstraintLike, Formulation, describe
from ooa.formulations.ooax import OOAxFormulation
from ooa.live_line import LiveLine
from ooa.logs import logger
from ooa.objective import Objective, exact_sum
from ooa.rules.ruleset import RuleSet
from ooa.solving.backend import Backend, SolveParams
from ooa.solving.prepare import FEASIBILITY
from ooa.solving.registry import get_backend
from ooa.solving.solution import PointStatus, Progress, Solution, Termination

from .certificate import Certificate, Scope, count, safe_bound, trivial_bound
from .settings import FitSettings

#: The most that a point within the solver's tolerances can be off, in units of L.
SLACK = 1e-5
#: There always is a rule set, and none has a negative value.
_IMPOSSIBLE = (
    Termination.ERROR,
    Termination.INFEASIBLE,
    Termination.UNBOUNDED,
    Termination.INFEASIBLE_OR_UNBOUNDED,
)


_LIMITS = (Termination.TIME_LIMIT, Termination.NODE_LIMIT, Termination.GAP_LIMIT)


class Fit:
    """One fit in progress.

    Parameters
    ----------
    table : the training data
    objective : the prices
    max_patterns : most patterns in the rule set, or None
    params : solver parameters; their time limit is that of the whole fit
    line : where progress is shown
    constraints : what the rule set must meet
    """

    def __init__(
        self,
        table: Table,
        objective: Objective,
        max_patterns: int | None,
        params: SolveParams,
        line: LiveLine,
        constraints: Iterable[ConstraintLike] = (),
    ) -> None:
        self._began = self._lap = time.monotonic()
        self.table, self.objective, self.max_patterns = table, objective, max_patterns
        self.params, self.line = params, line
        self._window = (self._began, params.time_limit)
        self.seconds: dict[str, float] = {}
        self.rows = table.distinct()
        self.total = exact_sum(self.rows.positive) + exact_sum(self.rows.negative)
        self.constraints = (constraints,) if callable(constraints) else tuple(constraints)
        for constraint in self.constraints:
            if not callable(constraint):
                raise OptionError(f"a constraint must be a function of a formulation, not {constraint!r}")
        #: Which reductions stay valid beside the constraints; see `ooa.constraints`.
        self.removal = all(getattr(c, "allows_removal", False) for c in self.constraints)
        self.dominance = all(getattr(c, "allows_dominance", False) for c in self.constraints)
        self.best = RuleSet([], target=table.target, positive=table.labels[1], negative=table.labels[0])
        #: The value of the best rule set, or None as long as none that meets the constraints is known.
        self.upper: Fraction | None = None
        self.interrupted = False
        self.notes: list[str] = []
        #: What no rule set is below, whatever its patterns.
        self.trivial = trivial_bound(self.rows, self.objective)
        #: When better rule sets and bounds became known, in seconds since the fit began and units of L.
        self.trace: list[Progress] = []
        self.note_bound(self.trivial)
        self.offer(self.best)

    @classmethod
    def of(cls, table: Table, settings: FitSettings) -> Fit:
        """The fit of a table that these settings ask for; the solver and the start are checked first."""
        get_backend(settings.backend).require()
        params = SolveParams(
            time_limit=settings.time_limit,
            relative_gap=settings.relative_gap,
            threads=settings.threads,
            seed=settings.seed,
            log=settings.log,
            options=dict(settings.options),
        )
        objective, line = Objective.of(settings.C1, settings.C2), LiveLine(settings.progress)
        fit = cls(table, objective, settings.max_patterns, params, line, settings.constraints)
        if settings.start is not None:
            fit.check_start(settings.start)
        return fit

    def clock(self, stage: str) -> None:
        """Book the time since the last call under a stage."""
        now = time.monotonic()
        logger.info("%s: %.2f s", stage, now - self._lap)
        self.seconds[stage] = self.seconds.get(stage, 0.0) + now - self._lap
        self._lap = now

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """Ctrl-C ends the block and no more: what is known by then is there to be certified."""
        try:
            yield
        except KeyboardInterrupt:
            self.interrupted = True

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """For the time of the block, the time limit is this much from now, or what is left if less."""
        left = self.left()
        before = self._window
        self._window = (time.monotonic(), seconds if left is None else min(seconds, left))
        try:
            yield
        finally:
            self._window = before

    def instant(self, share: float) -> float | None:
        """The instant of `time.monotonic()` at which so much of the time limit is used up."""
        began, limit = self._window
        return None if limit is None else began + share * limit

    def deadline(self, share: float) -> Deadline:
        """The deadline at which so much of the time limit is used up."""
        end = self.instant(share)
        return NEVER if end is None else Deadline(CLOCK, self._window[0], end)

    def left(self) -> float | None:
        """Seconds left, or None if there is no limit."""
        end = self.instant(1.0)
        return None if end is None else max(0.0, end - time.monotonic())

    def check_start(self, start: RuleSet) -> None:
        """Refuse a start that cannot be one."""
        if not isinstance(start, RuleSet):
            raise OptionError(f"start must be a RuleSet (see RuleSet.parse), not {start!r}")
        known = {attribute.name for attribute in self.table.attributes}
        unknown = [name for name in start.attributes if name not in known]
        if unknown:
            raise RuleError(f"the start uses column {unknown[0]!r}, which the table does not have")
        if self.max_patterns is not None and len(start) > self.max_patterns:
            raise RuleError(
                f"the start has {len(start)} patterns where at most {self.max_patterns} are allowed"
            )

    def offer(self, rules: RuleSet) -> None:
        """Keep a rule set if it meets the constraints and is the best so far, by the exact count."""
        value = count(rules, self.rows, self.objective).objective
        if (self.upper is None or value < self.upper) and not self.violated(rules):
            like = self.best
            self.best = RuleSet(rules, target=like.target, positive=like.positive, negative=like.negative)
            self.upper = value
            self.trace.append(Progress(self._seconds(), incumbent=float(value)))

    def note_bound(self, bound: Fraction) -> None:
        """Note for the trace that no rule set made of the patterns at hand has an L below this by now."""
        self.trace.append(Progress(self._seconds(), bound=float(bound)))

    def forget_bounds(self) -> None:
        """Take back the bounds noted, but for the trivial one: they were about some of the patterns only."""
        least = float(self.trivial)
        self.trace = [
            replace(moment, bound=None) if moment.bound is not None and moment.bound > least else moment
            for moment in self.trace
        ]

    def violated(self, rules: RuleSet) -> list[str]:
        """The constraints that a rule set does not meet, evaluated on its own predictions."""
        return [describe(c) for c in self.constraints if not _meets(rules, c, self)]

    def solve(self, formulation: Formulation, solver: Backend) -> tuple[Solution, Fraction | None]:
        """Solve a formulation from the best rule set known; return the solution and a safe bound on L.

        The rule set that comes back is counted again. If that contradicts the solver, in its value
        or in its bound, the fit says so and does without the bound.
        """
        self.line.update(f"solving: {formulation.milp}")
        scale = self.total / formulation.unit  # from L to the model's objective
        start = formulation.encode(self.best) if self.upper is not None else None
        heard: list[Progress] = []
        params = self.params.changed(time_limit=self.left(), progress=partial(self._hear, scale, heard))
        try:
            solution = solver.solve(formulation.milp, start, params)
        except SolverError as error:
            solution = _failed(solver, str(error))
        self.interrupted |= solution.termination is Termination.INTERRUPTED
        bound = self._check(solution, formulation, solver, scale)
        self._note_heard(heard, bound)
        return solution, bound

    def _check(
        self, solution: Solution, formulation: Formulation, solver: Backend, scale: Fraction
    ) -> Fraction | None:
        """Offer the rule set of a solution; return its bound made safe, or None if it cannot be used."""
        if solution.x is not None and solution.objective is not None:
            rules = formulation.decode(solution.x)
            exactly = float(count(rules, self.rows, self.objective).objective)
            self.offer(rules)
            claimed = solution.objective / float(scale)
            # A point may err more than its rule set does, as long as nobody calls it optimal.
            if abs(claimed - exactly) > SLACK and (claimed < exactly or solution.is_optimal):
                self._distrust(
                    f"{solver.name} claims an objective of {claimed:.9g}, but its rule set has {exactly:.9g}"
                )
                return None
        if self.constraints and self.upper is None and solution.termination is Termination.INFEASIBLE:
            return None
        if not solution.is_optimal and (solution.message or solution.termination in _IMPOSSIBLE):
            words = solution.message or solution.raw_status or "no reason given"
            self._distrust(f"{solver.name} ended with {solution.termination.value}: {words}")
            return None
        if solution.bound is None:
            return None
        weights = np.unique(np.concatenate([self.rows.positive, self.rows.negative]))
        grid = self.objective.grid(self.total, weights.tolist()) / formulation.unit
        bound = safe_bound(solution.bound, grid) / scale
        if self.upper is not None and bound > self.upper:
            self._distrust(
                f"{solver.name} claims that nothing is below {float(bound):.9g}, but "
                f"{float(self.upper):.9g} is known"
            )
            return None
        return bound

    def certify(
        self,
        bound: Fraction | None,
        scope: Scope,
        statement: str,
        termination: Termination,
        counts: Mapping[str, int],
        solution: Solution | None,
        proof: str,
    ) -> Certificate:
        """The certificate of the best rule set, counted on the rows as they were given."""
        final = count(self.best, self.table, self.objective)
        if bound is None or self.trivial >= bound or self.trivial >= final.objective:
            bound, scope, statement, proof = self.trivial, Scope.ALL, "all patterns", "counting"
        if self.upper is None:
            broken = ", ".join(self.violated(self.best))
            self.notes.append(
                f"no rule set that meets the constraints was found; the empty one returned violates {broken}"
            )
            warnings.warn(self.notes[-1], OOAWarning, stacklevel=3)
        else:
            bound = min(bound, final.objective)
            if bound == final.objective and termination in _LIMITS:
                termination = Termination.OPTIMAL  # the limit struck, but there was nothing left to do
        return Certificate(
            errors=final.errors,
            total=final.total,
            literals=final.literals,
            patterns=final.patterns,
            objective=final.objective,
            bound=bound,
            feasible=self.upper is not None,
            scope=scope,
            statement=statement,
            proof=proof,
            termination=Termination.INTERRUPTED if self.interrupted else termination,
            counts=dict(counts),
            seconds=self.seconds,
            backend=solution.backend if solution is not None else "",
            version=solution.version if solution is not None else "",
            message="; ".join(self.notes),
        )

    def _seconds(self) -> float:
        return time.monotonic() - self._began

    def _hear(self, scale: Fraction, heard: list[Progress], moment: Progress) -> None:
        """Show what the solver says on its way, and remember it in units of L."""
        best, bound = (
            None if value is None or not math.isfinite(value) else value / float(scale)
            for value in (moment.incumbent, moment.bound)
        )
        heard.append(Progress(self._seconds(), best, bound))
        words = ("-" if value is None else f"{value:.5f}" for value in (best, bound))
        self.line.update("solving: best {}, bound {}".format(*words))

    def _note_heard(self, heard: list[Progress], bound: Fraction | None) -> None:
        """Note what the solver said on its way, as far as what it ended with bears it out.

        A point may err more than its rule set does, so the values it states are none too low, unless they
        are below all that was ever counted. Its bounds are worth something if the last one is.
        """
        for moment in heard:
            value, below = moment.incumbent, moment.bound
            if value is not None:
                known = math.inf if self.upper is None else float(self.upper)
                value = max(value, known) if value >= known - SLACK else None
            below = None if below is None or bound is None else min(below, float(bound))
            if value is not None or below is not None:
                self.trace.append(Progress(moment.seconds, value, below))
        if bound is not None:
            self.note_bound(bound)
        self.trace.sort(key=lambda moment: moment.seconds)

    def _distrust(self, note: str) -> None:
        self.notes.append(f"{note}; its bound is not used")
        warnings.warn(self.notes[-1], OOAWarning, stacklevel=5)


def _failed(solver: Backend, words: str) -> Solution:
    """What a solver that raised an error leaves behind."""
    return Solution(Termination.ERROR, PointStatus.NONE, None, None, None, solver.name, message=words)


def _meets(rules: RuleSet, constraint: ConstraintLike, fit: Fit) -> bool:
    """Whether a rule set meets a constraint: its rows hold at the point that selects just these patterns."""
    candidates = Candidates.of_patterns(fit.rows, rules)
    formulation = OOAxFormulation(
        candidates, fit.rows, fit.objective, constraints=[constraint], table=fit.table
    )
    x = formulation.completed(formulation.selection(range(len(candidates))))
    return formulation.milp.worst(x, relative=True)[0] <= FEASIBILITY
