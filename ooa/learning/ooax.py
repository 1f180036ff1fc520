"""OOAx end to end: literals, mine, improve, screen, prove or select, certify."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from ooa.candidates.candidates import Candidates
from ooa.candidates.generate import LiteralSet
from ooa.candidates.screening import screen
from ooa.checks import instance
from ooa.data.table import Table
from ooa.errors import InfeasibleConstraints
from ooa.keeping import clean_end
from ooa.logs import logger
from ooa.rules.ruleset import RuleSet
from ooa.solving.solution import Termination

from .barred import literals_left
from .binding import BindingLimit
from .conditions import literals_in_time, literals_of
from .constrained import all_counted, free_first, only_allowed
from .generate import GENERATION, Generating
from .improve import (
    search_the_rest,
    start_if_too_large,
    too_late,
    width_in_time,
)
from .improve_by_plan import improve_by_plan, improve_later
from .look_first import look_at_smaller, searched_singly
from .mine import (
    Mining,
    given_patterns,
    least_supports,
    look_early,
    mine_patterns,
    mining_budget,
    most_mined,
)
from .plan import Plan, Step, facts_of, looks_early, plan_ooax
from .proof_scope import reach_of
from .prove import Improvement
from .refusing import named_conflict, refuse_at_sight, refuse_the_impossible
from .replace import Replacing, replaceable
from .rounds import begun_rounds
from .select import Choosing
from .settings import OOAxSettings, takes
from .smaller import looked_at_first
from .state import Fit
from .stock import Stock
from .verdict import EXACT_SEARCH, Learned, Verdict, certify
from .wider_limits import limits_that_bind

__all__ = ["explain_ooax", "learn_ooax", "run_ooax"]


@takes(OOAxSettings)
def learn_ooax(
    table: Table, settings: OOAxSettings | None = None, *, stock: Stock | None = None, **options: Any
) -> Learned:
    """Learn a rule set by mining, screening and selecting patterns.

    Parameters
    ----------
    table : the training data
    settings : what the fit is told; by default `OOAxSettings()`, with the defaults of all options
    stock : what other fits over this table have mined, where there are any at prices that are no higher
    **options : fields of `OOAxSettings`, in place of what the settings say

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
    >>> learned.certificate.proved, learned.certificate.statement.partition(" (")[0]
    (True, 'sets of at most 5 patterns up to length 3 over these 17 literals')
    """
    wanted = OOAxSettings.of(settings, options, "learn_ooax")
    if stock is not None:
        instance(stock, "stock", Stock, "a Stock")
    fit = Fit.of(table, wanted)
    with clean_end(), fit.log.line:
        verdict = run_ooax(fit, wanted, stock=stock)
    if verdict.reach.everything and verdict.proof != GENERATION:
        verdict = replace(verdict, proof="decomposition")
    return certify(fit, verdict)


def run_ooax(
    fit: Fit,
    settings: OOAxSettings,
    *,
    all_or_none: bool = False,
    choose: bool = True,
    smaller: bool = True,
    stock: Stock | None = None,
) -> Verdict:
    """Mine, improve, screen and choose within a fit in progress; the best rule set is left in the fit.

    With `all_or_none` nothing is chosen unless all patterns could be mined. Without `choose` it ends with
    the candidates that the selection ILP would get. With `smaller` it begins with smaller languages, where
    there are many patterns. What a `stock` has need not be mined.
    """
    own, asked = given_patterns(fit, settings), fit
    verdict = Verdict(own)
    limits: tuple[BindingLimit, ...] = ()
    with fit.log.interruptible():
        if settings.start is not None:
            fit.best.offer(settings.start)
        in_stock = None if stock is None else stock.take(fit, settings)
        literals = literals_in_time(fit, settings) if in_stock is None else in_stock.literals
        fit.timing.book("literals")
        if fit.over and not fit.log.interrupted:
            return replace(verdict, notes=(literals.note or "there was time for single conditions only",))
        fresh = in_stock is None and choose and not all_or_none
        in_rounds = fresh and smaller and replaceable(fit, settings)
        if fresh and smaller and not in_rounds:
            look_at_smaller(fit, literals, settings, partial(run_ooax, smaller=False))
        if fresh and stock is None:
            fit, literals, own = literals_left(fit, literals, own, settings)
        replacing = Replacing(fit, literals, settings)
        rounds = begun_rounds(fit, literals, settings, replacing) if in_rounds else None
        budget = mining_budget(fit, settings)
        generating = Generating(fit, literals, settings, own, replacing)
        singly = fresh and searched_singly(fit, literals, settings)
        if in_stock is None and rounds is None:
            _look_first(fit, literals, settings, replacing, singly)
        while True:
            with fit.timing.within(None):  # shares of the time are of what is left
                mined = in_stock or _mined(fit, literals, settings, budget, all_or_none or singly, stock)
                mined = replace(mined, candidates=mined.candidates.joined(own))
                fit.timing.book("mining")
                if all_or_none and not mined.complete:
                    return replace(verdict, notes=mined.notes)
                filtered, allowed = only_allowed(fit, mined.candidates)
                some = replace(mined, candidates=allowed)
                try:
                    chosen = _choice(filtered, settings, some, own, generating, choose=choose)
                except InfeasibleConstraints as error:
                    reach = reach_of(fit.problem, mined, settings, own, len(mined.candidates), safe=True)
                    raise named_conflict(fit, mined.candidates, reach.words, error) from None
                mined, verdict = some, chosen.after(verdict)
            most = most_mined(fit, settings)
            if singly or not choose or fit.over or not mined.over_budget or budget >= most:
                break
            budget = min(most, fit.policy.growth * budget)
            if width_in_time(fit, budget) <= len(mined.candidates):  # no more could be looked at
                break
        if choose and not mined.complete:
            (rounds or replacing).use_the_rest()
        limits = limits_that_bind(fit, mined.candidates, mined.literals, settings.max_length)
    asked.best.offer(fit.best.rules)
    return replace(verdict, limits=limits)


def _mined(
    fit: Fit,
    literals: LiteralSet,
    settings: OOAxSettings,
    budget: int,
    all_or_none: bool,
    stock: Stock | None,
) -> Mining:
    """Patterns that are not in stock; then they are."""
    mined = mine_patterns(fit, literals, settings, least_supports(fit, settings), budget, all_or_none)
    if stock is not None:
        stock.add(fit, mined)
    return mined


def _look_first(
    fit: Fit, literals: LiteralSet, settings: OOAxSettings, replacing: Replacing, singly: bool
) -> None:
    """Good rule sets before anything is mined, where mining takes a while."""
    if singly:
        replacing.look()
    elif looks_early(len(literals), fit.problem.rows.n_rows, settings):
        look_early(fit, literals, settings)
        fit.timing.book("incumbent")
    fit.log.heed()


def _choice(
    fit: Fit, settings: OOAxSettings, mined: Mining, own: Candidates, generating: Generating, *, choose: bool
) -> Verdict:
    """Improve, screen and choose among what was mined."""
    replacing = generating.replacing
    if "incumbent" not in settings.without:
        start_if_too_large(fit, mined.candidates)
    plan = _planned(fit, mined.candidates, mined, settings)
    among = reach_of(fit.best.problem, mined, settings, own, len(mined.candidates), safe=True).words
    if choose and settings.selection != "ilp":
        refuse_at_sight(fit, mined.candidates, among)
    free, known = _without_constraints(fit, settings, mined, own, plan) if choose else ((), None)
    if known is not None and known.termination is Termination.OPTIMAL:
        return known
    refuse = None
    if choose and settings.selection != "ilp" and plan.has(Step.FREE):
        refuse = partial(refuse_the_impossible, fit, mined.candidates, among, briefly=True)
    improve_by_plan(fit, mined.candidates, plan, free, refuse)
    seconds, briefly = None, False
    if plan.has(Step.REPLACE) and not plan.search_later and not fit.over and replacing.in_time():
        briefly = mined.complete and not replacing.turns and not fit.problem.constraints
        found = replacing.found() if replacing.turns else replacing.turn(brief=briefly)
        mined = replace(mined, candidates=mined.candidates.joined(found))
        if plan.has(Step.GENERATE) and not mined.complete and not fit.over and generating.possible():
            mined = generating.turn(mined)
        left = fit.timing.deadline.left()
        # What is proved over some patterns says nothing about the others, so not all time goes to that.
        seconds = None if mined.complete or left is None else fit.policy.choice_share * left
    if fit.log.interrupted or too_late(fit, mined.candidates):
        counts = {"literals": len(mined.literals), "mined": len(mined.candidates)}
        return generating.told(Verdict(mined.candidates, counts=counts, notes=mined.notes), mined)
    # Within limits the search does so itself, in its own way; a solver is asked late there.
    counted = plan.has(Step.FREE) and all_counted(fit, mined.candidates)
    screened = _screened(fit, mined, settings, own, pairs=plan.has(Step.DOMINANCE) and not counted)
    if not choose:
        candidates, reach, verdict = Choosing(fit, settings, screened, own).handed_over()
        return replace(verdict, candidates=candidates, reach=reach)
    with fit.timing.within(seconds), fit.log.interruptible():
        if briefly and plan.has(Step.LOCAL):
            search_the_rest(fit, screened.candidates)
        later = replacing if plan.has(Step.REPLACE) else None
        improve = None
        if plan.search_later:
            improve = Improvement(partial(improve_later, fit, mined.candidates, later), long=False)
        if briefly:  # the rest of it if the proof is not near after all
            improve = Improvement(partial(replacing.look, brief=False), long=True)
        screened = _chosen(fit, settings, improve, mined, screened, own)
    fit.timing.book("solving")
    if known is not None:
        screened = screened.with_bound(known.bound, known.reach, known.proof, known.confirmed_by)
    return generating.told(screened, mined)


def _without_constraints(
    fit: Fit, settings: OOAxSettings, mined: Mining, own: Candidates, plan: Plan
) -> tuple[tuple[RuleSet, ...], Verdict | None]:
    """What a short search finds, and finds out, that ignores the constraints, if there are any."""
    if not plan.has(Step.FREE) or fit.over:
        return (), None
    best, proof = free_first(fit, mined.candidates, frozenset(settings.without))
    fit.timing.book("searching")
    counts = {"literals": len(mined.literals), "mined": len(mined.candidates)}
    verdict = Verdict(mined.candidates, counts=counts, notes=mined.notes)
    reach = reach_of(fit.best.problem, mined, settings, own, len(mined.candidates), safe=True)
    verdict = verdict.with_bound(proof.bound, reach, "search", EXACT_SEARCH)
    upper = fit.best.upper
    closed = verdict.bound is not None and upper is not None and fit.problem.closes(verdict.bound, upper)
    return (best,), replace(verdict, termination=Termination.OPTIMAL) if closed else verdict


def _planned(fit: Fit, candidates: Candidates, mined: Mining, settings: OOAxSettings) -> Plan:
    """The plan at this moment, for those who want to hear it."""
    plan = plan_ooax(facts_of(fit, candidates, len(mined.literals), complete=mined.complete), settings)
    for line in str(plan).splitlines():
        logger.info("plan: %s", line)
    return plan


def _screened(fit: Fit, mined: Mining, settings: OOAxSettings, own: Candidates, *, pairs: bool) -> Verdict:
    """Drop what the bounds exclude and what others make superfluous; nothing is proved yet."""
    problem, policy = fit.problem, fit.policy
    fit.log.line.update(f"screening {len(mined.candidates):,} patterns")
    candidates, report = screen(
        mined.candidates,
        problem.rows,
        problem.objective,
        upper=fit.best.upper if "bounds" not in settings.without else None,
        removal=problem.allows_removal,
        dominance=problem.allows_dominance and "dominance" not in settings.without,
        pairs=pairs,  # the exact search does so faster, and with weights
        deadline=fit.timing.deadline.share(policy.mining_share + 2 * policy.search_share),
    )
    candidates = candidates.joined(Candidates.of_patterns(problem.rows, fit.best.rules))
    reach = reach_of(fit.best.problem, mined, settings, own, len(mined.candidates), safe=report.safe)
    fit.timing.book("screening")
    counts = {"literals": len(mined.literals)} | report.counts
    return Verdict(candidates, reach=reach, counts=counts, notes=mined.notes)


def _chosen(
    fit: Fit,
    settings: OOAxSettings,
    improve: Improvement | None,
    mined: Mining,
    screened: Verdict,
    own: Candidates,
) -> Verdict:
    """Choose among what screening left, by a plan made anew for that."""
    left, constrained = len(screened.candidates), bool(fit.problem.constraints)
    if not left and not constrained:
        if not mined.complete:
            return screened
        return replace(screened, bound=fit.best.upper, termination=Termination.OPTIMAL)
    if settings.selection != "ilp":
        refuse_the_impossible(fit, screened.candidates, screened.reach.words)
    if fit.over:
        return screened
    now = _planned(fit, screened.candidates, mined, settings)
    return Choosing(fit, settings, screened, own).run(now, improve)


def explain_ooax(table: Table, settings: OOAxSettings) -> str:
    """The plan of a fit in words: patterns are mined for it, and nothing is solved.

    Examples
    --------
    >>> from ooa.datasets import monks
    >>> data = monks(1)
    >>> print(explain_ooax(Table.from_any(data.X, data.y), OOAxSettings(time_limit=60, selection="ilp")))
    432 distinct rows, 17 literals, 557 patterns mined
    1. mining: at most 24 s, every pattern that an optimal rule set can have
    2. local search: at most 6 s, a good rule set to start from
    3. pairwise dominance: fewer candidates for the ILP
    4. selection ILP: the way that was asked for
    """
    fit = Fit.of(table, settings)
    rows, literals = fit.problem.rows, literals_of(settings, fit.problem)
    mined = mine_patterns(
        fit, literals, settings, least_supports(fit, settings), mining_budget(fit, settings)
    )
    candidates = mined.candidates.joined(given_patterns(fit, settings))
    facts = facts_of(fit, candidates, len(literals), complete=mined.complete)
    facts = replace(facts, seconds=settings.seconds, smaller=tuple(looked_at_first(rows, literals, settings)))
    about = f"{rows.n_rows:,} distinct rows, {len(literals):,} literals, {len(candidates):,} patterns mined"
    return "\n".join([about, *mined.notes, str(plan_ooax(facts, settings))])
