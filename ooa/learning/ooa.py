"""OOA end to end: OOAx for a start, families of boxes for the proof, and a MIP that forms the patterns."""

from __future__ import annotations

import math
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from ooa.candidates.bounds import most_patterns
from ooa.candidates.candidates import Candidates
from ooa.candidates.generate import MOST_SETS
from ooa.data.rows import DistinctRows
from ooa.data.table import Table
from ooa.errors import InfeasibleConstraints, OptionError
from ooa.formulations.base import ConstraintLike
from ooa.formulations.box_filters import NO_FILTERS, BoxFilters
from ooa.formulations.boxes import BoxFormulation
from ooa.formulations.ooa_compact import CompactFormulation
from ooa.formulations.ooa_paper import OOAFormulation
from ooa.keeping import clean_end
from ooa.logs import logger
from ooa.rules.ruleset import RuleSet
from ooa.solving.solution import Termination

from .box_constraints import filters_of, kept_alone
from .boxes import Boxing, boxes_can_be_had, too_many_cells
from .certificate import Scope
from .conflict import clashing, conflict
from .ooa_plan import decomposes, plan_ooa
from .ooax import run_ooax
from .plan import Plan, Step
from .priced_boxes import PricedBoxes
from .proof_scope import language_words, sets_of
from .settings import OOASettings, OOAxSettings, takes
from .solve import Solved, solve_from_best
from .state import Fit
from .verdict import EXACT_SEARCH, NOTHING, Learned, Reach, Verdict, certify

__all__ = ["explain_ooa", "learn_ooa", "most_boxes"]

FORMS: dict[str, type[BoxFormulation]] = {"compact": CompactFormulation, "paper": OOAFormulation}


@takes(OOASettings)
def learn_ooa(table: Table, settings: OOASettings | None = None, **options: Any) -> Learned:
    """Learn a rule set whose patterns are formed freely, on mixed data as it is.

    OOAx runs first. Where all patterns there are can be mined, its optimum is OOA's, and a proof over
    them ends the fit. Otherwise its rule set is a start: without constraints families of boxes are
    searched, for better rule sets and for a bound over all patterns, with a linear program whose boxes are
    generated; what they leave open is left to a MIP that forms the patterns itself. (Families of boxes keep
    to what constraints say of patterns. Beside other constraints they have a part of the time: what they
    find without these is the answer if it meets them, and their bound holds beside them. What constraints
    say of predictions then gets prices, at which boxes find better rule sets and prove more.) The best of
    the bounds is reported, with the way it was proved. The result is never worse than that start. For a
    single pattern boxes, if they have a turn, go first: they prove the best one sooner than OOAx has a start.

    Parameters
    ----------
    table : the training data
    settings : what the fit is told; by default `OOASettings()`, with the defaults of all options
    **options : fields of `OOASettings`, in place of what the settings say

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
    >>> print(learned.certificate.headline, learned.certificate.statement, sep="\\n")
    proved optimal
    sets of at most 5 patterns (ranges of numbers, single categories; one condition per column)
    >>> learned.certificate.proof
    'decomposition'
    """
    wanted = OOASettings.of(settings, options, "learn_ooa")
    fit = Fit.of(table, wanted)
    most_boxes(fit)  # says so now if nothing limits their number
    if wanted.start is not None:  # what cannot be said is an error now
        BoxFormulation.check(fit.problem, wanted.start, **_language(wanted))
    verdict = Verdict(Candidates.of_patterns(fit.problem.rows, ()))
    with clean_end(), fit.log.line, fit.log.interruptible():
        filters = _filters(fit, wanted)
        verdict = _started(fit, wanted, filters)
        verdict = _boxed(fit, wanted, verdict, filters)
        verdict = _formed(fit, wanted, verdict)
    notes = () if verdict.termination is Termination.OPTIMAL else _of_the_start(verdict.notes)
    return certify(fit, replace(verdict, reach=_reach(fit, wanted), notes=notes, pools=()))


def _of_the_start(notes: tuple[str, ...]) -> tuple[str, ...]:
    """What OOAx left out, in the words of a fit that only starts from it."""
    return (f"in OOAx, from which the MIP starts: {notes[0]}", *notes[1:]) if notes else ()


def _reach(fit: Fit, settings: OOASettings) -> Reach:
    """What the MIP that forms patterns goes through, in words."""
    sets = 1 if settings.single_category else None
    words = language_words(fit.problem.rows, True, False, sets, settings.missing)
    if settings.every_cut:
        return Reach(Scope.ALL, f"{sets_of(fit.problem.max_patterns)} ({words})")
    return Reach(Scope.LENGTH, f"{sets_of(fit.problem.max_patterns)} over these thresholds ({words})")


def boxes(fit: Fit, settings: OOASettings, K: int, constraints: Iterable[ConstraintLike]) -> BoxFormulation:
    """The MIP with so many boxes, beside some of the constraints."""
    return FORMS[settings.formulation].of(
        replace(fit.problem, constraints=tuple(constraints)),
        K,
        **_language(settings),
        merge=not fit.problem.constraints,
    )


def _language(settings: OOASettings) -> dict[str, Any]:
    """What boxes can say."""
    return {
        "single_category": settings.single_category,
        "missing": settings.missing,
        "thresholds": settings.thresholds,
        "max_thresholds": settings.max_thresholds,
    }


def most_boxes(fit: Fit) -> int:
    """The most patterns an optimal rule set can have, by Theorem 3 and the user's limit."""
    problem, upper = fit.problem, fit.best.upper
    by_theorem = None if upper is None else most_patterns(problem.objective, upper)
    limits = [limit for limit in (by_theorem, problem.max_patterns) if limit is not None]
    if not limits:
        raise OptionError("nothing limits the number of patterns here: give max_patterns")
    return max(1, min(limits))


def _filters(fit: Fit, settings: OOASettings) -> BoxFilters:
    """What constraints say that families of boxes keep to, if these can be searched."""
    if not boxes_can_be_had(fit, settings) or too_many_cells(fit):
        return replace(NO_FILTERS, left=fit.problem.constraints)
    return filters_of(fit, _language(settings), _boxes_needed(fit))


def _started(fit: Fit, settings: OOASettings, filters: BoxFilters) -> Verdict:
    """OOAx first: a proof over all patterns where they can be mined, or else a start.

    The verdict is about OOA: what was proved for fewer patterns counts for nothing.
    """
    plan = _planned(fit, settings, filters)
    verdict = Verdict(Candidates.of_patterns(fit.problem.rows, ()))
    seconds = plan.turns[0].seconds
    constrained, boxed = bool(filters.left), plan.has(Step.BOXES)
    if (constrained or not boxed) and _too_large(fit, _boxes_needed(fit), 1 - fit.policy.ooax_share):
        left = fit.timing.deadline.left()  # there will be no MIP that needs the rest
        seconds = (1 - fit.policy.free_boxes_share) * left if boxed and left is not None else None
    with fit.timing.within(seconds):
        for turn in plan.turns:
            if turn.step not in (Step.OOAX_ALL, Step.OOAX_COARSE):
                continue
            everything = turn.step is Step.OOAX_ALL
            wanted = _all_patterns(settings, fit.problem.rows) if everything else _coarse(settings)
            # Mining and all else take shares of what is left. What mined patterns cannot meet, boxes may.
            with fit.timing.within(None), suppress(InfeasibleConstraints):
                verdict = run_ooax(fit, wanted, all_or_none=everything)
            if not everything and not settings.single_category:
                verdict = replace(verdict, reach=NOTHING)  # sets of categories were not looked at
            if fit.log.interrupted or verdict.reach.everything:
                break
    if not verdict.reach.everything or not decomposes(settings, fit.problem.allows_removal):
        fit.log.forget_bounds(fit.problem.grid.below(fit.problem.trivial))
        verdict = replace(verdict, bound=None, confirmed_by="", claimed=None)
    return _ended(fit, replace(verdict, proof="decomposition", termination=Termination.EXHAUSTED))


def _ended(fit: Fit, verdict: Verdict) -> Verdict:
    """The verdict, which is the last word if it proves the best rule set known."""
    upper, least = fit.best.upper, max(verdict.bound or Fraction(0), fit.problem.trivial)
    closed = upper is not None and fit.problem.closes(least, upper)
    return replace(verdict, termination=Termination.OPTIMAL) if closed else verdict


def _boxed(fit: Fit, settings: OOASettings, verdict: Verdict, filters: BoxFilters) -> Verdict:
    """Families of boxes for what OOAx left open; the better of the two bounds counts.

    With no constraints at first but those that they keep to: what they find is the answer if it meets the
    others, and what they prove holds beside these all the more. Then with prices on what constraints say of
    predictions.
    """
    free = kept_alone(fit, filters)
    if verdict.termination is Termination.OPTIMAL or fit.over or not boxes_can_be_had(free, settings):
        return verdict
    if too_many_cells(fit):
        fit.log.notes.append(f"no search of boxes over {_size(fit)}: time or memory left is too short for it")
        return verdict
    policy, boxing = fit.policy, None
    with fit.log.interruptible():
        boxing = Boxing(free, _language(settings), filters=filters)
        most, limited = _boxes_needed(free), fit.timing.deadline.limited
        alone = _too_large(fit, most, 1 - policy.boxes_share)  # there will be no MIP that needs the rest
        share, seconds = 1.0 if alone else policy.boxes_share, policy.boxes_seconds
        if free is not fit:
            share, seconds = policy.free_boxes_share, policy.free_boxes_seconds
        until = fit.timing.deadline.share_of_rest(share, math.inf if limited else seconds)
        if most > 1:  # the best single box is what is proved at once
            within = limited or free is not fit
            boxing.improve(until.share_of_rest(policy.box_start_share) if within else fit.timing.deadline)
            most = _boxes_needed(free)
        boxing.prove(most, until)
    fit.best.offer(free.best.rules)
    if boxing is not None:
        verdict = verdict.with_bound(boxing.bound, _reach(fit, settings), boxing.proof, EXACT_SEARCH)
    fit.timing.book("boxes")
    verdict = _ended(fit, verdict)
    if free is fit or fit.over or verdict.termination is Termination.OPTIMAL:
        return verdict
    return _priced(fit, settings, verdict, free.best.rules, filters)


def _priced(
    fit: Fit, settings: OOASettings, verdict: Verdict, freely: RuleSet, filters: BoxFilters
) -> Verdict:
    """Families of boxes with prices on what constraints say of predictions: a bound beside them."""
    priced = PricedBoxes(fit, _language(settings), filters)
    if not priced.possible:
        return verdict
    policy = fit.policy
    most, limited = _boxes_needed(fit), fit.timing.deadline.limited
    alone = _too_large(fit, most, 1 - policy.priced_boxes_share)  # there will be no MIP that needs the rest
    share = 1.0 if alone else policy.priced_boxes_share
    until = fit.timing.deadline.share_of_rest(share, math.inf if limited else policy.free_boxes_seconds)
    with fit.log.interruptible():
        priced.prove(most, until, (freely,))
    boxing = priced.boxing
    if boxing is not None:
        verdict = verdict.with_bound(boxing.bound, _reach(fit, settings), boxing.proof, EXACT_SEARCH)
    fit.timing.book("boxes")
    return _ended(fit, verdict)


def _formed(fit: Fit, settings: OOASettings, verdict: Verdict) -> Verdict:
    """The MIP for what OOAx left open; the better of the two bounds counts."""
    if verdict.termination is not Termination.OPTIMAL and not fit.over:
        if _too_large(fit, _boxes_needed(fit)):
            fit.log.notes.append(f"no MIP over {_size(fit)}: no solver would keep to the time that is left")
            return verdict
        with fit.log.interruptible():
            verdict = verdict.with_solved(_form(fit, settings), _reach(fit, settings), "formation")
    fit.timing.book("forming")
    return verdict


def _form(fit: Fit, settings: OOASettings) -> Solved:
    """Solve the MIP with as many boxes as an optimal rule set can need."""
    n, constraints = _boxes_needed(fit), fit.problem.constraints
    solved = solve_from_best(fit, boxes(fit, settings, n, constraints))
    infeasible = solved.solution.termination is Termination.INFEASIBLE
    if infeasible and constraints and fit.best.upper is None:
        clash = clashing(lambda some: boxes(fit, settings, n, some), solved.solver, fit.timing.deadline)
        raise conflict(constraints, clash, _reach(fit, settings).statement)
    return solved


def _boxes_needed(fit: Fit) -> int:
    """As many boxes as an optimal rule set, or the best known, can need."""
    return max(len(fit.best.rules), most_boxes(fit))


def _too_large(fit: Fit, K: int, share: float = 1.0) -> bool:
    """Whether the MIP with so many boxes is too much to be made, and solved, in a share of the time."""
    left, rows = fit.timing.deadline.left(), fit.problem.rows
    nonzeros = 3 * K * rows.n_rows * len(rows.columns)  # about
    return left is not None and nonzeros > share * left * fit.policy.mip_per_second


def _size(fit: Fit) -> str:
    return f"{fit.problem.rows.n_rows:,} rows and {len(fit.problem.rows.columns):,} columns"


def _planned(fit: Fit, settings: OOASettings, filters: BoxFilters) -> Plan:
    """The plan, for those who want to hear it."""
    plan = _plan(fit, settings, filters)
    for line in str(plan).splitlines():
        logger.info("plan: %s", line)
    return plan


def _plan(fit: Fit, settings: OOASettings, filters: BoxFilters) -> Plan:
    literals = _all_literals(fit.problem.rows, settings)
    had = boxes_can_be_had(fit, settings) and not too_many_cells(fit)
    return plan_ooa(literals, settings, fit.problem.allows_removal, had, constrained=bool(filters.left))


def _all_literals(rows: DistinctRows, settings: OOASettings) -> int:
    """How many ranges between observed values, and categories or sets of them, there are.

    Once they are too many for all patterns, nobody needs to know by how many.
    """
    total = 0
    for column in rows.columns:
        if total > max(settings.policy.all_literals, MOST_SETS):
            break
        values = len(np.unique(column.values[~column.missing]))
        if column.kind == "numeric":
            total += values * (values + 1) // 2
        else:
            total += values if settings.single_category else 2**values - 1
    return total


def _all_patterns(settings: OOASettings, rows: DistinctRows) -> OOAxSettings:
    """OOAx over everything that OOA can say."""
    categories = max((len(column.categories) for column in rows.columns), default=0)
    return OOAxSettings(
        **settings.common()
        | {
            "max_length": None,
            "max_candidates": None,
            "thresholds": "distinct",
            "ranges": True,
            "sets": 1 if settings.single_category else max(1, categories),
            "max_mined": settings.policy.all_patterns,
        }
    )


def _coarse(settings: OOASettings) -> OOAxSettings:
    """OOAx as it is by default, over the cuts asked for if they are few."""
    return OOAxSettings(**settings.common() | settings.language())


def explain_ooa(table: Table, settings: OOASettings) -> str:
    """The plan of a fit in words; nothing is solved."""
    fit = Fit.of(table, settings)
    rows = fit.problem.rows
    about = f"{rows.n_rows:,} distinct rows, at most {most_boxes(fit)} patterns"
    return f"{about}\n{_plan(fit, settings, _filters(fit, settings))}"
