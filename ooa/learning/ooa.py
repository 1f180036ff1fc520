"""OOA end to end: one MIP that forms the patterns, started from OOAx, and a second way to prove it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from ooa.candidates.bounds import most_patterns
from ooa.candidates.candidates import Candidates
from ooa.candidates.thresholds import Thresholds
from ooa.data.rows import DistinctRows
from ooa.data.table import Table
from ooa.errors import InfeasibleConstraints, LicenseLimit, OptionError
from ooa.formulations.base import ConstraintLike
from ooa.formulations.boxes import BoxFormulation
from ooa.formulations.ooa_compact import CompactFormulation
from ooa.formulations.ooa_paper import OOAFormulation
from ooa.live_line import LiveLine
from ooa.objective import Objective
from ooa.rules.ruleset import RuleSet
from ooa.solving.backend import Backend, SolveParams
from ooa.solving.registry import get_backend
from ooa.solving.solution import Solution, Termination

from .certificate import Scope
from .conflict import conflict
from .ooax import Learned, run_ooax, whole
from .select import OOAxOptions, Stage
from .state import Fit

FORMS: dict[str, Callable[..., BoxFormulation]] = {"compact": CompactFormulation, "paper": OOAFormulation}
#: Share of the time limit, and seconds without one, that OOAx may take before the MIP.
OOAX_SHARE, OOAX_SECONDS = 0.5, 60.0
#: Up to so many literals (all ranges between observed values, all categories) OOAx tries all patterns.
ALL_LITERALS = 4_000
#: Up to so many patterns of that kind are mined; beyond, a coarser OOAx provides the start.
ALL_PATTERNS = 200_000


def learn_ooa(
    table: Table,
    *,
    C1: Any = 0.002,
    C2: Any = 0.002,
    max_patterns: int | None = 5,
    formulation: Literal["compact", "paper"] = "compact",
    single_category: bool = True,
    thresholds: Thresholds = "distinct",
    max_thresholds: int = 9,
    missing: bool = False,
    start: RuleSet | None = None,
    constraints: Iterable[ConstraintLike] = (),
    decompose: bool = True,
    backend: str | Backend = "highs",
    time_limit: float | None = None,
    relative_gap: float = 0.0,
    threads: int = 1,
    seed: int = 0,
    log: Any = None,
    progress: bool | None = None,
    options: dict[str, Any] | None = None,
) -> Learned:
    """Learn a rule set by a MIP that forms the patterns itself, on mixed data as it is.

    OOAx runs first. Where all patterns there are can be mined, its optimum is OOA's, and a proof over
    them ends the fit; otherwise its rule set is the start of the MIP. The better of the two bounds is
    reported, with the way it was proved. The result is therefore never worse than OOAx's.

    Parameters
    ----------
    table : the training data
    C1, C2 : price of a literal and of a pattern, as shares of the rows; taken as the decimals they look like
    max_patterns : most patterns in the rule set; the MIP has so many boxes, or fewer if Theorem 3 says so
    formulation : "compact", or "paper" for the paper's own (larger) one; they have the same optimum
    single_category : whether a categorical literal names one category; else `x in {a, b}` is one literal
    thresholds, max_thresholds : where numeric attributes may be cut; by default between any two values
    missing : whether "is missing" is a literal of every attribute with missing values
    start : a rule set to start from, instead of OOAx's if that is worse
    constraints : see `learn_ooax`
    decompose : whether OOAx may look for a proof over all patterns
    backend, time_limit, relative_gap, threads, seed, log, progress, options : see `learn_ooax`

    Returns
    -------
    Learned
        Always; see `learn_ooax`.

    Examples
    --------
    >>> data = {"x": [1, 2, 3, 4, 5, 6], "colour": ["red", "blue", "red", "red", "blue", "red"]}
    >>> learned = learn_ooa(Table.from_any(data, [1, 1, 0, 0, 1, 1]), C1="1/20", C2="1/20")
    >>> print(learned.rules.to_text(compact=True, unicode=False))
    (x <= 2) OR (x >= 5) -> target = 1 ELSE 0
    >>> learned.certificate.proved, learned.certificate.statement, learned.certificate.proof
    (True, 'all patterns', 'decomposition')
    """
    if formulation not in FORMS:
        raise OptionError(f"formulation must be 'compact' or 'paper', not {formulation!r}")
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
    _most_boxes(fit)  # says so now if nothing limits their number

    def boxes(K: int, some: Iterable[ConstraintLike]) -> BoxFormulation:
        return FORMS[formulation](
            fit.rows,
            fit.objective,
            K,
            single_category=single_category,
            missing=missing,
            thresholds=thresholds,
            max_thresholds=max_thresholds,
            merge=not fit.constraints,
            constraints=some,
            table=fit.table,
            template=fit.best,
        )

    if start is not None:
        fit.check_start(start)
        boxes(max(1, len(start)), ()).encode(start)  # raises what cannot be said
    with fit.line:
        # Where a constraint may need patterns that cover no positive, those mined are not all there are.
        decompose = decompose and single_category and fit.removal
        whole_space = decompose and thresholds == "distinct" and _few_literals(fit.rows)
        stage = Stage(Candidates.of_patterns(fit.rows, ()))
        limit = OOAX_SECONDS if params.time_limit is None else OOAX_SHARE * params.time_limit
        coarse = _coarse(missing, "auto" if thresholds == "distinct" else thresholds, max_thresholds)
        with fit.within(limit):
            for wanted in (_everything(missing), coarse)[0 if whole_space else 1 :]:
                # Mining and all else take shares of what is left. What mined patterns cannot meet, boxes may.
                with fit.within(fit.left() or 0.0), suppress(InfeasibleConstraints):
                    stage = run_ooax(fit, solver, wanted, start)
                if fit.interrupted or stage.scope is Scope.ALL:
                    break
        solution, bound, proof = stage.solution, stage.bound, "decomposition"
        if stage.scope is not Scope.ALL or not decompose:
            bound = None  # proved for those candidates only
            fit.forget_bounds()
        least = max(bound or 0, fit.trivial)
        closed = fit.upper is not None and least >= fit.upper
        termination = Termination.OPTIMAL if closed else Termination.TIME_LIMIT
        if not closed and not fit.interrupted and fit.left() != 0.0:
            with fit.interruptible():
                try:
                    solution, other = _form(fit, solver, boxes)
                    termination = solution.termination
                    if other is not None and (bound is None or other > bound):
                        bound, proof = other, "formation"
                except LicenseLimit as error:  # the MIP is larger than what OOAx could do with
                    if not len(fit.best):
                        raise
                    fit.notes.append(str(error))
        fit.clock("forming")
    if thresholds == "distinct":
        scope, statement = Scope.ALL, "all patterns"
    else:
        scope, statement = Scope.LENGTH, "all patterns over these thresholds"
    certificate = fit.certify(bound, scope, statement, termination, stage.counts, solution, proof)
    return Learned(fit.best, certificate, stage.candidates, solution, tuple(fit.trace))


def _form(
    fit: Fit, solver: Backend, boxes: Callable[[int, Iterable[ConstraintLike]], BoxFormulation]
) -> tuple[Solution, Fraction | None]:
    """Solve the MIP with as many boxes as an optimal rule set can need."""
    n = max(len(fit.best), _most_boxes(fit))
    solution, bound = fit.solve(boxes(n, fit.constraints), solver)
    if solution.termination is Termination.INFEASIBLE and fit.constraints and fit.upper is None:
        raise conflict(lambda some: boxes(n, some), fit.constraints, solver, "all patterns", fit.left())
    return solution, bound


def _most_boxes(fit: Fit) -> int:
    """The most patterns an optimal rule set can have, by Theorem 3 and the user's limit."""
    by_theorem = None if fit.upper is None else most_patterns(fit.objective, fit.upper)
    limits = [limit for limit in (by_theorem, fit.max_patterns) if limit is not None]
    if not limits:
        raise OptionError("nothing limits the number of patterns here: give max_patterns")
    return max(1, min(limits))


def _few_literals(rows: DistinctRows) -> bool:
    """Whether all ranges between observed values and all categories are few enough to mine from."""
    total = 0
    for column in rows.columns:
        values = len(np.unique(column.values[~column.missing]))
        total += values * (values + 1) // 2 if column.kind == "numeric" else values
    return total <= ALL_LITERALS


def _everything(missing: bool) -> OOAxOptions:
    return OOAxOptions(
        max_length=None,
        max_candidates=None,
        thresholds="distinct",
        ranges=True,
        missing=missing,
        max_mined=ALL_PATTERNS,
        all_or_none=True,
    )


def _coarse(missing: bool, thresholds: Thresholds, max_thresholds: int) -> OOAxOptions:
    return OOAxOptions(
        max_candidates=2_000, thresholds=thresholds, max_thresholds=max_thresholds, missing=missing
    )
