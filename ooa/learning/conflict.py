"""Why no rule set meets the constraints: a smallest set of them that cannot hold together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np

from ooa.clock import NEVER, Deadline
from ooa.errors import InfeasibleConstraints, SolverError
from ooa.formulations.base import ConstraintLike, Formulation, describe
from ooa.solving.backend import Backend
from ooa.solving.solution import Termination

#: Up to so many constraints every subset is tried, smallest first; beyond, one by one is left out.
EXHAUSTIVE = 6
#: Seconds for each question whether some constraints can hold together.
PATIENCE = 20.0


def conflict(
    formulate: Callable[[Sequence[ConstraintLike]], Formulation],
    constraints: Sequence[ConstraintLike],
    solver: Backend,
    statement: str,
    deadline: Deadline = NEVER,
) -> InfeasibleConstraints:
    """The error that names a smallest conflicting subset.

    Parameters
    ----------
    formulate : builds the formulation with some of the constraints
    constraints : all of them, known not to hold together
    solver : who decides
    statement : among which patterns no rule set meets them
    deadline : until when to narrow them down; then those that are left are named
    """

    def clash(some: Sequence[ConstraintLike]) -> bool:
        left = deadline.left()
        if left == 0.0:
            return False
        limit = PATIENCE if left is None else min(PATIENCE, left)
        milp = formulate(some).milp
        plain = milp.replace(c=np.zeros(milp.n_columns), offset=0.0)
        try:
            answer = solver.solve(plain, time_limit=limit, clock=deadline.clock)
        except SolverError:
            return False
        return answer.termination is Termination.INFEASIBLE

    names = [describe(constraint) for constraint in _smallest(list(constraints), clash)]
    if len(names) == 1:
        return InfeasibleConstraints(f"among {statement}, no rule set meets the constraint {names[0]}")
    together = f"{', '.join(names[:-1])} and {names[-1]}"
    words = f"among {statement}, no rule set meets these constraints together: {together}"
    return InfeasibleConstraints(words)


def _smallest(
    constraints: list[ConstraintLike], clash: Callable[[Sequence[ConstraintLike]], bool]
) -> Sequence[ConstraintLike]:
    if len(constraints) <= EXHAUSTIVE:
        for size in range(1, len(constraints)):
            for some in combinations(constraints, size):
                if clash(some):
                    return some
        return constraints
    for constraint in list(constraints):
        rest = [other for other in constraints if other is not constraint]
        if clash(rest):
            constraints = rest
    return constraints
