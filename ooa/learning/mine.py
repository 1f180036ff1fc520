"""Mining within a fit: patterns within limits, the user's filter, and an early look."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from threading import Event

import numpy as np
from numpy.typing import NDArray

from ooa.candidates.bounds import least_positive_support
from ooa.candidates.candidates import Candidates
from ooa.candidates.generate import LiteralSet
from ooa.candidates.mining import Mined, mine
from ooa.clock import Deadline
from ooa.data.bitsets import n_words
from ooa.data.rows import DistinctRows
from ooa.errors import RuleError
from ooa.formulations.base import required_patterns
from ooa.rules.pattern import Pattern

from .conditions import asked_support, literals_in_time, merit_of, paired_in_time
from .improve import greedy_start, width_in_time
from .settings import OOAxSettings
from .state import Fit

__all__ = [
    "Mining",
    "given_patterns",
    "least_supports",
    "longest_of",
    "look_early",
    "mine_patterns",
    "mining_budget",
    "most_mined",
    "of_mined",
]

_ANY = 1 << 62


@dataclass(frozen=True, eq=False)
class Mining:
    """What was mined.

    Attributes
    ----------
    literals : what patterns are made of
    candidates : the patterns, the user's own among them
    longest : the most literals of a mined one
    complete : whether none is missing that the limits on length and support admit
    over_budget : how many were found and not kept, as there were more than the budget allows
    notes : what the certificate's message will say
    """

    literals: LiteralSet
    candidates: Candidates
    longest: int
    complete: bool
    over_budget: int = 0
    notes: tuple[str, ...] = ()


def longest_of(settings: OOAxSettings, rows: DistinctRows) -> int:
    """The most literals that a pattern can have."""
    most = len(rows.attributes)
    return most if settings.max_length is None else min(most, settings.max_length)


def given_patterns(fit: Fit, settings: OOAxSettings) -> Candidates:
    """The user's own patterns that the filter lets pass: those given, of the start, and required."""
    start, keep = settings.start or (), settings.keep
    given = [*settings.patterns, *start, *required_patterns(fit.problem.constraints)]
    if keep is not None:
        barred = [pattern for pattern in start if not keep(pattern)]
        if barred:
            raise RuleError(f"the start has pattern {barred[0]}, which keep does not let pass")
        given = [pattern for pattern in given if keep(pattern)]
    return Candidates.of_patterns(fit.problem.rows, given)


def least_supports(fit: Fit, settings: OOAxSettings) -> NDArray[np.float64]:
    """The least positive support of a pattern by its length, by Theorem 2: what is below is not mined."""
    problem, longest = fit.problem, longest_of(settings, fit.problem.rows)
    least = np.zeros(longest + 1)
    for length in range(1, longest + 1) if problem.allows_removal else ():
        needed = least_positive_support(problem.objective, problem.total, length)
        least[length] = math.nextafter(needed, math.inf)
    return least


def mining_budget(fit: Fit, settings: OOAxSettings) -> int:
    """How many patterns can be looked after in the time that is left."""
    policy, limit = fit.policy, fit.timing.deadline.left()
    per_second = policy.mined_per_second / (1 + fit.problem.rows.n_rows / policy.rows_at_double_cost)
    most = most_mined(fit, settings)
    if limit is None:
        return most
    return min(most, width_in_time(fit, policy.least_mined) + int(per_second * limit))


def most_mined(fit: Fit, settings: OOAxSettings) -> int:
    """How many patterns may be held in memory: all that they cover has to fit as well."""
    covered = 8 * n_words(fit.problem.rows.n_rows) * fit.problem.copies
    listed = 2 * (4 * longest_of(settings, fit.problem.rows) + 24)  # twice as many, until the best are known
    in_memory = int(fit.policy.mined_memory * fit.memory / (covered + listed))
    return min(settings.max_mined, max(in_memory, fit.policy.least_looked_at))


def mine_patterns(
    fit: Fit,
    literals: LiteralSet,
    settings: OOAxSettings,
    least: NDArray[np.float64],
    budget: int | None = None,
    all_or_none: bool = False,
) -> Mining:
    """Mine all patterns of at least these supports, as far as time and budget reach, then filter them.

    With `all_or_none` mining ends as soon as it is plain that some will be missing: there are more than the
    budget allows, or at its pace time will not suffice.
    """
    rows, policy = fit.problem.rows, fit.policy
    budget = mining_budget(fit, settings) if budget is None else width_in_time(fit, budget)
    least = np.maximum(least, asked_support(fit, settings))
    enough, began, done = Event(), fit.timing.elapsed(), 0.0
    until = replace(fit.timing.deadline.share(policy.mining_share), patience=None)

    def show(found: int, share: float) -> None:
        nonlocal done
        done = share
        fit.timing.pace(fit.timing.elapsed() - began, share)
        if all_or_none and (found > budget or _hopeless(fit, until, share)):
            enough.set()
        fit.log.line.update(f"mining: {found:,} patterns, {100 * share:.0f} % of the search")

    mined = mine(
        literals,
        rows.positive,
        rows.negative,
        max_length=longest_of(settings, rows),
        min_positive=least,
        max_patterns=budget,
        max_bytes=_ANY,  # the budget sees to that
        score=merit_of(settings, fit.problem),
        engine=settings.engine,
        deadline=fit.timing.deadline.share(policy.mining_share),
        stop=enough,
        progress=show,
        threads=fit.threads,
    )
    fit.log.interrupted |= mined.interrupted
    most = most_mined(fit, settings)
    if enough.is_set() and mined.counts["over_budget"]:
        done = 1.0  # it was not time that ended it
    missing = _what_is_missing(mined, budget, most, settings.max_mined, done, fit.options)
    found = Mining(
        literals,
        of_mined(literals, mined),
        int(mined.length.max(initial=0)),
        mined.complete and not literals.note,
        mined.counts["over_budget"],
        tuple(filter(None, (literals.note, missing))),
    )
    if settings.keep is None or (all_or_none and not found.complete):
        return found
    return _filtered(fit, found, settings.keep)


def _hopeless(fit: Fit, until: Deadline, share: float) -> bool:
    """Whether it is plain that mining, of which a share is done, will not end in time."""
    left, spent = until.left(), until.spent()
    if left is None or spent < fit.policy.telling_share * (spent + left):
        return False
    return share * (spent + left) < fit.policy.hopeless_share * spent


def _what_is_missing(
    mined: Mined, budget: int, most: int, max_mined: int, share: float, options: Collection[str]
) -> str:
    """Why patterns may be missing, if they may, and which of these options would change that.

    `share` is how much of the search was done, 1 where time did not end it, `most` how many patterns there is
    memory for.
    """
    if mined.complete:
        return ""
    if mined.interrupted:
        return "mining was interrupted, so patterns may be missing"
    over, found = mined.counts["over_budget"], mined.counts["mined"]
    least = f"at least {found:,}" if mined.ended_early else f"{found:,}"
    words = f"only the best {len(mined):,} of {least} patterns were kept" if over else ""
    in_vain = mined.ended_early and share < 1
    if in_vain:
        early = f"mining ended after {math.floor(100 * share)} % of its search for lack of time"
        words = f"{words}, and {early}" if over else f"{early}, so patterns are missing"
    more = "max_mined" if most == max_mined else "max_memory"
    raised = ["time_limit" if in_vain or budget < most else more, "min_support"]
    advice = [f"raise {' or '.join(some)}" for some in [[one for one in raised if one in options]] if some]
    advice += ["lower max_length"] if "max_length" in options else []
    return f"{words}: {', or '.join(advice)}" if advice else words


def _filtered(fit: Fit, found: Mining, keep: Callable[[Pattern], bool]) -> Mining:
    """What the user's filter lets pass, as far as time reaches."""
    policy, candidates = fit.policy, found.candidates
    deadline = fit.timing.deadline.share(policy.mining_share + policy.search_share)
    chosen: list[int] = []
    for k in range(len(candidates)):
        if deadline.passed():
            words = f"keep was asked about {k:,} of {len(candidates):,} patterns for lack of time"
            found = replace(found, complete=False, notes=(*found.notes, words))
            break
        if keep(candidates.pattern(k)):
            chosen.append(k)
    return replace(found, candidates=candidates.take(np.array(chosen, dtype=np.intp)))


def of_mined(literals: LiteralSet, mined: Mined) -> Candidates:
    """What was mined, as candidates."""
    return Candidates(
        literals=literals.literals,
        items=mined.items,
        length=mined.length.astype(np.int64),
        positive=mined.positive,
        negative=mined.negative,
        holds=mined.holds,
    )


def look_early(fit: Fit, literals: LiteralSet, settings: OOAxSettings) -> None:
    """First rule sets from the shortest patterns without two-sided ranges, where mining all takes a while."""
    policy, rows = fit.policy, fit.problem.rows
    plain = literals
    if settings.ranges and not literals.note:
        plain = literals_in_time(fit, replace(settings, ranges=False))
    plain = paired_in_time(fit, plain, settings)
    fewer = len(plain) < len(literals)
    rounds = policy.fewer_rounds if fewer else 0  # it takes a while until ranges are mined
    most = most_patterns_by_length(plain, policy.longest_look)
    longest = min(longest_of(settings, rows) + fewer, policy.longest_look + 1)
    for length in range(policy.early_length, longest):
        if fit.over:
            return
        if length > policy.early_length and sum(most[: length + 1]) > policy.early_patterns:
            return
        short = replace(settings, max_length=length)
        with fit.timing.within(None):  # the share of the time for mining is of what is left
            mined = mine_patterns(fit, plain, short, least_supports(fit, short))
        greedy_start(fit, mined.candidates, rounds)


def most_patterns_by_length(literals: LiteralSet, longest: int) -> list[int]:
    """How many patterns there can be of each length from 0 on: a literal of each of so many attributes."""
    most = [1] + [0] * longest
    for number in np.bincount(literals.attribute).tolist():
        for length in range(longest, 0, -1):
            most[length] += number * most[length - 1]
    return most
