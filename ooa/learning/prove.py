"""The exact search within a fit: bounds that tighten step by step, up to the proof."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ooa.candidates.bounds import most_patterns
from ooa.candidates.candidates import Candidates
from ooa.clock import CLOCK, NEVER, Deadline
from ooa.kernels.availability import compiled, ready
from ooa.objective import exact_sum
from ooa.rules.ruleset import RuleSet
from ooa.search.branch_and_bound import MOST_UNITS, Branching
from ooa.solving.backend import Backend

from .state import Fit

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
#: Seconds for coarse gaps before the linear program, so that there is a bound early.
ROUGH_SECONDS = 1.0
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
    search = _Search(fit, candidates, seconds, multipliers="multipliers" not in without)
    with fit.interruptible():
        if "dominance" not in without:
            search.thin_out()
        if improve is not None:
            search.attempt(FIRST_SECONDS)
            if not search.final:
                improve()
        search.attempt(EARLY_SECONDS)
        search.close_gap(ROUGH_SECONDS)
        if "separation" not in without:
            search.tell_apart(solver)
        search.attempt(ATTEMPT_SECONDS)
        search.close_gap()
    fit.clock("searching")
    bound = None if search.bound is None else search.bound * search.step / fit.total
    return bound, np.sort(search.sets.names)


class _Search:
    """The search through the sets of candidates, in the units of the objective's grid.

    Attributes
    ----------
    step : the unit
    sets : the sets of candidates, see there
    bound : nothing is below this value, in units, if something is known
    final : whether nothing is left to be done
    """

    def __init__(self, fit: Fit, candidates: Candidates, seconds: float | None, *, multipliers: bool) -> None:
        self._fit, self._candidates = fit, candidates
        self._end = None if seconds is None else time.monotonic() + seconds
        self._wanted = fit.params.relative_gap
        self.step = step_of(fit)
        positive, negative = (
            _units(weights, self.step) for weights in (fit.rows.positive, fit.rows.negative)
        )
        lengths = range(candidates.items.shape[1] + 1)
        prices = [int(fit.total * fit.objective.cost(k) / self.step) for k in lengths]
        price = np.array(prices, dtype=np.int64)[candidates.length]
        self._everything = int(positive.sum())
        self.sets = Branching(
            candidates.bits, positive, negative, price, slots_of(fit) or 1, multipliers=multipliers
        )
        self.bound: int | None = None
        self.final = False
        fit.line.update("loading the exact search (compiled when it is first used)")

    def thin_out(self) -> None:
        """Drop what a cheaper one can stand in for."""
        until = self._share_of(THINNING)
        self.sets.drop_dominated(lambda share: self._go_on(share, until, "thins out"))
        self._fit.clock("dominance")

    def attempt(self, most_seconds: float) -> None:
        """The whole proof, in a short time."""
        if not self.final:
            self._exclude(self._wanted, self._share_of(ATTEMPT, most_seconds))
            self._fit.clock("searching")

    def tell_apart(self, solver: Backend) -> None:
        """A bound by a linear program, which also sharpens the bounds of the search."""
        if self.final or not self.sets.can_add_pair_cuts():
            return
        fit = self._fit
        fit.line.update("exact search: a linear program looks for rows that are hard to tell apart")
        params = fit.params.changed(time_limit=None, log=None, progress=None, options={})
        known = self._everything - self._target(0)
        end = self._share_of(APART)
        deadline = NEVER if end is None else Deadline(CLOCK, 0.0, end)
        self._prove(self._everything - self.sets.add_pair_cuts(known, solver, params, deadline))
        fit.clock("linear program")

    def close_gap(self, most_seconds: float = math.inf) -> None:
        """One gap after the other, up to the proof, or as far as these seconds reach."""
        end = self._end if most_seconds == math.inf else self._share_of(ATTEMPT, most_seconds)
        gap, spent = math.inf, 0.0
        while not self.final:
            now = time.monotonic()
            gap = next_gap(gap, spent, self._wanted, None if end is None else end - now)
            # The last one is searched for in any case: only that says whether it is final.
            needed = gap == self._wanted or self._target(gap) > (self.bound or 0)
            if needed and not self._exclude(gap, end):
                break
            spent = time.monotonic() - now

    def _target(self, gap: float) -> int:
        """The value of what is better by this gap than the best known."""
        assert self._fit.upper is not None
        known = int(self._fit.upper * self._fit.total / self.step)
        known = min(known, self._everything)  # the empty set counts here, also where constraints exclude it
        return known - math.floor(Fraction(gap) * known)

    def _prove(self, value: int) -> None:
        """Note that nothing is below a value."""
        self.bound = max(value, self.bound or 0)
        self.final = self.final or self.bound >= self._target(self._wanted)
        self._fit.note_bound(self.bound * self.step / self._fit.total)

    def _exclude(self, gap: float, until: float | None) -> bool:
        """Look for what is better by more than the gap; return whether time was long enough."""
        most, aim = self._target(gap), f"for gap {100 * gap:.3g} %" if gap else "for the proof"
        everything, sets = self._everything, self.sets
        try:
            done = sets.run(
                everything - most,
                everything - self._target(0),
                lambda share: self._go_on(share, until, aim),
            )
        finally:  # whatever ends it
            if sets.choice:
                self._fit.offer(RuleSet([self._candidates.pattern(k) for k in sets.choice]))
        if done:
            value = min(most, everything - sets.best)
            self.final = self.final or value < most  # what was found beyond the target is the optimum
            self._prove(value)
        return done

    def _go_on(self, share: float, until: float | None, aim: str) -> bool:
        fit = self._fit
        known = "" if self.bound is None else f", bound {float(self.bound * self.step / fit.total):.5f}"
        fit.line.update(f"exact search {aim}: {100 * share:.0f} %, best {float(fit.upper or 0):.5f}{known}")
        return until is None or time.monotonic() < until

    def _share_of(self, share: float, most_seconds: float = math.inf) -> float | None:
        """The instant at which so much of the time left, or so many seconds, will be used up."""
        now = time.monotonic()
        part = most_seconds if self._end is None else min(most_seconds, share * max(0.0, self._end - now))
        return None if part == math.inf else now + part


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
