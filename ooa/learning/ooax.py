"""OOAx end to end: mine, screen, select, certify."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ooa.candidates.candidates import Candidates
from ooa.candidates.screening import Score, screen
from ooa.candidates.thresholds import Thresholds
from ooa.constraints.structure import require_pattern
from ooa.data.table import Table
from ooa.errors import OptionError, RuleError
from ooa.formulations.base import ConstraintLike
from ooa.formulations.ooax import Form
from ooa.live_line import LiveLine
from ooa.objective import Objective
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet
from ooa.solving.backend import Backend, SolveParams
from ooa.solving.registry import get_backend
from ooa.solving.solution import Progress, Solution, Termination

from .certificate import Certificate, Scope
from .improve import glance, search
from .mine import MINING_SHARE, SEARCH_SHARE, filtered, look_early, mine_all, of_mined
from .proof_scope import scope_of
from .select import FEW, OOAxOptions, Selection, Stage, choose, meant, named, search_at_once, search_first
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


def learn_ooax(
    table: Table,
    *,
    C1: Any = 0.002,
    C2: Any = 0.002,
    max_patterns: int | None = 5,
    max_length: int | None = 3,
    min_support: float | None = None,
    max_candidates: int | None = 2_000,
    gamma: float = 0.0,
    thresholds: Thresholds = "auto",
    max_thresholds: int = 9,
    ranges: bool = False,
    negations: bool = False,
    sets: int = 1,
    missing: bool = False,
    patterns: Iterable[Pattern] = (),
    score: Score | None = None,
    keep: Callable[[Pattern], bool] | None = None,
    start: RuleSet | None = None,
    constraints: Iterable[ConstraintLike] = (),
    engine: str = "bitset",
    max_mined: int = 1_000_000,
    selection: Selection = "auto",
    form: Form = "auto",
    without: Iterable[str] = (),
    backend: str | Backend = "highs",
    time_limit: float | None = None,
    relative_gap: float = 0.0,
    threads: int = 1,
    seed: int = 0,
    log: Any = None,
    progress: bool | None = None,
    options: dict[str, Any] | None = None,
) -> Learned:
    """Learn a rule set by mining, screening and selecting patterns.

    Parameters
    ----------
    table : the training data
    C1, C2 : price of a literal and of a pattern, as shares of the rows; taken as the decimals they look like
    max_patterns : most patterns in the rule set, or None
    max_length : most literals in a pattern, or None
    min_support : least weight of the positives a pattern covers (below 1: as a share of all positives);
        None for what Theorem 2 says, which loses nothing
    max_candidates : most candidates handed to the ILP, the best by `score`; None for no limit. The exact
        search takes them all
    gamma : price of a literal in the default score, information gain
    thresholds, max_thresholds, ranges, negations, sets, missing : see `ooa.candidate_literals`
    patterns : further candidates of the user's own
    score : `score(positive, negative, length)` in the place of information gain
    keep : which patterns are allowed at all
    start : a rule set to start from; its patterns are candidates too
    engine : "bitset", or one of pyfim's "fpgrowth", "eclat", "apriori"
    max_mined : most patterns held in memory
    selection : how the candidates are chosen from: "search" goes through their sets on bitsets and needs no
        solver (see `ooa.search.branch_and_bound`; no constraints, at most 200 patterns, extra `fast`),
        "ilp" solves the selection ILP, "auto" does one after the other until there is a proof
    form : the ILP's: "aggregated" as in the paper, "disaggregated" (stronger, more rows), or "auto": the
        former; if one is named, `selection="auto"` means the ILP
    without : techniques to do without, for studies of what they bring: some of "incumbent", "bounds",
        "dominance", "multipliers" and "separation"; see `ooa.learning.select.TECHNIQUES`
    backend : name of a solver, or a `Backend`
    time_limit : seconds for everything; what is known by then is returned
    relative_gap, threads, seed, log, options : see `ooa.solving.SolveParams`
    progress : show a live line; None shows it on a terminal only

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
    solver = get_backend(backend)
    solver.require()
    params = SolveParams(
        time_limit=time_limit,
        relative_gap=relative_gap,
        threads=threads,
        seed=seed,
        log=log,
        options=options or {},
    )
    most = whole(max_patterns, "max_patterns")
    fit = Fit(table, Objective.of(C1, C2), most, params, LiveLine(progress), constraints)
    if start is not None:
        fit.check_start(start)
    settings = OOAxOptions(
        max_length=whole(max_length, "max_length"),
        min_support=min_support,
        max_candidates=whole(max_candidates, "max_candidates"),
        gamma=gamma,
        thresholds=thresholds,
        max_thresholds=max_thresholds,
        ranges=ranges,
        negations=negations,
        sets=sets,
        missing=missing,
        patterns=tuple(patterns),
        score=score,
        keep=keep,
        engine=engine,
        max_mined=max_mined,
        selection=meant(selection, form),
        form=form,
        without=named(without),
    )
    with fit.line:
        stage = run_ooax(fit, solver, settings, start)
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
            deadline=fit.instant(MINING_SHARE + 2 * SEARCH_SHARE),
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


def whole(value: int | None, name: str) -> int | None:
    """A limit that is a whole number, at least 1, or none; else an error that names it."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
        raise OptionError(f"{name} must be None or a whole number >= 1, not {value!r}")
    return int(value)
