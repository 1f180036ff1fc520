"""The model that a fit would solve, without solving it."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

from ooa.candidates.bounds import most_patterns
from ooa.errors import OOAWarning, OptionError
from ooa.formulations.base import Formulation
from ooa.formulations.ooa_compact import CompactFormulation
from ooa.formulations.ooax import OOAxFormulation
from ooa.learning.settings import FitSettings, OOASettings, OOAxSettings
from ooa.learning.verdict import Learned
from ooa.model.milp import Milp
from ooa.objective import Objective
from ooa.solving.backend import Availability, Backend, Monitor, SolveParams
from ooa.solving.solution import RawResult, Termination

from .fitting import learn_and_show
from .problem import Problem

__all__ = ["formulate"]


def formulate(wanted: FitSettings, problem: Problem, *, quiet: bool) -> tuple[Formulation, Learned]:
    """Build the model that `ooa fit` would solve, and the rule set it would start from."""
    # What a solver would get: no exact search takes it away, and no proof by OOAx.
    only = {"selection": "ilp"} if isinstance(wanted, OOAxSettings) else {"decompose": False}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OOAWarning)  # that nothing was proved is no news here
        learned = learn_and_show(problem, replace(wanted, backend=_NoSolver(), **only), quiet=quiet)
    objective = Objective.of(wanted.C1, wanted.C2)
    common: dict[str, Any] = {
        "constraints": problem.constraints,
        "table": problem.table,
        "template": learned.rules,
    }
    rows = problem.table.distinct()
    if isinstance(wanted, OOASettings):
        limits = [most_patterns(objective, learned.certificate.objective), wanted.max_patterns]
        if not learned.certificate.feasible:
            limits = limits[1:]
        K = min((limit for limit in limits if limit is not None), default=1)
        K = max(1, len(learned.rules), K)
        common |= {"merge": not problem.constraints, "thresholds": wanted.thresholds}
        return CompactFormulation(rows, objective, K, **common), learned
    if not len(learned.candidates) and not problem.constraints:
        raise OptionError(
            f"no pattern can be worth its price at --c1 {wanted.C1} --c2 {wanted.C2}, so there is no "
            "model to solve: lower them"
        )
    made = OOAxFormulation(learned.candidates, rows, objective, max_patterns=wanted.max_patterns, **common)
    return made, learned


class _NoSolver(Backend):
    """In the place of a solver: everything up to the solve is done, and nothing is solved."""

    name = "none"
    package = ""

    @classmethod
    def availability(cls) -> Availability:
        return Availability(True)

    def import_solver(self) -> None: ...

    def version(self) -> str:
        return ""

    def load(self, milp: Milp) -> None: ...

    def run(self, params: SolveParams, start: Any, monitor: Monitor) -> RawResult:
        return RawResult(Termination.NODE_LIMIT, "not solved")

    def interrupt(self) -> None: ...

    def close(self) -> None: ...
