"""The conditions that patterns are made of, within the time of a fit, and rule sets of single ones."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ooa.candidates.generate import LiteralSet, candidate_literals
from ooa.candidates.screening import InformationGain, Score
from ooa.clock import NEVER, Deadline
from ooa.data.bitsets import weighted_count
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet

from .problem import FitProblem
from .proof_scope import least_support
from .settings import OOAxSettings
from .state import Fit

__all__ = ["asked_support", "literals_in_time", "literals_of", "merit_of", "paired_in_time"]


def literals_of(
    settings: OOAxSettings, problem: FitProblem, deadline: Deadline = NEVER, max_bytes: float = math.inf
) -> LiteralSet:
    """The literals that patterns are made of; where to cut depends on the weights as they were given."""
    rows = problem.grid.distinct
    return candidate_literals(rows, **settings.language(), deadline=deadline, max_bytes=max_bytes)


def literals_in_time(fit: Fit, settings: OOAxSettings) -> LiteralSet:
    """The literals of a fit: of as many columns, and as many of the best, as its time allows.

    Where it allows no more than that, or not all of them, the best of them alone is a rule set.
    """
    policy = fit.policy
    deadline = fit.timing.deadline.share(policy.literals_share)
    if settings.ranges and settings.thresholds == "distinct":  # there may be millions
        deadline = fit.timing.deadline.share_of_rest(policy.labels_share)
    if deadline.left() == 0.0:  # then a moment is taken for the sake of a single condition
        deadline = Deadline.after(policy.moment, deadline.clock)
    found = literals_of(
        settings, fit.problem, deadline, policy.literals_memory * fit.memory / policy.literal_copies
    )
    left = fit.timing.deadline.left()
    if left is None:
        return found
    most = max(policy.least_looked_at, int(left * policy.literal_words_per_second / found.bits.shape[1]))
    lacking = fit.over or fit.best.upper is None
    if not len(found) or (len(found) <= most and not lacking):
        return found
    positive, negative = _weighed_in_time(fit, found.bits)
    _offer_conditions(fit, found, settings, positive, negative)
    if len(found) <= most or fit.over:
        return found
    return found.best(most, _merits(fit, settings, len(found), positive, negative))


def paired_in_time(fit: Fit, literals: LiteralSet, settings: OOAxSettings) -> LiteralSet:
    """The literals, or the best so many whose pairs can all be looked at in the time for mining.

    Pairs of many take longer than that on a large table, and what mining ends with then is what comes first.
    """
    policy, left = fit.policy, fit.timing.deadline.left()
    if left is None:
        return literals
    words = policy.mining_share * left * policy.joined_words_per_second
    most = max(policy.least_looked_at, math.isqrt(int(2 * words / literals.bits.shape[1])))
    if len(literals) <= most:
        return literals
    return literals.best(most, _merits(fit, settings, len(literals), *_weighed_in_time(fit, literals.bits)))


def merit_of(settings: OOAxSettings, problem: FitProblem) -> Score:
    """The score that tells good candidates from others; the user's own is told weights as they were given."""
    rows, score, unit = problem.rows, settings.score, float(problem.grid.unit)
    if score is None:
        return InformationGain(rows.positive.sum(), rows.negative.sum(), settings.gamma)
    return lambda positive, negative, length: score(unit * positive, unit * negative, length)


def asked_support(fit: Fit, settings: OOAxSettings) -> float:
    """The weight of the positives, on the grid, that the user wants a pattern to cover at least."""
    if settings.min_support is None:
        return 0.0
    grid = fit.problem.grid
    return grid.support(least_support(settings.min_support, grid.distinct))


def _offer_conditions(
    fit: Fit,
    found: LiteralSet,
    settings: OOAxSettings,
    positive: NDArray[np.float64],
    negative: NDArray[np.float64],
) -> None:
    """Single conditions as rule sets: the best; if that does not meet the constraints, from sensitive on.

    Then both sides of a cut, which cover all rows that have a value. Once time is over, the first that meets
    the constraints is enough.
    """
    keep = settings.keep or (lambda pattern: True)
    allowed = np.flatnonzero(positive >= asked_support(fit, settings))
    if not len(allowed):
        return
    by_merit = [positive - harshness * negative for harshness in (*fit.policy.harshness, 0.0)]
    best = dict.fromkeys(int(allowed[np.argmax(merit[allowed])]) for merit in by_merit)
    paired = np.intersect1d(allowed, found.complement[allowed])
    sides = [int(paired[0]), int(found.complement[paired[0]])] if len(paired) else []
    for chosen in (*([k] for k in best), sides):
        patterns = [Pattern([found.literals[k]]) for k in chosen]
        if all(map(keep, patterns)):
            fit.best.offer(RuleSet(patterns))
        if fit.best.upper is not None and (fit.over or not fit.problem.constraints):
            return


def _weighed_in_time(fit: Fit, bits: NDArray[np.uint64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The weights of the positives and of the negatives in row sets: of as many as there is time for.

    At least the first few are weighed.
    """
    rows, in_time = fit.problem.rows, fit.timing.deadline.pieces()
    step = max(fit.policy.least_looked_at, int(fit.policy.weighed_words / bits.shape[1]))
    parts: list[NDArray[np.float64]] = []
    for start in range(0, len(bits), step):
        if start and not next(in_time):
            break
        some = bits[start : start + step]
        parts.append(np.array([weighted_count(some, weights) for weights in (rows.positive, rows.negative)]))
    positive, negative = np.concatenate(parts, axis=1)
    return positive, negative


def _merits(
    fit: Fit,
    settings: OOAxSettings,
    number: int,
    positive: NDArray[np.float64],
    negative: NDArray[np.float64],
) -> NDArray[np.float64]:
    """What so many conditions are worth by themselves; those that were not weighed are worth least."""
    found = np.full(number, -np.inf)
    found[: len(positive)] = merit_of(settings, fit.problem)(positive, negative, np.ones(len(positive)))
    return found
