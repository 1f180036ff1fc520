"""Why a fit ended with a rule set that says the same for every row, and what would change that."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_FLOOR, Context, Decimal
from fractions import Fraction

import numpy as np

from ooa.candidates.generate import LiteralSet
from ooa.candidates.mining import mine
from ooa.clock import NEVER, Deadline
from ooa.data.rows import WeightedRows
from ooa.objective import Objective, exact_sum
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet

from .certificate import Certificate

__all__ = ["FirstPattern", "explain_trivial", "first_pattern"]


@dataclass(frozen=True)
class FirstPattern:
    """The pattern that pays for itself at the highest prices.

    Attributes
    ----------
    pattern : Pattern
    positive, negative : float
        Weight of the positive and of the negative rows it covers.
    price : Fraction
        It alone beats the empty rule set whenever C1 = C2 is below this.
    """

    pattern: Pattern
    positive: float
    negative: float
    price: Fraction


def first_pattern(
    rows: WeightedRows,
    literals: LiteralSet,
    *,
    max_length: int | None = 3,
    min_positive: float = 0.0,
    deadline: Deadline = NEVER,
) -> FirstPattern | None:
    """Find the single pattern with the largest net gain per unit of price.

    A pattern z alone beats the empty rule set if (supp+(z) - supp-(z)) / N > C1 * length(z) + C2. With
    C1 = C2 that holds below (supp+(z) - supp-(z)) / (N * (length(z) + 1)), and this is maximised. The best
    single literal is a bound for the longer ones: to beat it they must cover more positives in proportion.

    Parameters
    ----------
    rows : the (distinct) rows
    literals : the candidate literals over these rows
    max_length : most literals in a pattern, or None
    min_positive : least weight of positives that a pattern has to cover
    deadline : when the best pattern known is returned

    Returns
    -------
    FirstPattern, or None if no pattern covers more positive weight than negative

    Examples
    --------
    >>> from ooa.candidates.generate import candidate_literals
    >>> from ooa.data.table import Table
    >>> table = Table.from_any({"x": [1, 2, 3, 4], "y": ["a", "b", "a", "b"]}, [0, 0, 1, 1])
    >>> first = first_pattern(table, candidate_literals(table))
    >>> print(first.pattern, first.price)
    x ≥ 3 1/4
    """
    best: FirstPattern | None = None
    total = exact_sum(rows.positive) + exact_sum(rows.negative)
    n_attributes = len(rows.attributes)
    longest = n_attributes if max_length is None else min(max_length, n_attributes)
    for reach in sorted({1, longest}):
        if not len(literals):
            break
        least = np.full(reach + 1, min_positive)
        if best is not None:
            least = np.maximum(least, float(best.price * total) * np.arange(1, reach + 2))
        mined = mine(
            literals,
            rows.positive,
            rows.negative,
            max_length=reach,
            min_positive=least,
            max_patterns=100_000,
            score=lambda positive, negative, length: (positive - negative) / (length + 1),
            deadline=deadline,
        )
        if not len(mined):
            continue
        k = int(np.argmax((mined.positive - mined.negative) / (mined.length + 1)))
        positive, negative = float(mined.positive[k]), float(mined.negative[k])
        price = (Fraction(positive) - Fraction(negative)) / (total * (int(mined.length[k]) + 1))
        if price > (best.price if best is not None else 0):
            pattern = Pattern(literals.literals[i] for i in mined.items[k] if i >= 0)
            best = FirstPattern(pattern, positive, negative, price)
    return best


def explain_trivial(
    rules: RuleSet,
    rows: WeightedRows,
    certificate: Certificate,
    objective: Objective,
    literals: LiteralSet,
    *,
    max_length: int | None = 3,
    min_positive: float = 0.0,
    deadline: Deadline = NEVER,
    constrained: bool = False,
) -> str:
    """Say in one sentence why a rule set that covers no training row, or every one, came out.

    Parameters
    ----------
    rules, certificate, objective : what was learned, and at which prices
    rows : the (distinct) training rows
    literals, max_length, min_positive, deadline : see `first_pattern`
    constrained : whether constraints of the user's had to be met
    """
    positive, negative = float(rows.positive.sum()), float(rows.negative.sum())
    if len(rules):
        return (
            f"Every training row is predicted {rules.positive!r}, which "
            f"{100 * positive / (positive + negative):.0f} % of the weight is: prices below "
            f"{_prices(objective)} would admit finer patterns, and positive={rules.negative!r} would learn "
            "patterns of the other class."
        )
    if constrained:  # what would pay might not be allowed
        return f"The best rule set found under these constraints is empty at {_prices(objective)}."
    if certificate.proved:
        why = f"The best rule set is empty, as no pattern is worth its price at {_prices(objective)}"
    else:
        why = f"No rule set better than the empty one was found at {_prices(objective)}"
    if not len(literals):
        return f"{why}: no column has two different values to tell rows apart by."
    first = first_pattern(rows, literals, max_length=max_length, min_positive=min_positive, deadline=deadline)
    if first is None:
        advice = (
            f"class_weight='balanced' gives the rows labelled {rules.positive!r} more weight."
            if positive < negative
            else f"positive={rules.negative!r} would learn patterns of the other class."
        )
        return f"{why}: no pattern covers more {rules.positive!r} than {rules.negative!r}; {advice}"
    return (
        f"{why}: C1 = C2 below {_rounded_down(first.price)} would admit the pattern ({first.pattern}), "
        f"which covers {first.positive:g} of {positive:g} rows labelled {rules.positive!r} and "
        f"{first.negative:g} of {negative:g} labelled {rules.negative!r}."
    )


def _prices(objective: Objective) -> str:
    return f"C1 = {float(objective.C1):g}, C2 = {float(objective.C2):g}"


def _rounded_down(price: Fraction) -> str:
    """Return a price with three digits, never above itself."""
    context = Context(prec=3, rounding=ROUND_FLOOR)
    digits = context.divide(Decimal(price.numerator), Decimal(price.denominator))
    return f"{float(digits):g}"
