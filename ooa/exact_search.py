"""The exact search within a fit: bounds that tighten step by step, up to the proof."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from .bounds import most_patterns
from .branching import MOST_UNITS, Branching, compiled, ready
from .candidates import Candidates
from .fitting import Fit
from .objective import exact_sum
from .rules import RuleSet
from .solving import Backend

#: Rule sets of more patterns than this are left to the ILP.
MOST_SLOTS = 200
#: Beyond so many words of coverage, or so many per second of the time left, laying them out takes too long.
MOST_WORDS, WORDS_PER_SECOND = 1 << 25, 2_000_000
#: Seconds that compiling may take, where that has not been done yet.
COMPILING = 60.0
#: Gaps that are proved one after the other, each faster than the next.
RUNGS = (0.6, 0.4, 0.3, 0.2, 0.15, 0.1, 0.06, 0.03)
#: The time that gaps take grows by a factor of exp(32) per unit of gap, about; below so many seconds nothing
#: can be told from it.
STEEPNESS, TELLING = 32.0, 0.3
#: Share of the time left that the next gap may take, and that the last one may.
NEXT, LAST = 0.3, 0.9
#: Above the first gap that guess is not relied on for anything below the second.
FAR, NEAR = 0.06, 0.03
#: Share of the time left, and seconds at most, for an attempt at the whole proof: before the gaps one by one,
#: before the linear program, and where no good rule set is known yet.
ATTEMPT, ATTEMPT_SECONDS, EARLY_SECONDS, FIRST_SECONDS = 0.2, 2.0, 1.0, 1.0
#: Share of the time for dominance.
THINNING = 0.1
#: Share of the time for the linear program that tells rows of the two classes apart.
APART = 0.25


def why_not(fit: Fit, candidates: Candidates) -> str | None:
    """Why the exact search cannot be used here, or None if it can."""
    if fit.upper is None:
        return "no rule set that meets the constraints is known"
    slots = slots_of(fit)
    if slots is None or slots > MOST_SLOTS:
        return f"rule sets of more than {MOST_SLOTS} patterns are left to the ILP"
    if fit.total / step_of(fit) * fit.rows.n_rows > MOST_UNITS:
        return "the weights and prices have no common measure that is coarse enough"
    left = fit.left()
    if candidates.bits.size > (MOST_WORDS if left is None else min(MOST_WORDS, left * WORDS_PER_SECOND)):
        return "there are too many candidates and rows for the time"
    if not compiled():
        return "numba is not installed (pip install 'ooa[fast]')"
    return None


def too_soon(fit: Fit) -> bool:
    """Whether the search has yet to be compiled, and the time left is too short for that."""
    left = fit.left()
    return left is not None and left < COMPILING and not ready()


def slots_of(fit: Fit) -> int | None:
    """The most patterns that a rule set better than the best known can have, if there is a limit."""
    by_theorem = None
    if fit.upper is not None:
        # Whatever the rules, rows of both classes that agree in everything cost the lighter class.
        sure = exact_sum(np.minimum(fit.rows.positive, fit.rows.negative)) / fit.total
        by_theorem = most_patterns(fit.objective, fit.upper - sure)
    return min((limit for limit in (by_theorem, fit.max_patterns) if limit is not None), default=None)


def step_of(fit: Fit) -> Fraction:
    """The step that all weights and prices are multiples of."""
    weights = np.unique(np.concatenate([fit.rows.positive, fit.rows.negative]))
    return fit.objective.grid(fit.total, weights.tolist())


def search_exactly(
    fit: Fit,
    candidates: Candidates,
    seconds: float | None,
    solver: Backend,
    improve: Callable[[], None] | None = None,
    without: Collection[str] = (),
) -> tuple[Fraction | None, NDArray[np.int64]]:
    """Search all sets of candidates for the best.

    Returns a bound on L, the value itself once proved, and the candidates that no other one can stand in for,
    as far as there was time to look. Better rule sets go to the fit as they are found. All values are whole
    multiples of the objective's grid, and bounds by multipliers, which are not, leave half a step for
    rounding. Constraints are ignored: the bound is that of the problem without them, which holds beside
    them all the more.

    Parameters
    ----------
    fit : the fit in progress
    candidates : patterns to choose from; `why_not` must be None
    seconds : how long it may take, or None
    solver : for a linear program where the search alone is not enough
    improve : a local search to be done if a first attempt, of a second at most, is in vain
    without : "dominance", "multipliers", "separation", to see what they bring
    """
    step, began = step_of(fit), time.monotonic()
    positive, negative = (_units(weights, step) for weights in (fit.rows.positive, fit.rows.negative))
    prices = [int(fit.total * fit.objective.cost(k) / step) for k in range(candidates.items.shape[1] + 1)]
    price = np.array(prices, dtype=np.int64)[candidates.length]
    everything = int(positive.sum())
    slots, steep = slots_of(fit) or 1, "multipliers" not in without
    search = Branching(candidates.bits, positive, negative, price, slots, multipliers=steep)
    bound: int | None = None
    final = False  # whether nothing is left to be done
    end, wanted = None if seconds is None else began + seconds, fit.params.relative_gap
    fit.line.update("loading the exact search (compiled when it is first used)")

    def target(gap: float) -> int:
        """The value, in steps, of what is better by this gap than the best known."""
        assert fit.upper is not None
        known = int(fit.upper * fit.total / step)
        known = min(known, everything)  # the empty set counts here, also where constraints exclude it
        return known - math.floor(gap * known)

    def prove(value: int) -> None:
        """Note that nothing is below a value, in steps."""
        nonlocal bound, final
        bound = max(value, bound or 0)
        final = final or bound >= target(wanted)
        fit.note_bound(bound * step / fit.total)

    def go_on(share: float, until: float | None, aim: str) -> bool:
        known = "" if bound is None else f", bound {float(bound * step / fit.total):.5f}"
        fit.line.update(f"exact search {aim}: {100 * share:.0f} %, best {float(fit.upper or 0):.5f}{known}")
        return until is None or time.monotonic() < until

    def exclude(gap: float, until: float | None) -> bool:
        """Look for what is better by more than the gap; return whether time was long enough."""
        nonlocal final
        most, aim = target(gap), f"for gap {100 * gap:g} %" if gap else "for the proof"
        try:
            done = search.run(everything - most, everything - target(0), lambda x: go_on(x, until, aim))
        finally:  # whatever ends it
            if search.choice:
                fit.offer(RuleSet([candidates.pattern(k) for k in search.choice]))
        if done:
            value = min(most, everything - search.best)
            final = final or value < most  # something beyond the target was found: that is the optimum
            prove(value)
        return done

    def attempt(most_seconds: float) -> None:
        """The whole proof, in a short time."""
        if not final:
            exclude(wanted, share_of(ATTEMPT, most_seconds))

    def share_of(share: float, most_seconds: float = math.inf) -> float | None:
        """The instant at which so much of the time left, or so many seconds, will be used up."""
        now = time.monotonic()
        part = most_seconds if end is None else min(most_seconds, share * max(0.0, end - now))
        return None if part == math.inf else now + part

    with fit.interruptible():
        if "dominance" not in without:
            thin = share_of(THINNING)
            search.thin_out(lambda share: go_on(share, thin, "thins out"))
        fit.clock("dominance")
        if improve is not None:
            attempt(FIRST_SECONDS)
            fit.clock("searching")
            if not final:
                improve()
        attempt(EARLY_SECONDS)
        if not final and "separation" not in without and search.can_tell_apart():
            fit.clock("searching")
            fit.line.update("exact search: a linear program looks for rows that are hard to tell apart")
            params = fit.params.changed(time_limit=None, log=None, progress=None, options={})
            prove(everything - search.tell_apart(everything - target(0), solver, params, share_of(APART)))
            fit.clock("linear program")
        attempt(ATTEMPT_SECONDS)
        gap, spent = math.inf, 0.0
        while not final:
            now = time.monotonic()
            gap = next_gap(gap, spent, wanted, None if end is None else end - now)
            if target(gap) > (bound or 0) and not exclude(gap, end):
                break
            spent = time.monotonic() - now
    fit.clock("searching")
    return None if bound is None else bound * step / fit.total, np.sort(search.names)


def next_gap(now: float, spent: float, wanted: float, left: float | None) -> float:
    """The gap to be proved next: one from the list, or as small a one as there will be time for.

    Parameters
    ----------
    now : the gap that was proved last, infinite at first
    spent : seconds that it took
    wanted : the gap that ends it all
    left : seconds left, or None

    Examples
    --------
    >>> next_gap(math.inf, 0.0, 0.0, 60.0)
    0.6
    >>> next_gap(0.1, 1.0, 0.0, 60.0)  # this will take 9 s
    0.03
    >>> next_gap(0.03, 9.0, 0.0, 50.0)  # the proof will take 24 s
    0.0
    >>> round(next_gap(0.15, 2.0, 0.0, 60.0), 3)  # 0.03 would take 93 s
    0.081
    """
    if left is None or spent < TELLING:
        return next((rung for rung in RUNGS if wanted < rung < now), wanted)
    aim = max(wanted, NEAR) if now > FAR else wanted
    share = NEXT if NEXT * left > 3 * spent else LAST
    if spent >= share * left:
        return wanted
    if spent * math.exp(STEEPNESS * (now - aim)) <= LAST * left:
        return aim
    return max(aim, now - math.log(share * left / spent) / STEEPNESS)


def _units(weights: NDArray[np.float64], step: Fraction) -> NDArray[np.float64]:
    """Weights as whole multiples of the step."""
    values, which = np.unique(weights, return_inverse=True)
    return np.array([float(Fraction(v) / step) for v in values.tolist()])[which]
