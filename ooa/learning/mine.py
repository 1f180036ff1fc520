"""Gathering the candidates of a fit: mining within its limits, and the user's filter."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace
from threading import Event

import numpy as np

from ooa.candidates.bounds import least_positive_support
from ooa.candidates.candidates import Candidates
from ooa.candidates.generate import LiteralSet
from ooa.candidates.mining import Mined, mine
from ooa.candidates.screening import Score
from ooa.rules.pattern import Pattern

from .improve import FEWER_ROUNDS, glance
from .proof_scope import least_support
from .select import OOAxOptions
from .state import Fit

#: Shares of the time limit that mining and the first local search may use.
MINING_SHARE, SEARCH_SHARE = 0.4, 0.1
#: Patterns that can be looked after, once mined, in one second of the time limit.
MINED_PER_SECOND = 50_000
#: From so many literals on, mining takes long enough for a look at the patterns up to this length before, and
#: at those up to the longest looked at as long as there are no more than so many of them.
MANY_LITERALS, EARLY_LENGTH, LONGEST_LOOK, EARLY_PATTERNS = 40, 2, 6, 30_000


def look_early(fit: Fit, literals: LiteralSet, options: OOAxOptions, merit: Score) -> None:
    """First rule sets from the shortest patterns without two-sided ranges, where mining all takes a while."""
    if len(literals) < MANY_LITERALS:
        return
    plain = replace(options, ranges=False).literals(fit.rows) if options.ranges else literals
    fewer = len(plain) < len(literals)
    rounds = FEWER_ROUNDS if fewer else 0  # it takes a while until ranges are mined
    most = most_patterns_by_length(plain, LONGEST_LOOK)
    for length in range(EARLY_LENGTH, min(options.longest(fit.rows) + fewer, LONGEST_LOOK + 1)):
        if length > EARLY_LENGTH and sum(most[: length + 1]) > EARLY_PATTERNS:
            return
        short = replace(options, max_length=length, all_or_none=False)
        glance(fit, of_mined(plain, mine_all(fit, plain, short, merit, [])), rounds)


def most_patterns_by_length(literals: LiteralSet, longest: int) -> list[int]:
    """How many patterns there can be of each length from 0 on: a literal of each of so many attributes."""
    most = [1] + [0] * longest
    for number in np.bincount(literals.attribute).tolist():
        for length in range(longest, 0, -1):
            most[length] += number * most[length - 1]
    return most


def mine_all(fit: Fit, literals: LiteralSet, options: OOAxOptions, merit: Score, notes: list[str]) -> Mined:
    """Mine everything that Theorem 2 does not exclude, as far as time and memory reach."""
    max_mined = options.max_mined
    longest = options.longest(fit.rows)
    least = np.zeros(longest + 1)
    for length in range(1, longest + 1) if fit.removal else ():
        least[length] = math.nextafter(least_positive_support(fit.objective, fit.total, length), math.inf)
    if options.min_support is not None:
        least = np.maximum(least, least_support(options.min_support, fit.rows))
    limit = fit.left()
    per_second = MINED_PER_SECOND / (1 + fit.rows.n_rows / 4096)  # they cost time by rows, too
    budget = max_mined if limit is None else min(max_mined, 1000 + int(per_second * limit))

    enough = Event()

    def show(found: int, share: float) -> None:
        if options.all_or_none and found > budget:
            enough.set()
        fit.line.update(f"mining: {found:,} patterns, {100 * share:.0f} % of the search")

    mined = mine(
        literals,
        fit.rows.positive,
        fit.rows.negative,
        max_length=longest,
        min_positive=least,
        max_patterns=budget,
        score=merit,
        engine=options.engine,
        deadline=fit.deadline(MINING_SHARE),
        stop=enough,
        progress=show,
    )
    fit.interrupted |= mined.interrupted
    over = mined.counts["over_budget"]
    if mined.interrupted:
        notes.append("mining was interrupted, so patterns may be missing")
    elif over and len(mined) == budget:
        which = "max_mined" if budget == max_mined else "time_limit"
        notes.append(
            f"only the best {budget:,} of {budget + over:,} patterns were kept: raise {which} or "
            "min_support, or lower max_length"
        )
    elif not mined.complete:
        lack = "memory" if over else "time"
        notes.append(f"patterns may be missing for lack of {lack}: raise min_support or lower max_length")
    return mined


def filtered(
    fit: Fit, candidates: Candidates, mined: Mined, keep: Callable[[Pattern], bool], notes: list[str]
) -> tuple[Candidates, Mined]:
    """The candidates that the user's filter lets pass, as far as time reaches."""
    deadline = fit.instant(MINING_SHARE + SEARCH_SHARE)
    chosen: list[int] = []
    for k in range(len(candidates)):
        if deadline is not None and time.monotonic() > deadline:
            notes.append(f"keep was asked about {k:,} of {len(candidates):,} patterns for lack of time")
            mined = replace(mined, complete=False)
            break
        if keep(candidates.pattern(k)):
            chosen.append(k)
    return candidates.take(np.array(chosen, dtype=np.intp)), mined


def of_mined(literals: LiteralSet, mined: Mined) -> Candidates:
    """What was mined, as candidates."""
    return Candidates(
        literals=literals.literals,
        items=mined.items,
        length=mined.length.astype(np.int64),
        positive=mined.positive,
        negative=mined.negative,
        bits=mined.bits,
    )
