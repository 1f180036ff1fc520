"""One fit in progress: what is to be learned and with what, and the three things that change on the way.

The steps of a fit are functions of it and of what the steps before them returned. Whatever happens, a
limit, Ctrl-C or a solver that fails, the best rule set so far is there to be certified.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from ooa.checks import instance
from ooa.data.table import Table
from ooa.kernels.threads import usable_threads
from ooa.live_line import LiveLine
from ooa.objective import Objective
from ooa.solving.backend import Backend
from ooa.solving.params import SolveParams
from ooa.solving.registry import get_backend

from .free_memory import free_memory
from .policy import Policy
from .problem import FitProblem
from .progress import BestKnown, Log, Timing
from .settings import FitSettings

__all__ = ["Fit"]


@dataclass(frozen=True, eq=False)
class Fit:
    """One fit in progress.

    Attributes
    ----------
    problem : what is to be learned
    solver, params : who solves programs, and how
    threads : of the compiled searches
    memory : bytes for conditions, patterns and searches
    policy : who runs when
    timing : the time that is left, and what it was spent on
    best : the best rule set known
    log : what became known when
    options : the names of what it can be told, for advice
    deterministic : whether the answer may not depend on the number of threads

    Examples
    --------
    >>> from ooa.learning.settings import OOAxSettings
    >>> table = Table.from_any({"x": [1, 2, 3, 4]}, [0, 0, 1, 1])
    >>> fit = Fit.of(table, OOAxSettings(C1="1/8", C2="1/8"))
    >>> fit.best.upper, fit.timing.deadline.left()
    (Fraction(1, 2), None)
    """

    problem: FitProblem
    solver: Backend
    params: SolveParams
    threads: int
    memory: int
    policy: Policy
    timing: Timing
    best: BestKnown
    log: Log
    options: frozenset[str]
    deterministic: bool = True

    @classmethod
    def of(cls, table: Table, settings: FitSettings) -> Fit:
        """The fit of a table that these settings ask for; what they cannot mean is an error now."""
        instance(table, "table", Table, "an ooa.Table, as Table.from_any makes it")
        solver = get_backend(settings.backend).fresh()  # what becomes of it here is no other fit's concern
        solver.require()
        params = SolveParams(
            time_limit=settings.seconds,
            relative_gap=settings.relative_gap,
            threads=settings.threads or 1,
            seed=settings.seed,
            log=settings.log,
            confirm=settings.confirm,
            clock=settings.clock,
            options=dict(settings.options),
        )
        objective = Objective.of(settings.C1, settings.C2)
        timing = Timing(settings.seconds, *settings.timekeeping())
        asked = table, objective, settings.max_patterns, settings.constraints
        problem = FitProblem.of(*asked, timing.deadline.share(settings.policy.merging_share))
        if settings.start is not None:
            problem.check_start(settings.start)
        log = Log(timing, LiveLine(settings.progress, clock=settings.clock))
        log.note_bound(problem.grid.below(problem.trivial))
        threads, policy = settings.threads or usable_threads(), settings.policy
        told_memory = None if settings.max_memory is None else settings.max_memory << 20
        memory = int(policy.free_share * free_memory()) if told_memory is None else told_memory
        best = BestKnown(problem, log)
        options = frozenset(option.name for option in fields(settings))
        told = problem, solver, params, threads, memory, policy, timing, best, log, options
        return cls(*told, deterministic=settings.deterministic)

    @property
    def over(self) -> bool:
        """Whether nothing new should be begun: time is up, memory is full, or somebody interrupted it."""
        return self.log.interrupted or self.log.full or self.timing.deadline.passed()
