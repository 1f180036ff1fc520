"""Why a fit ended with a rule set that says the same for every row, and what would change that."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from ooa.candidates.generate import LiteralSet
from ooa.candidates.mining import mine
from ooa.clock import NEVER, Deadline
from ooa.data.columns import Category
from ooa.data.rows import WeightedRows
from ooa.objective import Objective, exact_sum
from ooa.rules.pattern import Pattern
from ooa.rules.text import pattern_text

from .wording import PYTHON, Wording

if TYPE_CHECKING:
    from .verdict import Learned

__all__ = ["FirstPattern", "TrivialResult", "explain_trivial", "first_pattern"]


#: The share of positives below which predicting none of them is cheap, whatever the prices.
RARE = 0.25


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
        if not len(literals) or deadline.passed():
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


@dataclass(frozen=True)
class TrivialResult:
    """Why a rule set came out that says the same for every training row.

    Attributes
    ----------
    labels : the negative and the positive label
    weight : of the negative and of the positive rows
    objective : the prices there were
    every_row : whether every row is predicted positive; else none is
    constrained : whether constraints of the user's had to be met, so that what would pay might not be allowed
    proved : whether it is proved that nothing better is to be had
    told_apart : whether there is any literal to tell rows apart by
    first : the pattern that pays for itself at the highest prices, if one does and it is of use here
    weighted : whether rows count for anything other than 1
    """

    labels: tuple[Category, Category]
    weight: tuple[float, float]
    objective: Objective
    every_row: bool = False
    constrained: bool = False
    proved: bool = False
    told_apart: bool = True
    first: FirstPattern | None = None
    weighted: bool = False

    def sentence(self, wording: Wording = PYTHON) -> str:
        """Say it in one sentence, with what would change it.

        Examples
        --------
        >>> why = TrivialResult(("no", "yes"), (6.0, 2.0), Objective.of(0.1, 0.2), constrained=True)
        >>> why.sentence()
        'The best rule set found under these constraints is empty at C1 = 0.1, C2 = 0.2.'
        """
        prices = wording.prices(f"{float(self.objective.C1):g}", f"{float(self.objective.C2):g}")
        if self.every_row:
            return self._about_every_row(prices, wording)
        if self.constrained:
            return f"The best rule set found under these constraints is empty at {prices}."
        why = (
            f"The best rule set is empty, as no pattern is worth its price at {prices}"
            if self.proved
            else f"No rule set better than the empty one was found at {prices}"
        )
        if not self.told_apart:
            return f"{why}: no column has two different values to tell rows apart by."
        return f"{why}: {self._about_patterns(wording)}."

    @property
    def _are(self) -> str:
        return "weight is" if self.weighted else "rows are"

    def _about_every_row(self, prices: str, wording: Wording) -> str:
        negative, positive = self.labels
        share, other = 100 * self.weight[1] / sum(self.weight), wording.predict(negative)
        turned = f", and {other} would learn patterns of the other class" if other is not None else ""
        return (
            f"Every training row is predicted {positive!r}, which {share:.0f} % of the {self._are}: prices "
            f"below {prices} would admit finer patterns{turned}."
        )

    def _about_patterns(self, wording: Wording) -> str:
        """Which pattern comes first as prices fall, or why none ever does."""
        (negative, positive), first = self.labels, self.first
        share = self.weight[1] / sum(self.weight)
        if share < RARE:  # then the first pattern that pays is about a handful of rows, whatever the prices
            return (
                f"only {100 * share:.2g} % of the {self._are} {positive!r}, so to predict none costs little; "
                f"{wording.heavier(positive)}, and {wording.sensitive(0.8)}"
            )
        if first is not None:
            rows = "of the weight" if self.weighted else "rows"
            return (
                f"{wording.cheaper(_rounded_down(first.price))} would admit the pattern "
                f"({pattern_text(first.pattern)}), which covers {first.positive:g} of {self.weight[1]:g} "
                f"{rows} labelled {positive!r} and {first.negative:g} of {self.weight[0]:g} labelled "
                f"{negative!r}"
            )
        none, other = f"no pattern covers more {positive!r} than {negative!r}", wording.predict(negative)
        if self.weight[1] < self.weight[0]:
            return f"{none}; {wording.heavier(positive)}"
        return none if other is None else f"{none}; {other} would learn patterns of the other class"


def explain_trivial(
    learned: Learned,
    rows: WeightedRows,
    objective: Objective,
    literals: LiteralSet,
    *,
    max_length: int | None = 3,
    min_positive: float = 0.0,
    deadline: Deadline = NEVER,
    constrained: bool = False,
) -> TrivialResult:
    """Find out why a rule set that covers no training row, or every one, came out.

    Parameters
    ----------
    learned, objective : what was learned, and at which prices
    rows : the (distinct) training rows
    literals, max_length, min_positive, deadline : see `first_pattern`
    constrained : whether constraints of the user's had to be met
    """
    rules = learned.rules
    empty = not len(rules)
    first = None
    if empty and not constrained:
        first = first_pattern(
            rows, literals, max_length=max_length, min_positive=min_positive, deadline=deadline
        )
    return TrivialResult(
        labels=(rules.negative, rules.positive),
        weight=(float(rows.negative.sum()), float(rows.positive.sum())),
        objective=objective,
        every_row=not empty,
        constrained=constrained,
        proved=learned.certificate.proved,
        told_apart=len(literals) > 0 or bool(literals.note),
        first=first,
        weighted=learned.certificate.weighted,
    )


def _rounded_down(price: Fraction) -> str:
    """Return a price with three digits, never above itself."""
    context = Context(prec=3, rounding=ROUND_FLOOR)
    digits = context.divide(Decimal(price.numerator), Decimal(price.denominator))
    return f"{float(digits):g}"
