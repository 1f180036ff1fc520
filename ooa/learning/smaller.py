"""Smaller languages first: shorter patterns over fewer conditions give larger ones a start."""

from __future__ import annotations

from dataclasses import replace

from ooa.candidates.generate import LiteralSet

from .conditions import literals_of
from .mine import longest_of, mining_budget, most_patterns_by_length
from .replace import Replacing
from .settings import OOAxSettings
from .state import Fit

__all__ = ["crowded", "look_at_smaller", "smaller_languages"]

#: Patterns of so many literals come before longer ones.
SHORT = 3


def crowded(fit: Fit, literals: LiteralSet, settings: OOAxSettings) -> bool:
    """Whether there can be more patterns than are mined in the time that is left."""
    longest = longest_of(settings, fit.problem.rows)
    return sum(most_patterns_by_length(literals, longest)[1:]) > mining_budget(fit, settings)


def smaller_languages(settings: OOAxSettings) -> list[OOAxSettings]:
    """The settings of fits over less, from small to large; every one says nothing that the last could not.

    Examples
    --------
    >>> wanted = OOAxSettings(max_length=5, ranges=True)
    >>> [(one.max_length, one.ranges, one.thresholds) for one in smaller_languages(wanted)]
    [(3, False, 'mdl'), (3, False, 'auto'), (3, True, 'auto')]
    >>> [one.thresholds for one in smaller_languages(OOAxSettings())]
    ['mdl']
    >>> smaller_languages(OOAxSettings(thresholds="mdl"))
    []
    """
    longest = settings.max_length
    short = replace(settings, max_length=SHORT if longest is None else min(SHORT, longest))
    plain = replace(short, ranges=False, negations=False, sets=1)
    steps = [replace(plain, thresholds="mdl")] if settings.thresholds in ("auto", "distinct") else []
    steps += [replace(plain, thresholds="auto")] if settings.thresholds == "distinct" else []
    steps += [plain, short]
    different = {_language(one): one for one in reversed(steps) if _language(one) != _language(settings)}
    return list(reversed(different.values()))


def look_at_smaller(fit: Fit, literals: LiteralSet, settings: OOAxSettings) -> None:
    """Search for good rule sets in smaller languages, each from what is known by then."""
    policy = fit.policy
    for smaller in smaller_languages(settings):
        limit = fit.timing.deadline.left()
        # Short patterns over all conditions are worth more time than a look.
        share = policy.smaller_share if _conditions(smaller) != _conditions(settings) else 1.0
        seconds = policy.labels_seconds if limit is None else share * limit
        with fit.timing.within(seconds):
            found = literals
            if _conditions(smaller) != _conditions(settings):
                found = literals_of(smaller, fit.problem, fit.timing.deadline.share(policy.literals_share))
            replacing = Replacing(fit, found, smaller)
            if not len(found) or found.note or fit.over or not replacing.in_time():
                return
            replacing.turn()
        if fit.log.interrupted:
            return


def _language(settings: OOAxSettings) -> tuple[object, ...]:
    return (settings.max_length, *_conditions(settings))


def _conditions(settings: OOAxSettings) -> tuple[object, ...]:
    cuts = settings.thresholds
    return (cuts if isinstance(cuts, str) else id(cuts), settings.ranges, settings.negations, settings.sets)
