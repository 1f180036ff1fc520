"""Smaller languages: shorter patterns over fewer conditions, whose rule sets larger ones begin with."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from ooa.candidates.generate import LiteralSet
from ooa.data.rows import DistinctRows

from .mine import longest_of, most_patterns_by_length
from .settings import OOAxSettings

__all__ = ["Smaller", "looked_at_first", "smaller_languages"]

#: Patterns of so many literals come before longer ones, over fewer conditions, too, ...
SHORT = 3
#: ... and of so many over all of them.
MEDIUM = 5


@dataclass(frozen=True)
class Smaller:
    """A language that says nothing which the one asked for could not.

    Attributes
    ----------
    settings : of a fit over it
    share : of the whole time, after which its turn ends
    words : what it does without
    fewer : whether it has fewer conditions, not only shorter patterns
    """

    settings: OOAxSettings
    share: float
    words: str
    fewer: bool


def looked_at_first(rows: DistinctRows, literals: LiteralSet, settings: OOAxSettings) -> list[Smaller]:
    """The smaller languages that have a turn before one over these literals.

    None where its patterns are few, and all literals are there.
    """
    if settings.keep is not None or "incumbent" in settings.without:
        return []
    possible = sum(most_patterns_by_length(literals, longest_of(settings, rows))[1:])
    if possible <= settings.policy.many_patterns and not literals.note:
        return []
    numbers = any(column.kind == "numeric" for column in rows.columns)
    return smaller_languages(settings, numbers, len(rows.attributes))


def smaller_languages(
    settings: OOAxSettings, numbers: bool = True, columns: float = math.inf
) -> list[Smaller]:
    """The languages from small to large; what they find is carried over, so a larger one is no worse for it.

    Each has its share of the time that the next one has, together with those before it: a fit with twice the
    time begins with the fit that a smaller language would be.

    Parameters
    ----------
    settings : what was asked for
    numbers : whether there are numeric columns
    columns : how many there are; no pattern is longer

    Examples
    --------
    >>> for one in smaller_languages(OOAxSettings(max_length=5, ranges=True)):
    ...     print(round(one.share, 3), one.words)
    0.098 up to length 3, without ranges, over the cuts that labels ask for
    0.49 up to length 3, without ranges
    0.7 up to length 3
    >>> [one.words for one in smaller_languages(OOAxSettings())]
    ['over the cuts that labels ask for']
    >>> smaller_languages(OOAxSettings(thresholds="mdl"))
    []
    """
    policy, longest = settings.policy, settings.max_length
    most = columns if longest is None else min(longest, columns)
    short, medium = (
        replace(settings, max_length=length if length < most else longest) for length in (SHORT, MEDIUM)
    )
    plain = replace(short, ranges=short.ranges and not numbers, negations=False, sets=1)
    cuts = {"auto": ("mdl",), "distinct": ("mdl", "auto")}.get(_named(settings), ()) if numbers else ()
    steps = [*(replace(plain, thresholds=way) for way in cuts), plain, short, medium]
    found: list[Smaller] = []
    share, larger = 1.0, settings
    for one in reversed(steps):
        if _language(one) == _language(larger):
            continue
        share *= policy.labels_share if one.thresholds == "mdl" else policy.smaller_share
        fewer = _language(one)[1:] != _language(settings)[1:]
        found.append(Smaller(one, share, _words(one, settings), fewer))
        larger = one
    return found[::-1]


def _named(settings: OOAxSettings) -> str:
    return settings.thresholds if isinstance(settings.thresholds, str) else ""


def _language(settings: OOAxSettings) -> tuple[object, ...]:
    return (settings.max_length, _named(settings), settings.ranges, settings.negations, settings.sets)


def _words(smaller: OOAxSettings, settings: OOAxSettings) -> str:
    """What a smaller language does without."""
    said = [f"up to length {smaller.max_length}"] if smaller.max_length != settings.max_length else []
    dropped = [name for name in ("ranges", "negations") if getattr(settings, name) > getattr(smaller, name)]
    dropped += ["sets"] if settings.sets > smaller.sets else []
    said += [f"without {' and '.join(dropped)}"] if dropped else []
    if _named(smaller) != _named(settings):
        said.append("over the cuts that labels ask for" if _named(smaller) == "mdl" else "over fewer cuts")
    return ", ".join(said)
