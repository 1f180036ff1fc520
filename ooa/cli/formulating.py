"""The model that a fit would solve, without solving it."""

from __future__ import annotations

import argparse
import warnings
from typing import Any

from ooa.candidates.bounds import most_patterns
from ooa.errors import OOAWarning, OptionError
from ooa.formulations.base import Formulation
from ooa.formulations.ooa_compact import CompactFormulation
from ooa.formulations.ooax import OOAxFormulation
from ooa.formulations.task import Task
from ooa.learning.ooax import Learned
from ooa.model.milp import Milp
from ooa.objective import Objective
from ooa.solving.backend import Availability, Backend, Monitor, SolveParams
from ooa.solving.solution import RawResult, Termination

from .fitting import learn, thresholds
from .problem import Problem

__all__ = ["formulate"]


def formulate(arguments: argparse.Namespace, problem: Problem) -> tuple[Formulation, Learned]:
    """Build the model that `ooa fit` would solve, and the rule set it would start from."""
    arguments = argparse.Namespace(**{**vars(arguments), "selection": "ilp"})  # what a solver would get
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OOAWarning)  # that nothing was proved is no news here
        more = {"decompose": False} if arguments.method == "ooa" else {}
        learned = learn(arguments, problem, backend=_NoSolver(), **more)
    objective = Objective.of(arguments.c1, arguments.c2)
    task = Task.of(problem.table, objective, arguments.max_patterns, problem.constraints)
    if arguments.method == "ooa":
        limits = [most_patterns(objective, learned.certificate.objective), arguments.max_patterns]
        if not learned.certificate.feasible:
            limits = limits[1:]
        K = min((limit for limit in limits if limit is not None), default=1)
        K = max(1, len(learned.rules), K)
        return CompactFormulation.of(task, K, **thresholds(arguments)), learned
    if not len(learned.candidates) and not problem.constraints:
        raise OptionError(
            f"no pattern can be worth its price at --c1 {arguments.c1} --c2 {arguments.c2}, so there is no "
            "model to solve: lower them"
        )
    return OOAxFormulation.of(learned.candidates, task), learned


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
