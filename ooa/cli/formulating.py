"""The model that a fit would solve, without solving it."""

from __future__ import annotations

import warnings
from dataclasses import replace

from ooa.candidates.bounds import most_patterns
from ooa.errors import OOAWarning, OptionError
from ooa.formulations.base import Formulation
from ooa.formulations.ooa_compact import CompactFormulation
from ooa.formulations.ooax import OOAxFormulation
from ooa.formulations.task import Task
from ooa.learning.by_settings import prepare
from ooa.learning.settings import FitSettings, OOASettings
from ooa.learning.verdict import Learned
from ooa.objective import Objective
from ooa.solving.solution import Termination

from .output import following
from .problem import Problem

__all__ = ["formulate"]


def formulate(wanted: FitSettings, problem: Problem, *, quiet: bool) -> tuple[Formulation, Learned]:
    """Build the model that `ooa fit` would solve, and the rule set it would start from."""
    with warnings.catch_warnings(), following(quiet) as progress:
        warnings.simplefilter("ignore", OOAWarning)  # that nothing was proved is no news here
        ready = prepare(problem.table, replace(wanted, progress=progress))
    if ready.certificate.termination is Termination.INTERRUPTED:  # what is there is no model to compare on
        raise KeyboardInterrupt
    objective = Objective.of(wanted.C1, wanted.C2)
    task = Task.of(problem.table, objective, wanted.max_patterns, problem.constraints)
    if isinstance(wanted, OOASettings):
        limits = [most_patterns(objective, ready.certificate.objective), wanted.max_patterns]
        if not ready.certificate.feasible:
            limits = limits[1:]
        K = min((limit for limit in limits if limit is not None), default=1)
        K = max(1, len(ready.rules), K)
        return CompactFormulation.of(task, K, thresholds=wanted.thresholds), ready
    if not len(ready.candidates) and not problem.constraints:
        raise OptionError(
            f"no pattern can be worth its price at --c1 {wanted.C1} --c2 {wanted.C2}, so there is no "
            "model to solve: lower them"
        )
    return OOAxFormulation.of(ready.candidates, task), ready
