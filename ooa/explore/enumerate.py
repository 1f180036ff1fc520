"""Several answers: the best rule sets in order, or all that are nearly as good as the best."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from ooa.candidates.candidates import Candidates
from ooa.checks import truth, whole_number, whole_or_none
from ooa.data.table import Table
from ooa.errors import OptionError
from ooa.learning.certificate import Certificate
from ooa.learning.ooax import run_ooax
from ooa.learning.settings import OOAxSettings, takes
from ooa.learning.state import Fit
from ooa.learning.verdict import EVERYTHING, Verdict
from ooa.logs import user_warn
from ooa.rules.ruleset import RuleSet
from ooa.solving.solution import Termination

from .listing import Listing
from .listing_rounds import bound_of, list_in_rounds, searchable
from .next_best import Enumeration
from .no_goods import NoGoodFormulation
from .pool import Pool, near_optimal_pool
from .rashomon import RashomonSet
from .wanted import Distance, Wanted

__all__ = ["RashomonSet", "enumerate_optimal"]

#: How many rule sets are listed if nobody says how many or how near.
DEFAULT = 10
#: The most that are drawn from all there are.
MOST_DRAWN = 1_000_000


@takes(OOAxSettings)
def enumerate_optimal(
    table: Table,
    n: int | None = None,
    within: Any = None,
    *,
    distinct_predictions: bool = False,
    redundant: bool = False,
    sample: int = 0,
    settings: OOAxSettings | None = None,
    **options: Any,
) -> RashomonSet:
    """List the best rule sets, or all that are nearly as good as the best (the Rashomon set).

    A rule set here is a set of at most `max_patterns` candidate patterns, and any two different ones
    count, also if they say the same in other words. Those that only add a redundant pattern are left out,
    unless `redundant` asks for them: one that changes no prediction on the training rows beside the others,
    where the rule set without it meets the constraints too. With `distinct_predictions` the cheapest rule
    set stands for all that predict the same on every training row.

    The candidates are those of `learn_ooax`: every pattern over the literals and up to the length asked for
    that covers some positive; but what only an optimal rule set can do without stays in, so there are more
    of them. If patterns have to be left out, for lack of time or memory or for `max_candidates`, the list is
    about the others, `pool` and `statement` say so, and it is not called complete.

    Values are exact, and so is the comparison with the optimum plus `within`. Of several rule sets that
    tie for the last of `n` places, any may be listed.

    Parameters
    ----------
    table : the training data
    n : how many rule sets; 10 if `within` is not given either, else no limit
    within : how much L may exceed the optimum, taken as the decimal it looks like; as text with a percent
        sign ("5%"), that much of the optimum
    distinct_predictions : whether rule sets with equal predictions count as one
    redundant : whether rule sets that only add a redundant pattern are listed too
    sample : how many to draw at random from all within the distance, also where these are too many to be
        listed: any as likely, with replacement, by the seed of the settings
    settings : what the fit is told; by default `OOAxSettings()`
    **options : fields of `OOAxSettings`, in place of what the settings say; `time_limit` is for
        everything, and `relative_gap` has no meaning here, as the list is proved to the end

    Returns
    -------
    RashomonSet
        Best first; of equal value, those with fewer patterns, then with fewer literals, come first.

    Examples
    --------
    >>> data = {"x": [1, 2, 3, 4, 5, 6], "colour": ["red", "blue", "red", "red", "blue", "red"]}
    >>> table = Table.from_any(data, [0, 0, 0, 1, 1, 1])
    >>> prices = {"C1": "1/50", "C2": "1/50", "max_length": 1}
    >>> near = enumerate_optimal(table, within="1/6", **prices)
    >>> near.to_frame()[["objective", "errors", "rules"]].round(3)
       objective  errors                        rules
    0      0.040     0.0  (x ≥ 4) → target = 1 ELSE 0
    1      0.207     1.0  (x ≥ 3) → target = 1 ELSE 0
    2      0.207     1.0  (x ≥ 5) → target = 1 ELSE 0
    >>> near.complete, near.certificates[1].bound
    (True, Fraction(1, 25))
    >>> print(enumerate_optimal(table, within="1/25", redundant=True, **prices))
    all 3 rule sets within 0.04 of the optimum, among sets of at most 5 patterns up to length 1 over these \
12 literals (bounds on numbers, single categories; one condition per column) that cover a positive
    0.04  (x ≥ 4) → target = 1 ELSE 0
    0.08  (x ≥ 4) ∨ (x ≥ 5) → target = 1 ELSE 0
    0.08  (x ≥ 4) ∨ (x ≥ 6) → target = 1 ELSE 0
    """
    most, distance = whole_or_none(n, "n"), Distance.of(within)
    if most is None and distance is None:
        most = DEFAULT
    told = OOAxSettings.of(settings, options, "enumerate_optimal")
    if told.relative_gap:
        raise OptionError("enumerate_optimal proves its list to the end: relative_gap must be 0")
    distinct = truth(distinct_predictions, "distinct_predictions")
    lean, draws = not truth(redundant, "redundant"), whole_number(sample, "sample", least=0)
    if draws > MOST_DRAWN:
        raise OptionError(f"sample must be at most {MOST_DRAWN:,}, not {sample!r:.200}")
    fit = Fit.of(table, told)
    with fit.log.line:
        with fit.timing.within(_share(told.policy.optimum_share, told)):
            verdict = run_ooax(fit, told)
        fit.log.notes += verdict.notes
        fit.timing.persist()  # no list of others is a better rule set, nor need it wait for one
        near = None if distance is None else distance.from_best(fit.best.value)
        wanted = Wanted(told, most, near, distinct, lean, draws)
        pool = Pool(verdict.candidates, verdict.reach, dict(verdict.counts))
        found: Enumeration | Listing | None = None
        with fit.log.interruptible():
            if not fit.log.interrupted:
                listed = list_in_rounds(fit, verdict, wanted) if searchable(fit, wanted) else None
                pool, found = listed or _grown(fit, verdict, wanted)
        if found is None:  # no program over all candidates for a list that nobody goes on with
            known = Candidates.of_patterns(fit.problem.rows, fit.best.rules)
            found = _enumeration(fit, replace(pool, candidates=known), wanted)
        fit.timing.book("enumerating")
    listing = _listed(fit, verdict, pool, found)
    return replace(listing, sample=_drawn(listing, found, wanted), settings=told)


def _share(share: float, settings: OOAxSettings) -> float | None:
    return None if settings.seconds is None else share * settings.seconds


def _grown(fit: Fit, verdict: Verdict, wanted: Wanted) -> tuple[Pool, Enumeration]:
    """List over the best candidates, then over more of them as long as that is done in time."""
    known, before = [fit.best.rules], 0
    while True:
        pool = _pool(fit, verdict, wanted)
        found = _enumeration(fit, pool, wanted)
        fit.timing.book("mining")
        _begin(found, fit, verdict, known)
        found.run(fit.solver)
        told, limited = wanted.settings, wanted.settings.max_candidates != "auto"
        grows = pool.reach.pool is not None and not limited and len(pool.candidates) > before
        if not grows or not found.complete or fit.over:
            return pool, found
        known, before = [found.rule_set(one) for _, one in found.wanted()], len(pool.candidates)
        more = replace(told.policy, first_candidates=told.policy.growth * told.policy.first_candidates)
        wanted = replace(wanted, settings=replace(told, policy=more))


def _pool(fit: Fit, verdict: Verdict, wanted: Wanted) -> Pool:
    """The patterns of all rule sets that can be wanted.

    With `within`, the slack of the relaxed theorems is known. With `n` alone, the worst of n rule sets
    that are near the best in form bounds the worst of the n best in value; its distance from a bound on
    the optimum is the slack.
    """
    told, distinct = wanted.settings, wanted.distinct
    with fit.timing.within(_share(told.policy.pool_share, told)):
        grid, slack, most = fit.problem.grid, wanted.within, None
        if slack is not None and fit.best.value is not None:
            most = fit.best.value + slack
        elif wanted.n is not None:
            first = near_optimal_pool(fit, told, slack=Fraction(0), upper=None, collapse=distinct)
            found = _enumeration(fit, first, replace(wanted, within=None))
            _begin(found, fit, verdict, [fit.best.rules])
            most, slack = found.nth_value(wanted.n), None
        upper = None if most is None else grid.above(most)
        if slack is None or not grid.exact:
            slack = None if upper is None else upper - bound_of(fit, verdict)
        return near_optimal_pool(fit, told, slack=slack, upper=upper, collapse=distinct)


def _enumeration(fit: Fit, pool: Pool, wanted: Wanted) -> Enumeration:
    formulation = NoGoodFormulation.of(
        pool.candidates, fit.problem, form=wanted.settings.form, by_prediction=wanted.distinct
    )
    return Enumeration(fit, formulation, wanted.n, wanted.within, wanted.lean)


def _begin(found: Enumeration, fit: Fit, verdict: Verdict, known: list[RuleSet]) -> None:
    """Begin with what is known: the best rule set so far, others, and the empty one."""
    # Where predictions count, the representative must be the cheapest: an optimum is.
    by_prediction = found.formulation.by_prediction
    proved = _known_best(fit, verdict)
    for rules in known:
        positions = [found.formulation.candidates.find(pattern) for pattern in rules]
        if None not in positions:
            choice = found.selections.stripped(tuple(sorted(k for k in positions if k is not None)))
            found.offer(choice, final=not by_prediction or (proved and rules == fit.best.rules))
    found.offer((), final=not by_prediction)


def _listed(fit: Fit, verdict: Verdict, pool: Pool, found: Enumeration | Listing) -> RashomonSet:
    """What was found, counted once more on the rows as they were given."""
    notes = list(fit.log.notes)
    answers = [found.rule_set(choice) for _, choice in found.wanted()]
    if not answers and fit.best.upper is not None:
        answers = [fit.best.rules]
    counted = [(fit.problem.count(rules), rules) for rules in answers]
    counted.sort(key=lambda pair: (pair[0].objective, pair[0].patterns, pair[0].literals, pair[1]))
    if not counted:
        notes.append("no rule set that meets the constraints was found in the time there was")
        user_warn(notes[-1])
    best, some = counted[0][0].objective if counted else Fraction(0), pool.reach.pool
    proved = _proved(fit, verdict, found, best)
    bound = proved.bound if some is None else min(fit.problem.grid.below(bound_of(fit, verdict)), best)
    closed = proved.closed if some is None else _known_best(fit, verdict)
    reach = pool.reach if some is None else verdict.reach if verdict.reach.pool is None else EVERYTHING
    solution = found.solution or verdict.solution
    certificates = tuple(
        Certificate.of(
            known,
            bound=bound,
            rounding=best - bound if closed else Fraction(0),
            scope=reach.scope,
            statement=reach.statement,
            pool=some if proved.closed and known.objective == best else None,
            proof="selection",
            termination=_ended(fit, found, some),
            counts=dict(pool.counts),
            seconds=fit.timing.seconds,
            backend=solution.backend if solution is not None else "",
            version=solution.version if solution is not None else "",
            confirmed_by=solution.confirmed_by if solution is not None else "",
            message="; ".join(notes),
        )
        for known, _ in counted
    )
    return RashomonSet(
        rules=tuple(rules for _, rules in counted),
        certificates=certificates,
        complete=found.complete and some is None,
        rest=_rest(fit, found, pool) if some is None else bound,
        statement=pool.reach.words,
        n=found.n,
        within=found.within,
        distinct_predictions=found.by_prediction,
        redundant=not found.lean,
        pool=some if found.complete else None,
        total=_counted(found, some),
        table=fit.problem.table,
        objective=fit.problem.grid.given,
    )


def _drawn(listing: RashomonSet, found: Enumeration | Listing, wanted: Wanted) -> tuple[RuleSet, ...]:
    """Rule sets by lot from all that are within the distance, if all were counted."""
    if not wanted.sample or found.within is None or listing.pool is not None:
        return ()
    if isinstance(found, Listing) and found.counted:  # beside constraints, also where nobody knows how many
        made = {one: found.rule_set(one) for one in {*found.sample}}
        return tuple(made[one] for one in found.sample)
    if listing.total is None:
        return ()
    return tuple(random.Random(wanted.settings.seed).choices(listing.rules, k=wanted.sample))


def _counted(found: Enumeration | Listing, pool: int | None) -> int | None:
    """How many rule sets are within the distance asked for, if that is known."""
    if found.within is None or pool is not None:
        return None
    if isinstance(found, Listing) and found.counted:
        return found.met
    every = found.complete and (found.n is None or len(found.wanted()) < found.n)
    return len(found.wanted()) if every else None


def _known_best(fit: Fit, verdict: Verdict) -> bool:
    """Whether the best rule set known is proved to be the best, up to rounding, before any are listed."""
    upper = fit.best.upper
    return upper is not None and fit.problem.closes(bound_of(fit, verdict), upper)


class Proved(NamedTuple):
    """What no rule set over the pool is below, and whether that proves the best one, up to rounding."""

    bound: Fraction
    closed: bool


def _proved(fit: Fit, verdict: Verdict, found: Enumeration | Listing, best: Fraction) -> Proved:
    """What is proved about the best rule set over the pool."""
    below = fit.problem.grid.below
    bound = below(bound_of(fit, verdict))
    if found.rest is not None:
        bound = max(bound, below(found.rest))
    elif found.complete:
        bound = best
    return Proved(min(bound, best), found.complete or _known_best(fit, verdict))


def _ended(fit: Fit, found: Enumeration | Listing, pool: int | None) -> Termination:
    """Why the list ends where it ends."""
    if found.complete:
        return Termination.OPTIMAL if pool is None else Termination.EXHAUSTED
    if fit.log.interrupted:
        return Termination.INTERRUPTED
    return found.solution.termination if found.solution is not None else Termination.TIME_LIMIT


def _rest(fit: Fit, found: Enumeration | Listing, pool: Pool) -> Fraction | None:
    """What no other rule set is below: those over the pool, and those that the pool leaves out."""
    least = found.least()
    if least is None:
        return None
    left_out = [pool.upper] if pool.upper is not None else []
    left_out += [least + pool.slack] if pool.slack is not None else []
    rest = min([*left_out, *([] if found.rest is None else [found.rest])], default=None)
    return None if rest is None else fit.problem.grid.below(rest)
