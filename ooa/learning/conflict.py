"""Why no rule set meets the constraints: a smallest set of them that cannot hold together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import TypeAlias

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


#: Whether some constraints can be met together, if that can be told without a program.
Decide: TypeAlias = Callable[[Sequence[ConstraintLike], Deadline], "bool | None"]
#: Whether some constraints are known not to hold together.
Clash: TypeAlias = Callable[[Sequence[ConstraintLike]], bool]
#: Of conflicting constraints and one of them, a sentence on how near one can come to that one, if known.
Near: TypeAlias = Callable[[Sequence[ConstraintLike], ConstraintLike], str]


def clashing(
    formulate: Callable[[Sequence[ConstraintLike]], Formulation],
    solver: Backend,
    deadline: Deadline = NEVER,
    decide: Decide | None = None,
) -> Clash:
    """Who says whether some constraints are known not to hold together.

    Parameters
    ----------
    formulate : builds the formulation with some of the constraints
    solver : who decides
    deadline : from when on nobody knows
    decide : who is asked before the solver
    """

    def clash(some: Sequence[ConstraintLike]) -> bool:
        left = deadline.left()
        if left == 0.0 or solver.overdue:
            return False
        limit = PATIENCE if left is None else min(PATIENCE, left)
        told = None if decide is None else decide(some, deadline.within(limit))
        if told is not None:
            return not told
        milp = formulate(some).milp
        plain = milp.replace(c=np.zeros(milp.n_columns), offset=0.0)
        try:
            answer = solver.solve(plain, time_limit=limit, clock=deadline.clock)
        except SolverError:
            return False
        return answer.termination is Termination.INFEASIBLE

    return clash


def conflict(
    constraints: Sequence[ConstraintLike], clash: Clash, statement: str, near: Near | None = None
) -> InfeasibleConstraints:
    """The error that names a smallest conflicting subset, and how near one can come to each of it.

    Parameters
    ----------
    constraints : all of them, known not to hold together
    clash : who says whether some do not
    statement : among which patterns no rule set meets them
    near : who says how near one can come; by default nobody
    """
    found = _smallest(list(constraints), clash)
    words = [] if near is None else [near(found, one) for one in found]
    return refusal(statement, found, [word for word in words if word])


def refusal(
    statement: str, constraints: Sequence[ConstraintLike], near: Sequence[str] = ()
) -> InfeasibleConstraints:
    """The error that names constraints that no rule set meets together.

    Examples
    --------
    >>> from ooa.constraints import max_uses, min_sensitivity
    >>> print(refusal("all patterns", [min_sensitivity(0.9), max_uses("x", 1)], ["0.8 can be met"]))
    among all patterns, no rule set meets these constraints together: min_sensitivity(least=0.9) and \
max_uses(attribute='x', most=1); 0.8 can be met
    """
    names = [describe(constraint) for constraint in constraints]
    if len(names) == 1:
        words = f"among {statement}, no rule set meets the constraint {names[0]}"
    else:
        together = f"{', '.join(names[:-1])} and {names[-1]}"
        words = f"among {statement}, no rule set meets these constraints together: {together}"
    return InfeasibleConstraints("; ".join([words, *near]))


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
