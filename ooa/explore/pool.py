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
from ooa.candidates.screening import cheapest_of_equals, screen
from ooa.learning.conditions import literals_of, merit_of
from ooa.learning.mine import given_patterns, longest_of, mine_patterns
from ooa.learning.proof_scope import reach_of
from ooa.learning.settings import OOAxSettings
from ooa.learning.state import Fit
from ooa.learning.verdict import Reach
from ooa.objective import Objective, round_down


@dataclass(frozen=True)
class Pool:
    """Candidates that every rule set within `slack` of the optimum and up to `upper` is made of.

    Both are on the grid. `reach` and `counts` say among which patterns, as in a `Verdict`.
    """

    candidates: Candidates
    reach: Reach
    counts: dict[str, int]
    slack: Fraction | None = None
    upper: Fraction | None = None


def near_optimal_pool(
    fit: Fit,
    settings: OOAxSettings,
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
    settings : how to mine and to screen
    slack, upper : see the head of this module, on the grid; None if nothing is known
    collapse : whether rule sets with equal predictions count as one
    """
    problem, rows = fit.problem, fit.problem.rows
    literals, longest = literals_of(settings, problem), longest_of(settings, rows)
    least = np.zeros(longest + 1)
    if problem.allows_removal and slack is not None:
        needed = [
            needed_positive_support(problem.objective, problem.total, n, slack) for n in range(longest + 1)
        ]
        least = np.array(needed)
    mined = mine_patterns(fit, literals, settings, least)
    own = given_patterns(fit, settings).joined(Candidates.of_patterns(rows, fit.best.rules))
    candidates = mined.candidates.joined(own)
    if collapse and problem.allows_dominance:
        candidates = candidates.take(cheapest_of_equals(candidates))
    candidates, report = screen(
        candidates,
        rows,
        problem.objective,
        upper=upper,
        removal=False,
        dominance=False,
        max_candidates=settings.first_candidates,
        score=merit_of(settings, problem),
    )
    if not report.safe:
        candidates = candidates.joined(own)
    reach = reach_of(problem, mined, settings, own, len(candidates), safe=report.safe, removal=False)
    counts = {"literals": len(literals)} | report.counts
    return Pool(candidates, reach, counts, slack, upper)


def needed_positive_support(objective: Objective, total: Fraction, length: int, slack: Fraction) -> float:
    """Positive support that a pattern needs **at least** (Theorem 2, relaxed by the slack).

    Examples
    --------
    >>> needed_positive_support(Objective.of(0.01, 0.01), Fraction(100), length=3, slack=Fraction(1, 100))
    3.0
    """
    return max(0.0, round_down(total * (objective.cost(length) - slack)))
