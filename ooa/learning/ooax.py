"""OOAx end to end: mine, screen, select, certify."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from typing import Any

from ooa.candidates.candidates import Candidates
from ooa.candidates.screening import screen
from ooa.constraints.structure import require_pattern
from ooa.data.table import Table
from ooa.errors import RuleError
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet
from ooa.solving.backend import Backend
from ooa.solving.registry import get_backend
from ooa.solving.solution import Progress, Solution, Termination

from .certificate import Certificate, Scope
from .improve import glance, search
from .mine import MINING_SHARE, SEARCH_SHARE, filtered, look_early, mine_all, of_mined
from .proof_scope import scope_of
from .select import FEW, OOAxOptions, Stage, choose, search_at_once, search_first
from .settings import OOAxSettings, takes
from .state import Fit

#: Beyond so many candidates the exact search does not start without any rule set.
GLANCE = 1_000


@dataclass(frozen=True)
class Learned:
    """A rule set, its certificate, and how it came about.

    Attributes
    ----------
    rules : what was learned
    certificate : what it is worth, and what is proved about it
    candidates : what the selection was made from
    solution : what the solver returned last, if one was called
    trace : when better rule sets and bounds became known, in seconds since the fit began and units of L;
        `ooa.learning.course.fit_course` makes curves of it, `ooa.plot_progress` a picture
    """

    rules: RuleSet
    certificate: Certificate
    candidates: Candidates
    solution: Solution | None
    trace: tuple[Progress, ...] = ()


@takes(OOAxSettings)
def learn_ooax(table: Table, settings: OOAxSettings | None = None, **options: Any) -> Learned:
    """Learn a rule set by mining, screening and selecting patterns.

    Parameters
    ----------
    table : the training data
    settings : what the fit is told; by default `OOAxSettings()`, with the defaults of all options
    **options : fields of `OOAxSettings`, in the place of what the settings say

    Returns
    -------
    Learned
        Always: a limit, Ctrl-C or a solver's failure only makes the certificate weaker, and it says so.

    Examples
    --------
    >>> from ooa.datasets import monks
    >>> data = monks(1)
    >>> learned = learn_ooax(Table.from_any(data.X, data.y), C1=0.001, C2=0.001)
    >>> print(learned.rules.to_text(unicode=False))
    IF   (jacket_color = red)
      OR (body_shape = octagon AND head_shape = octagon)
      OR (body_shape = round AND head_shape = round)
      OR (body_shape = square AND head_shape = square)
    THEN predict monk = 1
    ELSE predict monk = 0
    >>> learned.certificate.proved, learned.certificate.statement
    (True, 'all patterns up to length 3 over these 17 literals')
    """
    wanted = OOAxSettings.of(settings, options, "learn_ooax")
    fit = Fit.of(table, wanted)
    solver = get_backend(wanted.backend)
    start = wanted.start
    with fit.line:
        stage = run_ooax(fit, solver, OOAxOptions.of(wanted), start)
    fit.notes += stage.notes
    certificate = fit.certify(
        stage.bound,
        stage.scope,
        stage.statement,
        stage.termination,
        stage.counts,
        stage.solution,
        "decomposition" if stage.scope is Scope.ALL else stage.proof,
    )
    return Learned(fit.best, certificate, stage.candidates, stage.solution, tuple(fit.trace))


def run_ooax(fit: Fit, solver: Backend, options: OOAxOptions, start: RuleSet | None = None) -> Stage:
    """Mine, screen and select within a fit in progress; the best rule set is left in the fit."""
    rows = fit.rows
    keep = options.keep
    required = [c.pattern for c in fit.constraints if isinstance(c, require_pattern)]
    allowed = [*options.patterns, *(start or ()), *(p for p in required if isinstance(p, Pattern))]
    if keep is not None:
        barred = [pattern for pattern in start or () if not keep(pattern)]
        if barred:
            raise RuleError(f"the start has pattern {barred[0]}, which keep does not let pass")
        allowed = [pattern for pattern in allowed if keep(pattern)]
    own = Candidates.of_patterns(rows, allowed)
    stage = Stage(own)
    with fit.interruptible():
        if start is not None:
            fit.offer(start)
        literals = options.literals(rows)
        fit.clock("literals")
        merit = options.merit(rows)
        if keep is None and "incumbent" not in options.without:
            look_early(fit, literals, options, merit)
            fit.clock("incumbent")
        mined = mine_all(fit, literals, options, merit, stage.notes)
        if options.all_or_none and not mined.complete:
            fit.clock("mining")
            return stage
        candidates = of_mined(literals, mined)
        if keep is not None:
            candidates, mined = filtered(fit, candidates, mined, keep, stage.notes)
        candidates = candidates.joined(own)
        fit.clock("mining")
        improve = None
        if "incumbent" not in options.without:
            few = len(candidates) <= FEW and not fit.constraints  # a search takes longer than the solver
            if few or len(candidates) > GLANCE:
                glance(fit, candidates)
            if search_at_once(fit, candidates, options):
                improve = partial(_search_later, fit, candidates)
            elif not few:
                search(fit, candidates, fit.instant(MINING_SHARE + SEARCH_SHARE))
        fit.clock("incumbent")
        screened, report = screen(
            candidates,
            rows,
            fit.objective,
            upper=fit.upper if "bounds" not in options.without else None,
            removal=fit.removal,
            dominance=fit.dominance and "dominance" not in options.without,
            pairs=not search_first(fit, candidates, options),  # it does so faster, and with weights
            deadline=fit.deadline(MINING_SHARE + 2 * SEARCH_SHARE),
        )
        screened = screened.joined(Candidates.of_patterns(rows, fit.best))
        stage.candidates = screened
        stage.counts = {"literals": len(literals)} | report.counts
        stage.scope, stage.statement = scope_of(
            literals, mined, report, options, rows, len(screened), fit.removal, own
        )
        fit.clock("screening")
        if not len(screened) and mined.complete and not fit.constraints:
            stage.bound, stage.termination = fit.upper, Termination.OPTIMAL
        elif (len(screened) or fit.constraints) and not fit.interrupted and fit.left() != 0.0:
            choose(fit, solver, options, stage, merit, own, improve)
    fit.clock("solving")
    return stage


def _search_later(fit: Fit, candidates: Candidates) -> None:
    """The local search, after the exact search has tried."""
    left = fit.left()
    search(fit, candidates, None if left is None else time.monotonic() + SEARCH_SHARE * left)
    fit.clock("incumbent")
