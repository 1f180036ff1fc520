"""One solve of one model: what it was asked for, until when, and what was seen while it ran."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ooa.clock import Deadline
from ooa.errors import SolverError
from ooa.model.expressions import FloatArray
from ooa.model.milp import Milp

from .backend import Backend
from .params import SolveParams
from .prepare import Prepared
from .solution import Progress, Solution

#: Characters of solver output kept in a solution.
LOG_KEPT = 1_000_000


class Watch:
    """What was seen while a solver ran."""

    def __init__(self) -> None:
        self.trace: list[Progress] = []
        self.log: list[str] = []
        self.log_size = 0
        self.x: FloatArray | None = None
        self.value = np.inf
        self.interrupted = False  # whether Ctrl-C was pressed, whatever the solver made of it

    def keep_log(self, text: str) -> None:
        """Keep the solver's output, up to a size."""
        if self.log_size < LOG_KEPT:
            self.log.append(text)
        self.log_size += len(text)

    def keep_progress(self, progress: Progress, x: FloatArray | None) -> bool:
        """Note a moment; returns whether anything changed since the last one."""
        if x is not None and progress.incumbent is not None and progress.incumbent < self.value:
            self.x, self.value = x, progress.incumbent
        last = self.trace[-1] if self.trace else None
        if last is not None and (progress.incumbent, progress.bound) == (last.incumbent, last.bound):
            return False
        self.trace.append(progress)
        return True


@dataclass(frozen=True)
class Job:
    """What every step of a solve is handed.

    Attributes
    ----------
    backend : who solves
    milp : the model as the caller gave it
    ready : the model as the solver gets it, or what was decided without one
    params : what was asked for
    deadline : when the time limit is used up, and when the solve began
    watch : what was seen
    """

    backend: Backend
    milp: Milp
    ready: Prepared
    params: SolveParams
    deadline: Deadline
    watch: Watch = field(default_factory=Watch)

    def aside(self, milp: Milp, time_limit: float | None, **changes: Any) -> Solution:
        """Solve another model that the answer needs, without telling the user of its log and progress."""
        params = self.params.changed(time_limit=time_limit, log=None, progress=None, **changes)
        try:
            return self.backend.solve(milp, params=params)
        except SolverError as error:
            return Solution.failed(self.backend.name, str(error))
