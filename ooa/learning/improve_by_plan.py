"""Good rule sets before the exact search and after it, as far as the plan of a fit has turns for that."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ooa.candidates.candidates import Candidates
from ooa.rules.ruleset import RuleSet

from .improve import greedy_start, local_search
from .plan import Plan, Step
from .replace import Replacing
from .state import Fit

__all__ = ["improve_by_plan", "improve_later"]


def improve_by_plan(
    fit: Fit,
    candidates: Candidates,
    plan: Plan,
    starts: Iterable[RuleSet] = (),
    refuse: Callable[[], None] | None = None,
) -> None:
    """Good rule sets before anything is screened, as far as the plan has turns for that.

    The `starts` are those that are good without constraints. If nothing is soon found that meets them,
    `refuse` asks whether anything does: to look for better ones would be in vain.
    """
    policy = fit.policy
    if plan.has(Step.GREEDY):
        greedy_start(fit, candidates)
    if refuse is not None and fit.best.upper is None:
        refuse()
    if plan.has(Step.LOCAL) and not plan.has(Step.REPLACE) and not plan.search_later:
        deadline = fit.timing.deadline.share(policy.mining_share + policy.search_share)
        # Where the exact search has a turn, more prices are tried once it turns out to be hard; among many
        # patterns it will be.
        brief = plan.has(Step.FREE) and len(candidates) <= policy.quick
        rounds = policy.first_price_rounds if brief else None
        local_search(fit, candidates, deadline, starts, rounds)
    fit.timing.book("incumbent")


def improve_later(fit: Fit, candidates: Candidates, replacing: Replacing | None) -> None:
    """Replacement or local search, after the exact search has tried."""
    if replacing is not None:
        replacing.turn()  # all patterns are candidates as it is
        return
    local_search(fit, candidates, fit.timing.deadline.share_of_rest(fit.policy.search_share))
    fit.timing.book("incumbent")
