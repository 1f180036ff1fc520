"""Several answers: the best rule sets in order, or all that are nearly as good as the best."""

from __future__ import annotations

import difflib
import warnings
from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import fields, replace
from fractions import Fraction
from typing import Any

from ooa.checks import whole_or_none
from ooa.data.table import Table
from ooa.errors import OOAWarning, OptionError
from ooa.formulations.base import ConstraintLike
from ooa.learning.certificate import Certificate, Scope, count, trivial_bound
from ooa.learning.ooax import run_ooax
from ooa.learning.select import OOAxOptions, Stage
from ooa.learning.state import Fit
from ooa.live_line import LiveLine
from ooa.objective import Objective, exact
from ooa.rules.ruleset import RuleSet
from ooa.solving.backend import Backend, SolveParams
from ooa.solving.registry import get_backend
from ooa.solving.solution import Termination

from .next_best import Enumeration
from .no_goods import NoGoodFormulation
from .pool import Pool, near_optimal_pool
from .rashomon import RashomonSet

__all__ = ["RashomonSet", "enumerate_optimal"]

#: How many rule sets are listed if nobody says how many or how near.
DEFAULT = 10
#: Shares of the time limit for finding the optimum, and for mining what near-optimal rule sets are made of.
OPTIMUM_SHARE, POOL_SHARE = 0.4, 0.3


def enumerate_optimal(
    table: Table,
    n: int | None = None,
    within: Any = None,
    *,
    distinct_predictions: bool = False,
    C1: Any = 0.002,
    C2: Any = 0.002,
    max_patterns: int | None = 5,
    start: RuleSet | None = None,
    constraints: Iterable[ConstraintLike] = (),
    backend: str | Backend = "highs",
    time_limit: float | None = None,
    threads: int = 1,
    seed: int = 0,
    log: Any = None,
    progress: bool | None = None,
    options: dict[str, Any] | None = None,
    **mining: Any,
) -> RashomonSet:
    """List the best rule sets, or all that are nearly as good as the best (the Rashomon set).

    A rule set here is a set of at most `max_patterns` candidate patterns, and any two different ones
    count: they may say the same in other words, or one may have a pattern more that changes no
    prediction, as long as it can pay for it. (With C1 = C2 = 0 it need not pay, and there are as many
    rule sets as there are ways to add such patterns.) With `distinct_predictions` the cheapest rule set
    stands for all that predict the same on every training row. The candidates are those of `learn_ooax`:
    every pattern over the literals and up to the length asked for that covers some positive; but what
    only an optimal rule set can do without stays in, so there are more of them. If they exceed
    `max_candidates`, the list is about the best of them by score, and `statement` says so.

    Values are exact, and so is the comparison with the optimum plus `within`. Of several rule sets that
    tie for the last of `n` places, any may be listed.

    Parameters
    ----------
    table : the training data
    n : how many rule sets; 10 if `within` is not given either, else no limit
    within : how much L may exceed the optimum, taken as the decimal it looks like
    distinct_predictions : whether rule sets with equal predictions count as one
    C1, C2, max_patterns, start, constraints, backend : see `learn_ooax`
    time_limit : seconds for everything; what is known by then is returned
    threads, seed, log, progress, options : see `learn_ooax`
    **mining : the options of `learn_ooax` about mining and screening, from `max_length` to `form`

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
       objective  errors                                            rules
    0      0.040     0.0                      (x ≥ 4) → target = 1 ELSE 0
    1      0.080     0.0            (x ≥ 4) ∨ (x ≥ 5) → target = 1 ELSE 0
    2      0.080     0.0            (x ≥ 4) ∨ (x ≥ 6) → target = 1 ELSE 0
    3      0.120     0.0  (x ≥ 4) ∨ (x ≥ 5) ∨ (x ≥ 6) → target = 1 ELSE 0
    4      0.207     1.0                      (x ≥ 3) → target = 1 ELSE 0
    5      0.207     1.0                      (x ≥ 5) → target = 1 ELSE 0
    >>> near.complete, near.certificates[1].bound
    (True, Fraction(1, 25))
    >>> print(enumerate_optimal(table, within="1/6", distinct_predictions=True, **prices))
    all 3 rule sets with different predictions within 0.166667 of the optimum, made of all patterns up to \
length 1 over these 12 literals that cover a positive
    0.04  (x ≥ 4) → target = 1 ELSE 0
    0.206667  (x ≥ 3) → target = 1 ELSE 0
    0.206667  (x ≥ 5) → target = 1 ELSE 0
    """
    most, near = whole_or_none(n, "n"), None if within is None else exact(within, "within")
    if most is None and near is None:
        most = DEFAULT
    settings = _mining_options(mining)
    solver = get_backend(backend)
    solver.require()
    params = SolveParams(time_limit=time_limit, threads=threads, seed=seed, log=log, options=options or {})
    size = whole_or_none(max_patterns, "max_patterns")
    fit = Fit(table, Objective.of(C1, C2), size, params, LiveLine(progress), constraints)
    if start is not None:
        fit.check_start(start)
    with fit.line:
        with nullcontext() if time_limit is None else fit.within(OPTIMUM_SHARE * time_limit):
            stage = run_ooax(fit, solver, settings, start)
        fit.notes += stage.notes
        pool = Pool(stage.candidates, stage.scope, stage.statement, dict(stage.counts))
        found = _enumeration(fit, pool, settings, most, near, distinct_predictions)
        with fit.interruptible():
            if not fit.interrupted:
                pool = _pool(fit, stage, settings, start, most, near, distinct_predictions)
                found = _enumeration(fit, pool, settings, most, near, distinct_predictions)
                fit.clock("mining")
                _begin(found, fit, stage)
                found.run(solver)
        fit.clock("enumerating")
    return _listed(fit, stage, pool, found)


def _mining_options(given: dict[str, Any]) -> OOAxOptions:
    """The options about mining and screening; an unknown one is an error."""
    known = [field.name for field in fields(OOAxOptions)]
    for name in given:
        if name not in known:
            close = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
            hint = f"did you mean {close[0]!r}?" if close else f"known: {', '.join(known)}"
            raise OptionError(f"enumerate_optimal has no option {name!r}; {hint}")
    settings = OOAxOptions(**given)
    return replace(
        settings,
        max_length=whole_or_none(settings.max_length, "max_length"),
        max_candidates=whole_or_none(settings.max_candidates, "max_candidates"),
        patterns=tuple(settings.patterns),
    )


def _pool(
    fit: Fit,
    stage: Stage,
    options: OOAxOptions,
    start: RuleSet | None,
    n: int | None,
    within: Fraction | None,
    distinct: bool,
) -> Pool:
    """The patterns of all rule sets that can be wanted.

    With `within`, the slack of the relaxed theorems is known. With `n` alone, the worst of n rule sets
    that are near the best in form bounds the worst of the n best in value; its distance from a bound on
    the optimum is the slack.
    """
    limit = fit.params.time_limit
    with nullcontext() if limit is None else fit.within(POOL_SHARE * limit):
        slack, upper = within, None
        if within is not None and fit.upper is not None:
            upper = fit.upper + within
        elif n is not None:
            first = near_optimal_pool(fit, options, start, slack=Fraction(0), upper=None, collapse=distinct)
            found = _enumeration(fit, first, options, n, None, distinct)
            _begin(found, fit, stage)
            upper = found.nth_value(n)
            slack = None if upper is None else upper - _bound(fit, stage)
        return near_optimal_pool(fit, options, start, slack=slack, upper=upper, collapse=distinct)


def _enumeration(
    fit: Fit, pool: Pool, options: OOAxOptions, n: int | None, within: Fraction | None, distinct: bool
) -> Enumeration:
    formulation = NoGoodFormulation(
        pool.candidates,
        fit.rows,
        fit.objective,
        max_patterns=fit.max_patterns,
        form=options.form,
        constraints=fit.constraints,
        table=fit.table,
        template=fit.best,
        by_prediction=distinct,
    )
    return Enumeration(fit, formulation, n, within)


def _begin(found: Enumeration, fit: Fit, stage: Stage) -> None:
    """Begin with what is known: the best rule set so far, and the empty one."""
    # Where predictions count, the representative must be the cheapest: an optimum is.
    proved = fit.upper is not None and fit.upper <= _bound(fit, stage)
    positions = [found.formulation.candidates.find(pattern) for pattern in fit.best]
    if None not in positions:
        choice = tuple(sorted(k for k in positions if k is not None))
        found.offer(choice, final=proved or not found.formulation.by_prediction)
    found.offer((), final=not found.formulation.by_prediction)


def _bound(fit: Fit, stage: Stage) -> Fraction:
    """A bound on the optimum over all patterns that can be candidates."""
    trivial = trivial_bound(fit.rows, fit.objective)
    if stage.bound is None or stage.scope is Scope.SCREENED:
        return trivial
    return max(trivial, stage.bound)


def _listed(fit: Fit, stage: Stage, pool: Pool, found: Enumeration) -> RashomonSet:
    """What was found, counted once more on the rows as they were given."""
    formulation, wanted = found.formulation, found.wanted()
    answers = [(count(r, fit.table, fit.objective), r) for r in (formulation.rule_set(c) for _, c in wanted)]
    if not answers and fit.upper is not None:
        answers = [(count(fit.best, fit.table, fit.objective), fit.best)]
    answers.sort(key=lambda pair: (pair[0].objective, pair[0].patterns, pair[0].literals, pair[1]))
    if not answers:
        words = "no rule set that meets the constraints was found in the time there was"
        fit.notes.append(words)
        warnings.warn(words, OOAWarning, stacklevel=3)
    best = answers[0][0].objective if answers else Fraction(0)
    bound = _bound(fit, stage)
    if found.complete:
        bound = best
    elif found.rest is not None:
        bound = max(bound, found.rest)
    bound = min(bound, best)
    termination = Termination.OPTIMAL
    if not found.complete:
        ended = found.solution.termination if found.solution is not None else Termination.TIME_LIMIT
        termination = Termination.INTERRUPTED if fit.interrupted else ended
    solution = found.solution or stage.solution
    certificates = tuple(
        Certificate(
            errors=counted.errors,
            total=counted.total,
            literals=counted.literals,
            patterns=counted.patterns,
            objective=counted.objective,
            bound=bound,
            scope=pool.scope,
            statement=pool.statement,
            proof="selection",
            termination=termination,
            counts=dict(pool.counts),
            seconds=fit.seconds,
            backend=solution.backend if solution is not None else "",
            version=solution.version if solution is not None else "",
            message="; ".join(fit.notes),
        )
        for counted, _ in answers
    )
    return RashomonSet(
        rules=tuple(rules for _, rules in answers),
        certificates=certificates,
        complete=found.complete,
        rest=_rest(found, pool, bound),
        statement=pool.statement,
        n=found.n,
        within=found.within,
        distinct_predictions=formulation.by_prediction,
    )


def _rest(found: Enumeration, pool: Pool, bound: Fraction) -> Fraction | None:
    """What no other rule set is below: those over the pool, and those that the pool leaves out."""
    if found.rest is None and not found.complete:
        return None
    left_out = [pool.upper] if pool.upper is not None else []
    left_out += [bound + pool.slack] if pool.slack is not None else []
    return min([*left_out, *([] if found.rest is None else [found.rest])], default=None)
