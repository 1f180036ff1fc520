"""OOA end to end: one MIP that forms the patterns, started from OOAx, and a second way to prove it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from fractions import Fraction
from typing import Any

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
from ooa.solving.backend import Backend
from ooa.solving.registry import get_backend
from ooa.solving.solution import Solution, Termination

from .certificate import Scope
from .conflict import conflict
from .ooax import Learned, run_ooax
from .select import OOAxOptions, Stage
from .settings import OOASettings, takes
from .state import Fit

FORMS: dict[str, Callable[..., BoxFormulation]] = {"compact": CompactFormulation, "paper": OOAFormulation}
#: Share of the time limit, and seconds without one, that OOAx may take before the MIP.
OOAX_SHARE, OOAX_SECONDS = 0.5, 60.0
#: Up to so many literals (all ranges between observed values, all categories) OOAx tries all patterns.
ALL_LITERALS = 4_000
#: Up to so many patterns of that kind are mined; beyond, a coarser OOAx provides the start.
ALL_PATTERNS = 200_000


@takes(OOASettings)
def learn_ooa(table: Table, settings: OOASettings | None = None, **options: Any) -> Learned:
    """Learn a rule set by a MIP that forms the patterns itself, on mixed data as it is.

    OOAx runs first. Where all patterns there are can be mined, its optimum is OOA's, and a proof over
    them ends the fit; otherwise its rule set is the start of the MIP. The better of the two bounds is
    reported, with the way it was proved. The result is therefore never worse than OOAx's.

    Parameters
    ----------
    table : the training data
    settings : what the fit is told; by default `OOASettings()`, with the defaults of all options
    **options : fields of `OOASettings`, in the place of what the settings say

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
    wanted = OOASettings.of(settings, options, "learn_ooa")
    fit = Fit.of(table, wanted)
    solver, start, missing = get_backend(wanted.backend), wanted.start, wanted.missing
    thresholds, max_thresholds = wanted.thresholds, wanted.max_thresholds
    _most_boxes(fit)  # says so now if nothing limits their number

    def boxes(K: int, some: Iterable[ConstraintLike]) -> BoxFormulation:
        return FORMS[wanted.formulation](
            fit.rows,
            fit.objective,
            K,
            single_category=wanted.single_category,
            missing=missing,
            thresholds=thresholds,
            max_thresholds=max_thresholds,
            merge=not fit.constraints,
            constraints=some,
            table=fit.table,
            template=fit.best,
        )

    if start is not None:
        boxes(max(1, len(start)), ()).encode(start)  # raises what cannot be said
    with fit.line:
        # Where a constraint may need patterns that cover no positive, those mined are not all there are.
        decompose = wanted.decompose and wanted.single_category and fit.removal
        whole_space = decompose and thresholds == "distinct" and _few_literals(fit.rows)
        stage = Stage(Candidates.of_patterns(fit.rows, ()))
        limit = OOAX_SECONDS if wanted.time_limit is None else OOAX_SHARE * wanted.time_limit
        coarse = _coarse(missing, "auto" if thresholds == "distinct" else thresholds, max_thresholds)
        with fit.within(limit):
            for language in (_everything(missing), coarse)[0 if whole_space else 1 :]:
                # Mining and all else take shares of what is left. What mined patterns cannot meet, boxes may.
                with fit.within(fit.left() or 0.0), suppress(InfeasibleConstraints):
                    stage = run_ooax(fit, solver, language, start)
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
        raise conflict(
            lambda some: boxes(n, some), fit.constraints, solver, "all patterns", fit.deadline(1.0)
        )
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
