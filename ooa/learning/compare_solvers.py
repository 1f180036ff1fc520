"""One model on several solvers: what each makes of it, counted exactly, and whether they agree."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ooa.data.rows import WeightedRows
from ooa.errors import BackendUnavailable, LicenseLimit, SolverError
from ooa.formulations.base import Formulation
from ooa.rules.ruleset import RuleSet
from ooa.solving.backend import Backend
from ooa.solving.params import SolveParams
from ooa.solving.solution import Termination

from .certificate import count
from .course import Course, course

__all__ = ["Run", "agree", "run_once"]

#: Solvers state bounds up to a tolerance; this much of L, relative to it, is no contradiction.
TOLERANCE = 1e-5
#: What a solver that is not there, or not for models of this size, ended with.
NOT_RUN = {BackendUnavailable: "not available", LicenseLimit: "licence limit"}


@dataclass(frozen=True)
class Run:
    """One solver on the model, once; values are of L.

    Attributes
    ----------
    backend, version : the solver
    start : "cold", or "warm" if it was given a rule set to start from
    termination : why it ended; None if it did not run
    refusal : why it did not run, if so
    objective : L of the rule set it found, counted from the rules; None if it found none
    bound : what no rule set is below, as the solver says, whether or not anybody confirmed it
    seconds, nodes : effort
    message : anything odd that happened
    course : the best value and the bound over time, if the solver told
    """

    backend: str
    version: str
    start: str
    termination: Termination | None
    objective: Fraction | None = None
    bound: float | None = None
    seconds: float | None = None
    nodes: int | None = None
    message: str = ""
    course: Course | None = None
    refusal: str = ""

    @property
    def gap(self) -> float | None:
        """Relative distance between objective and bound."""
        if self.objective is None or self.bound is None:
            return None
        difference = max(0.0, float(self.objective) - self.bound)
        return difference / float(self.objective) if self.objective else difference

    @property
    def ran(self) -> bool:
        """Whether the solver was there, and allowed to solve a model of this size."""
        return self.termination is not None

    @property
    def done(self) -> bool:
        """Whether the solver says that it found the optimum, confirmed or not."""
        return self.termination in (Termination.OPTIMAL, Termination.CLAIMED)

    @property
    def status(self) -> str:
        """Why it ended, or why it did not run, in words."""
        return self.refusal if self.termination is None else self.termination.words


def run_once(
    solver: Backend,
    formulation: Formulation,
    rows: WeightedRows,
    params: SolveParams,
    start: RuleSet | None = None,
) -> Run:
    """Solve a formulation once, and count the objective of what comes back from the rules.

    Parameters
    ----------
    solver : the backend
    formulation : the model, with the words to read its solution
    rows : what the rules are counted on
    params : limits, seed, progress
    start : a rule set to start from

    Returns
    -------
    Run
        Also if the solver is missing, refuses the model or fails: its status says so.

    Examples
    --------
    >>> from ooa.candidates.candidates import Candidates
    >>> from ooa.formulations.ooax import OOAxFormulation
    >>> from ooa.objective import Objective
    >>> from ooa.rules.pattern import Pattern
    >>> from ooa.solving.registry import get_backend
    >>> from ooa.data.table import Table
    >>> table = Table.from_any({"x": [1, 2, 3, 4]}, [0, 0, 1, 1])
    >>> own = Candidates.of_patterns(table, [Pattern.parse("x >= 3"), Pattern.parse("x >= 2")])
    >>> formulation = OOAxFormulation(own, table, Objective.of("1/8", "1/8"))
    >>> one = run_once(get_backend("highs"), formulation, table, SolveParams())
    >>> one.status, one.objective
    ('optimal', Fraction(1, 4))
    """
    point = None if start is None else formulation.encode(start)
    named = "cold" if start is None else "warm"
    try:
        solver.require(formulation.milp)
        solution = solver.solve(formulation.milp, point, params)
    except (BackendUnavailable, LicenseLimit, SolverError) as error:
        refusal = NOT_RUN.get(type(error), "")
        ended = None if refusal else Termination.ERROR
        return Run(solver.name, "", named, ended, message=str(error), refusal=refusal)
    scale = float(formulation.total / formulation.unit)
    objective = None
    if solution.x is not None:
        objective = count(formulation.decode(solution.x), rows, formulation.objective).objective
    said = solution.claimed_bound if solution.bound is None else solution.bound
    bound = None if said is None else said / scale
    return Run(
        backend=solver.name,
        version=solution.version,
        start=named,
        termination=solution.termination,
        objective=objective,
        bound=bound if bound is not None and math.isfinite(bound) else None,
        seconds=solution.seconds,
        nodes=solution.nodes,
        message=solution.message,
        course=course(solution, scale),
    )


def agree(runs: Sequence[Run]) -> str:
    """Say what is contradictory among runs of one model, in a sentence; empty if nothing is.

    Examples
    --------
    >>> one = Run("a", "", "cold", Termination.OPTIMAL, Fraction(1, 4))
    >>> agree([one, Run("b", "", "cold", Termination.OPTIMAL, Fraction(1, 3))])
    'the solvers disagree about the optimum: a 1/4, b 1/3'
    """
    proved = {one.backend: one.objective for one in runs if one.done}
    if len(set(proved.values())) > 1:
        claims = ", ".join(f"{name} {value}" for name, value in proved.items())
        return f"the solvers disagree about the optimum: {claims}"
    known = min((one.objective for one in runs if one.objective is not None), default=None)
    for one in runs:
        if known is not None and one.bound is not None and one.bound > float(known) * (1 + TOLERANCE) + 1e-9:
            return f"{one.backend} claims that nothing is below {one.bound:.9g}, but {known} is known"
    return ""
