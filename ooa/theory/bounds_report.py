"""What Theorems 1 to 3, and their sharper forms, say about a table before anything is solved."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from ooa.candidates.bounds import least_positive_support, most_literals, most_negative_support, most_patterns
from ooa.candidates.generate import candidate_literals
from ooa.checks import instance, whole_or_none
from ooa.data.bitsets import weighted_count
from ooa.data.table import Table
from ooa.learning.certificate import count
from ooa.objective import Objective, exact_sum
from ooa.rules.ruleset import RuleSet

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["BoundsReport", "bounds_report"]

#: Lengths that are listed where nothing limits them.
_LENGTHS = 10


@dataclass(frozen=True, eq=False)
class BoundsReport:
    """Bounds on what an optimal rule set can contain; there is always one that meets them all.

    Attributes
    ----------
    C1, C2 : Fraction
        The prices.
    total, positive : Fraction
        The weight of all rows, and of the positive ones.
    upper : Fraction
        The value of the best rule set known, by which the sharper forms are computed.
    most_patterns, most_patterns_paper : int or None
        The most patterns (Theorem 3) by `upper`, and by the empty rule set as in the paper; None if there is
        no bound.
    most_literals : int or None
        The most literals in all.
    longest : int
        The most literals in a pattern.
    literals, useful_literals : int
        Candidate literals of the table, and those among them that a pattern can contain: they cover more
        positives than a pattern of one literal costs.
    frame : pandas.DataFrame
        By length of a pattern: its `price`; the positive support that it must exceed, `positive_above`
        (Theorem 2); and the negative support that it cannot exceed, `negative_at_most` (Theorem 1). The
        paper's own forms, the same for every length, are `positive_above_paper` and
        `negative_at_most_paper`. Lengths that no pattern of an optimal rule set needs are left out.
    """

    C1: Fraction
    C2: Fraction
    total: Fraction
    positive: Fraction
    upper: Fraction
    most_patterns: int | None
    most_patterns_paper: int | None
    most_literals: int | None
    longest: int
    literals: int
    useful_literals: int
    frame: pd.DataFrame

    def to_dict(self) -> dict[str, Any]:
        """The report as plain values, for JSON."""
        return {
            "upper": {"exact": str(self.upper), "value": float(self.upper)},
            "most_patterns": self.most_patterns,
            "most_patterns_paper": self.most_patterns_paper,
            "most_literals": self.most_literals,
            "longest": self.longest,
            "literals": self.literals,
            "useful_literals": self.useful_literals,
            "by_length": [
                {"length": int(length)} | {str(name): float(value) for name, value in row.items()}
                for length, row in zip(self.frame.index, self.frame.to_dict(orient="records"))
            ],
        }

    def __str__(self) -> str:
        empty = self.upper == self.positive / self.total
        known = "the empty rule set" if empty else "the rule set known"
        lines = [
            f"bounds at C1 = {float(self.C1):g}, C2 = {float(self.C2):g}, where {known} has L = "
            f"{float(self.upper):.4g}",
            f"  patterns in an optimal rule set  {_at_most(self.most_patterns, self.most_patterns_paper)}",
            f"  literals in all                  {_at_most(self.most_literals)}",
            f"  literals in a pattern            at most {self.longest}",
            f"  candidate literals of any use    {self.useful_literals} of {self.literals}",
        ]
        if not len(self.frame):
            return "\n".join([*lines, "  no pattern can pay for itself: the empty rule set is optimal"])
        head = f"  {'length':>6}  {'positives: more than':>22}  {'negatives: at most':>20}"
        rows = [
            f"  {length:>6}  {_pair(row['positive_above'], row['positive_above_paper']):>22}  "
            f"{_pair(row['negative_at_most'], row['negative_at_most_paper']):>20}"
            for length, row in zip(self.frame.index, self.frame.to_dict(orient="records"))
        ]
        return "\n".join(
            [*lines, head, *rows, "  in brackets: by the paper's own forms, where they say less"]
        )


def bounds_report(
    table: Table,
    C1: Any = 0.002,
    C2: Any = 0.002,
    *,
    max_length: int | None = None,
    known: RuleSet | None = None,
) -> BoundsReport:
    """Say what an optimal rule set for a table can contain, before anything is solved.

    The bounds rely on the plain objective; constraints may need a rule set that they exclude.

    Parameters
    ----------
    table : Table
    C1, C2 : price of a literal and of a pattern, as shares of the rows
    max_length : int, optional
        The longest patterns to list.
    known : RuleSet, optional
        A rule set whose value makes the bounds sharper if it is better than the empty one.

    Returns
    -------
    BoundsReport

    Examples
    --------
    >>> from ooa.datasets import monks
    >>> data = monks(1)
    >>> table = Table.from_any(data.X, data.y)
    >>> report = bounds_report(table, C1=0.02, C2=0.02, max_length=2)
    >>> print(report)
    bounds at C1 = 0.02, C2 = 0.02, where the empty rule set has L = 0.5
      patterns in an optimal rule set  at most 12
      literals in all                  at most 24
      literals in a pattern            at most 2
      candidate literals of any use    17 of 17
      length    positives: more than    negatives: at most
           1                   17.28                198.72
           2           25.92 (17.28)       190.08 (198.72)
      in brackets: by the paper's own forms, where they say less
    >>> better = RuleSet.parse("jacket_color = red")
    >>> bounds_report(table, 0.02, 0.02, known=better).most_patterns
    7
    """
    limit = whole_or_none(max_length, "max_length")
    objective = Objective.of(C1, C2)
    instance(table, "table", Table, "an ooa.Table, as Table.from_any makes it")
    if known is not None:
        instance(known, "known", RuleSet, "None or a rule set")
    rows = table.distinct()
    positive = exact_sum(rows.positive)
    total = positive + exact_sum(rows.negative)
    empty = positive / total
    upper = empty if known is None else min(empty, count(known, rows, objective).objective)
    found = candidate_literals(rows)
    support = weighted_count(found.bits, rows.positive)
    longest = _longest(objective, positive, total, upper, len(table.attributes))
    if limit is not None:
        longest = min(longest, limit)
    return BoundsReport(
        C1=objective.C1,
        C2=objective.C2,
        total=total,
        positive=positive,
        upper=upper,
        most_patterns=most_patterns(objective, upper),
        most_patterns_paper=most_patterns(objective, empty),
        most_literals=most_literals(objective, upper, patterns=1),
        longest=longest,
        literals=len(found),
        useful_literals=int(np.count_nonzero(support > least_positive_support(objective, total, 1))),
        frame=_frame(
            objective, total, upper, empty, longest if limit is not None else min(longest, _LENGTHS)
        ),
    )


def _longest(
    objective: Objective, positive: Fraction, total: Fraction, upper: Fraction, n_attributes: int
) -> int:
    """The longest pattern that can cover enough positives and few enough negatives, none being few enough."""
    fits = (
        length
        for length in range(n_attributes, 0, -1)
        if total * objective.cost(length) < positive and objective.cost(length) <= upper
    )
    return next(fits, 0)


def _frame(
    objective: Objective, total: Fraction, upper: Fraction, empty: Fraction, longest: int
) -> pd.DataFrame:
    """The bounds by length."""
    import pandas as pd

    rows = [
        {
            "price": float(objective.cost(length)),
            "positive_above": least_positive_support(objective, total, length),
            "positive_above_paper": least_positive_support(objective, total, 1),
            "negative_at_most": most_negative_support(objective, total, length, upper),
            "negative_at_most_paper": most_negative_support(objective, total, 1, empty),
        }
        for length in range(1, longest + 1)
    ]
    names = ["price", *(f"{b}{p}" for b in ("positive_above", "negative_at_most") for p in ("", "_paper"))]
    index = pd.RangeIndex(1, longest + 1, name="length")
    return pd.DataFrame(rows, columns=names, index=index, dtype=np.float64)


def _at_most(number: int | None, paper: int | None = None) -> str:
    if number is None:
        return "no bound"
    return f"at most {number}" + ("" if paper in (None, number) else f" ({paper})")


def _pair(ours: float, paper: float) -> str:
    same = math.isclose(ours, paper, rel_tol=1e-9)
    return f"{ours:.6g}" if same else f"{ours:.6g} ({paper:.6g})"
