"""Good rule sets before anything is mined over a large language: smaller ones, and an early look."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from ooa.candidates.generate import LiteralSet
from ooa.errors import InfeasibleConstraints
from ooa.logs import logger

from .conditions import literals_of
from .mine import longest_of, mining_budget, most_patterns_by_length
from .replace import Replacing, replaceable
from .settings import OOAxSettings
from .smaller import looked_at_first
from .state import Fit

__all__ = ["look_at_smaller", "searched_singly"]


def searched_singly(fit: Fit, literals: LiteralSet, settings: OOAxSettings) -> bool:
    """Whether patterns are so many that they are searched one at a time before any are listed."""
    if not (replaceable(fit, settings) and Replacing(fit, literals, settings).in_time()):
        return False
    longest = longest_of(settings, fit.problem.rows)
    return sum(most_patterns_by_length(literals, longest)[1:]) > mining_budget(fit, settings)


def look_at_smaller(
    fit: Fit, literals: LiteralSet, settings: OOAxSettings, run: Callable[[Fit, OOAxSettings], object]
) -> None:
    """Fits over smaller languages, each from what is known by then; what they prove is not used.

    Parameters
    ----------
    fit : the fit in progress
    literals : what patterns of the language asked for are made of
    settings : what was asked for
    run : runs a fit over a smaller language
    """
    policy, whole = fit.policy, fit.timing.deadline.within(None)
    hurried = replace(fit, policy=policy.for_a_start())
    for smaller in looked_at_first(fit.problem.rows, literals, settings):
        if fit.over:
            return
        logger.info("plan: first %s", smaller.words)
        left = whole.share(smaller.share).left()
        with fit.timing.within(policy.labels_seconds if left is None else left):
            found, asked = literals, smaller.settings
            if smaller.fewer:
                found = literals_of(asked, fit.problem, fit.timing.deadline.share(policy.literals_share))
            same = len(found) >= len(literals) and asked.max_length == settings.max_length
            if same or not len(found):  # every cut there is, or none: labels need not ask for any
                continue
            if found.note or fit.over:  # the next one has more time
                continue
            with suppress(InfeasibleConstraints):
                run(hurried, asked)
            fit.log.forget_bounds(fit.problem.grid.below(fit.problem.trivial))
            fit.timing.begin_anew()
        fit.log.heed()
