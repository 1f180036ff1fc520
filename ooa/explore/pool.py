"""The patterns of near-optimal rule sets: the theorems about optimal ones, relaxed by exactly the slack.

Let L* be the least value there is, and A any rule set with L(A) <= L* + s and L(A) <= T. N is the total
weight and c(z) = C1 * length(z) + C2 the price of a pattern z of A. Then:

*Theorem 1, relaxed.* supp-(z) <= N (T - c(z)): every covered negative is an error, and z is paid for, so
T >= L(A) >= supp-(z)/N + c(z). This holds beside any constraint.

*Theorem 2, relaxed.* supp+(z) >= N (c(z) - s), provided that A without z is still allowed: its value is
at least L* >= L(A) - s, and taking z out errs at most supp+(z) positives and saves c(z), so that
L(A) - s <= L(A without z) <= L(A) + supp+(z)/N - c(z). Beside a constraint that taking out a pattern can
violate it fails.

*What does not survive.* That a dominated pattern, or one of equal coverage but longer, is superfluous:
its presence may be just what makes a rule set near-optimal instead of optimal. Only where rule sets with
equal predictions count as one, the shortest of the patterns with equal coverage can stand for them all.
Nor does Theorem 2 as it stands (s = 0 and `>`): a pattern that just pays for itself makes a second
optimum.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ooa.candidates.candidates import Candidates
from ooa.candidates.mining import mine
from ooa.candidates.screening import cheapest_of_equals, screen
from ooa.constraints.structure import require_pattern
from ooa.learning.certificate import Scope
from ooa.learning.mine import MINED_PER_SECOND, MINING_SHARE, filtered, of_mined
from ooa.learning.proof_scope import least_support, scope_of
from ooa.learning.select import OOAxOptions
from ooa.learning.state import Fit
from ooa.objective import Objective, round_down
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet


@dataclass(frozen=True)
class Pool:
    """Candidates that every rule set within `slack` of the optimum and up to `upper` is made of.

    `scope`, `statement` and `counts` say among which patterns, as in a `Certificate`.
    """

    candidates: Candidates
    scope: Scope
    statement: str
    counts: dict[str, int]
    slack: Fraction | None = None
    upper: Fraction | None = None


def near_optimal_pool(
    fit: Fit,
    options: OOAxOptions,
    start: RuleSet | None,
    *,
    slack: Fraction | None,
    upper: Fraction | None,
    collapse: bool = False,
) -> Pool:
    """Mine and screen the patterns that a rule set with L <= L* + slack and L <= upper can contain.

    A pattern that covers no weight of positives is no candidate, unless the user gave it.

    Parameters
    ----------
    fit : the fit in progress; the patterns of its best rule set are candidates in any case
    options : how to mine and to screen
    start : the user's own rule set, whose patterns are candidates too
    slack, upper : see the head of this module; None if nothing is known
    collapse : whether rule sets with equal predictions count as one
    """
    rows = fit.rows
    literals, longest, merit = options.literals(rows), options.longest(rows), options.merit(rows)
    least = np.zeros(longest + 1)
    if fit.removal and slack is not None:
        least = np.array(
            [needed_positive_support(fit.objective, fit.total, n, slack) for n in range(longest + 1)]
        )
    if options.min_support is not None:
        least = np.maximum(least, least_support(options.min_support, rows))
    limit, most = fit.left(), options.max_mined
    mined = mine(
        literals,
        rows.positive,
        rows.negative,
        max_length=longest,
        min_positive=least,
        max_patterns=most if limit is None else min(most, 1000 + int(MINED_PER_SECOND * limit)),
        score=merit,
        engine=options.engine,
        deadline=fit.deadline(MINING_SHARE),
    )
    fit.interrupted |= mined.interrupted
    candidates = of_mined(literals, mined)
    if options.keep is not None:
        candidates, mined = filtered(fit, candidates, mined, options.keep, fit.notes)
    required = [c.pattern for c in fit.constraints if isinstance(c, require_pattern)]
    given = [*options.patterns, *(start or ()), *(p for p in required if isinstance(p, Pattern)), *fit.best]
    own = Candidates.of_patterns(rows, [p for p in given if options.keep is None or options.keep(p)])
    candidates = candidates.joined(own)
    if collapse and fit.dominance:
        candidates = candidates.take(cheapest_of_equals(candidates))
    candidates, report = screen(
        candidates,
        rows,
        fit.objective,
        upper=upper,
        removal=False,
        dominance=False,
        max_candidates=options.max_candidates,
        score=merit,
    )
    if not report.safe:
        candidates = candidates.joined(own)
    size = len(candidates)
    scope, statement = scope_of(literals, mined, report, options, rows, size, removal=False, own=own)
    return Pool(candidates, scope, statement, {"literals": len(literals)} | report.counts, slack, upper)


def needed_positive_support(objective: Objective, total: Fraction, length: int, slack: Fraction) -> float:
    """Positive support that a pattern needs **at least** (Theorem 2, relaxed by the slack).

    Examples
    --------
    >>> needed_positive_support(Objective.of(0.01, 0.01), Fraction(100), length=3, slack=Fraction(1, 100))
    3.0
    """
    return max(0.0, round_down(total * (objective.cost(length) - slack)))
