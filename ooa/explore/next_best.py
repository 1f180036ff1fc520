"""One after the other: the rule sets over given candidates in order of their exact value.

Neighbours of what is known (one pattern more, one less, one exchanged) are counted directly. A solver
then has to find what is missing, with everything known excluded, or to prove that nothing is.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Hashable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ooa.errors import SolverError
from ooa.learning.certificate import safe_bound
from ooa.learning.solve import SLACK
from ooa.learning.state import Fit
from ooa.rules.ruleset import RuleSet
from ooa.search.local_search import Choice
from ooa.solving.backend import Backend
from ooa.solving.session import Session
from ooa.solving.solution import Progress, Solution, Termination

from .no_goods import NoGoodFormulation
from .selections import Selections


class Enumeration:
    """The rule sets over the candidates of a formulation, as far as they are asked for.

    Parameters
    ----------
    fit : the fit in progress: its time, constraints and prices
    formulation : the selection ILP with exclusions
    n : how many of the best are wanted, or None
    within : how far above the best of them, or None
    lean : whether rule sets are left out that only add a redundant pattern to another one that is allowed

    Attributes
    ----------
    found : list of (Fraction, Choice)
        Values, as they were given, and selections, in order; all that is wanted once `complete`.
    rest : Fraction or None
        No rule set that is not in `found` is below this on the grid; None if nothing is known, or if there is
        none.
    complete : bool
        Whether nothing that is wanted can be missing.
    """

    def __init__(
        self,
        fit: Fit,
        formulation: NoGoodFormulation,
        n: int | None,
        within: Fraction | None,
        lean: bool = True,
    ) -> None:
        self.fit, self.formulation, self.n, self.within = fit, formulation, n, within
        self.lean, self.by_prediction = lean, formulation.by_prediction
        self.found: list[tuple[Fraction, Choice]] = []
        self.rest: Fraction | None = None
        self.complete = False
        self.solution: Solution | None = None
        self._hints: list[tuple[Fraction, Choice]] = []
        self._seen: set[Choice] = set()
        self._on_grid: dict[Choice, Fraction] = {}
        self._expanded: set[Choice] = set()
        self._cut: set[Hashable] = set()
        self._passed = False
        self._aside: list[tuple[Fraction, Choice]] = []  # what only adds a redundant pattern
        self._ruled_out: set[Choice] = set()
        problem = fit.problem
        self.selections = Selections(problem, formulation, lean)
        self._scale = problem.total / formulation.unit  # from L to the model's objective
        self._grid = problem.step / formulation.unit

    def rule_set(self, choice: Choice) -> RuleSet:
        """Some candidates as a rule set."""
        return self.formulation.rule_set(choice)

    # -- what is known ---------------------------------------------------------------------------

    @property
    def reach(self) -> Fraction | None:
        """The value up to which rule sets are wanted, as far as that is known."""
        limits = []
        if self.within is not None and self.found:
            limits.append(self.found[0][0] + self.within)
        if self.n is not None and len(self.found) >= self.n:
            limits.append(self.found[self.n - 1][0])
        return min(limits, default=None)

    def wanted(self) -> list[tuple[Fraction, Choice]]:
        """What was found within reach, best first."""
        reach = self.reach
        end = len(self.found)
        if reach is not None:
            end = bisect_right(self.found, reach, key=lambda pair: pair[0])
        return self.found[: end if self.n is None else min(end, self.n)]

    def offer(self, choice: Choice, final: bool = True) -> None:
        """Count a selection and keep it if it meets the constraints, as an answer or (not `final`) a hint."""
        if choice in self._seen:
            return
        self._seen.add(choice)
        known = self.selections
        if len(choice) > known.most or not known.allowed(choice):
            return
        value, self._on_grid[choice] = known.values(choice)
        if known.left_out(choice):
            self._aside.append((value, choice))
            return
        insort(self.found if final else self._hints, (value, choice))

    def least(self) -> Fraction | None:
        """What no rule set over the candidates is below on the grid, if anything is known."""
        if self.rest is None and not self.complete:
            return None
        known = [self._on_grid[choice] for _, choice in self.found]
        return min([*known, *([] if self.rest is None else [self.rest])], default=None)

    # -- neighbours ------------------------------------------------------------------------------

    def expand(self) -> None:
        """Count the neighbours of all that is wanted, and theirs, until nothing new is within reach."""
        while fresh := [choice for _, choice in self.wanted() if choice not in self._expanded]:
            for choice in fresh:
                # Where predictions count, a neighbour need not be the cheapest that predicts as it does.
                self._expand(choice, final=not self.formulation.by_prediction)
                if self.fit.timing.deadline.passed():
                    return

    def nth_value(self, n: int) -> Fraction | None:
        """A value that the n best do not exceed, from neighbours alone; None if fewer are known."""
        while True:
            best: dict[Hashable, tuple[Fraction, Choice]] = {}
            for pair in sorted([*self.found, *self._hints]):
                best.setdefault(self.formulation.key(pair[1]), pair)
            leading = sorted(best.values())[:n]
            fresh = [choice for _, choice in leading if choice not in self._expanded]
            if not fresh or self.fit.timing.deadline.passed():
                return leading[-1][0] if len(leading) == n else None
            for choice in fresh:
                self._expand(choice, final=False)

    def _expand(self, choice: Choice, final: bool) -> None:
        self._expanded.add(choice)
        for neighbour in self.selections.neighbours(choice, self.reach, self.n):
            self.offer(neighbour, final)
            if self.fit.timing.deadline.passed():
                return

    # -- the solver ------------------------------------------------------------------------------

    def run(self, solver: Backend) -> None:
        """Go on until everything that is wanted is found and proved, or time is up."""
        self.expand()
        if solver.overdue:
            self._doubt(solver.overdue)
            return
        with solver.open(self.formulation.milp) as session:
            while not self.fit.over:
                wanted = [choice for _, choice in self.wanted()]
                if self.selections.plain:
                    self._rule_out(session, wanted)
                else:
                    wanted += [choice for value, choice in self._aside if self._within_reach(value)]
                self._exclude(session, wanted)
                if not self._next(session, solver):
                    break
                self.expand()

    def _exclude(self, session: Session, choices: list[Choice]) -> None:
        fresh = {}
        for choice in choices:
            key = self.formulation.key(choice)
            if key not in self._cut:
                fresh[key] = choice
        if fresh:
            self._cut.update(fresh)
            session.add_rows(self.formulation.excluding(list(fresh.values())))

    def _within_reach(self, value: Fraction) -> bool:
        reach = self.reach
        return reach is None or value <= reach

    def _rule_out(self, session: Session, choices: list[Choice]) -> bool:
        """Exclude whatever is redundant beside the patterns of some selections; return whether it is new."""
        fresh = {
            found.patterns: found
            for choice in choices
            for found in self.selections.redundancy.beside(choice)
            if found.patterns not in self._ruled_out
        }
        if fresh:
            self._ruled_out.update(fresh)
            session.add_rows(self.formulation.beside(list(fresh.values())))
        return bool(fresh)

    def _next(self, session: Session, solver: Backend) -> bool:
        """Solve for the best that is not excluded; return whether to go on."""
        fit, f = self.fit, self.formulation
        again, self._passed = self._passed, False
        params = fit.params.changed(
            time_limit=fit.timing.deadline.left(), progress=None if again else self._watch
        )
        try:
            solution = self.solution = session.solve(self._start(), params)
        except SolverError as error:
            return self._doubt(f"{solver.name} failed: {error}")
        if solution.termination is Termination.INFEASIBLE:
            self.rest, self.complete = None, True
            return False
        if solution.termination is Termination.ERROR:
            return self._doubt(f"{solver.name} ended with {solution.message or solution.raw_status}")
        bound = None if solution.bound is None else self._safe(solution.bound)
        new = False
        if solution.x is not None and solution.objective is not None:
            choice = f.positions(solution.x)
            value, on_grid = self.selections.values(choice)
            if f.key(choice) in self._cut or not self.selections.allowed(choice):
                return self._doubt(f"{solver.name} returned what was excluded")
            claimed = solution.objective / float(self._scale)
            if abs(claimed - float(on_grid)) > SLACK and (claimed < on_grid or solution.is_optimal):
                truth = f"but its rule set has {float(on_grid):.9g}"
                return self._doubt(f"{solver.name} claims an objective of {claimed:.9g}, {truth}")
            new = not f.by_prediction or bound is None or self._cheapest(value, bound)
            if not self._take(session, choice):
                return self._doubt(f"{solver.name} returned what was excluded")
        if bound is not None:
            self.rest = bound
            self.complete = self._beyond(bound)
        if solution.termination is Termination.CLAIMED:
            return self._doubt(solution.message)  # nothing that comes after it would be proved
        if self.complete or solution.termination is Termination.TIME_LIMIT:
            return False
        if self._passed:  # it stopped at our word, and still does not prove what it said
            return True
        fit.log.interrupted |= solution.termination is Termination.INTERRUPTED
        return new

    def _take(self, session: Session, choice: Choice) -> bool:
        """Take up a selection from the solver, which may not return it; False if it should not have."""
        known = self.selections.stripped(choice)
        if known != choice and self.selections.plain:
            self.offer(known)
            return self._rule_out(session, [known])
        taken = known if self.formulation.by_prediction else choice
        self._seen.discard(taken)
        self._hints = [pair for pair in self._hints if pair[1] != taken]
        self.found = [pair for pair in self.found if pair[1] != taken]
        self.offer(taken)
        self._exclude(session, [taken])
        return True

    def _cheapest(self, value: Fraction, bound: Fraction) -> bool:
        """Whether no rule set with the same predictions can be cheaper: prices differ by whole steps."""
        grid = self.fit.problem.grid
        step = grid.given.grid(Fraction(1), ())
        return value - grid.below(bound) < step or step == 0

    def _beyond(self, bound: Fraction) -> bool:
        """Whether nothing from here on, where nothing is below a bound on the grid, is wanted.

        The n best are so up to rounding; nothing within a distance of the best is missing in any case.
        """
        if self.n is not None and len(self.found) >= self.n:
            worst = max(self._on_grid[choice] for _, choice in self.found[: self.n])
            if self.fit.problem.closes(bound, worst):
                return True
        below = self.fit.problem.grid.below(bound)
        return self.within is not None and bool(self.found) and below > self.found[0][0] + self.within

    def _safe(self, bound: float) -> Fraction:
        return safe_bound(bound, self._grid) / self._scale

    def _start(self) -> NDArray[np.float64] | None:
        """The best that is known and not excluded, as a point."""
        f = self.formulation
        self._hints = [pair for pair in self._hints if f.key(pair[1]) not in self._cut]
        other = next((pair for pair in self.found if f.key(pair[1]) not in self._cut), None)
        best = min([*self._hints[:1], *([other] if other else [])], default=None)
        return None if best is None else f.completed(f.selection(best[1]))

    def _watch(self, moment: Progress) -> bool:
        """Show progress; stop the solver once what is left cannot be wanted."""
        bound = None if moment.bound is None else self._safe(moment.bound)
        words = "-" if bound is None else f"{float(self.fit.problem.grid.below(bound)):.5f}"
        self.fit.log.line.update(f"{len(self.wanted())} rule sets, no other below {words}")
        self._passed = bound is not None and self._beyond(bound)
        return self._passed

    def _doubt(self, note: str) -> bool:
        self.fit.log.notes.append(note)
        return False
